//! A 4-ary tree over boxes that come, move and go.
//!
//! Source: Guttman, *R-trees: a dynamic index structure for spatial searching* (1984), for insertion; Kopta
//! et al., *Fast, effective BVH updates for animated scenes* (2012), for refitting with local rebuilds. Idea:
//! a new box goes down to where it adds the least surface. A box that moves a little stays in place, and the
//! nodes above are refitted. A box that leaves the box of its node is inserted again. Regularly one part of
//! the tree, at most [`PART`] items, is rebuilt by the surface area heuristic, so the tree is never rebuilt
//! all at once. Two roots share the nodes: resting items are never beside moving ones. Cost: a change takes
//! logarithmic time in the number of boxes; 128 bytes for a node of two to four.

mod rebuild;
#[cfg(test)]
mod tests;
mod walk;

use alloc::vec::Vec;

use glam::Vec3;

use super::WIDTH;
use super::boxes::{Boxes, lanes_of};
pub(crate) use walk::SweptBounds;

/// A box in f32, lower and upper corner. Sides may be infinite, never NaN.
pub(crate) type Bounds = [Vec3; 2];

/// The root that a box is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// For bodies at rest.
    Fixed = 0,
    /// For moving bodies.
    Moving = 1,
}

/// The nodes of the roots.
const ROOTS: usize = 2;

/// The most items of a part that is rebuilt at once: about a tenth of a millisecond.
const PART: usize = 512;

/// After how many changes a part is rebuilt: insertions of boxes, and moves of boxes in place.
const HUNG_BEFORE_REBUILD: u32 = 96;
const MOVED_BEFORE_REBUILD: u32 = 4096;

/// One of this many rebuilt parts is the one below the root.
const PARTS_A_ROOT: u32 = 8;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct DynamicTree {
    /// The two roots, then the rest.
    nodes: Vec<Node>,
    /// Free nodes.
    free: Vec<u32>,
    /// The position in the tree of the box under each number.
    places: Vec<NodeLane>,
    /// Changes since a part was last rebuilt, for each root, and the number of the last inserted box.
    hung: [u32; ROOTS],
    moved: [u32; ROOTS],
    last_hung: [u32; ROOTS],
    /// How many parts have been rebuilt.
    rebuilt: u32,
}

/// Up to four children. A node that is not a root has at least two.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Node {
    boxes: Boxes,
    links: [Link; WIDTH],
    parent: NodeLane,
    /// The number of boxes below.
    leaves: u32,
    /// A bit for each lane that is in use.
    lanes: u8,
    /// Whether some box below has changed since the node was fitted.
    is_stale: bool,
    /// The root that it is below.
    root: Root,
}

/// The content of a lane: a node, or the box with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

/// The target of a [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Node(u32),
    Item(u32),
}

impl Link {
    const ITEM: u32 = 1 << 31;
    const NOTHING: Self = Self(0);

    fn node(node: u32) -> Self {
        Self(node)
    }

    fn item(number: u32) -> Self {
        Self(Self::ITEM | number)
    }

    #[inline(always)]
    fn target(self) -> Target {
        if self.0 & Self::ITEM == 0 { Target::Node(self.0) } else { Target::Item(self.0 & !Self::ITEM) }
    }
}

/// A lane of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeLane(u32);

impl NodeLane {
    const NOWHERE: Self = Self(u32::MAX);

    fn of(node: u32, lane: usize) -> Self {
        Self(node << 2 | lane as u32)
    }

    fn node(self) -> usize {
        (self.0 >> 2) as usize
    }

    fn lane(self) -> usize {
        (self.0 & 3) as usize
    }
}

impl Node {
    const fn empty(root: Root) -> Self {
        Self {
            boxes: Boxes::NOTHING,
            links: [Link::NOTHING; WIDTH],
            parent: NodeLane::NOWHERE,
            leaves: 0,
            lanes: 0,
            is_stale: false,
            root,
        }
    }

    fn free_lane(&self) -> Option<usize> {
        let lane = self.lanes.trailing_ones() as usize;
        (lane < WIDTH).then_some(lane)
    }

    fn used_lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.lanes.into())
    }
}

/// Half the surface.
#[inline(always)]
fn area([lower, upper]: Bounds) -> f32 {
    let size = upper - lower;
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[inline(always)]
fn union(a: Bounds, b: Bounds) -> Bounds {
    [a[0].min(b[0]), a[1].max(b[1])]
}

#[inline(always)]
fn overlap(a: Bounds, b: Bounds) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}

impl Default for DynamicTree {
    fn default() -> Self {
        Self {
            nodes: alloc::vec![Node::empty(Root::Fixed), Node::empty(Root::Moving)],
            free: Vec::new(),
            places: Vec::new(),
            hung: [0; ROOTS],
            moved: [0; ROOTS],
            last_hung: [0; ROOTS],
            rebuilt: 0,
        }
    }
}

impl DynamicTree {
    /// Adds a box under a number below 2³¹, or moves the box of that number. The tree is fitted at once.
    #[cfg(test)]
    fn place(&mut self, root: Root, number: u32, bounds: Bounds) {
        self.place_stale(root, number, bounds);
        self.settle();
    }

    /// Fits the tree after some changes.
    pub(crate) fn settle(&mut self) {
        for root in [Root::Fixed, Root::Moving] {
            self.fit(root);
            self.tend(root);
        }
    }

    /// Adds a box under a number below 2³¹, or moves the box of that number; no query may run until
    /// [`settle`](Self::settle) is called.
    pub(crate) fn place_stale(&mut self, root: Root, number: u32, bounds: Bounds) {
        if number as usize >= self.places.len() {
            self.places.resize(number as usize + 1, NodeLane::NOWHERE);
        }
        let place = self.places[number as usize];
        if place != NodeLane::NOWHERE {
            let node = &self.nodes[place.node()];
            // Stale boxes are good enough: the position of a box in the tree is never wrong, only slow.
            let stays = node.parent == NodeLane::NOWHERE
                || overlap(self.nodes[node.parent.node()].boxes.lane(node.parent.lane()), bounds);
            if stays && node.root == root {
                self.nodes[place.node()].boxes.put(place.lane(), bounds);
                self.mark(place.node());
                self.moved[root as usize] += 1;
                return;
            }
            self.take_out(place);
        }
        self.insert(root, number, bounds);
        self.hung[root as usize] += 1;
        self.last_hung[root as usize] = number;
    }

    /// Removes the box of a number, if there is one.
    pub(crate) fn remove(&mut self, number: u32) {
        let place = self.places.get(number as usize).copied().unwrap_or(NodeLane::NOWHERE);
        if place == NodeLane::NOWHERE {
            return;
        }
        let root = self.nodes[place.node()].root;
        self.take_out(place);
        self.places[number as usize] = NodeLane::NOWHERE;
        // Other changes may have left more stale nodes; they are fitted as well.
        self.fit(root);
    }

    /// The box under a number.
    #[cfg(test)]
    fn bounds(&self, number: u32) -> Option<Bounds> {
        let place = *self.places.get(number as usize)?;
        (place != NodeLane::NOWHERE).then(|| self.nodes[place.node()].boxes.lane(place.lane()))
    }

    /// The bytes in use on the heap.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + (self.free.len() + self.places.len()) * size_of::<u32>()
    }

    /// Puts a child into a lane.
    fn hang(&mut self, place: NodeLane, link: Link, bounds: Bounds) {
        let node = &mut self.nodes[place.node()];
        node.boxes.put(place.lane(), bounds);
        node.links[place.lane()] = link;
        node.lanes |= 1 << place.lane();
        match link.target() {
            Target::Node(node) => self.nodes[node as usize].parent = place,
            Target::Item(number) => self.places[number as usize] = place,
        }
    }

    /// An empty node below a root.
    fn new_node(&mut self, root: Root) -> u32 {
        match self.free.pop() {
            Some(node) => {
                self.nodes[node as usize] = Node::empty(root);
                node
            }
            None => {
                self.nodes.push(Node::empty(root));
                (self.nodes.len() - 1) as u32
            }
        }
    }

    fn insert(&mut self, root: Root, number: u32, bounds: Bounds) {
        let mut node = root as usize;
        loop {
            let here = &self.nodes[node];
            if let Some(lane) = here.free_lane() {
                self.hang(NodeLane::of(node as u32, lane), Link::item(number), bounds);
                break;
            }
            // A node grows; beside an item a new node is needed, as large as both. Of equals where there are
            // fewest below.
            let (mut best, mut least) = (0, (f32::INFINITY, u32::MAX));
            for lane in 0..WIDTH {
                let own = here.boxes.lane(lane);
                let both = area(union(own, bounds));
                let (grows, leaves) = match here.links[lane].target() {
                    Target::Node(below) => (both - area(own), self.nodes[below as usize].leaves),
                    Target::Item(_) => (both, 1),
                };
                if grows < least.0 || (grows == least.0 && leaves < least.1) {
                    (best, least) = (lane, (grows, leaves));
                }
            }
            match here.links[best].target() {
                Target::Node(below) => node = below as usize,
                Target::Item(other) => {
                    let beside = here.boxes.lane(best);
                    let new = self.new_node(root);
                    self.hang(NodeLane::of(new, 0), Link::item(other), beside);
                    self.hang(NodeLane::of(new, 1), Link::item(number), bounds);
                    self.nodes[new as usize].leaves = 1;
                    self.hang(NodeLane::of(node as u32, best), Link::node(new), union(beside, bounds));
                    node = new as usize;
                    break;
                }
            }
        }
        self.count(node, 1);
        self.mark(node);
    }

    /// Adds to the number of boxes below a node and all above it.
    fn count(&mut self, mut node: usize, more: i32) {
        loop {
            let here = &mut self.nodes[node];
            here.leaves = here.leaves.wrapping_add_signed(more);
            if here.parent == NodeLane::NOWHERE {
                return;
            }
            node = here.parent.node();
        }
    }

    /// Notes that the bounds of a node and of all above it may have changed.
    fn mark(&mut self, mut node: usize) {
        loop {
            let here = &mut self.nodes[node];
            if core::mem::replace(&mut here.is_stale, true) || here.parent == NodeLane::NOWHERE {
                return;
            }
            node = here.parent.node();
        }
    }

    /// Empties a lane. A node that is left with one child gives its own lane to it.
    fn take_out(&mut self, place: NodeLane) {
        let number = place.node();
        self.count(number, -1);
        let node = &mut self.nodes[number];
        node.lanes &= !(1 << place.lane());
        node.links[place.lane()] = Link::NOTHING;
        node.boxes.put(place.lane(), Boxes::NOTHING.lane(0));
        let node = *node;
        if node.lanes.count_ones() == 1 && node.parent != NodeLane::NOWHERE {
            let lane = node.lanes.trailing_zeros() as usize;
            self.hang(node.parent, node.links[lane], node.boxes.lane(lane));
            self.free.push(number as u32);
            self.mark(node.parent.node());
        } else {
            self.mark(number);
        }
    }

    /// Fits all changed nodes below a root.
    fn fit(&mut self, root: Root) {
        if self.nodes[root as usize].is_stale {
            self.fit_below(root as usize);
        }
    }

    fn fit_below(&mut self, node: usize) {
        self.nodes[node].is_stale = false;
        for lane in self.nodes[node].used_lanes() {
            if let Target::Node(below) = self.nodes[node].links[lane].target()
                && self.nodes[below as usize].is_stale
            {
                self.fit_below(below as usize);
                let bounds = self.nodes[below as usize].boxes.bounds();
                self.nodes[node].boxes.put(lane, bounds);
            }
        }
    }
}
