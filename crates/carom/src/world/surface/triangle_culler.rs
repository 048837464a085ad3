//! Selects those of four triangles that a mover may hit; for these the kernel decides.
//!
//! Source: separating directions (Ericson, *Real-Time Collision Detection*, 5.2.1). If along some direction
//! `m` the mover stays clear of all three corners on the relevant part of its path, it does not hit the
//! triangle. That holds for any `m`. So a normal spoiled by rounding, or that of a sliver, costs a call of
//! the kernel but never changes an answer. In addition the path must hit the box around the triangle in time.
//!
//! Error, in units of 2⁻²⁴ · size · |m| (see `tree::wide::clipped_sweep`), for boxes: a corner relative to
//! the start is off by 3 along each axis, its product with m by 16, that of the path by 9, their difference
//! by 9, and the mover's own extent along m by at most 40, together less than 80. For triangles, which are
//! rotated first, it is less than 112 (see [`view`]). The mover is grown by 128. If a square overflows or
//! numbers cancel to NaN, the triangle is kept. A triangle completely behind the middle of a moving mover is
//! not hit either, however deep the mover is in it: a contact at the start counts only if the mover goes
//! deeper, and the normal there leads from a point of the triangle to the mover's middle.
//!
//! Boxes of the tree that are not much larger than the mover's thickness are tested in the same way, along
//! the direction from their nearest point to the mover at the time of the possible hit. This helps because
//! the box around a ball is half as wide again along its diagonal. Cost: about 250 operations on four lanes
//! if nothing is dismissed earlier, 100 for four boxes.

mod extent;
mod view;

use core::cell::OnceCell;

use glam::{DVec3, Vec3};
use wide::f32x4;

use self::extent::Extent;
use self::view::{BackPlane, SweepFrame};
use crate::num::ops::sqrt;
use crate::shape::Mover;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::form::Form;
use crate::tree::{BoundRefiner, ClippedSweep, WIDTH};
use crate::world::query::tie_bound::{TieBound, TieLimit};
use crate::world::surface::lanes::{Lanes, dot, gap_to, minus, plus, put_off, times};
use crate::world::surface::packed_triangle::PackedTriangle;
use crate::world::surface::triangle_batch::TriangleBatch;

/// In smallest radii of the mover. The corners of the box around a mover are about as far from it as it is
/// thick, so this test gains nothing for larger boxes.
const LARGE: f64 = 1.0;
/// The number of rounds; each begins at the entry that the one before has found.
const LOOKS: usize = 2;

/// The bound for ties among triangles.
pub(crate) struct TrianglesTieBound<'a> {
    pub(crate) tie_bound: TieBound<'a>,
    /// No coordinate of the triangles is larger.
    pub(crate) largest: f64,
}

/// A mover on its clipped sweep, for tests of triangles.
pub(crate) struct TriangleCuller<'a, S> {
    clipped: &'a ClippedSweep,
    /// The margin that everything is grown by, besides the mover's own extent.
    margin: f32,
    extent: Extent<S>,
    view: SweepFrame<S>,
    /// For boxes longer than 255 times this, the box around the mover is a good test already.
    large: f32,
    /// Triangles completely behind the mover along this direction are not hit: the path of a ball, or the
    /// path in the space where an ellipsoid is a ball. Zero if unknown.
    forward: Vec3,
    /// The extent of the mover's skeleton along that, with a margin.
    back: f32,
    /// The bound for ties among contacts at the start.
    tie_bound: Option<TrianglesTieBound<'a>>,
    /// The same bound seen from the start of the sweep: computed when it is needed.
    tie_limit: OnceCell<TieLimit<'a>>,
}

impl<'a, S: SurfaceSweep> TriangleCuller<'a, S> {
    /// For a mover that may report contacts as far as `margin` away. Among hits at the start only those count
    /// that can win the tie.
    #[inline(always)]
    pub(crate) fn of(
        _: &S,
        clipped: &'a ClippedSweep,
        mover: &Mover,
        margin: f64,
        tie_bound: Option<TrianglesTieBound<'a>>,
    ) -> Self {
        let extent = Extent::of(mover);
        let large = (LARGE / 255.0 * mover.smallest_radius()) as f32;
        let margin = ((margin + 2.0 * clipped.growth) as f32).next_up();
        let way = clipped.translation;
        let (forward, length) = match S::FORM {
            Form::Round => (way, 0.0),
            Form::Capsule => (way, way.dot(extent.axes[0]).abs()),
            Form::Ellipsoid => {
                (extent.inverse.iter().fold(Vec3::ZERO, |sum, axis| sum + *axis * axis.dot(way)), 0.0)
            }
            Form::Cuboid => (Vec3::ZERO, 0.0),
        };
        let spare = margin * sqrt(f64::from(forward.length_squared())) as f32;
        let back = length + spare;
        let view = SweepFrame::new(clipped, &extent, margin, BackPlane { forward, back });
        Self { clipped, margin, extent, view, large, forward, back, tie_bound, tie_limit: OnceCell::new() }
    }

    /// The tie bound seen from the start of the sweep.
    fn tie_limit(&self) -> Option<&TieLimit<'a>> {
        let TrianglesTieBound { tie_bound, largest } = self.tie_bound.as_ref()?;
        Some(self.tie_limit.get_or_init(|| {
            let from = self.clipped.from.as_dvec3();
            tie_bound.seen_from(from, 2.0 * self.clipped.growth, largest + from.abs().max_element())
        }))
    }

    /// Whether a triangle loses the tie among hits at the start.
    #[inline(always)]
    pub(crate) fn is_behind(&self, packed: &PackedTriangle, limit: f32) -> bool {
        self.is_picky(limit)
            && self.tie_limit().is_some_and(|tie_limit| {
                let from = self.clipped.from.as_dvec3();
                let height = tie_limit.height();
                packed.corners().iter().all(|corner| tie_limit.along.dot(corner.as_dvec3() - from) > height)
            })
    }

    /// A fraction of the whole path as one of the clipped sweep: see [`ClippedSweep::limit`].
    #[inline(always)]
    pub(crate) fn limit(&self, fraction: f64) -> f32 {
        self.clipped.limit(fraction)
    }

    /// Lower bounds of the fractions at which the triangles are hit, from their boxes and planes; above the
    /// limit for those that are not hit by then.
    #[inline(always)]
    pub(crate) fn entries(&self, batch: &impl TriangleBatch, limit: f32) -> [f32; WIDTH] {
        self.view.entries(batch, limit)
    }

    fn forward(&self) -> Lanes {
        self.forward.to_array().map(f32x4::splat)
    }

    /// Whether the path leads away from everything within these distances ahead of the start: a mover that
    /// touches nothing ahead of its center moves out of the triangles that it touches, however deep it is in
    /// them.
    #[inline(always)]
    fn is_left_behind<const N: usize>(&self, ahead: [f32x4; N]) -> f32x4 {
        let farthest = ahead.into_iter().fold(f32x4::splat(f32::NEG_INFINITY), f32x4::fast_max);
        farthest.simd_lt(f32x4::splat(-self.back))
    }

    /// A direction that separates the mover, with its center at `center`, well from a box, if they are apart
    /// at all.
    #[inline(always)]
    fn apart(&self, center: Lanes, [lower, upper]: [Lanes; 2]) -> Lanes {
        let half = f32x4::splat(0.5);
        // The point of the mover that is nearest to the middle of the box.
        let nearest = |axes: &[Vec3]| {
            let middle = times(plus(lower, upper), half);
            axes.iter().fold(center, |place, axis| {
                let lanes = axis.to_array().map(f32x4::splat);
                let share = dot(minus(middle, center), lanes) / f32x4::splat(axis.length_squared());
                plus(place, times(lanes, share.fast_max(f32x4::splat(-1.0)).fast_min(f32x4::splat(1.0))))
            })
        };
        let place = match S::FORM {
            Form::Round | Form::Ellipsoid => center,
            Form::Capsule => nearest(&self.extent.axes[..1]),
            Form::Cuboid => nearest(&self.extent.axes),
        };
        let off: Lanes = core::array::from_fn(|axis| {
            place[axis] - place[axis].fast_max(lower[axis]).fast_min(upper[axis])
        });
        if S::FORM != Form::Ellipsoid {
            return off;
        }
        // From outside, in the space where the ellipsoid is a ball.
        self.extent.inverse.iter().fold([f32x4::splat(0.0); 3], |sum, axis| {
            let lanes = axis.to_array().map(f32x4::splat);
            plus(sum, times(lanes, dot(off, lanes)))
        })
    }
}

impl<S: SurfaceSweep> BoundRefiner for TriangleCuller<'_, S> {
    #[inline(always)]
    fn largest_step(&self) -> f32 {
        self.large
    }

    #[inline(always)]
    fn is_picky(&self, limit: f32) -> bool {
        // The least limit that is not below the start: that of the fraction 0.
        limit <= f32::MIN_POSITIVE && self.tie_bound.is_some()
    }

    #[inline(always)]
    fn may_count(&self, [lower, upper]: [Lanes; 2]) -> f32x4 {
        let height = self.tie_limit().map_or(f64::INFINITY, TieLimit::height);
        let along = self.tie_limit().map_or(DVec3::ZERO, |tie_limit| tie_limit.along).as_vec3();
        let mut least = f32x4::splat(0.0);
        for axis in 0..3 {
            let along = f32x4::splat(along[axis]);
            least += (along * lower[axis]).fast_min(along * upper[axis]);
        }
        // Numbers that cannot be compared may.
        !least.simd_gt(f32x4::splat((height as f32).next_up()))
    }

    #[inline(always)]
    fn look(&self, corners: [Lanes; 2], entry: f32x4) -> f32x4 {
        let [lower, upper] = corners;
        let forward = self.forward();
        let ahead = (0..3).fold(f32x4::splat(0.0), |sum, axis| {
            sum + (forward[axis] * lower[axis]).fast_max(forward[axis] * upper[axis])
        });
        let mut entry = self.is_left_behind([ahead]).select(f32x4::splat(f32::INFINITY), entry);
        let way = self.clipped.translation.to_array().map(f32x4::splat);
        for _ in 0..LOOKS {
            let m = self.apart(times(way, entry), corners);
            let zero = f32x4::splat(0.0);
            let (mut lower, mut upper) = (zero, zero);
            for axis in 0..3 {
                let (a, b) = (m[axis] * corners[0][axis], m[axis] * corners[1][axis]);
                lower += a.fast_min(b);
                upper += a.fast_max(b);
            }
            let (gap, speed) = gap_to(lower, upper, dot(m, way));
            entry = put_off(entry, gap - self.extent.along(m, self.margin), speed);
        }
        entry
    }
}

#[cfg(test)]
mod tests;
