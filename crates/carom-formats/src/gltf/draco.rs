//! Meshes with Draco compression: `KHR_draco_mesh_compression`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder, PointAttribute, PointIndex,
};

use super::accessor::{Accessors, Component};
use super::schema::Draco;
use crate::error::{LoadError, Location, Resource};
use crate::options::Limits;

/// The most bytes of one mesh.
const MOST: u64 = 1 << 30;

/// The part of a mesh that a level needs. Every corner is an index of a position.
pub(super) struct DracoMesh {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Meshes by their buffer view, their attribute and their accessor. Only ever asked, never walked.
#[derive(Default)]
pub(super) struct Decoded {
    meshes: HashMap<(u32, u32, u32), DracoMesh>,
}

impl Decoded {
    /// The mesh of a primitive, decoded when it is first wanted. `position` is the accessor that says what
    /// its positions are.
    pub(super) fn mesh(
        &mut self,
        draco: &Draco,
        position: u32,
        accessors: &Accessors<'_, '_>,
        limits: &Limits,
        at: &str,
    ) -> Result<&DracoMesh, LoadError> {
        let here = || Location::Part(format!("{at}.extensions.KHR_draco_mesh_compression"));
        let id = draco
            .attributes
            .position
            .ok_or_else(|| LoadError::malformed(here(), "POSITION among its attributes", b""))?;
        Ok(match self.meshes.entry((draco.buffer_view, id, position)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(decode(draco.buffer_view, id, position, accessors, limits, &here)?)
            }
        })
    }
}

fn decode(
    view: u32,
    id: u32,
    position: u32,
    accessors: &Accessors<'_, '_>,
    limits: &Limits,
    at: &dyn Fn() -> Location,
) -> Result<DracoMesh, LoadError> {
    let unreadable = |found: String| LoadError::Malformed {
        at: at(),
        expected: "a mesh that Draco decodes",
        found: format!("{found}: export it again"),
    };
    let buffers = accessors.buffers;
    let bytes = buffers.view(view, at)?.bytes;
    let most = buffers.left().min(MOST);
    let ceilings = DecodeLimits::default()
        .with_max_points(limits.vertices as u64)
        .with_max_faces(limits.triangles as u64)
        .with_max_decoded_bytes(most);
    let mut mesh = Mesh::new();
    let mut source = DecoderBuffer::new(bytes).with_limits(ceilings);
    MeshDecoder::new().decode(&mut source, &mut mesh).map_err(|error| match error.kind() {
        ErrorKind::LimitExceeded => LoadError::OverLimit { resource: Resource::Bytes, limit: most },
        _ => unreadable(error.to_string()),
    })?;
    let points = mesh.num_points();
    if points > limits.vertices {
        return Err(LoadError::OverLimit { resource: Resource::Vertices, limit: limits.vertices as u64 });
    }
    buffers.charge((points as u64).saturating_mul(24) + (mesh.num_faces() as u64).saturating_mul(12))?;
    let attribute = mesh
        .attribute_by_unique_id(id)
        .ok_or_else(|| unreadable(format!("no attribute {id} for its positions")))?;
    let normalized = accessors.entry(position, "POSITION")?.normalized;
    let positions = positions(attribute, points, normalized).map_err(unreadable)?;
    let triangles: Vec<[u32; 3]> = mesh.faces().iter().map(|face| face.map(|point| point.0)).collect();
    if triangles.as_flattened().iter().any(|&corner| corner as usize >= points) {
        return Err(unreadable(format!("a corner beyond its {points} points")));
    }
    Ok(DracoMesh { positions, triangles })
}

/// The position of every point, or what is wrong with the attribute.
fn positions(attribute: &PointAttribute, points: usize, normalized: bool) -> Result<Vec<[f64; 3]>, String> {
    let component = match attribute.data_type() {
        DataType::Int8 => Component::I8,
        DataType::Uint8 => Component::U8,
        DataType::Int16 => Component::I16,
        DataType::Uint16 => Component::U16,
        DataType::Float32 => Component::F32,
        other => return Err(format!("positions of type {other:?}")),
    };
    if attribute.num_components() != 3 {
        return Err(format!("positions of {} components", attribute.num_components()));
    }
    let size = component.size();
    let data = attribute.buffer().data();
    let short = || "fewer positions than points".to_owned();
    let stride = usize::try_from(attribute.byte_stride()).map_err(|_| short())?;
    (0..points)
        .map(|point| {
            let value = attribute.mapped_index(PointIndex(point as u32)).0 as usize;
            let start = value.checked_mul(stride).ok_or_else(short)?;
            let bytes = data.get(start..).and_then(|rest| rest.get(..3 * size)).ok_or_else(short)?;
            Ok(std::array::from_fn(|axis| component.real(&bytes[axis * size..][..size], normalized)))
        })
        .collect()
}
