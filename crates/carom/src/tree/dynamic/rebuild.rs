//! Rebuilds a part of the tree.
//!
//! Source: Wald, *On fast construction of SAH-based bounding volume hierarchies* (2007), through
//! [`Tree::build`]. The largest nodes below one are opened until there are [`PART`] items and unchanged
//! nodes. The part is built of these, with two levels of the binary tree for one 4-ary level. Cost: that of
//! building a tree of this size.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;

use super::super::{PackedAabb, Settings, Tree};
use super::{Bounds, DynamicTree, HUNG_BEFORE_REBUILD, Link, MOVED_BEFORE_REBUILD, Node, PART, PARTS_A_ROOT};
use super::{NodeLane, Root, Target, WIDTH, area};

/// The unchanged parts.
#[derive(Clone, Copy)]
struct Kept {
    link: Link,
    bounds: Bounds,
    leaves: u32,
}

impl DynamicTree {
    /// Rebuilds parts of the tree below a root, in proportion to the changes there. The tree must be fitted.
    pub(super) fn tend(&mut self, root: Root) {
        while self.hung[root as usize] >= HUNG_BEFORE_REBUILD {
            self.hung[root as usize] -= HUNG_BEFORE_REBUILD;
            // Around the last: boxes that are added in a row along a line would make a list.
            let last = self.places[self.last_hung[root as usize] as usize];
            let part = if last == NodeLane::NOWHERE { root as usize } else { self.part_around(last.node()) };
            self.rebuild_part(root, part);
        }
        while self.moved[root as usize] >= MOVED_BEFORE_REBUILD {
            self.moved[root as usize] -= MOVED_BEFORE_REBUILD;
            let part = self.some_part(root);
            self.rebuild_part(root, part);
        }
    }

    /// Rebuilds a part, or sometimes the nodes below the root instead.
    fn rebuild_part(&mut self, root: Root, part: usize) {
        self.rebuilt = self.rebuilt.wrapping_add(1);
        self.rebuild(if self.rebuilt.is_multiple_of(PARTS_A_ROOT) { root as usize } else { part });
    }

    /// The highest node that is no larger than a part, from a node upward.
    fn part_around(&self, mut node: usize) -> usize {
        while self.nodes[node].parent != NodeLane::NOWHERE {
            let above = self.nodes[node].parent.node();
            if self.nodes[above].leaves as usize > PART {
                break;
            }
            node = above;
        }
        node
    }

    /// A node no larger than a part, or one beside whose items there is none: each in its turn, as often as
    /// it has items.
    fn some_part(&self, root: Root) -> usize {
        // Multiples of the golden ratio come everywhere evenly.
        let share = u64::from(self.rebuilt.wrapping_mul(0x9e37_79b9));
        let mut node = root as usize;
        let mut left = (share * u64::from(self.nodes[node].leaves)) >> 32;
        'down: while self.nodes[node].leaves as usize > PART {
            let here = &self.nodes[node];
            for lane in here.used_lanes() {
                let Target::Node(below) = here.links[lane].target() else {
                    left = left.saturating_sub(1);
                    continue;
                };
                let leaves = u64::from(self.nodes[below as usize].leaves);
                if left < leaves {
                    node = below as usize;
                    continue 'down;
                }
                left -= leaves;
            }
            break;
        }
        node
    }

    /// Rebuilds the part below a node.
    fn rebuild(&mut self, top: usize) {
        let (kept, opened) = self.open(top);
        // Nothing below it is a node: it stays as it is.
        if opened.is_empty() {
            return;
        }
        let settings = Settings { max_leaf_items: 1, ..Settings::DEFAULT };
        let volume = |i: u32| PackedAabb::between(kept[i as usize].bounds);
        let binary = Tree::build(kept.len() as u32, volume, &settings);
        let Some(root) = binary.root_number() else { return };
        self.free.extend(opened);
        let Node { parent, root: own_root, .. } = self.nodes[top];
        self.nodes[top] = Node { parent, ..Node::empty(own_root) };
        self.build_below(top, &binary, root, &kept);
    }

    /// The subtrees that are left if the nodes below a node are taken apart, the largest first; and the nodes
    /// that were taken apart.
    fn open(&self, top: usize) -> (Vec<Kept>, Vec<u32>) {
        let mut kept: Vec<Kept> = Vec::with_capacity(PART + WIDTH);
        // By area, of equals the first. Areas are not negative, so their bits are in their order.
        let mut nodes = BinaryHeap::new();
        let open = |tree: &Self, node: usize, kept: &mut Vec<Kept>, nodes: &mut BinaryHeap<_>| {
            let here = &tree.nodes[node];
            for lane in here.used_lanes() {
                let (link, bounds) = (here.links[lane], here.boxes.lane(lane));
                match link.target() {
                    Target::Item(_) => kept.push(Kept { link, bounds, leaves: 1 }),
                    Target::Node(below) => {
                        nodes.push((area(bounds).to_bits(), below, NodeLane::of(node as u32, lane).0));
                    }
                }
            }
        };
        open(self, top, &mut kept, &mut nodes);
        let mut opened = Vec::new();
        while kept.len() + nodes.len() < PART {
            let Some((_, node, _)) = nodes.pop() else { break };
            open(self, node as usize, &mut kept, &mut nodes);
            opened.push(node);
        }
        for (_, node, place) in nodes {
            let place = NodeLane(place);
            let bounds = self.nodes[place.node()].boxes.lane(place.lane());
            kept.push(Kept { link: Link::node(node), bounds, leaves: self.nodes[node as usize].leaves });
        }
        // The lowest is taken first, so that nodes built together are adjacent in memory.
        opened.sort_unstable_by(|a, b| b.cmp(a));
        (kept, opened)
    }

    fn build_below(&mut self, node: usize, binary: &Tree<PackedAabb>, at: u32, kept: &[Kept]) {
        let mut children = alloc::vec![at];
        loop {
            // The largest that has children.
            let largest = (0..children.len())
                .filter(|&i| binary.children_of(children[i]).is_ok())
                .max_by(|&i, &j| size(binary, children[i]).total_cmp(&size(binary, children[j])));
            let Some(place) = largest.filter(|_| children.len() < WIDTH) else { break };
            let Ok([left, right]) = binary.children_of(children[place]) else { break };
            children[place] = left;
            children.insert(place + 1, right);
        }
        let mut leaves = 0;
        for (lane, &child) in children.iter().enumerate() {
            let place = NodeLane::of(node as u32, lane);
            match binary.children_of(child) {
                Err(run) => {
                    let own = kept[binary.order()[run.start as usize] as usize];
                    self.hang(place, own.link, own.bounds);
                    leaves += own.leaves;
                }
                Ok(_) => {
                    let new = self.new_node(self.nodes[node].root);
                    let volume = binary.volume_of(child);
                    self.hang(place, Link::node(new), [volume.min(), volume.max()]);
                    // No deeper than the binary tree.
                    self.build_below(new as usize, binary, child, kept);
                    leaves += self.nodes[new as usize].leaves;
                }
            }
        }
        self.nodes[node].leaves = leaves;
    }
}

fn size(binary: &Tree<PackedAabb>, at: u32) -> f32 {
    let volume = binary.volume_of(at);
    area([volume.min(), volume.max()])
}
