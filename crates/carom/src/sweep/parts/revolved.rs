//! The directions in which a mover may be nearest to the slope or to a rim of a cylinder or a cone.
//!
//! Idea: the outward normals of the slope differ by one angle, and so do the points of a rim. Among the
//! normals of the slope the gap is largest where the mover's lowest point lies in the half plane of the
//! angle. A rim is nearest where the mover's distance does not change along it. Both are roots of a function
//! of one angle, found by false position (the Illinois rule). Where the lowest point leaps from one corner
//! of the mover to another, the normal is perpendicular to the edge between.
//!
//! Error: none is claimed, callers prove the direction. Cost: 5 to 20 support points or distances; gives up
//! after 64.

use glam::{DVec2, DVec3, dvec2, dvec3};

use crate::num::ops::sqrt;
use crate::shape::{Convex, Frustum, Mover};

/// The tangent of the angle between two tries for a bracket of the root.
const STRIDE: f64 = 0.5;
/// Tries for a bracket: once around.
const TRIES: u32 = 14;
/// Steps of false position.
const STEPS: u32 = 64;
/// A bracket as wide as this is narrow enough, in radians.
const NARROW: f64 = 1.0 / (1u64 << 50) as f64;

/// A direction, and a point that shows that none is better.
pub(in crate::sweep) struct Facing {
    pub(in crate::sweep) normal: DVec3,
    pub(in crate::sweep) point: DVec3,
}

/// The normal of the slope along which the gap is largest for a mover about `place`, and the point of its
/// core that is nearest to the slope.
pub(in crate::sweep) fn slope_normal(mover: &Mover, other: &Frustum, place: DVec3) -> Option<Facing> {
    let along = dvec2(other.top - other.bottom, 2.0 * other.half_height);
    let outside = dvec2(along.y, -along.x) / sqrt(along.length_squared());
    let normal = |d: DVec2| other.to_world(dvec3(outside.x * d.x, outside.y, outside.x * d.y));
    let lowest = |d: DVec2| other.to_own(place + mover.support(-normal(d)));
    let middle = other.to_own(place);
    let [first, last] = root(ground(middle), |d| d.perp_dot(ground(lowest(d))))?;
    let (near, far) = (lowest(first), lowest(last));
    let is_flat = matches!(mover, Mover::Cuboid(_) | Mover::Capsule(_));
    let edge = if is_flat { far - near } else { DVec3::ZERO };
    if edge == DVec3::ZERO {
        return Some(Facing { normal: normal(first), point: other.to_world(near) });
    }
    // Perpendicular to the edge.
    let (shadow, lean) = (ground(edge), -outside.y * edge.y / outside.x);
    let squared = shadow.length_squared();
    let across = shadow.perp() * sqrt((squared - lean * lean).max(0.0));
    let ends = [(shadow * lean + across) / squared, (shadow * lean - across) / squared];
    let d = if ends[0].dot(first) > ends[1].dot(first) { ends[0] } else { ends[1] };
    // Where the edge crosses the half plane of the angle.
    let share = (d.perp_dot(ground(near)) / -d.perp_dot(shadow)).clamp(0.0, 1.0);
    Some(Facing { normal: normal(d), point: other.to_world(near + edge * share) })
}

/// The direction from the nearest point of a rim of this radius and height to a mover about `place`, and that
/// point.
pub(in crate::sweep) fn rim_normal(
    mover: &Mover,
    (radius, height): (f64, f64),
    other: &Frustum,
    place: DVec3,
) -> Option<Facing> {
    let facing = |d: DVec2| {
        let point = other.to_world(dvec3(radius * d.x, height, radius * d.y));
        let way = mover.closest_surface_point(point - place) - (point - place);
        let distance = sqrt(way.length_squared());
        let outward = if mover.contains(point - place) { -way } else { way };
        (distance > 0.0).then(|| Facing { normal: outward / distance, point })
    };
    let [end, _] = root(ground(other.to_own(place)), |d| {
        let along = other.to_world(dvec3(-d.y, 0.0, d.x));
        facing(d).map_or(0.0, |facing| facing.normal.dot(along))
    })?;
    facing(end)
}

fn ground(v: DVec3) -> DVec2 {
    dvec2(v.x, v.z)
}

/// A narrow bracket of the angle, as unit vectors, at which a function of it is 0. It is positive where the
/// root lies towards the second axis, and the root is sought on that side of the start.
fn root(start: DVec2, value: impl Fn(DVec2) -> f64) -> Option<[DVec2; 2]> {
    let mut from = unit(start).unwrap_or(DVec2::X);
    let mut here = value(from);
    let mut bracket = None;
    for _ in 0..TRIES {
        let next = unit(from + from.perp() * STRIDE.copysign(here))?;
        let there = value(next);
        if there * here <= 0.0 {
            bracket = Some((next, there));
            break;
        }
        (from, here) = (next, there);
    }
    let (mut to, mut there) = bracket?;
    let mut has_stayed = None;
    for _ in 0..STEPS {
        if here == 0.0 {
            return Some([from; 2]);
        }
        if there == 0.0 {
            return Some([to; 2]);
        }
        if (to - from).length_squared() <= NARROW * NARROW {
            break;
        }
        let middle = unit(from * there.abs() + to * here.abs())?;
        let value = value(middle);
        if middle == from || middle == to {
            break;
        }
        let replaces_from = value * here > 0.0;
        let (moved, stays) = if replaces_from { (&mut from, &mut there) } else { (&mut to, &mut here) };
        *moved = middle;
        // An end that stays twice counts half.
        if has_stayed == Some(replaces_from) {
            *stays *= 0.5;
        }
        if replaces_from {
            here = value;
        } else {
            there = value;
        }
        has_stayed = Some(replaces_from);
    }
    Some([from, to])
}

fn unit(v: DVec2) -> Option<DVec2> {
    let length = sqrt(v.length_squared());
    (length > 0.0).then(|| v / length)
}
