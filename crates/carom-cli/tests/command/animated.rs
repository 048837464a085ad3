//! glTF files whose animations move nodes, explored and walked in.

use serde_json::{Value, json};

use crate::{Files, assert_refused, lines, run, text_of};

/// A cube of 2 m, corners and triangles.
const CORNERS: [[f32; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const TRIANGLES: [[u16; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];
/// The lift stands, goes up, stands and goes down.
const TIMES: [f32; 5] = [0.0, 1.0, 2.5, 3.5, 5.0];
const HEIGHTS: [f32; 5] = [0.0, 0.0, 2.9, 2.9, 0.0];

fn block(name: &str, half: [f64; 3], at: [f64; 3]) -> Value {
    json!({ "name": name, "mesh": 0, "scale": half, "translation": at })
}

/// A walled yard, a deck 3 m up that reaches out over the wall, and a lift between them; written with its
/// buffer. The lift is a node in one that moves.
fn yard(files: &Files, change: impl Fn(&mut Value)) -> String {
    let mut data: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    data.extend(TRIANGLES.iter().flatten().flat_map(|i| i.to_le_bytes()));
    data.extend(TIMES.iter().flat_map(|x| x.to_le_bytes()));
    data.extend(HEIGHTS.iter().flat_map(|y| [0.75, *y, 0.0]).flat_map(f32::to_le_bytes));
    std::fs::write(files.path("yard.bin"), &data).unwrap();
    let view = |from: usize, length: usize| json!({ "buffer": 0, "byteOffset": from, "byteLength": length });
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1, 2, 3, 4, 5, 6, 8] }],
        "nodes": [
            block("floor", [2.0, 0.5, 2.0], [0.0, -0.5, 0.0]),
            block("north", [2.2, 1.0, 0.1], [0.0, 1.0, -2.1]),
            block("south", [2.2, 1.0, 0.1], [0.0, 1.0, 2.1]),
            block("west", [0.1, 1.0, 2.2], [-2.1, 1.0, 0.0]),
            block("east", [0.1, 1.0, 2.2], [2.1, 1.0, 0.0]),
            block("deck", [1.2, 0.1, 1.2], [2.6, 2.9, 0.0]),
            { "name": "lift", "translation": [0.75, 0.0, 0.0], "children": [7] },
            { "mesh": 0, "scale": [0.6, 0.1, 0.6] },
            { "name": "spawn", "translation": [-1.0, 0.95, 0.0] },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 6, "path": "translation" } }],
            "samplers": [{ "input": 2, "output": 3 }],
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 8 },
            { "bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 36 },
            { "bufferView": 2, "componentType": 5126, "type": "SCALAR", "count": 5 },
            { "bufferView": 3, "componentType": 5126, "type": "VEC3", "count": 5 },
        ],
        "bufferViews": [view(0, 96), view(96, 72), view(168, 20), view(188, 60)],
        "buffers": [{ "uri": "yard.bin", "byteLength": data.len() }],
    });
    change(&mut file);
    files.write("yard.gltf", &file.to_string())
}

fn explored(files: &Files, level: &str, name: &str, flags: &[&str]) -> (Value, String) {
    let folder = text_of(&files.path(name));
    let said = run(&[&["explore", level, "--out", &folder, "--jump", "0"], flags].concat());
    assert!(said.code < 2, "{}", said.err);
    let text = std::fs::read_to_string(format!("{folder}/report.json")).unwrap();
    (serde_json::from_str(&text).unwrap(), said.err)
}

fn reached(report: &Value) -> f64 {
    report["coverage"]["reached_m2"].as_f64().unwrap()
}

/// Checks that there are ways to falls, that they fall again, also in the level's own file, and that one
/// rides on a body.
fn assert_rides(files: &Files, report: &Value, folder: &str, [level, body]: [&str; 2]) {
    let mut rides = 0;
    let falls = report["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "FALL_OUT");
    for finding in falls {
        let witness = format!("{}/{}", text_of(&files.path(folder)), finding["witness"].as_str().unwrap());
        let said = run(&["walk", &witness]);
        if level.ends_with(".gltf") {
            let again = run(&["walk", &witness, "--level", level]);
            assert_eq!(again.out, said.out, "{}", again.err);
        }
        let ticks = lines(&said.out);
        let end = &ticks[ticks.len() - 2]["characters"][0]["position"];
        assert!(end[1].as_f64().unwrap() < -10.0, "{end}");
        rides += usize::from(ticks.iter().any(|tick| tick["characters"][0]["ground_body"] == body));
    }
    assert!(rides > 0, "no way to a fall rides on {body}");
}

#[test]
fn a_waiting_body_rides_an_animated_lift() {
    let files = Files::new();
    let level = yard(&files, |_| {});
    let (still, said) = explored(&files, &level, "still", &["--still"]);
    assert!(!said.contains("animations"), "{said}");
    let (moving, said) = explored(&files, &level, "moving", &["--threads", "1"]);
    assert!(said.contains("note: the file's animations move \"lift\"; --still"), "{said}");
    assert!(reached(&moving) > reached(&still) + 4.0, "{} {}", reached(&moving), reached(&still));
    assert_eq!(
        (&still["settings"]["moving_bodies"], &moving["settings"]["moving_bodies"]),
        (&json!("frozen"), &json!("moving"))
    );
    assert_rides(&files, &moving, "moving", [&level, "lift"]);
    let (again, _) = explored(&files, &level, "again", &["--threads", "2"]);
    assert_eq!((&again["findings"], &again["coverage"]), (&moving["findings"], &moving["coverage"]));
}

#[test]
fn a_scene_with_the_nodes_of_a_file_moves_them() {
    let files = Files::new();
    yard(&files, |_| {});
    let scene = json!({
        "bodies": [{ "name": "yard", "file": "yard.gltf", "separate": true, "position": [10.0, 0.0, 0.0] }],
        "ticks": 330,
        "characters": [{ "name": "hero", "shape": { "ellipsoid": { "radii": [0.4, 0.9, 0.4] } }, "position": [10.75, 1.05, 0.0] }],
    });
    let path = files.write("scene.json", &scene.to_string());
    let said = run(&["walk", &path]);
    assert_eq!(said.code, 0, "{}", said.err);
    let ticks = lines(&said.out);
    for (tick, bottom) in [(50, 0.1), (180, 3.0), (205, 3.0), (299, 0.1), (320, 0.1)] {
        let hero = &ticks[tick]["characters"][0];
        let height = hero["position"][1].as_f64().unwrap() - 0.9;
        // The way down is faster than nothing and slower than a fall.
        assert!((height - bottom).abs() < 0.07, "tick {tick}: {height} for {bottom}");
        assert_eq!(hero["ground_body"], "yard/lift", "tick {tick}");
    }
    let (moving, _) = explored(&files, &path, "explored", &[]);
    assert!(reached(&moving) > 13.0, "{}", reached(&moving));
    assert_rides(&files, &moving, "explored", [&path, "yard/lift"]);
}

#[test]
fn an_animated_door_can_be_open_and_faults_are_refused() {
    let files = Files::new();
    let level = yard(&files, |_| {});
    let rules = files.write("rules.json", r#"{"open":["lift*"]}"#);
    let (open, said) = explored(&files, &level, "open", &["--rules", &rules]);
    assert!(!said.contains("animations") && reached(&open) > 8.0, "{said} {}", reached(&open));

    let broken = yard(&files, |file| file["accessors"][3]["count"] = 4.into());
    assert_refused(
        &run(&["explore", &broken]),
        &["yard.gltf", "animations[0].channels[0]", "one value for each time"],
    );
    let (_, said) = explored(&files, &broken, "broken", &["--still"]);
    assert!(!said.contains("animations"), "{said}");

    let all = yard(&files, |file| {
        file["scenes"][0]["nodes"] = json!([6, 8]);
        file["nodes"][6]["children"] = json!([0, 1, 2, 3, 4, 5, 7]);
    });
    assert_refused(&run(&["explore", &all]), &["yard.gltf", "all of it moves", "--still"]);

    let grown = yard(&files, |file| {
        file["animations"][0]["channels"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "sampler": 0, "target": { "node": 6, "path": "scale" } }));
    });
    let (_, said) = explored(&files, &grown, "grown", &[]);
    assert!(said.contains("warning") && said.contains("a scale that changes"), "{said}");
}
