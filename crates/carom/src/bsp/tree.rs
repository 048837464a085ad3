//! BSP trees whose leaves are solid or empty.
//!
//! Source: H. Fuchs, Z. Kedem and B. Naylor, 1980; W. Thibault and B. Naylor, *Set operations on polyhedra
//! using binary space partitioning trees*, 1987. The page is `docs/bsp.md`. All signs are exact, so no piece
//! of a polygon is lost or made twice, and a point is in one leaf. Cost: a query goes down one path, or both
//! sides where it has to. It never gives up; a file's tree that is not a tree is refused.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::build::build;
use super::error::BspError;
use super::node::{Child, Node};
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::Polygon;

/// A tree of planes whose leaves are solid or empty.
///
/// ```
/// use carom::bsp::{Bsp, PlaneSet, Polygon};
/// use carom::glam::{DVec3, dvec3};
/// use carom::mesh::Mesh;
/// // A tetrahedron, from its closed mesh.
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mesh = Mesh::from_triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
/// let solid = Bsp::of_mesh(&mesh).unwrap();
/// assert!(solid.contains(DVec3::splat(0.25)) && !solid.contains(DVec3::splat(0.5)));
/// assert!(solid.meets_segment(dvec3(-1.0, 0.25, 0.25), dvec3(1.0, 0.25, 0.25)));
/// ```
#[derive(Clone, Debug)]
pub struct Bsp {
    planes: PlaneSet,
    nodes: Vec<Node>,
    /// Whether each leaf is solid.
    solid: Vec<bool>,
    root: Child,
    /// No corner of the solid is farther from the origin along an axis.
    reach: f64,
    limits: [PlaneId; 6],
}

impl Bsp {
    /// The tree of the solid that these polygons bound: closed, facing out, and nowhere through each other.
    ///
    /// # Errors
    /// Polygons that cut each other into too many pieces.
    pub fn build(mut planes: PlaneSet, polygons: Vec<Polygon>) -> Result<Self, BspError> {
        let farthest = polygons.iter().fold(1.0f64, |most, polygon| {
            let [low, high] = polygon.bounds();
            most.max(low.abs().max(high.abs()).max_element())
        });
        let reach = power_above(farthest);
        let limits = planes.bounded(reach).ok_or(BspError::Reach { reach })?;
        let (nodes, solid) = build(&mut planes, polygons)?;
        let root = if nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        Ok(Self { planes, nodes, solid, root, reach, limits })
    }

    /// The same tree without planes that no node has; those that are left get new names.
    pub(super) fn pruned(self) -> Self {
        Self::of_parts(&self.planes, self.nodes, self.solid, self.root, self.reach)
    }

    /// Of these planes those that the nodes have are kept. The reach is a power of two.
    pub(super) fn of_parts(
        planes: &PlaneSet,
        mut nodes: Vec<Node>,
        mut solid: Vec<bool>,
        root: Child,
        reach: f64,
    ) -> Self {
        let mut planes = planes.keep(nodes.iter_mut().map(|node| &mut node.plane));
        let limits = planes.bounded(reach).expect("a power of two is finite");
        planes.shrink_to_fit();
        nodes.shrink_to_fit();
        solid.shrink_to_fit();
        Self { planes, nodes, solid, root, reach, limits }
    }

    /// A tree that a file has. The root is the first node; without nodes there is one leaf. `reach` is
    /// farther from the origin along each axis than what is of interest.
    ///
    /// # Errors
    /// A node that is reached twice, a node or leaf that is not there, a reach that is no length.
    pub fn from_nodes(
        mut planes: PlaneSet,
        nodes: Vec<Node>,
        solid: Vec<bool>,
        reach: f64,
    ) -> Result<Self, BspError> {
        if !(reach.is_finite() && reach > 0.0) {
            return Err(BspError::Reach { reach });
        }
        let reach = power_above(reach);
        let root = if nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        let mut seen = vec![false; nodes.len()];
        let mut open = vec![(root, 0)];
        while let Some((child, from)) = open.pop() {
            match child {
                Child::Leaf(leaf) if (leaf as usize) < solid.len() => {}
                Child::Node(node) if seen.get(node as usize) == Some(&false) => {
                    seen[node as usize] = true;
                    let Node { front, back, .. } = nodes[node as usize];
                    open.extend([(front, node as usize), (back, node as usize)]);
                }
                _ => return Err(BspError::NotATree { node: from }),
            }
        }
        let limits = planes.bounded(reach).ok_or(BspError::Reach { reach })?;
        Ok(Self { planes, nodes, solid, root, reach, limits })
    }

    /// The planes of the tree.
    pub fn planes(&self) -> &PlaneSet {
        &self.planes
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Where a walk down begins.
    pub fn root(&self) -> Child {
        self.root
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.solid.len()
    }

    /// Whether a leaf is solid.
    pub fn is_solid(&self, leaf: u32) -> bool {
        self.solid[leaf as usize]
    }

    /// No corner of the solid is farther from the origin along an axis: a power of two.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The planes at the reach, facing out.
    pub(crate) fn limits(&self) -> &[PlaneId; 6] {
        &self.limits
    }

    /// The bytes that it holds on the heap.
    pub fn memory(&self) -> usize {
        self.planes.memory() + self.nodes.capacity() * size_of::<Node>() + self.solid.capacity()
    }

    /// The leaf that a point is in, exactly; a point in a plane counts as in front of it.
    pub fn leaf_at(&self, point: DVec3) -> u32 {
        let mut child = self.root;
        loop {
            match child {
                Child::Leaf(leaf) => return leaf,
                Child::Node(node) => {
                    let node = &self.nodes[node as usize];
                    let is_behind = self.planes.side_of_point(point, node.plane) == Side::Back;
                    child = if is_behind { node.back } else { node.front };
                }
            }
        }
    }

    /// Whether a point is within the solid, exactly. A point on its surface is not.
    pub fn contains(&self, point: DVec3) -> bool {
        let mut open = vec![self.root];
        while let Some(child) = open.pop() {
            match child {
                Child::Leaf(leaf) if self.is_solid(leaf) => {}
                Child::Leaf(_) => return false,
                Child::Node(node) => {
                    let node = &self.nodes[node as usize];
                    match self.planes.side_of_point(point, node.plane) {
                        Side::Front => open.push(node.front),
                        Side::Back => open.push(node.back),
                        // Within only if all that it touches is solid.
                        Side::On => open.extend([node.back, node.front]),
                    }
                }
            }
        }
        true
    }

    /// The longest way from the root to a leaf, in nodes.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self.root, 0)];
        while let Some((child, depth)) = open.pop() {
            deepest = deepest.max(depth);
            if let Child::Node(node) = child {
                let Node { front, back, .. } = self.nodes[node as usize];
                open.extend([(front, depth + 1), (back, depth + 1)]);
            }
        }
        deepest
    }

    /// Cuts a leaf in two of the same contents; the new one is behind the plane.
    pub(super) fn split_leaves(&mut self, cuts: &[(u32, PlaneId)]) {
        let mut by_leaf: Vec<Option<PlaneId>> = vec![None; self.solid.len()];
        for (leaf, plane) in cuts {
            by_leaf[*leaf as usize] = Some(*plane);
        }
        let mut replace = |child: &mut Child, nodes: &mut Vec<Node>, number: usize| {
            let Child::Leaf(leaf) = *child else { return };
            let Some(plane) = by_leaf.get(leaf as usize).copied().flatten() else { return };
            let new = self.solid.len() as u32;
            self.solid.push(self.solid[leaf as usize]);
            *child = Child::Node((number + nodes.len()) as u32);
            nodes.push(Node { plane, front: Child::Leaf(leaf), back: Child::Leaf(new) });
        };
        let mut more = Vec::new();
        let count = self.nodes.len();
        replace(&mut self.root, &mut more, count);
        for node in &mut self.nodes {
            replace(&mut node.front, &mut more, count);
            replace(&mut node.back, &mut more, count);
        }
        self.nodes.extend(more);
    }
}

/// A power of two that is at least twice as large.
pub(super) fn power_above(length: f64) -> f64 {
    let mut power = 1.0;
    while power < 2.0 * length && power < 1e300 {
        power *= 2.0;
    }
    power
}
