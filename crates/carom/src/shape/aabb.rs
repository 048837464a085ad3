//! Axis-aligned box.

use glam::DVec3;

use super::ShapeError;

/// A box along the axes of its frame, faces included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    min: DVec3,
    max: DVec3,
}

impl Aabb {
    /// The box between two corners, in metres.
    ///
    /// # Errors
    /// A corner that is not finite, or a `min` above `max` on any axis.
    pub fn new(min: DVec3, max: DVec3) -> Result<Self, ShapeError> {
        super::finite(min, "min")?;
        super::finite(max, "max")?;
        if min.cmple(max).all() { Ok(Self { min, max }) } else { Err(ShapeError::MinAboveMax) }
    }

    /// The lower corner.
    pub fn min(&self) -> DVec3 {
        self.min
    }

    /// The upper corner.
    pub fn max(&self) -> DVec3 {
        self.max
    }
}
