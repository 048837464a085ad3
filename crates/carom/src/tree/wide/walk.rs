//! Walks through a wide tree, nearer children first, without recursion and without allocation.
//!
//! Cost: a node is one cache line and one test of four boxes. Some of the data below it is prefetched before
//! the test: in a level larger than the caches most of the time is waiting for memory, and lines that are
//! prefetched together arrive together. The stack cannot overflow: it grows by at most three per level.

use core::ops::Range;

use arrayvec::ArrayVec;
use glam::Vec3;
use wide::{f32x4, i32x4};

use super::super::walk::within;
use super::super::{MAX_DEPTH, SweptBox, Volume};
use super::{ClippedSweep, Node, Plan, Target, WIDTH, WideBox, WideTree};
use crate::prefetch::prefetch_all;

/// A child still to be entered.
#[derive(Clone, Copy)]
pub(super) struct Waiting<T> {
    pub(super) bound: T,
    pub(super) target: Target,
}

/// The most nodes that wait in any tree.
pub(super) const DEEP: usize = ((WIDTH - 1) * MAX_DEPTH as usize + WIDTH).next_power_of_two();
/// And in one that is as deep as a tree of millions.
const SHALLOW: usize = 64;

/// Knows more of the mover than the box around it.
pub(crate) trait BoundRefiner {
    /// Boxes that are no longer than 255 of these steps along each axis are worth a closer look.
    fn largest_step(&self) -> f32;

    /// Whether of all that is met by a limit only some counts.
    fn is_picky(&self, limit: f32) -> bool;

    /// Which of four boxes may hold what counts. Corners as below.
    fn may_count(&self, corners: [[f32x4; 3]; 2]) -> f32x4;

    /// The entries into four boxes, put off to where they may first be hit. The lower and the upper corners
    /// are seen from where the course begins, by axis, and each side is off by no more than five times 2⁻²⁴
    /// of the size of the scene.
    fn look(&self, corners: [[f32x4; 3]; 2], entry: f32x4) -> f32x4;
}

/// Knows only the box.
struct Nobody;

impl BoundRefiner for Nobody {
    #[inline(always)]
    fn largest_step(&self) -> f32 {
        -1.0
    }

    #[inline(always)]
    fn is_picky(&self, _: f32) -> bool {
        false
    }

    #[inline(always)]
    fn may_count(&self, _: [[f32x4; 3]; 2]) -> f32x4 {
        f32x4::splat(0.0).simd_eq(f32x4::splat(0.0))
    }

    #[inline(always)]
    fn look(&self, _: [[f32x4; 3]; 2], entry: f32x4) -> f32x4 {
        entry
    }
}

impl WideTree {
    /// Visits the slots of the items that a moving box may meet at a fraction of at most `best` of its
    /// translation, as [`Tree::sweep`](super::super::Tree::sweep) does, one run of slots after the other.
    pub fn sweep(&self, swept: &SweptBox, best: f64, visit: impl FnMut(Range<u32>, f64) -> f64) -> f64 {
        self.sweep_expecting(swept, best, |_| (), visit)
    }

    /// The same; `expect` gets the slots that may be visited soon, by the first of them.
    pub(crate) fn sweep_expecting(
        &self,
        swept: &SweptBox,
        best: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(Range<u32>, f64) -> f64,
    ) -> f64 {
        match self.plan(swept.center(), swept.translation(), swept.half_extents(), best) {
            Plan::Nothing => best,
            Plan::ClippedSweep(clipped) => {
                self.follow(&clipped, &Nobody, best, expect, |run, best, _| visit(run, best))
            }
            Plan::Exact => self.in_order(|volume| volume.entry(swept), best, visit),
        }
    }

    /// The same for a course that has been planned. `visit` gets the best as a fraction of that, too.
    #[inline(always)]
    pub(crate) fn follow(
        &self,
        clipped: &ClippedSweep,
        closer: &impl BoundRefiner,
        best: f64,
        expect: impl Fn(u32),
        visit: impl FnMut(Range<u32>, f64, f32) -> f64,
    ) -> f64 {
        if self.depth as usize * (WIDTH - 1) + WIDTH <= SHALLOW {
            self.follow_with::<SHALLOW>(clipped, closer, best, expect, visit)
        } else {
            self.follow_with::<DEEP>(clipped, closer, best, expect, visit)
        }
    }

    #[inline(always)]
    fn follow_with<const STACK: usize>(
        &self,
        clipped: &ClippedSweep,
        closer: &impl BoundRefiner,
        mut best: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(Range<u32>, f64, f32) -> f64,
    ) -> f64 {
        let slabs = Slabs::new(clipped, closer.largest_step());
        let mut limit = clipped.limit(best);
        let mut stack = Stack::<f32, STACK>::new();
        let mut target = Target { first: 0, count: 0 };
        let mut is_expected = false;
        loop {
            if target.count == 0 {
                let node = &self.nodes[target.first as usize];
                // Its nodes stand next to one another, each in a line of its own, and any of them may be the
                // next.
                prefetch_all(self.nodes.get(node.first_node as usize..).into_iter().flatten().take(WIDTH));
                if !is_expected && node.has_leaves() {
                    expect(node.first_slot);
                }
                let (entries, mut met) = node.entries(&slabs, clipped, closer, limit);
                if met != 0 {
                    target = if met & (met - 1) == 0 {
                        node.target(met.trailing_zeros() as usize)
                    } else {
                        let first = stack.height();
                        while met != 0 {
                            let child = met.trailing_zeros() as usize;
                            met &= met - 1;
                            stack.push(first, entries[child % WIDTH], node.target(child));
                        }
                        let Some(Waiting { target, .. }) = stack.pop() else { return best };
                        target
                    };
                    is_expected = false;
                    if target.count == 0
                        && let Some(slot) = node.slots_below(target)
                    {
                        expect(slot);
                        is_expected = true;
                    }
                    continue;
                }
            } else {
                let improved = visit(target.first..target.first + target.count, best, limit);
                // A NaN is an improvement too, if only for the limit.
                if improved != best {
                    best = improved;
                    limit = clipped.limit(best);
                }
            }
            target = loop {
                let Some(Waiting { bound, target }) = stack.pop() else { return best };
                if bound <= limit {
                    break target;
                }
            };
            is_expected = false;
        }
    }

    /// Visits runs of slots by a number that no item in a box is below, as
    /// [`Tree::in_order`](super::super::Tree::in_order) does.
    pub fn in_order(
        &self,
        bound: impl Fn(&WideBox) -> f64,
        mut best: f64,
        mut visit: impl FnMut(Range<u32>, f64) -> f64,
    ) -> f64 {
        if self.nodes.is_empty() {
            return best;
        }
        let mut stack = Stack::<f64, DEEP>::new();
        let mut target = Target { first: 0, count: 0 };
        loop {
            if target.count == 0 {
                let node = &self.nodes[target.first as usize];
                let first = stack.height();
                for child in 0..node.children as usize {
                    let bound = bound(&node.volume(child));
                    if within(bound, best) {
                        stack.push(first, bound, node.target(child));
                    }
                }
            } else {
                best = visit(target.first..target.first + target.count, best);
            }
            target = loop {
                let Some(Waiting { bound, target }) = stack.pop() else { return best };
                if within(bound, best) {
                    break target;
                }
            };
        }
    }
}

/// A course as boxes are compared with it, the numbers of its axes in one register.
struct Slabs {
    /// Where the course begins, and as far before and beyond it as the moving box reaches: x, y, z, and
    /// nothing.
    beyond: f32x4,
    before: f32x4,
    inverse: f32x4,
    /// Nothing, x, y, z.
    inverse_of_steps: f32x4,
    /// Ties are worth a closer look.
    largest_step: f32x4,
}

impl Slabs {
    #[inline(always)]
    fn new(clipped: &ClippedSweep, largest_step: f32) -> Self {
        let lanes = |v: Vec3| f32x4::new([v.x, v.y, v.z, 0.0]);
        let [x, y, z] = clipped.inverse.to_array();
        Self {
            beyond: lanes(clipped.from + clipped.reach),
            before: lanes(clipped.from - clipped.reach),
            inverse: lanes(clipped.inverse),
            inverse_of_steps: f32x4::new([0.0, x, y, z]),
            largest_step: f32x4::splat(largest_step),
        }
    }
}

/// The origin of a node, for lower and for upper sides, and its steps, as fractions of the path: by axis, the
/// steps one later.
struct SlabFractions {
    lower: [f32; 4],
    upper: [f32; 4],
    steps: [f32; 4],
}

impl Node {
    /// The fractions of the path at which the children may be hit, and a bit for each that may be hit by
    /// the limit.
    #[inline(always)]
    fn entries(
        &self,
        slabs: &Slabs,
        clipped: &ClippedSweep,
        closer: &impl BoundRefiner,
        limit: f32,
    ) -> ([f32; WIDTH], u32) {
        // Neighbors in memory, so that each is one load.
        let ([x, y, z], [p, q, r]) = (self.origin, self.scale);
        let (origin, scale) = (f32x4::new([x, y, z, p]), f32x4::new([z, p, q, r]));
        let lower = ((origin - slabs.beyond) * slabs.inverse).to_array();
        let upper = ((origin - slabs.before) * slabs.inverse).to_array();
        let steps = (scale * slabs.inverse_of_steps).to_array();
        let slab = SlabFractions { lower, upper, steps };
        let (x, y, z) = (self.slab(0, &slab), self.slab(1, &slab), self.slab(2, &slab));
        let entry = x.0.fast_max(y.0).fast_max(z.0.fast_max(f32x4::splat(0.0)));
        let exit = x.1.fast_min(y.1).fast_min(z.1.fast_min(f32x4::splat(limit)));
        let children = (1 << self.children) - 1;
        let mut met = entry.simd_le(exit).to_bitmask() & children;
        if met != 0 && closer.is_picky(limit) {
            met &= closer.may_count(self.corners_from(clipped)).to_bitmask();
        }
        let is_worth = scale.simd_le(slabs.largest_step).to_bitmask() & 0b1110 == 0b1110;
        if met == 0 || !is_worth {
            return (entry.to_array(), met);
        }
        let entry = closer.look(self.corners_from(clipped), entry);
        // A NaN may be hit.
        (entry.to_array(), met & !entry.simd_gt(f32x4::splat(limit)).to_bitmask())
    }

    /// The fractions at which the children are entered and left along an axis.
    #[inline(always)]
    fn slab(&self, axis: usize, SlabFractions { lower, upper, steps }: &SlabFractions) -> (f32x4, f32x4) {
        let step = f32x4::splat(steps[axis + 1]);
        let a = in_lanes(self.lower[axis]) * step + f32x4::splat(lower[axis]);
        let b = in_lanes(self.upper[axis]) * step + f32x4::splat(upper[axis]);
        (a.fast_min(b), a.fast_max(b))
    }

    /// The lower and the upper corners of the children, seen from where a course begins.
    #[inline(always)]
    fn corners_from(&self, clipped: &ClippedSweep) -> [[f32x4; 3]; 2] {
        [&self.lower, &self.upper].map(|sides| {
            core::array::from_fn(|axis| {
                in_lanes(sides[axis]) * f32x4::splat(self.scale[axis])
                    + f32x4::splat(self.origin[axis] - clipped.from[axis])
            })
        })
    }
}

/// Through i32 to f32: there is an instruction for i32, none for bytes.
#[inline(always)]
pub(super) fn in_lanes(steps: [u8; WIDTH]) -> f32x4 {
    let [a, b, c, d] = steps;
    f32x4::from_i32x4(i32x4::new([i32::from(a), i32::from(b), i32::from(c), i32::from(d)]))
}

/// The stack of nodes that wait, the lowest bound of each node's children on top.
pub(super) struct Stack<T, const SIZE: usize> {
    waiting: ArrayVec<Waiting<T>, SIZE>,
}

impl<T: Copy + PartialOrd, const SIZE: usize> Stack<T, SIZE> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { waiting: ArrayVec::new() }
    }

    #[inline(always)]
    pub(super) fn height(&self) -> usize {
        self.waiting.len()
    }

    /// Puts a child in its place among its siblings, which begin at `first`. Of equals the first comes out
    /// first.
    #[inline(always)]
    pub(super) fn push(&mut self, first: usize, bound: T, target: Target) {
        self.waiting.push(Waiting { bound, target });
        let mut place = self.waiting.len() - 1;
        while place > first && self.waiting[place - 1].bound <= bound {
            self.waiting.swap(place - 1, place);
            place -= 1;
        }
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Waiting<T>> {
        self.waiting.pop()
    }
}
