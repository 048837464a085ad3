//! The walk to the items near a point, nearer boxes first, four at a time in f32.
//!
//! Error, in units of 2⁻²⁴ · size, where `size` is the largest coordinate of the scene and of the point: the
//! point is off by 1 and the side of a box, seen from it, by 5 (see `clipped_sweep`). The growth is 64 of
//! these units; [`QueryPoint::limit`] covers the rounding of the squares of gaps.

use core::ops::Range;

use glam::{DVec3, Vec3};
use wide::f32x4;

use super::clipped_sweep::{GROWTH, SIZES};
use super::walk::{DEEP, Stack, Waiting, in_lanes};
use super::{Node, Target, WIDTH, WideTree};
use crate::num::bound::reach;
use crate::prefetch::prefetch_all;

/// A place as boxes and triangles are compared with it in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryPoint {
    pub(crate) at: Vec3,
    /// The largest error of f32.
    growth: f64,
}

impl QueryPoint {
    /// How far away in f32 that lies at most which is within a distance; finite, as all distances are.
    #[inline(always)]
    pub(crate) fn limit(&self, distance: f64) -> f32 {
        ((distance + 2.0 * self.growth) as f32 * (1.0 + 8.0 * f32::EPSILON)).min(f32::MAX)
    }
}

impl WideTree {
    /// A place as its boxes are compared with it; `None` where the numbers are very large or very small.
    #[inline]
    pub(crate) fn query_point(&self, at: DVec3) -> Option<QueryPoint> {
        let size = self.largest.max(reach(at));
        SIZES.contains(&size).then(|| QueryPoint { at: at.as_vec3(), growth: GROWTH * size })
    }

    /// Visits runs of slots, those in nearer boxes first: all items whose boxes are within `best` of a place.
    /// `visit` gets that and answers with the best from then on. `expect` gets the slots that may be visited
    /// soon, by the first of them.
    #[inline(always)]
    pub(crate) fn nearest(
        &self,
        place: &QueryPoint,
        mut best: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(Range<u32>, f64) -> f64,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let squared = |best: f64| {
            let limit = place.limit(best);
            limit * limit * (1.0 + 8.0 * f32::EPSILON)
        };
        let mut limit = squared(best);
        let mut stack = Stack::<f32, DEEP>::new();
        let mut target = Target { first: 0, count: 0 };
        loop {
            if target.count == 0 {
                let node = &self.nodes[target.first as usize];
                prefetch_all(self.nodes.get(node.first_node as usize..).into_iter().flatten().take(WIDTH));
                if node.has_leaves() {
                    expect(node.first_slot);
                }
                let distances = node.distances_squared(place.at);
                let far = distances.simd_gt(f32x4::splat(limit)).to_bitmask();
                // A NaN may be near.
                let mut near = !far & ((1 << node.children) - 1);
                let (first, distances) = (stack.height(), distances.to_array());
                while near != 0 {
                    let child = near.trailing_zeros() as usize;
                    near &= near - 1;
                    stack.push(first, distances[child % WIDTH], node.target(child));
                }
            } else {
                let improved = visit(target.first..target.first + target.count, best);
                if improved != best {
                    best = improved;
                    limit = squared(best);
                }
            }
            target = loop {
                let Some(Waiting { bound, target }) = stack.pop() else { return };
                let is_far = bound > limit;
                if !is_far {
                    break target;
                }
            };
        }
    }
}

impl Node {
    /// The squared distances of the children's boxes from a place.
    #[inline(always)]
    fn distances_squared(&self, place: Vec3) -> f32x4 {
        let mut sum = f32x4::splat(0.0);
        for axis in 0..3 {
            let (scale, origin) =
                (f32x4::splat(self.scale[axis]), f32x4::splat(self.origin[axis] - place[axis]));
            let lower = in_lanes(self.lower[axis]) * scale + origin;
            let upper = in_lanes(self.upper[axis]) * scale + origin;
            let gap = lower.fast_max(-upper).fast_max(f32x4::splat(0.0));
            sum += gap * gap;
        }
        sum
    }
}
