//! Cuboid of any orientation (an oriented box).

use glam::{DMat3, DQuat, DVec3};

use super::{ShapeError, positive, unit_rotation};

/// A box with three half extents along its own axes, and turned.
#[doc(alias = "Obb")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half_extents: DVec3,
    rotation: DQuat,
}

impl Cuboid {
    /// A cuboid with these half extents, in metres, along x, y and z.
    ///
    /// # Errors
    /// A half extent that is not finite and greater than 0.
    pub fn new(half_extents: DVec3) -> Result<Self, ShapeError> {
        positive(half_extents.x, "half_extents.x")?;
        positive(half_extents.y, "half_extents.y")?;
        positive(half_extents.z, "half_extents.z")?;
        Ok(Self { half_extents, rotation: DQuat::IDENTITY })
    }

    /// The same cuboid turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The three half extents, in metres, along the cuboid's own axes.
    pub fn half_extents(&self) -> DVec3 {
        self.half_extents
    }

    /// From the cuboid's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The cuboid's own axes as columns.
    pub fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { half_extents: self.half_extents * factor, ..*self }
    }
}
