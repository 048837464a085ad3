//! Walks: from the root to the candidate leaves, without recursion and without allocation.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 6.6. Both children of a node are tested at once. The
//! nearer one is entered. The farther one is stored with its bound, and dropped later if the best answer is
//! better by then. Cost: two bounds per node entered; logarithmic in the number of items for a short path
//! among evenly spread ones. The stack cannot overflow: it grows by at most one per level, and no tree is
//! deeper than [`MAX_DEPTH`].

use core::ops::ControlFlow;

use glam::DVec3;

use super::{Link, MAX_DEPTH, Pair, SweptBox, Tree, Volume};
use crate::shape::Aabb;

const STACK: usize = MAX_DEPTH as usize;
const NOTHING: Link = Link { first: 0, count: 0 };

/// Whether what has this bound may be as good as the best: so, too, if a visitor has answered NaN.
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "what cannot be compared is not skipped")]
#[inline(always)]
pub(super) fn within(bound: f64, best: f64) -> bool {
    !(bound > best)
}

impl<V: Volume> Tree<V> {
    /// Visits the items whose volumes a moving box may meet at a fraction of at most `best` of its
    /// translation, 1 for all of it, roughly in the order of meeting. The visitor gets an item and the best
    /// fraction so far and answers with the best fraction from then on: the same, or less if the item stops
    /// the mover earlier. The last answer is the result.
    ///
    /// Items that may be hit at just the best fraction are visited too, so that ties are the visitor's to
    /// break. An answer below 0 ends the walk.
    ///
    /// The visitor's fraction for an item must not be less than the one at which the box reaches the item's
    /// volume. Let the box stand out from the mover by what the visitor may be wrong by, and skins and
    /// margins.
    pub fn sweep(&self, swept: &SweptBox, best: f64, visit: impl FnMut(u32, f64) -> f64) -> f64 {
        self.in_order(|volume| volume.entry(swept), best, visit)
    }

    /// Visits the items whose volumes may be at a squared distance of at most `best`, in square meters, from
    /// a point, the nearer ones first. The visitor gets an item and the best squared distance so far and
    /// answers with the best from then on: the same, or less if the item is nearer. The last answer is the
    /// result. Start with infinity.
    ///
    /// Ties are visited, as in [`sweep`](Self::sweep). Distances beyond 10¹⁵⁴ m have no square: such an item
    /// is never skipped for a farther one, and may be visited in any order.
    pub fn nearest(&self, point: DVec3, best: f64, visit: impl FnMut(u32, f64) -> f64) -> f64 {
        self.in_order(|volume| volume.distance_squared(point), best, visit)
    }

    /// Visits the items of all leaves that overlap a box, until the visitor breaks off. Always in the same
    /// order.
    ///
    /// Items whose own volumes do not overlap may be visited; all that do are.
    pub fn overlaps<B>(&self, aabb: &Aabb, visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.descend(|volume| volume.overlaps(aabb), visit)
    }

    /// The walk under [`sweep`](Self::sweep) and [`nearest`](Self::nearest), for any number that no item of a
    /// volume is below. Volumes above the best number so far are skipped; of two, the one with the lower
    /// number goes first.
    pub fn in_order(
        &self,
        bound: impl Fn(&V) -> f64,
        mut best: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let Some(root) = &self.root else { return best };
        if !within(bound(&root.volume), best) {
            return best;
        }
        let mut stack = [(0.0, NOTHING); STACK];
        let mut height = 0;
        let mut link = root.link;
        loop {
            if link.count == 0 {
                let Pair([left, right]) = &self.pairs[link.first as usize];
                let (left_bound, right_bound) = (bound(&left.volume), bound(&right.volume));
                let right_first = right_bound < left_bound;
                let (near, far) = if right_first { (right, left) } else { (left, right) };
                let (near_bound, far_bound) =
                    if right_first { (right_bound, left_bound) } else { (left_bound, right_bound) };
                if within(far_bound, best) {
                    stack[height % STACK] = (far_bound, far.link);
                    height += 1;
                }
                if within(near_bound, best) {
                    link = near.link;
                    continue;
                }
            } else {
                for &item in self.items_of(link) {
                    best = visit(item, best);
                }
            }
            link = loop {
                if height == 0 {
                    return best;
                }
                height -= 1;
                let (bound, link) = stack[height % STACK];
                if within(bound, best) {
                    break link;
                }
            };
        }
    }

    /// The walk under [`overlaps`](Self::overlaps), for any test that no item can pass whose volume does not.
    pub fn descend<B>(
        &self,
        enter: impl Fn(&V) -> bool,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(root) = self.root.as_ref().filter(|root| enter(&root.volume)) else {
            return ControlFlow::Continue(());
        };
        let mut stack = [NOTHING; STACK];
        let mut height = 0;
        let mut link = root.link;
        loop {
            if link.count == 0 {
                let Pair([left, right]) = &self.pairs[link.first as usize];
                let (enter_left, enter_right) = (enter(&left.volume), enter(&right.volume));
                if enter_left && enter_right {
                    stack[height % STACK] = right.link;
                    height += 1;
                }
                if enter_left || enter_right {
                    link = if enter_left { left.link } else { right.link };
                    continue;
                }
            } else {
                for &item in self.items_of(link) {
                    visit(item)?;
                }
            }
            if height == 0 {
                return ControlFlow::Continue(());
            }
            height -= 1;
            link = stack[height % STACK];
        }
    }
}
