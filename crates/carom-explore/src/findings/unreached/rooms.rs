//! Rooms and storeys: floor with walls around it, and reached floor beside, above or below.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::findings::barrier::EYE;
use crate::findings::unreached::judge::{Judge, SLAB, axes};
use crate::flood::places::column;
use crate::level::TOGETHER;

/// A wall with a room behind it that is as thin as this, in meters, was built to part two rooms.
pub(super) const THIN: f64 = 0.65;
/// Yards are also parted by hedges, as thick as this.
const HEDGE: f64 = 1.0;
/// A room has ceiling above this share of it, and of all looks around this share ends at a wall: a door that
/// is too low or too narrow lets a few out.
const CEILED: f64 = 0.98;
const WALLED: f64 = 0.85;
/// A storey, and a room whose door is in the air, have walls along this share of the sides where they end.
const ENDS: f64 = 0.7;
/// At the height of eyes, at least this share of the looks out of a room ends at a wall beside it: counters
/// are no walls.
const OBSTRUCTED: f64 = 0.5;
/// Floor beyond something that parts it is no farther than this, in meters.
const ACROSS: f64 = 2.5;
/// A room has at least this much floor, in m²: in a smaller one a lift or a duct goes up.
const ROOM: f64 = 2.0;
/// A yard, and a room whose door is in the air, have at least this much floor, in m².
const SPACIOUS: f64 = 8.0;
/// A storey has at least this much floor, in m², and is at least as high as this share of the one beside it.
const ROOMY: f64 = 20.0;
const LIKE: f64 = 0.75;
/// Walls stand within this many cells of the floor that they end.
const BESIDE: i32 = 2;

impl Judge<'_, '_> {
    /// Ceiling above, walls all around, seen from their fronts, one of them thin, with reached floor behind
    /// it.
    pub(super) fn is_room(&self, part: &[u32], few: &[u32]) -> bool {
        self.floor.area(part.len()) >= ROOM
            && self.is_walled_in(few)
            && !self.leaks(part)
            && self.walls_beside(part, few, false) >= OBSTRUCTED * 8.0 * few.len() as f64
            && self.is_behind_a_wall(part, THIN, false)
    }

    /// Ceiling above and walls all around, seen from their fronts.
    fn is_walled_in(&self, few: &[u32]) -> bool {
        // At the height of a chest, past furniture; or lower, past windows.
        self.is_closed(few.iter().map(|at| self.above(*at, 0.6)))
            || self.is_closed(few.iter().map(|at| self.above_step(*at)))
    }

    /// Ceiling above and walls all around, from whichever side they show.
    pub(super) fn is_shut(&self, few: &[u32]) -> bool {
        let [rays, ceilings, walls, _] = self.looks_around(few.iter().map(|at| self.above(*at, 0.6)));
        ceilings >= CEILED * rays && walls >= WALLED * 8.0 * rays
    }

    /// A floor and a ceiling that are level, walls all around, and reached floor right above or below, with a
    /// thin slab between and a ceiling that is hardly higher. So attics, the insides of stages and what lies
    /// between a ceiling and a roof are none.
    pub(super) fn is_storey(&self, part: &[u32], few: &[u32]) -> bool {
        let Some(level) = self.level(part).filter(|_| self.floor.area(part.len()) >= ROOMY) else {
            return false;
        };
        let is_reached = |at: &u32| self.floor.samples.is_reached(*at);
        let (mut ceilings, mut beside) = (Vec::new(), 0);
        for at in &level {
            let Some(ceiling) = self.ceiling(*at) else { continue };
            ceilings.push(ceiling);
            let is_like = |other: u32, slab: f64| (0.0..=SLAB).contains(&slab) && self.is_as_high(*at, other);
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
        is_level
            && 2 * beside > level.len()
            && self.is_walled_in(few)
            && self.ends_at_walls(part)
            && !self.leaks(part)
    }

    /// Whether the first sample's ceiling is about as high above it as the second one's. A container or a
    /// house of sheets with two sides looks like a room, but a room lies beside rooms that are hardly higher.
    fn is_as_high(&self, at: u32, other: u32) -> bool {
        let [high, other_high] = [at, other].map(|at| self.room_above(at).unwrap_or(f64::INFINITY));
        high >= LIKE * other_high
    }

    /// A room whose door is in the air: a body that is put there could walk out and would land on reached
    /// floor at most a storey below, and has no other way.
    pub(super) fn has_a_door(&self, part: &[u32], few: &[u32]) -> bool {
        self.floor.area(part.len()) >= SPACIOUS
            && self.level(part).is_some()
            && self.is_walled_in(few)
            && self.ends_at_walls(part)
            && !self.leaks(part)
            && self.drops(part)
    }

    /// Whether walls stand where this floor ends, but for a door. So the top of something that stands in a
    /// hall is no room of it, although the hall has walls around. Beside furniture the floor does not end.
    fn ends_at_walls(&self, part: &[u32]) -> bool {
        let reach = f64::from(BESIDE) * self.floor.cell() + self.evidence.walker.rules.radii.x;
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.floor.samples.get(*at).column).collect();
        let continues = |(at, [x, z]): &(u32, [i32; 2])| {
            let [i, j] = self.floor.samples.get(*at).column;
            (2..=BESIDE + 1).any(|k| columns.contains(&[i + x * k, j + z * k]))
        };
        let is_wall = |(at, [x, z]): &&(u32, [i32; 2])| {
            let translation = DVec3::new(f64::from(*x), 0.0, f64::from(*z)) * reach;
            let looks = [self.above(*at, 0.6), self.above_step(*at)];
            looks.into_iter().any(|from| self.ray(from, translation).is_some())
        };
        let mut ends = self.ends(part);
        ends.retain(|end| !continues(end));
        ends.iter().filter(is_wall).count() as f64 >= ENDS * ends.len() as f64
    }

    /// Whether more unreached floor, as high, lies beyond more than a third of its sides in sight of a body's
    /// eyes: ducts and beams between a ceiling and a roof part it, no walls.
    pub(super) fn is_cluttered(&self, part: &[u32]) -> bool {
        let reach = (ACROSS / self.floor.cell()).ceil() as i32;
        let step = self.evidence.walker.rules.settings.step_height;
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.floor.samples.get(*at).column).collect();
        let ends = self.ends(part);
        let is_more = |(at, [x, z]): &&(u32, [i32; 2])| {
            let [i, j] = self.floor.samples.get(*at).column;
            (2..=reach).any(|k| {
                let other = self.floor.at(*at, [x * k, z * k], step);
                let translation =
                    DVec3::new(f64::from(*x), 0.0, f64::from(*z)) * (self.floor.cell() * f64::from(k));
                other.is_some_and(|other| !self.floor.samples.is_reached(other))
                    && !columns.contains(&[i + x * k, j + z * k])
                    && self.ray(self.above(*at, EYE), translation).is_none()
            })
        };
        let (sides, seen) = (ends.len(), ends.iter().filter(is_more).count());
        3 * seen > sides
    }

    /// How high the ceiling is above a sample.
    pub(super) fn room_above(&self, at: u32) -> Option<f64> {
        self.ceiling(at).map(|top| top - self.height(at))
    }

    /// The height of the ceiling above a sample.
    fn ceiling(&self, at: u32) -> Option<f64> {
        let from = self.above(at, 0.5);
        let (far, is_front) = self.ray(from, DVec3::Y * self.far())?;
        is_front.then_some(from.y + far)
    }

    /// Whether ceiling is above these points and walls are around them, most of them seen from their fronts.
    fn is_closed(&self, points: impl Iterator<Item = DVec3>) -> bool {
        let [rays, ceilings, walls, fronts] = self.looks_around(points);
        ceilings >= CEILED * rays && walls >= WALLED * 8.0 * rays && fronts >= 0.7 * (ceilings + walls)
    }

    /// From these points, of which the number comes first: how many rays upwards end, how many of the eight
    /// to the sides of each, and how many of all on a front.
    fn looks_around(&self, points: impl Iterator<Item = DVec3>) -> [f64; 4] {
        let far = self.far();
        let (mut rays, mut ceilings, mut walls, mut fronts) = (0u32, 0u32, 0u32, 0u32);
        for from in points {
            rays += 1;
            for direction in around().chain([DVec3::Y]) {
                if let Some((_, is_front)) = self.ray(from, direction * far) {
                    *(if direction == DVec3::Y { &mut ceilings } else { &mut walls }) += 1;
                    fronts += u32::from(is_front);
                }
            }
        }
        [rays, ceilings, walls, fronts].map(f64::from)
    }

    /// A yard: walls all around it that nobody sees over, seen from their fronts, one of them thin and
    /// modeled on both sides, with reached floor right behind it. So light wells of houses are none, nor are
    /// beds behind a fence, nor is the country around or beside a fenced level, which is larger than that.
    pub(super) fn is_yard(&self, part: &[u32], few: &[u32]) -> bool {
        self.floor.area(part.len()) >= SPACIOUS
            && part.len() <= self.reached.len()
            && self.walls_beside(part, few, true) >= WALLED * 8.0 * few.len() as f64
            && !self.leaks(part)
            && !self.is_all_around(part)
            && self.is_behind_a_wall(part, HEDGE, true)
    }

    /// How many of all looks, eight from each of these samples, end at a wall higher than eyes that stands
    /// where this floor ends; if asked, one that shows its front.
    fn walls_beside(&self, part: &[u32], few: &[u32], shows_front: bool) -> f64 {
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.floor.samples.get(*at).column).collect();
        let is_beside = |point: DVec3| {
            let [x, z] = column(point, self.floor.cell());
            (-BESIDE..=BESIDE)
                .any(|i| columns.range([x + i, z - BESIDE]..=[x + i, z + BESIDE]).next().is_some())
        };
        let is_wall = |from: DVec3, direction: DVec3| {
            let direction = direction.normalize();
            let met = self.ray(from, direction * self.far());
            met.is_some_and(|(at, is_front)| (is_front || !shows_front) && is_beside(from + direction * at))
        };
        let looks = few.iter().map(|at| self.above(*at, EYE));
        looks.map(|from| around().filter(|direction| is_wall(from, *direction)).count()).sum::<usize>() as f64
    }

    /// Whether reached floor is right behind a wall that is as wide as a door and as thin as this; if asked,
    /// one that was modeled on this side, too: a hull has only an inner side.
    pub(super) fn is_behind_a_wall(&self, part: &[u32], thin: f64, is_two_sided: bool) -> bool {
        let (level, rules, cell) =
            (self.evidence.walker.level, self.evidence.walker.rules, self.floor.cell());
        let reach = ((thin + 2.0 * rules.radii.x) / cell).ceil() as i32 + 1;
        let mut walls = 0;
        for at in part.iter().filter(|at| self.floor.sides(**at) < 4) {
            let from = self.above(*at, 0.5);
            // A swimming body is not stopped by something that no ray hits; a walking one may be, by a bar.
            let swims = level.volumes.is_water(from);
            let is_thin = axes().into_iter().any(|[x, z]| {
                (1..=reach).any(|k| {
                    let beyond = self
                        .floor
                        .at(*at, [x * k, z * k], rules.settings.step_height)
                        .filter(|other| self.floor.samples.is_reached(*other));
                    let Some(beyond) = beyond else { return false };
                    let far = cell * f64::from(k);
                    let translation = DVec3::new(f64::from(x), 0.0, f64::from(z)) * far;
                    // A wall may have a front on one side alone.
                    let sides = [self.ray(from, translation), self.ray(from + translation, -translation)];
                    if is_two_sided && sides[0].is_none_or(|(_, is_front)| !is_front) {
                        return false;
                    }
                    let [there, back] = sides.map(|side| side.map_or(far, |(at, _)| at));
                    let thick = far - there - back;
                    let is_sheet = thick <= TOGETHER
                        && level.sides(from, translation).is_some_and(|(_, sides)| sides.is_sheet);
                    thick <= thin
                        && !(swims && sides.iter().all(Option::is_none))
                        && (!is_sheet || self.is_as_high(*at, beyond))
                })
            });
            walls += u32::from(is_thin);
        }
        // As wide as a door.
        f64::from(walls) * cell >= 2.0 * rules.radii.x
    }
}

/// Eight level directions, of length 1 or √2.
pub(super) fn around() -> impl Iterator<Item = DVec3> {
    let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    ways.into_iter().map(|(x, z)| DVec3::new(f64::from(x), 0.0, f64::from(z)))
}
