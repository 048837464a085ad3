//! The motion of a body from one pose to another, with rotation.

use glam::DVec3;

use crate::num::ops::sqrt;
use crate::shape::{Aabb, ShapeError};
use crate::world::{Pose, RigidMotion};

/// From one pose to another: the origin goes straight, and the body turns about it, the short way and at
/// constant speed. The size stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseMotion(RigidMotion);

impl PoseMotion {
    /// The motion between two poses. Its size is that of the first.
    ///
    /// # Errors
    /// Positions so far apart that their difference overflows.
    pub fn new(from: Pose, to: Pose) -> Result<Self, ShapeError> {
        let to = to.with_scale(from.scale())?;
        RigidMotion::between(from, to).map(Self).ok_or(ShapeError::NotFinite("translation"))
    }

    /// A body that stays where it is.
    pub fn rest(pose: Pose) -> Self {
        Self(RigidMotion::rest(pose))
    }

    /// Where the body is after a share of the motion; exactly the ends at 0 and 1.
    pub fn at(&self, fraction: f64) -> Pose {
        self.0.at(fraction)
    }

    /// The translation of the origin, in meters.
    pub fn translation(&self) -> DVec3 {
        self.0.translation()
    }

    /// The axis that the body turns about, unit, in the world; zero if it does not turn.
    pub fn axis(&self) -> DVec3 {
        self.0.axis()
    }

    /// The angle of the turn, in radians, 0 … π.
    pub fn angle(&self) -> f64 {
        self.0.angle()
    }

    /// The box around the body on its whole path; `bounds` is its box in its own frame.
    ///
    /// A point that is r from the origin is never farther than r·angle²/8 from the straight line between its
    /// two ends: that is the most by which a curve leaves its chord whose second derivative is at most
    /// r·angle².
    pub fn swept_bounds(&self, bounds: &Aabb) -> Option<Aabb> {
        let mut points = [DVec3::ZERO; 16];
        let mut radius = 0f64;
        for (i, corner) in bounds.corners().into_iter().enumerate() {
            radius = radius.max(corner.length_squared());
            for (end, pose) in [self.0.start(), self.0.end()].into_iter().enumerate() {
                points[2 * i + end] = pose.position() + pose.rotation() * (corner * pose.scale());
            }
        }
        let radius = sqrt(radius) * self.0.end().scale();
        let around = Aabb::enclosing(points)?;
        let rounding = 64.0
            * f64::EPSILON
            * (radius + points.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element())));
        Some(around.grown(radius * self.angle() * self.angle() / 8.0 + rounding))
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;
    use crate::num::ops::rotation_about;

    fn pose(n: [f64; 7]) -> Pose {
        Pose::at(dvec3(n[0], n[1], n[2]))
            .and_then(|pose| pose.with_rotation(rotation_about(dvec3(n[3], n[4], n[5] + 1e-3), 3.0 * n[6])))
            .unwrap()
    }

    proptest! {
        #[test]
        fn no_point_leaves_the_swept_bounds_nor_moves_faster_than_its_radius_says(
            a in prop::array::uniform7(-1.0..1.0f64), b in prop::array::uniform7(-1.0..1.0f64), t in 0.0..1.0f64,
        ) {
            let motion = PoseMotion::new(pose(a), pose(b)).unwrap();
            let bounds = Aabb::new(dvec3(-0.5, -2.0, 0.1), dvec3(1.0, 0.3, 0.4)).unwrap();
            let swept = motion.swept_bounds(&bounds).unwrap();
            let place = |t: f64, p: DVec3| motion.at(t).position() + motion.at(t).rotation() * p;
            for corner in bounds.corners() {
                prop_assert!(swept.contains(place(t, corner)));
                let way = (place(t, corner) - place(0.0, corner)).length();
                let most = (motion.translation().length() + motion.angle() * corner.length()) * t;
                prop_assert!(way <= most + 1e-9, "{way} {most}");
            }
            prop_assert_eq!(motion.at(0.0), pose(a));
        }
    }
}
