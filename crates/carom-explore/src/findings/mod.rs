//! The defects of a level, and their positions.

pub(crate) mod agents;
pub(crate) mod analysis;
pub(crate) mod barrier;
pub(crate) mod edge;
pub(crate) mod evidence;
pub(crate) mod falls;
pub(crate) mod finding;
pub(crate) mod flight;
pub(crate) mod rank;
pub(crate) mod skyline;
pub(crate) mod snags;
pub(crate) mod unreached;
pub(crate) mod warnings;
pub(crate) mod witness;

use carom_formats::Extents;
use std::collections::BTreeSet;

use crate::findings::evidence::Evidence;
use crate::findings::falls::Falls;
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::witness::Witness;
use crate::floor::Sample;

/// Why a trap is folded.
const UNTRIED: &str = "stopped before agents had tried to leave";
/// The same, of one that is left over a rim.
const BEYOND_RIM: &str = "every path out leads over the open rim of a level that stands in the void";

/// All that is wrong, the worst and largest first.
pub(crate) fn findings(evidence: &Evidence<'_>) -> Vec<Finding> {
    let Falls { mut found, over_rims } = crate::findings::falls::falls(evidence);
    found.extend(crate::findings::snags::snags(evidence));
    found.extend(evidence.trapped(&over_rims));
    let cell = evidence.walker.rules.cell();
    found.extend(evidence.blocked.iter().map(|spawn| {
        let witness = Witness::at(evidence.walker, spawn.position, 1);
        Finding::new(Code::StartOverlap, spawn.position, Extent::of([spawn.position], cell), witness)
    }));
    // Floor that was not reached before a stop may be reached yet.
    if evidence.flood.is_done() {
        found.extend(crate::findings::unreached::unreached(evidence));
    }
    let place = |finding: &Finding| finding.position.to_array().map(f64::to_bits);
    found.sort_by(|a, b| {
        a.code.cmp(&b.code).then(b.places.cmp(&a.places)).then_with(|| place(a).cmp(&place(b)))
    });
    found
}

impl Evidence<'_> {
    /// Regions without a way back. An end of one in which there is hardly room to move is a place to be stuck
    /// in. A player that leaves a region over the rim of a level in the void dies, as is meant there, and
    /// begins again: that region is folded with the rim.
    fn trapped(&self, over_rims: &BTreeSet<u32>) -> Vec<Finding> {
        let rules = self.walker.rules;
        let mut found = Vec::new();
        let untried = self.stop.is_set().then_some(UNTRIED);
        let place = |id: &u32| self.flood.places.get(*id);
        let mut tell = |code, places: &[u32], folded: Option<&str>| {
            let Some(&first) = places.iter().min_by_key(|id| (place(id).ticks, **id)) else {
                return;
            };
            let witness = Witness::to(self.walker, self.flood, first, None);
            let position = place(&first).position;
            let points = places.iter().map(|id| place(id).position);
            let finding = Finding::new(code, position, Extent::of(points, rules.cell()), witness);
            found.push(Finding { confirmed: self.confirmed, folded: folded.map(str::to_owned), ..finding });
        };
        for trap in self.traps {
            let is_tight = |end: &&Vec<u32>| {
                let points = end.iter().map(|id| place(id).position);
                Extents::of(points).size().with_y(0.0).max_element() < rules.radii.x.min(rules.radii.z)
            };
            let tight: Vec<&Vec<u32>> = trap.ends.iter().filter(is_tight).collect();
            for end in &tight {
                tell(Code::Stuck, end, untried);
            }
            // From where one only falls out of the world, that is what is wrong, unless it is a region of
            // floor: a body that hangs over a rim is falling already.
            let stands = |id: &&u32| self.floor.holds(place(id).position, rules);
            let is_region = self.floor.area(trap.places.iter().filter(stands).count()) >= rules.min_area;
            if tight.len() < trap.ends.len() || trap.ends.is_empty() && is_region {
                let ends_over_rim =
                    trap.ends.is_empty() && trap.places.iter().any(|id| over_rims.contains(id));
                tell(Code::Trap, &trap.places, ends_over_rim.then_some(BEYOND_RIM).or(untried));
            }
        }
        found
    }

    /// Places from which a second look may find a way that the first did not: those that lead nowhere, and
    /// those beside floor that was not reached.
    pub(crate) fn doubtful(&self, most: usize) -> Vec<u32> {
        let rules = self.walker.rules;
        let mut ids: Vec<u32> =
            self.traps.iter().flat_map(|trap| trap.places.iter().copied()).take(most).collect();
        let reach = self.floor.rise + rules.jump_reach();
        for part in self.floor.parts(self.stop, |at| !self.floor.samples.is_reached(at)) {
            if self.floor.area(part.len()) < rules.min_area {
                continue;
            }
            for sample in part.iter() {
                let Sample { column: [x, z], height, .. } = self.floor.samples.get(sample);
                for i in -2..=2 {
                    for j in -2..=2 {
                        let here = self.flood.places.in_column([x + i, z + j]).filter(|(_, place)| {
                            let rise = (place.position.y - rules.radii.y - height).abs();
                            place.hold.stands() && rise <= reach
                        });
                        ids.extend(here.map(|(id, _)| id));
                    }
                }
                if ids.len() > 4 * most {
                    break;
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(most);
        ids
    }
}
