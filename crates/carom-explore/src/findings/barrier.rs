//! Barriers at the sides of floor: nothing, a railing, or a wall.

use carom::{Cast, Mover, Sphere};
use glam::DVec3;

use crate::findings::evidence::Evidence;

/// The eyes of a body, as a share of its height.
pub(crate) const EYE: f64 = 0.85;

/// The top of a railing is known to this part of the height between a step and the eyes.
const PARTS: f64 = 16.0;

/// The barrier that a body meets when it leaves floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// Nothing that is higher than a step.
    Nothing,
    /// Something that the body sees over.
    Railing,
    /// Something higher.
    Wall,
}

impl Evidence<'_> {
    /// The barrier beside a sample, in a direction along an axis. Where a body cannot be raised by a step,
    /// because it hits what is above, that is a wall.
    pub(crate) fn barrier(&self, at: u32, out: [i32; 2]) -> Barrier {
        let (way, eyes) = (self.way(out), self.above(at, EYE));
        if self.is_free(self.raised(at), way) {
            return Barrier::Nothing;
        }
        if self.meets(Mover::Point, eyes, way) { Barrier::Wall } else { Barrier::Railing }
    }

    /// The height of the top of the railing beside a sample, to within a part of it. `None` if there is none
    /// above a step.
    pub(crate) fn top_of_railing(&self, at: u32, out: [i32; 2]) -> Option<f64> {
        let (way, eyes) = (self.way(out), self.above(at, EYE));
        let part = (eyes.y - self.above(at, 0.0).y - self.walker.rules.settings.step_height) / PARTS;
        // Balls that touch each other: no bar of a railing is too thin.
        let ball = Mover::from(Sphere::new(0.5 * part).ok()?);
        (1..PARTS as u32)
            .map(|i| eyes - DVec3::Y * (f64::from(i) * part))
            .find(|from| self.meets(ball, *from, way))
            .map(|from| from.y)
    }

    /// Whether a mover meets anything but the sky in this direction, as far as the body's front comes.
    fn meets(&self, mover: Mover, from: DVec3, way: DVec3) -> bool {
        let level = self.walker.level;
        let look = way * (1.0 + self.walker.rules.radii.x / (2.0 * self.floor.cell()));
        let met = Cast::new(mover, from, look).ok().and_then(|cast| level.meet(&cast));
        met.is_some_and(|met| !level.is_sky(met.surface_id))
    }

    /// The way out of a side, as far as a railing stands beyond the floor.
    pub(crate) fn way(&self, [x, z]: [i32; 2]) -> DVec3 {
        DVec3::new(f64::from(x), 0.0, f64::from(z)) * (2.0 * self.floor.cell())
    }

    /// The point above a sample by a share of the body's height.
    pub(crate) fn above(&self, at: u32, share: f64) -> DVec3 {
        let half = self.walker.rules.radii.y;
        self.floor.point(&self.floor.samples.get(at)) + DVec3::Y * (2.0 * half * share)
    }

    /// The center of a body that stands a step above a sample.
    pub(crate) fn raised(&self, at: u32) -> DVec3 {
        self.above(at, 0.5) + DVec3::Y * self.walker.rules.settings.step_height
    }

    /// Whether a body moves freely.
    pub(crate) fn is_free(&self, from: DVec3, translation: DVec3) -> bool {
        let cast = self.walker.rules.grown().map(|body| Cast::new(body, from, translation));
        matches!(cast, Ok(Ok(cast)) if self.walker.level.meet(&cast).is_none())
    }
}
