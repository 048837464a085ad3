//! Cells and portals: the empty leaves of a tree, the polygons between two of them, and those that bound the
//! solid.
//!
//! Source: S. Teller, *Visibility computations in densely occluded polyhedral environments*, 1992; the page
//! is `docs/portals.md`. The plane of a node is cut by the planes above it and passed down both of its sides,
//! all with exact signs. So portals and walls fit together without cracks or overlaps. Cost: a cut for each
//! node and each node above it, and those on the way down. It never gives up.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::node::{Child, Node};
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::{Cut, Extent, Polygon};
use super::tree::Bsp;
use crate::num::ops::sqrt;
use crate::shape::Triangle;

/// A polygon between two leaves, at least one of which is empty.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    plane: PlaneId,
    leaves: [u32; 2],
    first: u32,
    count: u16,
    is_open_end: bool,
    is_closed: bool,
    area: f64,
}

impl Piece {
    /// The plane that it lies in; of a wall it faces the cell.
    pub fn plane(&self) -> PlaneId {
        self.plane
    }

    /// The leaves in front of it and behind it; those of a wall are its cell and one that is solid.
    pub fn leaves(&self) -> [u32; 2] {
        self.leaves
    }

    /// In square units of the tree.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Whether only the tree's reach bounds it: the space on both of its sides continues beyond.
    pub fn is_open_end(&self) -> bool {
        self.is_open_end
    }

    /// Whether it is closed ([`Cells::close`]): no flood passes.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// The nearest point of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// The point, in meters.
    pub point: DVec3,
    /// Its distance, in meters.
    pub distance: f64,
}

/// The empty leaves of a tree and what is between them.
#[derive(Clone, Debug)]
pub struct Cells {
    portals: Vec<Piece>,
    walls: Vec<Piece>,
    corners: Vec<DVec3>,
    edges: Vec<PlaneId>,
    /// Where the portals of each leaf begin in the next list.
    portal_starts: Vec<u32>,
    portals_by_leaf: Vec<u32>,
    /// The same of walls.
    wall_starts: Vec<u32>,
    walls_by_leaf: Vec<u32>,
    is_outside: Vec<bool>,
    is_empty: Vec<bool>,
}

impl Cells {
    /// The cells of a tree.
    pub fn of(bsp: &Bsp) -> Self {
        let leaves = bsp.leaf_count();
        let is_empty: Vec<bool> = (0..leaves as u32).map(|leaf| !bsp.is_solid(leaf)).collect();
        let mut cells = Self {
            portals: Vec::new(),
            walls: Vec::new(),
            corners: Vec::new(),
            edges: Vec::new(),
            portal_starts: Vec::new(),
            portals_by_leaf: Vec::new(),
            wall_starts: Vec::new(),
            walls_by_leaf: Vec::new(),
            // Without nodes there is one leaf, which is all of space.
            is_outside: vec![bsp.nodes().is_empty(); leaves],
            is_empty,
        };
        // Nodes to visit, how many planes are above them, and the one that leads to them, facing them.
        let mut open = vec![(bsp.root(), 0, None)];
        let mut above: Vec<PlaneId> = Vec::new();
        while let Some((child, depth, facing)) = open.pop() {
            above.truncate(depth);
            above.extend(facing);
            let Child::Node(number) = child else { continue };
            let node = bsp.nodes()[number as usize];
            cells.add_pieces(bsp, number, &above);
            let depth = above.len();
            open.push((node.back, depth, Some(node.plane.opposite())));
            open.push((node.front, depth, Some(node.plane)));
        }
        cells.portals.shrink_to_fit();
        cells.walls.shrink_to_fit();
        cells.corners.shrink_to_fit();
        cells.edges.shrink_to_fit();
        (cells.portal_starts, cells.portals_by_leaf) = by_leaf(&cells.portals, leaves, |_| true);
        let is_cell = |leaf: u32| !bsp.is_solid(leaf);
        (cells.wall_starts, cells.walls_by_leaf) = by_leaf(&cells.walls, leaves, is_cell);
        cells
    }

    fn add_pieces(&mut self, bsp: &Bsp, number: u32, above: &[PlaneId]) {
        let (planes, node) = (bsp.planes(), bsp.nodes()[number as usize]);
        let Some(mut polygon) = Polygon::within(planes, node.plane, bsp.limits()) else { return };
        let mut extent = Extent::of(&polygon);
        for by in above.iter().rev() {
            match extent.side_of(planes.rounded(*by)) {
                Some(Side::Front) => continue,
                Some(_) => return,
                None => {}
            }
            match polygon.in_front(planes, *by) {
                Some(inside) => polygon = inside,
                None => return,
            }
            extent = Extent::of(&polygon);
        }
        for (polygon, front) in pieces(planes, bsp.nodes(), polygon, node.front, node.plane) {
            for (polygon, back) in pieces(planes, bsp.nodes(), polygon, node.back, node.plane.opposite()) {
                match (bsp.is_solid(front), bsp.is_solid(back)) {
                    (false, false) => self.add(bsp, &polygon, [front, back], true),
                    (false, true) => self.add(bsp, &polygon, [front, back], false),
                    (true, false) => self.add(bsp, &polygon.flipped(), [back, front], false),
                    (true, true) => {}
                }
            }
        }
    }

    fn add(&mut self, bsp: &Bsp, polygon: &Polygon, leaves: [u32; 2], is_portal: bool) {
        let is_limit = |edge: &PlaneId| bsp.limits().iter().any(|end| end.unoriented() == edge.unoriented());
        let is_open_end = polygon.edges().iter().any(is_limit);
        for leaf in leaves {
            self.is_outside[leaf as usize] |= is_open_end;
        }
        let piece = Piece {
            plane: polygon.plane(),
            leaves,
            first: self.corners.len() as u32,
            count: polygon.corners().len() as u16,
            is_open_end,
            is_closed: false,
            area: 0.5 * sqrt(polygon.double_area().length_squared()),
        };
        self.corners.extend(polygon.corners().iter().map(super::plane::Corner::position));
        self.edges.extend(polygon.edges());
        if is_portal { self.portals.push(piece) } else { self.walls.push(piece) }
    }

    /// All portals: polygons between two cells.
    pub fn portals(&self) -> &[Piece] {
        &self.portals
    }

    /// All walls: polygons between a cell and the solid.
    pub fn walls(&self) -> &[Piece] {
        &self.walls
    }

    /// The portals of a leaf, by their numbers.
    pub fn portals_of(&self, leaf: u32) -> &[u32] {
        slice(&self.portal_starts, &self.portals_by_leaf, leaf)
    }

    /// The walls of a leaf, by their numbers; empty if it is solid.
    pub fn walls_of(&self, leaf: u32) -> &[u32] {
        slice(&self.wall_starts, &self.walls_by_leaf, leaf)
    }

    /// The corners of a piece, each coordinate the nearest f64.
    pub fn corners(&self, piece: &Piece) -> &[DVec3] {
        &self.corners[piece.first as usize..][..piece.count.into()]
    }

    /// The planes around a piece; edge `i` ends in corner `i`.
    pub fn edges(&self, piece: &Piece) -> &[PlaneId] {
        &self.edges[piece.first as usize..][..piece.count.into()]
    }

    /// A piece with exact corners.
    pub fn polygon(&self, bsp: &Bsp, piece: &Piece) -> Option<Polygon> {
        Polygon::new(bsp.planes(), piece.plane, self.edges(piece).to_vec())
    }

    /// The mean of the corners of a piece.
    pub fn center(&self, piece: &Piece) -> DVec3 {
        let corners = self.corners(piece);
        corners.iter().sum::<DVec3>() / corners.len().max(1) as f64
    }

    /// The least distance between two parallel lines with the piece between them: what is wider in every
    /// direction does not pass.
    pub fn width(&self, piece: &Piece) -> f64 {
        let corners = self.corners(piece);
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let across = ends.filter_map(|(a, b)| {
            let along = (*b - *a).try_normalize()?;
            let distance = |c: &DVec3| sqrt((*c - *a).cross(along).length_squared());
            Some(corners.iter().map(distance).fold(0.0, f64::max))
        });
        across.fold(f64::INFINITY, f64::min)
    }

    /// Whether a leaf is an unbounded cell.
    pub fn is_outside(&self, leaf: u32) -> bool {
        self.is_outside[leaf as usize] && self.is_empty[leaf as usize]
    }

    /// Whether a leaf is a cell.
    pub fn is_cell(&self, leaf: u32) -> bool {
        self.is_empty[leaf as usize]
    }

    /// The leaves that are cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.is_empty.len() as u32).filter(|leaf| self.is_cell(*leaf))
    }

    /// The leaf on the other side of a portal.
    pub fn across(&self, portal: u32, from: u32) -> u32 {
        let [one, other] = self.portals[portal as usize].leaves;
        if one == from { other } else { one }
    }

    /// Walls and portals of a cell.
    pub fn boundary(&self, leaf: u32) -> impl Iterator<Item = &Piece> {
        let portals = self.portals_of(leaf).iter().map(|portal| &self.portals[*portal as usize]);
        portals.chain(self.walls_of(leaf).iter().map(|wall| &self.walls[*wall as usize]))
    }

    /// The area of all that bounds a cell, in square units; that of an unbounded cell ends at the
    /// tree's reach.
    pub fn area(&self, leaf: u32) -> f64 {
        self.boundary(leaf).map(Piece::area).sum()
    }

    /// A point in a cell: the mean of the corners of what bounds it.
    pub fn middle(&self, leaf: u32) -> DVec3 {
        let (mut sum, mut count) = (DVec3::ZERO, 0usize);
        for piece in self.boundary(leaf) {
            sum += self.corners(piece).iter().sum::<DVec3>();
            count += usize::from(piece.count);
        }
        sum / count.max(1) as f64
    }

    /// The volume of a cell, in cubic units; `None` if it is unbounded.
    pub fn volume(&self, leaf: u32) -> Option<f64> {
        if self.is_outside(leaf) {
            return None;
        }
        let middle = self.middle(leaf);
        let pyramid = |piece: &Piece| {
            let corners = self.corners(piece);
            let arms = corners.windows(2).skip(1);
            let fans =
                arms.map(|pair| (corners[0] - middle).dot((pair[0] - middle).cross(pair[1] - middle)) / 6.0);
            fans.sum::<f64>().abs()
        };
        Some(self.boundary(leaf).map(pyramid).sum())
    }

    /// The nearest way out of the solid for a point, within rounding. `None` for a point that is not in the
    /// solid, or if there are no walls.
    pub fn way_out(&self, bsp: &Bsp, point: DVec3) -> Option<NearestWall> {
        if !bsp.contains(point) {
            return None;
        }
        let mut nearest: Option<NearestWall> = None;
        for wall in &self.walls {
            let corners = self.corners(wall);
            for pair in corners[1..].windows(2) {
                let Ok(triangle) = Triangle::new(corners[0], pair[0], pair[1]) else { continue };
                let place = triangle.closest_point(point).point;
                let distance = sqrt(place.distance_squared(point));
                if nearest.is_none_or(|nearest| distance < nearest.distance) {
                    nearest = Some(NearestWall { point: place, distance });
                }
            }
        }
        nearest
    }

    /// Closes a portal: a door.
    pub fn close(&mut self, portal: u32) {
        self.portals[portal as usize].is_closed = true;
    }

    /// Opens it again.
    pub fn open(&mut self, portal: u32) {
        self.portals[portal as usize].is_closed = false;
    }

    /// The leaves that are reached from some leaves through the open portals, in order of how many portals
    /// are on the path.
    pub fn flood(&self, from: &[u32]) -> Flood {
        self.flood_through(from, |portal| !self.portals[portal as usize].is_closed)
    }

    /// The same through the portals that a body passes that is `width` wide in every direction.
    pub fn flood_of_width(&self, from: &[u32], width: f64) -> Flood {
        self.flood_through(from, |portal| {
            let piece = &self.portals[portal as usize];
            !piece.is_closed && self.width(piece) >= width
        })
    }

    /// The same through portals of the caller's choice.
    pub fn flood_through(&self, from: &[u32], mut is_open: impl FnMut(u32) -> bool) -> Flood {
        let mut flood = Flood { entered: vec![Entered::Never; self.is_empty.len()] };
        let mut queue: VecDeque<u32> = VecDeque::new();
        for leaf in from {
            let entered = &mut flood.entered[*leaf as usize];
            if *entered == Entered::Never && self.is_empty[*leaf as usize] {
                *entered = Entered::AtStart;
                queue.push_back(*leaf);
            }
        }
        while let Some(leaf) = queue.pop_front() {
            for portal in self.portals_of(leaf) {
                let next = self.across(*portal, leaf);
                if flood.entered[next as usize] == Entered::Never && is_open(*portal) {
                    flood.entered[next as usize] = Entered::Through(*portal);
                    queue.push_back(next);
                }
            }
        }
        flood
    }

    /// The bytes that it holds on the heap.
    pub fn memory(&self) -> usize {
        let pieces = self.portals.capacity() + self.walls.capacity();
        let numbers = [&self.portal_starts, &self.portals_by_leaf, &self.wall_starts, &self.walls_by_leaf];
        pieces * size_of::<Piece>()
            + self.corners.capacity() * size_of::<DVec3>()
            + self.edges.capacity() * size_of::<PlaneId>()
            + numbers.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>()
            + self.is_outside.capacity()
            + self.is_empty.capacity()
    }
}

/// How a flood came to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entered {
    Never,
    AtStart,
    Through(u32),
}

/// The cells that a flood has reached.
#[derive(Clone, Debug)]
pub struct Flood {
    entered: Vec<Entered>,
}

impl Flood {
    /// Whether it has reached a leaf.
    pub fn reaches(&self, leaf: u32) -> bool {
        self.entered[leaf as usize] != Entered::Never
    }

    /// The portals on a shortest way to a leaf, in order; `None` if it was not reached.
    pub fn way_to(&self, cells: &Cells, leaf: u32) -> Option<Vec<u32>> {
        let mut way = Vec::new();
        let mut at = leaf;
        loop {
            match self.entered[at as usize] {
                Entered::Never => return None,
                Entered::AtStart => break,
                Entered::Through(portal) => {
                    way.push(portal);
                    at = cells.across(portal, at);
                }
            }
        }
        way.reverse();
        Some(way)
    }
}

/// The numbers of the pieces of each leaf that counts, leaf after leaf, and where each begins.
fn by_leaf(pieces: &[Piece], leaves: usize, counts: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; leaves + 1];
    let own = |piece: &Piece| piece.leaves.into_iter().filter(|leaf| counts(*leaf));
    for leaf in pieces.iter().flat_map(own) {
        starts[leaf as usize + 1] += 1;
    }
    for leaf in 0..leaves {
        starts[leaf + 1] += starts[leaf];
    }
    let mut next = starts.clone();
    let mut numbers = vec![0; starts[leaves] as usize];
    for (number, piece) in (0..).zip(pieces) {
        for leaf in piece.leaves.into_iter().filter(|leaf| counts(*leaf)) {
            numbers[next[leaf as usize] as usize] = number;
            next[leaf as usize] += 1;
        }
    }
    (starts, numbers)
}

fn slice<'a>(starts: &[u32], numbers: &'a [u32], leaf: u32) -> &'a [u32] {
    &numbers[starts[leaf as usize] as usize..starts[leaf as usize + 1] as usize]
}

/// The pieces of a polygon in the leaves below a node, on the side that `facing` faces.
pub(super) fn pieces(
    planes: &PlaneSet,
    nodes: &[Node],
    polygon: Polygon,
    below: Child,
    facing: PlaneId,
) -> Vec<(Polygon, u32)> {
    let mut found = Vec::new();
    let extent = Extent::of(&polygon);
    let mut open = vec![(polygon, extent, below)];
    while let Some((polygon, extent, child)) = open.pop() {
        let node = match child {
            Child::Leaf(leaf) => {
                found.push((polygon, leaf));
                continue;
            }
            Child::Node(node) => nodes[node as usize],
        };
        let child = match extent.side_of(planes.rounded(node.plane)) {
            Some(Side::Front) => node.front,
            Some(_) => node.back,
            None => match polygon.cut(planes, node.plane) {
                Cut::On if node.plane == facing => node.front,
                Cut::On => node.back,
                Cut::Front => node.front,
                Cut::Back => node.back,
                Cut::Both(front, back) => {
                    let extents = [&front, &back].map(Extent::of);
                    open.push((back, extents[1], node.back));
                    open.push((front, extents[0], node.front));
                    continue;
                }
            },
        };
        open.push((polygon, extent, child));
    }
    found
}
