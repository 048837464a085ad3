//! Decks with a railing: who puts a railing around a floor means players to walk there, and an opening in it
//! is where they should get on. The gangway, the stair or the bridge to that opening is missing.

use glam::DVec3;

use crate::findings::barrier::{Barrier, EYE};
use crate::findings::evidence::neighbors;
use crate::findings::unreached::judge::Judge;

/// A railing stands along this share of the sides of a deck that have no wall,
const RAILED: f64 = 0.6;
/// and along this much in all, in meters.
const LONG: f64 = 6.0;
/// Its top is level along at least this share of it: that of braces, of roofs and of clutter is not.
const LEVEL: f64 = 0.6;
/// Heights that differ by at most this share of the body's height are level.
const EVEN: f64 = 0.1;
/// It has no more openings than this: a battlement has more.
const OPENINGS: usize = 2;
/// A deck has at least this much floor, in m².
const SPACIOUS: f64 = 8.0;
/// Reached floor is no farther from the opening than this, in meters, seen from above,
const NEAR: f64 = 6.0;
/// is at most this much higher or lower for each meter, as a steep gangway is,
const STEEP: f64 = 0.75;
/// and at most this much in all, in meters.
const HIGH: f64 = 2.5;

/// The sides of a floor that have no wall: those where a body raised by a step gets off, and those with a
/// railing.
pub(super) struct Railing {
    pub(super) open: Vec<(u32, [i32; 2])>,
    pub(super) railed: Vec<(u32, [i32; 2])>,
}

impl Judge<'_, '_> {
    /// The railing around a level floor, if it is at least this long and stands along most of the sides that
    /// have no wall.
    pub(super) fn railing(&self, part: &[u32], long: f64) -> Option<Railing> {
        self.level(part)?;
        // Where a body that is raised hits what is above it, a railing cannot be told from nothing.
        let ends = self.ends(part).into_iter().filter(|(at, _)| self.has_room_to_rise(*at));
        let (mut open, mut railed) = (Vec::new(), Vec::new());
        for (at, out) in ends {
            match self.evidence.barrier(at, out) {
                Barrier::Nothing => open.push((at, out)),
                Barrier::Railing => railed.push((at, out)),
                Barrier::Wall => {}
            }
        }
        let is_railed = railed.len() as f64 >= RAILED * (railed.len() + open.len()) as f64
            && railed.len() as f64 * self.floor.cell() >= long
            && self.is_even(&railed);
        is_railed.then_some(Railing { open, railed })
    }

    /// Whether the railing along these sides has a level top.
    fn is_even(&self, railed: &[(u32, [i32; 2])]) -> bool {
        let top = |(at, way): &(u32, [i32; 2])| self.evidence.top_of_railing(*at, *way);
        let mut tops: Vec<f64> = railed.iter().filter_map(top).collect();
        tops.sort_unstable_by(f64::total_cmp);
        let most = ((LEVEL * railed.len() as f64).ceil() as usize).max(1);
        let high = 2.0 * self.evidence.walker.rules.radii.y;
        tops.windows(most).any(|window| window[most - 1] - window[0] <= EVEN * high)
    }

    /// Whether a level floor has a railing around it, with an opening towards reached floor.
    pub(super) fn is_railed_deck(&self, part: &[u32]) -> bool {
        if self.floor.area(part.len()) < SPACIOUS || self.is_rim(part) {
            return false;
        }
        let Some(Railing { open, .. }) = self.railing(part, LONG) else { return false };
        self.openings(&open) <= OPENINGS
            && open.iter().any(|(at, way)| {
                self.across(*at, *way).is_some_and(|other| {
                    let [from, to] = [*at, other].map(|at| self.evidence.raised(at));
                    self.evidence.is_free(from, to - from) && self.is_clear_of_ground(from, to)
                })
            })
    }

    /// Whether a body at a sample has room above it to be raised by a step.
    fn has_room_to_rise(&self, at: u32) -> bool {
        let above = 1.0 - EYE;
        let rules = self.evidence.walker.rules;
        let up = 2.0 * rules.radii.y * above + rules.settings.step_height;
        self.ray(self.above(at, EYE), DVec3::Y * up).is_none()
    }

    /// How many openings these sides are: sides of samples that are next to each other are one.
    fn openings(&self, sides: &[(u32, [i32; 2])]) -> usize {
        let points: Vec<DVec3> =
            sides.iter().map(|(at, _)| self.floor.point(&self.floor.samples.get(*at))).collect();
        neighbors(&points, self.floor.cell(), 1, self.floor.rise).len()
    }

    /// The nearest reached floor in this direction that a gangway could lead to.
    fn across(&self, at: u32, [x, z]: [i32; 2]) -> Option<u32> {
        let cell = self.floor.cell();
        (2..=(NEAR / cell).ceil() as i32).find_map(|k| {
            let most = HIGH.min(STEEP * cell * f64::from(k));
            self.floor.at(at, [x * k, z * k], most).filter(|other| self.floor.samples.is_reached(*other))
        })
    }

    /// Whether somewhere on this line of a center the ground is more than a step below the feet.
    fn is_clear_of_ground(&self, from: DVec3, to: DVec3) -> bool {
        let rules = self.evidence.walker.rules;
        let deep = rules.radii.y + 2.0 * rules.settings.step_height;
        [0.25, 0.5, 0.75]
            .into_iter()
            .any(|share| self.ray(from + (to - from) * share, DVec3::NEG_Y * deep).is_none())
    }
}
