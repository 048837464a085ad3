//! Triangles from lists of JavaScript.

use carom::mesh::MeshData;
use wasm_bindgen::JsValue;

use crate::error::bad_value;

/// Three coordinates a vertex, three indices a triangle.
///
/// # Errors
/// Lengths that are no multiple of three.
pub(crate) fn listed(vertices: &[f32], indices: &[u32]) -> Result<MeshData, JsValue> {
    let (vertices, rest) = vertices.as_chunks::<3>();
    let (triangles, left) = indices.as_chunks::<3>();
    if !rest.is_empty() || !left.is_empty() {
        return Err(bad_value("vertices and indices come in threes"));
    }
    Ok(MeshData { vertices: vertices.to_vec(), triangles: triangles.to_vec(), ..MeshData::default() })
}
