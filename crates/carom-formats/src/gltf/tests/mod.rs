//! The rules of glTF, each on the smallest document that shows it.

mod animation;
mod refusals;

use glam::DVec3;
use serde_json::{Value, json};

use super::*;
use crate::level::Landmark;
use crate::options::{Patches, Solids};
use crate::up::Up;

const OPTIONS: LoadOptions = LoadOptions {
    up: None,
    scale: None,
    solids: Solids { sky: true, player_clip: true, monster_clip: false, liquids: false },
    patches: Patches::Triangles,
    tolerance: 1.0,
    animations: Animations::Ignored,
    limits: Limits { bytes: 1 << 20, vertices: 1000, triangles: 1000, nodes: 100, depth: 3, keyframes: 1000 },
};

/// Builds documents: data goes into one buffer, each piece with a view and an accessor of its own.
struct Builder {
    root: Value,
    data: Vec<u8>,
}

impl Builder {
    fn new() -> Self {
        let root = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": []}], "accessors": [], "bufferViews": []
        });
        Self { root, data: Vec::new() }
    }

    /// A document of one mesh with these vertices and, if there are any, indices.
    fn with(vertices: &[[f32; 3]], indices: &[u16]) -> Self {
        let mut builder = Self::new();
        let position = builder.positions(vertices);
        let mut primitive = json!({"attributes": {"POSITION": position}});
        if !indices.is_empty() {
            let data: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
            primitive["indices"] = builder.accessor(&data, "SCALAR", 5123, indices.len()).into();
        }
        builder.primitive(primitive);
        builder
    }

    fn push(&mut self, list: &str, entry: Value) -> usize {
        let list = self.root[list].as_array_mut().unwrap();
        list.push(entry);
        list.len() - 1
    }

    fn view(&mut self, data: &[u8], stride: usize) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.data.len(), "byteLength": data.len()});
        if stride > 0 {
            view["byteStride"] = stride.into();
        }
        self.data.extend(data);
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, data: &[u8], shape: &str, component: u32, count: usize) -> usize {
        let view = self.view(data, 0);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": shape, "count": count}),
        )
    }

    fn positions(&mut self, vertices: &[[f32; 3]]) -> usize {
        self.accessor(&floats(vertices), "VEC3", 5126, vertices.len())
    }

    fn primitive(&mut self, primitive: Value) {
        self.root["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }

    fn set(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        self.root.pointer_mut(parent).unwrap()[key] = value.into();
        self
    }

    fn json(&self) -> Vec<u8> {
        let mut root = self.root.clone();
        if root.get("buffers").is_none() {
            let uri = format!("data:application/octet-stream;base64,{}", base64(&self.data));
            root["buffers"] = json!([{"byteLength": self.data.len(), "uri": uri}]);
        }
        serde_json::to_vec(&root).unwrap()
    }

    fn glb(&self) -> Vec<u8> {
        let mut root = self.root.clone();
        root["buffers"] = json!([{"byteLength": self.data.len()}]);
        let json = serde_json::to_vec(&root).unwrap();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend((28 + json.len() as u32 + self.data.len() as u32).to_le_bytes());
        for (kind, data) in [(b"JSON", &json), (b"BIN\0", &self.data)] {
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.extend(data);
        }
        bytes
    }

    fn read(&self) -> Result<RawLevel, LoadError> {
        crate::parse(&self.json(), Format::Gltf, &OPTIONS)
    }

    fn level(&self) -> RawLevel {
        self.read().unwrap()
    }

    fn refusal(&self) -> String {
        self.read().unwrap_err().to_string()
    }
}

fn base64(data: &[u8]) -> String {
    use ::base64::Engine;
    ::base64::engine::general_purpose::STANDARD.encode(data)
}

fn floats(vertices: &[[f32; 3]]) -> Vec<u8> {
    vertices.iter().flatten().flat_map(|x| x.to_le_bytes()).collect()
}

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

fn square() -> Builder {
    Builder::with(&SQUARE, &[0, 1, 2, 0, 2, 3])
}

#[test]
fn json_and_container_are_the_same_level() {
    let level = square().level();
    assert_eq!(
        (level.vertices.as_slice(), level.triangles.as_slice()),
        (SQUARE.as_slice(), [[0, 1, 2], [0, 2, 3]].as_slice())
    );
    assert!(level.skipped.is_nothing());
    let binary = crate::parse(&square().glb(), Format::Glb, &OPTIONS).unwrap();
    assert_eq!(RawLevel { format: Format::Gltf, ..binary }, level);
}

#[test]
fn a_mixed_up_extension_does_no_harm() {
    let level = crate::parse(&square().glb(), Format::Gltf, &OPTIONS).unwrap();
    assert_eq!((level.format, level.triangles.len()), (Format::Glb, 2));
    let level = crate::parse(&square().json(), Format::Glb, &OPTIONS).unwrap();
    assert_eq!((level.format, level.triangles.len()), (Format::Gltf, 2));
}

#[test]
fn indices_of_every_width_or_none() {
    for (component, data) in [
        (5121, vec![2, 1, 0]),
        (5123, vec![2, 0, 1, 0, 0, 0]),
        (5125, vec![2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let mut builder = Builder::with(&SQUARE, &[]);
        let indices = builder.accessor(&data, "SCALAR", component, 3);
        let builder = builder.set("/meshes/0/primitives/0/indices", indices);
        assert_eq!(builder.level().triangles, [[2, 1, 0]]);
    }
    let level = Builder::with(&SQUARE, &[]).level();
    assert_eq!((level.triangles.as_slice(), level.skipped.incomplete_faces), ([[0, 1, 2]].as_slice(), 1));
}

#[test]
fn every_mode_of_triangles_is_read_and_the_others_are_counted() {
    let read = |mode: u32| square().set("/meshes/0/primitives/0/mode", mode).level();
    assert_eq!(read(4).triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read(5).triangles, [[0, 1, 2], [1, 0, 2], [2, 0, 2], [0, 3, 2]]);
    assert_eq!(read(6).triangles, [[0, 1, 2], [0, 2, 0], [0, 0, 2], [0, 2, 3]]);
    for (mode, points, lines) in [(0, 6, 0), (1, 0, 3), (2, 0, 6), (3, 0, 5)] {
        let level = read(mode);
        assert_eq!(
            (level.skipped.points, level.skipped.lines, level.vertices.len()),
            (points, lines, 0),
            "{mode}"
        );
    }
    assert_eq!(
        square().set("/meshes/0/primitives/0/mode", 7).refusal(),
        "meshes[0].primitives[0].mode: expected a mode from 0 to 6, found `7`"
    );
}

#[test]
fn nodes_are_read_depth_first_in_their_order() {
    let mut builder = Builder::with(&SQUARE, &[0, 1, 2]);
    builder.root["scenes"] = json!([{"nodes": [1]}, {"nodes": [3, 0]}]);
    builder.root["nodes"] = json!([
        {"name": "last", "mesh": 0, "translation": [4, 0, 0]},
        {"name": "elsewhere", "mesh": 0},
        {"name": "inner", "mesh": 0, "translation": [0, 2, 0], "scale": [2, 2, 2]},
        {"name": "outer", "mesh": 0, "translation": [1, 0, 0], "children": [4, 2]},
        {"mesh": 0, "translation": [0, 0, 3]},
    ]);
    let level = builder.set("/scene", 1).level();
    let first: Vec<_> = level.triangles.iter().map(|&[_, b, _]| level.vertices[b as usize]).collect();
    assert_eq!(first, [[2.0, 0.0, 0.0], [2.0, 0.0, 3.0], [3.0, 2.0, 0.0], [5.0, 0.0, 0.0]]);
    assert_eq!(level.surfaces, ["outer", "default", "inner", "last"]);
    let landmark = |name: &str, x, y, z| Landmark { name: name.to_owned(), position: DVec3::new(x, y, z) };
    assert_eq!(
        level.landmarks,
        [landmark("outer", 1.0, 0.0, 0.0), landmark("inner", 1.0, 2.0, 0.0), landmark("last", 4.0, 0.0, 0.0)]
    );
}

#[test]
fn without_a_default_the_first_scene_and_without_scenes_all_roots() {
    let mut builder = Builder::with(&SQUARE, &[0, 1, 2]);
    builder.root["scenes"] = json!([{"nodes": [2]}, {"nodes": [0]}]);
    builder.root["nodes"] = json!([{"name": "a", "children": [1]}, {"name": "b"}, {"name": "c"}]);
    let names =
        |builder: &Builder| builder.level().landmarks.into_iter().map(|place| place.name).collect::<Vec<_>>();
    assert_eq!(names(&builder), ["c"]);
    builder.root["scene"] = Value::Null;
    assert_eq!(names(&builder), ["c"]);
    builder.root["scene"] = 1.into();
    assert_eq!(names(&builder), ["a", "b"]);
    builder.root["scene"] = Value::Null;
    builder.root["scenes"] = json!([]);
    assert_eq!(names(&builder), ["a", "b", "c"]);
    builder.root["scenes"] = json!([{}]);
    assert_eq!(names(&builder), [""; 0]);
}

#[test]
fn transforms_are_composed_in_f64_and_rounded_once() {
    let mut builder = Builder::with(&[[0.1, 0.2, 0.3]; 3], &[]);
    builder.root["nodes"] = json!([
        {"translation": [16_777_217.0, 0.7, 1e-9], "children": [1]},
        {"mesh": 0, "translation": [-16_777_217.0, 0.1, 0.3], "scale": [1, 3, 1], "name": "n"},
    ]);
    let options = LoadOptions { up: Some(Up::Z), scale: Some(0.1), ..OPTIONS };
    let level = crate::parse(&builder.json(), Format::Gltf, &options).unwrap();
    let (y, z) = (0.7 + (0.1 + 3.0 * f64::from(0.2_f32)), 1e-9 + (0.3 + f64::from(0.3_f32)));
    let [x2, y2, z2] = level.vertices[0];
    // x is what is left of a sum near 2²⁴: with the translations in f32 it would be 0 or 2.
    assert!((f64::from(x2) - 0.1 * f64::from(0.1_f32)).abs() < 1e-9, "{x2}");
    assert!((f64::from(y2) - 0.1 * z).abs() <= f64::from(f32::EPSILON) * 0.1 * z, "{y2}");
    assert!((f64::from(z2) + 0.1 * y).abs() <= f64::from(f32::EPSILON) * 0.1 * y, "{z2}");
    assert_eq!(level.landmarks[0].position, DVec3::new(0.0, 0.1 * (1e-9 + 0.3), -0.1 * (0.7 + 0.1)));
}

#[test]
fn a_mirrored_node_keeps_outside_outside() {
    let mut builder = square();
    builder.root["nodes"] = json!([{"mesh": 0, "scale": [-1, 1, 1]}]);
    let level = builder.level();
    assert_eq!(level.triangles, [[0, 2, 1], [0, 3, 2]]);
    assert_eq!(level.vertices[1], [-1.0, 0.0, 0.0]);
    builder.root["nodes"] = json!([{"scale": [-1, 1, 1], "children": [1]}, {"mesh": 0, "scale": [1, 1, -1]}]);
    assert_eq!(builder.level().triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn an_interleaved_buffer_is_read_at_its_stride() {
    let mut builder = Builder::new();
    let mut data = vec![9; 4];
    for vertex in SQUARE {
        data.extend(floats(&[vertex]));
        data.extend([9; 8]);
    }
    data.truncate(4 + 3 * 20 + 12);
    let view = builder.view(&data, 20);
    builder.push(
        "accessors",
        json!({"bufferView": view, "byteOffset": 4, "componentType": 5126, "type": "VEC3", "count": 4}),
    );
    builder.primitive(json!({"attributes": {"POSITION": 0, "_CUSTOM": 77}, "mode": 6}));
    assert_eq!(builder.level().vertices, SQUARE);
    assert!(
        builder.set("/bufferViews/0/byteStride", 8).refusal().contains("byteStride no less than an element")
    );
}

#[test]
fn a_sparse_accessor_replaces_elements_with_or_without_a_buffer() {
    let mut builder = square();
    let indices = builder.view(&[1, 0, 3, 0], 0);
    let values = builder.view(&floats(&[[7.0, 8.0, 9.0], [4.0, 5.0, 6.0]]), 0);
    let sparse = json!({"count": 2, "indices": {"bufferView": indices, "componentType": 5123}, "values": {"bufferView": values}});
    let mut builder = builder.set("/accessors/0/sparse", sparse);
    assert_eq!(builder.level().vertices, [SQUARE[0], [7.0, 8.0, 9.0], SQUARE[2], [4.0, 5.0, 6.0]]);
    builder.root["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(builder.level().vertices, [[0.0; 3], [7.0, 8.0, 9.0], [0.0; 3], [4.0, 5.0, 6.0]]);
    // Once more, with indices that do not grow, and one that is too large.
    for wrong in [[3, 0, 1, 0], [1, 0, 1, 0], [1, 0, 4, 0]] {
        let start = builder.root["bufferViews"][indices]["byteOffset"].as_u64().unwrap() as usize;
        builder.data[start..start + 4].copy_from_slice(&wrong);
        assert!(
            builder.refusal().starts_with("accessors[0].sparse.indices: expected indices that grow"),
            "{wrong:?}"
        );
    }
    assert!(
        builder
            .set("/accessors/0/sparse/count", 5)
            .refusal()
            .starts_with("accessors[0].sparse: reaches to byte 5 of 4")
    );
}

#[test]
fn a_sparse_accessor_of_zeros_stops_at_the_limit() {
    let mut builder = square();
    let view = builder.view(&[0; 16], 0);
    let sparse = json!({"count": 1, "indices": {"bufferView": view, "componentType": 5121}, "values": {"bufferView": view}});
    for (accessor, over) in [(0, "more than 1000 vertices"), (1, "more than 1000 triangles")] {
        let mut builder = Builder { root: builder.root.clone(), data: builder.data.clone() };
        builder.root["accessors"][accessor]["sparse"] = sparse.clone();
        builder.root["accessors"][accessor]["count"] = u64::MAX.into();
        builder.root["accessors"][accessor].as_object_mut().unwrap().remove("bufferView");
        assert!(builder.refusal().starts_with(over), "{}", builder.refusal());
    }
}

#[test]
fn quantized_positions_are_numbers() {
    for (component, data, plain, normalized) in [
        (5120, vec![0x81_u8, 0x7F, 0x80], [-127.0_f32, 127.0, -128.0], [-1.0_f32, 1.0, -1.0]),
        (5121, vec![0, 255, 51], [0.0, 255.0, 51.0], [0.0, 1.0, 0.2]),
        (5122, vec![0x01, 0x80, 0xFF, 0x7F, 0, 0], [-32767.0, 32767.0, 0.0], [-1.0, 1.0, 0.0]),
        (5123, vec![0xFF, 0xFF, 0, 0, 0x33, 0x33], [65535.0, 0.0, 13107.0], [1.0, 0.0, 0.2]),
    ] {
        let mut builder = Builder::new();
        builder.accessor(&data, "VEC3", component, 1);
        builder.primitive(json!({"attributes": {"POSITION": 0}}));
        let builder = builder.set("/extensionsRequired", json!(["KHR_mesh_quantization"]));
        assert_eq!(builder.level().vertices, [plain], "{component}");
        assert_eq!(
            builder.set("/accessors/0/normalized", true).level().vertices,
            [normalized],
            "{component}"
        );
    }
}

#[test]
fn primitives_of_a_node_share_their_vertices() {
    let mut builder = square();
    builder.primitive(json!({"attributes": {"POSITION": 0}, "indices": 1, "material": 1}));
    builder.primitive(json!({"attributes": {"NORMAL": 0}}));
    let ice = json!({"baseColorFactor": [0.25, 2.0, 0.5, 1.0]});
    builder.root["materials"] = json!([{}, {"name": "ice", "pbrMetallicRoughness": ice}]);
    builder.root["nodes"] = json!([{"mesh": 0, "children": [1]}, {"mesh": 0, "name": "floor"}]);
    let level = builder.set("/meshes/0/name", "slab").level();
    assert_eq!((level.vertices.len(), level.triangles.len(), level.skipped.primitives), (8, 8, 2));
    assert_eq!(level.triangles[4], [4, 5, 6]);
    assert_eq!(level.surfaces, ["slab", "slab/ice", "floor", "floor/ice"]);
    let ice = Some([0.25, 1.0, 0.5]);
    assert_eq!(level.colors, [None, ice, None, ice]);
    assert_eq!(level.surface_ids, [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn not_a_number_and_infinity_are_kept() {
    let level = Builder::with(&[[f32::NAN, f32::INFINITY, f32::MAX]; 3], &[])
        .set("/nodes/0/scale", json!([1, -1, 2]))
        .level();
    assert!(level.vertices[0][0].is_nan());
    // A matrix mixes its columns: zero times it is NaN, too.
    assert!(level.vertices[0].iter().all(|x| !x.is_finite()));
}

#[test]
fn a_buffer_beside_the_file_is_read_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let builder =
        square().set("/buffers", json!([{"byteLength": square().data.len(), "uri": "sub/my%20level.bin"}]));
    let path = folder.path().join("level.gltf");
    std::fs::write(&path, builder.json()).unwrap();
    let said = || crate::load(&path, &OPTIONS).unwrap_err().to_string();
    assert!(said().contains("buffers[0]: `sub/my%20level.bin` cannot be read:"), "{}", said());
    std::fs::create_dir_all(folder.path().join("sub/my level.bin")).unwrap();
    assert!(said().contains("is not a file"), "{}", said());
    std::fs::remove_dir(folder.path().join("sub/my level.bin")).unwrap();
    std::fs::write(folder.path().join("sub/my level.bin"), &builder.data[1..]).unwrap();
    assert!(said().contains("buffers[0]: reaches to byte 60 of 59"), "{}", said());
    std::fs::write(folder.path().join("sub/my level.bin"), [&builder.data[..], b"more"].concat()).unwrap();
    assert_eq!(crate::load(&path, &OPTIONS).unwrap(), square().level());
    let size = std::fs::metadata(&path).unwrap().len();
    let options = |bytes| LoadOptions { limits: Limits { bytes, ..OPTIONS.limits }, ..OPTIONS };
    assert!(crate::load(&path, &options(size + 64)).is_ok());
    assert!(matches!(
        crate::load(&path, &options(size + 63)).unwrap_err().fact(),
        LoadError::OverLimit { resource: Resource::Bytes, .. }
    ));
    assert_eq!(
        builder.refusal(),
        "buffers[0]: is in `sub/my%20level.bin`: load the file by its path, or export it as .glb"
    );
}

#[test]
fn what_is_no_part_of_a_level_may_be_anything() {
    let level = square()
        .set("/animations", json!([{"channels": "nonsense"}]))
        .set("/extras", 3)
        .set("/skins", json!({"a": [1, 2.5, null]}))
        .set("/nodes/0/camera", -1)
        .level();
    assert_eq!(level.triangles.len(), 2);
}

#[test]
fn no_nodes_are_an_empty_level() {
    let bytes = b"\xEF\xBB\xBF {\"asset\":{\"version\":\"2.0\"}}";
    assert_eq!(crate::parse(bytes, Format::Gltf, &OPTIONS).unwrap().triangles.len(), 0);
}

#[test]
fn nodes_that_are_volumes_are_no_triangles() {
    let text = r#"{"asset":{"version":"2.0"},"nodes":[
        {"name":"carom_kill_pit","translation":[0,-5,0],"scale":[10,1,10]},
        {"name":"carom_teleport","children":[2]},{"name":"carom_to","translation":[0,8,0]},
        {"name":"carom_push","extras":{"velocity":[0,9,0]}}]}"#;
    let level = crate::parse(text.as_bytes(), crate::Format::Gltf, &crate::LoadOptions::default()).unwrap();
    let kinds: Vec<&str> = level.volumes.iter().map(|volume| volume.kind.name()).collect();
    assert_eq!(kinds, ["kill", "teleport", "push"]);
    assert!(level.volumes[0].pieces[0].contains(glam::DVec3::new(9.5, -4.5, -9.5)));
    assert!(!level.volumes[0].pieces[0].contains(glam::DVec3::new(9.5, -3.9, -9.5)));
    assert_eq!(level.volumes[1].kind, crate::VolumeKind::Teleport { to: glam::DVec3::new(0.0, 8.0, 0.0) });
    for (text, what) in [("carom_teleport", "carom_to"), ("carom_push", "velocity")] {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"{text}"}}]}}"#);
        let error =
            crate::parse(text.as_bytes(), crate::Format::Gltf, &crate::LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("nodes[0]") && error.to_string().contains(what), "{error}");
    }
}

#[test]
fn nodes_that_show_one_mesh_are_bodies_that_share_it_and_stand_where_the_level_has_them() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut file = square();
    file.root["nodes"] = json!([
        {"name": "near", "mesh": 0, "translation": [1.0, 2.0, 3.0]},
        {"name": "turned", "mesh": 0, "rotation": [0.0, half, 0.0, half], "scale": [2.0, 2.0, 2.0], "children": [2]},
        {"name": "in it", "mesh": 0, "translation": [0.0, 0.5, 0.25]},
        {"name": "sheared", "mesh": 0, "scale": [1.0, 3.0, 1.0]},
        {"name": "mirrored", "mesh": 0, "scale": [-1.0, 1.0, 1.0]},
        {"name": "nothing", "translation": [1.0, 0.0, 0.0]},
    ]);
    file.root["scenes"] = json!([{"nodes": [0, 1, 3, 4, 5]}]);
    for (up, scale) in [(crate::Up::Y, 1.0), (crate::Up::Z, 0.5)] {
        let options = crate::LoadOptions { up: Some(up), scale: Some(scale), ..OPTIONS };
        let level = crate::parse(&file.json(), Format::Gltf, &options).unwrap();
        let bodies = level.clone().into_bodies().unwrap();
        let names: Vec<&str> = bodies.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["near", "turned", "in it", "sheared", "mirrored"]);
        let mesh_of = |i: usize| match bodies[i].body.collider() {
            carom::world::Collider::Mesh(mesh) => mesh.clone(),
            _ => panic!("a node is a mesh"),
        };
        assert!(
            std::sync::Arc::ptr_eq(&mesh_of(0), &mesh_of(1))
                && std::sync::Arc::ptr_eq(&mesh_of(0), &mesh_of(2))
        );
        assert!(!std::sync::Arc::ptr_eq(&mesh_of(0), &mesh_of(3)));
        for (i, node) in level.nodes.iter().enumerate() {
            let (mesh, pose) = (mesh_of(i), *bodies[i].body.pose());
            let in_level = &level.vertices[node.vertices.clone()];
            for (triangle, corners) in level.triangles[node.triangles.clone()].iter().enumerate() {
                for (own, corner) in mesh.mesh().corners(triangle as u32).into_iter().zip(corners) {
                    let found = pose.position() + pose.rotation() * (own * pose.scale());
                    let expected = in_level[*corner as usize - node.vertices.start].map(f64::from);
                    assert!((found - glam::DVec3::from(expected)).length() < 1e-6, "{} {up:?}", node.name);
                }
            }
        }
    }
}
