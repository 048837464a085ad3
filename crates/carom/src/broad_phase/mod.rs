//! Finds pairs of objects near each other: boxes that come, move and go, the pairs of them that overlap, and
//! the changes.
//!
//! Source: Bobic, *Advanced collision detection techniques* (2000): colliders and collidees are kept apart,
//! in two indices, and classes that never collide are never compared. Catto, *Dynamic bounding volume
//! hierarchies* (2019), for the tree.
//!
//! A [`BroadPhase`] holds boxes as [`Entry`]s: [`Role::Collider`]s, which look for others, and
//! [`Role::Collidee`]s, which are only found. Each is on a layer, and a [`LayerMatrix`] says which layers are
//! compared, so that for example bullets ignore bullets. The index stores a fat box around each box, so small
//! motions change nothing there. [`BroadPhase::update`] reports the pairs that entered, stayed and left.
//!
//! The pairs are exactly those whose boxes share a point, including touching; for moving boxes, at the same
//! time. They come in ascending order, in any order of insertion and with either index: a [`BoxTree`] or a
//! loose [`Octree`].

mod box_tree;
mod entry;
mod index;
mod matrix;
mod octree;
mod phase;

pub use box_tree::BoxTree;
pub use entry::{Entry, Role, Sense};
pub use index::BoxIndex;
pub use matrix::LayerMatrix;
pub use octree::Octree;
pub use phase::{BroadPhase, Key, PairEvents};
