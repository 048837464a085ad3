//! Casts through a mesh by a BSP tree, or from cell to cell of one.
//!
//! Idea: a mover meets a half-space of a node only while its support towards the plane reaches it (S. Melax,
//! *Dynamic plane shifting BSP traversal*, 2000). So the tree is walked front to back by those times, and the
//! kernels decide on the triangles in each leaf: no bevels, and no rounded corners. From cell to cell, a cell
//! is visited once the mover may touch a portal to it. Then the tree is walked up to the contact found, for
//! triangles that are buried in a solid or belong to other cells: if they end in the same edge, rounding may
//! make the mover stop at them first. The page is `docs/bsp.md`. Error: planes are grown by the most that a
//! kernel may stop a mover early and by rounding, so the answer is that of all triangles. Cost: a dot product
//! per node.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;
use core::panic::{RefUnwindSafe, UnwindSafe};

use glam::DVec3;

use crate::bsp::{Bsp, Cells, Child, Faces};
use crate::mesh::Mesh;
use crate::num::bound::UNIT_ROUNDOFF;
use crate::shape::Mover;
use crate::sweep::Hit;
use crate::sweep::mover::AnySweep;
use crate::tree::SweptBox;
use crate::world::surface::local::Local;

/// The error of heights above a rounded plane and of supports, in unit roundoffs of all lengths.
const ROUNDING: f64 = 64.0 * UNIT_ROUNDOFF;

/// A plane, rounded, with the largest component of its normal from 1/2 to 1.
#[derive(Clone, Copy, Debug)]
struct Fork {
    normal: DVec3,
    distance: f64,
}

#[derive(Clone, Copy, Debug)]
struct Portal {
    plane: Fork,
    low: DVec3,
    high: DVec3,
    leaves: [u32; 2],
}

/// An index that casts through a mesh use instead of its tree. A trait, so that a program that builds none
/// has no code for it.
pub(crate) trait CastIndex: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Like [`crate::world::surface::Surfaces::hits`].
    fn hits(
        &self,
        mesh: &Mesh,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    );

    fn bsp(&self) -> &Bsp;

    /// How many triangles its leaves list, counted once for each leaf.
    fn pieces(&self) -> usize;

    /// The bytes that it uses on the heap.
    fn memory(&self) -> usize;
}

/// An index for casts: the triangles of a mesh in the leaves of a BSP tree.
#[derive(Debug)]
pub(crate) struct BspIndex {
    bsp: Bsp,
    faces: Faces,
    forks: Vec<Fork>,
    rooms: Option<Rooms>,
}

/// The graph for walks from cell to cell.
#[derive(Clone, Debug)]
struct Rooms {
    portals: Vec<Portal>,
    starts: Vec<u32>,
    by_leaf: Vec<u32>,
}

impl BspIndex {
    pub(crate) fn new(mesh: &Mesh, bsp: Bsp) -> Self {
        let (bsp, faces) = bsp.sorted(mesh);
        let forks = bsp.nodes().iter().map(|node| fork(&bsp, node.plane)).collect();
        Self { bsp, faces, forks, rooms: None }
    }

    /// The same; casts go from cell to cell.
    pub(crate) fn with_cells(mesh: &Mesh, bsp: Bsp) -> Self {
        let mut index = Self::new(mesh, bsp);
        let cells = Cells::of(&index.bsp);
        let portals: Vec<Portal> = cells
            .portals()
            .iter()
            .map(|portal| {
                let corners = cells.corners(portal);
                let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = corners.iter().fold(none, |(low, high), c| (low.min(*c), high.max(*c)));
                Portal { plane: fork(&index.bsp, portal.plane()), low, high, leaves: portal.leaves() }
            })
            .collect();
        let mut starts = vec![0];
        let mut by_leaf = Vec::with_capacity(2 * portals.len());
        for leaf in 0..index.bsp.leaf_count() as u32 {
            by_leaf.extend(cells.portals_of(leaf));
            starts.push(by_leaf.len() as u32);
        }
        index.rooms = Some(Rooms { portals, starts, by_leaf });
        index
    }
}

impl CastIndex for BspIndex {
    fn bsp(&self) -> &Bsp {
        &self.bsp
    }

    fn pieces(&self) -> usize {
        self.faces.pieces()
    }

    fn memory(&self) -> usize {
        let rooms = self.rooms.as_ref().map_or(0, |rooms| {
            rooms.portals.capacity() * size_of::<Portal>()
                + (rooms.starts.capacity() + rooms.by_leaf.capacity()) * size_of::<u32>()
        });
        self.bsp.memory() + self.faces.memory() + self.forks.capacity() * size_of::<Fork>() + rooms
    }

    fn hits(
        &self,
        mesh: &Mesh,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        mut best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) {
        let mut walk = Walk {
            index: self,
            mesh,
            local,
            swept: local.swept_box(mesh.largest_coordinate()),
            margin: local.margin(mesh.largest_coordinate()),
            asked: vec![0; mesh.triangle_count().div_ceil(64) as usize],
        };
        if let Some(rooms) = &self.rooms {
            best = walk.through_cells(rooms, sweep, best, take);
        }
        walk.down(sweep, best, take);
    }
}

fn fork(bsp: &Bsp, plane: crate::bsp::PlaneId) -> Fork {
    let (normal, distance) = bsp.planes().rounded(plane);
    Fork { normal, distance }
}

/// One cast.
struct Walk<'a> {
    index: &'a BspIndex,
    mesh: &'a Mesh,
    local: &'a Local<'a>,
    swept: Option<SweptBox>,
    margin: f64,
    /// A bit for each triangle.
    asked: Vec<u64>,
}

/// A range of shares of the path.
#[derive(Clone, Copy)]
struct Span {
    from: f64,
    to: f64,
}

impl Span {
    const WHOLE: Self = Self { from: 0.0, to: 1.0 };

    /// The part of it in which `height + slope · t` is not negative; rounded outward.
    fn while_reached(self, height: f64, slope: f64) -> Self {
        let at = -height / slope;
        let Self { from, to } = self;
        if slope > 0.0 {
            let at = at - 4.0 * UNIT_ROUNDOFF * at.abs();
            Self { from: if at > from { at } else { from }, to }
        } else if slope < 0.0 {
            let at = at + 4.0 * UNIT_ROUNDOFF * at.abs();
            Self { from, to: if at < to { at } else { to } }
        } else if height < 0.0 {
            Self { from: f64::INFINITY, to: 0.0 }
        } else {
            self
        }
    }

    fn is_over(self) -> bool {
        self.from > self.to
    }
}

impl Walk<'_> {
    /// The ranges in which the mover reaches the front of a plane, and its back.
    fn spans(&self, fork: &Fork, span: Span) -> [Span; 2] {
        let path = self.local.path();
        let (from, way) = (path.from(), path.translation());
        let normal = fork.normal;
        let support = support(self.local.mover(), normal);
        let height = normal.dot(from) - fork.distance;
        let slope = normal.dot(way);
        let size = normal.abs();
        let lengths = size.dot(from.abs()) + size.dot(way.abs()) + fork.distance.abs() + support;
        // The margin is along the unit normal; this normal is shorter than √3.
        let room = support + 2.0 * self.margin + ROUNDING * lengths;
        [span.while_reached(height + room, slope), span.while_reached(room - height, -slope)]
    }

    /// Tests the triangles of a leaf that were not tested before.
    #[inline]
    fn ask(
        &mut self,
        leaf: u32,
        sweep: AnySweep<'_>,
        mut best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) -> f64 {
        for &triangle in self.index.faces.of_leaf(leaf) {
            let bit = 1 << (triangle % 64);
            let word = &mut self.asked[triangle as usize / 64];
            if *word & bit != 0 {
                continue;
            }
            let [a, b, c] = self.mesh.corners(triangle);
            if let Some(swept) = &self.swept
                && swept.entry(a.min(b).min(c), a.max(b).max(c)) > best
            {
                continue;
            }
            *word |= bit;
            let facet = self.local.facet(self.mesh, triangle);
            if let Some(hit) = sweep.triangle(&facet, self.local.fraction_asked(best)) {
                best = take(hit, triangle, best);
            }
        }
        best
    }

    fn down(&mut self, sweep: AnySweep<'_>, mut best: f64, take: &mut dyn FnMut(Hit, u32, f64) -> f64) {
        let mut open = vec![(self.index.bsp.root(), Span::WHOLE)];
        while let Some((child, span)) = open.pop() {
            if span.from > best {
                continue;
            }
            let number = match child {
                Child::Leaf(leaf) => {
                    best = self.ask(leaf, sweep, best, take);
                    continue;
                }
                Child::Node(number) => number as usize,
            };
            let node = self.index.bsp.nodes()[number];
            let fork = &self.index.forks[number];
            let [front, back] = self.spans(fork, span);
            let (front, back) = ((node.front, front), (node.back, back));
            // The later one waits below on the stack; of two at the same time, the one without the center.
            let starts_in_front = fork.normal.dot(self.local.path().from()) >= fork.distance;
            let is_front_first = match front.1.from.partial_cmp(&back.1.from) {
                Some(Ordering::Less) => true,
                Some(Ordering::Greater) => false,
                _ => starts_in_front,
            };
            let [near, far] = if is_front_first { [front, back] } else { [back, front] };
            for next in [far, near] {
                if !next.1.is_over() {
                    open.push(next);
                }
            }
        }
    }

    /// The best so far: of the triangles of cells that the mover may be in before it.
    fn through_cells(
        &mut self,
        rooms: &Rooms,
        sweep: AnySweep<'_>,
        mut best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) -> f64 {
        let bsp = &self.index.bsp;
        let start = bsp.leaf_at(self.local.path().from());
        let (Some(swept), false) = (self.swept, bsp.is_solid(start)) else { return best };
        let mut seen = vec![0u64; bsp.leaf_count().div_ceil(64)];
        let mut is_new = |leaf: u32| {
            let (word, bit) = (&mut seen[leaf as usize / 64], 1 << (leaf % 64));
            core::mem::replace(word, *word | bit) & bit == 0
        };
        let mut open = BinaryHeap::from([Entered { at: 0.0, leaf: start }]);
        while let Some(Entered { at, leaf }) = open.pop() {
            if at > best {
                break;
            }
            if !is_new(leaf) {
                continue;
            }
            best = self.ask(leaf, sweep, best, take);
            let run = rooms.starts[leaf as usize] as usize..rooms.starts[leaf as usize + 1] as usize;
            for portal in &rooms.by_leaf[run] {
                let portal = &rooms.portals[*portal as usize];
                let next = if portal.leaves[0] == leaf { portal.leaves[1] } else { portal.leaves[0] };
                // Its corners are rounded: the margin of the box is larger than that.
                let reached = swept.entry(portal.low, portal.high);
                let [front, back] = self.spans(&portal.plane, Span::WHOLE);
                let until = if front.to < back.to { front.to } else { back.to };
                let crossed = if front.from > back.from { front.from } else { back.from };
                let entry = if reached > crossed { reached } else { crossed };
                // An exit comes after the entry through the same plane, or there is none.
                let is_reached = !(entry > best || crossed > until);
                if is_reached {
                    open.push(Entered { at: entry, leaf: next });
                }
            }
        }
        best
    }
}

/// The support of a mover along a direction: its extent from its center, times the length of the direction.
fn support(mover: &Mover, along: DVec3) -> f64 {
    match mover {
        Mover::Point => 0.0,
        _ => along.dot(mover.support_point(along)),
    }
}

/// A cell, and the time from which the mover may be in it; ordered so that the earliest is the greatest.
struct Entered {
    at: f64,
    leaf: u32,
}

impl Ord for Entered {
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.total_cmp(&self.at).then(other.leaf.cmp(&self.leaf))
    }
}

impl PartialOrd for Entered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entered {}
