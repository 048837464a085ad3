//! The triangles of a mesh in the leaves of a BSP tree, for sweeps through it.
//!
//! Idea: each triangle is cut by the planes on its way down, with exact signs, so each of its points lies in
//! a leaf that names it. Leaves with many triangles are cut further, by planes across the axes. So even a
//! tree of one leaf becomes useful for triangles that enclose nothing. It does not matter which leaves are
//! solid. Cost: a cut for each triangle and each node on its path. Gives up: leaves keep triangles that no
//! plane separates well.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

use super::cells::pieces;
use super::mesh::polygon;
use super::node::{Child, Node};
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::{Cut, Polygon};
use super::tree::Bsp;
use crate::mesh::Mesh;

/// A leaf with no more triangles than this is not cut.
const FEW: usize = 6;
/// A cut leaves at most this share on either side, and makes at most this many pieces of one.
const MOST_ON_A_SIDE: f64 = 0.8;
const MOST_OF_BOTH: f64 = 1.35;
/// Pieces of triangles beyond which leaves are cut no further.
const MOST_PIECES: usize = 1 << 21;

/// The triangles in each leaf, by number.
#[derive(Clone, Debug)]
pub(crate) struct Faces {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Faces {
    /// Those of a leaf.
    #[inline]
    pub(crate) fn of_leaf(&self, leaf: u32) -> &[u32] {
        let Range { start, end } = self.starts[leaf as usize]..self.starts[leaf as usize + 1];
        &self.triangles[start as usize..end as usize]
    }

    /// How many pieces there are, each a triangle in a leaf.
    pub(crate) fn pieces(&self) -> usize {
        self.triangles.len()
    }

    /// The bytes that it holds on the heap.
    pub(crate) fn memory(&self) -> usize {
        (self.starts.capacity() + self.triangles.capacity()) * size_of::<u32>()
    }
}

/// A part of a triangle. A triangle without area has no polygon.
struct Fragment {
    triangle: u32,
    polygon: Option<Polygon>,
    low: DVec3,
    high: DVec3,
}

impl Fragment {
    /// Whether a part of it is in front of a plane across an axis, and whether one is behind. In the plane it
    /// counts for the side that it faces.
    fn sides(&self, axis: usize, at: f64) -> (bool, bool) {
        let (is_front, is_back) = (self.high[axis] > at, self.low[axis] < at);
        if is_front || is_back {
            return (is_front, is_back);
        }
        let faces_front = self.polygon.as_ref().is_none_or(|polygon| !polygon.plane().is_opposite());
        (faces_front, !faces_front)
    }

    fn of(triangle: u32, polygon: Polygon) -> Self {
        let [low, high] = polygon.bounds();
        Self { triangle, polygon: Some(polygon), low, high }
    }
}

impl Bsp {
    /// Sorts the triangles of a mesh into the leaves, and cuts leaves in which there are many.
    pub(crate) fn sorted(self, mesh: &Mesh) -> (Self, Faces) {
        let mut planes = self.planes().clone();
        let mut leaves: Vec<Vec<Fragment>> = Vec::new();
        leaves.resize_with(self.leaf_count(), Vec::new);
        let mut count = 0;
        for triangle in 0..mesh.triangle_count() {
            let corners = mesh.corners(triangle);
            match polygon(&mut planes, corners) {
                Some(polygon) => {
                    let facing = polygon.plane();
                    for (polygon, leaf) in pieces(&planes, self.nodes(), polygon, self.root(), facing) {
                        leaves[leaf as usize].push(Fragment::of(triangle, polygon));
                        count += 1;
                    }
                }
                // A segment or a point, and all leaves that its corners may span.
                None => {
                    let [a, b, c] = corners;
                    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                    for leaf in leaves_around(&planes, self.nodes(), self.root(), &corners) {
                        leaves[leaf as usize].push(Fragment { triangle, polygon: None, low, high });
                        count += 1;
                    }
                }
            }
        }
        let mut builder = Builder {
            planes,
            nodes: self.nodes().to_vec(),
            solid: (0..self.leaf_count() as u32).map(|leaf| self.is_solid(leaf)).collect(),
            root: self.root(),
            lists: vec![Vec::new(); self.leaf_count()],
            count,
        };
        // The parent of each leaf, and the side.
        let mut place: Vec<Parent> = vec![Parent::Root; self.leaf_count()];
        for (number, node) in self.nodes().iter().enumerate() {
            for (child, is_front) in [(node.front, true), (node.back, false)] {
                if let Child::Leaf(leaf) = child {
                    place[leaf as usize] =
                        if is_front { Parent::Front(number) } else { Parent::Back(number) };
                }
            }
        }
        for (leaf, fragments) in leaves.into_iter().enumerate() {
            builder.refine(leaf as u32, place[leaf], fragments, mesh);
        }
        builder.finish(self.reach())
    }
}

/// The leaves that the corners of something may span: all of a child on whose side one of them is, or that
/// has one in its plane.
fn leaves_around(planes: &PlaneSet, nodes: &[Node], root: Child, corners: &[DVec3; 3]) -> Vec<u32> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(child) = open.pop() {
        let node = match child {
            Child::Leaf(leaf) => {
                found.push(leaf);
                continue;
            }
            Child::Node(node) => nodes[node as usize],
        };
        let (is_front, is_back) = span(planes, corners, node.plane);
        if is_front {
            open.push(node.front);
        }
        if is_back {
            open.push(node.back);
        }
    }
    found
}

/// Whether corners are in front of a plane or in it, and behind it.
fn span(planes: &PlaneSet, corners: &[DVec3; 3], by: PlaneId) -> (bool, bool) {
    let sides = corners.map(|corner| planes.side_of_point(corner, by));
    let is_back = sides.contains(&Side::Back);
    // A triangle that is only in the plane is in front of it.
    (!is_back || sides.iter().any(|side| *side != Side::Back), is_back)
}

#[derive(Clone, Copy)]
enum Parent {
    Root,
    Front(usize),
    Back(usize),
}

/// A tree while it is built.
struct Builder {
    planes: PlaneSet,
    nodes: Vec<Node>,
    solid: Vec<bool>,
    root: Child,
    lists: Vec<Vec<u32>>,
    count: usize,
}

impl Builder {
    fn hang(&mut self, place: Parent, child: Child) {
        match place {
            Parent::Root => self.root = child,
            Parent::Front(node) => self.nodes[node].front = child,
            Parent::Back(node) => self.nodes[node].back = child,
        }
    }

    /// Cuts a leaf until few triangles are left in each part.
    fn refine(&mut self, leaf: u32, place: Parent, fragments: Vec<Fragment>, mesh: &Mesh) {
        let is_solid = self.solid[leaf as usize];
        let mut first = Some(leaf);
        let mut open = vec![(place, fragments, true)];
        while let Some((place, fragments, is_divisible)) = open.pop() {
            let Some(by) = is_divisible.then(|| self.choose(&fragments)).flatten() else {
                let leaf = first.take().unwrap_or_else(|| {
                    self.solid.push(is_solid);
                    self.lists.push(Vec::new());
                    self.solid.len() as u32 - 1
                });
                self.hang(place, Child::Leaf(leaf));
                let mut list: Vec<u32> = fragments.iter().map(|fragment| fragment.triangle).collect();
                list.sort_unstable();
                list.dedup();
                self.lists[leaf as usize] = list;
                continue;
            };
            let (mut front, mut back) = (Vec::new(), Vec::new());
            let before = fragments.len();
            for fragment in fragments {
                self.part(fragment, by, mesh, &mut front, &mut back);
            }
            self.count += front.len() + back.len() - before;
            let node = self.nodes.len();
            self.nodes.push(Node { plane: by, front: Child::Leaf(0), back: Child::Leaf(0) });
            self.hang(place, Child::Node(node as u32));
            // Sides were counted by rounded corners.
            let is_divisible = front.len().max(back.len()) < before;
            open.push((Parent::Front(node), front, is_divisible));
            open.push((Parent::Back(node), back, is_divisible));
        }
    }

    fn part(
        &self,
        fragment: Fragment,
        by: PlaneId,
        mesh: &Mesh,
        front: &mut Vec<Fragment>,
        back: &mut Vec<Fragment>,
    ) {
        let Fragment { triangle, polygon, low, high } = fragment;
        let Some(polygon) = polygon else {
            let (is_front, is_back) = span(&self.planes, &mesh.corners(triangle), by);
            let copy = || Fragment { triangle, polygon: None, low, high };
            front.extend(is_front.then(copy));
            back.extend(is_back.then(copy));
            return;
        };
        let whole = |polygon| Fragment { triangle, polygon: Some(polygon), low, high };
        match polygon.cut(&self.planes, by) {
            Cut::On if polygon.plane() == by => front.push(whole(polygon)),
            Cut::On => back.push(whole(polygon)),
            Cut::Front => front.push(whole(polygon)),
            Cut::Back => back.push(whole(polygon)),
            Cut::Both(one, other) => {
                front.push(Fragment::of(triangle, one));
                back.push(Fragment::of(triangle, other));
            }
        }
    }

    /// The plane across an axis that separates these best; `None` if no cut is worth its pieces.
    fn choose(&mut self, fragments: &[Fragment]) -> Option<PlaneId> {
        if fragments.len() <= FEW || self.count > MOST_PIECES {
            return None;
        }
        let mut best: Option<(usize, usize, f64)> = None;
        let mut numbers = Vec::with_capacity(fragments.len());
        let middle = fragments.len() / 2;
        for axis in 0..3 {
            let measures: [fn(&Fragment, usize) -> f64; 3] = [
                |f, axis| f.low[axis],
                |f, axis| f.high[axis],
                |f, axis| 0.5 * f.low[axis] + 0.5 * f.high[axis],
            ];
            for measure in measures {
                numbers.clear();
                numbers.extend(fragments.iter().map(|fragment| measure(fragment, axis)));
                let (_, at, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
                // Few digits keep what is cut by it in small numbers.
                let at = f64::from(*at as f32);
                let (mut front, mut back) = (0, 0);
                for fragment in fragments {
                    let (is_front, is_back) = fragment.sides(axis, at);
                    front += usize::from(is_front);
                    back += usize::from(is_back);
                }
                let cost = front.max(back) + 2 * (front + back - fragments.len());
                let share = fragments.len() as f64;
                let is_worth = front.max(back) as f64 <= MOST_ON_A_SIDE * share
                    && (front + back) as f64 <= MOST_OF_BOTH * share;
                if at.is_finite() && is_worth && best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, axis, at));
                }
            }
        }
        let (_, axis, at) = best?;
        self.planes.insert_axial(axis, at)
    }

    fn finish(self, reach: f64) -> (Bsp, Faces) {
        let mut starts = Vec::with_capacity(self.lists.len() + 1);
        let mut triangles = Vec::with_capacity(self.lists.iter().map(Vec::len).sum());
        starts.push(0);
        for list in &self.lists {
            triangles.extend(list);
            starts.push(triangles.len() as u32);
        }
        let bsp = Bsp::of_parts(&self.planes, self.nodes, self.solid, self.root, reach);
        (bsp, Faces { starts, triangles })
    }
}
