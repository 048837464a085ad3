//! `carom explore` of scenes in which something moves.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::{Files, assert_refused, lines, run, text_of};

fn block(name: &str, half: [f64; 3], at: [f64; 3]) -> Value {
    json!({ "name": name, "box": { "half_extents": half }, "position": at })
}

/// A walled yard, a deck 3 m up that reaches out over the wall, and a lift between them.
fn yard(lift: &Value) -> Value {
    json!({
        "bodies": [
            block("floor", [2.0, 0.5, 2.0], [0.0, -0.5, 0.0]),
            block("north", [2.2, 1.0, 0.1], [0.0, 1.0, -2.1]),
            block("south", [2.2, 1.0, 0.1], [0.0, 1.0, 2.1]),
            block("west", [0.1, 1.0, 2.2], [-2.1, 1.0, 0.0]),
            block("east", [0.1, 1.0, 2.2], [2.1, 1.0, 0.0]),
            block("deck", [1.2, 0.1, 1.2], [2.6, 2.9, 0.0]),
            lift,
        ],
        "characters": [{ "name": "hero", "shape": { "ellipsoid": { "radii": [0.4, 0.9, 0.4] } }, "position": [-1.0, 0.95, 0.0] }],
    })
}

fn lift(is_running: bool) -> Value {
    let half = [0.6, 0.1, 0.6];
    if !is_running {
        return block("lift", half, [0.75, 0.0, 0.0]);
    }
    json!({ "name": "lift", "box": { "half_extents": half }, "loop": true, "keyframes": [
        { "time": 0.0, "position": [0.75, 0.0, 0.0] }, { "time": 1.0, "position": [0.75, 0.0, 0.0] },
        { "time": 2.5, "position": [0.75, 2.9, 0.0] }, { "time": 3.5, "position": [0.75, 2.9, 0.0] },
        { "time": 5.0, "position": [0.75, 0.0, 0.0] }] })
}

fn explored(files: &Files, name: &str, scene: &Value, threads: &str) -> Value {
    let path = text_of(&files.path(&format!("{name}.json")));
    std::fs::write(&path, scene.to_string()).unwrap();
    let folder = text_of(&files.path(name));
    let said = run(&["explore", &path, "--out", &folder, "--jump", "0", "--threads", threads]);
    assert!(said.code < 2, "{}", said.err);
    let text = std::fs::read_to_string(format!("{folder}/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_waiting_body_rides_a_lift_and_the_witness_rides_again() {
    let files = Files::new();
    let still = explored(&files, "still", &yard(&lift(false)), "1");
    let moving = explored(&files, "moving", &yard(&lift(true)), "1");
    let falls = |report: &Value| -> Vec<Value> {
        let all = report["findings"].as_array().unwrap();
        all.iter().filter(|finding| finding["code"] == "FALL_OUT").cloned().collect()
    };
    assert!(falls(&still).is_empty(), "{still}");
    let reached = |report: &Value| report["coverage"]["reached_m2"].as_f64().unwrap();
    assert!(reached(&moving) > reached(&still) + 4.0, "{} {}", reached(&moving), reached(&still));
    let found = falls(&moving);
    assert!(!found.is_empty(), "{moving}");
    for finding in found {
        let witness = format!("{}/{}", text_of(&files.path("moving")), finding["witness"].as_str().unwrap());
        let said = run(&["walk", &witness]);
        let ticks = lines(&said.out);
        let end = &ticks[ticks.len() - 2]["characters"][0]["position"];
        assert!(end[1].as_f64().unwrap() < -10.0, "{end}");
        let rode = |tick: &Value| tick["characters"][0]["ground_body"] == "lift";
        assert!(ticks.iter().any(rode), "it got up there without the lift");
    }
    let again = explored(&files, "again", &yard(&lift(true)), "2");
    assert_eq!(again["findings"], moving["findings"]);
    assert_eq!(again["coverage"], moving["coverage"]);
}

#[test]
fn the_page_moves_the_bodies_that_move() {
    let files = Files::new();
    let mut scene = yard(&lift(true));
    let belt = json!({ "name": "belt", "box": { "half_extents": [0.3, 0.05, 0.3] }, "position": [-1.0, 0.0, 1.0],
        "surface_velocity": [1.0, 0.0, 0.0] });
    scene["bodies"].as_array_mut().unwrap().push(belt);
    explored(&files, "paged", &scene, "2");
    let page = std::fs::read_to_string(files.path("paged").join("report.html")).unwrap();
    assert!(page.contains("function poseAt(") && !page.contains("\"MOTION\""), "{page}");
    let data = page.lines().find_map(|line| line.strip_prefix("const data = ")).unwrap();
    let data: Value = serde_json::from_str(data.trim_end_matches(';')).unwrap();
    let numbers = |text: &Value| -> Vec<f32> {
        let bytes = STANDARD.decode(text.as_str().unwrap()).unwrap();
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
    };
    let [lift, belt] = [&data["moving"][0], &data["moving"][1]];
    for body in [lift, belt] {
        assert_eq!(numbers(&body["soup"]).len(), 12 * 9);
    }
    assert_eq!(lift["repeats"], true);
    let way = numbers(&lift["way"]);
    let times: Vec<f32> = way.chunks_exact(8).map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 1.0, 2.5, 3.5, 5.0]);
    assert_eq!(way[16..24], [2.5, 0.75, 2.9, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(numbers(&belt["way"]), [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    // The view begins with all of it: the lift rises above everything at rest.
    assert_eq!(data["high"][1], 3.0);
}

#[test]
fn a_scene_is_refused_with_flags_that_are_for_files() {
    let files = Files::new();
    let path = text_of(&files.path("yard.json"));
    std::fs::write(&path, yard(&lift(true)).to_string()).unwrap();
    assert_refused(&run(&["explore", &path, "--up", "z"]), &["--up", "scene"]);
    std::fs::write(&path, r#"{"up":[1,0,0]}"#).unwrap();
    assert_refused(&run(&["explore", &path]), &["yard.json", "up must be along y"]);
    std::fs::write(&path, "{}").unwrap();
    assert_refused(&run(&["explore", &path]), &["yard.json"]);
}

/// Checks that more floor is reached while a body moves at a speed than while it rests, and that falls
/// replay. How many of their ways ride on it.
fn reached_by_speed(
    name: &str,
    scene: impl Fn(&Value) -> Value,
    mut body: Value,
    speed: (&str, Value),
) -> usize {
    let files = Files::new();
    let still = explored(&files, &format!("{name}-still"), &scene(&body), "1");
    body[speed.0] = speed.1;
    let moving = explored(&files, name, &scene(&body), "2");
    let reached = |report: &Value| report["coverage"]["reached_m2"].as_f64().unwrap();
    assert!(reached(&moving) > reached(&still) + 4.0, "{} {}", reached(&moving), reached(&still));
    let mut rides = 0;
    for finding in moving["findings"].as_array().unwrap() {
        if finding["code"] != "FALL_OUT" {
            continue;
        }
        let witness = format!("{}/{}", text_of(&files.path(name)), finding["witness"].as_str().unwrap());
        let said = run(&["walk", &witness]);
        let ticks = lines(&said.out);
        let end = &ticks[ticks.len() - 2]["characters"][0]["position"];
        assert!(end[1].as_f64().unwrap() < -10.0, "{end}");
        let rode = |tick: &Value| tick["characters"][0]["ground_body"] == body["name"];
        rides += usize::from(ticks.iter().any(rode));
    }
    rides
}

#[test]
fn a_body_with_a_linear_speed_lifts_the_player() {
    let rides = reached_by_speed("linear", yard, lift(false), ("linear", json!([0.0, 0.3, 0.0])));
    assert!(rides > 0, "no way to a fall rides on the lift");
}

#[test]
fn a_body_with_an_angular_speed_becomes_a_bridge() {
    let gap = |arm: &Value| {
        json!({
            "bodies": [
                block("near", [2.0, 0.1, 2.0], [-5.0, -0.1, 0.0]),
                block("far", [2.0, 0.1, 2.0], [5.0, -0.1, 0.0]),
                arm,
            ],
            "characters": [{ "name": "hero", "shape": { "ellipsoid": { "radii": [0.4, 0.9, 0.4] } }, "position": [-5.0, 0.95, 0.0] }],
        })
    };
    let arm = block("arm", [0.5, 0.1, 2.9], [0.0, -0.1, 0.0]);
    reached_by_speed("angular", gap, arm, ("angular", json!([0.0, 0.5, 0.0])));
}

#[test]
fn a_body_that_stays_is_named() {
    let files = Files::new();
    let path = text_of(&files.path("yard.json"));
    let mut crates = block("crate", [0.2, 0.2, 0.2], [0.75, 0.2, 0.0]);
    crates["dynamic"] = true.into();
    crates["mass"] = 5.into();
    std::fs::write(&path, yard(&crates).to_string()).unwrap();
    let said = run(&["explore", &path, "--jump", "0"]);
    assert!(said.err.contains("are at rest here") && said.err.contains("crate"), "{}", said.err);
    std::fs::write(&path, yard(&lift(false)).to_string().replace("\"lift\"", "\"lift\",\"angular\":[0,1,0]"))
        .unwrap();
    let said = run(&["explore", &path, "--jump", "0"]);
    assert!(!said.err.contains("are at rest here"), "{}", said.err);
}

#[test]
fn a_body_that_moves_beyond_what_a_grid_can_count_is_refused() {
    let files = Files::new();
    for far in [1e10, -1e20, 1e300] {
        let far = json!({ "name": "far", "box": { "half_extents": [1, 1, 1] }, "keyframes": [
            { "time": 0, "position": [0, -9, 0] }, { "time": 1, "position": [far, -9, 0] }] });
        let scene = files.write("far.json", &yard(&far).to_string());
        assert_refused(&run(&["explore", &scene]), &["too far for a grid", "keyframes"]);
    }
}
