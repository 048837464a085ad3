//! A tree of boxes that come, move and go.
//!
//! Source: Catto, *Dynamic bounding volume hierarchies* (2019). A new box goes down to where it adds the
//! least surface. Nodes stay balanced as in an AVL tree, but less strictly, so no order of insertion
//! degenerates the tree into a list. After as many insertions as it has boxes, the tree is rebuilt by the
//! surface area heuristic (`tree::build`). A node holds the boxes of its two children beside their numbers:
//! one cache line for the two tests of a step. Cost: a change takes logarithmic time in the number of boxes;
//! a query takes that plus its results.

use alloc::vec::Vec;

use glam::Vec3;

use super::BoxIndex;
use super::index::meet;
use crate::tree::{PackedAabb, Settings, Tree, Volume};

/// A dynamic tree of boxes. It stays balanced, and is rebuilt after as many insertions as it has boxes.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
    /// Free nodes.
    free: Vec<u32>,
    root: Option<Child>,
    /// The position in the tree of the box under each number.
    places: Vec<ChildSlot>,
    count: usize,
    /// Boxes placed since the tree was last built as a whole.
    placed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    children: [Child; 2],
    parent: ChildSlot,
}

/// One side of a node.
#[derive(Clone, Copy, Debug)]
struct Child {
    bounds: PackedAabb,
    /// The number of a node, or, of a leaf (height 0), of a box.
    number: u32,
    /// Steps to the deepest leaf.
    height: u32,
}

/// A side of a node, as twice its number and the side; or the root, or nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChildSlot(u32);

impl ChildSlot {
    const ROOT: Self = Self(u32::MAX);
    const NOWHERE: Self = Self(u32::MAX - 1);

    fn of(node: u32, side: usize) -> Self {
        Self(node << 1 | side as u32)
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn side(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// Half the surface.
#[inline(always)]
fn area(bounds: &PackedAabb) -> f32 {
    let size: Vec3 = bounds.max() - bounds.min();
    size.x * size.y + size.y * size.z + size.z * size.x
}

impl Node {
    fn as_child(&self, number: u32) -> Child {
        let [a, b] = &self.children;
        Child { bounds: a.bounds.around(&b.bounds), number, height: 1 + a.height.max(b.height) }
    }
}

/// One side of a node may be this many steps deeper than the other. A tree of n boxes is then at most 3.8 ·
/// log₂ n deep: 122 for 2³².
const SLANT: u32 = 8;

/// The nodes that wait in a walk before more go to the heap.
const STACK: usize = 128;

impl BoxTree {
    /// Rebuilds the whole tree.
    fn rebuild(&mut self) {
        let numbers: Vec<u32> = (0..self.places.len() as u32)
            .filter(|&i| self.places[i as usize] != ChildSlot::NOWHERE)
            .collect();
        let boxes: Vec<PackedAabb> = numbers.iter().filter_map(|&number| self.bounds(number)).collect();
        let settings = Settings { max_leaf_items: 1, ..Settings::DEFAULT };
        let tree = Tree::build(boxes.len() as u32, |i| boxes[i as usize], &settings);
        self.nodes.clear();
        self.free.clear();
        self.root = None;
        let Some(root) = tree.root_number() else { return };
        let root = self.take_over(&tree, root, &numbers);
        self.hang(ChildSlot::ROOT, root);
    }

    /// Copies the contents of a node of a tree over these numbers.
    fn take_over(&mut self, tree: &Tree<PackedAabb>, at: u32, numbers: &[u32]) -> Child {
        let bounds = *tree.volume_of(at);
        match tree.children_of(at) {
            Err(leaf) => {
                Child { bounds, number: numbers[tree.order()[leaf.start as usize] as usize], height: 0 }
            }
            Ok(below) => {
                let new = self.nodes.len() as u32;
                let nothing = Child { bounds, number: 0, height: 0 };
                self.nodes.push(Node { children: [nothing; 2], parent: ChildSlot::ROOT });
                // No deeper than the tree: 64 calls.
                for (side, at) in below.into_iter().enumerate() {
                    let child = self.take_over(tree, at, numbers);
                    self.hang(ChildSlot::of(new, side), child);
                }
                self.nodes[new as usize].as_child(new)
            }
        }
    }

    /// The number of steps from the root to the deepest leaf.
    pub fn depth(&self) -> u32 {
        self.root.map_or(0, |root| root.height)
    }

    fn child(&self, place: ChildSlot) -> Option<Child> {
        match place {
            ChildSlot::NOWHERE => None,
            ChildSlot::ROOT => self.root,
            _ => Some(self.nodes[place.node()].children[place.side()]),
        }
    }

    /// Inserts a child at a place.
    fn hang(&mut self, place: ChildSlot, child: Child) {
        match place {
            ChildSlot::ROOT => self.root = Some(child),
            _ => self.nodes[place.node()].children[place.side()] = child,
        }
        if child.height == 0 {
            self.places[child.number as usize] = place;
        } else {
            self.nodes[child.number as usize].parent = place;
        }
    }

    fn insert(&mut self, number: u32, bounds: PackedAabb) {
        let leaf = Child { bounds, number, height: 0 };
        let Some(mut here) = self.root else { return self.hang(ChildSlot::ROOT, leaf) };
        let mut place = ChildSlot::ROOT;
        // Goes down to where a new node adds least surface.
        while here.height > 0 {
            let around = area(&here.bounds.around(&bounds));
            let grows = around - area(&here.bounds);
            let children = self.nodes[here.number as usize].children;
            let cost = children.map(|child| {
                let around = area(&child.bounds.around(&bounds));
                grows + if child.height == 0 { around } else { around - area(&child.bounds) }
            });
            let side = usize::from(cost[1] < cost[0]);
            // A NaN goes down.
            if around < cost[side] {
                break;
            }
            place = ChildSlot::of(here.number, side);
            here = children[side];
        }
        let node = Node { children: [here, leaf], parent: place };
        let new = match self.free.pop() {
            Some(new) => {
                self.nodes[new as usize] = node;
                new
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        };
        self.hang(ChildSlot::of(new, 0), here);
        self.hang(ChildSlot::of(new, 1), leaf);
        self.hang(place, node.as_child(new));
        self.mend(place);
    }

    fn take_out(&mut self, place: ChildSlot) {
        if place == ChildSlot::ROOT {
            self.root = None;
            return;
        }
        let node = self.nodes[place.node()];
        self.free.push(place.node() as u32);
        self.hang(node.parent, node.children[1 - place.side()]);
        self.mend(node.parent);
    }

    /// Fits and balances the nodes above a place.
    fn mend(&mut self, mut place: ChildSlot) {
        while place != ChildSlot::ROOT {
            let number = place.node();
            self.balance(number);
            let node = &self.nodes[number];
            let (fitted, above) = (node.as_child(number as u32), node.parent);
            self.hang(above, fitted);
            place = above;
        }
    }

    /// If one side is much deeper than the other: its own deeper side and the other change places.
    fn balance(&mut self, number: usize) {
        let [left, right] = self.nodes[number].children;
        let deep = usize::from(right.height > left.height);
        let [lower, other] = if deep == 1 { [right, left] } else { [left, right] };
        if lower.height <= other.height + SLANT {
            return;
        }
        let below = self.nodes[lower.number as usize].children;
        let deeper = usize::from(below[1].height > below[0].height);
        self.hang(ChildSlot::of(number as u32, 1 - deep), below[deeper]);
        self.hang(ChildSlot::of(lower.number, deeper), other);
        let fitted = self.nodes[lower.number as usize].as_child(lower.number);
        self.hang(ChildSlot::of(number as u32, deep), fitted);
    }
}

impl BoxIndex for BoxTree {
    fn place(&mut self, number: u32, bounds: &PackedAabb) {
        if number as usize >= self.places.len() {
            self.places.resize(number as usize + 1, ChildSlot::NOWHERE);
        }
        let place = self.places[number as usize];
        if place == ChildSlot::NOWHERE {
            self.count += 1;
        } else {
            self.take_out(place);
        }
        self.insert(number, *bounds);
        self.placed += 1;
    }

    fn settle(&mut self) {
        if self.placed >= self.count.max(64) {
            self.placed = 0;
            self.rebuild();
        }
    }

    fn remove(&mut self, number: u32) {
        let Some(place) = self.places.get_mut(number as usize) else { return };
        let place = core::mem::replace(place, ChildSlot::NOWHERE);
        if place != ChildSlot::NOWHERE {
            self.count -= 1;
            self.take_out(place);
        }
    }

    fn bounds(&self, number: u32) -> Option<PackedAabb> {
        self.child(*self.places.get(number as usize)?).map(|child| child.bounds)
    }

    #[inline]
    fn overlaps(&self, area: &PackedAabb, mut visit: impl FnMut(u32)) {
        let Some(root) = self.root.as_ref().filter(|root| meet(&root.bounds, area)) else { return };
        if root.height == 0 {
            return visit(root.number);
        }
        let mut stack = [0u32; STACK];
        // A tree that was just built may be less balanced than one that grew: nodes that do not fit go here.
        let mut spilt = Vec::new();
        let mut height = 0;
        let mut number = root.number;
        loop {
            let mut next = None;
            for child in &self.nodes[number as usize].children {
                if !meet(&child.bounds, area) {
                    continue;
                }
                if child.height == 0 {
                    visit(child.number);
                } else if next.is_none() {
                    next = Some(child.number);
                } else if height < STACK {
                    stack[height] = child.number;
                    height += 1;
                } else {
                    spilt.push(child.number);
                }
            }
            number = match next {
                Some(next) => next,
                None => match spilt.pop() {
                    Some(spilt) => spilt,
                    None if height == 0 => return,
                    None => {
                        height -= 1;
                        stack[height]
                    }
                },
            };
        }
    }

    fn len(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(x: f32) -> PackedAabb {
        PackedAabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0)).unwrap()
    }

    #[test]
    fn a_row_in_order_makes_no_list_and_taking_out_keeps_the_balance() {
        let mut tree = BoxTree::default();
        for i in 0..4096 {
            tree.place(i, &unit(2.0 * i as f32));
        }
        // 3.8 · log₂ n.
        assert!(tree.depth() <= 45, "{}", tree.depth());
        for i in (0..4096).filter(|i| i % 8 != 0) {
            tree.remove(i);
        }
        assert!(tree.depth() <= 34 && tree.len() == 512, "{}", tree.depth());
        tree.settle();
        assert!(tree.depth() <= 12 && tree.len() == 512, "{}", tree.depth());
        let mut found = Vec::new();
        tree.overlaps(&unit(32.0), |number| found.push(number));
        assert_eq!(found, [16]);
        assert_eq!((tree.bounds(16), tree.bounds(17), tree.bounds(9999)), (Some(unit(32.0)), None, None));
    }
}
