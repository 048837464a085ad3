//! Three components for four triangles or boxes at once.

use wide::f32x4;

/// Three components, for four triangles or boxes.
pub(crate) type Lanes = [f32x4; 3];

/// The same for each.
#[inline(always)]
pub(super) fn splat<const N: usize>(components: [f32; N]) -> [f32x4; N] {
    components.map(f32x4::splat)
}

#[inline(always)]
pub(super) fn minus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn plus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The same for two or three components.
#[inline(always)]
pub(super) fn dot<const N: usize>(a: [f32x4; N], b: [f32x4; N]) -> f32x4 {
    (1..N).fold(a[0] * b[0], |sum, axis| sum + a[axis] * b[axis])
}

#[inline(always)]
pub(super) fn cross(a: Lanes, b: Lanes) -> Lanes {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(super) fn times(a: Lanes, b: f32x4) -> Lanes {
    [a[0] * b, a[1] * b, a[2] * b]
}

#[inline(always)]
pub(super) fn select(mask: f32x4, a: Lanes, b: Lanes) -> Lanes {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}

/// The root of a sum of squares, no lower for those that underflow.
#[inline(always)]
pub(super) fn root(squared: f32x4) -> f32x4 {
    (squared + f32x4::splat(4.0 * f32::MIN_POSITIVE)).sqrt()
}

/// The entries, raised to the time when a gap that shrinks at a speed is closed.
#[inline(always)]
pub(super) fn put_off(entry: f32x4, gap: f32x4, speed: f32x4) -> f32x4 {
    let reached =
        gap / speed.fast_max(f32x4::splat(f32::MIN_POSITIVE)) * f32x4::splat(1.0 - 4.0 * f32::EPSILON);
    // Not `max`: a NaN must raise nothing.
    reached.simd_gt(entry).select(reached, entry)
}

/// The gap to an interval, ahead in either direction, and the rate at which a speed closes it. The gap is
/// exact or smaller if it is above 0.
#[inline(always)]
pub(super) fn gap_to(lower: f32x4, upper: f32x4, speed: f32x4) -> (f32x4, f32x4) {
    let ahead = lower.simd_gt(f32x4::splat(0.0));
    (lower.fast_max(-upper), ahead.select(speed, -speed))
}

/// The vector from the nearest point of an outline, corners and edges, to a place.
#[inline(always)]
pub(super) fn from_outline(place: Lanes, outline: [(Lanes, Lanes); 3]) -> Lanes {
    let zero = f32x4::splat(0.0);
    let (mut apart, mut nearest) = ([zero; 3], f32x4::splat(f32::INFINITY));
    for (corner, edge) in outline {
        let from_corner = minus(place, corner);
        let along = dot(from_corner, edge) / dot(edge, edge);
        let along = along.fast_max(zero).fast_min(f32x4::splat(1.0));
        let from_edge = minus(from_corner, times(edge, along));
        let squared = dot(from_edge, from_edge);
        let nearer = squared.simd_lt(nearest);
        nearest = nearer.select(squared, nearest);
        apart = select(nearer, from_edge, apart);
    }
    apart
}
