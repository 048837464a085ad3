//! A tree of boxes that come, move and go.
//!
//! Source: Catto, *Dynamic bounding volume hierarchies* (2019): a new box goes down to where it adds least surface; nodes are
//! kept in balance as in an AVL tree, so that no order of insertion makes a list of it.
//! A node holds the boxes of its two children beside their numbers: one cache line for the two tests of a step.
//! Cost: the logarithm of the number of boxes for each change; for a question that, and what it finds.

use alloc::vec::Vec;

use glam::Vec3;

use super::BoxIndex;
use super::index::meet;
use crate::tree::{PackedAabb, Volume};

/// A dynamic tree of boxes. See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
    /// Nodes that are free.
    free: Vec<u32>,
    root: Option<Child>,
    /// Where the box under each number hangs.
    places: Vec<Place>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    children: [Child; 2],
    parent: Place,
}

/// What hangs on one side of a node.
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
struct Place(u32);

impl Place {
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

impl BoxTree {
    /// The number of steps from the root to the deepest leaf.
    pub fn depth(&self) -> u32 {
        self.root.map_or(0, |root| root.height)
    }

    fn child(&self, place: Place) -> Option<Child> {
        match place {
            Place::NOWHERE => None,
            Place::ROOT => self.root,
            _ => Some(self.nodes[place.node()].children[place.side()]),
        }
    }

    /// Hangs something somewhere.
    fn hang(&mut self, place: Place, child: Child) {
        match place {
            Place::ROOT => self.root = Some(child),
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
        let Some(mut here) = self.root else { return self.hang(Place::ROOT, leaf) };
        let mut place = Place::ROOT;
        // Down to where a new node adds least surface.
        while here.height > 0 {
            let around = area(&here.bounds.around(&bounds));
            let grows = around - area(&here.bounds);
            let children = self.nodes[here.number as usize].children;
            let cost = children.map(|child| {
                let around = area(&child.bounds.around(&bounds));
                grows + if child.height == 0 { around } else { around - area(&child.bounds) }
            });
            let side = usize::from(cost[1] < cost[0]);
            // What is no number goes down.
            if around < cost[side] {
                break;
            }
            place = Place::of(here.number, side);
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
        self.hang(Place::of(new, 0), here);
        self.hang(Place::of(new, 1), leaf);
        self.hang(place, node.as_child(new));
        self.mend(place);
    }

    fn take_out(&mut self, place: Place) {
        if place == Place::ROOT {
            self.root = None;
            return;
        }
        let node = self.nodes[place.node()];
        self.free.push(place.node() as u32);
        self.hang(node.parent, node.children[1 - place.side()]);
        self.mend(node.parent);
    }

    /// Fits and balances the nodes above a place.
    fn mend(&mut self, mut place: Place) {
        while place != Place::ROOT {
            let number = place.node();
            self.balance(number);
            let node = &self.nodes[number];
            let (fitted, above) = (node.as_child(number as u32), node.parent);
            self.hang(above, fitted);
            place = above;
        }
    }

    /// If one side is two steps deeper than the other: its own deeper side and the other change places.
    fn balance(&mut self, number: usize) {
        let [left, right] = self.nodes[number].children;
        let deep = usize::from(right.height > left.height);
        let [lower, other] = if deep == 1 { [right, left] } else { [left, right] };
        if lower.height < other.height + 2 {
            return;
        }
        let below = self.nodes[lower.number as usize].children;
        let deeper = usize::from(below[1].height > below[0].height);
        self.hang(Place::of(number as u32, 1 - deep), below[deeper]);
        self.hang(Place::of(lower.number, deeper), other);
        let fitted = self.nodes[lower.number as usize].as_child(lower.number);
        self.hang(Place::of(number as u32, deep), fitted);
    }
}

impl BoxIndex for BoxTree {
    fn place(&mut self, number: u32, bounds: &PackedAabb) {
        if number as usize >= self.places.len() {
            self.places.resize(number as usize + 1, Place::NOWHERE);
        }
        let place = self.places[number as usize];
        if place == Place::NOWHERE {
            self.count += 1;
        } else {
            self.take_out(place);
        }
        self.insert(number, *bounds);
    }

    fn remove(&mut self, number: u32) {
        let Some(place) = self.places.get_mut(number as usize) else { return };
        let place = core::mem::replace(place, Place::NOWHERE);
        if place != Place::NOWHERE {
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
        // In balance no tree of 2³² boxes is deeper than 46 steps, and each puts one node by.
        let mut stack = [0u32; 64];
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
                } else {
                    stack[height % 64] = child.number;
                    height += 1;
                }
            }
            number = match next {
                Some(next) => next,
                None if height == 0 => return,
                None => {
                    height -= 1;
                    stack[height % 64]
                }
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
        // 1.44 · log₂ n.
        assert!(tree.depth() <= 18, "{}", tree.depth());
        for i in (0..4096).filter(|i| i % 8 != 0) {
            tree.remove(i);
        }
        assert!(tree.depth() <= 14 && tree.len() == 512, "{}", tree.depth());
        let mut found = Vec::new();
        tree.overlaps(&unit(32.0), |number| found.push(number));
        assert_eq!(found, [16]);
        assert_eq!((tree.bounds(16), tree.bounds(17), tree.bounds(9999)), (Some(unit(32.0)), None, None));
    }
}
