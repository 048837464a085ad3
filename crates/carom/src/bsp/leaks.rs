//! Leaks: openings to the outside in something that should be closed.
//!
//! A compiler follows one path to the outside and stops there. Here the reached cells are separated into
//! inside and outside, and each opening between the two is a leak: the page is `docs/portals.md`. Idea: the
//! best separation has the least area of openings, and a cell from which most lines of sight end at the solid
//! counts as inside, with that share as a cost like area. Source for such cuts: Y. Boykov and G. Funka-Lea,
//! *Graph cuts and efficient N-D image segmentation*, 2006.
//!
//! Error: whether there is a leak, and that each chain leads out, is exact; where on its path the inside ends
//! is a judgment. Cost: lines of sight from each reached cell, and a cut. It never gives up.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use glam::DVec3;

use super::cells::{Cells, Piece};
use super::cut::{Graph, SINK, SOURCE};
use super::joint::Joints;
use super::plane::PlaneId;
use super::sight::Sight;
use super::tree::Bsp;
use crate::num::ops::sqrt;

/// How often cells that are partly inside are cut in two.
const ROUNDS: usize = 16;
/// Cells are not cut into more than this, as a multiple of those of the tree.
const MOST_GROWTH: usize = 16;

/// Twice the share of free directions below which a cell leans inside, one tried after the other: the
/// parting with the most openings counts. At 1 half of all directions are free, as in the middle of a hole in
/// a wall; beyond, holes count as inside, and those on two sides of a corner stay apart.
const INSIDE: [f64; 4] = [1.35, 1.5, 1.2, 1.05];

/// The weight of leaning, as a share of area, where it has led to an opening that wraps around: rooms of a
/// level that stand apart have spaces between them that see no more of the outside than the rooms do. Again
/// the parting with the most openings counts.
const FAINT: [f64; 3] = [0.02, 0.05, 0.1];

/// An opening wraps around, as the hull of a level does, if its area vectors add up to less than this share
/// of its area. One in a wall has all of it, one in three walls of a corner 0.58.
const WRAPPED: f64 = 0.4;

/// A parting that costs no more than this, as a multiple, is as good: that with more openings counts.
const NEARLY: f64 = 1.1;

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

/// Cells that reach from the inside to the outside, each with a plane that parts it: one in which a wall ends
/// that continues as a portal.
fn mixed(bsp: &Bsp, cells: &Cells, from: &[u32]) -> Vec<(u32, PlaneId)> {
    let mut sight = Sight::new(bsp);
    let reached = cells.flood(from);
    let is_mixed = |leaf: u32, sight: &mut Sight<'_>| {
        cells.is_outside(leaf) || (reached.reaches(leaf) && sight.sees_out(cells.middle(leaf)))
    };
    let mut cuts = Vec::new();
    for leaf in cells.cells() {
        let Some(plane) = end_of_wall(bsp, cells, leaf) else { continue };
        if is_mixed(leaf, &mut sight) {
            cuts.push((leaf, plane));
        }
    }
    cuts
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
    /// The cells on its inner side.
    inner: Vec<u32>,
    /// Whether it is a hull around something, not a hole in a wall.
    is_wrapped: bool,
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

/// How cells lean to either side.
#[derive(Clone, Copy)]
struct Leaning {
    /// Twice the share of free directions below which a cell leans inside.
    inside: f64,
    /// The weight of leaning beside the area of portals.
    weight: f64,
}

/// The openings between two sets of cells, and the cost of separating these.
struct Parting {
    openings: Vec<Opening>,
    cost: f64,
    leaning: Leaning,
}

impl Parting {
    fn wraps_around(&self) -> bool {
        self.openings.iter().any(|opening| opening.is_wrapped)
    }
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
        let shares = self.shares(|leaf| reached.reaches(leaf));
        let parting = |leaning: Leaning, kept_out: &[u32]| {
            let (sides, cost) = self.parted(&sources, kept_out, &shares, leaning);
            Parting { openings: self.between(&sources, &outside, &sides), cost, leaning }
        };
        let mut best =
            Parting { openings: Vec::new(), cost: 0.0, leaning: Leaning { inside: 0.0, weight: 0.0 } };
        for inside in INSIDE {
            let tried = parting(Leaning { inside, weight: 1.0 }, &[]);
            if tried.openings.len() > best.openings.len() {
                best = tried;
            }
        }
        if best.wraps_around() {
            for weight in FAINT {
                let tried = parting(Leaning { inside: INSIDE[0], weight }, &[]);
                let (count, most) = (tried.openings.len(), best.openings.len());
                if count > most || (count == most && !tried.wraps_around()) {
                    best = tried;
                }
            }
        }
        let leaning = best.leaning;
        self.past_pockets(best, |pocket| parting(leaning, pocket)).openings
    }

    /// The opening of a space between rooms becomes those of the rooms to that space, if these are more and
    /// cost hardly more: holes in the walls on both sides of a gap are two, not one at the end of the gap.
    fn past_pockets(&self, mut best: Parting, parting: impl Fn(&[u32]) -> Parting) -> Parting {
        let is_start = |leaf: &u32| self.starts.iter().any(|(start, _)| start == leaf);
        let mut number = 0;
        while number < best.openings.len() {
            let inner = &best.openings[number].inner;
            number += 1;
            if inner.iter().any(is_start) {
                continue;
            }
            let tried = parting(inner);
            let is_as_good = tried.cost <= NEARLY * best.cost && !tried.wraps_around();
            if tried.openings.len() > best.openings.len() && is_as_good {
                (best, number) = (tried, 0);
            }
        }
        best
    }

    /// The openings between the sides of a cut.
    fn between(&self, sources: &[u32], outside: &[u32], side: &[bool]) -> Vec<Opening> {
        let cells = self.cells;
        let is_open = |portal: u32| self.is_open[portal as usize];
        // Cells that are inside but cut off, or outside but walled in, are on the other side.
        let inside = cells.flood_through(sources, |portal| {
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
            let (area, vector) = self.area_of(&portals, |leaf| inside.reaches(leaf));
            let is_wrapped = sqrt(vector.length_squared()) < WRAPPED * area;
            let leaves = portals.iter().flat_map(|portal| cells.portals()[*portal as usize].leaves());
            let inner = leaves.filter(|leaf| inside.reaches(*leaf)).collect();
            openings.push(Opening { portals, inner, is_wrapped, way: Way { from, portals: chain, end } });
        }
        openings
    }

    /// The area of portals, and the sum of their area vectors, which lead out.
    fn area_of(&self, portals: &[u32], is_inside: impl Fn(u32) -> bool) -> (f64, DVec3) {
        portals.iter().fold((0.0, DVec3::ZERO), |(area, vector), portal| {
            let piece = &self.cells.portals()[*portal as usize];
            let (normal, _) = self.bsp.planes().plane(piece.plane());
            let own = normal * piece.area();
            // The first leaf is in front.
            let out = if is_inside(piece.leaves()[0]) { -own } else { own };
            (area + piece.area(), vector + out)
        })
    }

    /// Of each cell that is reached the share of directions that are free, 0 to 1.
    fn shares(&self, is_reached: impl Fn(u32) -> bool) -> Vec<Option<f64>> {
        let mut sight = Sight::new(self.bsp);
        let share = |leaf: u32| {
            let counts = self.cells.is_cell(leaf) && is_reached(leaf);
            counts.then(|| sight.share_out(self.cells.middle(leaf)))
        };
        (0..self.bsp.leaf_count() as u32).map(share).collect()
    }

    /// Whether each leaf is inside, by the cheapest cut with some leaves kept outside, and its cost.
    fn parted(
        &self,
        sources: &[u32],
        kept_out: &[u32],
        shares: &[Option<f64>],
        Leaning { inside, weight }: Leaning,
    ) -> (Vec<bool>, f64) {
        let cells = self.cells;
        let mut graph = Graph::new(self.bsp.leaf_count());
        for (portal, piece) in (0u32..).zip(cells.portals()) {
            let [one, other] = piece.leaves();
            if self.is_open[portal as usize] && shares[one as usize].is_some() {
                graph.join(one + 2, other + 2, piece.area());
            }
        }
        for (leaf, share) in (0u32..).zip(shares) {
            let Some(share) = share else { continue };
            if cells.is_outside(leaf) {
                graph.join(leaf + 2, SINK, f64::INFINITY);
                continue;
            }
            let lean = inside - 2.0 * share;
            let end = if lean > 0.0 { SOURCE } else { SINK };
            graph.join(leaf + 2, end, weight * lean.abs() * cells.area(leaf));
        }
        for leaf in kept_out {
            graph.join(leaf + 2, SINK, f64::INFINITY);
        }
        for leaf in sources.iter().filter(|leaf| cells.is_cell(**leaf) && !cells.is_outside(**leaf)) {
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
        let none = Reached { length: f64::INFINITY, at: DVec3::ZERO, through: None };
        let mut found = Distances { reached: vec![none; self.bsp.leaf_count()] };
        let mut queue = BinaryHeap::new();
        for (leaf, at) in from {
            found.reached[leaf as usize] = Reached { length: 0.0, at, through: None };
            queue.push(Reverse(Step { length: 0.0, leaf }));
        }
        while let Some(Reverse(Step { length, leaf })) = queue.pop() {
            if length > found.reached[leaf as usize].length {
                continue;
            }
            for portal in cells.portals_of(leaf).iter().copied().filter(|portal| is_open(*portal)) {
                let next = cells.across(portal, leaf);
                let at = cells.center(&cells.portals()[portal as usize]);
                let length = found.length_to(leaf, at);
                if length < found.reached[next as usize].length {
                    found.reached[next as usize] = Reached { length, at, through: Some(portal) };
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
            area: opening.portals.iter().map(|portal| piece(portal).area()).sum(),
            from: *from,
            chain,
            narrowest: self.widths[*narrowest as usize],
            narrowest_at: cells.center(piece(narrowest)),
        })
    }
}

/// How a leaf was reached: how far it was, where its last portal is, and which one that is.
#[derive(Clone, Copy)]
struct Reached {
    length: f64,
    at: DVec3,
    through: Option<u32>,
}

struct Distances {
    reached: Vec<Reached>,
}

impl Distances {
    /// How far it is to a point on the boundary of a leaf.
    fn length_to(&self, leaf: u32, point: DVec3) -> f64 {
        let Reached { length, at, .. } = self.reached[leaf as usize];
        // All of an outside cell is outside.
        if at.is_nan() { length } else { length + sqrt(at.distance_squared(point)) }
    }

    /// The portals from a leaf back to where the ways begin, and that leaf.
    fn way(&self, cells: &Cells, mut leaf: u32) -> (Vec<u32>, u32) {
        let mut way = Vec::new();
        while let Some(portal) = self.reached[leaf as usize].through {
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
