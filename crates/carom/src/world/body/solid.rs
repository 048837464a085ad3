//! Movers against bodies that are one solid: selects the kernel for each pair.

use glam::DVec3;

use crate::shape::{Aabb, Mover};
use crate::sweep;
use crate::sweep::cuboid::cuboid_cuboid;
use crate::sweep::pairs::ellipsoid_ellipsoid::{
    ellipsoid_round_contact, ellipsoids_contact, round_ellipsoid_contact,
};
use crate::sweep::pairs::sphere_cuboid::{
    capsule_cuboid_within, ellipsoid_cuboid_contact, is_round_apart, point_cuboid_within,
    round_cuboid_contact, sphere_cuboid_within, turned_round,
};
use crate::sweep::parts::skeleton::{self, ThickSegment};
use crate::sweep::{Contact, Hit, Path, Placed};
use crate::world::Pose;
use crate::world::body::collider::Collider;
use crate::world::body::near::{Near, size, thickened};
use crate::world::index::IndexedBounds;

/// A solid at its pose: its own shape turned and scaled. `None` for surfaces, and for a scale that leaves the
/// range of f64.
pub(crate) fn placed(collider: &Collider, pose: &Pose) -> Option<Mover> {
    let shape = match collider {
        Collider::Sphere(sphere) => Mover::Sphere(*sphere),
        Collider::Ellipsoid(ellipsoid) => Mover::Ellipsoid(*ellipsoid),
        Collider::Capsule(capsule) => Mover::Capsule(*capsule),
        Collider::Cuboid(cuboid) => Mover::Cuboid(*cuboid),
        Collider::Mesh(_)
        | Collider::Polygons(_)
        | Collider::Patches(_)
        | Collider::Hull(_)
        | Collider::HeightField(_)
        | Collider::HalfSpace(_)
        | Collider::Cylinder(_)
        | Collider::Cone(_)
        | Collider::Compound(_) => return None,
    };
    shape.scaled(pose.scale()).and_then(|shape| shape.turned(pose.rotation())).ok()
}

/// A collider at a pose.
#[derive(Clone, Copy)]
pub(crate) struct PosedCollider<'a> {
    pub(crate) collider: &'a Collider,
    pub(crate) pose: &'a Pose,
}

/// The first contact of a mover with a solid; `None` for surfaces. A contact after the fraction `within` may
/// be left out.
pub(crate) fn solid_hit(mover: &Mover, path: &Path, collider: PosedCollider<'_>, within: f64) -> Option<Hit> {
    let PosedCollider { collider, pose } = collider;
    placed_hit(mover, path, Placed { shape: &placed(collider, pose)?, center: pose.position() }, within)
}

/// The first contact of a mover with another solid; one that comes after the fraction `within` may be left
/// out.
pub(crate) fn placed_hit(
    mover: &Mover,
    path: &Path,
    Placed { shape: other, center }: Placed<'_, Mover>,
    within: f64,
) -> Option<Hit> {
    let reach = 2.0 * size(other);
    let thick = thickened(other, (path.from() - center).abs().max_element() + reach);
    let other = thick.as_ref().unwrap_or(other);
    if let Some(near) = Near::of(mover, path, center, || reach) {
        // Fractions of the part and of the whole cannot be compared.
        let hit = whole_hit(&near.mover, &near.path, other, center, f64::INFINITY).map(|hit| near.hit(hit));
        if hit.is_some() || near.is_all {
            return hit;
        }
    }
    whole_hit(mover, path, other, center, within)
}

/// The same, without cutting.
fn whole_hit(mover: &Mover, path: &Path, other: &Mover, center: DVec3, within: f64) -> Option<Hit> {
    match (mover, other) {
        (Mover::Point, Mover::Sphere(other)) => sweep::point_sphere(path, other, center),
        (Mover::Point, Mover::Ellipsoid(other)) => sweep::point_ellipsoid(path, other, center),
        (Mover::Point, Mover::Capsule(other)) => sweep::point_capsule(path, other, center),
        (Mover::Point, Mover::Cuboid(other)) => point_cuboid_within(path, other, center, within),
        (Mover::Sphere(sphere), Mover::Sphere(other)) => sweep::sphere_sphere(sphere, path, other, center),
        (Mover::Sphere(sphere), Mover::Ellipsoid(other)) => {
            sweep::sphere_ellipsoid(sphere, path, other, center)
        }
        (Mover::Sphere(sphere), Mover::Capsule(other)) => sweep::sphere_capsule(sphere, path, other, center),
        (Mover::Sphere(sphere), Mover::Cuboid(other)) => {
            sphere_cuboid_within(sphere, path, other, center, within)
        }
        (Mover::Ellipsoid(e), Mover::Sphere(other)) => sweep::ellipsoid_sphere(e, path, other, center),
        (Mover::Ellipsoid(e), Mover::Ellipsoid(other)) => sweep::ellipsoid_ellipsoid(e, path, other, center),
        (Mover::Ellipsoid(e), Mover::Capsule(other)) => sweep::ellipsoid_capsule(e, path, other, center),
        (Mover::Ellipsoid(e), Mover::Cuboid(other)) => sweep::ellipsoid_cuboid(e, path, other, center),
        (Mover::Capsule(c), Mover::Sphere(other)) => sweep::capsule_sphere(c, path, other, center),
        (Mover::Capsule(c), Mover::Ellipsoid(other)) => sweep::capsule_ellipsoid(c, path, other, center),
        (Mover::Capsule(c), Mover::Capsule(other)) => sweep::capsule_capsule(c, path, other, center),
        (Mover::Capsule(c), Mover::Cuboid(other)) => capsule_cuboid_within(c, path, other, center, within),
        (Mover::Cuboid(c), Mover::Sphere(other)) => sweep::cuboid_sphere(c, path, other, center),
        (Mover::Cuboid(c), Mover::Ellipsoid(other)) => sweep::cuboid_ellipsoid(c, path, other, center),
        (Mover::Cuboid(c), Mover::Capsule(other)) => sweep::cuboid_capsule(c, path, other, center),
        (Mover::Cuboid(c), Mover::Cuboid(other)) => sweep::cuboid_cuboid(c, path, other, center),
        // A point is no solid.
        (_, Mover::Point) => None,
    }
}

/// The contact of a mover at the start of the path with another solid that has its center at `center`, if it
/// is within a distance.
///
/// The gap of a cuboid or an ellipsoid is measured along the normal of the contact, and may be less than the
/// distance of the two: then the boxes around them decide as well, the same for every index of bodies.
pub(crate) fn near_contact(
    mover: &Mover,
    at: &Path,
    distance: f64,
    other: &Mover,
    center: DVec3,
) -> Option<Contact> {
    if !(mover.is_thick_segment() && other.is_thick_segment()) {
        let bounds = other.bounds();
        let place = Aabb::new(bounds.min() + center, bounds.max() + center);
        let place = place.map_or(IndexedBounds::Anywhere, IndexedBounds::Within);
        let distance = DVec3::splat(distance);
        if !place.is_within_reach(mover, at, [at.from() - distance, at.from() + distance]) {
            return None;
        }
    }
    if let (Some(round), Mover::Cuboid(cuboid)) = (thick(mover), other)
        && is_round_apart(round, at.from(), distance, cuboid, center)
    {
        return None;
    }
    solids_contact(mover, at, other, center).filter(|contact| contact.gap <= distance)
}

/// A point, a sphere and a capsule are one family: a segment, half of which is given, thickened by a radius.
fn thick(mover: &Mover) -> Option<ThickSegment> {
    match mover {
        Mover::Point => Some(ThickSegment { half_axis: DVec3::ZERO, radius: 0.0 }),
        Mover::Sphere(sphere) => Some(ThickSegment { half_axis: DVec3::ZERO, radius: sphere.radius() }),
        Mover::Capsule(capsule) => {
            Some(ThickSegment { half_axis: capsule.half_axis(), radius: capsule.radius() })
        }
        Mover::Ellipsoid(_) | Mover::Cuboid(_) => None,
    }
}

/// The contact of a mover at the start of the path with a solid; `None` for surfaces.
pub(crate) fn solid_contact(mover: &Mover, path: &Path, collider: &Collider, pose: &Pose) -> Option<Contact> {
    solids_contact(mover, path, &placed(collider, pose)?, pose.position())
}

/// The contact of a mover at the start of the path with another solid that has its center at `center`; `None`
/// if there is no kernel for the two.
pub(crate) fn solids_contact(mover: &Mover, path: &Path, other: &Mover, center: DVec3) -> Option<Contact> {
    let at = path.from();
    Some(match (mover, other, thick(mover), thick(other)) {
        (_, _, Some(a), Some(b)) => skeleton::contact(a, at, b, center),
        (_, Mover::Ellipsoid(other), Some(a), _) => round_ellipsoid_contact(a, at, other, center),
        (_, Mover::Cuboid(other), Some(a), _) => round_cuboid_contact(a, at, other, center),
        (Mover::Ellipsoid(e), _, _, Some(b)) => ellipsoid_round_contact(e, at, b, center),
        (Mover::Cuboid(c), _, _, Some(b)) => turned_round(&round_cuboid_contact(b, center, c, at)),
        (Mover::Ellipsoid(e), Mover::Ellipsoid(other), _, _) => ellipsoids_contact(e, at, other, center),
        (Mover::Ellipsoid(e), Mover::Cuboid(other), _, _) => ellipsoid_cuboid_contact(e, at, other, center),
        (Mover::Cuboid(c), Mover::Ellipsoid(other), _, _) => {
            let seen = turned_round(&ellipsoid_cuboid_contact(other, center, c, at));
            // The gap is along a separating direction, which need not lead from point to point.
            Contact { point: center + other.support_point(seen.normal), ..seen }
        }
        (Mover::Cuboid(c), Mover::Cuboid(other), _, _) => {
            return cuboid_cuboid::contact(c, path, other, center);
        }
        // Only the thick segments above are left.
        _ => return None,
    })
}
