//! The law of energy: seen from what drives it, a pushed body never gains energy.
//!
//! Idea: kinetic and potential energy are measured in a frame that moves with what the body touches. Bodies
//! at rest in that frame do no work, so the sum can only shrink. Steps of finite length break this: a bounce
//! in the middle of a tick misplaces a part of its gravity, and a pushed body is met as if its mass were
//! infinite. So the gain is taken back from the velocity: first along the impulse of the contacts, then from
//! the rest. Where the body has no velocity to pay with, it owes the rest and pays later. Error: a bounce of
//! restitution 1 loses up to a tick's worth of gravity.

use glam::DVec3;

use crate::num::ops::sqrt;

/// The motion of a body in a tick. Velocities are in m/s in the world.
pub(super) struct Step {
    pub(super) before: DVec3,
    pub(super) after: DVec3,
    /// In meters.
    pub(super) motion: DVec3,
    pub(super) gravity: DVec3,
    pub(super) seconds: f64,
}

/// Energies here are twice those of a kilogram, in m²/s².
impl Step {
    /// The energy that it may have at the end, as seen from a frame, besides that of its place.
    fn budget(&self, frame: DVec3, owed: f64) -> f64 {
        let fallen = self.gravity.dot(self.motion - frame * self.seconds);
        (self.before - frame).length_squared() + 2.0 * fallen - owed
    }

    /// Of two frames the one that allows more.
    pub(super) fn freer(&self, a: DVec3, b: DVec3) -> DVec3 {
        let gain = |frame: DVec3| (self.after - frame).length_squared() - self.budget(frame, 0.0);
        if gain(b) < gain(a) { b } else { a }
    }

    /// The velocity at the end without the gain, and the energy still owed.
    pub(super) fn pay(&self, frame: DVec3, owed: f64) -> (DVec3, f64) {
        let (budget, own) = (self.budget(frame, owed), self.after - frame);
        let gain = own.length_squared() - budget;
        // Written so that a NaN changes nothing.
        let gains = gain > 0.0;
        if !gains {
            return (self.after, 0.0);
        }
        let impulse = self.after - self.before - self.gravity * self.seconds;
        let size = sqrt(impulse.length_squared());
        let direction = if size > 0.0 { impulse / size } else { DVec3::ZERO };
        let along = own.dot(direction).max(0.0);
        let left = own - direction * along;
        if along * along >= gain {
            return (frame + left + direction * sqrt(along * along - gain), 0.0);
        }
        if budget <= 0.0 {
            return (frame, -budget);
        }
        (frame + left * sqrt(budget / left.length_squared()), 0.0)
    }
}
