//! A mover larger, smaller, turned, or grown by a skin.

use glam::{DQuat, DVec3};

use super::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere};

impl Mover {
    /// The same shape `factor` times as large.
    ///
    /// # Errors
    /// A factor that is not finite and greater than 0, or lengths that leave the range of f64.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        // As large is the same to the bit.
        if factor == 1.0 {
            return Ok(*self);
        }
        Ok(match self {
            Self::Point => Self::Point,
            Self::Sphere(sphere) => Self::Sphere(Sphere::new(sphere.radius() * factor)?),
            Self::Ellipsoid(ellipsoid) => Self::Ellipsoid(
                Ellipsoid::new(ellipsoid.radii() * factor)?.with_rotation(ellipsoid.rotation())?,
            ),
            Self::Capsule(capsule) => Self::Capsule(
                Capsule::new(capsule.radius() * factor, capsule.half_height() * factor)?
                    .with_rotation(capsule.rotation())?,
            ),
            Self::Cuboid(cuboid) => {
                Self::Cuboid(Cuboid::new(cuboid.half_extents() * factor)?.with_rotation(cuboid.rotation())?)
            }
        })
    }

    /// The same shape turned by `rotation`, after its own.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn turned(&self, rotation: DQuat) -> Result<Self, ShapeError> {
        // Not turned is the same to the bit.
        if rotation == DQuat::IDENTITY {
            return Ok(*self);
        }
        Ok(match self {
            Self::Point | Self::Sphere(_) => *self,
            Self::Ellipsoid(ellipsoid) => {
                Self::Ellipsoid(ellipsoid.with_rotation(rotation * ellipsoid.rotation())?)
            }
            Self::Capsule(capsule) => Self::Capsule(capsule.with_rotation(rotation * capsule.rotation())?),
            Self::Cuboid(cuboid) => Self::Cuboid(cuboid.with_rotation(rotation * cuboid.rotation())?),
        })
    }

    /// The same shape with `skin` meters added to every radius or half extent. A point becomes a sphere.
    ///
    /// # Errors
    /// A skin that leaves nothing of the shape, or is not finite.
    pub fn grown(&self, skin: f64) -> Result<Self, ShapeError> {
        Ok(match self {
            Self::Point if skin == 0.0 => Self::Point,
            Self::Point => Self::Sphere(Sphere::new(skin)?),
            Self::Sphere(sphere) => Self::Sphere(Sphere::new(sphere.radius() + skin)?),
            Self::Ellipsoid(ellipsoid) => Self::Ellipsoid(
                Ellipsoid::new(ellipsoid.radii() + DVec3::splat(skin))?
                    .with_rotation(ellipsoid.rotation())?,
            ),
            Self::Capsule(capsule) => Self::Capsule(
                Capsule::new(capsule.radius() + skin, capsule.half_height())?
                    .with_rotation(capsule.rotation())?,
            ),
            Self::Cuboid(cuboid) => Self::Cuboid(
                Cuboid::new(cuboid.half_extents() + DVec3::splat(skin))?.with_rotation(cuboid.rotation())?,
            ),
        })
    }

    /// The smallest radius or half extent, in meters; 0 for a point.
    pub fn smallest_radius(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Sphere(sphere) => sphere.radius(),
            Self::Ellipsoid(ellipsoid) => ellipsoid.radii().min_element(),
            Self::Capsule(capsule) => capsule.radius(),
            Self::Cuboid(cuboid) => cuboid.half_extents().min_element(),
        }
    }
}
