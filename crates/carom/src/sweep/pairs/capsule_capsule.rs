//! Capsules against capsules, spheres and points, and those against capsules.
//!
//! Source: `docs/sphere-triangle.md`, solids: a ball of both radii against the parallelogram of both axes.
//! Error: as `sphere_triangle`. Cost: one face, four edges and four corners. It never gives up.

use glam::DVec3;

use crate::shape::{Capsule, Sphere};
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::skeleton::Skeleton;
use crate::sweep::{Hit, Path};

/// The first contact of a moving capsule with another that stands at `other_center`.
pub fn capsule_capsule(capsule: &Capsule, path: &Path, other: &Capsule, other_center: DVec3) -> Option<Hit> {
    in_range(capsule, path, &(*other, other_center), |capsule, path, (other, center)| {
        Skeleton { path, radius: capsule.radius(), other_radius: other.radius() }.segment(
            capsule.half_axis(),
            *center,
            other.half_axis(),
            0.0,
        )
    })
}

/// The first contact of a moving capsule with a solid sphere.
pub fn capsule_sphere(capsule: &Capsule, path: &Path, other: &Sphere, other_center: DVec3) -> Option<Hit> {
    in_range(capsule, path, &(*other, other_center), |capsule, path, (other, center)| {
        Skeleton { path, radius: capsule.radius(), other_radius: other.radius() }.segment(
            capsule.half_axis(),
            *center,
            DVec3::ZERO,
            0.0,
        )
    })
}

/// The first contact of a moving sphere with a solid capsule.
pub fn sphere_capsule(sphere: &Sphere, path: &Path, other: &Capsule, other_center: DVec3) -> Option<Hit> {
    in_range(sphere, path, &(*other, other_center), |sphere, path, (other, center)| {
        Skeleton { path, radius: sphere.radius(), other_radius: other.radius() }.segment(
            DVec3::ZERO,
            *center,
            other.half_axis(),
            0.0,
        )
    })
}

/// The first contact of a moving point with a solid capsule.
pub fn point_capsule(path: &Path, other: &Capsule, other_center: DVec3) -> Option<Hit> {
    in_range(&(), path, &(*other, other_center), |(), path, (other, center)| {
        Skeleton { path, radius: 0.0, other_radius: other.radius() }.segment(
            DVec3::ZERO,
            *center,
            other.half_axis(),
            0.0,
        )
    })
}
