//! Triangles with their tree.

use std::sync::Arc;

use carom::Mesh;
use carom::glam::DVec3;
use carom::mesh::{MeshData, Surface, UpAxis, inspect};
use carom::world::MeshTree;
use wasm_bindgen::prelude::*;

use crate::error::coded;
use crate::triangles::listed;

/// Triangles with their tree, shared by all bodies made of it.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct RawMesh {
    pub(crate) tree: Arc<MeshTree>,
}

#[wasm_bindgen]
impl RawMesh {
    /// Three coordinates a vertex, three indices a triangle, counterclockwise seen from outside; the number
    /// of each triangle's surface, or none if all are of one. `name` is that of the level, for errors.
    ///
    /// # Errors
    /// Lengths that are no multiple of three, indices out of range, vertices that are not finite.
    #[wasm_bindgen(constructor)]
    pub fn new(
        vertices: &[f32],
        indices: &[u32],
        surface_ids: Vec<u16>,
        name: &str,
    ) -> Result<RawMesh, JsValue> {
        let count = surface_ids.iter().max().map_or(0, |&last| u32::from(last) + 1);
        let surfaces = (0..count).map(|tag| Surface { tag, ..Surface::default() }).collect();
        let data = MeshData { surface_ids, surfaces, ..listed(vertices, indices)? };
        let mesh = Mesh::new(data).map_err(|error| coded("BAD_FILE", format!("{name}: {error}")))?;
        Ok(RawMesh { tree: Arc::new(MeshTree::new(mesh)) })
    }

    /// Properties of a list of triangles as it is: 1 if z is up, else 0; meters per unit; 1 if it is
    /// watertight; 1 if it seems inside out; counts of degenerate triangles, duplicates, slivers, open edges,
    /// edges of more than two triangles.
    ///
    /// # Errors
    /// Lengths that are no multiple of three.
    pub fn guess(vertices: &[f32], indices: &[u32]) -> Result<Vec<f64>, JsValue> {
        let data = listed(vertices, indices)?;
        let Ok(found) = inspect(&data.vertices, &data.triangles, None) else {
            return Ok(vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        };
        let flag = |is: bool| f64::from(u8::from(is));
        let defects = found.defects;
        Ok(vec![
            flag(found.up == UpAxis::Z),
            found.unit.meters(),
            flag(found.watertight),
            flag(is_inside_out(&data, found.watertight, found.up == UpAxis::Z)),
            defects.degenerate as f64,
            defects.duplicate as f64,
            defects.sliver as f64,
            defects.open_edges as f64,
            defects.non_manifold_edges as f64,
        ])
    }
}

/// A closed body with a negative volume; of an open one, more level area that faces down than up.
fn is_inside_out(data: &MeshData, is_watertight: bool, is_z_up: bool) -> bool {
    let corner = |i: &u32| DVec3::from_array(data.vertices[*i as usize].map(f64::from));
    let share = |triangle: &[u32; 3]| {
        let [a, b, c] = [corner(&triangle[0]), corner(&triangle[1]), corner(&triangle[2])];
        if is_watertight {
            return a.dot(b.cross(c));
        }
        let normal = (b - a).cross(c - a);
        let up = if is_z_up { normal.z } else { normal.y };
        // Walls say nothing.
        if up.abs() > 0.7 * normal.length() { up } else { 0.0 }
    };
    data.triangles.iter().map(share).filter(|x| x.is_finite()).sum::<f64>() < 0.0
}
