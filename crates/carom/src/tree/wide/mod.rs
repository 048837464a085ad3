//! The cast tree: four children per node, in one cache line, tested at once.
//!
//! Source: Ylitie, Karras and Laine, *Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs* (2017), with four children instead of eight: as many as a register of any machine has lanes. A
//! binary tree is built, and every node that is not needed is removed. Child bounds are quantized to 8 bits
//! per side, in steps of 1/255 of the box around all four, rounded outward. Cost: 64 bytes for a node of
//! four. A leaf holds up to four items, which are adjacent in *slots*, as are the leaves of one node: store
//! the data of items in the order of the slots.

mod build;
mod clipped_sweep;
mod nearest;
mod walk;

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

pub(crate) use clipped_sweep::{ClippedSweep, Plan};
pub(crate) use walk::BoundRefiner;

use super::{PackedAabb, Volume};

/// Children of a node, items in a leaf, and lanes of a register.
pub(crate) const WIDTH: usize = 4;

/// A tree of four over the volumes of items that have been put in slots 0, 1, 2 …
///
/// It answers with runs of slots: the caller keeps what they stand for, in the order that [`WideTree::build`]
/// gives.
#[derive(Clone, Debug, PartialEq)]
pub struct WideTree {
    /// The root, then the children of each node next to one another; children stand behind their parents.
    nodes: Vec<Node>,
    bounds: Option<PackedAabb>,
    /// The largest absolute coordinate of those.
    largest: f64,
    slots: u32,
    /// The number of nodes on the longest way from the root to a leaf.
    depth: u32,
}

/// Up to four children.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Node {
    /// The lower corner of the box around all children.
    origin: [f32; 3],
    /// The step along each axis; infinite where the box has no bound.
    scale: [f32; 3],
    /// The sides of the children in steps from the origin, by axis and child.
    lower: [[u8; WIDTH]; 3],
    upper: [[u8; WIDTH]; 3],
    /// Where the children that are nodes begin.
    first_node: u32,
    /// Where the slots of the children that are leaves begin.
    first_slot: u32,
    links: [Link; WIDTH],
    /// How many there are.
    children: u8,
    /// How many slots after the first those of all below the second, third and fourth of the nodes begin;
    /// [`FAR`] where one of them does not begin near.
    starts: [u8; WIDTH - 1],
}

/// From this many slots after the first on, a slot is not near.
const FAR: u8 = 64;

/// A child: the offset of a node from the first, or a leaf of 1 to 4 items by its offset in slots from the
/// first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link(u8);

/// Where a child leads: to a node, if `count` is 0, else to a run of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Target {
    first: u32,
    count: u32,
}

/// The box that a node keeps for one of its children: a little larger than need be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideBox {
    lower: DVec3,
    upper: DVec3,
}

impl Volume for WideBox {
    fn around(&self, other: &Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    #[inline(always)]
    fn lower(&self) -> DVec3 {
        self.lower
    }

    #[inline(always)]
    fn upper(&self) -> DVec3 {
        self.upper
    }
}

impl Link {
    const LEAF: u8 = 0x80;

    fn node(place: usize) -> Self {
        Self(place as u8)
    }

    fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    fn leaf(place: usize, count: usize) -> Self {
        Self(Self::LEAF | (place as u8) << 3 | count as u8)
    }
}

impl Node {
    const EMPTY: Self = Self {
        origin: [0.0; 3],
        scale: [0.0; 3],
        lower: [[0; WIDTH]; 3],
        upper: [[0; WIDTH]; 3],
        first_node: 0,
        first_slot: 0,
        links: [Link(0); WIDTH],
        children: 0,
        starts: [FAR; WIDTH - 1],
    };

    #[inline(always)]
    fn has_leaves(&self) -> bool {
        let links = self.links.map(|Link(link)| link);
        u32::from_le_bytes(links) & u32::from_le_bytes([Link::LEAF; WIDTH]) != 0
    }

    #[inline(always)]
    fn target(&self, child: usize) -> Target {
        let Link(link) = self.links[child % WIDTH];
        if link & Link::LEAF == 0 {
            Target { first: self.first_node + u32::from(link), count: 0 }
        } else {
            Target { first: self.first_slot + u32::from(link >> 3 & 0xf), count: u32::from(link & 7) }
        }
    }

    /// Where the slots of all below one of its nodes begin, if they are near the first.
    #[inline(always)]
    fn slots_below(&self, target: Target) -> Option<u32> {
        let [second, third, fourth] = self.starts;
        if second == FAR {
            return None;
        }
        let place = target.first.wrapping_sub(self.first_node) % WIDTH as u32;
        let start = u32::from_le_bytes([0, second, third, fourth]) >> (u8::BITS * place) & u32::from(u8::MAX);
        Some(self.first_slot + start)
    }

    /// The box of a child; the build has made sure that it holds the child.
    #[inline(always)]
    fn volume(&self, child: usize) -> WideBox {
        let side = |steps: &[[u8; WIDTH]; 3], endless: f64| {
            DVec3::from(core::array::from_fn(|axis| {
                place(self.origin[axis], self.scale[axis], steps[axis][child % WIDTH]).unwrap_or(endless)
            }))
        };
        WideBox { lower: side(&self.lower, f64::NEG_INFINITY), upper: side(&self.upper, f64::INFINITY) }
    }
}

/// Steps from the origin; `None` without a bound.
#[inline(always)]
fn place(origin: f32, scale: f32, steps: u8) -> Option<f64> {
    (scale < f32::INFINITY).then(|| f64::from(origin) + f64::from(scale) * f64::from(steps))
}

impl WideTree {
    /// The number of items, and of slots.
    pub fn len(&self) -> usize {
        self.slots as usize
    }

    /// Whether the tree holds no item.
    pub fn is_empty(&self) -> bool {
        self.slots == 0
    }

    /// The box around all items; `None` if there are none.
    pub fn bounds(&self) -> Option<PackedAabb> {
        self.bounds
    }

    /// The number of nodes on the way to the deepest leaf; 0 if there is none.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Visits the runs of slots of all leaves, in the order of the slots.
    pub(crate) fn for_each_leaf(&self, mut visit: impl FnMut(Range<u32>)) {
        let mut stack: Vec<u32> = (0..self.nodes.len().min(1) as u32).collect();
        // As they were laid out: the leaves of a node, then what is below its other children.
        while let Some(node) = stack.pop() {
            let node = &self.nodes[node as usize];
            let above = stack.len();
            for Target { first, count } in (0..node.children as usize).map(|child| node.target(child)) {
                if count == 0 {
                    stack.push(first);
                } else {
                    visit(first..first + count);
                }
            }
            stack[above..].reverse();
        }
    }

    /// The bytes the tree holds on the heap.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}
