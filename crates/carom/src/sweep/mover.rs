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
pub(crate) trait SurfaceSweep {
    /// The properties of the mover.
    const FORM: Form;

    /// [`FORM`](Self::FORM), where the type has no name.
    #[inline(always)]
    fn form(&self) -> Form {
        Self::FORM
    }

    /// The first contact with a triangle; one that comes after the fraction `within` may be left out.
    fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit>;
    /// The first contact with a plane, from the side where the center is.
    fn plane(&self, plane: &Plane) -> Option<Hit>;
    /// The contact with a triangle at the start, where a gap larger than `within` may be left out; `None`
    /// behind a one-sided one.
    fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact>;
    /// The same sweep as a value of one type.
    fn as_any(&self) -> AnySweep<'_>;
}

impl<R: RoundMover> SurfaceSweep for R
where
    for<'a> &'a R: Into<AnySweep<'a>>,
{
    const FORM: Form = R::FORM;

    // A call, so that not every place that asks has a kernel of its own, of 8 to 12 kB for each mover.
    #[inline(never)]
    fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit> {
        RoundMover::triangle(self, facet, within)
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        RoundMover::plane(self, plane)
    }

    #[inline(never)]
    fn triangle_contact(&self, facet: &Facet, _: f64) -> Option<Contact> {
        RoundMover::triangle_contact(self, facet)
    }

    fn as_any(&self) -> AnySweep<'_> {
        self.into()
    }
}

impl SurfaceSweep for CuboidSweep {
    const FORM: Form = Form::Cuboid;

    #[inline(always)]
    fn triangle(&self, facet: &Facet, _: f64) -> Option<Hit> {
        CuboidSweep::triangle(self, facet)
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        CuboidSweep::plane(self, plane)
    }

    #[inline(always)]
    fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact> {
        CuboidSweep::triangle_contact(self, facet, within)
    }

    fn as_any(&self) -> AnySweep<'_> {
        AnySweep::Cuboid(self)
    }
}

/// A [`SurfaceSweep`] of any kind, for surfaces that take so much longer than its dispatch that code for each
/// kind of mover is not worth its size. An enum, not a trait object: a program that has no curved patches
/// does not contain their sweeps, which a table of functions would refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnySweep<'a> {
    Ball(&'a RoundSweep<WorldSpace>),
    Ellipsoid(&'a RoundSweep<BallSpace>),
    Capsule(&'a CapsuleSweep),
    Cuboid(&'a CuboidSweep),
}

impl<'a> From<&'a RoundSweep<WorldSpace>> for AnySweep<'a> {
    fn from(sweep: &'a RoundSweep<WorldSpace>) -> Self {
        Self::Ball(sweep)
    }
}

impl<'a> From<&'a RoundSweep<BallSpace>> for AnySweep<'a> {
    fn from(sweep: &'a RoundSweep<BallSpace>) -> Self {
        Self::Ellipsoid(sweep)
    }
}

impl<'a> From<&'a CapsuleSweep> for AnySweep<'a> {
    fn from(sweep: &'a CapsuleSweep) -> Self {
        Self::Capsule(sweep)
    }
}

impl AnySweep<'_> {
    /// As [`SurfaceSweep::triangle`].
    pub(crate) fn triangle(&self, facet: &Facet, within: f64) -> Option<Hit> {
        match self {
            Self::Ball(sweep) => SurfaceSweep::triangle(*sweep, facet, within),
            Self::Ellipsoid(sweep) => SurfaceSweep::triangle(*sweep, facet, within),
            Self::Capsule(sweep) => SurfaceSweep::triangle(*sweep, facet, within),
            Self::Cuboid(sweep) => SurfaceSweep::triangle(*sweep, facet, within),
        }
    }

    /// As [`SurfaceSweep::triangle_contact`].
    pub(crate) fn triangle_contact(&self, facet: &Facet, within: f64) -> Option<Contact> {
        match self {
            Self::Ball(sweep) => SurfaceSweep::triangle_contact(*sweep, facet, within),
            Self::Ellipsoid(sweep) => SurfaceSweep::triangle_contact(*sweep, facet, within),
            Self::Capsule(sweep) => SurfaceSweep::triangle_contact(*sweep, facet, within),
            Self::Cuboid(sweep) => SurfaceSweep::triangle_contact(*sweep, facet, within),
        }
    }

    /// The first contact with a convex polygon.
    pub(crate) fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        match self {
            Self::Ball(sweep) => sweep.polygon(polygon),
            Self::Ellipsoid(sweep) => sweep.polygon(polygon),
            Self::Capsule(sweep) => sweep.polygon(polygon),
            Self::Cuboid(sweep) => sweep.polygon(polygon),
        }
    }

    /// The contact with a convex polygon at the start.
    pub(crate) fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        match self {
            Self::Ball(sweep) => sweep.polygon_contact(polygon),
            Self::Ellipsoid(sweep) => sweep.polygon_contact(polygon),
            Self::Capsule(sweep) => sweep.polygon_contact(polygon),
            Self::Cuboid(sweep) => sweep.polygon_contact(polygon),
        }
    }

    /// The first contact with a cell of a patch; one that comes after the fraction `within` may be left out.
    pub(crate) fn patch(&self, cell: &Cell, within: f64) -> Option<Hit> {
        match self {
            Self::Ball(sweep) => sweep.patch(cell, within),
            Self::Ellipsoid(sweep) => sweep.patch(cell, within),
            Self::Capsule(sweep) => sweep.patch(cell, within),
            Self::Cuboid(sweep) => sweep.patch(cell, within),
        }
    }

    /// The contact with a cell of a patch at the start; a gap larger than `within` may be left out.
    pub(crate) fn patch_contact(&self, cell: &Cell, within: f64) -> Option<Contact> {
        match self {
            Self::Ball(sweep) => sweep.patch_contact(cell, within),
            Self::Ellipsoid(sweep) => sweep.patch_contact(cell, within),
            Self::Capsule(sweep) => sweep.patch_contact(cell, within),
            Self::Cuboid(sweep) => sweep.patch_contact(cell, within),
        }
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
    let radius = match mover {
        Mover::Point => 0.0,
        Mover::Sphere(sphere) => sphere.radius(),
        Mover::Ellipsoid(ellipsoid) => {
            return task.run(&RoundSweep::new(BallSpace::from(ellipsoid), path, rounding));
        }
        Mover::Capsule(capsule) => return task.run(&CapsuleSweep::new(capsule, path, rounding)),
        Mover::Cuboid(cuboid) => return task.run(&CuboidSweep::new(cuboid, path, rounding)),
    };
    // Points and spheres together: the code of the task for balls is there once.
    task.run(&RoundSweep::new(WorldSpace { radius }, path, rounding))
}
