//! Decks with a railing: who puts a railing around a floor means players to walk there, and an opening in it
//! is where they should get on. The gangway, the stair or the bridge to that opening is missing.

use carom::Cast;
use glam::DVec3;

use crate::findings::evidence::neighbors;
use crate::findings::unreached::judge::Judge;
use crate::findings::unreached::rooms::EYE;

/// A railing stands along this share of the sides of a deck that have no wall,
const RAILED: f64 = 0.6;
/// and along this much in all, in meters.
const LONG: f64 = 6.0;
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

impl Judge<'_, '_> {
    /// Whether a level floor has a railing around it, with an opening towards reached floor.
    pub(super) fn is_railed_deck(&self, part: &[u32]) -> bool {
        let rules = self.evidence.walker.rules;
        if self.floor.area(part.len()) < SPACIOUS || self.level(part).is_none() || self.is_rim(part) {
            return false;
        }
        let Ok(body) = rules.grown() else { return false };
        let is_free = |from: DVec3, translation: DVec3| {
            let cast = Cast::new(body, from, translation);
            cast.is_ok_and(|cast| self.evidence.walker.level.meet(&cast).is_none())
        };
        let center = |at: u32| self.above(at, 0.5) + DVec3::Y * rules.settings.step_height;
        let reach = 2.0 * self.floor.cell();
        let ends = self.ends(part);
        let way = |[x, z]: [i32; 2]| DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach;
        let (open, closed): (Vec<_>, Vec<_>) =
            ends.iter().copied().partition(|(at, out)| is_free(center(*at), way(*out)));
        // A body sees over a railing, and not over a wall.
        let sees_over = |(at, out): &&(u32, [i32; 2])| self.ray(self.above(*at, EYE), way(*out)).is_none();
        let railed = closed.iter().filter(sees_over).count();
        railed as f64 >= RAILED * (railed + open.len()) as f64
            && railed as f64 * self.floor.cell() >= LONG
            && self.openings(&open) <= OPENINGS
            && open.iter().any(|(at, way)| {
                self.across(*at, *way).is_some_and(|other| {
                    let [from, to] = [center(*at), center(other)];
                    is_free(from, to - from) && self.is_clear_of_ground(from, to)
                })
            })
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
