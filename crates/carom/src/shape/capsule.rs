//! Capsule.

use glam::{DQuat, DVec3};

use super::{ShapeError, positive, unit_rotation};

/// All points within `radius` of a segment: a cylinder with round caps. Its own axis is y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_height: f64,
    rotation: DQuat,
}

impl Capsule {
    /// A capsule along y: radius, and half the height of the cylinder without its caps, in metres.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0, a half height that is not finite and at least 0.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        positive(radius, "radius")?;
        if !(half_height >= 0.0 && half_height.is_finite()) {
            return Err(ShapeError::Negative("half_height"));
        }
        Ok(Self { radius, half_height, rotation: DQuat::IDENTITY })
    }

    /// The same capsule turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The radius, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the height of the cylinder, without the caps, in metres.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// From the capsule's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// From the centre to the centre of the upper cap.
    pub fn half_axis(&self) -> DVec3 {
        self.rotation * DVec3::new(0.0, self.half_height, 0.0)
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radius: self.radius * factor, half_height: self.half_height * factor, ..*self }
    }
}
