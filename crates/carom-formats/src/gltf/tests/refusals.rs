//! Files that are refused, and the words of the errors.

use super::*;

#[test]
fn a_buffer_that_is_nowhere_is_named() {
    for (buffers, said) in [
        (json!([{"byteLength": 60}]), "buffers[0]: has no `uri` and no data"),
        (
            json!([{"byteLength": 60, "uri": "data:;base64,!"}]),
            "buffers[0]: its `data:` URI is not in base64",
        ),
        (json!([{"byteLength": 60, "uri": "data:;base64,AAAA"}]), "buffers[0]: reaches to byte 60 of 3"),
        (json!([]), "bufferViews[0]: index 0 is out of range (buffers: 0)"),
    ] {
        let refusal = square().set("/buffers", buffers).refusal();
        assert!(refusal.starts_with(said), "{refusal}");
    }
    let outside = square().set("/buffers", json!([{"byteLength": 60, "uri": "../secret.bin"}]));
    let error =
        parse(&outside.json(), Format::Gltf, &OPTIONS, Neighbors::Folder("/tmp".as_ref())).unwrap_err();
    assert!(
        error.to_string().starts_with("buffers[0]: `../secret.bin` is not a file in the folder of the level"),
        "{error}"
    );
}

#[test]
fn data_outside_its_buffer_is_refused_by_name() {
    let cases: [(&str, Value, &str); 16] = [
        ("/accessors/0/count", 5.into(), "accessors[0]: reaches to byte 60 of 48"),
        ("/accessors/0/count", u64::MAX.into(), "accessors[0]: reaches to byte 18446744073709551615 of 48"),
        ("/accessors/1/count", u64::MAX.into(), "accessors[1]: reaches to byte 18446744073709551615 of 12"),
        (
            "/accessors/0/byteOffset",
            u64::MAX.into(),
            "accessors[0]: reaches to byte 18446744073709551615 of 48",
        ),
        ("/accessors/0/bufferView", 2.into(), "accessors[0]: index 2 is out of range (bufferViews: 2)"),
        (
            "/accessors/0/componentType",
            5124.into(),
            "accessors[0]: expected a componentType from 5120 to 5126, found `5124`",
        ),
        (
            "/accessors/0/componentType",
            5125.into(),
            "accessors[0]: expected a componentType for positions, found `5125`",
        ),
        ("/accessors/0/type", "VEC2".into(), "accessors[0]: expected type VEC3 for positions, found `VEC2`"),
        ("/accessors/1/type", "VEC3".into(), "accessors[1]: expected type SCALAR for indices, found `VEC3`"),
        (
            "/accessors/1/componentType",
            5126.into(),
            "accessors[1]: expected componentType 5121, 5123 or 5125, found `5126`",
        ),
        ("/bufferViews/0/byteLength", 61.into(), "bufferViews[0]: reaches to byte 61 of 60"),
        (
            "/bufferViews/0/byteOffset",
            u64::MAX.into(),
            "bufferViews[0]: reaches to byte 18446744073709551615 of 60",
        ),
        (
            "/bufferViews/0/byteStride",
            u64::MAX.into(),
            "accessors[0]: reaches to byte 18446744073709551615 of 48",
        ),
        (
            "/meshes/0/primitives/0/indices",
            2.into(),
            "meshes[0].primitives[0]: index 2 is out of range (accessors: 2)",
        ),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            9.into(),
            "meshes[0].primitives[0]: index 9 is out of range (accessors: 2)",
        ),
        (
            "/meshes/0/primitives/0/material",
            0.into(),
            "meshes[0].primitives[0]: index 0 is out of range (materials: 0)",
        ),
    ];
    for (pointer, value, said) in cases {
        let refusal = square().set(pointer, value).refusal();
        assert!(refusal.starts_with(said), "{pointer}: {refusal}");
    }
    assert_eq!(
        Builder::with(&SQUARE, &[0, 1, 2, 0, 4, 3]).refusal(),
        "accessors[1][4]: index 4 is out of range (vertices: 4): the file is damaged or truncated"
    );
    let none = square().set("/accessors/0/bufferView", Value::Null);
    assert_eq!(
        none.refusal(),
        "accessors[0]: an accessor without a bufferView is not supported: export it without compression"
    );
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let read = |scenes: Value, nodes: Value| {
        square().set("/scenes", scenes).set("/nodes", nodes).set("/scene", Value::Null).refusal()
    };
    let scene = json!([{"nodes": [0]}]);
    assert!(read(scene.clone(), json!([{"children": [0]}])).starts_with("nodes[0]: has two parents"));
    assert!(read(scene.clone(), json!([{"children": [1, 1]}, {}])).starts_with("nodes[1]: has two parents"));
    assert!(
        read(scene.clone(), json!([{"children": [1, 2]}, {"children": [2]}, {}]))
            .starts_with("nodes[2]: has two parents")
    );
    assert!(
        read(scene.clone(), json!([{"children": [1]}]))
            .starts_with("nodes[0]: index 1 is out of range (nodes: 1)")
    );
    assert!(
        read(json!([{"nodes": [3]}]), json!([])).starts_with("scenes[0]: index 3 is out of range (nodes: 0)")
    );
    assert!(
        read(json!([]), json!([{}, {"children": [2]}, {"children": [1]}]))
            .starts_with("nodes[1]: has two parents")
    );
    assert!(read(scene, json!([{"mesh": 1}])).starts_with("nodes[0]: index 1 is out of range (meshes: 1)"));
    assert!(square().set("/scene", 1).refusal().starts_with("scene: index 1 is out of range (scenes: 1)"));
}

#[test]
fn limits_hold() {
    let chain = |length: usize| {
        let nodes: Vec<_> = (0..length)
            .map(|i| if i + 1 < length { json!({"children": [i + 1]}) } else { json!({}) })
            .collect();
        square().set("/nodes", nodes).read()
    };
    assert!(chain(4).is_ok());
    assert!(matches!(chain(5), Err(LoadError::OverLimit { resource: Resource::Depth, limit: 3 })));
    let many = square().set("/nodes", vec![json!({}); 101]).read();
    assert!(matches!(many, Err(LoadError::OverLimit { resource: Resource::Nodes, limit: 100 })));
    // One mesh shown many times, with more primitives than may be shown.
    let mut builder = Builder::new();
    for _ in 0..20 {
        builder.primitive(json!({"attributes": {}}));
    }
    let builder = builder
        .set("/nodes", vec![json!({"mesh": 0}); 6])
        .set("/scenes", json!([{"nodes": [0, 1, 2, 3, 4, 5]}]));
    assert!(matches!(builder.read(), Err(LoadError::OverLimit { resource: Resource::Nodes, .. })));
}

const MESHOPT: &str = r#"{"EXT_meshopt_compression":
    {"buffer": 1, "byteLength": 9, "byteStride": 12, "count": 4, "mode": "ATTRIBUTES"}}"#;
const DRACO: &str = r#"{"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}"#;

fn draco(builder: Builder) -> Builder {
    builder.set("/meshes/0/primitives/0/extensions", serde_json::from_str::<Value>(DRACO).unwrap())
}

fn meshopt(builder: Builder) -> Builder {
    builder.set("/bufferViews/0/extensions", serde_json::from_str::<Value>(MESHOPT).unwrap())
}

#[test]
fn the_uncompressed_copy_of_a_draco_mesh_is_read() {
    assert_eq!(draco(square()).level().triangles.len(), 2);
}

#[cfg(not(feature = "draco"))]
#[test]
fn draco_is_refused_by_the_name_of_its_feature() {
    let refusal = draco(square()).set("/accessors/0/bufferView", Value::Null).refusal();
    assert!(refusal.starts_with("meshes[0].primitives[0]: Draco compression is not supported"), "{refusal}");
    assert!(refusal.ends_with("feature `draco`"), "{refusal}");
}

#[cfg(feature = "draco")]
#[test]
fn draco_data_that_is_none_is_refused() {
    let refusal = draco(square()).set("/accessors/0/bufferView", Value::Null).refusal();
    let start =
        "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: expected a mesh that Draco decodes";
    assert!(refusal.starts_with(start), "{refusal}");
}

#[cfg(not(feature = "meshopt"))]
#[test]
fn meshopt_is_refused_by_the_name_of_its_feature() {
    assert_eq!(meshopt(square()).level().triangles.len(), 2);
    let refusal = meshopt(square()).set("/buffers", json!([{"byteLength": 60}])).refusal();
    assert!(refusal.starts_with("bufferViews[0]: meshopt compression is not supported"), "{refusal}");
    assert!(refusal.ends_with("feature `meshopt`"), "{refusal}");
}

#[cfg(feature = "meshopt")]
#[test]
fn meshopt_data_that_is_none_is_refused() {
    let at = "bufferViews[0].extensions.EXT_meshopt_compression";
    assert!(meshopt(square()).refusal().starts_with("bufferViews[0]: index 1 is out of range (buffers: 1)"));
    let own = meshopt(square()).set("/bufferViews/0/extensions/EXT_meshopt_compression/buffer", json!(0));
    let refusal = own.refusal();
    assert!(refusal.starts_with(&format!("{at}: expected data that meshoptimizer decodes")), "{refusal}");
    for (key, value, said) in [
        ("mode", json!("POINTS"), "expected mode ATTRIBUTES, TRIANGLES or INDICES, found `POINTS`"),
        ("count", json!(5), "expected count × byteStride = byteLength, found `60 bytes of 48`"),
    ] {
        let builder = meshopt(square())
            .set("/bufferViews/0/extensions/EXT_meshopt_compression/buffer", json!(0))
            .set(&format!("/bufferViews/0/extensions/EXT_meshopt_compression/{key}"), value);
        assert_eq!(builder.refusal(), format!("{at}: {said}"));
    }
}

#[test]
fn instances_of_a_graphics_card_are_refused() {
    let instanced =
        square().set("/nodes/0/extensions", json!({"EXT_mesh_gpu_instancing": {"attributes": {}}}));
    assert!(instanced.refusal().starts_with("nodes[0]: EXT_mesh_gpu_instancing is not supported"));
}

#[test]
fn a_required_extension_is_refused_unless_it_is_about_looks() {
    for (extension, remedy) in [
        #[cfg(not(feature = "draco"))]
        ("KHR_draco_mesh_compression", "feature `draco`"),
        #[cfg(not(feature = "meshopt"))]
        ("EXT_meshopt_compression", "feature `meshopt`"),
        #[cfg(not(feature = "meshopt"))]
        ("KHR_meshopt_compression", "feature `meshopt`"),
        ("EXT_mesh_gpu_instancing", "export it with a node for every instance"),
        ("VENDOR_portals", "export it without this extension"),
        ("", "export it without this extension"),
    ] {
        let refusal =
            square().set("/extensionsRequired", json!(["KHR_materials_unlit", extension])).refusal();
        assert!(refusal.starts_with("extensionsRequired: ") && refusal.ends_with(remedy), "{refusal}");
        assert!(refusal.contains(extension));
    }
    let looks = json!([
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_texture_transform"
    ]);
    assert!(square().set("/extensionsRequired", looks).read().is_ok());
}

#[test]
fn other_versions_are_refused() {
    assert_eq!(
        square().set("/asset/version", "1.0").refusal(),
        "asset: glTF version `1.0` is not supported: export it as glTF 2.0"
    );
    assert_eq!(
        square().set("/asset/version", "1.0").set("/meshes", json!({"by": {"name": 1}})).refusal(),
        "asset: glTF version `1.0` is not supported: export it as glTF 2.0"
    );
    assert!(square().set("/asset/version", "2.1").refusal().contains("`2.1`"));
    assert!(square().set("/asset", json!({"version": "2.3", "minVersion": "2.0"})).read().is_ok());
}

#[test]
fn json_that_is_wrong_is_refused_with_its_place() {
    let read =
        |json: &str| parse(json.as_bytes(), Format::Gltf, &OPTIONS, Neighbors::None).unwrap_err().to_string();
    assert_eq!(
        read("{\n  \"asset\": 3}"),
        "JSON line 2, column 12: invalid type: integer `3`, expected an object with `version`"
    );
    assert_eq!(read("{}"), "JSON line 1, column 2: missing field `asset`");
    assert!(read("{\"asset\"").starts_with("JSON line 1, column 8: EOF"));
    assert!(read("solid").starts_with("this is not a valid glTF file"));
    assert!(
        read("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":4294967296}]}")
            .contains("invalid value: integer `4294967296`")
    );
}

#[test]
fn nesting_without_end_is_no_danger() {
    let nested = |open: &str, close: &str, tail: &str| {
        let (open, close) = (open.repeat(200_000), close.repeat(200_000));
        let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{open}{close}{tail}");
        parse(json.as_bytes(), Format::Gltf, &LoadOptions::default(), Neighbors::None)
    };
    assert!(nested("[", "]", "}").is_ok());
    assert!(nested("{\"a\":", "}", "}").is_err());
    assert!(nested("[", "", "").is_err());
}
