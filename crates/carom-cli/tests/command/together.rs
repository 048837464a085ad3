//! Characters among each other, and what their settings do.

use glam::DVec3;
use serde_json::json;

use super::scene::{HERO_SKIN, block, hero, states, ticks, walking, with};

const DT: f64 = 1.0 / 60.0;

fn ground() -> serde_json::Value {
    block("ground", [-30.0, -1.0, -9.0], [30.0, 0.0, 9.0])
}

#[test]
fn two_characters_head_on_stop_at_each_other() {
    let left = walking(hero("left", -2.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    let right = walking(hero("right", 2.0, 0.0, 0.0), [-3.0, 0.0, 0.0]);
    let ticks = ticks(&json!({"ticks": 120, "bodies": [ground()], "characters": [left, right]}));
    let (left, right) = (states(&ticks, 0), states(&ticks, 1));
    let apart = 2.0 * (0.4 + HERO_SKIN);
    for ((a, _), (b, _)) in left.iter().zip(&right) {
        assert!(b.x - a.x >= apart - 1e-9, "they never overlap: {a} {b}");
        assert!((a.x + b.x).abs() < 1e-9, "neither is favoured: {a} {b}");
    }
    let (a, b) = (left[119].0, right[119].0);
    assert!(b.x - a.x < apart + 1e-3, "and they do meet: {a} {b}");
}

#[test]
fn a_character_is_stopped_by_one_that_stands_and_names_it() {
    let standing = hero("standing", 2.0, 0.0, 0.0);
    let walker = walking(hero("walker", 0.0, 0.0, 0.0), [2.0, 0.0, 0.0]);
    let ticks = ticks(&json!({"ticks": 90, "bodies": [ground()], "characters": [standing, walker]}));
    let trace = super::scene::trace(&ticks[89], 1);
    let held = trace.iter().filter_map(|note| note["solved"]["held_by"].as_array()).flatten();
    let names: Vec<_> = held.map(|plane| plane["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"standing"), "who holds it is named: {names:?}");
    let (standing, _) = states(&ticks, 0)[89];
    assert!((standing.x - 2.0).abs() < 1e-9, "nobody is pushed away by a character: {standing}");
}

#[test]
fn the_order_of_characters_does_not_matter() {
    let one = walking(hero("one", -2.0, 0.0, 0.1), [3.0, 0.0, 0.0]);
    let two = walking(hero("two", 2.0, 0.0, 0.0), [-3.0, 0.0, 0.4]);
    let there = ticks(&json!({"ticks": 120, "bodies": [ground()], "characters": [one, two]}));
    let back = ticks(&json!({"ticks": 120, "bodies": [ground()], "characters": [two, one]}));
    assert_eq!(states(&there, 0), states(&back, 1), "all move at once, from where all are at the start");
    assert_eq!(states(&there, 1), states(&back, 0));
}

#[test]
fn the_two_rules_pass_through_each_other() {
    let walker = walking(hero("walker", -2.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    let slider = with(walking(hero("slider", 2.0, 0.0, 0.0), [-3.0, 0.0, 0.0]), "rule", json!("slide"));
    let ticks = ticks(&json!({"ticks": 60, "bodies": [ground()], "characters": [walker, slider]}));
    assert!((states(&ticks, 0)[59].0.x - 1.0).abs() < 1e-6, "3 m in 1 s, undisturbed");
    assert!((states(&ticks, 1)[59].0.x + 1.0).abs() < 1e-6);
}

#[test]
fn a_character_climbs_a_step_that_its_settings_allow_and_says_by_how_much() {
    let step = block("step", [1.0, 0.0, -3.0], [9.0, 0.3, 3.0]);
    // A box: what is round climbs the last part of an edge by walking over it.
    let climber = json!({"name": "climber", "shape": {"cuboid": {"half_extents": [0.3, 0.9, 0.3]}}, "position": [0, 0.9003, 2]});
    let climber = walking(climber, [3.0, 0.0, 0.0]);
    let stopped = with(
        walking(hero("stopped", 0.0, 0.0, -2.0), [3.0, 0.0, 0.0]),
        "settings",
        json!({"step_height": 0}),
    );
    let ticks = ticks(&json!({"ticks": 60, "bodies": [ground(), step], "characters": [climber, stopped]}));
    let stepped: f64 = super::scene::numbers(&ticks, 0, "stepped").iter().sum();
    assert!((stepped - 0.3).abs() < 1e-9, "the ticks' steps add up to the height of the step: {stepped}");
    assert!((states(&ticks, 0)[59].0.y - (0.3 + 0.9 + 3e-4)).abs() < 1e-6);
    assert_eq!(ticks[59]["characters"][0]["ground_body"], "step");
    assert!(states(&ticks, 1)[59].0.x < 1.0, "without steps 0.3 m is a wall");
}

#[test]
fn up_and_gravity_of_the_scene_are_the_characters() {
    // The world on its side: what is up is x.
    let wall = block("wall", [-1.0, -9.0, -9.0], [0.0, 9.0, 9.0]);
    let hero = json!({"name": "hero", "shape": {"sphere": {"radius": 0.5}}, "position": [3, 0, 0], "settings": {"skin": 0.001},
        "input": [{"from": 2, "until": 3, "move": [0, 2, 0]}]});
    let ticks = ticks(&json!({"up": [2, 0, 0], "ticks": 180, "bodies": [wall], "characters": [hero]}));
    let (end, _) = states(&ticks, 0)[179];
    assert!((end - DVec3::new(0.501, 2.0, 0.0)).length() < 1e-6, "it fell along −x and walked 2 m: {end}");
}

#[test]
fn a_jump_waits_for_ground_and_is_taken_once() {
    let hero = |feet: f64| {
        with(
            hero("hero", 0.0, feet, 0.0),
            "input",
            json!([{"from": 0, "until": 9, "move": [0, 0, 0], "jump": 4}]),
        )
    };
    let at_once = ticks(&json!({"ticks": 120, "bodies": [ground()], "characters": [hero(0.0)]}));
    let first = states(&at_once, 0)[0];
    assert!(first.0.y > 0.95, "who stands at the start jumps in the first tick: {}", first.0);
    let later = ticks(&json!({"ticks": 180, "bodies": [ground()], "characters": [hero(1.0)]}));
    for ticks in [at_once, later] {
        let rising =
            states(&ticks, 0).windows(2).filter(|pair| pair[0].1.y <= 0.0 && pair[1].1.y > 3.0).count();
        let started = usize::from(states(&ticks, 0)[0].1.y > 3.0);
        assert_eq!(rising + started, 1, "one jump an entry, whenever there is ground");
        let last = ticks.len() - 1;
        assert!((states(&ticks, 0)[last].0.y - 0.9 - HERO_SKIN).abs() < 1e-6, "and down again");
    }
}

#[test]
fn nothing_wanted_is_not_standing_still_in_the_air() {
    let flung = |input: serde_json::Value| {
        let hero = with(hero("hero", 0.0, 5.0, 0.0), "velocity", json!([3, 0, 0]));
        let ticks =
            ticks(&json!({"ticks": 30, "bodies": [ground()], "characters": [with(hero, "input", input)]}));
        states(&ticks, 0)[29].0.x
    };
    assert!((flung(json!([])) - 3.0 * 30.0 * DT).abs() < 1e-9, "no wish: it flies on");
    assert!(
        flung(json!([{"from": 0, "until": 9, "move": [0, 0, 0]}])).abs() < 1e-9,
        "the wish to stand: air control stops it"
    );
    assert!(
        (flung(json!([{"from": 0, "until": 9, "jump": 5}])) - 1.5).abs() < 1e-9,
        "an entry without move wants no motion"
    );
}
