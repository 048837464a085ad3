use std::io::{BufRead, BufReader};
use std::process::Stdio;

use glam::DVec3;
use serde_json::{Value, json};

use super::scene::{floor, states, three_shapes, ticks, vector, walk};
use super::{CUBE, Files, carom, lines, run, text_of};

const SKIN: f64 = 1e-3;

#[test]
fn a_tick_has_its_keys_in_order_and_the_summary_is_last() {
    let files = Files::new();
    let scene = json!({"ticks": 2, "dt": 0.25, "bodies": [floor()], "characters": three_shapes([[0.0, 9.0, 0.0]; 3])});
    let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
    let first = said.out.lines().next().unwrap();
    assert!(
        first.starts_with(concat!(
            r#"{"tick":1,"time":0.25,"characters":[{"name":"ball","position":[0.0,8.6934375,0.0],"velocity":[0.0,-2.4525,0.0],"#,
            r#""yaw":0.0,"grounded":false,"ground_body":null,"ground_normal":null,"contacts":0,"stepped":0.0,"crushed_by":[]},{"#
        )),
        "{first}"
    );
    let last = said.out.lines().last().unwrap();
    let hash =
        last.strip_prefix(r#"{"summary":{"ticks":2,"state_hash":""#).unwrap().strip_suffix("\"}}").unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{last}");

    // FNV-1a over the last tick, by hand.
    let ticks = lines(&said.out);
    let mut expected = 0xCBF2_9CE4_8422_2325_u64;
    for i in 0..3 {
        let (position, velocity) = states(&ticks[..2], i)[1];
        let yaw = 0.0_f64;
        let numbers = [position.to_array(), velocity.to_array()].concat();
        for byte in numbers.into_iter().chain([yaw]).flat_map(f64::to_le_bytes) {
            expected = (expected ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    assert_eq!(hash, format!("{expected:016x}"));
}

/// At rest for the last half of the ticks: velocity 0 exactly, and the place constant to the bit.
#[track_caller]
fn assert_comes_to_rest(scene: &Value) {
    let ticks = ticks(scene);
    let half = ticks.len() / 2;
    for (i, character) in ticks[0]["characters"].as_array().unwrap().iter().enumerate() {
        let states = states(&ticks, i);
        let (place, _) = states[half];
        for (position, velocity) in &states[half..] {
            assert_eq!(*velocity, DVec3::ZERO, "{}", character["name"]);
            assert_eq!(
                position.to_array().map(f64::to_bits),
                place.to_array().map(f64::to_bits),
                "{}",
                character["name"]
            );
        }
    }
}

#[test]
fn what_lies_on_a_floor_is_at_rest_exactly() {
    let characters = three_shapes([[0.1, 2.0, 0.3], [2.3, 2.0, 1.1], [-3.7, 2.0, 2.2]]);
    assert_comes_to_rest(&json!({"ticks": 200, "bodies": [floor()], "characters": characters}));
}

#[test]
fn what_lies_in_a_groove_is_at_rest_exactly() {
    let groove = json!({"name": "groove", "mesh": {
        "vertices": [[0, 0, -5], [0, 0, 5], [-3, 2, 5], [-3, 2, -5], [2, 3, 5], [2, 3, -5]],
        "triangles": [[0, 2, 1], [0, 3, 2], [0, 1, 4], [0, 4, 5]]}});
    let characters = three_shapes([[-1.0, 3.0, -3.0], [0.5, 3.0, 0.0], [-0.5, 3.0, 3.0]]);
    assert_comes_to_rest(&json!({"ticks": 400, "bodies": [groove], "characters": characters}));
}

#[test]
fn what_lies_in_a_corner_is_at_rest_exactly() {
    // Three planes that meet below: a corner of a box that stands on its tip, not quite upright.
    let corner = json!({"name": "corner", "mesh": {
        "vertices": [[0, 0, 0], [4, 3, 0.5], [-2.5, 3.5, 3], [-2, 3, -4]],
        "triangles": [[0, 2, 1], [0, 3, 2], [0, 1, 3]]}});
    let characters = three_shapes([[0.2, 4.0, -0.1], [-0.3, 4.0, 0.2], [0.4, 4.0, 0.1]]);
    assert_comes_to_rest(&json!({"ticks": 600, "bodies": [corner], "characters": characters}));
}

#[test]
fn what_is_held_by_friction_is_at_rest_exactly_and_less_friction_slides() {
    // A slope of 3 in 4 holds with a coefficient of 0.8 and not with 0.7.
    let slope = |friction: f64| {
        json!({"ticks": 240, "characters": three_shapes([[0.0, 1.0, 0.0], [2.0, 3.0, 0.0], [-2.0, -0.5, 0.0]]), "bodies": [
            {"name": "slope", "friction": friction, "mesh": {
                "vertices": [[-8, -6, -9], [8, 6, -9], [8, 6, 9], [-8, -6, 9]], "triangles": [[0, 2, 1], [0, 3, 2]]}}]})
    };
    assert_comes_to_rest(&slope(0.8));
    let sliding = ticks(&slope(0.7));
    let (_, before) = states(&sliding, 0)[120];
    let (_, after) = states(&sliding, 0)[180];
    // g (sin − µ cos) for one second, down the slope.
    let gained = (after - before).dot(DVec3::new(-0.8, -0.6, 0.0));
    assert!((gained - 9.81 * (0.6 - 0.7 * 0.8)).abs() < 1e-9, "{gained}");
}

#[test]
fn a_fall_takes_as_long_as_newton_says_and_ends_a_skin_above_the_floor() {
    let ticks = ticks(&json!({"ticks": 120, "bodies": [floor()],
        "characters": [{"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [1, 5.5, 2], "settings": {"skin": SKIN}}]}));
    let states = states(&ticks, 0);
    for (tick, (position, velocity)) in (1..).zip(&states[..59]) {
        let time = f64::from(tick) / 60.0;
        assert!((position.y - (5.5 - 4.905 * time * time)).abs() < 1e-12, "{tick}");
        assert!((velocity.y + 9.81 * time).abs() < 1e-12, "{tick}");
    }
    let (end, _) = states[119];
    assert!((end.y - (0.5 + SKIN)).abs() < 1e-9 && end.x == 1.0 && end.z == 2.0, "{end}");
    assert_eq!(ticks[119]["characters"][0]["grounded"], true);
}

#[test]
fn a_bounce_returns_the_square_of_the_restitution_in_height() {
    let mut rubber = floor();
    rubber["restitution"] = json!(0.8);
    let ticks = ticks(
        &json!({"ticks": 1800, "dt": 1.0 / 240.0, "bodies": [rubber], "characters": three_shapes([[1.0, 4.5, 2.0]; 3])}),
    );
    let ball = states(&ticks, 0);
    let apexes: Vec<f64> = ball
        .windows(2)
        .filter(|pair| pair[0].1.y > 0.0 && pair[1].1.y <= 0.0)
        .map(|pair| pair[1].0.y - 0.5)
        .collect();
    let mut expected = 4.0;
    for apex in apexes.iter().take(3) {
        expected *= 0.8 * 0.8;
        assert!((apex / expected - 1.0).abs() < 0.03, "{apex} m, not {expected} m");
    }
    assert!(apexes.len() >= 5, "{apexes:?}");
    assert!(ball.iter().all(|(position, _)| position.y > 0.5));
}

#[test]
fn a_walk_into_a_wall_slides_along_it() {
    // A wall whose normal is (−0.8, 0, −0.6), 2 m ahead.
    let wall = json!({"name": "wall", "mesh": {
        "vertices": [[-4, -1, 8], [8, -1, -8], [8, 4, -8], [-4, 4, 8]], "triangles": [[0, 1, 2], [0, 2, 3]]}});
    let scene = |mirror: f64| {
        let mut bodies = [floor(), wall.clone()];
        for vertex in bodies.iter_mut().flat_map(|body| body["mesh"]["vertices"].as_array_mut().unwrap()) {
            vertex[0] = json!(vertex[0].as_f64().unwrap() * mirror);
        }
        json!({"ticks": 180, "bodies": bodies, "characters": [
            {"name": "ellipsoid", "rule": "slide", "shape": {"ellipsoid": {"radii": [0.4, 0.9, 0.4]}},
             "position": [0, 0.901, 0], "input": [{"from": 0, "until": 9, "move": [3.0 * mirror, 0, 0]}]}]})
    };
    let right = ticks(&scene(1.0));
    let states_right = states(&right, 0);
    let (_, velocity) = states_right[179];
    // 3 m/s along x less its part into the wall: 3 (1 − 0.64, 0, −0.48).
    assert!((velocity - DVec3::new(1.08, 0.0, -1.44)).length() < 1e-9, "{velocity}");
    assert_eq!(right[179]["characters"][0]["contacts"], 2);
    assert_eq!(right[179]["characters"][0]["ground_body"], "floor");
    // The wall stays a skin away from the flank.
    for (position, _) in &states_right {
        let distance = DVec3::new(-0.8, 0.0, -0.6).dot(*position - DVec3::new(2.0, 0.0, 0.0));
        assert!(distance > 0.4 + 0.9 * 4e-4, "{position}");
    }
    let left = states(&ticks(&scene(-1.0)), 0);
    for ((a, _), (b, _)) in states_right.iter().zip(&left) {
        assert!((*a - *b * DVec3::new(-1.0, 1.0, 1.0)).length() < 1e-9, "{a} {b}");
    }
}

#[test]
fn a_jump_is_as_high_at_any_rate_and_happens_once_an_entry() {
    for rate in [30.0, 60.0, 240.0] {
        let ticks =
            ticks(&json!({"ticks": 4 * rate as u64, "dt": 1.0 / rate, "bodies": [floor()], "characters": [
            {"name": "hero", "shape": {"ellipsoid": {"radii": [0.4, 0.9, 0.4]}}, "position": [0, 0.9005, 0],
             "input": [{"from": 0.5, "until": 9, "move": [1, 0, 0], "jump": 5.0}]}]}));
        let states = states(&ticks, 0);
        let rest = 0.9004;
        let apex = states.iter().map(|(position, _)| position.y).fold(0.0, f64::max);
        assert!(((apex - rest) / (25.0 / 19.62) - 1.0).abs() < 0.01, "{rate}: {apex}");
        let (end, velocity) = states.last().unwrap();
        assert!(
            (end.y - rest).abs() < 1e-3 && velocity.y == 0.0 && velocity.x == 1.0,
            "{rate}: {end} {velocity}"
        );
    }
}

#[test]
fn without_gravity_the_wish_is_all_of_the_velocity() {
    let ticks = ticks(&json!({"ticks": 10, "dt": 0.5, "gravity": [0, 0, 0], "characters": [
        {"name": "bird", "shape": {"sphere": {"radius": 1}}, "position": [0, 0, 0], "velocity": [5, 5, 5],
         "input": [{"from": 1.0, "until": 2.0, "move": [1, 2, 3]}]}]}));
    let states = states(&ticks, 0);
    assert_eq!(states[1].0, DVec3::splat(5.0));
    assert_eq!(states[3], (DVec3::new(6.0, 7.0, 8.0), DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(states[9].1, DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn bodies_of_files_are_found_beside_the_scene_and_placed_as_it_says() {
    let files = Files::new();
    std::fs::create_dir(files.path("levels")).unwrap();
    files.write("levels/box.obj", CUBE);
    // Twice as large, turned by a quarter about x and raised: its top is at y = 3.
    let scene = json!({"ticks": 120, "bodies": [
        {"name": "level", "file": "levels/box.obj", "up": "z", "scale": 2.0, "position": [5, 1, 0],
         "rotation": [std::f64::consts::FRAC_1_SQRT_2, 0, 0, std::f64::consts::FRAC_1_SQRT_2]}],
        "characters": [{"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [5.5, 5, 0.3], "settings": {"skin": SKIN}}]});
    let path = files.write("scene.json", &scene.to_string());
    let out = text_of(&files.path("ticks.jsonl"));
    let said = run(&["walk", &path, "--out", &out]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    let ticks = lines(&std::fs::read_to_string(out).unwrap());
    assert_eq!(ticks.len(), 121);
    let character = &ticks[119]["characters"][0];
    assert_eq!(character["ground_body"], "level");
    let rest = vector(&character["position"]);
    assert!((rest - DVec3::new(5.5, 3.5 + SKIN, 0.3)).length() < 1e-6, "{rest}");
}

#[test]
fn layers_decide_which_characters_and_bodies_collide() {
    let ticks = ticks(&json!({"ticks": 120, "bodies": [
        floor(), {"name": "shelf", "box": {"half_extents": [10, 0.1, 10]}, "position": [0, 2, 0], "layer": "props"}],
        "characters": [
            {"name": "both", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 4, 0]},
            {"name": "floor only", "shape": {"sphere": {"radius": 0.5}}, "position": [2, 4, 0], "settings": {"collides_with": ["default"]}},
            {"name": "shelf only", "shape": {"sphere": {"radius": 0.5}}, "position": [4, 1, 0], "settings": {"collides_with": ["props"]}}]}));
    let ends: Vec<_> = (0..3).map(|i| ticks[119]["characters"][i]["ground_body"].clone()).collect();
    assert_eq!(ends, [json!("shelf"), json!("floor"), Value::Null]);
}

#[test]
fn every_solid_can_be_stood_on() {
    let solids = [
        json!({"name": "box", "box": {"half_extents": [1, 1, 1]}}),
        json!({"name": "sphere", "sphere": {"radius": 1}}),
        json!({"name": "ellipsoid", "ellipsoid": {"radii": [2, 1, 2]}}),
        json!({"name": "capsule", "capsule": {"radius": 0.5, "half_height": 0.5}}),
    ];
    for solid in solids {
        let ticks =
            ticks(&json!({"ticks": 90, "bodies": [solid], "characters": three_shapes([[0.0, 2.5, 0.0]; 3])}));
        for (i, half) in [0.5, 0.9, 0.9].into_iter().enumerate() {
            let character = &ticks[89]["characters"][i];
            assert_eq!(character["ground_body"], solid["name"], "{character}");
            let height = character["position"][1].as_f64().unwrap();
            assert!((height - (1.0 + half)).abs() < 1e-3, "{}: {height}", solid["name"]);
        }
    }
}

#[test]
fn a_start_in_the_floor_is_brought_out() {
    let ticks = ticks(
        &json!({"ticks": 30, "bodies": [floor()], "characters": three_shapes([[0.1, 0.3, 0.2], [3.0, 0.7, 0.0], [-3.0, 0.8, 0.1]])}),
    );
    for (i, half) in [0.5, 0.9, 0.9].into_iter().enumerate() {
        let (end, velocity) = states(&ticks, i)[29];
        assert!(end.y >= half && end.y < half + 1e-3 && velocity == DVec3::ZERO, "{end}");
    }
}

#[test]
fn numbers_out_of_range_stop_the_walker_where_it_is() {
    let ticks = ticks(&json!({"ticks": 20, "gravity": [0, -1e308, 0], "dt": 1e3, "bodies": [floor()],
        "characters": three_shapes([[0.0, 1.0, 0.0]; 3])}));
    assert!(ticks.iter().all(|tick| tick["characters"][0]["position"][1].is_f64()));
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for text in [include_str!("../../scenes/walls.json"), include_str!("../../scenes/ride.json")] {
        let scene: Value = serde_json::from_str(text).unwrap();
        assert_eq!(walk(&scene).out, walk(&scene).out);
    }
}

#[test]
fn the_example_scenes_run() {
    for name in ["fall", "groove", "walls", "ride"] {
        let path = format!("{}/scenes/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let said = run(&["walk", &path]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
        assert!(said.out.lines().count() > 100);
        assert!(run(&["walk", "--help"]).out.contains(&format!("{name}.json")));
    }
}

#[test]
fn without_a_scene_the_courtyard_is_walked_all_around() {
    let files = Files::new();
    let out = text_of(&files.path("ticks.jsonl"));
    let said = run(&["walk", "--out", &out]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    for part in
        ["courtyard", "53 of 53 reached", "m in", "lift", "stepped", "stairs", "ramp", "casts/s", "ticks/s"]
    {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let ticks = lines(&std::fs::read_to_string(&out).unwrap());
    let (summary, ticks) = ticks.split_last().unwrap();
    assert_eq!(summary["summary"]["ticks"].as_u64(), Some(ticks.len() as u64));
    for (tick, (position, _)) in ticks.iter().zip(states(ticks, 0)) {
        assert!(position.y > -1.5 + 0.9 && position.abs().max_element() < 20.0, "{tick}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let files = Files::new();
    let scene = json!({"ticks": 10_000_000, "characters": three_shapes([[0.0, 1.0, 0.0]; 3])});
    let mut child = carom(&["walk", &files.write("scene.json", &scene.to_string())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(first.starts_with("{\"tick\":1,"));
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn the_nodes_of_a_file_are_bodies_where_that_is_wanted() {
    let files = Files::new();
    files.write("squares.gltf", &super::inspect::squares());
    let scene = |body: Value| {
        json!({"ticks": 60, "bodies": [body], "characters": [
            {"name": "hero", "shape": {"sphere": {"radius": 0.5}}, "position": [0.5, 1.0, 0.0],
             "input": [{"from": 0, "until": 1.0, "move": [3.0, 0.0, 0.0]}]}
        ]})
    };
    let stood_on = |body: Value| -> Vec<String> {
        let said = run(&["walk", &files.write("scene.json", &scene(body).to_string())]);
        assert_eq!(said.code, 0, "{}", said.err);
        let mut names: Vec<String> = lines(&said.out)
            .iter()
            .filter_map(|line| Some(line["characters"][0]["ground_body"].as_str()?.to_owned()))
            .collect();
        names.dedup();
        names
    };
    let apart = stood_on(json!({"name": "level", "file": "squares.gltf", "separate": true}));
    assert_eq!(apart, ["level/plate", "level/plate 2"]);
    assert_eq!(stood_on(json!({"name": "level", "file": "squares.gltf"})), ["level"]);
    for (body, fault) in [
        (
            json!({"box": {"half_extents": [1.0, 1.0, 1.0]}, "separate": true}),
            "separate is for bodies of a file",
        ),
        (
            json!({"file": "squares.gltf", "separate": true, "linear": [1.0, 0.0, 0.0]}),
            "separate excludes linear",
        ),
    ] {
        let said = run(&["walk", &files.write("scene.json", &scene(body).to_string())]);
        assert!(said.code == 2 && said.err.contains(fault), "{}", said.err);
    }
}
