//! Floor that was never reached, and the parts of it that were built to be walked on.
//!
//! Most floor out of reach is not meant for players: tops of walls, crates, columns and roofs, hills, the
//! outside of a sealed level. Instead of recognizing all of these, the explorer looks for eleven signs that
//! floor was meant to be reached. Floor without a sign is folded, and so are floor of surfaces that are never
//! drawn, such as caulk, and floor behind a teleporter:
//!
//! - *stairs*: three or more rises of nearly the same height, each low enough for a person, lead to it from
//!   reached floor, with treads [deep enough to stand on](stairs) or
//!   [shallower](crate::findings::flight);
//! - *a course*: [platforms](courses) that are alike and a jump above each other lead to it, and the lower
//!   ones were reached;
//! - *a room*: a ceiling above, walls all around (with or without windows), seen from their fronts, one of
//!   them thin, with reached floor right behind it;
//! - *a yard*: walls all around that are higher than eyes, one of them thin, with reached floor right behind
//!   it;
//! - *a storey*: a level floor with a level ceiling and walls all around, right above or below reached floor,
//!   with a thin slab between;
//! - *a slope*: it has [stairs or a ramp of its own](slopes), which end in the air or join level parts of it;
//! - *a door*: a ceiling above, walls all around, and a door out of which a body falls on reached floor;
//! - *a platform*: a level slab with reached floor below, open at its sides or walled above, but no roof on
//!   posts;
//! - *a deck*: a level one with a railing, which has an opening towards reached floor;
//! - *a gallery*: a level one under a ceiling, with a railing from which a body looks down on reached floor;
//! - *a gap*: it is at the height of reached floor, in sight, a few meters away.
//!
//! The largest floors are listed without a sign if they are more than twice as large as all reached floor:
//! the spawns are outside the level, or cut off from the rest. The exceptions are a level whose reached floor
//! is under ceilings, whose roofs and hull are its outside, and floor all around what is reached: the country
//! beyond the fence.

mod containers;
mod courses;
mod decks;
mod galleries;
mod gaps;
mod judge;
mod outside;
mod platforms;
mod rooms;
mod slopes;
mod stairs;

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use rayon::prelude::*;

use crate::findings::evidence::{Evidence, neighbors};
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::flight::{self, CLIMB};
use crate::findings::unreached::judge::{Judge, few};
use crate::findings::witness::Witness;
use crate::floor::{Part, stand};

/// A platform, and floor beyond a gap, have at least this much floor, in m².
const PLATFORM: f64 = 4.0;

/// This many rooms that differ by no more than a cell in length, width and height are copies of one.
const COPIES: usize = 4;

/// A sign that floor was meant to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Stairs,
    Course,
    Slope,
    Room,
    Door,
    Yard,
    Storey,
    Platform,
    Deck,
    Gallery,
    Gap,
    Most,
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Self::Stairs => "stairs lead there",
            Self::Course => "platforms like those that were reached lead there",
            Self::Slope => "it has stairs or a ramp of its own",
            Self::Door => "a room with a door above reached floor",
            Self::Room => "a room behind a thin wall",
            Self::Yard => "a yard behind a thin wall",
            Self::Storey => "a closed storey above or below reached floor",
            Self::Platform => "a platform over reached floor",
            Self::Deck => "a deck whose railing has an opening towards reached floor",
            Self::Gallery => "a gallery whose railing is above reached floor",
            Self::Gap => "as high as reached floor across a gap",
            Self::Most => "more than twice as large as all reached floor",
        }
    }
}

/// Unreached floor; folded, with the reason, where nothing says that it was built to be walked on.
pub(crate) fn unreached(evidence: &Evidence<'_>) -> Vec<Finding> {
    let floor = evidence.floor;
    let parts = floor.parts(evidence.stop, |at| !floor.samples.is_reached(at));
    let parts: Vec<Vec<u32>> = parts.iter().map(Part::to_vec).collect();
    let mut part_of = BTreeMap::new();
    for (number, part) in (0..).zip(&parts) {
        part_of.extend(part.iter().map(|at| (*at, number)));
    }
    let reached = (0..floor.samples.len() as u32).filter(|at| floor.samples.is_reached(*at));
    let judge = Judge { evidence, floor, parts, part_of, reached: reached.collect() };
    if evidence.stop.is_set() {
        return Vec::new();
    }
    // In a level that has no textures yet, that says nothing.
    let has_textures = !judge.is_never_drawn(&judge.reached);
    let is_left_out = |part: u32| {
        let part = &judge.parts[part as usize];
        has_textures && judge.is_never_drawn(part) || judge.is_behind_a_teleporter(part)
    };
    let mut stairs = judge.stairs();
    for group in &mut stairs {
        group.retain(|part| !is_left_out(*part));
    }
    let mut led_to: BTreeSet<u32> = stairs.iter().flatten().copied().collect();
    let mut courses = judge.courses();
    for course in &mut courses {
        course.retain(|part| !is_left_out(*part) && led_to.insert(*part));
    }
    let is_large =
        |number: &u32| floor.area(judge.parts[*number as usize].len()) >= evidence.walker.rules.min_area;
    let rest: Vec<u32> =
        (0..judge.parts.len() as u32).filter(|number| !led_to.contains(number)).filter(is_large).collect();
    let size = |number: &u32| judge.parts[*number as usize].len();
    let largest = rest.iter().map(size).max().unwrap_or(0);
    let is_most = |part: &[u32]| {
        // Of a level that is inside out, this is the outside.
        !floor.is_elsewhere
            && part.len() > 2 * judge.reached.len()
            && 2 * part.len() >= largest
            && !judge.is_outside(part)
            && !judge.is_all_around(part)
    };
    let signs: Vec<(u32, Option<Sign>)> = rest
        .into_par_iter()
        .filter(|_| !evidence.stop.is_set())
        .map(|number| {
            let part = judge.parts[number as usize].as_slice();
            let sign = || judge.sign(part).or_else(|| is_most(part).then_some(Sign::Most));
            (number, if is_left_out(number) { None } else { sign() })
        })
        .collect();
    if evidence.stop.is_set() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for group in &stairs {
        found.extend(judge.finding(group, Some(Sign::Stairs)));
    }
    for group in &courses {
        found.extend(judge.finding(group, Some(Sign::Course)));
    }
    let all = [
        Sign::Stairs,
        Sign::Slope,
        Sign::Room,
        Sign::Door,
        Sign::Yard,
        Sign::Storey,
        Sign::Platform,
        Sign::Deck,
        Sign::Gallery,
        Sign::Gap,
        Sign::Most,
    ];
    for sign in all {
        let like: Vec<u32> =
            signs.iter().filter(|(_, other)| *other == Some(sign)).map(|(number, _)| *number).collect();
        let mut groups = judge.together(&like);
        if sign == Sign::Room {
            groups = judge.alike(groups);
        }
        for group in groups {
            found.extend(judge.finding(&group, Some(sign)));
        }
    }
    for (number, _) in signs.iter().filter(|(_, sign)| sign.is_none()) {
        found.extend(judge.finding(&[*number], None));
    }
    found
}

impl Judge<'_, '_> {
    fn sign(&self, part: &[u32]) -> Option<Sign> {
        let few = few(part);
        if self.is_container(&few) {
            return None;
        }
        if self.is_room(part, &few) {
            return Some(Sign::Room);
        }
        let is_cluttered = self.is_cluttered(part);
        if !is_cluttered && self.is_storey(part, &few) {
            return Some(Sign::Storey);
        }
        if flight::leads_down(self.evidence, part) {
            return Some(Sign::Stairs);
        }
        if !is_cluttered && self.is_gallery(part, &few) {
            return Some(Sign::Gallery);
        }
        if self.floor.area(part.len()) < PLATFORM {
            return None;
        }
        if self.has_stairs(part) {
            return Some(Sign::Slope);
        }
        if !is_cluttered && self.has_a_door(part, &few) {
            return Some(Sign::Door);
        }
        if !is_cluttered && self.is_platform(part, &few) {
            return Some(Sign::Platform);
        }
        if self.is_railed_deck(part) {
            return Some(Sign::Deck);
        }
        if self.is_beyond_a_gap(part) {
            return Some(Sign::Gap);
        }
        self.is_yard(part, &few).then_some(Sign::Yard)
    }

    /// Parts near each other, together.
    fn together(&self, parts: &[u32]) -> Vec<Vec<u32>> {
        let points: Vec<DVec3> = parts
            .iter()
            .flat_map(|part| self.parts[*part as usize].iter())
            .map(|at| self.floor.point(&self.floor.samples.get(*at)))
            .collect();
        let owner: Vec<u32> =
            parts.iter().flat_map(|part| self.parts[*part as usize].iter().map(move |_| *part)).collect();
        let groups = neighbors(&points, self.floor.cell(), 3, CLIMB);
        groups
            .into_iter()
            .map(|group| {
                let mut members: Vec<u32> = group.into_iter().map(|i| owner[i]).collect();
                members.dedup();
                members.sort_unstable();
                members.dedup();
                members
            })
            .collect()
    }

    /// Groups with those that are alike in one: as wide, as long, and as high under the ceiling. So many
    /// copies are one thing that the designer placed many times.
    fn alike(&self, groups: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let mut kinds: Vec<([f64; 3], Vec<Vec<u32>>)> = Vec::new();
        for group in groups {
            let samples = || group.iter().flat_map(|part| self.parts[*part as usize].iter());
            let high = samples().next().and_then(|at| self.room_above(*at)).unwrap_or(0.0);
            let [wide, long] = self.floor.size(samples());
            let size = [wide.min(long), wide.max(long), high];
            let like = |other: &[f64; 3]| (0..3).all(|i| (other[i] - size[i]).abs() <= self.floor.cell());
            match kinds.iter_mut().find(|(other, _)| like(other)) {
                Some((_, kind)) => kind.push(group),
                None => kinds.push((size, vec![group])),
            }
        }
        let one = |(_, kind): ([f64; 3], Vec<Vec<u32>>)| {
            if kind.len() < COPIES { kind } else { vec![kind.concat()] }
        };
        kinds.into_iter().flat_map(one).collect()
    }

    /// One finding of these parts; its position is on the first.
    fn finding(&self, parts: &[u32], sign: Option<Sign>) -> Option<Finding> {
        let (floor, walker) = (self.floor, self.evidence.walker);
        let point = |at: &u32| floor.point(&floor.samples.get(*at));
        let first = &self.parts[*parts.first()? as usize];
        let middle = first.iter().map(point).fold(DVec3::ZERO, |sum, p| sum + p) / first.len() as f64;
        let away = |p: &DVec3| (*p - middle).length_squared();
        let position = first.iter().map(point).min_by(|a, b| away(a).total_cmp(&away(b)))?;
        let grown = walker.rules.grown().ok()?;
        let start = stand(walker.level, walker.rules, &grown, position)?;
        let samples = || parts.iter().flat_map(|part| self.parts[*part as usize].iter());
        let extent = Extent::of(samples().map(point), walker.rules.cell());
        let witness = Witness::at(walker, start, 60);
        let mut finding = Finding::new(Code::Unreached, position, extent, witness);
        finding.area = Some(floor.area(samples().count()));
        finding.cause = sign.map(Sign::text);
        if sign.is_none() {
            finding.folded =
                Some("no stairs, room, platform or gap suggests that a player should get there".to_owned());
        }
        Some(finding)
    }
}
