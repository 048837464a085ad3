//! Separating axes: whether two boxes, or a box and a flat convex outline, share a point.
//!
//! Source: Gottschalk, Lin, Manocha, `OBBTree` (1996): two convex polytopes are apart only if they are so
//! along a face normal of either or a cross product of an edge of each. That is 15 axes for two boxes, 13 for
//! a box and a triangle, 4 + 3n for a polygon of n edges. Error: an axis counts only if the gap along it is
//! wider than the rounding of the projections, so touching is never missed; shapes may be said to touch that
//! are apart by up to 256 unit roundoffs of their size and distance. An axis is taken as computed (any axis
//! may prove a gap), so that parallel edges, whose cross product is rounding, need no threshold of their own.
//! Cost: at most 15 × 6 products; n² for a polygon.

use glam::{DMat3, DVec3};

use super::rounding::{TURN, UNIT_ROUNDOFF, largest, reach, transposed_mul};

/// A box with its middle at the origin of its own axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned {
    pub(super) half: DVec3,
    pub(super) axes: DMat3,
}

/// Whether some axis proves two boxes apart. `offset` leads from the middle of the first to that of the
/// second.
pub(super) fn boxes_apart(first: &Turned, second: &Turned, offset: DVec3) -> bool {
    // Everything in the first box's own axes.
    let between = transposed_mul(&first.axes, offset);
    let axes = [
        transposed_mul(&first.axes, second.axes.x_axis),
        transposed_mul(&first.axes, second.axes.y_axis),
        transposed_mul(&first.axes, second.axes.z_axis),
    ];
    // The axes of the second box are turned twice, each time off by 64 and a share of √3; the offset once.
    let rounding =
        4.0 * TURN * (reach(offset) + reach(second.half)) + 8.0 * UNIT_ROUNDOFF * largest(first.half);
    let apart_along = |axis: DVec3| {
        let extent = axis.abs().dot(first.half)
            + second.half.x * axis.dot(axes[0]).abs()
            + second.half.y * axis.dot(axes[1]).abs()
            + second.half.z * axis.dot(axes[2]).abs();
        between.dot(axis).abs() > extent + rounding * reach(axis)
    };
    DVec3::AXES.into_iter().any(apart_along)
        || axes.into_iter().any(apart_along)
        || DVec3::AXES.into_iter().any(|own| axes.into_iter().any(|other| apart_along(own.cross(other))))
}

/// Whether some axis proves a box and a flat convex outline apart. The corners are seen from the middle of
/// the box in its own axes, each off by `error` at most per coordinate; `normal` is that of the outline, of
/// any length, or zero if it has none.
pub(super) fn box_and_outline_apart(
    half: DVec3,
    count: usize,
    corner: impl Fn(usize) -> DVec3,
    normal: DVec3,
    error: f64,
) -> bool {
    let size = (0..count).fold(largest(half), |size, i| size.max(largest(corner(i))));
    let rounding = error + 8.0 * UNIT_ROUNDOFF * size;
    let apart_along = |axis: DVec3| {
        let (low, high) = (0..count)
            .map(|i| corner(i).dot(axis))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), along| (low.min(along), high.max(along)));
        let reached = axis.abs().dot(half) + rounding * reach(axis);
        low > reached || high < -reached
    };
    if DVec3::AXES.into_iter().any(apart_along) || apart_along(normal) {
        return true;
    }
    (0..count).any(|i| {
        let edge = corner(if i + 1 == count { 0 } else { i + 1 }) - corner(i);
        DVec3::AXES.into_iter().any(|own| apart_along(own.cross(edge)))
    })
}
