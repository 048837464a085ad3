//! The directions in which a mover may be nearest to the slope or to a rim of a cylinder or a cone.
//!
//! Idea: the outward normals of the slope differ by one angle, and so do the points of a rim. Among the
//! normals of the slope the gap is largest where the mover's lowest point lies in the half plane of the
//! angle. A rim is nearest where the mover's distance does not change along it. Both are roots of a function
//! of one angle. Where the lowest point leaps from one corner of the mover to another, the normal is
//! perpendicular to the edge between.
//!
//! Error: none is claimed, callers prove the direction. Cost: 5 to 20 support points or distances.
//!
//! The least way out of a cylinder or a cone for a mover with flat faces, [`least_across_edges`], is proven:
//! the Minkowski difference of the two is the intersection of the half-spaces at its smooth boundary points.
//! Their normals are those of the flat faces of either, of the slope, and the perpendiculars of the mover's
//! edges. The last two are circles of directions, and the least of each is searched. Cost: 30 to 200 support
//! points.

use glam::{DVec2, DVec3, dvec2, dvec3};

use crate::num::bound::length_and_direction;
use crate::num::ops::sqrt;
use crate::shape::{Convex, Frustum, Mover};
use crate::sweep::parts::circle::{Reach, least, root};
use crate::sweep::parts::way_out::WayOut;

/// A direction, and a point that shows that none is better.
pub(in crate::sweep) struct Facing {
    pub(in crate::sweep) normal: DVec3,
    pub(in crate::sweep) point: DVec3,
}

/// The normal of the slope along which the gap is largest for a mover about `place`, and the point of its
/// core that is nearest to the slope.
pub(in crate::sweep) fn slope_normal(mover: &Mover, other: &Frustum, place: DVec3) -> Option<Facing> {
    let outside = outside(other);
    let normal = |d: DVec2| slope(other, outside, d);
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

/// The least way out of `other` among `best`, the normals of the slope and the perpendiculars of `axes`, the
/// directions of the mover's edges. The mover is about `place`, and overlaps. Others are taken where they are
/// shorter by more than `rounding`.
pub(in crate::sweep) fn least_across_edges(
    mover: &Mover,
    other: &Frustum,
    place: DVec3,
    axes: &[DVec3],
    rounding: f64,
    best: WayOut,
) -> WayOut {
    let inside = |normal: DVec3| other.farthest(normal) - place - mover.support(-normal);
    let mut best = best;
    let mut offer = |normal: DVec3| {
        let depth = inside(normal).dot(normal) + mover.margin();
        if depth < best.depth - rounding {
            best = WayOut { depth, normal };
        }
        best.depth
    };
    let outside = outside(other);
    let slope = |d: DVec2| slope(other, outside, d);
    let reach = |d: DVec2| {
        let point = other.to_own(inside(slope(d)));
        Reach { constant: outside.y * point.y + mover.margin(), along: ground(point) * outside.x }
    };
    least(reach, |d| offer(slope(d)), rounding);
    for axis in axes {
        let (length, axis) = length_and_direction(*axis);
        if length == 0.0 {
            continue;
        }
        let (u, v) = axis.any_orthonormal_pair();
        let across = |d: DVec2| u * d.x + v * d.y;
        let reach = |d: DVec2| {
            let point = inside(across(d));
            Reach { constant: mover.margin(), along: dvec2(point.dot(u), point.dot(v)) }
        };
        least(reach, |d| offer(across(d)), rounding);
    }
    best
}

/// The circle where a slope of a solid of revolution ends.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Rim {
    pub(in crate::sweep) radius: f64,
    /// Along the axis, from the center.
    pub(in crate::sweep) height: f64,
}

/// The direction from the nearest point of a rim to a mover about `place`, and that point.
pub(in crate::sweep) fn rim_normal(
    mover: &Mover,
    Rim { radius, height }: Rim,
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

/// The normal of the slope in a half plane through the axis: away from the axis, and along it.
fn outside(other: &Frustum) -> DVec2 {
    let along = dvec2(other.top - other.bottom, 2.0 * other.half_height);
    dvec2(along.y, -along.x) / sqrt(along.length_squared())
}

/// The same in the half plane of an angle, which `d` is the unit vector of.
fn slope(other: &Frustum, outside: DVec2, d: DVec2) -> DVec3 {
    other.to_world(dvec3(outside.x * d.x, outside.y, outside.x * d.y))
}

fn ground(v: DVec3) -> DVec2 {
    dvec2(v.x, v.z)
}
