//! The collider of a body or a character.

use std::sync::Arc;

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use carom::glam::DVec3;
use carom::mesh::{HeightField, MeshData, MeshError};
use carom::shape::{Cone, ConvexHull, Cylinder, Plane, ShapeError};
use carom::world::{Compound, CompoundError, CompoundPiece, HalfSpace, HullTree};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};

use crate::convert::{pose, wide};
use crate::link::BodyLink;
use crate::{CollisionLayers, SharedHeightField, SharedHull, SharedMesh};

/// The collider of a body or a character. Lengths in meters, about the entity's `Transform`, whose scale
/// counts for bodies.
///
/// Alone it is a fixed body; see [`RigidMotion`](crate::RigidMotion), [`Sensor`](crate::Sensor) and
/// [`CharacterController`](crate::CharacterController). Meshes, hulls, height fields and compounds are shared
/// by clones.
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(BodyLink, CollisionLayers, Transform)]
pub enum Collider {
    /// A ball.
    Sphere {
        /// Above 0.
        radius: f32,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Along x, y and z, each above 0.
        half_extents: Vec3,
    },
    /// A capsule along y.
    Capsule {
        /// Above 0.
        radius: f32,
        /// Half the height of the cylinder without its caps, at least 0.
        half_height: f32,
    },
    /// A box.
    Cuboid {
        /// Along x, y and z, each above 0.
        half_extents: Vec3,
    },
    /// A cylinder along y.
    Cylinder {
        /// Above 0.
        radius: f32,
        /// Half its height, above 0.
        half_height: f32,
    },
    /// A cone along y with its point up, its center halfway up.
    Cone {
        /// Of its base, above 0.
        radius: f32,
        /// Half its height, above 0.
        half_height: f32,
    },
    /// All that is behind a plane through the entity.
    HalfSpace {
        /// Out of the solid, of any length but 0.
        normal: Vec3,
    },
    /// A convex solid with flat faces.
    Hull(SharedHull),
    /// Triangles.
    Mesh(SharedMesh),
    /// Terrain.
    HeightField(SharedHeightField),
    /// Several colliders that are one body.
    Compound(SharedCompound),
}

/// Why a collider cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColliderError {
    /// A number out of range.
    Shape(ShapeError),
    /// Triangles that make no mesh.
    Mesh(MeshError),
    /// A scale that differs along the axes, on what cannot have one.
    UnevenScale(&'static str),
    /// A negative scale, on what cannot be mirrored.
    Mirrored(&'static str),
    /// A scale of 0, or one that is not finite.
    Scale,
    /// A piece of a compound, by number, and why it cannot be one.
    Piece(usize, Box<ColliderError>),
    /// Pieces that make no compound.
    Compound(CompoundError),
    /// A character of a shape that cannot be swept.
    NotSwept,
    /// A mesh of Bevy's that makes no collider.
    BevyMesh(&'static str),
}

impl core::fmt::Display for ColliderError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Mesh(error) => error.fmt(f),
            Self::Piece(number, error) => write!(f, "piece {number}: {error}"),
            Self::Compound(error) => error.fmt(f),
            Self::UnevenScale(what) => write!(f, "{what} must be scaled by the same factor along all axes"),
            Self::Mirrored(what) => write!(f, "{what} cannot be mirrored: turn it instead"),
            Self::BevyMesh(reason) => f.write_str(reason),
            Self::Scale => f.write_str("the scale must be finite and not 0"),
            Self::NotSwept => f.write_str(
                "a character must be a sphere, an ellipsoid, a capsule or a box: only those can be swept",
            ),
        }
    }
}

impl core::error::Error for ColliderError {}

impl From<ShapeError> for ColliderError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<MeshError> for ColliderError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<CompoundError> for ColliderError {
    fn from(error: CompoundError) -> Self {
        Self::Compound(error)
    }
}

/// A collider as Carom has it, and the scale of its pose.
pub(crate) struct Built {
    pub(crate) collider: carom::world::Collider,
    pub(crate) scale: f64,
}

impl Collider {
    /// A ball of this radius.
    pub fn sphere(radius: f32) -> Self {
        Self::Sphere { radius }
    }

    /// A capsule along y: its radius, and half the height of the cylinder without its caps.
    pub fn capsule(radius: f32, half_height: f32) -> Self {
        Self::Capsule { radius, half_height }
    }

    /// An ellipsoid of these half extents.
    pub fn ellipsoid(x: f32, y: f32, z: f32) -> Self {
        Self::Ellipsoid { half_extents: Vec3::new(x, y, z) }
    }

    /// A box of these half extents.
    pub fn cuboid(x: f32, y: f32, z: f32) -> Self {
        Self::Cuboid { half_extents: Vec3::new(x, y, z) }
    }

    /// A cylinder along y: its radius and half its height.
    pub fn cylinder(radius: f32, half_height: f32) -> Self {
        Self::Cylinder { radius, half_height }
    }

    /// A cone along y with its point up: the radius of its base and half its height.
    pub fn cone(radius: f32, half_height: f32) -> Self {
        Self::Cone { radius, half_height }
    }

    /// Several colliders that are one body, each at its own place in it: a table, a car.
    ///
    /// # Errors
    /// No piece at all, too many, a compound among them, a piece that cannot be made.
    pub fn compound(pieces: Vec<(Transform, Self)>) -> Result<Self, ColliderError> {
        Ok(Self::Compound(SharedCompound::new(pieces)?))
    }

    /// The convex hull of points.
    ///
    /// # Errors
    /// Fewer than four points that are not in a plane, a point that is not finite.
    pub fn hull(points: &[Vec3]) -> Result<Self, ColliderError> {
        let points: Vec<DVec3> = points.iter().map(|point| wide(*point)).collect();
        Ok(Self::Hull(SharedHull(Arc::new(HullTree::new(ConvexHull::new(&points)?)))))
    }

    /// Triangles: vertices, and three indices each, counter-clockwise as seen from the front.
    ///
    /// # Errors
    /// Vertices that are not finite, indices beyond the vertices, too many triangles.
    pub fn mesh(vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, ColliderError> {
        Ok(Self::Mesh(SharedMesh::new(MeshData { vertices, triangles, ..MeshData::default() })?))
    }

    /// The shape as a mover, for sweeps: `None` for all but spheres, ellipsoids, capsules and boxes.
    ///
    /// # Errors
    /// A length out of range.
    pub(crate) fn mover(&self) -> Result<Option<Mover>, ShapeError> {
        Ok(match self {
            Self::Sphere { radius } => Some(Sphere::new(f64::from(*radius))?.into()),
            Self::Ellipsoid { half_extents } => Some(Ellipsoid::new(wide(*half_extents))?.into()),
            Self::Capsule { radius, half_height } => {
                Some(Capsule::new(f64::from(*radius), f64::from(*half_height))?.into())
            }
            Self::Cuboid { half_extents } => Some(Cuboid::new(wide(*half_extents))?.into()),
            Self::Cylinder { .. }
            | Self::Cone { .. }
            | Self::HalfSpace { .. }
            | Self::Hull(_)
            | Self::Mesh(_)
            | Self::HeightField(_)
            | Self::Compound(_) => None,
        })
    }

    /// As Carom has it, at a scale.
    pub(crate) fn build(&self, scale: Vec3) -> Result<Built, ColliderError> {
        use carom::world::Collider as C;
        let factors = wide(scale);
        if !factors.is_finite() || factors.abs().min_element() == 0.0 {
            return Err(ColliderError::Scale);
        }
        let sizes = factors.abs();
        let is_even = sizes.x == sizes.y && sizes.y == sizes.z;
        let is_upright = factors.min_element() > 0.0;
        let shared = |collider: C| Built { collider, scale: sizes.x };
        let own = |collider: C| Built { collider, scale: 1.0 };
        Ok(match self {
            Self::Sphere { radius } if is_even => shared(Sphere::new(f64::from(*radius))?.into()),
            Self::Sphere { radius } => own(Ellipsoid::new(sizes * f64::from(*radius))?.into()),
            Self::Ellipsoid { half_extents } => own(Ellipsoid::new(sizes * wide(*half_extents))?.into()),
            Self::Capsule { radius, half_height } if sizes.x == sizes.z => {
                // Along its axis only the cylinder gets longer: what is round stays round.
                let [radius, half_height] = [f64::from(*radius), f64::from(*half_height)];
                let caps = radius * sizes.x;
                let reach = (radius + half_height) * sizes.y;
                own(Capsule::new(caps, (reach - caps).max(0.0))?.into())
            }
            Self::Capsule { .. } => return Err(ColliderError::UnevenScale("a capsule, across its axis,")),
            Self::Cuboid { half_extents } => own(Cuboid::new(sizes * wide(*half_extents))?.into()),
            Self::Cylinder { radius, half_height } if sizes.x == sizes.z => {
                own(Cylinder::new(f64::from(*radius) * sizes.x, f64::from(*half_height) * sizes.y)?.into())
            }
            Self::Cylinder { .. } => return Err(ColliderError::UnevenScale("a cylinder, across its axis,")),
            Self::Cone { radius, half_height } if sizes.x == sizes.z => {
                if factors.y < 0.0 {
                    return Err(ColliderError::Mirrored("a cone, along its axis,"));
                }
                own(Cone::new(f64::from(*radius) * sizes.x, f64::from(*half_height) * sizes.y)?.into())
            }
            Self::Cone { .. } => return Err(ColliderError::UnevenScale("a cone, across its axis,")),
            Self::HalfSpace { normal } => {
                own(HalfSpace::behind(Plane::new(DVec3::ZERO, wide(*normal))?).into())
            }
            Self::Hull(SharedHull(hull)) if is_even && is_upright => shared(C::Hull(hull.clone())),
            Self::Hull(SharedHull(hull)) => own(hull.hull().scaled(factors)?.into()),
            Self::Mesh(SharedMesh(mesh)) if is_even && is_upright => shared(C::Mesh(mesh.clone())),
            Self::Mesh(SharedMesh(mesh)) => own(mesh.mesh().scaled(factors)?.into()),
            Self::HeightField(SharedHeightField(field)) if is_even && is_upright => {
                shared(C::HeightField(field.clone()))
            }
            Self::HeightField(_) if is_even => return Err(ColliderError::Mirrored("a height field")),
            Self::HeightField(_) => return Err(ColliderError::UnevenScale("a height field")),
            Self::Compound(compound) if is_even && is_upright => {
                shared(C::Compound(compound.built().clone()))
            }
            Self::Compound(_) if is_even => return Err(ColliderError::Mirrored("a compound")),
            Self::Compound(_) => return Err(ColliderError::UnevenScale("a compound")),
        })
    }
}

impl From<carom::Mesh> for Collider {
    fn from(mesh: carom::Mesh) -> Self {
        Self::Mesh(mesh.into())
    }
}

impl From<HeightField> for Collider {
    fn from(field: HeightField) -> Self {
        Self::HeightField(SharedHeightField(Arc::new(field)))
    }
}

/// Several colliders that are one body, to be shared. On the wire: the pieces, each with its `Transform`.
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "CompoundOnTheWire", try_from = "CompoundOnTheWire"))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SharedCompound(Arc<Pieces>);

#[derive(Debug)]
struct Pieces {
    pieces: Vec<(Transform, Collider)>,
    built: Arc<Compound>,
}

impl SharedCompound {
    /// Puts the pieces together.
    ///
    /// # Errors
    /// No piece at all, too many, a compound among them, a piece that cannot be made.
    pub fn new(pieces: Vec<(Transform, Collider)>) -> Result<Self, ColliderError> {
        let piece = |(place, collider): &(Transform, Collider)| {
            let Built { collider, scale } = collider.build(place.scale)?;
            Ok(CompoundPiece::new(collider).at(pose(place, DVec3::ZERO).with_scale(scale)?))
        };
        let numbered = |(number, at): (usize, &(Transform, Collider))| {
            piece(at).map_err(|error: ColliderError| ColliderError::Piece(number, Box::new(error)))
        };
        let made = pieces.iter().enumerate().map(numbered).collect::<Result<Vec<_>, _>>()?;
        let built = Arc::new(Compound::new(made)?);
        Ok(Self(Arc::new(Pieces { pieces, built })))
    }

    /// The colliders that it was made of, with their places.
    pub fn pieces(&self) -> &[(Transform, Collider)] {
        &self.0.pieces
    }

    pub(crate) fn built(&self) -> &Arc<Compound> {
        &self.0.built
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct CompoundOnTheWire {
    pieces: Vec<(Transform, Collider)>,
}

#[cfg(feature = "serde")]
impl From<SharedCompound> for CompoundOnTheWire {
    fn from(compound: SharedCompound) -> Self {
        Self { pieces: compound.pieces().to_vec() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<CompoundOnTheWire> for SharedCompound {
    type Error = ColliderError;

    fn try_from(wire: CompoundOnTheWire) -> Result<Self, ColliderError> {
        Self::new(wire.pieces)
    }
}
