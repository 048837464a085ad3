//! A machine: a body that moves or stands, and the solid that it is known to be.

use carom::num::ops;
use carom::world::{BodyId, Pose};
use glam::DVec3;

use super::overlap::Solid;

/// Half the floor, whose top is at 0.
pub(super) const FLOOR: DVec3 = DVec3::new(30.0, 1.0, 30.0);

/// A body and what is known of it.
pub(super) struct Machine {
    pub(super) id: BodyId,
    pub(super) solid: Solid,
    /// From the body's position to the middle of the solid, in its own axes.
    pub(super) offset: DVec3,
    pub(super) linear: DVec3,
    pub(super) angular: DVec3,
    /// Back and forth, in rad/s; 0 for what continues.
    pub(super) beat: f64,
}

impl Machine {
    /// How fast it goes, in m/s, and turns, in rad/s.
    pub(super) fn rates(&self, time: f64) -> (DVec3, DVec3) {
        if self.beat == 0.0 {
            return (self.linear, self.angular);
        }
        let (_, swing) = ops::sin_cos(self.beat * time);
        (self.linear * swing, self.angular * swing)
    }

    /// Where its middle is.
    pub(super) fn middle(&self, pose: &Pose) -> DVec3 {
        pose.position() + pose.rotation() * self.offset
    }
}
