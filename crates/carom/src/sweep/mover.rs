//! Any mover against surfaces: one interface to the sweeps of round movers, capsules and cuboids.

use super::{Contact, Hit, Path};
use crate::num::bound::{STANDOFF, UNIT_ROUNDOFF, reach};
use crate::shape::{ConvexPolygon, Mover, Plane};
use crate::sweep::cuboid::cuboid_sweep::CuboidSweep;
use crate::sweep::pairs::capsule_triangle::CapsuleSweep;
use crate::sweep::parts::flat::{Facet, RoundMover};
use crate::sweep::parts::form::Form;
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::space::{BallSpace, WorldSpace};
use crate::sweep::patch::Cell;

/// A moving mover, tested against one surface after the other.
pub(crate) trait SurfaceSweep: AnySweep {
    /// The properties of the mover.
    const FORM: Form;
}

/// The queries of a [`SurfaceSweep`] that are called through a table: for surfaces that take so much longer
/// than such a call that code for each kind of mover is not worth its size.
pub(crate) trait AnySweep {
    /// The first contact with a triangle; one that comes after the fraction `within` may be left out.
    fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit>;
    /// The first contact with a convex polygon.
    fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit>;
    /// The first contact with a plane, from the side where the center is.
    fn plane(&self, plane: &Plane) -> Option<Hit>;
    /// The contact with a triangle at the start, where a gap larger than `within` may be left out; `None`
    /// behind a one-sided one.
    fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact>;
    /// The contact with a convex polygon at the start.
    fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact>;
    /// The first contact with a cell of a patch; one that comes after the fraction `within` may be left out.
    fn patch(&self, cell: &Cell, within: f64) -> Option<Hit>;
    /// The contact with a cell of a patch at the start; a gap larger than `within` may be left out.
    fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact>;
}

impl<R: RoundMover> SurfaceSweep for R {
    const FORM: Form = R::FORM;
}

impl<R: RoundMover> AnySweep for R {
    #[inline(always)]
    fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit> {
        RoundMover::triangle(self, facet, within)
    }

    fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        RoundMover::polygon(self, polygon)
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        RoundMover::plane(self, plane)
    }

    #[inline(always)]
    fn triangle_contact(&self, facet: &Facet, _: f64) -> Option<Contact> {
        RoundMover::triangle_contact(self, facet)
    }

    fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        RoundMover::polygon_contact(self, polygon)
    }

    fn patch(&self, cell: &Cell, within: f64) -> Option<Hit> {
        RoundMover::patch(self, cell, within)
    }

    fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact> {
        RoundMover::patch_contact(self, cell, within)
    }
}

impl SurfaceSweep for CuboidSweep {
    const FORM: Form = Form::Cuboid;
}

impl AnySweep for CuboidSweep {
    #[inline(always)]
    fn triangle(&self, facet: &Facet, _: f64) -> Option<Hit> {
        CuboidSweep::triangle(self, facet)
    }

    fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        CuboidSweep::polygon(self, polygon)
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        CuboidSweep::plane(self, plane)
    }

    #[inline(always)]
    fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact> {
        CuboidSweep::triangle_contact(self, facet, within)
    }

    fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        CuboidSweep::polygon_contact(self, polygon)
    }

    fn patch(&self, cell: &Cell, within: f64) -> Option<Hit> {
        CuboidSweep::patch(self, cell, within)
    }

    fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact> {
        CuboidSweep::patch_contact(self, cell, within)
    }
}

/// How far ahead of the mover itself a contact may be reported, in meters, where the other's coordinates are
/// at most `largest` and all are off by `rounding` already: what a cull must grow its bounds by.
///
/// A kernel stops a mover STANDOFF rounding bounds early and counts at most 24 unit roundoffs of every length
/// into one; in the space of an ellipsoid they count in the smallest radius, and are worth the largest.
/// Doubled, for the rounding of this sum itself; and four times that because `Near` may make movers thicker.
#[inline]
pub(crate) fn margin(mover: &Mover, path: &Path, largest: f64, rounding: f64) -> f64 {
    const THICKER: f64 = 4.0;
    let (size, ratio) = match mover {
        Mover::Point => (0.0, 1.0),
        Mover::Sphere(sphere) => (sphere.radius(), 1.0),
        Mover::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            (radii.max_element(), THICKER * radii.max_element() / radii.min_element())
        }
        Mover::Capsule(capsule) => (capsule.radius() + 2.0 * capsule.half_height(), 1.0),
        Mover::Cuboid(cuboid) => (reach(cuboid.half_extents()), THICKER),
    };
    let lengths = 3.0 * largest + reach(path.from()) + reach(path.translation()) + size;
    2.0 * STANDOFF * (24.0 * UNIT_ROUNDOFF * lengths + rounding) * ratio
}

/// A task for the sweep of a mover, of any kind: a closure over a type.
pub(crate) trait WithSweep {
    /// The result of the task.
    type Output;
    /// Runs the task.
    fn run(self, sweep: &impl SurfaceSweep) -> Self::Output;
}

/// Sets up the sweep of `mover` along `path`, whose coordinates are off by `rounding` already, and passes it
/// to the task. The kind is distinguished once, not at every triangle.
#[inline]
pub(crate) fn with_sweep<W: WithSweep>(mover: &Mover, path: &Path, rounding: f64, task: W) -> W::Output {
    match mover {
        Mover::Point => task.run(&RoundSweep::new(WorldSpace { radius: 0.0 }, path, rounding)),
        Mover::Sphere(sphere) => task.run(&RoundSweep::new(WorldSpace::from(sphere), path, rounding)),
        Mover::Ellipsoid(ellipsoid) => task.run(&RoundSweep::new(BallSpace::from(ellipsoid), path, rounding)),
        Mover::Capsule(capsule) => task.run(&CapsuleSweep::new(capsule, path, rounding)),
        Mover::Cuboid(cuboid) => task.run(&CuboidSweep::new(cuboid, path, rounding)),
    }
}
