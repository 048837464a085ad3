//! Two trees against each other, down to the pairs of leaves that may meet.
//!
//! Source: Gottschalk, Lin, Manocha, *OBB trees* (1996), section 3: of two volumes that may meet, the larger
//! one is opened, and each of its two children is tested against the other volume. Cost: two tests for each
//! pair of volumes that may meet. No recursion and no allocation: each step opens one node, so the stack is
//! never deeper than both trees together.

use core::ops::{ControlFlow, Range};

use super::walk::within;
use super::{Link, MAX_DEPTH, Node, Pair, Tree, Volume};

const STACK: usize = 2 * MAX_DEPTH as usize + 1;

/// Two nodes that have still to be opened.
#[derive(Clone, Copy)]
struct Waiting {
    bound: f64,
    first: Subtree,
    second: Subtree,
}

#[derive(Clone, Copy)]
struct Subtree {
    link: Link,
    /// Of its volume; −1 for a leaf, which is never opened.
    size: f32,
}

impl Subtree {
    const NONE: Self = Self { link: Link { first: 0, count: 0 }, size: 0.0 };

    #[inline(always)]
    fn of<V: Volume>(node: &Node<V>, factor: f32) -> Self {
        Self { link: node.link, size: if node.link.count > 0 { -1.0 } else { node.volume.size() * factor } }
    }

    fn is_leaf(self) -> bool {
        self.link.count > 0
    }

    fn run(self) -> Range<u32> {
        self.link.first..self.link.first + self.link.count
    }
}

impl<V: Volume> Tree<V> {
    /// The items in the order of the leaves. The walks over pairs name the items of a leaf by their places
    /// here.
    pub fn order(&self) -> &[u32] {
        &self.items
    }

    /// Visits the pairs of items, one of each tree, whose leaves may meet, until the visitor stops. Always in
    /// the same order. `may_meet` must not refuse two volumes of which any two items meet.
    pub fn pairs<W: Volume, B>(
        &self,
        other: &Tree<W>,
        may_meet: impl FnMut(&V, &W) -> bool,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.leaf_pairs(other, 1.0, may_meet, |firsts, seconds| {
            for &first in &self.items[firsts.start as usize..firsts.end as usize] {
                for &second in &other.items[seconds.start as usize..seconds.end as usize] {
                    visit(first, second)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// The walk under [`pairs`](Self::pairs): visits pairs of leaves, as stretches of [`order`](Self::order)
    /// of either. `factor` is the size of one of the other tree's square meters in this tree's: the larger
    /// node is opened first.
    #[inline(always)]
    pub fn leaf_pairs<W: Volume, B>(
        &self,
        other: &Tree<W>,
        factor: f32,
        mut may_meet: impl FnMut(&V, &W) -> bool,
        mut visit: impl FnMut(Range<u32>, Range<u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (Some(first), Some(second)) = (&self.root, &other.root) else { return ControlFlow::Continue(()) };
        if !may_meet(&first.volume, &second.volume) {
            return ControlFlow::Continue(());
        }
        let mut stack = [(Subtree::NONE, Subtree::NONE, 0u32, 0u32); STACK];
        let mut height = 0;
        // The volumes are looked up again when their turn comes: the numbers of their pairs, doubled, and the
        // side.
        let (mut first, mut second) = (Subtree::of(first, 1.0), Subtree::of(second, factor));
        let (mut first_at, mut second_at) = (ROOT, ROOT);
        loop {
            if first.is_leaf() && second.is_leaf() {
                visit(first.run(), second.run())?;
            } else if first.size >= second.size || second.is_leaf() {
                let Pair(children) = &self.pairs[first.link.first as usize];
                let held = &other.node(second_at).volume;
                let at = first.link.first << 1;
                let meet = [may_meet(&children[0].volume, held), may_meet(&children[1].volume, held)];
                if meet[0] && meet[1] {
                    stack[height % STACK] = (Subtree::of(&children[1], 1.0), second, at | 1, second_at);
                    height += 1;
                }
                if meet[0] || meet[1] {
                    let side = usize::from(!meet[0]);
                    first = Subtree::of(&children[side], 1.0);
                    first_at = at | side as u32;
                    continue;
                }
            } else {
                let Pair(children) = &other.pairs[second.link.first as usize];
                let held = &self.node(first_at).volume;
                let at = second.link.first << 1;
                let meet = [may_meet(held, &children[0].volume), may_meet(held, &children[1].volume)];
                if meet[0] && meet[1] {
                    stack[height % STACK] = (first, Subtree::of(&children[1], factor), first_at, at | 1);
                    height += 1;
                }
                if meet[0] || meet[1] {
                    let side = usize::from(!meet[0]);
                    second = Subtree::of(&children[side], factor);
                    second_at = at | side as u32;
                    continue;
                }
            }
            if height == 0 {
                return ControlFlow::Continue(());
            }
            height -= 1;
            (first, second, first_at, second_at) = stack[height % STACK];
        }
    }

    /// Visits pairs of leaves for any number that no pair of items is below whose volumes have this bound, as
    /// [`in_order`](Tree::in_order) does for one tree: pairs above the best number so far are skipped, nearer
    /// ones go first. The visitor gets two stretches of [`order`](Self::order) and the best number so far,
    /// and answers with the best from then on.
    pub fn leaf_pairs_in_order<W: Volume>(
        &self,
        other: &Tree<W>,
        factor: f32,
        mut bound: impl FnMut(&V, &W) -> f64,
        mut best: f64,
        mut visit: impl FnMut(Range<u32>, Range<u32>, f64) -> f64,
    ) -> f64 {
        let (Some(first), Some(second)) = (&self.root, &other.root) else { return best };
        if !within(bound(&first.volume, &second.volume), best) {
            return best;
        }
        let nothing = Waiting { bound: 0.0, first: Subtree::NONE, second: Subtree::NONE };
        let mut stack = [(nothing, 0u32, 0u32); STACK];
        let mut height = 0;
        let mut now =
            Waiting { bound: 0.0, first: Subtree::of(first, 1.0), second: Subtree::of(second, factor) };
        let (mut first_at, mut second_at) = (ROOT, ROOT);
        loop {
            let Waiting { first, second, .. } = now;
            if first.is_leaf() && second.is_leaf() {
                best = visit(first.run(), second.run(), best);
            } else {
                let opens_first = first.size >= second.size || second.is_leaf();
                let next = if opens_first {
                    let Pair(children) = &self.pairs[first.link.first as usize];
                    let held = &other.node(second_at).volume;
                    [0, 1].map(|side| {
                        let child = &children[side];
                        let bound = bound(&child.volume, held);
                        let waiting = Waiting { bound, first: Subtree::of(child, 1.0), second };
                        (waiting, first.link.first << 1 | side as u32, second_at)
                    })
                } else {
                    let Pair(children) = &other.pairs[second.link.first as usize];
                    let held = &self.node(first_at).volume;
                    [0, 1].map(|side| {
                        let child = &children[side];
                        let bound = bound(held, &child.volume);
                        let waiting = Waiting { bound, first, second: Subtree::of(child, factor) };
                        (waiting, first_at, second.link.first << 1 | side as u32)
                    })
                };
                let [near, far] = if next[1].0.bound < next[0].0.bound { [next[1], next[0]] } else { next };
                if within(far.0.bound, best) {
                    stack[height % STACK] = far;
                    height += 1;
                }
                if within(near.0.bound, best) {
                    (now, first_at, second_at) = near;
                    continue;
                }
            }
            (now, first_at, second_at) = loop {
                if height == 0 {
                    return best;
                }
                height -= 1;
                let next = stack[height % STACK];
                if within(next.0.bound, best) {
                    break next;
                }
            };
        }
    }

    /// The shape of the tree in numbers.
    pub(crate) fn links(&self) -> impl Iterator<Item = u32> + '_ {
        self.pairs
            .iter()
            .flat_map(|Pair(nodes)| nodes.each_ref().map(|node| [node.link.first, node.link.count]))
            .flatten()
    }

    /// The number of the root, if there is anything.
    pub(crate) fn root_number(&self) -> Option<u32> {
        self.root.as_ref().map(|_| ROOT)
    }

    /// The volume of the node with this number.
    pub(crate) fn volume_of(&self, at: u32) -> &V {
        &self.node(at).volume
    }

    /// The numbers of the children of a node, or the stretch of [`order`](Self::order) that a leaf holds.
    pub(crate) fn children_of(&self, at: u32) -> Result<[u32; 2], Range<u32>> {
        let link = self.node(at).link;
        if link.count == 0 {
            Ok([link.first << 1, link.first << 1 | 1])
        } else {
            Err(link.first..link.first + link.count)
        }
    }

    /// The node with this number: twice that of its pair, and its side.
    #[inline(always)]
    pub(super) fn node(&self, at: u32) -> &Node<V> {
        match (at, &self.root) {
            (ROOT, Some(root)) => root,
            _ => &self.pairs[(at >> 1) as usize].0[(at & 1) as usize],
        }
    }
}

/// The number of the root, which is in no pair. Pairs are fewer than 2³¹: a tree of n leaves has n − 1.
pub(super) const ROOT: u32 = u32::MAX;
