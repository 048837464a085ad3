//! The motion of a body through a tick: its pose at any share of the tick, and the displacement of its
//! points.
//!
//! Source: `docs/movers.md`. The position moves straight from start to end, and the rotation turns about one
//! axis at constant speed, both at once. Displacements are computed directly, never as the difference of two
//! transformed positions, which would invent a motion of the size of the rounding of coordinates. Error: a
//! few ulp of the displacement and of the distance from the body's position. Cost: one sine and cosine for a
//! turning body, nothing for others.

use glam::DVec3;

use crate::num::turn::Turn;
use crate::world::Pose;

/// The start and the turn with which a body comes to its pose in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RigidMotion {
    start: Pose,
    end: Pose,
    /// Straight from start to end, in meters.
    translation: DVec3,
    turn: Turn,
}

impl RigidMotion {
    /// From one pose to another, turning the short way. The scale does not change on the path: the body has
    /// that of the end. `None` if the translation overflows.
    pub(crate) fn between(start: Pose, end: Pose) -> Option<Self> {
        Self::checked(start, end, Turn::between(start.rotation(), end.rotation()))
    }

    /// From one pose by a translation and a turn about an axis through the body's position, `turn` radians
    /// long.
    pub(crate) fn driven(start: Pose, translation: DVec3, turn: DVec3) -> Option<Self> {
        let turn = Turn::about(turn);
        let end = Pose::at(start.position() + translation)
            .and_then(|end| end.with_rotation(turn.rotate(start.rotation(), 1.0)))
            .and_then(|end| end.with_scale(start.scale()))
            .ok()?;
        Self::checked(start, end, turn)
    }

    fn checked(start: Pose, end: Pose, turn: Turn) -> Option<Self> {
        let translation = end.position() - start.position();
        let start = start.with_scale(end.scale()).ok()?;
        (translation.is_finite() && turn.angle().is_finite()).then_some(Self {
            start,
            end,
            translation,
            turn,
        })
    }

    /// The start, and no motion.
    pub(crate) fn rest(pose: Pose) -> Self {
        Self { start: pose, end: pose, translation: DVec3::ZERO, turn: Turn::NONE }
    }

    /// Where it starts.
    pub(crate) fn start(&self) -> &Pose {
        &self.start
    }

    /// Where it ends.
    pub(crate) fn end(&self) -> &Pose {
        &self.end
    }

    /// Whether it moves at all.
    pub(crate) fn is_rest(&self) -> bool {
        self.translation == DVec3::ZERO && self.angle() == 0.0
    }

    /// How far it goes, in meters.
    pub(crate) fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The turn in the whole tick.
    pub(crate) fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The angle of the whole turn in radians, 0 or more.
    pub(crate) fn angle(&self) -> f64 {
        self.turn.angle()
    }

    /// The axis it turns about, of length 1; 0 for one that does not turn.
    pub(crate) fn axis(&self) -> DVec3 {
        self.turn.axis()
    }

    /// Where it is after a share of the tick; exactly the ends at 0 and 1.
    pub(crate) fn at(&self, time: f64) -> Pose {
        if time <= 0.0 {
            return self.start;
        }
        if time >= 1.0 {
            return self.end;
        }
        Pose::at(self.start.position() + self.translation * time)
            .and_then(|pose| pose.with_rotation(self.turn.rotate(self.start.rotation(), time)))
            .and_then(|pose| pose.with_scale(self.end.scale()))
            .unwrap_or(self.end)
    }

    /// The displacement, from one time to the other, of the point of the body that is at `point` at the
    /// first.
    pub(crate) fn displacement(&self, point: DVec3, [from, until]: [f64; 2]) -> DVec3 {
        let share = until - from;
        let moved = self.translation * share;
        if self.angle() == 0.0 {
            return moved;
        }
        let arm = point - (self.start.position() + self.translation * from);
        moved + self.turn.displacement(arm, share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;
    use glam::{DQuat, dvec3};

    fn pose(position: DVec3, rotation: DQuat) -> Pose {
        Pose::at(position).unwrap().with_rotation(rotation).unwrap()
    }

    #[test]
    fn a_displacement_leads_from_pose_to_pose() {
        let start = pose(dvec3(1.0, 2.0, 3.0), ops::rotation_about(DVec3::X, 0.4));
        let motion = RigidMotion::driven(start, dvec3(0.5, -1.0, 0.25), dvec3(0.3, 2.9, -0.4)).unwrap();
        for [from, until] in [[0.0, 1.0], [0.0, 0.5], [0.25, 0.75], [0.5, 1.0]] {
            let (a, b) = (motion.at(from), motion.at(until));
            let own = dvec3(3.0, -4.0, 5.0);
            let (before, after) = (a.position() + a.rotation() * own, b.position() + b.rotation() * own);
            let error = (before + motion.displacement(before, [from, until]) - after).length();
            assert!(error < 1e-14, "{from}…{until}: {error:e}");
        }
    }

    #[test]
    fn the_short_way_round_is_found_again() {
        let start = pose(DVec3::ZERO, ops::rotation_about(dvec3(1.0, 2.0, 2.0), 1.1));
        let driven = RigidMotion::driven(start, DVec3::X, dvec3(0.0, -0.7, 0.2)).unwrap();
        let found = RigidMotion::between(start, *driven.end()).unwrap();
        assert!((found.angle() - driven.angle()).abs() < 1e-15);
        assert!((found.axis() - driven.axis()).length() < 1e-14);
    }

    #[test]
    fn one_that_does_not_turn_goes_straight_to_the_bit_however_far_out() {
        let start = pose(dvec3(1e9, 1e9, 1e9), ops::rotation_about(DVec3::X, 0.4));
        let motion = RigidMotion::driven(start, dvec3(0.125, 0.0, -0.5), DVec3::ZERO).unwrap();
        assert_eq!(motion.displacement(dvec3(1e9 + 0.1, 7.0, 0.3), [0.0, 1.0]), dvec3(0.125, 0.0, -0.5));
        assert_eq!(motion.angle(), 0.0);
    }
}
