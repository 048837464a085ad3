//! Cylinder: the frustum of a cone with both ends alike.

use glam::{DQuat, DVec3};

use super::frustum::{Frustum, solid_of_revolution};
use super::rounding::direction_or_up;
use super::{Aabb, Convex, ShapeError, positive, unit_rotation};

/// A solid cylinder with flat ends. Its own axis is y, its center halfway up.
///
/// ```
/// use carom::shape::Cylinder;
/// use glam::dvec3;
/// let drum = Cylinder::new(1.0, 2.0)?;
/// assert_eq!(drum.signed_distance(dvec3(4.0, 0.0, 0.0)), 3.0);
/// assert_eq!(drum.ray(dvec3(0.5, 6.0, 0.0), dvec3(0.0, -8.0, 0.0)), Some(0.5));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Cylinder", into = "super::wire::Cylinder"))]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
    rotation: DQuat,
}

impl Cylinder {
    /// A cylinder along y: radius and half the height, in meters.
    ///
    /// # Errors
    /// A length that is not finite and greater than 0.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        positive(radius, "radius")?;
        positive(half_height, "half_height")?;
        Ok(Self { radius, half_height, rotation: DQuat::IDENTITY })
    }

    pub(crate) fn frustum(&self) -> Frustum {
        let Self { radius, half_height, rotation } = *self;
        Frustum { bottom: radius, top: radius, half_height, rotation }
    }
}
solid_of_revolution!(Cylinder);
