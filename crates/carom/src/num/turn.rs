//! Turns: from one rotation to another about one axis, at constant speed.
//!
//! Source: axis and angle of the quaternion between the two (Shoemake, *Animating rotation with quaternion
//! curves*, 1985). The angle is that of its sine and cosine together, which is accurate to a few ulp for
//! small turns and for half turns alike. Error: a few ulp of the angle. Cost: an arc tangent to find a turn,
//! a sine and a cosine to make it.

use glam::{DQuat, DVec3};

use super::bound::length_and_direction;
use super::ops::{atan2, rotation_about, sin_cos};

/// A turn about an axis of the world by an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    axis: DVec3,
    angle: f64,
}

impl Turn {
    /// A turn by 0 radians.
    pub const NONE: Self = Self { axis: DVec3::ZERO, angle: 0.0 };

    /// The turn from one unit rotation to another, the short way round: by 0 … π radians.
    pub fn between(from: DQuat, to: DQuat) -> Self {
        if from == to {
            return Self::NONE;
        }
        let turn = to * from.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let (sine, axis) = length_and_direction(turn.xyz());
        Self { axis, angle: 2.0 * atan2(sine, turn.w) }
    }

    /// The turn about the direction of a vector by its length, in radians, right-handed.
    pub fn about(vector: DVec3) -> Self {
        let (angle, axis) = length_and_direction(vector);
        Self { axis, angle }
    }

    /// The axis, of length 1; zero if it does not turn.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// The angle, in radians, 0 or more.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// The rotation after a share of the turn.
    pub fn rotate(&self, rotation: DQuat, share: f64) -> DQuat {
        if self.angle == 0.0 {
            return rotation;
        }
        rotation_about(self.axis, self.angle * share) * rotation
    }

    /// The change of a vector by a share of the turn, computed without subtracting the vector from its image.
    pub fn displacement(&self, arm: DVec3, share: f64) -> DVec3 {
        let (half_sine, half_cosine) = sin_cos(0.5 * (self.angle * share));
        let across = self.axis.cross(arm);
        // sin θ = 2 sin ½θ cos ½θ and 1 − cos θ = 2 sin² ½θ.
        across * (2.0 * half_sine * half_cosine) + self.axis.cross(across) * (2.0 * half_sine * half_sine)
    }
}

/// The unit rotation a share of the way from one to another, the short way round, at constant angular speed.
pub fn slerp(from: DQuat, to: DQuat, share: f64) -> DQuat {
    Turn::between(from, to).rotate(from, share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn a_whole_turn_leads_to_the_other_end_and_a_half_to_the_middle() {
        let start = rotation_about(dvec3(1.0, 2.0, 2.0), 1.1);
        for angle in [1e-300, 1e-9, 0.3, 1.6, 3.0, core::f64::consts::PI] {
            let end = rotation_about(dvec3(-1.0, 0.5, 3.0), angle) * start;
            let turn = Turn::between(start, end);
            assert!((turn.angle() - angle).abs() < 2e-15, "{angle}: {}", turn.angle());
            let is_near = |a: DQuat, b: DQuat| 1.0 - a.dot(b).abs() < 4.0 * f64::EPSILON;
            assert!(is_near(turn.rotate(start, 1.0), end));
            let half = slerp(start, end, 0.5);
            assert!(is_near(Turn::between(start, half).rotate(half, 1.0), end), "{angle}");
        }
        assert_eq!(slerp(start, start, 0.3), start);
    }

    #[test]
    fn it_goes_the_short_way_round_whatever_the_sign_of_a_quaternion() {
        let (a, b) = (DQuat::IDENTITY, -rotation_about(DVec3::Y, 0.5));
        assert!((Turn::between(a, b).angle() - 0.5).abs() < 1e-15);
        assert!((Turn::between(a, b).axis() - DVec3::Y).length() < 1e-15);
    }

    #[test]
    fn what_a_small_turn_adds_keeps_its_digits() {
        let turn = Turn::about(DVec3::Y * 1e-12);
        let added = turn.displacement(dvec3(0.0, 7.0, 1e6), 1.0);
        assert!((added - dvec3(1e-6, 0.0, 0.0)).length() < 1e-17, "{added}");
    }
}
