//! Triangles in the frame of a mover that looks along its path.
//!
//! Source: separating directions, as in [`culler`](super). In a frame whose third axis is the path, the mover
//! does not move along the other two. So a test in a plane finds the triangles beside the path, and a
//! direction across an edge takes only an exchange of two numbers.
//!
//! Error, in units of 2⁻²⁴ · size (see `tree::wide::clipped_sweep`): a corner relative to the start is no
//! longer than 3.5 sizes, and off by 3 along each axis; turned, by 5.2 for that, 3.5 for the axes in f32 and
//! 10.4 for the product, less than 20. Its product with m is off by 46 |m|. The way is off the third axis by
//! less than 4, which are 7 |m|, and its product with m by 2 |m| more. Edges, turned, are off by 26 |m| in
//! all, and the reach along m that is summed from their products by 47 |m| at most. With 9 |m| for the
//! difference of the two all is less than 112 |m|. Boxes in this frame are off by less than 50.
//!
//! Cost: 54 operations on four lanes to turn three corners, 30 for boxes, 50 for planes, 60 for what lies
//! beside, 110 for the outline.

use glam::Vec3;
use wide::f32x4;

use super::extent::Extent;
use crate::num::ops::sqrt;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::form::Form;
use crate::tree::{ClippedSweep, WIDTH};
use crate::world::surface::lanes::{
    Lanes, cross, dot, from_outline, gap_to, minus, plus, put_off, select, splat, times,
};
use crate::world::surface::triangle_batch::TriangleBatch;

/// A mover and its path in that frame, with its center at the origin.
pub(super) struct SweepFrame<S> {
    /// The position of the center among the triangles, and the axes, each component in four lanes.
    from: Lanes,
    axes: [Lanes; 3],
    extent: Extent<S>,
    margin: f32,
    /// The extent of the grown mover along each axis.
    reach: [f32; 3],
    /// Whether the mover is as good as at rest: then the frame is that of the triangles.
    is_at_rest: bool,
    /// The length of the path; 0 at rest.
    length: f32,
    /// One over that; a large number at rest.
    inverse: f32,
    /// Triangles farther behind the start are not hit.
    behind: f32,
    /// Triangles farther behind along this direction are not hit either; for an ellipsoid that is not at
    /// rest.
    forward: Vec3,
    back: f32,
    /// Whether hardly any triangle lies beside the path.
    is_near: bool,
}

/// A plane behind the start: this far back along a direction.
#[derive(Clone, Copy)]
pub(super) struct BackPlane {
    pub(super) forward: Vec3,
    pub(super) back: f32,
}

impl<S: SurfaceSweep> SweepFrame<S> {
    /// For a mover grown by a margin. Triangles behind the plane are not hit.
    #[inline(always)]
    pub(super) fn new(
        clipped: &ClippedSweep,
        extent: &Extent<S>,
        margin: f32,
        behind_plane: BackPlane,
    ) -> Self {
        let way = clipped.translation.as_dvec3();
        let length = sqrt(way.length_squared());
        // Moving by less than one of the 64 units of growth counts as rest.
        let least = clipped.growth * (1.0 / 64.0);
        let is_at_rest = clipped.translation == Vec3::ZERO || length < least;
        let axes = if is_at_rest {
            Vec3::AXES
        } else {
            let ahead = way * (1.0 / length);
            let (u, v) = ahead.any_orthonormal_pair();
            [u.as_vec3(), v.as_vec3(), ahead.as_vec3()]
        };
        let seen = |v: Vec3| Vec3::new(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v));
        let extent = extent.seen(seen);
        // Of unit vectors, to within roundings that the margin covers.
        let reach = extent.reach() + margin;
        let behind = match S::FORM {
            Form::Round if !is_at_rest => margin,
            Form::Capsule if !is_at_rest => extent.axes[0].z.abs() + margin,
            _ => reach.z,
        };
        let (forward, back) = match S::FORM {
            Form::Ellipsoid if !is_at_rest => (seen(behind_plane.forward), behind_plane.back),
            _ => (Vec3::ZERO, 0.0),
        };
        Self {
            from: splat(clipped.from.to_array()),
            axes: axes.map(|axis| splat(axis.to_array())),
            extent,
            margin,
            reach: reach.to_array(),
            is_at_rest,
            length: if is_at_rest { 0.0 } else { length as f32 },
            inverse: (1.0 / length.max(least)) as f32,
            behind,
            forward,
            back,
            is_near: clipped.is_near,
        }
    }

    /// Lower bounds of the fractions at which the triangles are hit; above the limit for those that are not
    /// hit by then.
    #[inline(always)]
    pub(super) fn entries(&self, batch: &impl TriangleBatch, limit: f32) -> [f32; WIDTH] {
        const NEVER: [f32; WIDTH] = [f32::INFINITY; WIDTH];
        let [a, b, c] = batch.corners();
        let [a, b, c] = [self.seen(a), self.seen(b), self.seen(c)];
        let corners = [a, b, c];
        let (zero, limit) = (f32x4::splat(0.0), f32x4::splat(limit));
        let reach = splat(self.reach);
        let bounds = |axis: usize| {
            (a[axis].fast_min(b[axis]).fast_min(c[axis]), a[axis].fast_max(b[axis]).fast_max(c[axis]))
        };
        let (u, v, w) = (bounds(0), bounds(1), bounds(2));
        let beside = u.0.fast_max(-u.1).simd_gt(reach[0]) | v.0.fast_max(-v.1).simd_gt(reach[1]);
        let entry = ((w.0 - reach[2]) * f32x4::splat(self.inverse)).fast_max(zero);
        let late = entry.simd_gt(limit) | w.1.simd_lt(f32x4::splat(-self.behind));
        let met = !(beside | late);
        if !met.any() {
            return NEVER;
        }
        let met = if S::FORM == Form::Ellipsoid {
            let forward = splat(self.forward.to_array());
            let farthest = dot(a, forward).fast_max(dot(b, forward)).fast_max(dot(c, forward));
            met & !farthest.simd_lt(f32x4::splat(-self.back))
        } else {
            met
        };
        let [ab, bc, ca] = [minus(b, a), minus(c, b), minus(a, c)];
        let entry = self.later(entry, cross(ab, ca), &corners);
        let met = met & !entry.simd_gt(limit);
        if !met.any() {
            return NEVER;
        }
        let mut met = met;
        if !self.is_near {
            met &= !(self.is_beside(ab, a, c) | self.is_beside(bc, b, a) | self.is_beside(ca, c, b));
        }
        let never = f32x4::splat(f32::INFINITY);
        if !self.is_thick() || !met.any() {
            return met.select(entry, never).to_array();
        }
        // And from the nearest point of the outline to the mover at that time.
        let center = [zero, zero, entry * f32x4::splat(self.length)];
        let place = if S::FORM == Form::Capsule {
            // The point of its axis that is nearest to the nearest corner.
            let axis = self.extent.axes[0];
            let lanes = splat(axis.to_array());
            let length_squared = axis.length_squared().max(f32::MIN_POSITIVE);
            let share = dot(to_nearest(center, &corners), lanes) / f32x4::splat(length_squared);
            let share = share.fast_max(f32x4::splat(-1.0)).fast_min(f32x4::splat(1.0));
            plus(center, times(lanes, share))
        } else {
            center
        };
        let apart = from_outline(place, [(a, ab), (b, bc), (c, ca)]);
        met.select(self.later(entry, apart, &corners), never).to_array()
    }

    #[inline(always)]
    fn seen(&self, place: Lanes) -> Lanes {
        let place = minus(place, self.from);
        if self.is_at_rest {
            return place;
        }
        [dot(self.axes[0], place), dot(self.axes[1], place), dot(self.axes[2], place)]
    }

    /// Whether there is more to the mover than its center.
    #[inline(always)]
    fn is_thick(&self) -> bool {
        S::FORM != Form::Round || self.extent.radius > self.margin
    }

    /// The entries, raised to the time when the mover has come near enough along a direction.
    #[inline(always)]
    fn later(&self, entry: f32x4, m: Lanes, &[a, b, c]: &[Lanes; 3]) -> f32x4 {
        let [a, b, c] = [dot(m, a), dot(m, b), dot(m, c)];
        let speed = m[2] * f32x4::splat(self.length);
        let (gap, speed) = gap_to(a.fast_min(b).fast_min(c), a.fast_max(b).fast_max(c), speed);
        put_off(entry, gap - self.extent.along(m, self.margin), speed)
    }

    /// Whether a triangle is beside the path, along the direction perpendicular to the path and an edge.
    #[inline(always)]
    fn is_beside(&self, [u, v, _]: Lanes, on: Lanes, opposite: Lanes) -> f32x4 {
        let (on, opposite) = (v * on[0] - u * on[1], v * opposite[0] - u * opposite[1]);
        on.fast_min(opposite)
            .fast_max(-on.fast_max(opposite))
            .simd_gt(self.extent.along([v, -u], self.margin))
    }
}

/// From a place to the nearest of the corners.
#[inline(always)]
fn to_nearest(place: Lanes, corners: &[Lanes; 3]) -> Lanes {
    let [a, b, c] = [minus(corners[0], place), minus(corners[1], place), minus(corners[2], place)];
    let [p, q, r] = [dot(a, a), dot(b, b), dot(c, c)];
    let ab = select(p.simd_lt(q), a, b);
    select(p.fast_min(q).simd_lt(r), ab, c)
}
