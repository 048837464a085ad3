//! Level files, lists and built-in levels to triangles, with all that a file says beside them.

use std::path::Path;

use carom::glam::DVec3;
use carom::mesh::MeshData;
use carom_formats::{Format, Landmark, Limits, LoadOptions, Source, Up, Volume, parse_with};
use carom_scenes::courtyard::{courtyard, courtyard_with_defects};
use wasm_bindgen::prelude::*;

use crate::error::{bad_value, coded};
use crate::triangles::listed;

/// Files of strangers: no level of more than this is read.
const LIMITS: Limits = Limits {
    bytes: 1 << 30,
    vertices: 20_000_000,
    triangles: 20_000_000,
    nodes: 1_000_000,
    depth: 256,
    keyframes: 1_000_000,
};

/// Files that a level names, by their names.
#[wasm_bindgen]
#[derive(Clone, Debug, Default)]
pub struct RawFiles {
    list: Vec<(String, Vec<u8>)>,
}

#[wasm_bindgen]
impl RawFiles {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawFiles {
        RawFiles::default()
    }

    /// One more.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.list.push((name, bytes));
    }
}

/// The triangles of a level, and all that its file says beside them.
#[wasm_bindgen]
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "explore"),
    expect(dead_code, reason = "explorations read the name, the skies and the volumes")
)]
pub struct RawLevel {
    pub(crate) data: MeshData,
    pub(crate) name: String,
    pub(crate) landmarks: Vec<Landmark>,
    pub(crate) surfaces: Vec<String>,
    /// Numbers of those that show the sky.
    pub(crate) skies: Vec<u16>,
    pub(crate) volumes: Vec<Volume>,
    /// The axis that is up in the file, and meters per unit of it.
    pub(crate) up: Up,
    pub(crate) scale: f64,
    /// Of a .bsp or .map: what is inside.
    pub(crate) source: Option<Source>,
    /// Of a built-in level.
    pub(crate) spawns: Vec<DVec3>,
}

#[wasm_bindgen]
impl RawLevel {
    /// Reads a level file; `name` says by its extension what it is. `up`: 0 as the format has it, 1 y, 2 z.
    /// `scale`: meters per unit, NaN as the format has it. `flip`: triangles face the other way.
    ///
    /// # Errors
    /// Whatever is wrong with the file, with its line or index.
    #[wasm_bindgen(js_name = fromFile)]
    pub fn from_file(
        bytes: &[u8],
        name: &str,
        files: &RawFiles,
        up: u8,
        scale: f64,
        flip: bool,
    ) -> Result<RawLevel, JsValue> {
        let format = Format::from_path(Path::new(name)).ok_or_else(|| {
            let advice = "use .glb, .gltf, .obj, .stl, .ply, .bsp or .map";
            coded("UNKNOWN_FORMAT", format!("{name} is not a level by its extension: {advice}"))
        })?;
        let up = match up {
            1 => Some(Up::Y),
            2 => Some(Up::Z),
            _ => None,
        };
        let scale = (!scale.is_nan()).then_some(scale);
        let options = LoadOptions { up, scale, limits: LIMITS, ..LoadOptions::default() };
        let broken = |error: &dyn core::fmt::Display| coded("BAD_FILE", format!("{name}: {error}"));
        let mut raw = parse_with(bytes, format, &options, &files.list).map_err(|error| broken(&error))?;
        if raw.triangles.is_empty() {
            return Err(coded("EMPTY_LEVEL", format!("{name}: there are no triangles in it")));
        }
        if flip {
            raw.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        let (up, scale) = (raw.up, raw.scale);
        let (landmarks, surfaces, volumes) =
            (raw.landmarks.clone(), raw.surfaces.clone(), std::mem::take(&mut raw.volumes));
        let (skies, source) = (std::mem::take(&mut raw.skies), raw.source.take());
        let level = Self::of(raw.into_mesh_data(), name);
        Ok(RawLevel { landmarks, surfaces, skies, volumes, up, scale, source, ..level })
    }

    /// Triangles from lists: three coordinates a vertex, three indices a triangle, counterclockwise seen from
    /// outside.
    ///
    /// # Errors
    /// Lengths that are no multiple of three.
    #[wasm_bindgen(js_name = fromTriangles)]
    pub fn from_triangles(vertices: &[f32], indices: &[u32]) -> Result<RawLevel, JsValue> {
        Ok(Self::of(listed(vertices, indices)?, "triangles"))
    }

    /// A built-in level: `courtyard`, with the defects planted in it, or `courtyard-whole`, without.
    ///
    /// # Errors
    /// Any other name.
    #[wasm_bindgen(js_name = builtIn)]
    pub fn built_in(name: &str) -> Result<RawLevel, JsValue> {
        let (mesh, spawns) = match name {
            "courtyard" => {
                let broken = courtyard_with_defects();
                (broken.mesh, broken.spawns.to_vec())
            }
            "courtyard-whole" => {
                let whole = courtyard();
                (whole.mesh, vec![whole.spawn])
            }
            _ => {
                let known = "courtyard and courtyard-whole";
                return Err(bad_value(format!("there is no built-in level {name}, only {known}")));
            }
        };
        let data = MeshData { vertices: mesh.vertices, triangles: mesh.triangles, ..MeshData::default() };
        Ok(RawLevel { spawns, ..Self::of(data, name) })
    }

    /// Three f32 coordinates a vertex, in meters, y up: for drawing.
    pub fn vertices(&self) -> Vec<f32> {
        self.data.vertices.as_flattened().to_vec()
    }

    /// Three indices a triangle.
    pub fn indices(&self) -> Vec<u32> {
        self.data.triangles.as_flattened().to_vec()
    }

    /// The number of the surface of each triangle; empty if all are of one.
    #[wasm_bindgen(js_name = surfaceIds)]
    pub fn surface_ids(&self) -> Vec<u16> {
        self.data.surface_ids.clone()
    }

    /// The names of the surfaces.
    #[wasm_bindgen(js_name = surfaceNames)]
    pub fn surface_names(&self) -> Vec<String> {
        self.surfaces.clone()
    }

    /// The names of points of the level.
    #[wasm_bindgen(js_name = landmarkNames)]
    pub fn landmark_names(&self) -> Vec<String> {
        self.landmarks.iter().map(|at| at.name.clone()).collect()
    }

    /// Where these are: three numbers each.
    #[wasm_bindgen(js_name = landmarkPositions)]
    pub fn landmark_positions(&self) -> Vec<f64> {
        self.landmarks.iter().flat_map(|at| at.position.to_array()).collect()
    }

    /// Three coordinates for each spawn that comes with a built-in level.
    pub fn spawns(&self) -> Vec<f64> {
        self.spawns.iter().flat_map(DVec3::to_array).collect()
    }

    /// How it was read: 1 if z is up in the file, else 0; meters per unit.
    pub fn frame(&self) -> Vec<f64> {
        vec![f64::from(u8::from(self.up == Up::Z)), self.scale]
    }
}

impl RawLevel {
    fn of(data: MeshData, name: &str) -> Self {
        Self {
            data,
            name: name.to_owned(),
            landmarks: Vec::new(),
            surfaces: Vec::new(),
            skies: Vec::new(),
            source: None,
            volumes: Vec::new(),
            up: Up::Y,
            scale: 1.0,
            spawns: Vec::new(),
        }
    }
}
