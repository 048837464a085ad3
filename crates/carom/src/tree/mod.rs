//! Trees of bounding volumes: a binary tree over anything that has bounds, and the walks through it.
//!
//! A [`Tree`] knows volumes and the indices of their items, but not the items themselves: a walk passes the
//! index of each candidate to the caller, which decides. Build and walks are correct for no items, one item,
//! all items in one place, and 2³² − 1 items. The tree is never deeper than [`MAX_DEPTH`].
//!
//! - [`Tree::sweep`]: items that a moving box meets, in the order in which it may meet them;
//! - [`Tree::overlaps`]: items in a box;
//! - [`Tree::nearest`]: the item closest to a point;
//! - [`Tree::in_order`] and [`Tree::descend`]: the two walks under these three, for your own bounds and
//!   tests;
//! - [`Tree::pairs`], [`Tree::leaf_pairs`] and [`Tree::leaf_pairs_in_order`]: two trees against each other.
//!
//! Volumes are axis-aligned boxes ([`PackedAabb`], `Aabb`), oriented boxes ([`Obb`]) and spheres
//! ([`BoundingSphere`]). `docs/trees.md` says what each is good for.
//!
//! **A walk skips only what cannot matter.** Bounds are rounded outward, and a walk never skips an item whose
//! volume qualifies in exact arithmetic. The visitor rejects the others.

mod bounding_sphere;
mod boxes;
mod build;
mod curve;
mod dynamic;
mod frames;
mod obb;
mod order;
mod packed_aabb;
mod pairs;
mod split;
mod statistics;
mod swept_box;
mod volume;
mod walk;
mod wide;

use alloc::vec::Vec;

pub use bounding_sphere::BoundingSphere;
pub(crate) use boxes::{Area, Boxes, lanes_of};
pub use build::{MAX_DEPTH, Settings, Split};
pub(crate) use curve::Curve;
pub(crate) use dynamic::{DynamicTree, Root, SweptBounds};
pub use obb::{Obb, ObbFit};
pub(crate) use order::OrderedTree;
pub use packed_aabb::PackedAabb;
pub use statistics::{Statistics, Tightness};
pub use swept_box::SweptBox;
pub use volume::Volume;
pub(crate) use wide::{BoundRefiner, ClippedSweep, Plan, WIDTH};
pub use wide::{WideBox, WideTree};

/// A binary tree over the volumes of items 0, 1, 2 … See the [module](self).
///
/// The volumes of the items themselves are not kept, only those of the nodes: with a [`PackedAabb`] a node
/// takes 32 bytes and two siblings one cache line.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<V> {
    /// None for a tree over nothing.
    root: Option<Node<V>>,
    /// The two children of each inner node, depth first: the children of a pair stand behind it, so that one
    /// pass from the last pair to the first meets every child before its parent.
    pairs: Vec<Pair<V>>,
    /// The items of all leaves, leaf after leaf; ascending within a leaf.
    items: Vec<u32>,
    /// The number of pairs on the longest way from the root to a leaf.
    depth: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Node<V> {
    volume: V,
    link: Link,
}

/// Two siblings. A walk tests both at once, so they share a cache line if they fit in one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Pair<V>([Node<V>; 2]);

/// The contents of a node: `items[first..][..count]`, or, when `count` is 0, `pairs[first]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Link {
    first: u32,
    count: u32,
}

impl<V: Volume> Tree<V> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the tree holds no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The volume around all items; `None` if there are none.
    pub fn bounds(&self) -> Option<V> {
        self.root.map(|root| root.volume)
    }

    /// The number of steps from the root to the deepest leaf: 0 for a tree of one leaf, at most
    /// [`MAX_DEPTH`].
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The bytes the tree holds on the heap.
    pub fn memory(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair<V>>() + self.items.capacity() * size_of::<u32>()
    }

    fn items_of(&self, leaf: Link) -> &[u32] {
        &self.items[leaf.first as usize..][..leaf.count as usize]
    }
}
