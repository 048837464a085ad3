//! Hulls, height fields and half-spaces in scenes.

use glam::DVec3;
use serde_json::{Value, json};

use super::scene::{hero, states, ticks, walk, walking};
use super::{Files, run};

/// A gray PNG of 16 bits, made by hand: stored blocks, no compression.
fn picture(columns: u32, rows: u32, samples: &[u16]) -> Vec<u8> {
    let mut data = Vec::new();
    for row in samples.chunks(columns as usize) {
        data.push(0);
        data.extend(row.iter().flat_map(|sample| sample.to_be_bytes()));
    }
    let mut zlib = vec![0x78, 0x01, 0x01];
    zlib.extend((data.len() as u16).to_le_bytes());
    zlib.extend((!(data.len() as u16)).to_le_bytes());
    zlib.extend(&data);
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    zlib.extend((b << 16 | a).to_be_bytes());
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        let body = [kind, data].concat();
        let crc = !body.iter().fold(!0u32, |crc, byte| {
            (0..8).fold(
                crc ^ u32::from(*byte),
                |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
            )
        });
        bytes.extend((data.len() as u32).to_be_bytes());
        bytes.extend(body);
        bytes.extend(crc.to_be_bytes());
    };
    let header = [&columns.to_be_bytes()[..], &rows.to_be_bytes(), &[16, 0, 0, 0, 0]].concat();
    chunk(b"IHDR", &header);
    chunk(b"IDAT", &zlib);
    chunk(b"IEND", &[]);
    bytes
}

/// Heights of a row of steps, and the same as a picture: both are walked with the same bits.
#[test]
fn a_picture_and_its_heights_are_one_terrain() {
    let samples: Vec<u16> = (0..9 * 5).map(|i| (i % 9) * 6000).collect();
    let step = 1.31_f64 / 65_535.0;
    let heights: Vec<f64> = samples.iter().map(|s| f64::from((step * f64::from(*s)) as f32)).collect();
    let scene = |field: Value| {
        json!({"ticks": 90, "bodies": [{"name": "hill", "position": [-1, 0, -2], "heightfield": field}],
            "characters": [walking(hero("hero", 0.0, 0.2, 0.1), [2.0, 0.0, 0.0])]})
    };
    let by_hand = ticks(&scene(json!({"spacing": [1, 1], "columns": 9, "rows": 5, "heights": heights})));
    let files = Files::new();
    std::fs::write(files.path("hill.png"), picture(9, 5, &samples)).unwrap();
    let picture = scene(json!({"spacing": [1, 1], "file": "hill.png", "highest": 1.31}));
    let said = run(&["walk", &files.write("scene.json", &picture.to_string()), "--trace"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let from_file: Vec<Value> = super::lines(&said.out);
    for (a, b) in by_hand.iter().zip(&from_file) {
        assert_eq!(a, b);
    }
    let (end, _) = *states(&by_hand, 0).last().unwrap();
    assert!(end.x > 2.5 && end.y > 1.2, "{end:?}");
    assert_eq!(by_hand.last().unwrap()["characters"][0]["ground_body"], "hill");
}

#[test]
fn a_hero_falls_through_a_hole_onto_a_plane_and_stops_at_a_rock() {
    let scene = json!({"ticks": 240, "bodies": [
        {"name": "field", "position": [-3, 0, -3],
            "heightfield": {"spacing": [2, 2], "columns": 4, "rows": 4, "heights": vec![0; 16], "holes": [[2, 1]]}},
        {"name": "bottom", "plane": {"normal": [0, 2, 0], "distance": -3}},
        {"name": "rock", "position": [0, -3, 0], "hull": {"points": [
            [5, 0, -2], [5, 0, 2], [5, 4, -2], [5, 4, 2], [7, 0, -2], [7, 0, 2], [7, 4, -2], [7, 4, 2]]}}],
        "characters": [walking(hero("hero", 0.0, 0.0, 0.0), [2.0, 0.0, 0.0])]});
    let ticks = ticks(&scene);
    let ground: Vec<&str> =
        ticks.iter().filter_map(|tick| tick["characters"][0]["ground_body"].as_str()).collect();
    assert!(ground.contains(&"field") && ground.last() == Some(&"bottom"), "{ground:?}");
    let (end, _) = *states(&ticks, 0).last().unwrap();
    assert!((end.x - 4.6).abs() < 2e-3 && (end.y + 2.1).abs() < 2e-3, "{end:?}");
}

/// Up on a drum, round a column, over the top of a flat cone.
#[test]
fn a_hero_walks_on_drums_round_columns_and_over_cones() {
    let scene = json!({"ticks": 600, "bodies": [
        {"name": "floor", "box": {"half_extents": [50, 1, 50]}, "position": [0, -1, 0]},
        {"name": "drum", "cylinder": {"radius": 2, "half_height": 0.1}, "position": [5, 0.1, 0]},
        {"name": "column", "cylinder": {"radius": 0.5, "half_height": 2}, "position": [9, 2, 0.1]},
        {"name": "hill", "cone": {"radius": 4, "half_height": 0.5}, "position": [16, 0.5, 0]}],
        "characters": [walking(hero("hero", 0.0, 0.0, 0.0), [2.5, 0.0, 0.0])]});
    let ticks = ticks(&scene);
    let ground: Vec<&str> =
        ticks.iter().filter_map(|tick| tick["characters"][0]["ground_body"].as_str()).collect();
    assert!(ground.contains(&"drum") && ground.contains(&"hill"), "{ground:?}");
    let (end, _) = *states(&ticks, 0).last().unwrap();
    assert!(end.x > 20.5, "{end:?}");
}

/// A stretched mesh and a stretched hull answer as those of the stretched corners do.
#[test]
fn three_scales_stretch_a_mesh_and_a_hull() {
    let scene = |by: [f64; 3], scale: Value| {
        let at = |x: f64, y: f64, z: f64| json!([x * by[0], y * by[1], z * by[2]]);
        let floor = json!([at(-9.0, 0.0, -9.0), at(-9.0, 0.0, 9.0), at(9.0, 1.0, 9.0), at(9.0, 1.0, -9.0)]);
        let rock = json!([at(4.0, 0.0, -1.0), at(4.0, 0.0, 1.0), at(4.0, 3.0, 0.0), at(5.0, 0.0, 0.0)]);
        let mut mesh = json!({"name": "floor", "mesh":
            {"vertices": floor, "triangles": [[0, 1, 2], [0, 2, 3]]}});
        let mut hull = json!({"name": "rock", "hull": {"points": rock}});
        if !scale.is_null() {
            (mesh["scale"], hull["scale"]) = (scale.clone(), scale);
        }
        json!({"ticks": 120, "bodies": [mesh, hull],
            "characters": [walking(hero("hero", -1.0, 1.0, 0.0), [3.0, 0.0, 0.5])]})
    };
    let stretched = ticks(&scene([1.0; 3], json!([0.5, 2.0, 1.5])));
    assert_eq!(stretched, ticks(&scene([0.5, 2.0, 1.5], Value::Null)));
    assert_ne!(stretched, ticks(&scene([1.0; 3], Value::Null)));
}

#[test]
fn what_is_no_terrain_is_refused_by_name() {
    let refuses = |body: Value, parts: &[&str]| {
        let said = walk(&json!({"bodies": [body]}));
        assert_eq!(said.code, 2, "{body}");
        for part in parts {
            assert!(said.err.contains(part), "{}", said.err);
        }
    };
    let hull = |points: Value| json!({"name": "rock", "hull": {"points": points}});
    refuses(hull(json!([[0, 0, 0], [1, 0, 0], [0, 1, 0]])), &["body \"rock\"", "hull", "at least 4"]);
    refuses(hull(json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])), &["hull", "one plane"]);
    let field = |field: Value| json!({"name": "hills", "heightfield": field});
    refuses(field(json!({"spacing": [1, 1]})), &["body \"hills\"", "heights or a file"]);
    refuses(field(json!({"spacing": [1, 1], "heights": [0, 0, 0], "columns": 2, "rows": 2})), &["4 samples"]);
    refuses(
        field(json!({"spacing": [1, 0], "heights": [0, 0, 0, 0], "columns": 2, "rows": 2})),
        &["spacing"],
    );
    refuses(field(json!({"spacing": [1, 1], "file": "none.png", "highest": 1})), &["none.png"]);
    let cell =
        json!({"spacing": [1, 1], "heights": [0, 0, 0, 0], "columns": 2, "rows": 2, "holes": [[1, 0]]});
    refuses(field(cell), &["no cell 1, 0"]);
    refuses(json!({"name": "sea", "plane": {"normal": [0, 0, 0]}}), &["body \"sea\"", "plane", "normal"]);
    refuses(json!({"name": "c", "cone": {"radius": 1, "half_height": 0}}), &["body \"c\"", "half_height"]);
    refuses(
        json!({"name": "d", "cylinder": {"radius": 1, "half_height": 1}, "dynamic": true, "mass": 1}),
        &["body \"d\"", "cylinder or cone"],
    );
    let stretched = |scale: Value| json!({"name": "s", "sphere": {"radius": 1}, "scale": scale});
    refuses(stretched(json!([1, 2, 1])), &["body \"s\"", "a file, a mesh or a hull only"]);
    refuses(stretched(json!([1, 0, 1])), &["body \"s\"", "greater than 0"]);
    refuses(stretched(json!("big")), &["scale must be a number or three"]);
    refuses(json!({"name": "a", "plane": {"normal": [0, 1, 0]}, "sphere": {"radius": 1}}), &["exactly one"]);
}

#[test]
fn pieces_are_one_body_that_goes_and_turns_as_a_whole() {
    let pieces = json!([
        {"box": {"half_extents": [2, 0.1, 0.5]}},
        {"cylinder": {"radius": 0.5, "half_height": 0.4}, "position": [2, 0.5, 0], "friction": 0.9},
        {"mesh": {"vertices": [[-1, 0, -1], [1, 0, -1], [0, 0, 1]], "triangles": [[0, 2, 1]]}, "position": [-2, 0.6, 0], "scale": 0.5}
    ]);
    // A quarter of a turn brings the cylinder from +x to -z, and what stands on it with it.
    let quarter = std::f64::consts::FRAC_PI_2;
    // In the first tick it comes to stand.
    let scene = json!({"ticks": 61, "bodies": [
            {"name": "swing", "pieces": pieces, "position": [0, 1, 0], "angular": [0, quarter, 0]}],
        "characters": [{"name": "rider", "shape": {"sphere": {"radius": 0.25}}, "position": [2, 2.151, 0]}]});
    let ticks = ticks(&scene);
    let states = states(&ticks, 0);
    let ((first, _), (rider, _)) = (states[0], states[60]);
    let turned = DVec3::new(first.z, first.y, -first.x);
    assert!((rider - turned).length() < 1e-9, "{first} and {rider}");
    assert_eq!(ticks[60]["characters"][0]["ground_body"], json!("swing"), "{}", ticks[59]["characters"][0]);
}

#[test]
fn pieces_are_refused_by_name() {
    let ball = json!({"sphere": {"radius": 1}});
    let refused = |pieces: Value, more: Value, said: &str| {
        let mut body = json!({"name": "odd", "pieces": pieces});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        let out = super::scene::walk(&json!({"bodies": [body]}));
        assert!(out.code == 2 && out.err.contains(said) && out.err.contains("odd"), "{}", out.err);
    };
    refused(json!([]), json!({}), "at least one piece");
    refused(json!([{}]), json!({}), "piece 0: needs exactly one of");
    refused(
        json!([ball, {"sphere": {"radius": 1}, "position": [0, 0, 0], "scale": 0}]),
        json!({}),
        "piece 1: scale",
    );
    refused(
        json!([{"sphere": {"radius": 1}, "linear": [1, 0, 0]}]),
        json!({}),
        "piece 0: a piece has no linear",
    );
    refused(json!([{"pieces": [ball]}]), json!({}), "piece 0: a piece has no pieces");
    refused(json!([{"sphere": {"radius": 1}, "friction": -1}]), json!({}), "piece 0: friction");
    refused(json!([ball]), json!({"dynamic": true, "mass": 3}), "cannot be swept");
    refused(json!([ball]), json!({"one_sided": true}), "one_sided");
    refused(json!([ball]), json!({"sphere": {"radius": 1}}), "has 2");
}
