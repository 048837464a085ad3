//! Snags: something stops a walk that would be free a step higher, and turning slightly does not help.
//!
//! Between rocks a body is stopped as a player expects. So a snag on uneven ground is folded: the floor
//! before it or the floor beyond it lies nowhere in one plane, or the things around the feet of the body have
//! steep faces in many slanted directions.

use carom::num::ops;
use carom::shape::{Cuboid, Mover};
use glam::DVec3;
use rayon::prelude::*;

use crate::findings::evidence::{Evidence, neighbors};
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::witness::Witness;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::NONE;
use crate::walk::Walker;
use crate::walk::action::{Action, DIRECTIONS};

/// Most walks of one neighborhood that are tried again, evenly chosen.
const TRIED: usize = 24;
/// Floor is even along a line of this many times the body's radius,
const EVEN: f64 = 3.0;
/// if it is nowhere farther from a plane than this share of the radius,
const ROUGH: f64 = 0.05;
/// and its normals are no farther apart than this, in degrees.
const TURNED: f64 = 2.5;
/// Where lines before a snag begin, in radii before it.
const BEFORE: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
/// Where lines beyond it begin, as shares of the way that a raised body takes over it.
const BEYOND: [f64; 4] = [0.5, 0.75, 1.0, 1.25];
/// Rocks have steep faces in at least this many directions around the feet of a body,
const ROCKY: usize = 4;
/// which differ by more than this, in degrees, and are as far from level and from upright. Walls and columns
/// are upright, and a notch has two slanted faces.
const SLANTED: f64 = 5.0;
/// Why a snag is folded.
const UNEVEN: &str = "on uneven ground, as between rocks";

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
        let finding = Finding::new(Code::Snag, event.position, extent, witness);
        let is_even = is_on_even_floor(walker, &event) && !is_beside_rocks(walker, &event);
        let folded = (!is_even).then(|| UNEVEN.to_owned());
        Some(Finding { folded, ..finding })
    };
    neighbors(&points, cell, gap, evidence.floor.rise).into_par_iter().filter_map(judge).collect()
}

/// Whether it stops a body that walks on for two seconds, or turns by up to ten degrees.
fn holds(walker: &Walker<'_>, event: &Event) -> bool {
    let Action::Walk(direction) = Action::from_code(event.action) else { return false };
    let mut state = walker.state();
    event.place != NONE && !walker.is_freed(&mut state, [event.exit, event.position], direction)
}

/// Whether even floor leads to a snag, and even floor continues beyond it.
fn is_on_even_floor(walker: &Walker<'_>, event: &Event) -> bool {
    let Action::Walk(direction) = Action::from_code(event.action) else { return false };
    let heading = walker.headings[usize::from(direction % DIRECTIONS)];
    let (radius, over) = (walker.rules.radii.x.min(walker.rules.radii.z), walker.over_step());
    let from = event.position + DVec3::Y * walker.rules.settings.step_height;
    let is_even = |start: f64, translation: DVec3| {
        is_even(walker, from + translation * start, translation * (EVEN * radius))
    };
    BEFORE.into_iter().any(|radii| is_even(radii * radius, -heading))
        && BEYOND.into_iter().any(|share| is_even(share * over, heading))
}

/// Whether faces around the feet of a body that hangs are steep and slanted, in many directions.
fn is_beside_rocks(walker: &Walker<'_>, event: &Event) -> bool {
    let (rules, radii) = (walker.rules, walker.rules.radii);
    let step = rules.settings.step_height;
    let half = DVec3::new(2.0 * radii.x, step, 2.0 * radii.z);
    let Ok(about) = Cuboid::new(half).map(Mover::from) else { return false };
    let middle = event.position + DVec3::Y * (step - radii.y);
    let (sin, cos) = ops::sin_cos(f64::to_radians(SLANTED));
    let mut directions: Vec<DVec3> = Vec::new();
    for [a, b, c] in walker.level.ground().touching(&about, middle, rules.settings.collides_with) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let is_slanted = normal.y.abs() > sin && normal.y.abs() < walker.least_upright;
        if is_slanted && directions.iter().all(|other| other.dot(normal) < cos) {
            directions.push(normal);
        }
    }
    directions.len() >= ROCKY
}

/// Whether the floor below a line is in one plane.
fn is_even(walker: &Walker<'_>, from: DVec3, translation: DVec3) -> bool {
    let radius = walker.rules.radii.x.min(walker.rules.radii.z);
    let below = |share: f64| {
        let at = from + translation * share;
        let met = walker.level.below(at)?;
        Some((at.y + met.hit.fraction * (walker.level.abyss() - at.y), met.hit.normal))
    };
    let points: Option<Vec<(f64, DVec3)>> = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().map(below).collect();
    let Some(points) = points else { return false };
    let (Some((first, normal)), Some((last, _))) = (points.first(), points.last()) else { return false };
    let alike = ops::cos(f64::to_radians(TURNED));
    normal.y >= walker.least_upright
        && points.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).all(|((height, other), share)| {
            let straight = first + (last - first) * share;
            (height - straight).abs() <= ROUGH * radius && normal.dot(*other) >= alike
        })
}
