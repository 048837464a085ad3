//! The openings between inside and outside, each moved to the first bottleneck on its path.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::super::cells::Cells;
use super::super::tree::Bsp;
use super::distances::Distances;
use super::leak::Leak;
use super::separate::{Reached, Separation};
use super::shared_edges::SharedEdges;
use crate::num::ops::sqrt;

/// Calling the cells outside that an opening moves across may cost no more than this, as a multiple of its
/// area.
const WORTH: f64 = 2.0;

/// An opening takes no more steps towards the inside.
const MOST_STEPS: usize = 40;

/// Areas that differ by less than this share are equal: their corners are rounded.
const ROUNDED: f64 = 1e-9;

/// Portals between inside and outside that share edges.
pub(super) struct Opening {
    pub(super) portals: Vec<u32>,
    area: f64,
    /// The cells on its inner side.
    inner: Vec<u32>,
    /// The shortest chain from a point through the opening to the outside.
    chain: Chain,
}

/// A chain of portals from a point to the outside.
struct Chain {
    from: usize,
    portals: Vec<u32>,
    /// The cell that the last portal leads to.
    end: u32,
}

/// A separation, with the openings between its sides.
struct Parted {
    openings: Vec<Opening>,
    cost: f64,
    /// The cells that were kept outside.
    kept_out: Vec<u32>,
}

impl Parted {
    fn area(&self) -> f64 {
        self.openings.iter().map(|opening| opening.area).sum()
    }
}

/// A search for openings.
pub(super) struct Search<'a> {
    pub(super) bsp: &'a Bsp,
    pub(super) cells: &'a Cells,
    pub(super) points: &'a [DVec3],
    /// Points by number, each with the cell that it is in.
    pub(super) starts: &'a [(u32, usize)],
    /// Of each portal, whether it counts as one.
    pub(super) is_open: Vec<bool>,
    /// The width of each portal, in units.
    pub(super) widths: Vec<f64>,
}

impl Search<'_> {
    /// All openings through portals that are open.
    pub(super) fn openings(&self) -> Vec<Opening> {
        let sources: Vec<u32> = self.starts.iter().map(|(leaf, _)| *leaf).collect();
        let Some(reached) = Reached::new(self.bsp, self.cells, &self.is_open, sources) else {
            return Vec::new();
        };
        let Separation { is_inside, cost } = reached.separate(&[]);
        let openings = self.between(&reached, &is_inside);
        let mut best = Parted { openings, cost, kept_out: Vec::new() };
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

    /// The separation with one opening moved towards the inside, if there it is more openings, of no more
    /// area together, or as many of less, and the others stay. Step by step the cells on its inner side are
    /// kept outside, until that costs too much or a point would be outside. So holes in the walls on both
    /// sides of a gap are two, not one at the end of the gap.
    fn first_bottleneck(&self, reached: &Reached<'_>, from: &Parted, number: usize) -> Option<Parted> {
        let Opening { area: own, inner, .. } = &from.openings[number];
        let others = from.openings.iter().enumerate().filter(|(other, _)| *other != number);
        let others: BTreeSet<u32> = others.flat_map(|(_, opening)| opening.portals.iter().copied()).collect();
        let is_start = |leaf: &u32| reached.sources.contains(leaf);
        let rest = from.area() - own;
        let mut best: Option<Parted> = None;
        let (mut most, mut least) = (from.openings.len(), *own);
        let mut kept_out = from.kept_out.clone();
        let mut inner = inner.clone();
        for _ in 0..MOST_STEPS {
            if inner.is_empty() || inner.iter().any(is_start) {
                break;
            }
            kept_out.extend(&inner);
            let Separation { is_inside, cost } = reached.separate(&kept_out);
            if cost - from.cost > WORTH * own {
                break;
            }
            let openings = self.between(reached, &is_inside);
            let is_other = |opening: &&Opening| opening.portals.iter().any(|p| others.contains(p));
            let (stayed, moved): (Vec<&Opening>, Vec<&Opening>) = openings.iter().partition(is_other);
            if stayed.iter().map(|opening| opening.portals.len()).sum::<usize>() != others.len() {
                break;
            }
            inner = moved.iter().flat_map(|opening| opening.inner.iter().copied()).collect();
            inner.retain(|leaf| !kept_out.contains(leaf));
            let tried = Parted { openings, cost, kept_out: kept_out.clone() };
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
    fn between(&self, reached: &Reached<'_>, is_inside: &[bool]) -> Vec<Opening> {
        let cells = self.cells;
        let is_open = |portal: u32| self.is_open[portal as usize];
        // Cells that are inside but cut off, or outside but walled in, are on the other side.
        let inside = cells.flood_through(&reached.sources, |portal| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            is_open(portal) && is_inside[one as usize] && is_inside[other as usize]
        });
        let beyond = cells.flood_through(&reached.outside, |portal| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            is_open(portal) && !inside.reaches(one) && !inside.reaches(other)
        });
        let parts = |portal: u32| {
            let [one, other] = cells.portals()[portal as usize].leaves();
            (inside.reaches(one) && beyond.reaches(other)) || (inside.reaches(other) && beyond.reaches(one))
        };
        let all: Vec<u32> = (0..cells.portals().len() as u32).filter(|portal| parts(*portal)).collect();
        let near = Distances::new(
            cells,
            self.bsp.leaf_count(),
            self.starts.iter().map(|(leaf, number)| (*leaf, self.points[*number])),
            |portal| {
                let [one, other] = cells.portals()[portal as usize].leaves();
                is_open(portal) && inside.reaches(one) && inside.reaches(other)
            },
        );
        let out = Distances::new(
            cells,
            self.bsp.leaf_count(),
            reached.outside.iter().map(|leaf| (*leaf, DVec3::NAN)),
            |portal| {
                let [one, other] = cells.portals()[portal as usize].leaves();
                is_open(portal) && beyond.reaches(one) && beyond.reaches(other)
            },
        );
        let mut openings = Vec::new();
        for portals in SharedEdges::new(self.bsp, cells).groups(&all) {
            let through = portals.iter().filter(|portal| is_open(**portal)).map(|portal| {
                let [one, other] = cells.portals()[*portal as usize].leaves();
                let (inner, outer) = if inside.reaches(one) { (one, other) } else { (other, one) };
                let center = cells.center(&cells.portals()[*portal as usize]);
                (near.length_to(inner, center) + out.length_to(outer, center), *portal, inner, outer)
            });
            let Some((_, portal, inner, outer)) = through.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                continue;
            };
            let (mut chain, start) = near.route(cells, inner);
            chain.reverse();
            chain.push(portal);
            let (rest, end) = out.route(cells, outer);
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
            openings.push(Opening { portals, area, inner, chain: Chain { from, portals: chain, end } });
        }
        openings
    }

    /// Whether a portal of one list shares an edge with one of the other.
    pub(super) fn touch(&self, some: &[u32], others: &[u32]) -> bool {
        let both: Vec<u32> = some.iter().chain(others).copied().collect();
        let crosses = |group: &Vec<u32>| {
            group.iter().any(|portal| some.contains(portal))
                && group.iter().any(|portal| others.contains(portal))
        };
        SharedEdges::new(self.bsp, self.cells).groups(&both).iter().any(crosses)
    }

    /// The opening in numbers, for the caller.
    pub(super) fn describe(&self, opening: &Opening) -> Option<Leak> {
        let cells = self.cells;
        let piece = |portal: &u32| &cells.portals()[*portal as usize];
        let Chain { from, portals, end } = &opening.chain;
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
