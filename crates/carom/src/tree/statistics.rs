//! Statistics of a tree, for comparing builds.

use super::{Link, Pair, Tree, Volume};

/// The shape of a tree in numbers. See [`Tree::statistics`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// The items.
    pub items: usize,
    /// All nodes, inner ones and leaves.
    pub nodes: usize,
    /// The nodes that hold items.
    pub leaves: usize,
    /// The most items in a leaf.
    pub largest_leaf: usize,
    /// The steps to the deepest leaf.
    pub depth: u32,
    /// The bytes on the heap.
    pub memory: usize,
    /// The pairs of nodes that a long ray through the bounds tests on average, by the surface area heuristic.
    pub pairs_tested: f64,
    /// The items that it tests.
    pub items_tested: f64,
}

impl<V: Volume> Tree<V> {
    /// Counts and costs of this tree. One pass over all nodes.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics {
            items: self.items.len(),
            nodes: 0,
            leaves: 0,
            largest_leaf: 0,
            depth: self.depth,
            memory: self.memory(),
            pairs_tested: 0.0,
            items_tested: 0.0,
        };
        let Some(root) = &self.root else { return statistics };
        let whole = half_area(&root.volume);
        let mut count = |volume: &V, link: Link| {
            // Where the scene is a line, or has no bounds: as if every node were met.
            let chance = if whole > 0.0 && whole.is_finite() { half_area(volume) / whole } else { 1.0 };
            statistics.nodes += 1;
            if link.count == 0 {
                statistics.pairs_tested += chance;
            } else {
                statistics.leaves += 1;
                statistics.largest_leaf = statistics.largest_leaf.max(link.count as usize);
                statistics.items_tested += chance * f64::from(link.count);
            }
        };
        count(&root.volume, root.link);
        for Pair(children) in &self.pairs {
            for child in children {
                count(&child.volume, child.link);
            }
        }
        statistics
    }
}

/// How tightly the volumes of a tree fit their contents. See [`Tree::tightness`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tightness {
    /// The volumes of all nodes below the root, as a multiple of the axis-aligned box around everything: the
    /// same measure for every kind of volume. The smaller, the fewer of them a query enters.
    pub volume: f64,
    /// The volumes of two siblings as a share of their parent's, on average over all parents that have any.
    /// Below 1 they leave some of it out; what they overlap in counts twice.
    pub children: f64,
}

impl<V: Volume> Tree<V> {
    /// How tightly the volumes fit their contents, for comparing kinds of volumes, fits and builds. One pass
    /// over all nodes.
    pub fn tightness(&self) -> Tightness {
        let Some(root) = &self.root else { return Tightness { volume: 0.0, children: 0.0 } };
        let size = root.volume.upper() - root.volume.lower();
        let whole = size.x * size.y * size.z;
        let (mut sum, mut shares, mut parents) = (0.0, 0.0, 0u32);
        let mut stack = alloc::vec![root];
        while let Some(node) = stack.pop() {
            if node.link.count > 0 {
                continue;
            }
            let Pair(children) = &self.pairs[node.link.first as usize];
            let (own, below) =
                (node.volume.volume(), children[0].volume.volume() + children[1].volume.volume());
            sum += below;
            if own > 0.0 && below.is_finite() {
                shares += below / own;
                parents += 1;
            }
            stack.extend(children);
        }
        let share = |sum: f64, of: f64| if of > 0.0 && of.is_finite() { sum / of } else { 0.0 };
        Tightness { volume: share(sum, whole), children: share(shares, parents.into()) }
    }

    /// The volumes of the nodes at one depth below the root, and of the leaves above that: together they
    /// hold everything.
    pub fn level(&self, depth: u32) -> alloc::vec::Vec<V> {
        let mut volumes = alloc::vec::Vec::new();
        let mut stack: alloc::vec::Vec<_> = self.root.iter().map(|root| (root, 0)).collect();
        while let Some((node, at)) = stack.pop() {
            if at == depth || node.link.count > 0 {
                volumes.push(node.volume);
                continue;
            }
            let Pair([left, right]) = &self.pairs[node.link.first as usize];
            stack.extend([(right, at + 1), (left, at + 1)]);
        }
        volumes
    }
}

/// Half the surface of the box around a volume.
fn half_area(volume: &impl Volume) -> f64 {
    let size = volume.upper() - volume.lower();
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::{PackedAabb, Settings};
    use super::*;
    use crate::shape::Aabb;

    #[test]
    fn a_ray_tests_nodes_by_their_share_of_the_surface() {
        let box_of = |item: u32| {
            let low = Vec3::new((item * 7 % 10) as f32, (item * 3 % 5) as f32, (item % 4) as f32 * 3.0);
            PackedAabb::new(low, low + Vec3::new(1.0, 2.0, 0.5)).expect("finite and in order")
        };
        let tree = Tree::build(60, box_of, &Settings::default());
        let surface = |volume: &PackedAabb| {
            Aabb::new(volume.lower(), volume.upper()).expect("finite and in order").surface_area()
        };
        let (mut nodes, mut leaves, mut pairs_tested, mut items_tested) = (0, 0, 0.0, 0.0);
        let root = tree.root.expect("it holds items");
        let mut waiting = alloc::vec![root];
        while let Some(node) = waiting.pop() {
            let share = surface(&node.volume) / surface(&root.volume);
            nodes += 1;
            if node.link.count > 0 {
                leaves += 1;
                items_tested += share * f64::from(node.link.count);
            } else {
                pairs_tested += share;
                waiting.extend(tree.pairs[node.link.first as usize].0);
            }
        }
        let statistics = tree.statistics();
        assert_eq!((statistics.items, statistics.nodes, statistics.leaves), (60, nodes, leaves));
        assert!((statistics.pairs_tested - pairs_tested).abs() < 1e-9, "{statistics:?} {pairs_tested}");
        assert!((statistics.items_tested - items_tested).abs() < 1e-9, "{statistics:?} {items_tested}");
    }
}
