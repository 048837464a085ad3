//! Plane.

use glam::DVec3;

use super::{ShapeError, finite};
use crate::num::ops;

/// All points x with normal · x = distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: DVec3,
    distance: f64,
}

impl Plane {
    /// The plane through `point` facing along `normal`, which is scaled to length one.
    ///
    /// # Errors
    /// A point or a normal that is not finite; a normal of no length.
    pub fn new(point: DVec3, normal: DVec3) -> Result<Self, ShapeError> {
        finite(point, "point")?;
        finite(normal, "normal")?;
        let largest = normal.abs().max_element();
        if largest == 0.0 {
            return Err(ShapeError::Zero("normal"));
        }
        let normal = normal / largest;
        let normal = normal / ops::sqrt(normal.length_squared());
        Ok(Self { normal, distance: normal.dot(point) })
    }

    /// The unit normal.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The distance of the plane from the origin along its normal, in metres.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { distance: self.distance * factor, ..*self }
    }
}
