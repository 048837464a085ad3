//! Ellipsoid of any orientation.

use glam::{DMat3, DQuat, DVec3};

use super::{ShapeError, positive, unit_rotation};

/// A ball stretched by three radii along its own axes, and turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    radii: DVec3,
    rotation: DQuat,
}

impl Ellipsoid {
    /// An ellipsoid with these radii, in metres, along x, y and z.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0.
    pub fn new(radii: DVec3) -> Result<Self, ShapeError> {
        positive(radii.x, "radii.x")?;
        positive(radii.y, "radii.y")?;
        positive(radii.z, "radii.z")?;
        Ok(Self { radii, rotation: DQuat::IDENTITY })
    }

    /// The same ellipsoid turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The three radii, in metres, along the ellipsoid's own axes.
    pub fn radii(&self) -> DVec3 {
        self.radii
    }

    /// From the ellipsoid's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The ellipsoid's own axes as columns.
    pub fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radii: self.radii * factor, ..*self }
    }
}
