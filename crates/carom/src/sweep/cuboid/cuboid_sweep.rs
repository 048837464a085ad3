//! A cuboid swept against the surfaces of a body: set up once for many tests.

use glam::DVec3;

use crate::shape::{ConvexPolygon, Cuboid, Plane};
use crate::sweep::cuboid::moving_cuboid::MovingCuboid;
use crate::sweep::parts::flat::Facet;
use crate::sweep::patch::{Cell, CellForm, CuboidProbe, PatchFoot, PatchHit};
use crate::sweep::{Contact, Feature, Hit, Path};

/// A moving cuboid, or one at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CuboidSweep {
    cuboid: Cuboid,
    path: Path,
    rounding: f64,
    /// It hits nothing if its path has no length.
    moving: MovingCuboid,
    moves: bool,
}

impl CuboidSweep {
    /// `rounding` is the error of the path's coordinates, in meters.
    pub(crate) fn new(cuboid: &Cuboid, path: &Path, rounding: f64) -> Self {
        let moving = MovingCuboid::standing(cuboid, path, rounding);
        Self { cuboid: *cuboid, path: *path, rounding, moving, moves: path.translation() != DVec3::ZERO }
    }

    /// The first contact with a triangle.
    pub(crate) fn triangle(&self, facet: &Facet) -> Option<Hit> {
        self.moving().filter(|_| !self.is_behind(facet))?.triangle(&facet.given())
    }

    /// The first contact with a convex polygon.
    pub(crate) fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        self.moving()?.outline(polygon.vertices())
    }

    /// The first contact with a plane, from the side where the center is.
    pub(crate) fn plane(&self, plane: &Plane) -> Option<Hit> {
        self.moving()?.plane(plane)
    }

    /// The contact of the cuboid with a triangle at the start of its path, if the gap is at most `within`;
    /// `None` behind a one-sided one.
    pub(crate) fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact> {
        if self.is_behind(facet) { None } else { self.moving.triangle_contact(&facet.given(), within) }
    }

    /// The contact of the cuboid with a convex polygon at the start of its path.
    pub(crate) fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        self.moving.outline_contact(polygon.vertices())
    }

    /// The first contact with a cell of a patch.
    pub(crate) fn patch(&self, cell: &Cell, within: f64) -> Option<Hit> {
        let probe = self.probe();
        let hit = match &cell.form {
            CellForm::Quadratic(grid) => probe.patch(grid, within, cell.flat),
            CellForm::Cubic(grid) => probe.patch(grid, within, cell.flat),
        }?;
        let PatchHit { fraction, foot, normal, start_overlap, .. } = hit;
        Some(Hit { fraction, point: foot, normal, feature: Feature::Face, start_overlap })
    }

    /// The contact of the cuboid with a cell of a patch at the start; a gap larger than `within` may be left
    /// out.
    pub(crate) fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact> {
        let probe = self.probe();
        let foot = match &cell.form {
            CellForm::Quadratic(grid) => probe.patch_foot(grid, within, cell.flat),
            CellForm::Cubic(grid) => probe.patch_foot(grid, within, cell.flat),
        }?;
        let PatchFoot { distance: gap, foot: point, normal, .. } = foot;
        Some(Contact { gap, normal, point, feature: Feature::Face, rounding: cell.flat })
    }

    fn probe(&self) -> CuboidProbe<'_> {
        CuboidProbe { cuboid: &self.cuboid, path: &self.path, rounding: self.rounding }
    }

    fn moving(&self) -> Option<&MovingCuboid> {
        self.moves.then_some(&self.moving)
    }

    /// Whether the center starts behind a one-sided triangle.
    fn is_behind(&self, facet: &Facet) -> bool {
        facet.one_sided && facet.is_behind(facet.normal(), self.path.from())
    }
}
