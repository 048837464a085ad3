//! The levels of the data folder, each in meters with y up.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use carom::mesh::{Mesh, MeshData};
use carom::world::MeshTree;
use carom_formats::{LoadOptions, Up, load};
use glam::DVec3;

/// A level, and where one may stand in it.
pub(crate) struct Level {
    pub(crate) name: String,
    pub(crate) triangles: u32,
    pub(crate) mesh: Arc<MeshTree>,
    /// Triangles that can be walked on, by area: each with the sum of the areas up to it.
    ground: Vec<(f64, [DVec3; 3])>,
    /// Of the lowest vertex, in meters.
    pub(crate) lowest: f64,
}

/// File, which way is up, meters per unit.
const LEVELS: [(&str, Up, f64); 27] = [
    ("recast_nav/nav_test.obj", Up::Y, 1.0),
    ("recast_nav/undulating.obj", Up::Y, 1.0),
    ("threejs_collision_world/collision-world.glb", Up::Y, 1.0),
    ("bevy_ahoy_playground/playground.glb", Up::Y, 1.0),
    ("avian_cc_demo/character_controller_demo.glb", Up::Y, 1.0),
    ("box3d_meshes/building.obj", Up::Y, 1.0),
    ("box3d_meshes/stairs.obj", Up::Y, 1.0),
    ("box3d_meshes/test_map01.obj", Up::Y, 1.0),
    ("box3d_meshes/conveyor.obj", Up::Y, 1.0),
    ("box3d_meshes/voxel_mesh_01.obj", Up::Z, 0.01),
    ("box3d_meshes/voxel_mesh_02.obj", Up::Z, 0.01),
    ("box3d_meshes/collision_mesh_01.obj", Up::Z, 0.01),
    ("koroibot_stairs/staircases_koroibot_hr.obj", Up::Z, 1.0),
    ("godot_truck_town/town_model.gltf", Up::Y, 1.0),
    ("cube2_pandora/pandora.obj", Up::Y, 0.05),
    ("redeclipse_auster/auster.obj", Up::Y, 0.05),
    ("lost_empire/lost_empire.obj", Up::Y, 1.0),
    ("holodeck/holodeck.obj", Up::Y, 0.01),
    ("conference_room/conference.obj", Up::Y, 0.003),
    ("sthelens_dem/sthelens_327x466_i16.bin", Up::Y, 1.0),
    ("q1q2_librequake_e0m1/lq_e0m1.bsp", Up::Z, 0.03),
    ("q1q2_librequake_e0m1/lq_e0m1-quake2.bsp", Up::Z, 0.03),
    ("q1q2_librequake_e0m1/lq_e0m4.bsp", Up::Z, 0.03),
    ("q3_openarena_dev/oa_ctf2old.bsp", Up::Z, 0.03),
    ("q3_openarena_dev/oa_ctf2old.map", Up::Z, 0.03),
    ("q3_openarena_dev/oa_ctf4ish2.map", Up::Z, 0.03),
    ("q3_openarena_dev/am_underworks.map", Up::Z, 0.03),
];

/// All levels whose names contain `filter`.
pub(crate) fn load_all(data: &Path, filter: &str) -> Result<Vec<Level>> {
    let mut levels = Vec::new();
    for (name, up, scale) in LEVELS {
        if !name.contains(filter) {
            continue;
        }
        let options = LoadOptions { up: Some(up), scale: Some(scale), ..LoadOptions::default() };
        let mesh = match name {
            "conference_room/conference.obj" => conference(data, &options),
            "sthelens_dem/sthelens_327x466_i16.bin" => terrain(&data.join(name)),
            _ => load(data.join(name), &options).map_err(Into::into).and_then(|level| Ok(level.into_mesh()?)),
        };
        levels.push(Level::new(name, mesh.with_context(|| name.to_owned())?));
    }
    Ok(levels)
}

/// A level of any file.
pub(crate) fn load_file(path: &Path, up: Up, scale: f64) -> Result<Level> {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string());
    let options = LoadOptions { up: Some(up), scale: Some(scale), ..LoadOptions::default() };
    let mesh = load(path, &options).with_context(|| path.display().to_string())?.into_mesh();
    Ok(Level::new(&name, mesh.with_context(|| path.display().to_string())?))
}

/// The one level that is kept zipped.
fn conference(data: &Path, options: &LoadOptions) -> Result<Mesh> {
    let folder = tempfile::tempdir()?;
    let mut archive = zip::ZipArchive::new(File::open(data.join("conference_room/conference.zip"))?)?;
    let path = folder.path().join("conference.obj");
    std::io::copy(&mut archive.by_name("conference.obj")?, &mut File::create(&path)?)?;
    Ok(load(&path, options)?.into_mesh()?)
}

/// Heights of a mountain: 327 columns of 466 rows of i16, 30 m apart, −32768 where there are none.
fn terrain(path: &Path) -> Result<Mesh> {
    const ROWS: usize = 466;
    const COLUMNS: usize = 327;
    let bytes = std::fs::read(path)?;
    let heights: Vec<i16> =
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    anyhow::ensure!(heights.len() == ROWS * COLUMNS, "{} heights", heights.len());
    let known = |i: usize| heights[i] != i16::MIN;
    let vertex = |i: usize| {
        let height = if known(i) { f32::from(heights[i]) } else { 0.0 };
        [(i / ROWS) as f32 * 30.0, height, (i % ROWS) as f32 * -30.0]
    };
    let mut triangles = Vec::new();
    for column in 0..COLUMNS - 1 {
        for row in 0..ROWS - 1 {
            let a = column * ROWS + row;
            for triangle in [[a, a + ROWS, a + ROWS + 1], [a, a + ROWS + 1, a + 1]] {
                if triangle.iter().all(|i| known(*i)) {
                    triangles.push(triangle.map(|i| i as u32));
                }
            }
        }
    }
    let vertices = (0..heights.len()).map(vertex).collect();
    Ok(Mesh::new(MeshData { vertices, triangles, ..MeshData::default() })?)
}

impl Level {
    fn new(name: &str, mesh: Mesh) -> Self {
        let mut ground = Vec::new();
        let (mut area, mut lowest) = (0.0, f64::INFINITY);
        for triangle in 0..mesh.triangle_count() {
            let corners = mesh.corners(triangle);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            lowest = corners.iter().fold(lowest, |least, corner| least.min(corner.y));
            // Either side may be the upper one: not every file winds its triangles the same way.
            if normal.y.abs() >= 0.75 * normal.length() && normal.length() > 0.0 {
                area += normal.length();
                ground.push((area, corners));
            }
        }
        let triangles = mesh.triangle_count();
        Self { name: name.to_owned(), triangles, mesh: Arc::new(MeshTree::new(mesh)), ground, lowest }
    }

    /// A point of ground; `None` where there is no ground. `share` and the two others are from 0 to 1.
    pub(crate) fn ground(&self, share: f64, [u, v]: [f64; 2]) -> Option<DVec3> {
        let whole = self.ground.last()?.0;
        let at = self.ground.partition_point(|(area, _)| *area <= share * whole).min(self.ground.len() - 1);
        let [a, b, c] = self.ground[at].1;
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        Some(a + (b - a) * u + (c - a) * v)
    }
}
