//! The tree of a compiled level: its nodes and its solid leaves, as the compiler left them.

use carom::bsp::{Bsp, Child, Node, PlaneSet};

use super::lumps::{Directory, Lump, Record};
use super::{bsp1, bsp2};
use crate::error::{LoadError, Location};

/// How the tables of a game are laid out.
pub(super) struct Layout<'a> {
    planes: Lump<'a>,
    nodes: Lump<'a>,
    leaves: Lump<'a>,
    models: Lump<'a>,
    /// Where the first node of a model is in its record; by default the first of all.
    root_at: Option<usize>,
    children: fn(Record<'_>, usize, &Lump<'_>) -> i64,
    is_solid: fn(Record<'_>) -> bool,
}

fn wide(node: Record<'_>, side: usize, _: &Lump<'_>) -> i64 {
    node.i32(4 + 4 * side).into()
}

impl<'a> Layout<'a> {
    /// Quake and `GoldSrc`. Sky keeps the outside out, too.
    pub(super) fn quake(bytes: &'a [u8], kind: bsp1::Kind) -> Result<Self, LoadError> {
        let (directory, planes) = bsp1::directory(bytes, kind)?;
        let is_wide = kind == bsp1::Kind::Bsp2;
        let lump = |index, name, narrow: usize, wide: usize| {
            directory.lump(index, name, if is_wide { wide } else { narrow })
        };
        Ok(Self {
            planes: lump(planes, "planes", 20, 20)?,
            nodes: lump(5, "nodes", 24, 44)?,
            leaves: lump(10, "leaves", 28, 44)?,
            models: lump(14, "models", 64, 64)?,
            root_at: Some(36),
            children: if is_wide { wide } else { |node, side, nodes| bsp1::narrow_child(node, side, nodes) },
            is_solid: |leaf| matches!(leaf.i32(0), -2 | -6),
        })
    }

    pub(super) fn quake2(bytes: &'a [u8], kind: bsp2::Kind) -> Result<Self, LoadError> {
        let is_wide = kind == bsp2::Kind::Qbsp;
        let directory = Directory::new(bytes, 8, 19)?;
        Ok(Self {
            planes: directory.lump(1, "planes", 20)?,
            nodes: directory.lump(4, "nodes", if is_wide { 44 } else { 28 })?,
            leaves: directory.lump(8, "leaves", if is_wide { 52 } else { 28 })?,
            models: directory.lump(13, "models", 48)?,
            root_at: Some(36),
            children: wide,
            is_solid: |leaf| leaf.u32(0) & 1 != 0,
        })
    }

    pub(super) fn quake3(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let directory = Directory::new(bytes, 8, 17)?;
        Ok(Self {
            planes: directory.lump(2, "planes", 16)?,
            nodes: directory.lump(3, "nodes", 36)?,
            leaves: directory.lump(4, "leaves", 48)?,
            models: directory.lump(7, "models", 40)?,
            root_at: None,
            children: wide,
            // Only what is not opaque is in a cluster of the visible set.
            is_solid: |leaf| leaf.i32(0) < 0,
        })
    }

    /// Whether the nodes make a tree, if there are any: levels are made that have none.
    pub(super) fn check(&self) -> Result<(), LoadError> {
        if self.nodes.len() > 0 { self.tree().map(|_| ()) } else { Ok(()) }
    }

    /// The tree of the world.
    pub(super) fn tree(&self) -> Result<Bsp, LoadError> {
        let (_, world) = self.models.get(0, || Location::Part("lump models".to_owned()))?;
        let (low, high) = (world.vector(0), world.vector(12));
        if !(low.is_finite() && high.is_finite()) {
            return Err(LoadError::malformed(self.models.at(0), "bounds that are finite", b"others"));
        }
        let reach = low.abs().max(high.abs()).max_element().max(1.0);
        let root = self.root_at.map_or(0, |at| i64::from(world.i32(at)));
        let mut planes = PlaneSet::new();
        let (mut nodes, mut solid): (Vec<Node>, Vec<bool>) = (Vec::new(), Vec::new());
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![(root, self.models.at(0), None)];
        while let Some((child, from, place)) = open.pop() {
            let new = if child < 0 {
                let (_, leaf) = self.leaves.get(-1 - child, || from)?;
                solid.push((self.is_solid)(leaf));
                Child::Leaf(solid.len() as u32 - 1)
            } else {
                let (index, record) = self.nodes.get(child, || from)?;
                let at = self.nodes.at(index);
                if std::mem::replace(&mut seen[index], true) {
                    return Err(bsp1::reached_twice(at));
                }
                let (place, plane) = self.planes.get(record.i32(0).into(), || at.clone())?;
                let id = planes.insert(plane.vector(0), plane.f32(12).into());
                let plane = id
                    .ok_or_else(|| LoadError::malformed(self.planes.at(place), "a plane", b"no direction"))?;
                let number = nodes.len();
                nodes.push(Node { plane, front: Child::Leaf(0), back: Child::Leaf(0) });
                for side in [1, 0] {
                    open.push(((self.children)(record, side, &self.nodes), at.clone(), Some((number, side))));
                }
                Child::Node(number as u32)
            };
            match place {
                None => {}
                Some((number, 0)) => nodes[number].front = new,
                Some((number, _)) => nodes[number].back = new,
            }
        }
        Ok(Bsp::from_nodes(planes, nodes, solid, reach)?)
    }
}
