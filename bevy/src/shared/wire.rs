//! Serialization of shared shapes. Input is checked like new shapes.

use std::sync::Arc;

use carom::glam::DVec3;
use carom::mesh::{HeightField as Field, HeightFieldError, Heights, MeshData, MeshError, Surface};
use carom::shape::{ConvexHull, ShapeError};
use carom::world::HullTree;
use serde::{Deserialize, Serialize};

use super::{SharedHeightField, SharedHull, SharedMesh};

#[derive(Serialize, Deserialize)]
pub(super) struct Mesh {
    origin: [f64; 3],
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<Surface>,
    surface_ids: Vec<u16>,
}

impl From<SharedMesh> for Mesh {
    fn from(SharedMesh(tree): SharedMesh) -> Self {
        let mesh = tree.mesh();
        let id = |triangle| {
            let own: *const Surface = mesh.surface(triangle);
            mesh.surfaces().iter().position(|surface| core::ptr::eq(surface, own)).unwrap_or(0) as u16
        };
        Self {
            origin: mesh.origin().to_array(),
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            surfaces: mesh.surfaces().to_vec(),
            surface_ids: (0..mesh.triangle_count()).map(id).collect(),
        }
    }
}

impl TryFrom<Mesh> for SharedMesh {
    type Error = MeshError;

    fn try_from(wire: Mesh) -> Result<Self, MeshError> {
        let Mesh { origin, vertices, triangles, surfaces, surface_ids } = wire;
        let origin = DVec3::from_array(origin);
        Self::new(MeshData { origin, vertices, triangles, surfaces, surface_ids, ..MeshData::default() })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Hull {
    corners: Vec<[f64; 3]>,
}

impl From<SharedHull> for Hull {
    fn from(SharedHull(tree): SharedHull) -> Self {
        Self { corners: tree.hull().vertices().iter().map(DVec3::to_array).collect() }
    }
}

impl TryFrom<Hull> for SharedHull {
    type Error = ShapeError;

    fn try_from(wire: Hull) -> Result<Self, ShapeError> {
        let corners: Vec<DVec3> = wire.corners.into_iter().map(DVec3::from_array).collect();
        Ok(Self(Arc::new(HullTree::new(ConvexHull::new(&corners)?))))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct HeightField {
    size: [u32; 2],
    spacing: [f64; 2],
    heights: Vec<f32>,
    holes: Vec<[u32; 2]>,
    /// Of each cell.
    surfaces: Vec<Surface>,
}

impl From<SharedHeightField> for HeightField {
    fn from(SharedHeightField(field): SharedHeightField) -> Self {
        let [columns, rows] = field.size();
        let samples = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let cells = || (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| [column, row]));
        let part = |[column, row]: [u32; 2]| 2 * (row * (columns - 1) + column);
        Self {
            size: field.size(),
            spacing: field.spacing(),
            heights: samples.map(|[column, row]| field.height(column, row)).collect(),
            holes: cells().filter(|cell| !field.has_triangle(part(*cell))).collect(),
            surfaces: cells().map(|cell| *field.surface(part(cell))).collect(),
        }
    }
}

impl TryFrom<HeightField> for SharedHeightField {
    type Error = HeightFieldError;

    fn try_from(wire: HeightField) -> Result<Self, HeightFieldError> {
        let mut surfaces: Vec<Surface> = Vec::new();
        let mut cells = Vec::with_capacity(wire.surfaces.len());
        for surface in &wire.surfaces {
            let place = surfaces.iter().position(|known| known == surface).unwrap_or_else(|| {
                surfaces.push(*surface);
                surfaces.len() - 1
            });
            let most = HeightFieldError::Surfaces("a height field has at most 256 surfaces");
            cells.push(u8::try_from(place).map_err(|_| most)?);
        }
        let field = Field::new(wire.size, wire.spacing, Heights::F32(wire.heights))?;
        Ok(Self(Arc::new(field.with_holes(&wire.holes)?.with_surfaces(surfaces, cells)?)))
    }
}
