//! A swept box in f32, grown by the largest possible error of f32.
//!
//! Source: the bounds below. Only the part of the path inside the bounds of the tree is tested, measured from
//! where it begins. So no number is larger than the scene (`size`: the largest coordinate of a box, the half
//! extents, the path inside), however far away the mover starts.
//!
//! Error, in units of 2⁻²⁴ · size. The side of a box is `origin + steps · scale`; the fraction at which it is
//! hit is computed as `steps · (scale · inverse) + (origin − (from ± reach)) · inverse`. In lengths: 1 for
//! the start, 2 for ± reach, 3 for origin − that, 6 for that difference times the inverse (rounded, of a
//! rounded path), 6 for the steps, 5 for the sum: together 23, and 2 for the path on an axis along which the
//! box is practically at rest. Bounds grown by 64 contain the exact ones.

use glam::{DVec3, Vec3};

use super::WideTree;
use crate::num::bound::reach;

/// The largest error of f32, as a share of the size of the scene.
pub(super) const GROWTH: f64 = 1.0 / (1u32 << 18) as f64;

/// Sizes whose products of four neither overflow nor lose digits to underflow in f32; beyond, walks run in
/// f64.
pub(super) const SIZES: core::ops::RangeInclusive<f64> = 1.0 / (1u64 << 40) as f64..=(1u64 << 40) as f64;

/// How a swept box is to be taken through a tree.
pub(crate) enum Plan {
    /// It meets nothing.
    Nothing,
    /// In f32.
    ClippedSweep(ClippedSweep),
    /// In f64: the numbers are very large or very small.
    Exact,
}

/// The part of the way of a swept box that lies in the bounds of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClippedSweep {
    /// Where the middle of the box is where the part begins.
    pub(crate) from: Vec3,
    /// The way from there to where the part ends.
    pub(crate) translation: Vec3,
    /// One over the translation, finite and not 0.
    pub(crate) inverse: Vec3,
    /// How far the box stands out, and what f32 may be wrong by.
    pub(crate) reach: Vec3,
    /// The largest error of f32.
    pub(crate) growth: f64,
    /// The fraction of the whole path at which the part begins, and how much of it it is.
    begin: f64,
    span: f64,
    /// Whether it is all of a way to what was gathered near it, so short that hardly anything lies beside it.
    pub(crate) is_near: bool,
}

/// How large the numbers of a sweep are, and the largest error of f32 that follows.
#[derive(Clone, Copy)]
struct Rounding {
    size: f64,
    growth: f64,
}

impl ClippedSweep {
    /// Around the box all along the path, grown as its reach is: the start, the end and what is taken off are
    /// off by 7 of the 64 units.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> [Vec3; 2] {
        let to = self.from + self.translation;
        [self.from.min(to) - self.reach, self.from.max(to) + self.reach]
    }

    /// The course of a box that stands out from a center, for what lies within bounds near its way: all of
    /// the way, and what f32 may be wrong by as a share of how far away that is, not of its coordinates. None
    /// where the numbers are very large or very small.
    ///
    /// A corner in f32, seen from the start in f32, is off by one rounding of the difference, which is no
    /// larger than `size`; what the start in f32 is off by is added to the growth.
    pub(crate) fn near(
        center: DVec3,
        translation: DVec3,
        half_extents: DVec3,
        [lower, upper]: [Vec3; 2],
    ) -> Option<Self> {
        let from = center.as_vec3();
        let far = (lower - from).abs().max((upper - from).abs()).as_dvec3();
        let size = far.max(half_extents).max(translation.abs()).max_element();
        let growth = GROWTH * size + reach(center - from.as_dvec3());
        // The second is false of NaN.
        if !(SIZES.contains(&size) && growth <= size) {
            return None;
        }
        Some(Self::whole(from, translation, half_extents, Rounding { size, growth }))
    }

    /// The sweep along all of a path.
    #[inline(always)]
    fn whole(from: Vec3, translation: DVec3, half_extents: DVec3, rounding: Rounding) -> Self {
        let Rounding { size, growth } = rounding;
        // Where it moves by less than the rounding it is taken to move by that.
        let slowest = DVec3::splat(size * (1.0 / (1u32 << 24) as f64));
        let moving = DVec3::select(translation.abs().cmpge(slowest), translation, slowest);
        Self {
            from,
            translation: translation.as_vec3(),
            inverse: moving.recip().as_vec3(),
            reach: (half_extents + growth).as_vec3() * (1.0 + 2.0 * f32::EPSILON),
            growth,
            begin: 0.0,
            span: 1.0,
            is_near: true,
        }
    }

    /// A fraction of the whole path as one of the part, rounded up: what is hit before the one is hit before
    /// the other. Below 0 before the part begins; the end of the part where there is no telling.
    #[inline(always)]
    pub(crate) fn limit(&self, fraction: f64) -> f32 {
        let share = (fraction - self.begin) / self.span * (1.0 + 4.0 * f64::EPSILON);
        if share < 1.0 { (share as f32).next_up() } else { 1.0 + 2.0 * f32::EPSILON }
    }
}

impl WideTree {
    /// The plan for the sweep of a box that extends this far about its center, up to a fraction of its way.
    #[inline]
    pub(crate) fn plan(&self, center: DVec3, translation: DVec3, half_extents: DVec3, fraction: f64) -> Plan {
        let Some(bounds) = &self.bounds else { return Plan::Nothing };
        let (lower, upper) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let largest = self.largest + half_extents.max_element();
        // Eight roundings of f64 for the start, the way, their sum and the fraction.
        let rounding = 8.0 * f64::EPSILON * (reach(center) + reach(translation) + largest);
        let grown = half_extents + rounding;
        let Some((begin, end)) = span(lower - grown - center, upper + grown - center, translation) else {
            return Plan::Nothing;
        };
        if begin > fraction {
            return Plan::Nothing;
        }
        let span = end - begin;
        let (from, translation) = (center + translation * begin, translation * span);
        let size = DVec3::splat(largest).max(from.abs()).max(translation.abs()).max_element();
        let growth = GROWTH * size + rounding;
        // The second is false of NaN.
        if !(SIZES.contains(&size) && growth <= size) {
            return Plan::Exact;
        }
        let whole = ClippedSweep::whole(from.as_vec3(), translation, half_extents, Rounding { size, growth });
        Plan::ClippedSweep(ClippedSweep { begin, span, is_near: false, ..whole })
    }
}

/// Between which fractions, from 0 to 1, a point that goes from the origin is in a box; `None` if it never
/// is. Where a coordinate overflows it is.
#[inline(always)]
fn span(lower: DVec3, upper: DVec3, translation: DVec3) -> Option<(f64, f64)> {
    // Most go nowhere else.
    let stays = lower.cmple(translation.min(DVec3::ZERO)) & upper.cmpge(translation.max(DVec3::ZERO));
    if stays.all() { Some((0.0, 1.0)) } else { span_through(lower, upper, translation) }
}

#[inline(never)]
fn span_through(lower: DVec3, upper: DVec3, translation: DVec3) -> Option<(f64, f64)> {
    let (mut begin, mut end) = (0.0, 1.0);
    for axis in 0..3 {
        let (lower, upper, translation) = (lower[axis], upper[axis], translation[axis]);
        let (outside, nearing) =
            (lower > 0.0 || upper < 0.0, if lower > 0.0 { translation > 0.0 } else { translation < 0.0 });
        if outside && !nearing {
            return None;
        }
        if outside {
            let enters = if lower > 0.0 { lower } else { upper } / translation;
            begin = if enters > begin { enters } else { begin };
        }
        if translation != 0.0 {
            let leaves = if translation > 0.0 { upper } else { lower } / translation;
            end = if leaves < end { leaves } else { end };
        }
    }
    (begin <= end).then_some((begin, end))
}
