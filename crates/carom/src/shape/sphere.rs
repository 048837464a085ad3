//! Sphere.

use super::{ShapeError, positive};

/// All points within `radius` of its centre. A circle is a sphere in a plane: keep z at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere of this radius, in metres.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: positive(radius, "radius")? })
    }

    /// The radius, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radius: self.radius * factor }
    }
}
