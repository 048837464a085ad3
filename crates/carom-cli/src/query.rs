//! Shapes and casts in JSON.

use std::fmt;

use carom::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Mover, ShapeError, Sphere};
use carom::world::Cast;
use glam::{DQuat, DVec3};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

/// One line of `carom cast`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    /// Anything: its answer has it too.
    pub(crate) id: Option<serde_json::Value>,
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
#[derive(Debug)]
pub(crate) enum ShapeSpec {
    Point,
    Sphere(SphereSpec),
    Ellipsoid(EllipsoidSpec),
    Capsule(CapsuleSpec),
    Cuboid(CuboidSpec),
}

impl ShapeSpec {
    const KINDS: &[&str] = &["point", "sphere", "ellipsoid", "capsule", "cuboid"];
}

/// By hand: a second key is an error that names it, which a derived enum does not do.
impl<'de> Deserialize<'de> for ShapeSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = ShapeSpec;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "\"point\" or an object with one of the keys sphere, ellipsoid, capsule and cuboid")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<ShapeSpec, E> {
        if name == "point" { Ok(ShapeSpec::Point) } else { Err(E::unknown_variant(name, ShapeSpec::KINDS)) }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ShapeSpec, A::Error> {
        let Some(kind) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &self));
        };
        let shape = match kind.as_str() {
            "sphere" => ShapeSpec::Sphere(map.next_value()?),
            "ellipsoid" => ShapeSpec::Ellipsoid(map.next_value()?),
            "capsule" => ShapeSpec::Capsule(map.next_value()?),
            "cuboid" => ShapeSpec::Cuboid(map.next_value()?),
            other => return Err(de::Error::unknown_variant(other, ShapeSpec::KINDS)),
        };
        match map.next_key::<String>()? {
            None => Ok(shape),
            Some(second) => {
                Err(de::Error::custom(format_args!("unknown field `{second}`, a shape has one key only")))
            }
        }
    }
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

/// A cylinder or a cone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevolvedSpec {
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

impl RevolvedSpec {
    pub(crate) fn cylinder(&self) -> Result<Cylinder, ShapeError> {
        Cylinder::new(self.radius, self.half_height)?.with_rotation(DQuat::from_array(self.rotation))
    }

    pub(crate) fn cone(&self) -> Result<Cone, ShapeError> {
        Cone::new(self.radius, self.half_height)?.with_rotation(DQuat::from_array(self.rotation))
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
