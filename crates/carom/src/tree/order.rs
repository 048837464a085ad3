//! A tree over items that are in order already: halved again and again, in place.
//!
//! Source: Lauterbach et al., *Fast BVH construction on GPUs* (2009): along a curve that fills space, neighbours in the order are
//! neighbours in space, so that the order is all there is to find. Idea: sorting is quick and needs no room of its own; the
//! boxes follow from the order. Cost: two volumes per leaf; what it allocates is kept for the next time. The boxes overlap more than
//! those of a built tree: for items that move all the time and are asked about a few times each.

use alloc::vec::Vec;

use super::{Link, Node, Pair, Tree, Volume};

/// No more items in a leaf than this: testing them costs less than another pair of nodes.
const LEAF: usize = 2;

impl<V: Volume> Tree<V> {
    /// A tree over nothing.
    pub fn empty() -> Self {
        Self { root: None, pairs: Vec::new(), items: Vec::new(), depth: 0 }
    }

    /// Makes this the tree over the items that are handed over, halved by their order and no other rule. It allocates only where there
    /// are more items than ever before. The volume of each is as the function has it, which is asked for each item once.
    pub fn rebuild_in_order(
        &mut self,
        items: impl IntoIterator<Item = u32>,
        volume: impl Fn(u32) -> V + Sync,
    ) {
        self.items.clear();
        self.items.extend(items);
        self.pairs.clear();
        self.depth = 0;
        self.root = None;
        let Some(&any) = self.items.first() else { return };
        let any = volume(any);
        let link = self.halve(0, self.items.len(), 0, any);
        self.root = Some(Node { volume: any, link });
        self.refit(volume);
    }

    /// Hangs pairs over a stretch of the items; their volumes are not fitted yet. No deeper than log₂ of the number of items.
    fn halve(&mut self, first: usize, count: usize, depth: u32, any: V) -> Link {
        self.depth = self.depth.max(depth);
        if count <= LEAF {
            self.items[first..][..count].sort_unstable();
            return Link { first: first as u32, count: count as u32 };
        }
        let pair = self.pairs.len();
        let hanging = Node { volume: any, link: Link { first: 0, count: 0 } };
        self.pairs.push(Pair([hanging; 2]));
        let left = count / 2;
        let links =
            [self.halve(first, left, depth + 1, any), self.halve(first + left, count - left, depth + 1, any)];
        for (node, link) in self.pairs[pair].0.iter_mut().zip(links) {
            node.link = link;
        }
        Link { first: pair as u32, count: 0 }
    }
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow;

    use glam::{DVec3, dvec3};

    use super::*;
    use crate::shape::Aabb;

    fn place(i: u32) -> Aabb {
        let at = dvec3(f64::from(i * 7919 % 101), f64::from(i * 31 % 17), 0.0);
        Aabb::new(at, at + DVec3::splat(1.5)).unwrap()
    }

    #[test]
    fn finds_what_asking_all_finds_whatever_the_order() {
        let mut tree = Tree::empty();
        for count in [0u32, 1, 2, 3, 5, 100, 99, 1] {
            // By a number that has nothing to do with where they are: slow, but as right.
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|i| i.wrapping_mul(2_654_435_769));
            tree.rebuild_in_order(order, place);
            assert_eq!((tree.len(), tree.is_empty()), (count as usize, count == 0));
            assert!(tree.depth() <= 8, "{}", tree.depth());
            for i in 0..count {
                let mut found = Vec::new();
                let _ = tree.overlaps(&place(i), |other| {
                    found.push(other);
                    ControlFlow::<()>::Continue(())
                });
                found.retain(|other| place(*other).overlaps_aabb(&place(i)));
                found.sort_unstable();
                let all: Vec<u32> =
                    (0..count).filter(|other| place(*other).overlaps_aabb(&place(i))).collect();
                assert_eq!(found, all, "{i} of {count}");
            }
        }
    }
}
