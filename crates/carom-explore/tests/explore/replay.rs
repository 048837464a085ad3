//! Plays a witness from its scene file alone, as `carom walk` is reported to.

use carom::Ellipsoid;
use carom::character::{Character, Input, Settings};
use carom_explore::Level;
use glam::DVec3;
use serde_json::Value;

/// The center after the last tick.
pub(crate) fn replayed(level: &Level, scene: &str) -> DVec3 {
    let scene: Value = serde_json::from_str(scene).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let point = |value: &Value| DVec3::new(number(&value[0]), number(&value[1]), number(&value[2]));
    let hero = &scene["characters"][0];
    assert_eq!(hero["settings"], serde_json::json!({}));
    let settings =
        Settings { up: point(&scene["up"]), gravity: point(&scene["gravity"]), ..Settings::default() };
    let shape = Ellipsoid::new(point(&hero["shape"]["ellipsoid"]["radii"])).unwrap();
    let mut character = Character::new(shape, settings).unwrap().at(point(&hero["position"])).unwrap();
    let dt = number(&scene["dt"]);
    let mut used = None;
    for tick in 1..=scene["ticks"].as_u64().unwrap() {
        let start = (tick - 1) as f64 * dt;
        let inputs = hero["input"].as_array().unwrap();
        let holds = |input: &Value| number(&input["from"]) <= start && start < number(&input["until"]);
        let now = inputs.iter().rposition(holds);
        let input = now.map_or(Input::IDLE, |i| {
            let jump = inputs[i]["jump"].as_f64().filter(|_| used != Some(i));
            used = jump.map_or(used, |_| Some(i));
            Input { desired_velocity: Some(point(&inputs[i]["move"])), jump }
        });
        character.step(level.world(), input, dt);
    }
    character.position()
}
