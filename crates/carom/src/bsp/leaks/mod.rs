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

mod distances;
mod leak;
mod min_cut;
mod refine;
mod search;
mod separate;
mod shared_edges;
mod sight;

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

pub use self::leak::{Leak, Leaks};
use self::refine::refine;
use self::search::Search;
use super::tree::Bsp;

/// All openings between points and the outside. Those narrower than `width`, in units, are cracks: brushes of
/// real levels that meet at an angle leave some, and compilers look past them.
pub fn leaks(bsp: &Bsp, points: &[DVec3], width: f64) -> Leaks {
    let mut found = Leaks::default();
    let (bsp, cells) = refine(bsp, points);
    let mut starts = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let leaf = bsp.leaf_at(*point);
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
    found.leaks.sort_by(|a, b| a.length().total_cmp(&b.length()));
    search.is_open = vec![true; cells.portals().len()];
    for portal in openings.iter().flat_map(|opening| &opening.portals) {
        search.is_open[*portal as usize] = false;
    }
    // The rim of a leak is no crack.
    let mut cracks = search.openings();
    cracks.retain(|crack| !openings.iter().any(|leak| search.touch(&crack.portals, &leak.portals)));
    found.cracks = cracks.iter().filter_map(|opening| search.describe(opening)).collect();
    found.cracks.sort_by(|a, b| a.length().total_cmp(&b.length()));
    found
}
