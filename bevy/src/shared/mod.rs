//! Shapes that many entities can share: triangles, hulls and terrain with their trees, and compounds.

#[cfg(feature = "serde")]
mod wire;

use std::sync::Arc;

use bevy::reflect::Reflect;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::transform::components::Transform;
use carom::glam::DVec3;
use carom::mesh::{HeightField, MeshData, MeshError};
use carom::world::{Compound, CompoundPiece, HullTree, MeshTree};

use crate::collider::Built;
use crate::convert::pose;
use crate::{Collider, ColliderError};

/// Triangles and their tree, to be shared. On the wire: origin, vertices, triangles and surfaces.
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "wire::Mesh", try_from = "wire::Mesh"))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SharedMesh(pub Arc<MeshTree>);

impl SharedMesh {
    /// Checks triangles and builds their tree.
    ///
    /// # Errors
    /// Vertices that are not finite, indices beyond the vertices, too many triangles.
    pub fn new(data: MeshData) -> Result<Self, MeshError> {
        Ok(carom::Mesh::new(data)?.into())
    }
}

impl From<carom::Mesh> for SharedMesh {
    fn from(mesh: carom::Mesh) -> Self {
        Self(Arc::new(MeshTree::new(mesh)))
    }
}

/// A convex hull, to be shared. On the wire: its corners.
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "wire::Hull", try_from = "wire::Hull"))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SharedHull(pub Arc<HullTree>);

/// Terrain, to be shared. On the wire: its size, spacing and heights, holes and surfaces.
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "wire::HeightField", try_from = "wire::HeightField"))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SharedHeightField(pub Arc<HeightField>);

/// Several colliders that are one body, to be shared. On the wire: the pieces, each with its `Transform`.
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "wire::Compound", try_from = "wire::Compound"))]
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

    /// Its source.
    pub fn pieces(&self) -> &[(Transform, Collider)] {
        &self.0.pieces
    }

    pub(crate) fn built(&self) -> &Arc<Compound> {
        &self.0.built
    }
}
