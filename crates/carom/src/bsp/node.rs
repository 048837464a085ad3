//! The nodes of a tree: a plane, and a node or a leaf on either side.

use super::plane::PlaneId;

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// A node, by its number.
    Node(u32),
    /// A leaf, by its number.
    Leaf(u32),
}

/// A plane and what is on either side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The plane.
    pub plane: PlaneId,
    /// The side that the plane faces.
    pub front: Child,
    /// The side behind the plane.
    pub back: Child,
}
