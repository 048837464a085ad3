//! The triangles of a mesh in the leaves of a BSP tree, for sweeps through it.
//!
//! Idea: each triangle is cut by the planes on its way down, with exact signs, so each of its points lies in
//! a leaf that names it. Leaves with many triangles are cut further, by planes across the axes. So even a
//! tree of one leaf becomes useful for triangles that enclose nothing. These cuts are in f64 and keep a
//! margin beyond the plane, so rounding loses no point; a leaf may name a triangle that only comes near. It
//! does not matter which leaves are solid. Cost: a cut for each triangle and each node on its path. Gives up:
//! leaves keep triangles that no plane separates well.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

use super::cells::pieces;
use super::mesh::polygon;
use super::node::{Child, Node};
use super::plane::{Corner, PlaneId, PlaneSet, Side};
use super::polygon::Polygon;
use super::tree::Bsp;
use crate::mesh::Mesh;

/// A leaf with no more triangles than this is not cut.
const FEW: usize = 6;
/// A cut leaves at most this share on either side, and makes at most this many pieces of one.
const MOST_ON_A_SIDE: f64 = 0.8;
const MOST_OF_BOTH: f64 = 1.35;
/// The median of about as many places of triangles is found.
const SAMPLES: usize = 512;
/// Pieces of triangles beyond which leaves are cut no further.
const MOST_PIECES: usize = 1 << 21;
/// A share of the greatest coordinate. Each cut adds an error of at most 4 unit roundoffs, so this is that of
/// 2000 cuts.
const MARGIN: f64 = 1.0 / (1u64 << 40) as f64;

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

/// A part of a triangle, in f64.
struct Fragment {
    triangle: u32,
    /// Each point of the part is in this polygon, or nearer to it than the margin.
    corners: Vec<DVec3>,
    /// Bounds of the part.
    low: DVec3,
    high: DVec3,
    normal: DVec3,
}

impl Fragment {
    fn of_triangle(triangle: u32, corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        Self { triangle, corners: corners.to_vec(), low, high, normal: (b - a).cross(c - a) }
    }

    /// A piece of it, whose corners are rounded.
    fn of_piece(triangle: u32, corners: [DVec3; 3], piece: &Polygon, margin: f64) -> Self {
        let whole = Self::of_triangle(triangle, corners);
        let [low, high] = piece.bounds();
        let margin = DVec3::splat(margin);
        Self {
            corners: piece.corners().iter().map(Corner::position).collect(),
            low: whole.low.max(low - margin),
            high: whole.high.min(high + margin),
            ..whole
        }
    }

    /// Whether a part of it may be in front of a plane across an axis, and behind. In the plane it counts for
    /// the side that it faces.
    fn sides(&self, axis: usize, at: f64) -> (bool, bool) {
        let (is_front, is_back) = (self.high[axis] > at, self.low[axis] < at);
        if is_front || is_back {
            return (is_front, is_back);
        }
        let faces_back = self.faces_back(axis);
        (!faces_back, faces_back)
    }

    fn faces_back(&self, axis: usize) -> bool {
        self.normal[axis] < 0.0
    }

    /// The parts in front of a plane across an axis, and behind it.
    fn cut(self, axis: usize, at: f64, margin: f64) -> [Option<Self>; 2] {
        match self.sides(axis, at) {
            (true, true) => [1.0, -1.0].map(|facing| self.beyond(axis, at, facing, margin)),
            (true, false) => [Some(self), None],
            (false, _) => [None, Some(self)],
        }
    }

    /// The part on the side that `facing` faces, and of the polygon as much more as the margin.
    fn beyond(&self, axis: usize, at: f64, facing: f64, margin: f64) -> Option<Self> {
        let limit = at - facing * margin;
        let is_beyond = |corner: DVec3| facing * (corner[axis] - limit) >= 0.0;
        let mut corners = Vec::with_capacity(self.corners.len() + 1);
        let mut before = *self.corners.last()?;
        for &corner in &self.corners {
            if is_beyond(corner) != is_beyond(before) {
                let share = (limit - before[axis]) / (corner[axis] - before[axis]);
                corners.push(before + share * (corner - before));
            }
            if is_beyond(corner) {
                corners.push(corner);
            }
            before = corner;
        }
        let mut low = corners.iter().copied().reduce(DVec3::min)? - DVec3::splat(margin);
        let mut high = corners.iter().copied().reduce(DVec3::max)? + DVec3::splat(margin);
        (if facing > 0.0 { &mut low } else { &mut high })[axis] = at;
        Some(Self { corners, low: self.low.max(low), high: self.high.min(high), ..*self })
    }
}

/// The extents of parts along an axis.
#[derive(Default)]
struct Spans {
    low: Vec<f64>,
    high: Vec<f64>,
    faces_back: Vec<bool>,
}

impl Spans {
    fn fill(&mut self, fragments: &[Fragment], axis: usize) {
        self.low.clear();
        self.high.clear();
        self.faces_back.clear();
        self.low.extend(fragments.iter().map(|fragment| fragment.low[axis]));
        self.high.extend(fragments.iter().map(|fragment| fragment.high[axis]));
        self.faces_back.extend(fragments.iter().map(|fragment| fragment.faces_back(axis)));
    }

    /// How many are in front of a plane across the axis, and behind, as [`Fragment::sides`] says.
    fn count(&self, at: f64) -> [usize; 2] {
        let above = self.high.iter().filter(|high| **high > at).count();
        let below = self.low.iter().filter(|low| **low < at).count();
        let ends = || self.low.iter().zip(&self.high);
        let is_within = |(low, high): (&f64, &f64)| *low >= at && *high <= at;
        let within = ends().filter(|ends| is_within(*ends)).count();
        if within == 0 {
            return [above, below];
        }
        let behind =
            ends().zip(&self.faces_back).filter(|(ends, faces_back)| **faces_back && is_within(*ends));
        let behind = behind.count();
        [above + within - behind, below + behind]
    }
}

impl Bsp {
    /// Sorts the triangles of a mesh into the leaves, and cuts leaves in which there are many.
    pub(crate) fn sorted(self, mesh: &Mesh) -> (Self, Faces) {
        let mut planes = self.planes().clone();
        let margin = MARGIN * self.reach().max(mesh.largest_coordinate());
        let mut leaves: Vec<Vec<Fragment>> = Vec::new();
        leaves.resize_with(self.leaf_count(), Vec::new);
        for triangle in 0..mesh.triangle_count() {
            let corners = mesh.corners(triangle);
            if let Child::Leaf(leaf) = self.root() {
                leaves[leaf as usize].push(Fragment::of_triangle(triangle, corners));
            } else if let Some(polygon) = polygon(&mut planes, corners) {
                let facing = polygon.plane();
                for (piece, leaf) in pieces(&planes, self.nodes(), polygon, self.root(), facing) {
                    leaves[leaf as usize].push(Fragment::of_piece(triangle, corners, &piece, margin));
                }
            } else {
                // A segment or a point, in all leaves that its corners may span.
                for leaf in leaves_around(&planes, self.nodes(), self.root(), &corners) {
                    leaves[leaf as usize].push(Fragment::of_triangle(triangle, corners));
                }
            }
        }
        let mut builder = Builder {
            planes,
            nodes: self.nodes().to_vec(),
            solid: (0..self.leaf_count() as u32).map(|leaf| self.is_solid(leaf)).collect(),
            root: self.root(),
            lists: vec![Vec::new(); self.leaf_count()],
            count: leaves.iter().map(Vec::len).sum(),
            margin,
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
            builder.refine(leaf as u32, place[leaf], fragments);
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
    margin: f64,
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
    fn refine(&mut self, leaf: u32, place: Parent, fragments: Vec<Fragment>) {
        let is_solid = self.solid[leaf as usize];
        let mut first = Some(leaf);
        let mut open = vec![(place, fragments)];
        while let Some((place, fragments)) = open.pop() {
            let Some((by, axis, at)) = self.choose(&fragments) else {
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
                let [one, other] = fragment.cut(axis, at, self.margin);
                front.extend(one);
                back.extend(other);
            }
            self.count += front.len() + back.len();
            self.count -= before;
            let node = self.nodes.len();
            self.nodes.push(Node { plane: by, front: Child::Leaf(0), back: Child::Leaf(0) });
            self.hang(place, Child::Node(node as u32));
            open.push((Parent::Front(node), front));
            open.push((Parent::Back(node), back));
        }
    }

    /// The plane across an axis that separates these best, the axis, and where. `None` if no cut is worth its
    /// pieces.
    fn choose(&mut self, fragments: &[Fragment]) -> Option<(PlaneId, usize, f64)> {
        if fragments.len() <= FEW || self.count > MOST_PIECES {
            return None;
        }
        let count = fragments.len();
        let mut best: Option<(usize, usize, f64)> = None;
        let mut spans = Spans::default();
        let mut places = Vec::with_capacity(count.min(2 * SAMPLES));
        for axis in 0..3 {
            spans.fill(fragments, axis);
            let measures: [fn(f64, f64) -> f64; 3] =
                [|low, _| low, |_, high| high, |low, high| 0.5 * low + 0.5 * high];
            for measure in measures {
                places.clear();
                let ends = spans.low.iter().zip(&spans.high).step_by((count / SAMPLES).max(1));
                places.extend(ends.map(|(low, high)| measure(*low, *high)));
                let middle = places.len() / 2;
                let (_, at, _) = places.select_nth_unstable_by(middle, f64::total_cmp);
                // Few digits keep what is cut by it in small numbers.
                let at = f64::from(*at as f32);
                let [front, back] = spans.count(at);
                let cost = front.max(back) + 2 * (front + back - count);
                let is_worth = front.max(back) as f64 <= MOST_ON_A_SIDE * count as f64
                    && (front + back) as f64 <= MOST_OF_BOTH * count as f64;
                if at.is_finite() && is_worth && best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, axis, at));
                }
            }
        }
        let (_, axis, at) = best?;
        Some((self.planes.insert_axial(axis, at)?, axis, at))
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
