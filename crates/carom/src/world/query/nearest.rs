//! The distance of a mover from a convex shape.
//!
//! Source: the convex distance of `shape`. Error: that of the convex distance.

use glam::DVec3;

use crate::shape::{Convex, Mover, convex_distance};

/// The distance of a mover from a convex shape, and the nearest point of the shape relative to the mover.
pub(in crate::world) fn nearest(mover: &Mover, other: &impl Convex, offset: DVec3) -> (f64, DVec3) {
    // The support point of a ball is known in closed form.
    let found = match mover {
        Mover::Sphere(sphere) => convex_distance(sphere, other, offset),
        mover => convex_distance(mover, other, offset),
    };
    (found.distance, found.other_point)
}
