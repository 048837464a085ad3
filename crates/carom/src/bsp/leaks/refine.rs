//! Cells that are partly inside, cut in two where the inside ends.

use alloc::vec::Vec;

use glam::DVec3;

use super::super::cells::{Cells, Piece};
use super::super::plane::PlaneId;
use super::super::tree::Bsp;

/// How often cells that are partly inside are cut in two.
const ROUNDS: usize = 16;

/// Cells are not cut into more than this, as a multiple of those of the tree.
const MOST_GROWTH: usize = 16;

/// The tree with more planes, and its cells. Where no point reaches the outside it is the given tree.
pub(super) fn refine(bsp: &Bsp, points: &[DVec3]) -> (Bsp, Cells) {
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
    (bsp, cells)
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
                let sides = polygon.sides(bsp.planes(), *edge);
                let is_better = best.is_none_or(|(area, _)| portal.area() > area);
                if sides.is_in_front && !sides.is_behind && is_better {
                    best = Some((portal.area(), *edge));
                }
            }
        }
    }
    best.map(|(_, plane)| plane)
}
