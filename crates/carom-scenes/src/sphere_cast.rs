//! A question.

use glam::DVec3;

/// A ball and its path. Lengths in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereCast {
    /// The center at the start.
    pub from: DVec3,
    /// The whole path of the center.
    pub translation: DVec3,
    /// The radius of the ball, greater than 0.
    pub radius: f64,
}
