//! Leaks: openings to the outside in something that should be closed.
//!
//! A compiler follows one path to the outside and stops there. Here the reached cells are separated into
//! inside and outside, and each opening between the two is a leak: the page is `docs/portals.md`. Idea: the
//! best separation has the least area of openings. A cell from which the outside is behind a single wall
//! counts as inside, and one that looks out as outside, each with that share of its surface as a cost like
//! area. Then each opening moves to the first bottleneck on its path that is no larger. Source for such cuts:
//! Y. Boykov and G. Funka-Lea, *Graph cuts and efficient N-D image segmentation*, 2006.
//!
//! Error: whether there is a leak, that each chain leads out, and that the openings close the level, is
//! exact; where on its path the inside ends is a judgment. Cost: lines of sight from each reached cell, and a
//! cut for each step of an opening. It never gives up.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use glam::DVec3;

use super::cells::{Cells, Piece};
use super::cut::{Graph, SINK, SOURCE};
use super::joint::Joints;
use super::plane::PlaneId;
use super::sight::{Outlook, Sight};
use super::tree::Bsp;
use crate::num::ops::sqrt;

/// How often cells that are partly inside are cut in two.
const ROUNDS: usize = 16;
/// Cells are not cut into more than this, as a multiple of those of the tree.
const MOST_GROWTH: usize = 16;

/// The cost of calling a cell outside, as a share of its surface, if the outside is behind a single wall in
/// all directions, as from a room. Behind the walls of a gap between rooms are rooms.
const WALLED: f64 = 0.8;

/// The cost of calling a cell inside if it looks out in all directions. It is so much less that a cell in the
/// middle of a hole in a wall, which looks out in half of them, counts as inside: so holes on two sides of
/// a corner stay apart.
const FREE: f64 = 0.2;

/// Calling the cells outside that an opening moves across may cost no more than this, as a multiple of its
/// area.
const WORTH: f64 = 2.0;

/// An opening takes no more steps towards the inside.
const MOST_STEPS: usize = 40;

/// Areas that differ by less than this share are equal: their corners are rounded.
const ROUNDED: f64 = 1e-9;

/// An opening to the outside.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The polygons that close it, which share edges: of each its corners.
    pub opening: Vec<Vec<DVec3>>,
    /// Their area together, in square units.
    pub area: f64,
    /// The given point that is nearest along the chain.
    pub from: usize,
    /// The way out: that point, the middle of each portal of the shortest chain, and a point outside.
    pub chain: Vec<DVec3>,
    /// The narrowest portal of the chain: its width, in units.
    pub narrowest: f64,
    /// Where that is.
    pub narrowest_at: DVec3,
}

/// The result of a search for leaks.
#[derive(Clone, Debug, Default)]
pub struct Leaks {
    /// Nearest first, by the length of their chains.
    pub leaks: Vec<Leak>,
    /// The same of openings narrower than the width that was given; those that a leak has in it too are not
    /// repeated.
    pub cracks: Vec<Leak>,
    /// Points that are outside themselves, by their numbers.
    pub outside: Vec<usize>,
    /// Points within the solid, by their numbers.
    pub buried: Vec<usize>,
}

/// All openings between points and the outside. Those narrower than `width`, in units, are cracks: brushes of
/// real levels that meet at an angle leave some, and compilers look past them.
pub fn leaks(bsp: &Bsp, points: &[DVec3], width: f64) -> Leaks {
    let mut found = Leaks::default();
    let mut bsp = bsp.clone();
    let mut cells = Cells::of(&bsp);
    let leaves = |bsp: &Bsp| -> Vec<u32> { points.iter().map(|point| bsp.leaf_at(*point)).collect() };
    let reached = cells.flood(&leaves(&bsp));
    if cells.cells().any(|leaf| reached.reaches(leaf) && cells.is_outside(leaf)) {
        let most = bsp.leaf_count() * MOST_GROWTH;
        for _ in 0..ROUNDS {
            let cuts = mixed(&bsp, &cells, &leaves(&bsp));
            if cuts.is_empty() || bsp.leaf_count() + cuts.len() > most {
                break;
            }
            bsp.split_leaves(&cuts);
            cells = Cells::of(&bsp);
        }
    }
    let mut starts = Vec::new();
    for (number, leaf) in leaves(&bsp).into_iter().enumerate() {
        if bsp.is_solid(leaf) {
            found.buried.push(number);
        } else if cells.is_outside(leaf) {
            found.outside.push(number);
        } else {
            starts.push((leaf, number));
        }
    }
    let widths: Vec<f64> = cells.portals().iter().map(|portal| cells.width(portal)).collect();
    let mut search = Search {
        bsp: &bsp,
        cells: &cells,
        points,
        starts: &starts,
        is_open: widths.iter().map(|own| *own >= width).collect(),
        widths,
    };
    let openings = search.openings();
    found.leaks = openings.iter().filter_map(|opening| search.describe(opening)).collect();
    found.leaks.sort_by(|a, b| length(a).total_cmp(&length(b)));
    search.is_open = vec![true; cells.portals().len()];
    for portal in openings.iter().flat_map(|opening| &opening.portals) {
        search.is_open[*portal as usize] = false;
    }
    // The rim of a leak is no crack.
    let mut cracks = search.openings();
    cracks.retain(|crack| !openings.iter().any(|leak| search.touch(&crack.portals, &leak.portals)));
    found.cracks = cracks.iter().filter_map(|opening| search.describe(opening)).collect();
    found.cracks.sort_by(|a, b| length(a).total_cmp(&length(b)));
    found
}

/// The length of a leak's chain.
fn length(leak: &Leak) -> f64 {
    leak.chain.windows(2).map(|pair| sqrt(pair[0].distance_squared(pair[1]))).sum()
}

/// Cells that may reach from the inside to the outside, each with a plane that parts it: one in which a wall
/// ends that continues as a portal.
fn mixed(bsp: &Bsp, cells: &Cells, from: &[u32]) -> Vec<(u32, PlaneId)> {
    let reached = cells.flood(from);
    let is_mixed = |leaf: &u32| cells.is_outside(*leaf) || reached.reaches(*leaf);
    let mixed = cells.cells().filter(is_mixed);
    mixed.filter_map(|leaf| Some((leaf, end_of_wall(bsp, cells, leaf)?))).collect()
}

/// The plane in which a wall of a cell ends and a portal in the plane of the wall continues; of several, that
/// with the largest portal beyond it. Of an unbounded cell the portals to cells that do not count
/// as walls, and it must be unbounded: so the space below a table is cut where the room is.
fn end_of_wall(bsp: &Bsp, cells: &Cells, leaf: u32) -> Option<PlaneId> {
    let is_outside = cells.is_outside(leaf);
    let portals: Vec<&Piece> =
        cells.portals_of(leaf).iter().map(|portal| &cells.portals()[*portal as usize]).collect();
    let walls = cells.walls_of(leaf).iter().map(|wall| &cells.walls()[*wall as usize]);
    let ends = |portal: &&Piece| is_outside && !portal.leaves().iter().all(|leaf| cells.is_outside(*leaf));
    let mut best: Option<(f64, PlaneId)> = None;
    for wall in walls.chain(portals.iter().copied().filter(ends)) {
        let goes_on = |portal: &&&Piece| {
            portal.plane().unoriented() == wall.plane().unoriented() && (!is_outside || portal.is_open_end())
        };
        for portal in portals.iter().filter(goes_on) {
            let Some(polygon) = cells.polygon(bsp, portal) else { continue };
            for edge in cells.edges(wall) {
                let (is_behind, is_beyond) = polygon.sides(bsp.planes(), *edge);
                let is_better = best.is_none_or(|(area, _)| portal.area() > area);
                if is_beyond && !is_behind && is_better {
                    best = Some((portal.area(), *edge));
                }
            }
        }
    }
    best.map(|(_, plane)| plane)
}

/// Portals between inside and outside that share edges.
struct Opening {
    portals: Vec<u32>,
    area: f64,
    /// The cells on its inner side.
    inner: Vec<u32>,
    /// The nearest of them, how it is reached from a point and the outside from it.
    way: Way,
}

/// A chain of portals from a point to the outside.
struct Way {
    from: usize,
    portals: Vec<u32>,
    /// The cell that the last portal leads to.
    end: u32,
}

/// The openings between two sets of cells.
struct Parting {
    openings: Vec<Opening>,
    /// The cost of separating these.
    cost: f64,
    /// The cells that were kept outside.
    kept_out: Vec<u32>,
}

impl Parting {
    fn area(&self) -> f64 {
        self.openings.iter().map(|opening| opening.area).sum()
    }
}

/// All reached cells.
struct Reached<'a> {
    /// The cells of points.
    sources: &'a [u32],
    /// The unbounded ones.
    outside: &'a [u32],
    /// The outlook of each cell.
    outlooks: &'a [Option<Outlook>],
}

struct Search<'a> {
    bsp: &'a Bsp,
    cells: &'a Cells,
    points: &'a [DVec3],
    /// Points by number, each with the cell that it is in.
    starts: &'a [(u32, usize)],
    is_open: Vec<bool>,
    widths: Vec<f64>,
}

impl Search<'_> {
    fn openings(&self) -> Vec<Opening> {
        let cells = self.cells;
        let sources: Vec<u32> = self.starts.iter().map(|(leaf, _)| *leaf).collect();
        let is_open = |portal: u32| self.is_open[portal as usize];
        let reached = cells.flood_through(&sources, is_open);
        let outside: Vec<u32> = cells.cells().filter(|leaf| cells.is_outside(*leaf)).collect();
        if !outside.iter().any(|leaf| reached.reaches(*leaf)) {
            return Vec::new();
        }
        let outlooks = self.outlooks(|leaf| reached.reaches(leaf));
        let reached = Reached { sources: &sources, outside: &outside, outlooks: &outlooks };
        let (sides, cost) = self.parted(&reached, &[]);
        let openings = self.between(&reached, &sides);
        let mut best = Parting { openings, cost, kept_out: Vec::new() };
        let mut done: BTreeSet<u32> = BTreeSet::new();
        let is_new = |opening: &Opening, done: &BTreeSet<u32>| {
            opening.portals.iter().any(|portal| !done.contains(portal))
        };
        while let Some(number) = best.openings.iter().position(|opening| is_new(opening, &done)) {
            match self.first_bottleneck(&reached, &best, number) {
                Some(better) => best = better,
                None => done.extend(&best.openings[number].portals),
            }
        }
        best.openings
    }

    /// The parting with one opening moved towards the inside, if there it is more openings, of no more area
    /// together, or as many of less, and the others stay. Step by step the cells on its inner side are kept
    /// outside, until that costs too much or a point would be outside. So holes in the walls on both sides of
    /// a gap are two, not one at the end of the gap.
    fn first_bottleneck(&self, reached: &Reached<'_>, from: &Parting, number: usize) -> Option<Parting> {
        let Opening { area: own, inner, .. } = &from.openings[number];
        let others = from.openings.iter().enumerate().filter(|(other, _)| *other != number);
        let others: BTreeSet<u32> = others.flat_map(|(_, opening)| opening.portals.iter().copied()).collect();
        let is_start = |leaf: &u32| reached.sources.contains(leaf);
        let rest = from.area() - own;
        let mut best: Option<Parting> = None;
        let (mut most, mut least) = (from.openings.len(), *own);
        let mut kept_out = from.kept_out.clone();
        let mut inner = inner.clone();
        for _ in 0..MOST_STEPS {
            if inner.is_empty() || inner.iter().any(is_start) {
                break;
            }
            kept_out.extend(&inner);
            let (sides, cost) = self.parted(reached, &kept_out);
            if cost - from.cost > WORTH * own {
                break;
            }
            let openings = self.between(reached, &sides);
            let is_other = |opening: &&Opening| opening.portals.iter().any(|p| others.contains(p));
            let (stayed, moved): (Vec<&Opening>, Vec<&Opening>) = openings.iter().partition(is_other);
            if stayed.iter().map(|opening| opening.portals.len()).sum::<usize>() != others.len() {
                break;
            }
            inner = moved.iter().flat_map(|opening| opening.inner.iter().copied()).collect();
            inner.retain(|leaf| !kept_out.contains(leaf));
            let tried = Parting { openings, cost, kept_out: kept_out.clone() };
            let (count, area) = (tried.openings.len(), tried.area() - rest);
            let rounding = ROUNDED * from.area();
            let is_smaller = area < least - rounding;
            if area <= own + rounding && (count > most || count == most && is_smaller) {
                (most, least) = (count, area);
                best = Some(tried);
            }
        }
        best
    }

    /// The openings between the sides of a cut.
    fn between(&self, reached: &Reached<'_>, side: &[bool]) -> Vec<Opening> {
        let (cells, outside) = (self.cells, reached.outside);
        let is_open = |portal: u32| self.is_open[portal as usize];
        // Cells that are inside but cut off, or outside but walled in, are on the other side.
        let inside = cells.flood_through(reached.sources, |portal| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            is_open(portal) && side[one as usize] && side[other as usize]
        });
        let beyond = cells.flood_through(outside, |portal| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            is_open(portal) && !inside.reaches(one) && !inside.reaches(other)
        });
        let parts = |portal: u32| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            (inside.reaches(one) && beyond.reaches(other)) || (inside.reaches(other) && beyond.reaches(one))
        };
        let all: Vec<u32> = (0..cells.portals().len() as u32).filter(|portal| parts(*portal)).collect();
        let near = self.distances(
            self.starts.iter().map(|(leaf, number)| (*leaf, self.points[*number])),
            |portal| {
                let [one, other] = cells.portals()[portal as usize].leaves();
                is_open(portal) && inside.reaches(one) && inside.reaches(other)
            },
        );
        let out = self.distances(outside.iter().map(|leaf| (*leaf, DVec3::NAN)), |portal| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            is_open(portal) && beyond.reaches(one) && beyond.reaches(other)
        });
        let mut openings = Vec::new();
        for portals in Joints::new(self.bsp, cells).groups(&all) {
            let through = portals.iter().filter(|portal| is_open(**portal)).map(|portal| {
                let [one, other] = cells.portals()[*portal as usize].leaves();
                let (inner, outer) = if inside.reaches(one) { (one, other) } else { (other, one) };
                let center = cells.center(&cells.portals()[*portal as usize]);
                (near.length_to(inner, center) + out.length_to(outer, center), *portal, inner, outer)
            });
            let Some((_, portal, inner, outer)) = through.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                continue;
            };
            let (mut chain, start) = near.way(cells, inner);
            chain.reverse();
            chain.push(portal);
            let (rest, end) = out.way(cells, outer);
            chain.extend(rest);
            let from = self.starts.iter().filter(|(leaf, _)| *leaf == start).min_by(|a, b| {
                let first = cells.center(&cells.portals()[chain[0] as usize]);
                let distance = |number: usize| self.points[number].distance_squared(first);
                distance(a.1).total_cmp(&distance(b.1))
            });
            let Some(&(_, from)) = from else { continue };
            let area = portals.iter().map(|portal| cells.portals()[*portal as usize].area()).sum();
            let leaves = portals.iter().flat_map(|portal| cells.portals()[*portal as usize].leaves());
            let inner = leaves.filter(|leaf| inside.reaches(*leaf)).collect();
            openings.push(Opening { portals, area, inner, way: Way { from, portals: chain, end } });
        }
        openings
    }

    /// The outlook from the middle of each cell that is reached.
    fn outlooks(&self, is_reached: impl Fn(u32) -> bool) -> Vec<Option<Outlook>> {
        let mut sight = Sight::new(self.bsp);
        let outlook = |leaf: u32| {
            let counts = self.cells.is_cell(leaf) && is_reached(leaf);
            counts.then(|| sight.of_outside(self.cells.middle(leaf)))
        };
        (0..self.bsp.leaf_count() as u32).map(outlook).collect()
    }

    /// Whether each leaf is inside, by the cheapest cut with some leaves kept outside, and its cost.
    fn parted(&self, reached: &Reached<'_>, kept_out: &[u32]) -> (Vec<bool>, f64) {
        let cells = self.cells;
        let mut graph = Graph::new(self.bsp.leaf_count());
        for (portal, piece) in (0u32..).zip(cells.portals()) {
            let [one, other] = piece.leaves();
            if self.is_open[portal as usize] && reached.outlooks[one as usize].is_some() {
                graph.join(one + 2, other + 2, piece.area());
            }
        }
        for (leaf, outlook) in (0u32..).zip(reached.outlooks) {
            let Some(outlook) = outlook else { continue };
            if cells.is_outside(leaf) {
                graph.join(leaf + 2, SINK, f64::INFINITY);
                continue;
            }
            let lean = WALLED * outlook.behind_a_wall - FREE * outlook.free;
            let end = if lean > 0.0 { SOURCE } else { SINK };
            graph.join(leaf + 2, end, lean.abs() * cells.area(leaf));
        }
        for leaf in kept_out {
            graph.join(leaf + 2, SINK, f64::INFINITY);
        }
        for leaf in reached.sources.iter().filter(|leaf| cells.is_cell(**leaf) && !cells.is_outside(**leaf)) {
            graph.join(leaf + 2, SOURCE, f64::INFINITY);
        }
        let mut sides = graph.cut();
        let cost = graph.cost_between(&sides);
        (sides.split_off(2), cost)
    }

    /// Whether a portal of one list shares an edge with one of the other.
    fn touch(&self, some: &[u32], others: &[u32]) -> bool {
        let both: Vec<u32> = some.iter().chain(others).copied().collect();
        let crosses = |group: &Vec<u32>| {
            group.iter().any(|portal| some.contains(portal))
                && group.iter().any(|portal| others.contains(portal))
        };
        Joints::new(self.bsp, self.cells).groups(&both).iter().any(crosses)
    }

    /// Shortest ways from some leaves to all others through the middles of portals.
    fn distances(
        &self,
        from: impl Iterator<Item = (u32, DVec3)>,
        is_open: impl Fn(u32) -> bool,
    ) -> Distances {
        let cells = self.cells;
        let none = Arrival { length: f64::INFINITY, at: DVec3::ZERO, through: None };
        let mut found = Distances { arrivals: vec![none; self.bsp.leaf_count()] };
        let mut queue = BinaryHeap::new();
        for (leaf, at) in from {
            found.arrivals[leaf as usize] = Arrival { length: 0.0, at, through: None };
            queue.push(Reverse(Step { length: 0.0, leaf }));
        }
        while let Some(Reverse(Step { length, leaf })) = queue.pop() {
            if length > found.arrivals[leaf as usize].length {
                continue;
            }
            for portal in cells.portals_of(leaf).iter().copied().filter(|portal| is_open(*portal)) {
                let next = cells.across(portal, leaf);
                let at = cells.center(&cells.portals()[portal as usize]);
                let length = found.length_to(leaf, at);
                if length < found.arrivals[next as usize].length {
                    found.arrivals[next as usize] = Arrival { length, at, through: Some(portal) };
                    queue.push(Reverse(Step { length, leaf: next }));
                }
            }
        }
        found
    }

    fn describe(&self, opening: &Opening) -> Option<Leak> {
        let cells = self.cells;
        let piece = |portal: &u32| &cells.portals()[*portal as usize];
        let Way { from, portals, end } = &opening.way;
        let mut chain = vec![self.points[*from]];
        chain.extend(portals.iter().map(|portal| cells.center(piece(portal))));
        let last = piece(portals.last()?);
        let (normal, _) = self.bsp.planes().plane(last.plane());
        let towards = if last.leaves()[0] == *end { normal } else { -normal };
        let ends: f64 = cells
            .corners(last)
            .iter()
            .fold(0.0, |most, corner| f64::max(most, corner.distance_squared(cells.center(last))));
        chain.push(cells.center(last) + towards * sqrt(ends));
        let narrowest =
            portals.iter().min_by(|a, b| self.widths[**a as usize].total_cmp(&self.widths[**b as usize]))?;
        Some(Leak {
            opening: opening.portals.iter().map(|portal| cells.corners(piece(portal)).to_vec()).collect(),
            area: opening.area,
            from: *from,
            chain,
            narrowest: self.widths[*narrowest as usize],
            narrowest_at: cells.center(piece(narrowest)),
        })
    }
}

/// How a leaf was reached: how far it was, where its last portal is, and which one that is.
#[derive(Clone, Copy)]
struct Arrival {
    length: f64,
    at: DVec3,
    through: Option<u32>,
}

struct Distances {
    arrivals: Vec<Arrival>,
}

impl Distances {
    /// How far it is to a point on the boundary of a leaf.
    fn length_to(&self, leaf: u32, point: DVec3) -> f64 {
        let Arrival { length, at, .. } = self.arrivals[leaf as usize];
        // All of an outside cell is outside.
        if at.is_nan() { length } else { length + sqrt(at.distance_squared(point)) }
    }

    /// The portals from a leaf back to where the ways begin, and that leaf.
    fn way(&self, cells: &Cells, mut leaf: u32) -> (Vec<u32>, u32) {
        let mut way = Vec::new();
        while let Some(portal) = self.arrivals[leaf as usize].through {
            way.push(portal);
            leaf = cells.across(portal, leaf);
        }
        (way, leaf)
    }
}

/// The nearest first.
#[derive(PartialEq)]
struct Step {
    length: f64,
    leaf: u32,
}

impl Eq for Step {}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        self.length.total_cmp(&other.length).then(self.leaf.cmp(&other.leaf))
    }
}
