//! What a tree looks like, for comparing builds.

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

/// Half the surface of the box around a volume.
fn half_area(volume: &impl Volume) -> f64 {
    let size = volume.upper() - volume.lower();
    size.x * size.y + size.y * size.z + size.z * size.x
}
