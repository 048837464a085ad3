//! Four f32 boxes side by side, tested together.
//!
//! Idea: the sides are stored by side and axis, so that one comparison per side tests four boxes. Comparing
//! is exact: boxes that were rounded outward to f32 overlap everything that they overlapped before. Cost: 96
//! bytes for four boxes, six comparisons.

use glam::Vec3;
use wide::f32x4;

use super::WIDTH;

/// Four boxes: lower and upper sides, by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    lower: [[f32; WIDTH]; 3],
    upper: [[f32; WIDTH]; 3],
}

/// A box, four times.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    lower: [f32x4; 3],
    upper: [f32x4; 3],
}

/// Four boxes, each four times.
#[derive(Clone, Copy)]
pub(crate) struct Areas([Area; WIDTH]);

impl Area {
    #[inline(always)]
    pub(crate) fn new([lower, upper]: [Vec3; 2]) -> Self {
        Self { lower: lower.to_array().map(f32x4::splat), upper: upper.to_array().map(f32x4::splat) }
    }
}

impl Boxes {
    /// Empty boxes: they overlap nothing, not even unbounded boxes.
    pub(crate) const NOTHING: Self = Self { lower: [[f32::NAN; WIDTH]; 3], upper: [[f32::NAN; WIDTH]; 3] };

    #[inline(always)]
    pub(crate) fn put(&mut self, lane: usize, [lower, upper]: [Vec3; 2]) {
        for axis in 0..3 {
            self.lower[axis][lane] = lower[axis];
            self.upper[axis][lane] = upper[axis];
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> [Vec3; 2] {
        [self.lower.map(|lanes| lanes[lane]).into(), self.upper.map(|lanes| lanes[lane]).into()]
    }

    /// The lower sides along an axis.
    #[inline(always)]
    pub(crate) fn lower(&self, axis: usize) -> f32x4 {
        f32x4::new(self.lower[axis])
    }

    /// The upper sides along an axis.
    #[inline(always)]
    pub(crate) fn upper(&self, axis: usize) -> f32x4 {
        f32x4::new(self.upper[axis])
    }

    /// The box around all that are not empty.
    pub(crate) fn bounds(&self) -> [Vec3; 2] {
        let lower = self.lower.map(|lanes| lanes.into_iter().fold(f32::INFINITY, f32::min));
        let upper = self.upper.map(|lanes| lanes.into_iter().fold(f32::NEG_INFINITY, f32::max));
        [lower.into(), upper.into()]
    }

    /// A bit for each that overlaps an area.
    #[inline(always)]
    pub(crate) fn meeting(&self, area: &Area) -> u32 {
        let sides = |axis: usize| {
            f32x4::new(self.lower[axis]).simd_le(area.upper[axis])
                & f32x4::new(self.upper[axis]).simd_ge(area.lower[axis])
        };
        (sides(0) & sides(1) & sides(2)).to_bitmask()
    }
}

impl Areas {
    #[inline(always)]
    pub(crate) fn of(boxes: &Boxes) -> Self {
        let area = |lane| Area::new(boxes.lane(lane));
        Self([area(0), area(1), area(2), area(3)])
    }

    /// A bit for each of these and each of four others that overlap: four bits for the first of these, then
    /// those for the second, and so on.
    #[inline(always)]
    pub(crate) fn meeting(&self, others: &Boxes) -> u32 {
        let [first, second, third, fourth] = &self.0;
        let meeting = |area: &Area| others.meeting(area);
        meeting(first) | meeting(second) << 4 | meeting(third) << 8 | meeting(fourth) << 12
    }
}

/// The lanes whose bits are set.
#[inline(always)]
pub(crate) fn lanes_of(mut met: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = met.trailing_zeros() as usize;
        (met != 0).then(|| {
            met &= met - 1;
            lane
        })
    })
}
