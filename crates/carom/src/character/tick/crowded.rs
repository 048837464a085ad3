//! Characters inside several others, as where many start at one place: they pass through others until they
//! are apart.
//!
//! Source: `docs/crowds.md`, inside each other. Two that overlap each move out by half of the depth. Among
//! several the planes may contradict each other: every way out of one leads deeper into the next. Then no
//! character stops it, and it moves by the sum of the ways out, no faster than it escapes from a crush. Its
//! desired velocity counts if it leads into no other. Bystanders at rest do not hold the heap together: it
//! moves into them, and then they move on in the same way. So every heap that has room comes apart. Bodies
//! stop it as ever. The report names the characters that it was in when the tick began. Cost: a slide.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::{SIDES, Tick};
use crate::character::character_obstacles::SeparatingPlane;
use crate::character::report::{Obstacle, Outcome};
use crate::num::ops;
use crate::respond::SlideResult;
use crate::trace::Trace;

/// The share of the push that is turned aside: a row that is too long for the gap between two walls buckles.
const TWIST: f64 = 0.25;

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Whether it is inside another character at a place, deeper than the next tick removes by itself.
    pub(super) fn overlaps_characters(&self, at: DVec3) -> bool {
        self.sides().iter().any(|side| self.is_inside(side, at))
    }

    fn is_inside(&self, side: &SeparatingPlane, at: DVec3) -> bool {
        side.gap(at) < -0.5 * self.skin()
    }

    /// Passes through the characters that it overlaps, and moves away from them. False if it can only stay,
    /// because of bodies.
    pub(super) fn part_from_characters(&mut self) -> bool {
        let from = self.at;
        let (mut push, mut deepest) = (DVec3::ZERO, 0.0f64);
        self.passed.extend(self.sides.drain(..));
        let inside: ArrayVec<SeparatingPlane, SIDES> =
            self.passed.iter().filter(|side| self.is_inside(side, from)).copied().collect();
        for side in inside {
            let depth = -side.gap(from);
            push += side.normal() * depth;
            deepest = deepest.max(depth);
            self.report.add_crushing(Obstacle::Character(side.character));
        }
        self.seen_at = None;
        let most = self.most.min(self.escape_speed(from) * self.dt);
        self.most = most;
        if !self.free() {
            return false;
        }
        let push = push + self.ground_rules.up.cross(push) * TWIST;
        let length = ops::sqrt(push.length_squared());
        let step = length.min(deepest).min(most);
        if step > 0.0 {
            let slide = self.slide(push * (step / length), None, 0.0);
            let mut slid = SlideResult::new();
            self.slide_in([0.0, 0.0], &slide, &mut slid);
            self.at = slid.position;
            self.escaped = step;
        }
        // Its desired velocity must not undo that.
        let (at, dt) = (self.at, self.dt);
        let leads_into_one = |desired: DVec3| {
            self.passed.iter().any(|side| {
                let approach = -side.normal().dot(desired) * dt;
                approach > 0.0 && side.gap(at) < approach
            })
        };
        if self.input.desired_velocity.is_some_and(leads_into_one) {
            self.input.desired_velocity = Some(DVec3::ZERO);
        }
        true
    }

    /// At the end of the tick those that it has passed count again.
    pub(super) fn meet_passed(&mut self) {
        if !self.passed.is_empty() {
            self.report.outcome = Outcome::Crushed;
            self.sides.extend(self.passed.drain(..));
            self.seen_at = None;
        }
    }
}
