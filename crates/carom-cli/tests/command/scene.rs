//! Scenes and what comes of them.

use glam::DVec3;
use serde_json::{Value, json};

use super::{Files, Said, lines, run};

pub(super) fn walk(scene: &Value) -> Said {
    let files = Files::new();
    run(&["walk", &files.write("scene.json", &scene.to_string()), "--trace"])
}

/// A run that went well: its ticks, without the summary.
pub(super) fn ticks(scene: &Value) -> Vec<Value> {
    let said = walk(scene);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let mut ticks = lines(&said.out);
    let summary = ticks.pop().unwrap();
    assert_eq!(summary["summary"]["ticks"].as_u64(), Some(ticks.len() as u64));
    ticks
}

pub(super) fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| value[axis].as_f64().unwrap()))
}

/// Positions and velocities of a character, tick by tick.
pub(super) fn states(ticks: &[Value], character: usize) -> Vec<(DVec3, DVec3)> {
    let state = |tick: &Value| {
        let character = &tick["characters"][character];
        (vector(&character["position"]), vector(&character["velocity"]))
    };
    ticks.iter().map(state).collect()
}

/// A floor of two triangles, y = 0, 20 m wide.
pub(super) fn floor() -> Value {
    json!({"name": "floor", "mesh": {
        "vertices": [[-10, 0, -10], [10, 0, -10], [10, 0, 10], [-10, 0, 10]], "triangles": [[0, 2, 1], [0, 3, 2]]}})
}

/// A ball, an ellipsoid and a capsule at three places.
pub(super) fn three_shapes(places: [[f64; 3]; 3]) -> Value {
    json!([
        {"name": "ball", "rule": "slide", "shape": {"sphere": {"radius": 0.5}}, "position": places[0]},
        {"name": "ellipsoid", "rule": "slide", "shape": {"ellipsoid": {"radii": [0.4, 0.9, 0.3]}}, "position": places[1]},
        {"name": "capsule", "rule": "slide", "shape": {"capsule": {"radius": 0.3, "half_height": 0.6}}, "position": places[2]},
    ])
}

/// A number of a character, tick by tick.
pub(super) fn numbers(ticks: &[Value], character: usize, key: &str) -> Vec<f64> {
    ticks.iter().map(|tick| tick["characters"][character][key].as_f64().unwrap()).collect()
}

/// A character of the default rule: the ellipsoid of 0.4 × 0.9 × 0.4 m with its feet this high above the
/// ground.
pub(super) fn hero(name: &str, x: f64, feet: f64, z: f64) -> Value {
    json!({"name": name, "shape": {"ellipsoid": {"radii": [0.4, 0.9, 0.4]}}, "position": [x, feet + 0.9 + HERO_SKIN, z]})
}

/// The skin of a [`hero`]: a thousandth of its smallest radius.
pub(super) const HERO_SKIN: f64 = 4e-4;

/// With a desired velocity for all of the time.
pub(super) fn walking(mut character: Value, desired_velocity: [f64; 3]) -> Value {
    character["input"] = json!([{"from": 0, "until": 1e9, "move": desired_velocity}]);
    character
}

/// A box that bounds say: from one corner to the other.
pub(super) fn block(name: &str, low: [f64; 3], high: [f64; 3]) -> Value {
    let middle = [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
    let half = [0, 1, 2].map(|i| 0.5 * (high[i] - low[i]));
    json!({"name": name, "box": {"half_extents": half}, "position": middle})
}

/// The same body or character with one more key.
pub(super) fn with(mut thing: Value, key: &str, value: Value) -> Value {
    thing[key] = value;
    thing
}

/// The trace of a character in a tick, one line of JSON an entry.
pub(super) fn trace(tick: &Value, character: usize) -> Vec<Value> {
    tick["characters"][character]["trace"].as_array().unwrap().clone()
}
