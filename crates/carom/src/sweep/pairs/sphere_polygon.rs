//! Sphere against convex polygon, and a point (a ray) against convex polygon.
//!
//! Source and error as in `sphere_triangle`; one edge and one corner root more per corner.

use crate::shape::{ConvexPolygon, Sphere};
use crate::sweep::parts::flat::RoundMover;
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::space::WorldSpace;
use crate::sweep::{Hit, Path};

/// The first contact of a moving sphere with a convex polygon, which has two sides.
pub fn sphere_polygon(sphere: &Sphere, path: &Path, polygon: &ConvexPolygon) -> Option<Hit> {
    in_range(sphere, path, polygon, |sphere, path, polygon| {
        RoundSweep::new(WorldSpace::from(sphere), path, 0.0).polygon(polygon)
    })
}

/// The first contact of a moving point with a convex polygon.
pub fn point_polygon(path: &Path, polygon: &ConvexPolygon) -> Option<Hit> {
    in_range(&(), path, polygon, |(), path, polygon| {
        RoundSweep::new(WorldSpace { radius: 0.0 }, path, 0.0).polygon(polygon)
    })
}
