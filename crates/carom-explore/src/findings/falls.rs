//! Falls out of the world, or on the sky around it: a finding for each hole, for each open rim, and for each
//! crack.
//!
//! A rim is an edge of the level beyond which the world ends. If a level stands in the void, its rims are
//! intended and folded. If nearly all of its edge is closed, a rim is a gap in the fence, and is listed. The
//! same holds if nearly all of the edge is closed to bodies that walk: those that climb over a railing say
//! nothing of the gap in it. But in a level with railings in the void, a doorway in a wall is no gap: it
//! leads out of a house that was modelled without ground. A spawn from which a body falls at once is always
//! listed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use glam::DVec3;

use crate::findings::edge::Edge;
use crate::findings::evidence::{Evidence, neighbors};
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::flight::CLIMB;
use crate::findings::skyline::{Opening, Skyline};
use crate::findings::witness::Witness;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::{NONE, Place, column};
use crate::floor::Sample;
use crate::level::Level;
use crate::walk::action::Action;

/// A level is closed but for its gaps if no more than this share of its edge is open.
const GAPS: f64 = 0.2;
/// A thing that a body climbed on stands within this many cells of the floor below,
const BESIDE: i32 = 2;
/// and it has come no farther along than this many places.
const ALONG: usize = 64;
/// Beyond a railing a body hangs no farther from reached floor than this many columns.
const HANGING: i32 = 4;
/// Along a fence or a bar a body is followed back over this many places.
const ALONG_FENCE: usize = 1024;

/// Falls out of the world.
#[derive(Default)]
pub(crate) struct Falls {
    /// One for each hole, rim and crack.
    pub(crate) found: Vec<Finding>,
    /// The places from which a body falls over a rim that is folded, in a level without railings: falling is
    /// part of such a level.
    pub(crate) over_rims: BTreeSet<u32>,
}

/// The reason that folds a fall over a railing of a level that stands in the void.
const CLIMBED: &str = "only bodies that climb or jump over something fall here";
/// The reason that folds a fall over an open rim of such a level.
const VOID: &str = "open rim of a level that stands in the void";

/// The names of the causes of a fall.
struct Causes {
    spawn: &'static str,
    hole: &'static str,
    rim: &'static str,
    crack: &'static str,
}

/// The causes of falls out of the world.
const BELOW: Causes = Causes {
    spawn: "a spawn over nothing",
    hole: "a hole",
    rim: "an open rim",
    crack: "a crack between triangles",
};
/// The causes of falls on the sky.
const ON_SKY: Causes = Causes {
    spawn: "a spawn over the sky",
    hole: "a hole over the sky",
    rim: "an open rim over the sky",
    crack: "the sky",
};

pub(crate) fn falls(evidence: &Evidence<'_>) -> Falls {
    let (walker, cell) = (evidence.walker, evidence.walker.rules.cell());
    let half = walker.rules.radii.y;
    let events: Vec<&Event> =
        evidence.flood.events.iter().filter(|event| event.kind == EventKind::FellOut).collect();
    if events.is_empty() {
        return Falls::default();
    }
    // Skies about as high as each other are one; the bottom of the world is none.
    let mut grounds: BTreeMap<Option<i64>, (Option<f64>, Vec<usize>)> = BTreeMap::new();
    for (i, event) in events.iter().enumerate() {
        let sky = sky_below(walker.level, event.exit);
        let (highest, list) = grounds.entry(sky.map(|y| (y / half).floor() as i64)).or_default();
        if sky > *highest {
            *highest = sky;
        }
        list.push(i);
    }
    // Falls of bodies that walk on, and have climbed nothing.
    let mut ways = Ways { evidence, broad: BTreeMap::new() };
    let mut is_walked = |i: &usize| ways.is_walked(events[*i]);
    let mut found = Vec::new();
    // Holes that only bodies that climb or jump over something fall into.
    let mut guarded: Vec<(Finding, Vec<usize>)> = Vec::new();
    let mut skylines = Vec::with_capacity(grounds.len());
    // Of each ground the falls over its rims.
    let mut outside: Vec<(Vec<usize>, &Causes)> = Vec::new();
    let near = |list: &[usize], point: &dyn Fn(usize) -> DVec3| -> Vec<Vec<usize>> {
        let points: Vec<DVec3> = list.iter().map(|i| point(*i)).collect();
        let groups = neighbors(&points, cell, 2, evidence.floor.rise);
        groups.into_iter().map(|group| group.into_iter().map(|i| list[i]).collect()).collect()
    };
    for (sky, mut order) in grounds.into_values() {
        let causes = if sky.is_some() { &ON_SKY } else { &BELOW };
        let mut skyline = Skyline::new(walker.level, cell, half, sky);
        // From the lowest on, so that a hole that is wider below is one hole.
        order.sort_by(|a, b| events[*a].exit.y.total_cmp(&events[*b].exit.y).then(a.cmp(b)));
        let mut holes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let (mut rims, mut cracks) = (Vec::new(), Vec::new());
        for i in order {
            if evidence.stop.is_over() {
                break;
            }
            if events[i].place == NONE {
                let extent = Extent::of([events[i].position], cell);
                found.extend(finding(evidence, &events, &[i], extent, causes.spawn));
                continue;
            }
            match skyline.opening(events[i].exit) {
                Opening::Hole(hole) => holes.entry(hole).or_default().push(i),
                Opening::Outside => rims.push(i),
                Opening::Crack => cracks.push(i),
            }
        }
        for (hole, group) in holes {
            let height = group.iter().map(|i| events[*i].exit.y).fold(f64::INFINITY, f64::min);
            let points = skyline.hole(hole).map(|p| p.with_y(height));
            let extent = Extent::of(points, cell);
            let Some(hole) = finding(evidence, &events, &group, extent, causes.hole) else { continue };
            if group.iter().any(&mut is_walked) {
                found.push(hole);
            } else {
                guarded.push((hole, group));
            }
        }
        cracks.sort_unstable();
        for group in near(&cracks, &|i| events[i].exit) {
            let extent = Extent::of(group.iter().map(|i| events[*i].exit), cell);
            found.extend(finding(evidence, &events, &group, extent, causes.crack));
        }
        rims.sort_unstable();
        outside.push((rims, causes));
        skylines.push(skyline);
    }
    let over = |list: &[usize]| -> Vec<Vec<usize>> {
        // Falls from places near each other are over one rim, and so are falls that pass it near each other:
        // some bodies jump over it from afar.
        let from = near(list, &|i| events[i].position);
        let past = near(list, &|i| events[i].exit.with_y(events[i].position.y));
        united(from, &past)
    };
    let all: Vec<usize> = outside.iter().flat_map(|(list, _)| list.iter().copied()).collect();
    let edge = |list: &[usize]| Edge::new(evidence, list.iter().map(|i| events[*i].position));
    let is_in_the_void = !all.is_empty() && edge(&all).open_share(&mut skylines) > GAPS;
    let walked: Vec<usize> = all.iter().copied().filter(|i| is_in_the_void && is_walked(i)).collect();
    // A level whose edge is closed to bodies that only walk stands in no void.
    let railed = is_in_the_void.then(|| edge(&walked)).filter(|edge| edge.open_share(&mut skylines) <= GAPS);
    let is_railed = railed.is_some();
    let walked: BTreeSet<usize> = walked.into_iter().collect();
    let mut over_rims = BTreeSet::new();
    for (mut hole, group) in guarded {
        if is_in_the_void {
            hole.folded = Some(CLIMBED.to_owned());
            // Where nothing keeps bodies from falling, that is a way on; beyond a railing it is none.
            if !is_railed {
                over_rims.extend(group.iter().map(|i| events[*i].place));
            }
        }
        found.push(hole);
    }
    for (list, causes) in &outside {
        let (open, rest): (Vec<usize>, Vec<usize>) =
            list.iter().copied().partition(|i| is_railed && walked.contains(i));
        for (list, is_gap) in [(open, true), (rest, false)] {
            for group in over(&list) {
                let positions: Vec<DVec3> = group.iter().map(|i| events[*i].position).collect();
                let extent = Extent::of(positions.iter().copied(), cell);
                let columns: BTreeSet<[i32; 2]> = extent.cells.iter().map(|[x, _, z]| [*x, *z]).collect();
                let Some(mut rim) = finding(evidence, &events, &group, extent, causes.rim) else { continue };
                rim.length = Some(columns.len() as f64 * cell);
                let folded = match &railed {
                    _ if !is_in_the_void => None,
                    Some(_) if !is_gap => Some(CLIMBED),
                    Some(edge) if edge.is_in_a_railing(&positions, &mut skylines) => None,
                    _ => Some(VOID),
                };
                rim.folded = folded.map(str::to_owned);
                if folded == Some(VOID) {
                    over_rims.extend(group.iter().map(|i| events[*i].place));
                }
                found.push(rim);
            }
        }
    }
    Falls { found, over_rims }
}

/// How bodies came to fall.
struct Ways<'a, 'b> {
    evidence: &'a Evidence<'b>,
    /// Which samples that bodies reached are on floor as wide as the body, as far as it was asked.
    broad: BTreeMap<u32, bool>,
}

impl Ways<'_, '_> {
    /// Whether a body walked on, and has climbed nothing.
    fn is_walked(&mut self, event: &Event) -> bool {
        !Action::from_code(event.action).jumps() && !is_far(self.evidence, event) && !self.is_raised(event)
    }

    /// Whether reached floor that is as wide as the body is in a column, at one of these heights.
    fn has_floor(&mut self, column: [i32; 2], heights: &RangeInclusive<f64>) -> bool {
        let Self { evidence: Evidence { floor, walker, .. }, broad } = self;
        let mut here = floor.samples.in_column(column);
        here.any(|(at, sample)| {
            let mut is_broad =
                || *broad.entry(at).or_insert_with(|| floor.is_broad(walker.level, walker.rules, at));
            sample.is_reached && heights.contains(&sample.height) && is_broad()
        })
    }

    /// Whether a body stands on floor as high as its feet; on the other side of a thing, however thin, that
    /// is farther away. On the top of a railing it does not.
    fn stands(&mut self, place: &Place) -> bool {
        let (cell, rules) = (self.evidence.floor.cell(), self.evidence.walker.rules);
        let ([x, z], feet) = (column(place.position, cell), place.position.y - rules.radii.y);
        let step = rules.settings.step_height;
        [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]
            .into_iter()
            .any(|[i, k]| self.has_floor([x + i, z + k], &(feet - step..=feet + step)))
    }

    /// Whether a body jumped on something right beside reached floor before it fell, as on a railing or a
    /// parapet, or has jumped or fallen since it last stood on floor: beyond the bars of a railing it hangs
    /// at their foot.
    fn is_raised(&mut self, event: &Event) -> bool {
        let Evidence { floor, walker, flood, .. } = self.evidence;
        let (rules, places) = (walker.rules, &flood.places);
        let least = 0.5 * rules.settings.step_height;
        let place = places.get(event.place);
        // Back along the way.
        let moves = std::iter::successors(Some((place, places.get(place.parent))), |(_, before)| {
            Some((*before, places.get(before.parent)))
        });
        let jumped = |place: &Place| Action::from_code(place.action).jumps();
        let fell =
            |place: &Place, before: &Place| before.position.y - place.position.y > rules.settings.step_height;
        let feet = event.position.y - rules.radii.y;
        let [x, z] = column(event.position, floor.cell());
        let mut hanging = moves
            .clone()
            .take(ALONG_FENCE)
            .take_while(|(place, before)| place != before && !self.stands(place));
        if hanging.any(|(place, before)| jumped(&place) || fell(&place, &before)) {
            let tall = 2.0 * rules.radii.y;
            let mut around =
                (-HANGING..=HANGING).flat_map(|i| (-HANGING..=HANGING).map(move |k| [x + i, z + k]));
            if around.any(|column| self.has_floor(column, &(feet - tall..=feet + tall))) {
                return true;
            }
        }
        let is_lower =
            |sample: &Sample| sample.is_reached && (least..=CLIMB).contains(&(feet - sample.height));
        (-BESIDE..=BESIDE).any(|i| {
            floor.samples.in_row([x + i, z - BESIDE], z + BESIDE).any(|(_, sample)| is_lower(&sample))
        }) && moves
            .take(ALONG)
            .any(|(place, before)| jumped(&place) && place.position.y - before.position.y > least)
    }
}

/// Whether a body flew on before nothing was below it: from a roof over a railing.
fn is_far(evidence: &Evidence<'_>, event: &Event) -> bool {
    (event.position - event.exit).with_y(0.0).length() > 2.0 * evidence.walker.rules.radii.x
}

/// The height of the sky right below a point, if that is the first thing there.
fn sky_below(level: &Level, from: DVec3) -> Option<f64> {
    let met = level.below(from).filter(|met| level.is_sky(met.surface_id))?;
    Some(from.y + met.hit.fraction * (level.abyss() - from.y))
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
        (is_far(evidence, event), action.jumps(), event.ticks, event.place, event.action)
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
