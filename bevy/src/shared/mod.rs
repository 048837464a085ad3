//! Shapes that many entities can share: triangles, hulls and terrain with their trees.

#[cfg(feature = "serde")]
mod wire;

use std::sync::Arc;

use bevy::reflect::Reflect;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use carom::mesh::{HeightField, MeshData, MeshError};
use carom::world::{HullTree, MeshTree};

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
