//! Sphere as a bounding volume.
//!
//! Two spheres are held by the one whose diameter spans both (or by the larger, if it holds the other).
//! Error: the radius is rounded up after the center is rounded to f32, so both are held in exact arithmetic.

use glam::{DVec3, Vec3};

use super::Volume;
use super::volume::round_down_square;
use crate::num::ops;
use crate::shape::{Aabb, ShapeError};

/// All points within a distance of a point, in 16 bytes: the volume for round things.
///
/// A radius beyond the range of f32 is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BoundingSphere {
    center: Vec3,
    radius: f32,
}

/// 2⁻⁴⁹: more than a sum of squares of exact differences, its root and two additions are off by, relative to themselves.
/// The differences of f32 numbers are off by 2⁻⁵³ at most and their squares neither overflow nor underflow.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl BoundingSphere {
    /// The sphere of this radius about a point, exactly, in metres. Radius 0 is the point.
    ///
    /// # Errors
    /// A number that is not finite, or a radius below 0.
    pub fn new(center: Vec3, radius: f32) -> Result<Self, ShapeError> {
        if !center.is_finite() {
            Err(ShapeError::NotFinite("center"))
        } else if radius >= 0.0 && radius.is_finite() {
            Ok(Self { center, radius })
        } else {
            Err(ShapeError::Negative("radius"))
        }
    }

    /// The center.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The radius.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// A bound from above on the distance from a point to the far side of the sphere.
    fn reach_from(&self, point: DVec3) -> f64 {
        let distance = ops::sqrt((self.center.as_dvec3() - point).length_squared());
        (distance + f64::from(self.radius)) * (1.0 + ROUNDING)
    }
}

/// The next f32 that is not below.
fn round_up(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) < x { nearest.next_up() } else { nearest }
}

impl Volume for BoundingSphere {
    fn around(&self, other: &Self) -> Self {
        let (small, large) = if self.radius < other.radius { (self, other) } else { (other, self) };
        let reach = small.reach_from(large.center.as_dvec3());
        let radius = f64::from(large.radius);
        if reach <= radius {
            return *large;
        }
        // The far side of the small one is farther from the middle of the large one than that one's own surface:
        // half the excess is how far the middle moves towards the small one.
        let between = small.center.as_dvec3() - large.center.as_dvec3();
        let distance = ops::sqrt(between.length_squared());
        let share = if distance > 0.0 { (0.5 * (reach - radius) / distance).min(1.0) } else { 0.0 };
        let center = (large.center.as_dvec3() + between * share).as_vec3();
        let middle = center.as_dvec3();
        Self { center, radius: round_up(small.reach_from(middle).max(large.reach_from(middle))) }
    }

    fn lower(&self) -> DVec3 {
        // A difference of two f32 need not be an f64: one step outward.
        (self.center.as_dvec3() - f64::from(self.radius)).map(f64::next_down)
    }

    fn upper(&self) -> DVec3 {
        (self.center.as_dvec3() + f64::from(self.radius)).map(f64::next_up)
    }

    fn overlaps(&self, aabb: &Aabb) -> bool {
        let center = self.center.as_dvec3();
        let gap = (aabb.min() - center).max(center - aabb.max()).max(DVec3::ZERO);
        let radius = f64::from(self.radius);
        round_down_square(gap.length_squared()) <= radius * radius * (1.0 + ROUNDING)
    }

    fn distance_squared(&self, point: DVec3) -> f64 {
        let distance = ops::sqrt((self.center.as_dvec3() - point).length_squared());
        // Both roundings outward before the difference, which may cancel.
        let gap = distance * (1.0 - ROUNDING) - f64::from(self.radius);
        // A NaN in the point gives 0, which skips nothing.
        if gap > 0.0 { round_down_square(gap * gap) } else { 0.0 }
    }
}
