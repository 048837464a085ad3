//! Sphere against plane, and a point (a ray) against plane.
//!
//! Source: `docs/sphere-triangle.md`, the face alone. Error: as there. Cost: three products and a division.

use crate::shape::{Plane, Sphere};
use crate::sweep::parts::flat::RoundMover;
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::space::WorldSpace;
use crate::sweep::{Hit, Path};

/// The first contact of a moving sphere with a plane, from the side where its center is.
pub fn sphere_plane(sphere: &Sphere, path: &Path, plane: &Plane) -> Option<Hit> {
    in_range(sphere, path, plane, |sphere, path, plane| {
        RoundSweep::new(WorldSpace::from(sphere), path, 0.0).plane(plane)
    })
}

/// The first contact of a moving point with a plane, from the side where it is.
pub fn point_plane(path: &Path, plane: &Plane) -> Option<Hit> {
    in_range(&(), path, plane, |(), path, plane| {
        RoundSweep::new(WorldSpace { radius: 0.0 }, path, 0.0).plane(plane)
    })
}
