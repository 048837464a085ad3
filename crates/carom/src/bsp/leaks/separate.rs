//! The cheapest separation of the cells that are reached into inside and outside.

use alloc::vec::Vec;

use super::super::cells::Cells;
use super::super::tree::Bsp;
use super::min_cut::{Graph, SINK, SOURCE};
use super::sight::{Outlook, Sight};

/// The cost of calling a cell outside, as a share of its surface, if the outside is behind a single wall in
/// all directions, as from a room. Behind the walls of a gap between rooms are rooms.
const WALLED: f64 = 0.8;

/// The cost of calling a cell inside if it looks out in all directions. It is so much less that a cell in the
/// middle of a hole in a wall, which looks out in half of them, counts as inside: so holes on two sides of
/// a corner stay apart.
const FREE: f64 = 0.2;

/// The cells that are reached from points, through portals that count.
pub(super) struct Reached<'a> {
    cells: &'a Cells,
    is_open: &'a [bool],
    /// The cells of points.
    pub(super) sources: Vec<u32>,
    /// The unbounded ones.
    pub(super) outside: Vec<u32>,
    /// The outlook from the middle of each leaf that is a reached cell.
    outlooks: Vec<Option<Outlook>>,
}

/// Each cell inside or outside.
pub(super) struct Separation {
    /// By leaf.
    pub(super) is_inside: Vec<bool>,
    /// The area of the openings, and what the outlooks of cells on the wrong side cost.
    pub(super) cost: f64,
}

impl<'a> Reached<'a> {
    /// `None` if the outside is not reached.
    pub(super) fn new(bsp: &Bsp, cells: &'a Cells, is_open: &'a [bool], sources: Vec<u32>) -> Option<Self> {
        let flood = cells.flood_through(&sources, |portal| is_open[portal as usize]);
        let outside: Vec<u32> = cells.cells().filter(|leaf| cells.is_outside(*leaf)).collect();
        if !outside.iter().any(|leaf| flood.reaches(*leaf)) {
            return None;
        }
        let mut sight = Sight::new(bsp);
        let outlook = |leaf: u32| {
            let counts = cells.is_cell(leaf) && flood.reaches(leaf);
            counts.then(|| sight.of_outside(cells.middle(leaf)))
        };
        let outlooks = (0..bsp.leaf_count() as u32).map(outlook).collect();
        Some(Self { cells, is_open, sources, outside, outlooks })
    }

    /// The cheapest separation with some leaves kept outside.
    pub(super) fn separate(&self, kept_out: &[u32]) -> Separation {
        let cells = self.cells;
        let mut graph = Graph::new(self.outlooks.len());
        for (portal, piece) in (0u32..).zip(cells.portals()) {
            let [one, other] = piece.leaves();
            if self.is_open[portal as usize] && self.outlooks[one as usize].is_some() {
                graph.add_edge(one + 2, other + 2, piece.area());
            }
        }
        for (leaf, outlook) in (0u32..).zip(&self.outlooks) {
            let Some(outlook) = outlook else { continue };
            if cells.is_outside(leaf) {
                graph.add_edge(leaf + 2, SINK, f64::INFINITY);
                continue;
            }
            let lean = WALLED * outlook.behind_a_wall - FREE * outlook.free;
            let end = if lean > 0.0 { SOURCE } else { SINK };
            graph.add_edge(leaf + 2, end, lean.abs() * cells.area(leaf));
        }
        for leaf in kept_out {
            graph.add_edge(leaf + 2, SINK, f64::INFINITY);
        }
        for leaf in self.sources.iter().filter(|leaf| cells.is_cell(**leaf) && !cells.is_outside(**leaf)) {
            graph.add_edge(leaf + 2, SOURCE, f64::INFINITY);
        }
        let mut sides = graph.cut();
        let cost = graph.cost_between(&sides);
        Separation { is_inside: sides.split_off(2), cost }
    }
}
