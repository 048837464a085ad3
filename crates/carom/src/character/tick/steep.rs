//! The slide down a steep face, and the fall beside a wall, which air control does not brake.
//!
//! Source: `docs/steps.md`. A face that is too steep to stand on is slid down. A slide is a fall, and the
//! face turns part of it aside. Air control that removed this part in every tick would leave only what
//! gravity adds in one tick: a character would hang on cliffs, and longer at higher tick rates. So the part
//! of the horizontal velocity that belongs to the descent stays; the rest is steered. A motion of walk and
//! fall in one presses a steered character against walls, and their friction would brake it: it does not
//! count. Cost: one operation per contact. Never gives up.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use super::wanted::flight;
use crate::character::report::Obstacle;
use crate::character::support::LEVEL;
use crate::num::ops;
use crate::respond::{ContactPlane, NearestMotion, Slide, nearest_feasible};
use crate::trace::Trace;

/// How a face stands to `up`.
struct Face {
    /// The part of its normal along `up`.
    upright: f64,
    /// The length of the rest.
    across: f64,
    /// The direction of the rest: horizontally away from it. Not finite for a level face.
    away: DVec3,
}

impl Face {
    fn of(normal: DVec3, up: DVec3) -> Self {
        let upright = normal.dot(up);
        let leaning = normal - up * upright;
        let across = ops::sqrt(leaning.length_squared());
        Self { upright, across, away: leaning / across }
    }
}

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// The velocity in the air after air control, as [`flight`], but away from every steep face that it
    /// touches at least as fast as its descent along this face.
    pub(super) fn steered(&mut self) -> DVec3 {
        let (up, before, dt, at) = (self.settings.up, self.state.velocity, self.dt, self.at);
        let steered = flight(self.state, self.settings, self.input);
        // Nothing is steered, or nothing falls.
        if self.input.desired_velocity.is_none() || self.settings.gravity == DVec3::ZERO {
            return steered;
        }
        let least_upright = self.ground_rules.least_upright;
        let mut planes = ArrayVec::<ContactPlane, { Slide::TOUCHES }>::new();
        for touch in self.look(at, 0.0).iter() {
            let Face { upright, across, away } = Face::of(touch.contact.normal, up);
            // Walls and ceilings turn no fall aside.
            if upright <= LEVEL || upright >= least_upright || across <= LEVEL {
                continue;
            }
            let surface = touch.surface_motion() / dt;
            let relative = before - surface;
            // No more than it has: a fall that just began to meet the face still moves as it was steered. A
            // body at rest is about to slide: a push would press it against the face, and friction would
            // hold it.
            let slide = (-relative.dot(up) * (upright / across)).min(relative.dot(away));
            if slide >= 0.0 {
                planes.push(ContactPlane { normal: away, bound: surface.dot(away) + slide });
            }
        }
        let rise = up * steered.dot(up);
        match nearest_feasible(steered - rise, &planes) {
            Ok(NearestMotion::Feasible { velocity, .. }) if !planes.is_empty() => velocity + rise,
            _ => steered,
        }
    }

    /// The velocity at the end of a single motion, without its part into the walls and steep faces that
    /// it touches there. A character that is steered does not press against them: friction would brake the
    /// rise of a jump beside a wall, and hold a fall for as long as the player wants to go there.
    pub(super) fn unpressed(&mut self, velocity: DVec3) -> DVec3 {
        if self.input.desired_velocity.is_none() {
            return velocity;
        }
        let (up, dt, at, least_upright) =
            (self.settings.up, self.dt, self.at, self.ground_rules.least_upright);
        let mut planes = ArrayVec::<ContactPlane, { Slide::TOUCHES }>::new();
        for touch in self.look(at, 1.0).iter() {
            let Face { upright, across, away } = Face::of(touch.contact.normal, up);
            if upright >= least_upright || across <= LEVEL {
                continue;
            }
            planes.push(ContactPlane { normal: away, bound: (touch.surface_motion() / dt).dot(away) });
        }
        match nearest_feasible(velocity, &planes) {
            Ok(NearestMotion::Feasible { velocity, .. }) => velocity,
            _ => velocity,
        }
    }
}
