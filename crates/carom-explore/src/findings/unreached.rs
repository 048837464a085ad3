//! Floor that was never reached, and the parts of it that were built to be walked on.
//!
//! Most floor out of reach is not meant for players: tops of walls, crates, columns and roofs, hills, the
//! outside of a sealed level. Instead of recognizing all of these, the explorer looks for five signs that
//! floor was meant to be reached. Floor without a sign is folded:
//!
//! - *stairs*: three or more rises of nearly the same height, each low enough for a person, lead to it from
//!   reached floor, with treads [deep enough to stand on](Judge::stairs) or
//!   [shallower](crate::findings::flight);
//! - *a room*: a ceiling above, walls all around (with or without windows), seen from their fronts, one of
//!   them thin, with reached floor right behind it;
//! - *a storey*: a level floor with a level ceiling and walls all around, right above or below reached floor,
//!   with a thin slab between;
//! - *a platform*: a level slab with reached floor below, open at its sides or walled above, but no roof on
//!   posts;
//! - *a gap*: it is at the height of reached floor, in sight, a few meters away.
//!
//! The largest floors are listed without a sign if they are more than twice as large as all reached floor:
//! the spawns are outside the level, or cut off from the rest. The exceptions are a level whose reached floor
//! is under ceilings, whose roofs and hull are its outside, and floor all around what is reached: the country
//! beyond the fence.

use std::collections::{BTreeMap, BTreeSet};

use carom::shape::{Cuboid, Mover};
use glam::DVec3;
use rayon::prelude::*;

use crate::findings::evidence::Evidence;
use crate::findings::finding::{Code, Extent, Finding};
use crate::findings::flight::{self, ALIKE, CLIMB, RISES};
use crate::findings::witness::Witness;
use crate::floor::{Floor, stand};

/// A tread is no larger than this, in m².
const TREAD: f64 = 20.0;
/// A wall with a room behind it that is as thin as this, in meters, was built to part two rooms.
const THIN: f64 = 0.65;
/// A slab is no thicker than this, in meters.
const SLAB: f64 = 0.6;
/// A room has ceiling above this share of it, and of all looks around this share ends at a wall: a door that
/// is too low or too narrow lets a few out.
const CEILED: f64 = 0.98;
const WALLED: f64 = 0.85;
/// A storey has at least this much floor, in m², and is at least as high as this share of the one beside it.
const ROOMY: f64 = 20.0;
const LIKE: f64 = 0.75;
/// A platform is no higher above the floor below it than this, in meters.
const STOREY: f64 = 5.0;
/// Railings and walls are met so far above and below the middle of a body, as a share of its half height.
const RAILING: f64 = 0.6;
/// A roof has posts below at least this many of its quarters.
const POSTS: usize = 3;
/// A platform, and floor beyond a gap, have at least this much floor, in m².
const PLATFORM: f64 = 4.0;
/// A gap is no wider than this, in meters, or if it is over nothing, than so many times a leap.
const GAP: f64 = 4.0;
const LEAPS: f64 = 1.5;
/// Along a gap over floor, and along one over nothing, at least this much faces, in meters.
const FACING: f64 = 3.0;
const FACING_OVER_NOTHING: f64 = 2.0;
/// At most this many samples of a piece are tested.
const LOOKED_AT: usize = 48;

/// A sign that floor was meant to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Stairs,
    Room,
    Storey,
    Platform,
    Gap,
    Most,
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Self::Stairs => "stairs lead there",
            Self::Room => "a room behind a thin wall",
            Self::Storey => "a closed storey above or below reached floor",
            Self::Platform => "a platform over reached floor",
            Self::Gap => "as high as reached floor across a gap",
            Self::Most => "more than twice as large as all reached floor",
        }
    }
}

struct Judge<'a, 'b> {
    evidence: &'a Evidence<'b>,
    floor: &'a Floor,
    /// All unreached parts, of any size.
    parts: Vec<Vec<u32>>,
    /// The part of a sample.
    part_of: BTreeMap<u32, u32>,
}

/// Unreached floor; folded, with the reason, where nothing says that it was built to be walked on.
pub(crate) fn unreached(evidence: &Evidence<'_>) -> Vec<Finding> {
    let floor = evidence.floor;
    let parts = floor.parts(evidence.stop, |sample| !sample.is_reached);
    let mut part_of = BTreeMap::new();
    for (number, part) in (0..).zip(&parts) {
        part_of.extend(part.iter().map(|at| (*at, number)));
    }
    let judge = Judge { evidence, floor, parts, part_of };
    if evidence.stop.is_set() {
        return Vec::new();
    }
    let stairs = judge.stairs();
    let on_stairs: BTreeSet<u32> = stairs.iter().flatten().copied().collect();
    let is_large =
        |number: &u32| floor.area(judge.parts[*number as usize].len()) >= evidence.walker.rules.min_area;
    let rest: Vec<u32> =
        (0..judge.parts.len() as u32).filter(|number| !on_stairs.contains(number)).filter(is_large).collect();
    let reached: Vec<u32> =
        (0..floor.samples.len() as u32).filter(|at| floor.samples[*at as usize].is_reached).collect();
    let size = |number: &u32| judge.parts[*number as usize].len();
    let largest = rest.iter().map(size).max().unwrap_or(0);
    let is_most = |part: &[u32]| {
        // Of a level that is inside out, this is the outside.
        !floor.is_elsewhere
            && part.len() > 2 * reached.len()
            && 2 * part.len() >= largest
            && !judge.is_outside(part, &reached)
            && !judge.is_all_around(part, &reached)
    };
    let signs: Vec<(u32, Option<Sign>)> = rest
        .into_par_iter()
        .filter(|_| !evidence.stop.is_set())
        .map(|number| {
            let part = judge.parts[number as usize].as_slice();
            (number, judge.sign(part).or_else(|| is_most(part).then_some(Sign::Most)))
        })
        .collect();
    if evidence.stop.is_set() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for group in &stairs {
        found.extend(judge.finding(group, Some(Sign::Stairs)));
    }
    for sign in [Sign::Stairs, Sign::Room, Sign::Storey, Sign::Platform, Sign::Gap, Sign::Most] {
        let like: Vec<u32> =
            signs.iter().filter(|(_, other)| *other == Some(sign)).map(|(number, _)| *number).collect();
        for group in judge.together(&like) {
            found.extend(judge.finding(&group, Some(sign)));
        }
    }
    for (number, _) in signs.iter().filter(|(_, sign)| sign.is_none()) {
        found.extend(judge.finding(&[*number], None));
    }
    found
}

impl Judge<'_, '_> {
    /// Parts that stairs lead to from reached floor, with the stairs; the lowest tread first.
    fn stairs(&self) -> Vec<Vec<u32>> {
        let rises = self.rises();
        // From reached floor up: for each part the rises that lead to it, as long as they are alike.
        let mut up: BTreeMap<u32, Vec<(u32, f64)>> = BTreeMap::new();
        for ((from, to), rise) in &rises {
            if let Some(from) = from {
                up.entry(*from).or_default().push((*to, *rise));
            }
        }
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut taken = BTreeSet::new();
        for ((from, to), first) in &rises {
            if from.is_some() || taken.contains(to) || !self.is_tread(*to) {
                continue;
            }
            // Straight up, each tread by the first rise that is like the first one.
            let mut flight = vec![*to];
            while let Some(last) = flight.last() {
                let alike = |rise: f64| (rise - first).abs() <= ALIKE * first;
                let next = up
                    .get(last)
                    .into_iter()
                    .flatten()
                    .find(|(next, rise)| alike(*rise) && !flight.contains(next));
                let Some((next, _)) = next else { break };
                flight.push(*next);
                if !self.is_tread(*next) {
                    break;
                }
            }
            if flight.len() < RISES {
                continue;
            }
            // The floor that the stair leads to, and everything that continues from there.
            let mut group = flight;
            let mut next = 1;
            while let Some(at) = group.get(next).copied() {
                next += 1;
                for (to, _) in up.get(&at).into_iter().flatten() {
                    if !group.contains(to) {
                        group.push(*to);
                    }
                }
            }
            group.retain(|part| taken.insert(*part));
            if group.len() >= RISES {
                groups.push(group);
            }
        }
        groups
    }

    fn is_tread(&self, part: u32) -> bool {
        self.floor.area(self.parts[part as usize].len()) <= TREAD
    }

    /// The least rises that lead up to parts: from reached floor (none), or from another part.
    fn rises(&self) -> BTreeMap<(Option<u32>, u32), f64> {
        let mut rises: BTreeMap<(Option<u32>, u32), f64> = BTreeMap::new();
        for (number, part) in (0..).zip(&self.parts) {
            for at in part {
                self.floor.near(*at, 2, |other| {
                    let rise = self.height(*at) - self.height(other);
                    let from = self.part_of.get(&other).copied();
                    if rise > 0.0 && rise <= CLIMB && from != Some(number) {
                        let least = rises.entry((from, number)).or_insert(rise);
                        *least = least.min(rise);
                    }
                });
            }
        }
        let step = self.evidence.walker.rules.settings.step_height;
        rises.retain(|_, rise| *rise > step);
        rises
    }

    fn height(&self, at: u32) -> f64 {
        self.floor.samples[at as usize].height
    }

    /// Whether it is under the open sky and what is reached is under ceilings, with more than a thin wall
    /// between the two.
    fn is_outside(&self, part: &[u32], reached: &[u32]) -> bool {
        let sees_sky = |at: &u32| self.ray(self.above(*at, 0.5), DVec3::Y * self.far()).is_none();
        let is_open = |samples: &[u32]| {
            let few = few(samples);
            2 * few.iter().filter(|at| sees_sky(at)).count() > few.len()
        };
        is_open(part) && !reached.is_empty() && !is_open(reached) && !self.is_behind_a_thin_wall(part, true)
    }

    /// Whether it lies around all that is reached, farther out on each side: the country beyond a fence.
    fn is_all_around(&self, part: &[u32], reached: &[u32]) -> bool {
        let extent = |samples: &[u32]| {
            let columns = samples.iter().map(|at| self.floor.samples[*at as usize].column);
            columns.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], [x, z]| {
                [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
            })
        };
        let ([low, high], [least, most]) = (extent(part), extent(reached));
        !reached.is_empty() && (0..2).all(|axis| low[axis] < least[axis] && high[axis] > most[axis])
    }

    fn sign(&self, part: &[u32]) -> Option<Sign> {
        let few = few(part);
        if self.is_room(part, &few) {
            return Some(Sign::Room);
        }
        if self.is_storey(part, &few) {
            return Some(Sign::Storey);
        }
        if flight::leads_down(self.evidence, part) {
            return Some(Sign::Stairs);
        }
        if self.floor.area(part.len()) < PLATFORM {
            return None;
        }
        if self.is_platform(part, &few) {
            return Some(Sign::Platform);
        }
        self.is_beyond_a_gap(part).then_some(Sign::Gap)
    }

    /// Where a ray first hits: how far, and whether the front of a triangle. Sky is nothing.
    fn ray(&self, from: DVec3, way: DVec3) -> Option<(f64, bool)> {
        let level = self.evidence.walker.level;
        let met = level.ray(from, way).filter(|met| !level.is_sky(met.surface_id))?;
        Some((met.hit.fraction * carom::num::ops::sqrt(way.length_squared()), met.is_front(way)))
    }

    /// Above the floor by so much of the body's height.
    fn above(&self, at: u32, share: f64) -> DVec3 {
        let half = self.evidence.walker.rules.radii.y;
        self.floor.point(&self.floor.samples[at as usize]) + DVec3::Y * (2.0 * half * share)
    }

    fn far(&self) -> f64 {
        let (low, high) = self.evidence.walker.level.bounds();
        (high - low).max_element() + 1.0
    }

    /// Just above what a body steps over: lower than the sills of windows.
    fn above_step(&self, at: u32) -> DVec3 {
        let rules = self.evidence.walker.rules;
        let height = (1.25 * rules.settings.step_height).max(0.25 * rules.radii.y);
        self.floor.point(&self.floor.samples[at as usize]) + DVec3::Y * height
    }

    /// Ceiling above, walls all around, seen from their fronts, one of them thin, with reached floor behind
    /// it.
    fn is_room(&self, part: &[u32], few: &[u32]) -> bool {
        self.is_walled_in(few) && !self.leaks(part) && self.is_behind_a_thin_wall(part, false)
    }

    /// Ceiling above and walls all around, seen from their fronts.
    fn is_walled_in(&self, few: &[u32]) -> bool {
        // At the height of a chest, past furniture; or lower, past windows.
        self.is_closed(few.iter().map(|at| self.above(*at, 0.6)))
            || self.is_closed(few.iter().map(|at| self.above_step(*at)))
    }

    /// A floor and a ceiling that are level, walls all around, and reached floor right above or below, with a
    /// thin slab between and a ceiling that is hardly higher. So attics, the insides of stages and what lies
    /// between a ceiling and a roof are none.
    fn is_storey(&self, part: &[u32], few: &[u32]) -> bool {
        if self.floor.area(part.len()) < ROOMY || !self.is_level(part) {
            return false;
        }
        let is_reached = |at: &u32| self.floor.samples[*at as usize].is_reached;
        let (mut ceilings, mut beside) = (Vec::new(), 0);
        for at in few {
            let Some(ceiling) = self.ceiling(*at) else { continue };
            ceilings.push(ceiling);
            let high = ceiling - self.height(*at);
            let is_like = |other: u32, slab: f64| {
                let other_high = self.ceiling(other).map_or(f64::INFINITY, |top| top - self.height(other));
                (0.0..=SLAB).contains(&slab) && high >= LIKE * other_high
            };
            let above = self.floor.over(*at).filter(is_reached);
            let below = self.floor.below(*at).filter(is_reached);
            beside += usize::from(
                above.is_some_and(|other| is_like(other, self.height(other) - ceiling))
                    || below.is_some_and(|other| {
                        self.ceiling(other).is_some_and(|top| is_like(other, self.height(*at) - top))
                    }),
            );
        }
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = ceilings.iter().fold(none, |(low, high), y| (low.min(*y), high.max(*y)));
        let is_level = high - low <= self.evidence.walker.rules.settings.step_height;
        is_level && 10 * beside >= 7 * few.len() && self.is_walled_in(few) && !self.leaks(part)
    }

    /// The height of the ceiling above a sample.
    fn ceiling(&self, at: u32) -> Option<f64> {
        let from = self.above(at, 0.5);
        let (far, is_front) = self.ray(from, DVec3::Y * self.far())?;
        is_front.then_some(from.y + far)
    }

    /// Whether ceiling is above these points and walls are around them, most of them seen from their fronts.
    fn is_closed(&self, points: impl Iterator<Item = DVec3>) -> bool {
        let far = self.far();
        let (mut rays, mut ceilings, mut walls, mut fronts) = (0u32, 0u32, 0u32, 0u32);
        for from in points {
            rays += 1;
            for way in around().chain([DVec3::Y]) {
                if let Some((_, is_front)) = self.ray(from, way * far) {
                    *(if way == DVec3::Y { &mut ceilings } else { &mut walls }) += 1;
                    fronts += u32::from(is_front);
                }
            }
        }
        let [rays, ceilings, walls, fronts] = [rays, ceilings, walls, fronts].map(f64::from);
        ceilings >= CEILED * rays && walls >= WALLED * 8.0 * rays && fronts >= 0.7 * (ceilings + walls)
    }

    /// Whether reached floor is right behind a wall as wide as a door; if asked, one that was modeled on this
    /// side, too: a hull has only an inner side.
    fn is_behind_a_thin_wall(&self, part: &[u32], is_two_sided: bool) -> bool {
        let (cell, rules) = (self.floor.cell(), self.evidence.walker.rules);
        let reach = ((THIN + 2.0 * rules.radii.x) / cell).ceil() as i32 + 1;
        let mut walls = 0;
        for at in part.iter().filter(|at| self.floor.sides(**at) < 4) {
            let from = self.above(*at, 0.5);
            // A swimming body is not stopped by something that no ray hits; a walking one may be, by a bar.
            let swims = self.evidence.walker.level.volumes.is_water(from);
            let is_thin = axes().into_iter().any(|[x, z]| {
                (1..=reach).any(|k| {
                    let beyond = self.floor.at(*at, [x * k, z * k], rules.settings.step_height);
                    if !beyond.is_some_and(|other| self.floor.samples[other as usize].is_reached) {
                        return false;
                    }
                    let far = cell * f64::from(k);
                    let way = DVec3::new(f64::from(x), 0.0, f64::from(z)) * far;
                    // A wall may have a front on one side alone.
                    let sides = [self.ray(from, way), self.ray(from + way, -way)];
                    if is_two_sided && sides[0].is_none_or(|(_, is_front)| !is_front) {
                        return false;
                    }
                    let [there, back] = sides.map(|side| side.map_or(far, |(at, _)| at));
                    far - there - back <= THIN && !(swims && sides.iter().all(Option::is_none))
                })
            });
            walls += u32::from(is_thin);
        }
        // As wide as a door.
        f64::from(walls) * cell >= 2.0 * rules.radii.x
    }

    /// Whether it is as high everywhere, but for a step.
    fn is_level(&self, part: &[u32]) -> bool {
        let heights = part.iter().map(|at| self.height(*at));
        let (low, high) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        high - low <= self.evidence.walker.rules.settings.step_height
    }

    /// Whether a body that is put there can walk out over nothing.
    fn leaks(&self, part: &[u32]) -> bool {
        let reach = 2.0 * self.floor.cell();
        part.iter().filter(|at| self.floor.sides(**at) < 4).any(|at| {
            let from = self.above_step(*at);
            axes().into_iter().any(|[x, z]| {
                let way = DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach;
                self.ray(from, way).is_none() && self.evidence.walker.level.is_over_nothing(from + way)
            })
        })
    }

    /// A level slab with room and reached floor below; open at its sides below, or walled above.
    fn is_platform(&self, part: &[u32], few: &[u32]) -> bool {
        if !self.is_level(part) {
            return false;
        }
        let columns: BTreeSet<[i32; 2]> =
            part.iter().map(|at| self.floor.samples[*at as usize].column).collect();
        let (mut slabs, mut open, mut sides, mut lowest) = (0, 0, 0, f64::INFINITY);
        for at in few {
            let Some(below) = self.floor.below(*at) else { continue };
            let drop = self.height(*at) - self.height(below);
            if drop > STOREY || !self.floor.samples[below as usize].is_reached {
                continue;
            }
            // The under side, from the floor below.
            let foot = self.above(below, 0.5);
            let Some((up, _)) = self.ray(foot, DVec3::Y * drop) else { continue };
            let thick = self.height(*at) - (foot.y + up);
            if thick > SLAB {
                continue;
            }
            slabs += 1;
            lowest = lowest.min(drop);
            // From below, out to where nothing is above.
            for [x, z] in axes() {
                let [i, j] = self.floor.samples[*at as usize].column;
                let cells =
                    (1..10_000).find(|k| !columns.contains(&[i + x * k, j + z * k])).unwrap_or(10_000);
                let way =
                    DVec3::new(f64::from(x), 0.0, f64::from(z)) * (self.floor.cell() * f64::from(cells));
                sides += 1;
                open += usize::from(self.ray(foot, way).is_none());
            }
        }
        if 10 * slabs < 7 * few.len() {
            return false;
        }
        let rim: Vec<u32> = part.iter().filter(|at| self.floor.sides(**at) < 4).copied().collect();
        let reach = 2.0 * self.floor.cell();
        let is_walled = |at: &u32| {
            let from = self.above(*at, 0.75);
            axes()
                .into_iter()
                .any(|[x, z]| self.ray(from, DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach).is_some())
        };
        let walled = rim.iter().filter(|at| is_walled(at)).count();
        let is_open = 2 * open >= sides && !(10 * open >= 6 * sides && self.is_roof_on_posts(&rim, lowest));
        is_open || 2 * walled >= rim.len()
    }

    /// Whether a slab that is open below has nothing above it, no wall and no railing along its rim, and
    /// posts below at least three of its quarters at half of this drop: a canopy, a carport, a stall's roof.
    fn is_roof_on_posts(&self, rim: &[u32], drop: f64) -> bool {
        let (level, rules) = (self.evidence.walker.level, self.evidence.walker.rules);
        let cell = self.floor.cell();
        let around = |side: f64, half: f64| Cuboid::new(DVec3::new(side, half, side)).map(Mover::from);
        let (Ok(railing), Ok(post)) = (around(2.0 * cell, RAILING * rules.radii.y), around(0.9 * cell, 0.05))
        else {
            return false;
        };
        let is_free =
            |mover: &Mover, at: DVec3| level.ground().has_room(mover, at, rules.settings.collides_with);
        let is_bare = |at: &u32| {
            let middle = self.above(*at, 0.5);
            self.ray(middle, DVec3::Y * self.far()).is_none() && is_free(&railing, middle)
        };
        // Right beside a post there is no room for the body, so no sample of the floor below.
        let meets_post = |at: &&u32| {
            let middle = self.floor.point(&self.floor.samples[**at as usize]) - DVec3::Y * (0.5 * drop);
            !is_free(&post, middle)
        };
        if !rim.iter().all(is_bare) {
            return false;
        }
        let columns = rim.iter().map(|at| self.floor.samples[*at as usize].column);
        let [low, high] = columns.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], [x, z]| {
            [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
        });
        let quarter = |at: &u32| {
            let [x, z] = self.floor.samples[*at as usize].column;
            [2 * x > low[0] + high[0], 2 * z > low[1] + high[1]]
        };
        rim.iter().filter(meets_post).map(quarter).collect::<BTreeSet<_>>().len() >= POSTS
    }

    /// Level with reached floor, in sight, with nothing but a gap between.
    fn is_beyond_a_gap(&self, part: &[u32]) -> bool {
        if !self.is_level(part) {
            return false;
        }
        let (cell, rules) = (self.floor.cell(), self.evidence.walker.rules);
        // Over a floor, what is so far away may be the roof of another house.
        let over_floor = (GAP / cell).ceil() as i32;
        let reach = (GAP.max(LEAPS * rules.leap()) / cell).ceil() as i32;
        let (mut facing, mut over_nothing) = (0, 0);
        for at in part.iter().filter(|at| self.floor.sides(**at) < 4) {
            let from = self.above(*at, 0.5);
            // Of each gap, whether it is over nothing.
            let gaps = axes().into_iter().filter_map(|[x, z]| {
                let reached = (1..=reach).find(|k| {
                    self.floor
                        .at(*at, [x * k, z * k], rules.settings.step_height)
                        .is_some_and(|other| self.floor.samples[other as usize].is_reached)
                });
                reached.and_then(|k| {
                    let way = DVec3::new(f64::from(x), 0.0, f64::from(z)) * cell * f64::from(k);
                    let between = || (1..k).map(|i| from + way * (f64::from(i) / f64::from(k)));
                    // Both ways: a solid is seen through from within.
                    let is_gap = k > 1
                        && self.ray(from, way).is_none()
                        && self.ray(from + way, -way).is_none()
                        && between().any(|point| self.is_over_a_gap(*at, point));
                    let is_over_nothing = |point| self.evidence.walker.level.is_over_nothing(point);
                    is_gap
                        .then(|| between().any(is_over_nothing))
                        .filter(|nothing| *nothing || k <= over_floor)
                })
            });
            let gaps: Vec<bool> = gaps.collect();
            facing += u32::from(!gaps.is_empty());
            over_nothing += u32::from(gaps.contains(&true));
        }
        f64::from(facing) * cell >= FACING || f64::from(over_nothing) * cell >= FACING_OVER_NOTHING
    }

    /// Whether a point beside a sample is over something lower than a step below that, or over nothing: where
    /// the ground continues as high, there is no gap, and something else keeps bodies out.
    fn is_over_a_gap(&self, at: u32, point: DVec3) -> bool {
        let depth = point.y - self.height(at) + self.evidence.walker.rules.settings.step_height;
        self.ray(point, DVec3::NEG_Y * depth).is_none()
    }

    /// Parts near each other, together.
    fn together(&self, parts: &[u32]) -> Vec<Vec<u32>> {
        let points: Vec<DVec3> = parts
            .iter()
            .flat_map(|part| self.parts[*part as usize].iter())
            .map(|at| self.floor.point(&self.floor.samples[*at as usize]))
            .collect();
        let owner: Vec<u32> =
            parts.iter().flat_map(|part| self.parts[*part as usize].iter().map(move |_| *part)).collect();
        let groups = crate::findings::evidence::neighbors(&points, self.floor.cell(), 3, CLIMB);
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

    /// One finding of these parts; its position is on the first.
    fn finding(&self, parts: &[u32], sign: Option<Sign>) -> Option<Finding> {
        let (floor, walker) = (self.floor, self.evidence.walker);
        let point = |at: &u32| floor.point(&floor.samples[*at as usize]);
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

/// Some samples of a piece, evenly chosen.
fn few(part: &[u32]) -> Vec<u32> {
    part.iter().step_by(part.len().div_ceil(LOOKED_AT).max(1)).copied().collect()
}

fn axes() -> [[i32; 2]; 4] {
    [[1, 0], [-1, 0], [0, 1], [0, -1]]
}

/// Eight level directions, of length 1 or √2.
fn around() -> impl Iterator<Item = DVec3> {
    let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    ways.into_iter().map(|(x, z)| DVec3::new(f64::from(x), 0.0, f64::from(z)))
}
