//! The common part of round movers against flat shapes: triangles and convex polygons are brought into
//! canonical order, excluded by their plane if out of reach, and answered in the caller's numbering.
//!
//! Source: `docs/sphere-triangle.md`. Cost: two products for a shape whose plane is out of reach, before any
//! root.

use glam::{DMat3, DVec3};

use crate::shape::patch::grid::Grid;
use crate::shape::{ConvexPolygon, Plane};
use crate::sweep::parts::ball::{BallHit, Limits};
use crate::sweep::parts::form::Form;
use crate::sweep::parts::outline::{Outline, Ring, is_odd, sort_corners, triangle_normal, unsort};
use crate::sweep::parts::space::Space;
use crate::sweep::patch::{Cell, CellForm, PatchFoot, PatchHit, Probe, feature};
use crate::sweep::{Contact, Feature, Hit, Path};

/// A triangle of a mesh, with its corners in canonical order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// From low to high, in the frame of the path.
    pub(crate) corners: [DVec3; 3],
    /// The original number of each corner.
    pub(crate) order: [u8; 3],
    /// A bit for every edge of the sorted triangle that a coplanar neighbor continues.
    pub(crate) flat: u32,
    /// Whether it lets a mover pass whose center starts behind it.
    pub(crate) one_sided: bool,
}

impl Facet {
    /// From corners in any order; `flat` has a bit for every edge of the triangle as it is given.
    #[inline(always)]
    pub(crate) fn new(corners: [DVec3; 3], flat: u32, one_sided: bool) -> Self {
        let (corners, order) = sort_corners(corners);
        Self { corners, order, flat: sorted_flat(flat, order), one_sided }
    }

    /// A triangle on its own: no neighbors, two sides.
    pub(crate) fn alone(corners: [DVec3; 3]) -> Self {
        Self::new(corners, 0, false)
    }

    /// The corners as they were given.
    #[inline(always)]
    pub(crate) fn given(&self) -> [DVec3; 3] {
        let mut given = self.corners;
        for (corner, place) in self.corners.into_iter().zip(self.order) {
            given[usize::from(place)] = corner;
        }
        given
    }

    /// The normal of the sorted corners.
    #[inline(always)]
    pub(crate) fn normal(&self) -> Option<DVec3> {
        let [a, b, c] = self.corners;
        triangle_normal(b - a, c - a)
    }

    /// Whether this is the back of a one-sided triangle, as seen from a place. `normal` is that of the sorted
    /// corners.
    #[inline(always)]
    pub(crate) fn is_behind(&self, normal: Option<DVec3>, from: DVec3) -> bool {
        self.one_sided
            && normal.is_some_and(|normal| {
                let height = -normal.dot(self.corners[0] - from);
                height != 0.0 && (height < 0.0) != is_odd(self.order)
            })
    }
}

/// The flat bits for the corners in another order.
#[inline(always)]
fn sorted_flat(given: u32, order: [u8; 3]) -> u32 {
    if given == 0 {
        return 0;
    }
    let mut flat = 0;
    for k in 0..3 {
        if let Feature::Edge(i) = unsort(Feature::Edge(k), order) {
            flat |= (given >> i & 1) << k;
        }
    }
    flat
}

/// Corners as offsets from the start of a path, which a mover may map into its own space.
pub(crate) trait Offsets: Outline {
    /// The same corners in the mover's space.
    fn seen_in(&self, space: &impl Space) -> impl Outline;
}

impl<const N: usize> Offsets for [DVec3; N] {
    #[inline(always)]
    fn seen_in(&self, space: &impl Space) -> impl Outline {
        self.map(|v| space.to_ball(v))
    }
}

impl Offsets for Ring<'_> {
    fn seen_in(&self, space: &impl Space) -> impl Outline {
        self.mapped(space.matrix())
    }
}

/// A moving round mover, for tests with flat shapes. Normals are the world's; `flat` has a bit for every edge
/// that a coplanar neighbor continues.
pub(crate) trait RoundMover {
    /// The properties of the mover.
    const FORM: Form;

    /// The way of the center.
    fn path(&self) -> &Path;
    /// The radii for an outline.
    fn limits(&self, offsets: &impl Offsets) -> Limits;
    /// The height of the center above a plane at contact, plus two rounding bounds, so that it excludes
    /// nothing that a root would reach.
    fn clearance(&self, normal: DVec3, limits: Limits) -> f64;
    /// The first contact with an outline.
    fn outline(
        &self,
        offsets: &impl Offsets,
        normal: Option<DVec3>,
        flat: u32,
        limits: Limits,
    ) -> Option<BallHit>;
    /// The first contact with a plane, from whichever side the center is on.
    fn plane(&self, plane: &Plane) -> Option<Hit>;
    /// The contact of the mover with an outline at the start of its path.
    fn outline_contact(&self, offsets: &impl Offsets, normal: Option<DVec3>, flat: u32) -> Contact;
    /// A hit in the world, its feature in the caller's numbering.
    fn in_world(&self, hit: &BallHit, feature: Feature) -> Hit;
    /// The mover for tests with curved pieces, none of whose points is farther from the start than `reach`.
    fn probe(&self, reach: f64) -> Probe;
    /// An offset from the start, in the space of the probe.
    fn to_probe(&self, offset: DVec3) -> DVec3;
    /// The least length in that space of a length in meters.
    fn least_length(&self, length: f64) -> f64;
    /// A contact of the probe with the foot at an offset from the start: a gap along a unit normal.
    fn probe_contact(&self, gap: f64, foot: &PatchFoot, feature: Feature, rounding: f64) -> Contact;

    /// Whether the path stays clear of a plane `height` below the start.
    #[inline(always)]
    fn out_of_reach(&self, normal: DVec3, height: f64, limits: Limits) -> bool {
        let travelled = normal.dot(self.path().translation());
        let nearest = height.abs() + (if height < 0.0 { -travelled } else { travelled }).min(0.0);
        nearest > self.clearance(normal, limits)
    }

    /// The first contact with a triangle, unless that comes after the fraction `within`.
    #[inline(always)]
    fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit> {
        let offsets = facet.corners.map(|v| v - self.path().from());
        let limits = Limits { within, ..self.limits(&offsets) };
        let normal = facet.normal();
        if facet.is_behind(normal, self.path().from())
            || normal.is_some_and(|normal| self.out_of_reach(normal, -normal.dot(offsets[0]), limits))
        {
            return None;
        }
        let hit = self.outline(&offsets, normal, facet.flat, limits)?;
        let in_world = self.in_world(&hit, unsort(hit.feature, facet.order));
        Some(match hit.feature {
            Feature::Vertex(i) => Hit { point: facet.corners[i as usize], ..in_world },
            _ => in_world,
        })
    }

    /// The contact of the mover with a triangle at the start of its path; `None` behind a one-sided one.
    #[inline(always)]
    fn triangle_contact(&self, facet: &Facet) -> Option<Contact> {
        let offsets = facet.corners.map(|v| v - self.path().from());
        let normal = facet.normal();
        if facet.is_behind(normal, self.path().from()) {
            return None;
        }
        let contact = self.outline_contact(&offsets, normal, facet.flat);
        Some(Contact { feature: unsort(contact.feature, facet.order), ..contact })
    }

    /// The first contact with a convex polygon.
    fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        let (offsets, normal) = seen_from(self.path().from(), polygon);
        let limits = self.limits(&offsets);
        if self.out_of_reach(normal, -normal.dot(offsets.at(0)), limits) {
            return None;
        }
        let hit = self.outline(&offsets, Some(normal), 0, limits)?;
        Some(self.in_world(&hit, offsets.original(hit.feature)))
    }

    /// The first contact with a cell of a patch, unless that comes after the fraction `within`.
    fn patch(&self, cell: &Cell, within: f64) -> Option<Hit> {
        match &cell.form {
            CellForm::Quadratic(grid) => self.cell(grid, cell, within),
            CellForm::Cubic(grid) => self.cell(grid, cell, within),
        }
    }

    /// The same of a degree.
    fn cell<const N: usize>(&self, grid: &Grid<N>, cell: &Cell, within: f64) -> Option<Hit> {
        let offsets = grid.map(|p| p - self.path().from());
        let probe = self.probe(offsets.reach());
        let seen = offsets.map(|p| self.to_probe(p));
        let hit = probe.patch(&seen, within, self.least_length(cell.flat))?;
        let feature = feature(hit.place, cell.borders);
        let PatchHit { fraction, foot, normal, start_overlap, .. } = hit;
        Some(self.in_world(&BallHit { fraction, foot, normal, feature, start_overlap }, feature))
    }

    /// The contact of the mover with a cell of a patch at the start; a gap larger than `within` may be left
    /// out.
    fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact> {
        match &cell.form {
            CellForm::Quadratic(grid) => self.cell_contact(grid, cell, within),
            CellForm::Cubic(grid) => self.cell_contact(grid, cell, within),
        }
    }

    /// The same of a degree.
    fn cell_contact<const N: usize>(&self, grid: &Grid<N>, cell: &Cell, _: f64) -> Option<Contact> {
        let foot = self.cell_foot(grid, cell)?;
        let probe = self.probe(grid.map(|p| p - self.path().from()).reach());
        let gap = foot.distance - probe.ball.radius;
        Some(self.probe_contact(gap, &foot, feature(foot.place, cell.borders), probe.rounding))
    }

    /// The point of a cell nearest to the mover at the start, in the space of the probe.
    fn cell_foot<const N: usize>(&self, grid: &Grid<N>, cell: &Cell) -> Option<PatchFoot> {
        let offsets = grid.map(|p| p - self.path().from());
        let probe = self.probe(offsets.reach());
        let seen = offsets.map(|p| self.to_probe(p));
        probe.patch_foot(&seen, f64::INFINITY, self.least_length(cell.flat))
    }

    /// The contact of the mover with a convex polygon at the start of its path.
    fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        let (offsets, normal) = seen_from(self.path().from(), polygon);
        let contact = self.outline_contact(&offsets, Some(normal), 0);
        Some(Contact { feature: offsets.original(contact.feature), ..contact })
    }
}

/// A polygon's corners in canonical order, and the normal that they run round.
fn seen_from(from: DVec3, polygon: &ConvexPolygon) -> (Ring<'_>, DVec3) {
    let ring = Ring::new(polygon.vertices(), from, DMat3::IDENTITY);
    let normal = if ring.is_reversed() { -polygon.normal() } else { polygon.normal() };
    (ring, normal)
}
