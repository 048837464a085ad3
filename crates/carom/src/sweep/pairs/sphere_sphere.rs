//! Sphere against sphere, and a point (a ray) against sphere.
//!
//! Source: Nettle, "Pool hall lessons" (2000), by relative motion; solved by the contact root of
//! `docs/contact-root.md` with the radii added. Circles are spheres with z = 0. Error: as `sphere_triangle`.
//! Cost: one root. It never gives up.

use glam::DVec3;

use crate::shape::Sphere;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::skeleton::Skeleton;
use crate::sweep::{Hit, Path};

/// The first contact of a moving sphere with another that stands at `other_center`; where both move, give
/// [`Path::relative`] and zero.
///
/// ```
/// use carom::{shape::Sphere, sweep::{Path, sphere_sphere}};
/// use glam::{DVec3, dvec3};
/// let ball = Sphere::new(1.0)?;
/// let path = Path::new(dvec3(-6.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0))?;
/// let hit = sphere_sphere(&ball, &path, &ball, DVec3::ZERO).unwrap();
/// assert!((hit.fraction - 0.5).abs() < 1e-14);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn sphere_sphere(sphere: &Sphere, path: &Path, other: &Sphere, other_center: DVec3) -> Option<Hit> {
    in_range(sphere, path, &(*other, other_center), |sphere, path, (other, center)| {
        Skeleton { path, radius: sphere.radius(), other_radius: other.radius() }.point(*center, 0.0)
    })
}

/// The first contact of a moving point with a solid sphere.
pub fn point_sphere(path: &Path, other: &Sphere, other_center: DVec3) -> Option<Hit> {
    in_range(&(), path, &(*other, other_center), |(), path, (other, center)| {
        Skeleton { path, radius: 0.0, other_radius: other.radius() }.point(*center, 0.0)
    })
}
