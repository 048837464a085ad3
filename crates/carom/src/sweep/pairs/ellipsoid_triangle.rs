//! Ellipsoid of any orientation against triangle.
//!
//! Source: `docs/ellipsoid.md`. The space in which the ellipsoid is the unit ball is the world mapped by
//! diag(1/r)·Rᵀ; fractions are the same in both, normals come back by the inverse transpose. Error: as
//! `sphere_triangle`, with lengths measured in the smallest radius. Cost: three matrix products more.

use crate::shape::{ConvexPolygon, Ellipsoid, Plane, Triangle};
use crate::sweep::parts::flat::{Facet, RoundMover};
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::space::BallSpace;
use crate::sweep::{Hit, Path};

/// The first contact of a moving ellipsoid with a triangle, which has two sides.
pub fn ellipsoid_triangle(ellipsoid: &Ellipsoid, path: &Path, triangle: &Triangle) -> Option<Hit> {
    in_range(ellipsoid, path, triangle, |ellipsoid, path, triangle| {
        RoundSweep::new(BallSpace::from(ellipsoid), path, 0.0)
            .triangle(&Facet::alone(triangle.corners()), f64::INFINITY)
    })
}

/// The first contact of a moving ellipsoid with a convex polygon, which has two sides.
pub fn ellipsoid_polygon(ellipsoid: &Ellipsoid, path: &Path, polygon: &ConvexPolygon) -> Option<Hit> {
    in_range(ellipsoid, path, polygon, |ellipsoid, path, polygon| {
        RoundSweep::new(BallSpace::from(ellipsoid), path, 0.0).polygon(polygon)
    })
}

/// The first contact of a moving ellipsoid with a plane, from the side where its center is.
pub fn ellipsoid_plane(ellipsoid: &Ellipsoid, path: &Path, plane: &Plane) -> Option<Hit> {
    in_range(ellipsoid, path, plane, |ellipsoid, path, plane| {
        RoundSweep::new(BallSpace::from(ellipsoid), path, 0.0).plane(plane)
    })
}
