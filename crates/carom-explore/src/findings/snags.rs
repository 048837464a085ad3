//! Snags: something stops a walk that would be free a step higher, and turning slightly does not help.

use glam::DVec3;
use rayon::prelude::*;

use crate::findings::evidence::{Evidence, neighbors};
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::witness::Witness;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::NONE;
use crate::walk::Walker;
use crate::walk::action::Action;

/// Most walks of one neighborhood that are tried again, evenly chosen.
const TRIED: usize = 24;

/// Snags of one neighborhood together, if a player that turns by ten degrees or less still feels one of them.
pub(crate) fn snags(evidence: &Evidence<'_>) -> Vec<Finding> {
    let (walker, cell) = (evidence.walker, evidence.walker.rules.cell());
    let events: Vec<&Event> =
        evidence.flood.events.iter().filter(|event| event.kind == EventKind::Snag).collect();
    let points: Vec<DVec3> = events.iter().map(|event| event.position).collect();
    // A low thing has two sides, a body on either.
    let gap = (2.0 * walker.rules.radii.x / cell).ceil() as i32 + 2;
    let judge = |mut group: Vec<usize>| {
        group.sort_by_key(|i| (events[*i].ticks, events[*i].place, events[*i].action));
        let mut few = group.iter().step_by(group.len().div_ceil(TRIED)).map(|i| *events[*i]);
        let event = few.find(|event| evidence.stop.is_over() || holds(walker, event))?;
        // A snag counts only where a turning player was tried.
        if evidence.stop.is_over() {
            return None;
        }
        let extent = Extent::of(group.iter().map(|i| points[*i]), cell);
        let witness = Witness::to(walker, evidence.flood, event.place, Some(event.action));
        Some(Finding::new(Code::Snag, event.position, extent, witness))
    };
    neighbors(&points, cell, gap, evidence.floor.rise).into_par_iter().filter_map(judge).collect()
}

/// Whether it stops a body that walks on for two seconds, or turns by up to ten degrees.
fn holds(walker: &Walker<'_>, event: &Event) -> bool {
    let Action::Walk(direction) = Action::from_code(event.action) else { return false };
    let mut state = walker.state();
    event.place != NONE && !walker.is_freed(&mut state, [event.exit, event.position], direction)
}
