//! From a binary tree to a wide one.
//!
//! From the top: the children of a node are those of the binary node, of which the largest is replaced by its
//! own two as long as there is room. Cost: one pass over the binary tree.

use alloc::vec;
use alloc::vec::Vec;

use super::super::{Node as BinaryNode, PackedAabb, Pair, Settings, Tree, Volume};
use super::{FAR, Link, Node, WIDTH, WideTree, place};

/// Four items are tested at about the cost of one, so leaves are as large as they may be where that costs no
/// more than a node.
const SETTINGS: Settings = Settings { max_leaf_items: WIDTH as u32, item_cost: 0.25, ..Settings::DEFAULT };

type Binary = BinaryNode<PackedAabb>;

impl WideTree {
    /// The tree over items 0 … `count` with these boxes, and the items in the order of their slots. The
    /// function is asked for each item more than once and must answer the same.
    ///
    /// With the feature `parallel` this runs on all cores. The tree is the same to the bit.
    pub fn build(count: u32, volume: impl Fn(u32) -> PackedAabb + Sync) -> (Self, Vec<u32>) {
        let binary = Tree::build(count, volume, &SETTINGS);
        let bounds = binary.bounds();
        let largest = bounds.map_or(0.0, |bounds| {
            let (lower, upper) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            lower.abs().max(upper.abs()).max_element()
        });
        let mut tree = Self { nodes: Vec::new(), bounds, largest, slots: count, depth: 0 };
        let mut order = Vec::with_capacity(count as usize);
        let Some(root) = binary.root else { return (tree, order) };

        /// A node that is still empty.
        struct Waiting {
            index: usize,
            depth: u32,
            volume: PackedAabb,
            children: Children,
        }
        tree.nodes.push(Node::EMPTY);
        let mut stack =
            vec![Waiting { index: 0, depth: 1, volume: root.volume, children: Children::of(&binary, &root) }];
        while let Some(Waiting { index, depth, volume, children }) = stack.pop() {
            tree.depth = tree.depth.max(depth);
            let (first_node, first_slot) = (tree.nodes.len(), order.len());
            let mut node =
                Node { first_node: first_node as u32, first_slot: first_slot as u32, ..Node::EMPTY };
            node.set_boxes(&volume, children.as_slice());
            for (child, link) in children.as_slice().iter().zip(&mut node.links) {
                if child.link.count == 0 {
                    *link = Link::node(tree.nodes.len() - first_node);
                    tree.nodes.push(Node::EMPTY);
                } else {
                    let items = binary.items_of(child.link);
                    *link = Link::leaf(order.len() - first_slot, items.len());
                    order.extend_from_slice(items);
                }
            }
            // The first child is taken from the stack first: the tree is laid out depth first.
            let inner = children.as_slice().iter().filter(|child| child.link.count == 0);
            let waiting = inner.zip(first_node..).map(|(child, index)| Waiting {
                index,
                depth: depth + 1,
                volume: child.volume,
                children: Children::of(&binary, child),
            });
            let above = stack.len();
            stack.extend(waiting);
            stack[above..].reverse();
            tree.nodes[index] = node;
        }
        tree.nodes.shrink_to_fit();
        for index in 0..tree.nodes.len() {
            tree.nodes[index].starts = tree.starts(&tree.nodes[index]);
        }
        (tree, order)
    }
}

impl WideTree {
    /// Where the slots of the second and later nodes below one begin, as it keeps that.
    fn starts(&self, node: &Node) -> [u8; WIDTH - 1] {
        let inner = node.links.iter().take(node.children.into()).filter(|link| !link.is_leaf()).count();
        let mut starts = [FAR; WIDTH - 1];
        for place in 1..inner {
            let start = self.nodes[node.first_node as usize + place].first_slot - node.first_slot;
            if start >= FAR.into() {
                return [FAR; WIDTH - 1];
            }
            starts[place - 1] = start as u8;
        }
        starts
    }
}

/// Nodes of the binary tree that become the children of one node.
struct Children {
    nodes: [Binary; WIDTH],
    count: usize,
}

impl Children {
    /// The children of a node; the node itself if it is a leaf.
    fn of(binary: &Tree<PackedAabb>, node: &Binary) -> Self {
        let mut children = Self { nodes: [*node; WIDTH], count: 1 };
        while children.count < WIDTH {
            let Some(place) = children.largest_inner() else { break };
            let Pair([left, right]) = &binary.pairs[children.nodes[place].link.first as usize];
            children.nodes[place] = *left;
            children.nodes.copy_within(place + 1..WIDTH - 1, place + 2);
            children.nodes[place + 1] = *right;
            children.count += 1;
        }
        children
    }

    /// Of those that are no leaves the one that is entered most often; of equals the first.
    fn largest_inner(&self) -> Option<usize> {
        let mut largest = None;
        let mut area = f64::NEG_INFINITY;
        for (place, node) in self.as_slice().iter().enumerate() {
            let size = node.volume.upper() - node.volume.lower();
            let own = size.x * size.y + size.y * size.z + size.z * size.x;
            // Not a NaN's fault: an endless box without thickness counts like any other.
            if node.link.count == 0 && (largest.is_none() || own > area) {
                (largest, area) = (Some(place), own);
            }
        }
        largest
    }

    fn as_slice(&self) -> &[Binary] {
        &self.nodes[..self.count]
    }
}

impl Node {
    fn set_boxes(&mut self, around: &PackedAabb, children: &[Binary]) {
        self.children = children.len() as u8;
        for axis in 0..3 {
            let (origin, end) = (around.min()[axis], around.max()[axis]);
            let scale = step(origin, end);
            (self.origin[axis], self.scale[axis]) = (origin, scale);
            for (child, node) in children.iter().enumerate() {
                let (lower, upper) = (node.volume.min()[axis], node.volume.max()[axis]);
                self.lower[axis][child] = steps_to(origin, scale, lower, |steps, side| {
                    let mut steps = steps;
                    while steps > 0 && place(origin, scale, steps).is_some_and(|place| place > side) {
                        steps -= 1;
                    }
                    steps
                });
                self.upper[axis][child] = steps_to(origin, scale, upper, |steps, side| {
                    let mut steps = steps;
                    while steps < u8::MAX && place(origin, scale, steps).is_some_and(|place| place < side) {
                        steps += 1;
                    }
                    steps
                });
            }
        }
    }
}

/// The smallest step of which 255 reach from the origin to the end or beyond; infinite if one of the two is.
fn step(origin: f32, end: f32) -> f32 {
    if !(origin.is_finite() && end.is_finite()) {
        return f32::INFINITY;
    }
    let mut scale = ((f64::from(end) - f64::from(origin)) / 255.0) as f32;
    while place(origin, scale, u8::MAX).is_some_and(|place| place < f64::from(end)) {
        scale = scale.next_up();
    }
    scale
}

/// The steps to a side: near it by division, then put right by `adjust`, which sees the very place that a
/// walk will see.
fn steps_to(origin: f32, scale: f32, side: f32, adjust: impl Fn(u8, f64) -> u8) -> u8 {
    let side = f64::from(side);
    // The cast of a number out of range, or of 0/0, is one of the ends or 0.
    let near = ((side - f64::from(origin)) / f64::from(scale)) as u8;
    adjust(near, side)
}

#[cfg(test)]
mod tests {
    use super::super::Target;
    use super::*;
    use glam::Vec3;

    /// The lowest of the slots below.
    fn lowest(tree: &WideTree, Target { first, count }: Target) -> u32 {
        if count > 0 {
            return first;
        }
        let node = &tree.nodes[first as usize];
        let below = (0..usize::from(node.children)).map(|child| lowest(tree, node.target(child)));
        below.min().expect("a node has children")
    }

    #[test]
    fn a_node_that_knows_where_the_slots_below_it_begin_is_right() {
        // In rows, some of them with gaps and some where many stand in one place, so that leaves hang at all
        // depths.
        let box_of = |i: u32| {
            let low = Vec3::new(
                (i * i % 61) as f32,
                (i / 64) as f32,
                if i.is_multiple_of(3) { 0.0 } else { (i % 7) as f32 },
            );
            PackedAabb::new(low, low + Vec3::ONE).expect("finite and in order")
        };
        let (tree, order) = WideTree::build(3000, box_of);
        assert_eq!(order.len(), 3000);
        let (mut known, mut far) = (0, 0);
        for node in &tree.nodes {
            for target in (0..usize::from(node.children)).map(|child| node.target(child)) {
                if target.count > 0 {
                    continue;
                }
                let Some(slot) = node.slots_below(target) else {
                    far += 1;
                    continue;
                };
                known += 1;
                let own = node.links.iter().take(node.children.into()).filter(|link| link.is_leaf());
                let own: u32 = own.map(|link| u32::from(link.0 & 7)).sum();
                // Its own leaves come before those of its first node.
                let before = if target.first == node.first_node { own } else { 0 };
                assert_eq!(lowest(&tree, target), slot + before);
            }
        }
        assert!(known > 100 && far > 10, "{known} {far}");
    }

    /// The box of a child of a node in steps of the node, as a walk sees it.
    fn seen(node: &Node, child: usize) -> [[Option<f64>; 3]; 2] {
        [&node.lower, &node.upper].map(|side| {
            core::array::from_fn(|axis| place(node.origin[axis], node.scale[axis], side[axis][child]))
        })
    }

    /// Sides that differ from the end of the box around them by less than a division can tell, and others.
    #[test]
    fn a_box_in_steps_holds_that_of_the_child_and_is_less_than_two_steps_larger() {
        let mut seed = 1u64;
        let mut number = || {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let size = [1.0, 1e-9, 1e-18, 1e-30][(seed >> 40 & 3) as usize];
            ((seed >> 33) as f32 / (1u32 << 30) as f32 - 1.0) * size
        };
        let mut lowered = 0;
        for _ in 0..20_000 {
            let children: [PackedAabb; 3] = core::array::from_fn(|_| {
                let (a, b) =
                    (Vec3::new(number(), number(), number()), Vec3::new(number(), number(), number()));
                PackedAabb::new(a.min(b), a.max(b)).expect("finite and in order")
            });
            let around = children[0].around(&children[1]).around(&children[2]);
            let (tree, _) = WideTree::build(3, |item| children[item as usize]);
            let mut node = tree.nodes[0];
            let leaf = crate::tree::Link { first: 0, count: 1 };
            node.set_boxes(&around, &children.map(|volume| Binary { volume, link: leaf }));
            for (child, own) in children.iter().enumerate() {
                let [lower, upper] = seen(&node, child);
                for axis in 0..3 {
                    let (low, high) = (f64::from(own.min()[axis]), f64::from(own.max()[axis]));
                    let (Some(from), Some(to)) = (lower[axis], upper[axis]) else { continue };
                    assert!(from <= low && to >= high, "{from} {low} {high} {to}");
                    let step = 2.0 * f64::from(node.scale[axis]);
                    assert!(low - from <= step && to - high <= step, "{from} {low} {high} {to}");
                    let near = ((low - f64::from(node.origin[axis])) / f64::from(node.scale[axis])) as u8;
                    lowered += u32::from(near > node.lower[axis][child]);
                }
            }
        }
        assert!(lowered > 0, "division alone would do");
    }
}
