//! Walks through the tree: hits of a moving box, items in an area, the nearest item.
//!
//! Source: the slabs of Kay and Kajiya, *Ray tracing complex scenes* (1986), four boxes at a time in f32.
//!
//! Error, in units of 2⁻²⁴ · size, where size is the largest of start, path and reach: 3 for the near side of
//! the moving box and its difference to a side of the other, 3 for that times the inverse of the path (up to
//! the fraction 1, where the path ends), 2 for an axis along which the box is practically at rest. The moving
//! box is grown by 16. The boxes themselves are exact. Distances are computed from three differences to a
//! point that is off by 1, and are rounded down by 2⁻²⁰. Cost: a node is two cache lines and one test of four
//! boxes.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};
use wide::f32x4;

use super::{Bounds, DynamicTree, Link, Node, ROOTS, Target, WIDTH};
use crate::num::bound::{f32_above, f32_below};
use crate::prefetch::prefetch;
use crate::tree::boxes::Area;

/// The largest error of f32, as a share of the size: see above.
const GROWTH: f64 = 1.0 / (1u32 << 20) as f64;

/// Sizes whose squares and quotients neither overflow nor lose digits to underflow in f32.
const SIZES: core::ops::RangeInclusive<f64> = 1.0 / (1u64 << 40) as f64..=(1u64 << 40) as f64;

/// The nodes that wait in a walk before more go to the heap.
const STACK: usize = 64;

/// A moving box, grown by the error of f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptBounds {
    /// The side of the moving box that meets the lower, and the upper, sides of others.
    upper: Vec3,
    lower: Vec3,
    /// 1 / translation, finite and not 0.
    inverse: Vec3,
}

impl SweptBounds {
    /// The box about a center. `None` if numbers are very large or very small, or NaN.
    #[inline]
    pub(crate) fn new(from: DVec3, translation: DVec3, half_extents: DVec3) -> Option<Self> {
        let size = from.abs().max(translation.abs()).max(half_extents).max_element();
        if !(SIZES.contains(&size) && half_extents.is_finite()) {
            return None;
        }
        let reach = half_extents + GROWTH * size;
        // Where it moves by less than the rounding it is taken to move by that.
        let slowest = DVec3::splat(size * (1.0 / (1u32 << 24) as f64));
        let moving = DVec3::select(translation.abs().cmpge(slowest), translation, slowest);
        let (upper, lower) = ((from + reach).as_vec3(), (from - reach).as_vec3());
        Some(Self { upper, lower, inverse: moving.recip().as_vec3() })
    }

    /// The fractions of the way at which four boxes are hit, and a bit for each that is met by a limit.
    #[inline(always)]
    fn entries(&self, node: &Node, limit: f32) -> ([f32; WIDTH], u32) {
        let slab = |axis: usize| {
            let inverse = f32x4::splat(self.inverse[axis]);
            let a = (node.boxes.lower(axis) - f32x4::splat(self.upper[axis])) * inverse;
            let b = (node.boxes.upper(axis) - f32x4::splat(self.lower[axis])) * inverse;
            (a.fast_min(b), a.fast_max(b))
        };
        let (x, y, z) = (slab(0), slab(1), slab(2));
        let entry = x.0.fast_max(y.0).fast_max(z.0.fast_max(f32x4::splat(0.0)));
        let exit = x.1.fast_min(y.1).fast_min(z.1.fast_min(f32x4::splat(limit)));
        (entry.to_array(), entry.simd_le(exit).to_bitmask() & u32::from(node.lanes))
    }
}

/// A fraction as f32, rounded up; a little beyond the end if unknown.
#[inline(always)]
fn limit_of(fraction: f64) -> f32 {
    if fraction < 1.0 { (fraction as f32).next_up() } else { 1.0 + 2.0 * f32::EPSILON }
}

/// The nodes that wait to be entered.
#[derive(Clone, Copy)]
struct Waiting {
    bound: f32,
    link: Link,
}

/// The stack of nodes that wait, the lowest bound of each node's children on top. A tree in which nothing was
/// rebuilt yet may be deep: nodes that do not fit go to the heap.
struct Stack {
    near: ArrayVec<Waiting, STACK>,
    spilt: Vec<Waiting>,
}

impl Stack {
    #[inline(always)]
    fn new() -> Self {
        Self { near: ArrayVec::new_const(), spilt: Vec::new() }
    }

    /// Pushes the children that were hit below a node, the nearest last.
    #[inline(always)]
    fn push_all(&mut self, node: &Node, bounds: &[f32; WIDTH], mut met: u32) {
        if self.near.len() > STACK - WIDTH {
            self.spill();
        }
        let first = self.near.len();
        while met != 0 {
            let lane = met.trailing_zeros() as usize % WIDTH;
            met &= met - 1;
            self.near.push(Waiting { bound: bounds[lane], link: node.links[lane] });
            let mut place = self.near.len() - 1;
            while place > first && self.near[place - 1].bound <= bounds[lane] {
                self.near.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// The same where none is nearer than another: the first last.
    #[inline(always)]
    fn push_as_they_are(&mut self, node: &Node, mut met: u32) {
        if self.near.len() > STACK - WIDTH {
            self.spill();
        }
        while met != 0 {
            let lane = met.ilog2() as usize % WIDTH;
            met &= !(1 << lane);
            self.near.push(Waiting { bound: 0.0, link: node.links[lane] });
        }
    }

    #[cold]
    fn spill(&mut self) {
        self.spilt.extend(self.near.drain(..STACK / 2));
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Waiting> {
        if let Some(waiting) = self.near.pop() {
            return Some(waiting);
        }
        self.spilt.pop()
    }
}

impl DynamicTree {
    /// Visits the numbers of the boxes that a moving box may meet at a fraction of at most `best` of its way,
    /// roughly in the order of meeting. The visitor gets a number and the best fraction so far and returns
    /// the new one. Items that may be hit at exactly the best fraction are visited too. `expect` gets the
    /// numbers that may be visited soon.
    #[inline]
    pub(crate) fn sweep(
        &self,
        swept: &SweptBounds,
        best: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let mut walked = best;
        for root in 0..ROOTS {
            walked = self.sweep_below(root, swept, walked, &expect, &mut visit);
        }
        walked
    }

    #[inline]
    fn sweep_below(
        &self,
        root: usize,
        swept: &SweptBounds,
        mut best: f64,
        expect: &impl Fn(u32),
        visit: &mut impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let mut limit = limit_of(best);
        let mut stack = Stack::new();
        let mut node = &self.nodes[root];
        loop {
            let (entries, met) = swept.entries(node, limit);
            self.prefetch(node, met, expect);
            stack.push_all(node, &entries, met);
            node = loop {
                let Some(Waiting { bound, link }) = stack.pop() else { return best };
                if bound > limit {
                    continue;
                }
                match link.target() {
                    Target::Node(below) => break &self.nodes[below as usize],
                    Target::Item(number) => {
                        best = visit(number, best);
                        limit = limit_of(best);
                    }
                }
            };
        }
    }

    /// Prefetches both lines of the nodes below a node, and says which items hang there.
    #[inline(always)]
    fn prefetch(&self, node: &Node, met: u32, expect: &impl Fn(u32)) {
        for lane in super::lanes_of(met) {
            match node.links[lane].target() {
                Target::Node(below) => {
                    if let Some(below) = self.nodes.get(below as usize) {
                        prefetch(&below.boxes);
                        prefetch(&below.links);
                    }
                }
                Target::Item(number) => expect(number),
            }
        }
    }

    /// Visits the numbers of the boxes that share a point with an area, in no particular order. `expect` gets
    /// those that are visited soon.
    #[inline]
    pub(crate) fn overlaps(&self, bounds: Bounds, expect: impl Fn(u32), mut visit: impl FnMut(u32)) {
        let area = Area::new(bounds);
        let mut stack = Stack::new();
        for root in 0..ROOTS {
            let mut node = Some(&self.nodes[root]);
            while let Some(here) = node {
                let met = here.boxes.meeting(&area) & u32::from(here.lanes);
                self.prefetch(here, met, &expect);
                stack.push_as_they_are(here, met);
                node = loop {
                    let Some(Waiting { link, .. }) = stack.pop() else { break None };
                    match link.target() {
                        Target::Node(below) => break Some(&self.nodes[below as usize]),
                        Target::Item(number) => visit(number),
                    }
                };
            }
        }
    }

    /// Visits the numbers of boxes by how far they are from a place, the nearer ones mostly first, as long as
    /// they may be within `best` meters of it. The visitor answers with the distance within which it wants
    /// more. `expect` gets the numbers that may be visited soon.
    #[inline]
    pub(crate) fn nearest(
        &self,
        place: DVec3,
        mut best: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let (below, above) = (f32_below(place), f32_above(place));
        let mut limit = distance_limit(best);
        let mut stack = Stack::new();
        for root in 0..ROOTS {
            let mut node = Some(&self.nodes[root]);
            while let Some(here) = node {
                let (bounds, met) = distances(here, below, above, limit);
                self.prefetch(here, met, &expect);
                stack.push_all(here, &bounds, met);
                node = loop {
                    let Some(Waiting { bound, link }) = stack.pop() else { break None };
                    if bound > limit {
                        continue;
                    }
                    match link.target() {
                        Target::Node(below) => break Some(&self.nodes[below as usize]),
                        Target::Item(number) => {
                            best = visit(number, best);
                            limit = distance_limit(best);
                        }
                    }
                };
            }
        }
    }
}

/// The square of a distance in f32, rounded up.
fn distance_limit(distance: f64) -> f32 {
    let limit = (distance * distance) as f32 * (1.0 + 4.0 * f32::EPSILON) + f32::MIN_POSITIVE;
    // Near where f32 ends nothing is excluded, nor by NaN.
    if limit < 0.25 * f32::MAX { limit } else { f32::INFINITY }
}

/// Squared distances, rounded down, of four boxes from a place, and a bit for each that is within a limit.
#[inline(always)]
fn distances(node: &Node, below: Vec3, above: Vec3, limit: f32) -> ([f32; WIDTH], u32) {
    let axis = |axis: usize| {
        let gap = (node.boxes.lower(axis) - f32x4::splat(above[axis]))
            .fast_max(f32x4::splat(below[axis]) - node.boxes.upper(axis))
            .fast_max(f32x4::splat(0.0));
        gap * gap
    };
    let squared = (axis(0) + axis(1) + axis(2)) * f32x4::splat(1.0 - 8.0 * f32::EPSILON);
    // NaN may be near.
    let far = squared.simd_gt(f32x4::splat(limit));
    (squared.to_array(), !far.to_bitmask() & u32::from(node.lanes))
}
