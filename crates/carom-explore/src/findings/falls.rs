//! Falls out of the world: a finding for each hole, for each open rim, and for each crack.
//!
//! A rim is an edge of the level beyond which the world ends. If a level stands in the void, its rims are
//! intended and folded. If nearly all of its edge is closed, a rim is a gap in the fence, and is listed. A
//! spawn from which a body falls at once is always listed.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use rayon::prelude::*;

use crate::findings::evidence::{Evidence, neighbors};
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::skyline::{Opening, Skyline};
use crate::findings::witness::Witness;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::{NONE, column};
use crate::walk::action::Action;

/// A level is closed but for its gaps if no more than this share of its edge is open.
const GAPS: f64 = 0.2;
/// About how many samples of a level's edge are asked whether it is closed there.
const EDGE: usize = 20_000;
/// The edge of a level lies no farther beyond its floor than this, in meters: a wall's thickness.
const WALL: f64 = 2.0;

/// Falls out of the world.
#[derive(Default)]
pub(crate) struct Falls {
    /// One for each hole, rim and crack.
    pub(crate) found: Vec<Finding>,
    /// The places from which a body falls over a rim that is folded.
    pub(crate) over_rims: BTreeSet<u32>,
}

pub(crate) fn falls(evidence: &Evidence<'_>) -> Falls {
    let (walker, cell) = (evidence.walker, evidence.walker.rules.cell());
    let events: Vec<&Event> =
        evidence.flood.events.iter().filter(|event| event.kind == EventKind::FellOut).collect();
    if events.is_empty() {
        return Falls::default();
    }
    let mut skyline = Skyline::new(walker.level, cell, walker.rules.radii.y);
    // From the lowest on, so that a hole that is wider below is one hole.
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by(|a, b| events[*a].exit.y.total_cmp(&events[*b].exit.y).then(a.cmp(b)));
    let mut holes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let (mut outside, mut cracks) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for i in order {
        if evidence.stop.is_over() {
            break;
        }
        if events[i].place == NONE {
            let extent = Extent::of([events[i].position], cell);
            found.extend(finding(evidence, &events, &[i], extent, "a spawn over nothing"));
            continue;
        }
        match skyline.opening(events[i].exit) {
            Opening::Hole(hole) => holes.entry(hole).or_default().push(i),
            Opening::Outside => outside.push(i),
            Opening::Crack => cracks.push(i),
        }
    }
    for (hole, group) in holes {
        let height = group.iter().map(|i| events[*i].exit.y).fold(f64::INFINITY, f64::min);
        let points = skyline.hole(hole).map(|p| p.with_y(height));
        let extent = Extent::of(points, cell);
        found.extend(finding(evidence, &events, &group, extent, "a hole"));
    }
    let near = |list: &[usize], point: &dyn Fn(usize) -> DVec3| -> Vec<Vec<usize>> {
        let points: Vec<DVec3> = list.iter().map(|i| point(*i)).collect();
        let groups = neighbors(&points, cell, 2, evidence.floor.rise);
        groups.into_iter().map(|group| group.into_iter().map(|i| list[i]).collect()).collect()
    };
    cracks.sort_unstable();
    for group in near(&cracks, &|i| events[i].exit) {
        let extent = Extent::of(group.iter().map(|i| events[*i].exit), cell);
        found.extend(finding(evidence, &events, &group, extent, "a crack between triangles"));
    }
    if outside.is_empty() {
        return Falls { found, over_rims: BTreeSet::new() };
    }
    let share = open_share(evidence, &mut skyline, outside.iter().map(|i| events[*i].position));
    outside.sort_unstable();
    // Falls from places near each other are over one rim, and so are falls that pass it near each other: some
    // bodies jump over it from afar.
    let from = near(&outside, &|i| events[i].position);
    let past = near(&outside, &|i| events[i].exit.with_y(events[i].position.y));
    for group in united(from, &past) {
        let extent = Extent::of(group.iter().map(|i| events[*i].position), cell);
        let columns: BTreeSet<[i32; 2]> = extent.cells.iter().map(|[x, _, z]| [*x, *z]).collect();
        let Some(mut rim) = finding(evidence, &events, &group, extent, "an open rim") else { continue };
        rim.length = Some(columns.len() as f64 * cell);
        if share > GAPS {
            rim.folded = Some("open rim of a level that stands in the void".to_owned());
        }
        found.push(rim);
    }
    let is_folded = share > GAPS;
    let over_rims = outside.iter().filter(|_| is_folded).map(|i| events[*i].place).collect();
    Falls { found, over_rims }
}

/// Falls of one cause; the witness is the soonest, without a jump and from beside the opening if there is
/// such a one.
fn finding(
    evidence: &Evidence<'_>,
    events: &[&Event],
    group: &[usize],
    extent: Extent,
    cause: &'static str,
) -> Option<Finding> {
    let walker = evidence.walker;
    let key = |event: &Event| {
        let action = Action::from_code(event.action);
        let is_far = (event.position - event.exit).with_y(0.0).length() > 2.0 * walker.rules.radii.x;
        (is_far, action.jumps(), event.ticks, event.place, event.action)
    };
    let event = group.iter().map(|i| *events[*i]).min_by_key(key)?;
    let witness = match event.place {
        NONE => Witness::at(walker, event.position, event.ticks),
        place => Witness::to(walker, evidence.flood, place, Some(event.action)),
    };
    let finding = Finding::new(Code::FallOut, event.position, extent, witness);
    Some(Finding { cause: Some(cause), ..finding })
}

/// Groups, those together that share members with one of the others; by their first.
fn united(groups: Vec<Vec<usize>>, others: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let group_of: BTreeMap<usize, usize> = groups
        .iter()
        .enumerate()
        .flat_map(|(number, group)| group.iter().map(move |i| (*i, number)))
        .collect();
    let ways = others.iter().flat_map(|other| other.windows(2).map(|pair| [pair[0], pair[1]]));
    let mut root: Vec<usize> = (0..groups.len()).collect();
    let find = |root: &[usize], mut at: usize| {
        while root[at] != at {
            at = root[at];
        }
        at
    };
    for pair in ways {
        let [a, b] = pair.map(|i| find(&root, group_of[&i]));
        root[a.max(b)] = a.min(b);
    }
    let mut united: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, mut group) in groups.into_iter().enumerate() {
        united.entry(find(&root, number)).or_default().append(&mut group);
    }
    united.into_values().collect()
}

/// The share of the reached edge of the level that is open: where a body falls out, of that and of where it
/// is held back.
fn open_share(evidence: &Evidence<'_>, skyline: &mut Skyline<'_>, falls: impl Iterator<Item = DVec3>) -> f64 {
    let (floor, cell) = (evidence.floor, evidence.walker.rules.cell());
    let open: BTreeSet<[i32; 2]> = falls.map(|p| column(p, cell)).collect();
    let is_open = |[x, z]: [i32; 2]| (-2..=2).any(|i| (-2..=2).any(|j| open.contains(&[x + i, z + j])));
    let is_edge =
        |at: &u32| floor.samples[*at as usize].is_reached && !is_open(floor.samples[*at as usize].column);
    let rim: Vec<u32> = (0..floor.samples.len() as u32)
        .into_par_iter()
        .filter(|at| is_edge(at) && floor.sides(*at) < 4)
        .collect();
    let stride = rim.len().div_ceil(EDGE).max(1);
    let mut closed = 0usize;
    for at in rim.iter().step_by(stride) {
        if evidence.stop.is_over() {
            break;
        }
        let sample = &floor.samples[*at as usize];
        let center = floor.point(sample) + DVec3::Y * evidence.walker.rules.radii.y;
        let is_closed = [[1, 0], [-1, 0], [0, 1], [0, -1]].into_iter().any(|way| {
            let beyond = DVec3::new(f64::from(way[0]), 0.0, f64::from(way[1])) * WALL;
            skyline.leads_outside(center + beyond, way)
        });
        closed += usize::from(is_closed) * stride;
    }
    let open = open.len() as f64;
    open / (open + closed as f64).max(1.0)
}
