//! findings.glb: reached floor colored by the time to get there, the paths, and a named node at each finding.
//!
//! It is in the frame of the level's file: a file with z up gets a root that undoes the mapping, so it lies
//! on the level in any editor. Vertices are relative to the center of the floor, so that f32 keeps
//! millimeters. Of floor beyond half a million cells fewer and wider squares are drawn: more than some
//! hundred megabytes no editor opens, and more than 4 GiB the format cannot hold. Source: the glTF 2.0
//! specification.

use carom_formats::Extents;
use glam::DVec3;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::explorer::Explorer;
use crate::findings::finding::Finding;
use crate::floor::Sample;
use crate::report::map::color;

const FLOAT: u32 = 5126;
const LINES: u32 = 3;
const TRIANGLES: u32 = 4;
/// No more squares of reached floor than these are drawn, on average over the level.
const MOST_SQUARES: usize = 500_000;

/// Binary data with its views and accessors.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

impl Parts {
    /// The number of an accessor of points.
    fn points(&mut self, points: &[[f32; 3]]) -> usize {
        let offset = self.bytes.len();
        let mut low = [f32::INFINITY; 3];
        let mut high = [f32::NEG_INFINITY; 3];
        for point in points {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(point[k]), high[k].max(point[k]));
                self.bytes.extend(point[k].to_le_bytes());
            }
        }
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": points.len() * 12 }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": FLOAT, "count": points.len(), "type": "VEC3",
            "min": low, "max": high,
        }));
        self.accessors.len() - 1
    }

    /// The number of a node with a mesh of its own.
    fn mesh(&mut self, name: &str, primitive: &Value) -> usize {
        self.meshes.push(json!({ "name": name, "primitives": [primitive] }));
        self.nodes.push(json!({ "name": name, "mesh": self.meshes.len() - 1 }));
        self.nodes.len() - 1
    }
}

/// The file.
pub fn glb(explorer: &Explorer<'_>, findings: &[Finding]) -> Vec<u8> {
    let Extents { low, high } = explorer.level().bounds();
    let middle = (0.5 * (low + high)).round();
    let near = |p: DVec3| (p - middle).to_array().map(|x| x as f32);
    let mut parts = Parts::default();
    let mut children = Vec::from_iter(reached_floor(explorer, near, &mut parts));
    let mut materials = vec![json!({
        "name": "reached", "doubleSided": true, "extensions": { "KHR_materials_unlit": {} } })];
    for finding in findings.iter().filter(|finding| finding.is_listed()) {
        let name = format!("{} {}", finding.code.name(), finding.id);
        let [r, g, b] = color(finding.code).map(|c| f64::from(c) / 255.0);
        materials.push(json!({
            "name": finding.code.name(), "extensions": { "KHR_materials_unlit": {} },
            "pbrMetallicRoughness": { "baseColorFactor": [r * r, g * g, b * b, 1.0] } }));
        let material = materials.len() - 1;
        let marker: Vec<[f32; 3]> = octahedron().map(|p| p.map(|x| x * 0.3)).to_vec();
        let position = parts.points(&marker);
        let primitive = json!({
            "attributes": { "POSITION": position }, "mode": TRIANGLES, "material": material });
        let node = parts.mesh(&name, &primitive);
        parts.nodes[node]["translation"] = json!(near(finding.position));
        parts.nodes[node]["extras"] =
            json!({ "id": finding.id, "code": finding.code.name(), "meaning": finding.code.meaning() });
        children.push(node);
        let path: Vec<[f32; 3]> = finding.witness.path.iter().map(|p| near(*p)).collect();
        if path.len() > 1 {
            let position = parts.points(&path);
            let primitive = json!({
                "attributes": { "POSITION": position }, "mode": LINES, "material": material });
            children.push(parts.mesh(&format!("way to {name}"), &primitive));
        }
    }
    // From meters with y up about the middle to the file's own unit and axes.
    let frame = explorer.level().frame;
    let scale = 1.0 / frame.scale;
    let mut root = json!({
        "name": "carom findings", "children": children, "scale": [scale, scale, scale],
        "translation": frame.to_file(middle).to_array() });
    if frame.is_z_up {
        // A quarter turn about x: (x, y, z) to (x, −z, y).
        let half = core::f64::consts::FRAC_1_SQRT_2;
        root["rotation"] = json!([half, 0.0, 0.0, half]);
    }
    parts.nodes.push(root);
    let document = json!({
        "asset": { "version": "2.0", "generator": "carom explore" },
        "extensionsUsed": ["KHR_materials_unlit"],
        "scene": 0,
        "scenes": [{ "nodes": [parts.nodes.len() - 1] }],
        "nodes": parts.nodes, "meshes": parts.meshes, "materials": materials,
        "accessors": parts.accessors, "bufferViews": parts.views,
        "buffers": [{ "byteLength": parts.bytes.len() }],
    });
    container(document, parts.bytes)
}

/// The number of a node with the reached floor, if there is some.
fn reached_floor(
    explorer: &Explorer<'_>,
    near: impl Fn(DVec3) -> [f32; 3],
    parts: &mut Parts,
) -> Option<usize> {
    let (mut corners, mut colors) = (Vec::new(), Vec::new());
    let width = cells_per_side(explorer.floor().reached());
    let half = 0.5 * explorer.rules().cell() * f64::from(width);
    let numbers = (0..explorer.floor().len() as u32).into_par_iter();
    let reached = numbers.filter(|number| explorer.floor().is_reached(*number));
    let drawn = reached.map(|number| explorer.floor().get(number));
    let drawn = drawn.filter(|sample| sample.column.iter().all(|i| i % width == 0));
    let drawn: Vec<(Sample, f64)> =
        drawn.filter_map(|sample| Some((sample, explorer.time_to(&sample)?))).collect();
    let longest = drawn.iter().map(|(_, time)| *time).fold(1e-9, f64::max);
    for (sample, time) in drawn {
        let [x, z] = sample.column.map(|i| (f64::from(i / width) + 0.5) * 2.0 * half);
        let at = |dx: f64, dz: f64| near(DVec3::new(x + dx * half, sample.height + 0.03, z + dz * half));
        let [p, q, r, s] = [at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, 1.0), at(1.0, -1.0)];
        corners.extend([p, q, r, p, r, s]);
        colors.extend([heat(time / longest); 6]);
    }
    if corners.is_empty() {
        return None;
    }
    let (position, color) = (parts.points(&corners), parts.points(&colors));
    let primitive = json!({
        "attributes": { "POSITION": position, "COLOR_0": color }, "mode": TRIANGLES, "material": 0 });
    Some(parts.mesh("reached floor by time", &primitive))
}

/// How many cells wide a square is drawn, so that there are not too many for this many cells of floor.
fn cells_per_side(cells: usize) -> i32 {
    let mut width = 1;
    while cells / (width * width) > MOST_SQUARES {
        width *= 2;
    }
    width as i32
}

/// JSON and data in the binary container.
fn container(mut document: Value, bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        // Empty lists and buffers are not allowed.
        if let Some(map) = document.as_object_mut() {
            for key in ["meshes", "accessors", "bufferViews", "buffers"] {
                map.remove(key);
            }
        }
        document["nodes"][0].as_object_mut().map(|root| root.remove("children"));
    }
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let data = if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    let mut file = b"glTF".to_vec();
    for number in [2, (12 + 8 + json.len() + data) as u32, json.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json);
    if !bytes.is_empty() {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(bytes);
    }
    file
}

/// From green over yellow to violet, linear.
fn heat(share: f64) -> [f32; 3] {
    let stops = [[0.03, 0.45, 0.30], [0.70, 0.62, 0.05], [0.75, 0.18, 0.05], [0.35, 0.04, 0.50]];
    let at = share.clamp(0.0, 1.0) * 3.0;
    let i = (at.floor() as usize).min(2);
    let t = at - i as f64;
    [0, 1, 2].map(|k| (stops[i][k] * (1.0 - t) + stops[i + 1][k] * t) as f32)
}

fn octahedron() -> [[f32; 3]; 24] {
    let mut corners = [[0.0; 3]; 24];
    let mut next = 0;
    for x in [-1.0, 1.0] {
        for y in [-1.0, 1.0] {
            for z in [-1.0, 1.0] {
                let [a, b, c] = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
                corners[next..next + 3].copy_from_slice(&if x * y * z > 0.0 { [a, b, c] } else { [a, c, b] });
                next += 3;
            }
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_wider_where_there_is_too_much_floor() {
        let widths = [0, MOST_SQUARES, MOST_SQUARES + 1, 16_800_000, 1_000_000_000].map(cells_per_side);
        assert_eq!(widths, [1, 1, 2, 8, 64]);
    }
}
