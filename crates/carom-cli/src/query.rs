//! Shapes and casts as JSON has them.

use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere};
use carom::world::Cast;
use glam::{DQuat, DVec3};
use serde::Deserialize;

/// One line of `carom cast`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    shape: ShapeSpec,
    from: [f64; 3],
    translation: [f64; 3],
}

impl Query {
    pub(crate) fn cast(&self) -> Result<Cast, ShapeError> {
        Cast::new(self.shape.mover()?, DVec3::from_array(self.from), DVec3::from_array(self.translation))
    }
}

/// A mover: `"point"`, `{"sphere":{…}}` and so on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum ShapeSpec {
    Point,
    Sphere(SphereSpec),
    Ellipsoid(EllipsoidSpec),
    Capsule(CapsuleSpec),
    Cuboid(CuboidSpec),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SphereSpec {
    pub(crate) radius: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EllipsoidSpec {
    radii: [f64; 3],
    #[serde(default = "unturned")]
    rotation: [f64; 4],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CapsuleSpec {
    radius: f64,
    half_height: f64,
    #[serde(default = "unturned")]
    rotation: [f64; 4],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CuboidSpec {
    pub(crate) half_extents: [f64; 3],
    #[serde(default = "unturned")]
    pub(crate) rotation: [f64; 4],
}

/// No rotation: the quaternion x y z w.
pub(crate) fn unturned() -> [f64; 4] {
    DQuat::IDENTITY.to_array()
}

impl SphereSpec {
    pub(crate) fn sphere(&self) -> Result<Sphere, ShapeError> {
        Sphere::new(self.radius)
    }
}

impl EllipsoidSpec {
    pub(crate) fn ellipsoid(&self) -> Result<Ellipsoid, ShapeError> {
        Ellipsoid::new(DVec3::from_array(self.radii))?.with_rotation(DQuat::from_array(self.rotation))
    }
}

impl CapsuleSpec {
    pub(crate) fn capsule(&self) -> Result<Capsule, ShapeError> {
        Capsule::new(self.radius, self.half_height)?.with_rotation(DQuat::from_array(self.rotation))
    }
}

impl CuboidSpec {
    pub(crate) fn cuboid(&self) -> Result<Cuboid, ShapeError> {
        Cuboid::new(DVec3::from_array(self.half_extents))?.with_rotation(DQuat::from_array(self.rotation))
    }
}

impl ShapeSpec {
    pub(crate) fn mover(&self) -> Result<Mover, ShapeError> {
        Ok(match self {
            Self::Point => Mover::Point,
            Self::Sphere(sphere) => sphere.sphere()?.into(),
            Self::Ellipsoid(ellipsoid) => ellipsoid.ellipsoid()?.into(),
            Self::Capsule(capsule) => capsule.capsule()?.into(),
            Self::Cuboid(cuboid) => cuboid.cuboid()?.into(),
        })
    }
}
