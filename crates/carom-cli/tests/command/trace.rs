//! `--trace`: why did I stop?

use serde_json::{Value, json};

use super::scene::{block, floor, hero, three_shapes, ticks, trace, walking};
use super::{Files, lines, run};

fn said(notes: &[Value], key: &str) -> Vec<String> {
    notes.iter().filter_map(|note| note[key].as_str()).map(str::to_owned).collect()
}

#[test]
fn the_trace_of_a_stop_at_a_wall_says_what_stopped_it_and_why_it_did_not_climb() {
    let wall = block("wall", [1.0, 0.0, -3.0], [2.0, 3.0, 3.0]);
    let walker = walking(hero("walker", 0.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    let ticks = ticks(&json!({"ticks": 60, "bodies": [floor(), wall], "characters": [walker]}));
    let notes = trace(&ticks[59], 0);
    let swept = notes.iter().filter(|note| note.get("sweep").is_some()).count();
    let solved = notes.iter().find_map(|note| note.get("solved")).unwrap();
    let held: Vec<&str> =
        solved["held_by"].as_array().unwrap().iter().map(|plane| plane["name"].as_str().unwrap()).collect();
    assert!(held.contains(&"wall"), "what holds it is named: {held:?}");
    assert_eq!(solved["held_by"][0]["normal"].as_array().unwrap().len(), 3);
    assert!(said(&notes, "stage").iter().any(|stage| stage == "walk"), "the stages are told: {notes:?}");
    assert!(said(&notes, "decided").iter().any(|decided| decided.contains("stands on")), "{notes:?}");
    let ended = notes.last().unwrap();
    assert!(
        ended["ended"].is_string() && ended["sweeps"].as_u64().unwrap() as usize >= swept.min(1),
        "{ended}"
    );
    let touched: Vec<_> =
        ended["touched"].as_array().unwrap().iter().map(|touch| touch["name"].as_str().unwrap()).collect();
    assert!(touched.contains(&"wall") && touched.contains(&"floor"), "{touched:?}");
}

#[test]
fn a_step_with_no_room_above_is_said_to_be_none() {
    let step = block("step", [1.0, 0.0, -3.0], [9.0, 0.3, 3.0]);
    let beam = block("beam", [1.0, 1.9, -3.0], [9.0, 2.5, 3.0]);
    let walker = walking(hero("walker", 0.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    let ticks = ticks(&json!({"ticks": 60, "bodies": [floor(), step, beam], "characters": [walker]}));
    let decided = said(&trace(&ticks[59], 0), "decided");
    assert!(decided.iter().any(|decided| decided.starts_with("cannot step:")), "{decided:?}");
    assert!(ticks[59]["characters"][0]["position"][0].as_f64().unwrap() < 1.0);
}

#[test]
fn a_step_and_a_jump_are_reported_with_their_numbers() {
    let step = block("step", [1.0, 0.0, -3.0], [9.0, 0.3, 3.0]);
    let mut walker = walking(hero("walker", 0.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    walker["input"]
        .as_array_mut()
        .unwrap()
        .push(json!({"from": 0.8, "until": 0.81, "move": [3, 0, 0], "jump": 2.5}));
    let ticks = ticks(&json!({"ticks": 60, "bodies": [floor(), step], "characters": [walker]}));
    let notes: Vec<Value> = ticks.iter().flat_map(|tick| trace(tick, 0)).collect();
    let find = |text: &str| notes.iter().find(|note| note["decided"] == text).unwrap();
    assert!(find("climbs a step")["height"].as_f64().unwrap() > 0.0);
    assert_eq!(find("jumps")["speed"], json!(2.5));
    assert!(find("stands on walkable ground")["normal"].is_array());
}

#[test]
fn sliding_is_reported_too() {
    let mut scene =
        json!({"ticks": 60, "bodies": [floor()], "characters": three_shapes([[0.5, 0.51, 0.0]; 3])});
    scene["characters"].as_array_mut().unwrap().truncate(1);
    let ticks = ticks(&scene);
    let character = &ticks[59]["characters"][0];
    let notes = trace(&ticks[59], 0);
    let ended = notes.last().unwrap();
    assert_eq!(ended["ended"], "blocked");
    let touch = &ended["touched"][0];
    assert_eq!((touch["name"].as_str(), &touch["normal"]), (Some("floor"), &json!([0.0, 1.0, 0.0])));
    assert!(touch["gap"].as_f64().unwrap().abs() < 1e-9);
    assert!(touch["triangle"].as_u64().unwrap() < 2, "a mesh is told with its triangle: {touch}");
    let solved = notes.iter().find_map(|note| note.get("solved")).unwrap();
    assert_eq!(solved["held_by"][0]["name"], "floor");
    assert_eq!((&character["grounded"], &character["ground_body"]), (&json!(true), &json!("floor")));
    assert_eq!((&character["ground_normal"], &character["contacts"]), (&json!([0.0, 1.0, 0.0]), &json!(1)));
}

#[test]
fn without_it_there_is_no_trace_and_nothing_else_differs() {
    let files = Files::new();
    let scene = files.write("scene.json", include_str!("../../scenes/ride.json"));
    let (plain, mut traced) =
        (lines(&run(&["walk", &scene]).out), lines(&run(&["walk", &scene, "--trace"]).out));
    let (last, ticks) = traced.split_last_mut().unwrap();
    assert_eq!(plain.last(), Some(&*last), "the same state, to the bit");
    for character in ticks.iter_mut().flat_map(|tick| tick["characters"].as_array_mut().unwrap()) {
        assert!(character.as_object_mut().unwrap().remove("trace").is_some());
    }
    assert!(plain == traced);
}
