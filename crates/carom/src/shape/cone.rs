//! Cone: a frustum with its apex.

use glam::{DQuat, DVec3};

use super::frustum::{Frustum, solid_of_revolution};
use super::rounding::direction_or_up;
use super::{Aabb, Convex, ShapeError, positive, unit_rotation};

/// A solid cone with a flat base. Its own axis is y: the apex is at +`half_height`, the base at
/// −`half_height`.
///
/// ```
/// use carom::shape::Cone;
/// use glam::dvec3;
/// let tent = Cone::new(1.0, 2.0)?;
/// assert_eq!(tent.signed_distance(dvec3(0.0, 5.0, 0.0)), 3.0);
/// assert_eq!(tent.ray(dvec3(0.0, 6.0, 0.0), dvec3(0.0, -8.0, 0.0)), Some(0.5));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Cone", into = "super::wire::Cone"))]
pub struct Cone {
    radius: f64,
    half_height: f64,
    rotation: DQuat,
}

impl Cone {
    /// A cone along y: the radius of its base and half its height, in meters.
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
        Frustum { bottom: radius, top: 0.0, half_height, rotation }
    }
}
solid_of_revolution!(Cone);
