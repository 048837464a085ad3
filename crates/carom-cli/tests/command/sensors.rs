//! Sensors in scenes.

use serde_json::{Value, json};

use super::run;
use super::scene::{block, floor, hero, numbers, ticks, walk, walking, with};
use super::{Files, lines};

fn reports(ticks: &[Value]) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let of_tick = |tick: &Value| {
        let all = tick["sensors"].as_array().cloned().unwrap_or_default();
        let tick = tick["tick"].as_u64().unwrap();
        all.into_iter().map(move |line| {
            let who = if line["body"].is_null() { &line["character"] } else { &line["body"] };
            (tick, text(&line["event"]), text(who))
        })
    };
    ticks.iter().flat_map(of_tick).filter(|(_, event, _)| event != "stayed").collect()
}

#[test]
fn a_hero_as_fast_as_a_bullet_is_reported_and_not_stopped() {
    let gate = with(block("gate", [4.0, 0.0, -5.0], [4.01, 3.0, 5.0]), "sensor", json!(true));
    let scene = |bodies: Value| {
        json!({"ticks": 4, "bodies": bodies,
            "characters": [walking(hero("hero", 0.0, 0.0, 0.0), [180.0, 0.0, 0.0])]})
    };
    let with_gate = ticks(&scene(json!([floor(), gate])));
    let without = ticks(&scene(json!([floor()])));
    assert_eq!(numbers(&with_gate, 0, "stepped"), numbers(&without, 0, "stepped"));
    for (a, b) in with_gate.iter().zip(&without) {
        assert_eq!(a["characters"][0]["position"], b["characters"][0]["position"]);
    }
    let seen = reports(&with_gate);
    let expected =
        [(2, "entered"), (2, "left")].map(|(tick, event)| (tick, event.to_owned(), "hero".to_owned()));
    assert_eq!(seen, expected);
    let line = &with_gate[1]["sensors"][0];
    assert_eq!(line["sensor"], "gate");
    // 3 m a tick; the ellipsoid's front, 0.4 m ahead, is at the gate after 3.6 m.
    assert!((line["fraction"].as_f64().unwrap() - 0.2).abs() < 1e-9, "{line}");
}

#[test]
fn a_lift_is_seen_and_ticks_without_reports_say_nothing() {
    let zone = with(block("zone", [-1.0, 2.0, -1.0], [1.0, 3.0, 1.0]), "sensor", json!(true));
    let lift = with(block("lift", [-0.5, 0.0, -0.5], [0.5, 0.5, 0.5]), "linear", json!([0, 6, 0]));
    let ticks = ticks(&json!({"dt": 0.125, "ticks": 8, "bodies": [zone, lift]}));
    let seen = reports(&ticks);
    let expected =
        [(3, "entered"), (4, "left")].map(|(tick, event)| (tick, event.to_owned(), "lift".to_owned()));
    assert_eq!(seen, expected);
    assert!(ticks[0].get("sensors").is_none() && ticks[7].get("sensors").is_none());
}

/// A sheet of triangles and a train that is a hull: neither can be swept, and each sees the other.
#[test]
fn a_hull_that_passes_through_a_sheet_within_a_tick_is_seen() {
    let sheet = json!({"name": "gate", "sensor": true, "mesh": {
        "vertices": [[0, -3, -3], [0, 3, -3], [0, 3, 3], [0, -3, 3]], "triangles": [[0, 1, 2], [0, 2, 3]]}});
    let corners: Vec<Value> =
        (0..8).map(|i| json!([i % 2 * 2 - 1, i / 2 % 2 * 2 - 1, i / 4 * 2 - 1])).collect();
    let train = json!({"name": "train", "hull": {"points": corners}, "position": [-5, 0, 0],
        "linear": [64, 0, 0]});
    let ticks = ticks(&json!({"dt": 0.125, "ticks": 2, "bodies": [sheet, train]}));
    let expected =
        [(1, "entered"), (1, "left")].map(|(tick, event)| (tick, event.to_owned(), "train".to_owned()));
    assert_eq!(reports(&ticks), expected);
    let fractions: Vec<f64> = ticks[0]["sensors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["fraction"].as_f64().unwrap())
        .collect();
    // 8 m in the tick: the front is 4 m from the sheet, the back 6 m.
    assert!((fractions[0] - 0.5).abs() < 1e-6 && (fractions[1] - 0.75).abs() < 1e-6, "{fractions:?}");
}

#[test]
fn a_sensor_excludes_what_touches() {
    for (key, value) in [("friction", json!(0.5)), ("surface_velocity", json!([1, 0, 0]))] {
        let zone = with(block("zone", [-1.0, 2.0, -1.0], [1.0, 3.0, 1.0]), "sensor", json!(true));
        let said = walk(&json!({"bodies": [with(zone, key, value)]}));
        assert_eq!(said.code, 2);
        assert!(said.err.contains("body \"zone\"") && said.err.contains(key), "{}", said.err);
    }
    let files = Files::new();
    let said =
        run(&["walk", &files.write("scene.json", r#"{"bodies":[{"sphere":{"radius":1},"sensor":3}]}"#)]);
    assert_eq!(said.code, 2);
    assert!(lines(&said.out).is_empty() && said.err.contains("sensor"), "{}", said.err);
}
