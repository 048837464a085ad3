//! Bodies that move: lifts, turntables, belts, doors, crates.

use std::f64::consts::TAU;

use carom::num::ops;
use glam::DVec3;
use serde_json::{Value, json};

use super::scene::{HERO_SKIN, block, floor, hero, numbers, states, ticks, walking, with};

const DT: f64 = 1.0 / 60.0;

/// Where the feet of a hero are.
fn feet(position: DVec3) -> f64 {
    position.y - 0.9 - HERO_SKIN
}

#[test]
fn a_lift_carries_without_lag_from_the_first_tick_on() {
    let lift = with(block("lift", [-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), "linear", json!([0.3, 1.0, -0.2]));
    let ticks = ticks(&json!({"ticks": 120, "bodies": [lift], "characters": [hero("hero", 0.5, 0.0, 0.5)]}));
    for (i, (position, velocity)) in states(&ticks, 0).into_iter().enumerate() {
        let time = (i + 1) as f64 * DT;
        let goal = DVec3::new(0.5, 0.9 + HERO_SKIN, 0.5) + DVec3::new(0.3, 1.0, -0.2) * time;
        assert!((position - goal).length() < 1e-9, "tick {i}: {position} is not where the lift is, {goal}");
        assert!(
            (velocity - DVec3::new(0.3, 1.0, -0.2)).length() < 1e-9,
            "the lift's velocity is the rider's: {velocity}"
        );
        let character = &ticks[i]["characters"][0];
        assert_eq!(character["ground_body"], "lift", "a rider stands on the lift all the time");
    }
}

#[test]
fn a_turntable_carries_round_and_turns_by_as_much() {
    let table =
        with(block("table", [-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), "angular", json!([0, TAU / 2.0, 0]));
    let ticks = ticks(&json!({"ticks": 180, "bodies": [table], "characters": [hero("hero", 5.0, 0.0, 0.0)]}));
    let yaw = numbers(&ticks, 0, "yaw");
    for (i, (position, velocity)) in states(&ticks, 0).into_iter().enumerate() {
        let angle = TAU / 2.0 * (i + 1) as f64 * DT;
        // Right-handed about y: from x towards −z.
        let goal = DVec3::new(5.0 * ops::cos(angle), 0.9 + HERO_SKIN, -5.0 * ops::sin(angle));
        assert!((position - goal).length() < 1e-6, "tick {i}: {position} has left its circle, {goal}");
        assert!(
            (yaw[i] - angle).abs() < 1e-9,
            "yaw is the turn of the table, counted on: {} {angle}",
            yaw[i]
        );
        // The velocity of a tick is its chord.
        let chord = 5.0 * 2.0 * ops::sin(TAU / 4.0 * DT) / DT;
        assert!((velocity.length() - chord).abs() < 1e-6, "as fast as the table there: {velocity}");
    }
    assert!(yaw[179] > TAU, "beyond a full turn yaw is not wrapped");
}

#[test]
fn a_belt_conveys_along_its_surface_only() {
    let belt =
        with(block("belt", [-9.0, -1.0, -1.0], [9.0, 0.0, 1.0]), "surface_velocity", json!([1.5, 7.0, 0]));
    let still = hero("stands", -3.0, 0.0, 0.0);
    let against = walking(hero("walks against it", 3.0, 0.0, 0.0), [-1.5, 0.0, 0.0]);
    let ticks = ticks(&json!({"ticks": 60, "bodies": [belt], "characters": [still, against]}));
    let (conveyed, _) = states(&ticks, 0)[59];
    assert!(
        (conveyed - DVec3::new(-1.5, 0.9 + HERO_SKIN, 0.0)).length() < 1e-9,
        "1.5 m in 1 s, and nothing upward: {conveyed}"
    );
    let (held, _) = states(&ticks, 1)[59];
    assert!((held.x - 3.0).abs() < 1e-9, "who walks against the belt as fast as it runs stays: {held}");
}

/// A door in front of x = 2, 1 m deep: shut (z = 0) until 1 s, open (z = 3) from 2 s until 3 s, shut again at
/// 4 s.
fn door() -> Value {
    json!({"name": "door", "box": {"half_extents": [0.5, 1, 1]}, "loop": true, "keyframes": [
        {"time": 0, "position": [2, 1.01, 0]}, {"time": 1, "position": [2, 1.01, 0]},
        {"time": 2, "position": [2, 1.01, 3]}, {"time": 3, "position": [2, 1.01, 3]},
        {"time": 4, "position": [2, 1.01, 0]}]})
}

#[test]
fn a_door_by_keyframes_stops_while_it_is_shut_and_opens_again_and_again() {
    // One waits at the door from the start, the other comes when it has been shut again and opens in the
    // second round.
    let early = walking(hero("early", -1.0, 0.0, 0.0), [3.0, 0.0, 0.0]);
    let late =
        with(hero("late", -4.5, 0.0, 0.0), "input", json!([{"from": 3.5, "until": 9, "move": [4, 0, 0]}]));
    let ticks = ticks(&json!({"ticks": 480, "bodies": [floor(), door()], "characters": [early, late]}));
    let shut = 1.5 - 0.4 - HERO_SKIN;
    let (early, late) = (states(&ticks, 0), states(&ticks, 1));
    let tick = |seconds: f64| (seconds / DT).round() as usize - 1;
    assert!((early[tick(1.0)].0.x - shut).abs() < 1e-6, "shut: {}", early[tick(1.0)].0);
    assert!(early[tick(3.0)].0.x > 2.9, "open: {}", early[tick(3.0)].0);
    assert!((late[tick(5.0)].0.x - shut).abs() < 1e-6, "shut again after 4 s: {}", late[tick(5.0)].0);
    assert!(late[tick(7.0)].0.x > 2.9, "and open again in the second round: {}", late[tick(7.0)].0);
}

#[test]
fn keyframes_turn_the_short_way_at_constant_speed() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // A quarter about y in 2 s, after a second of rest.
    let table = json!({"name": "table", "box": {"half_extents": [9, 1, 9]}, "keyframes": [
        {"time": 1, "position": [0, -1, 0]}, {"time": 3, "position": [0, -1, 0], "rotation": [0, half, 0, half]}]});
    let ticks = ticks(&json!({"ticks": 240, "bodies": [table], "characters": [hero("hero", 3.0, 0.0, 0.0)]}));
    let yaw = numbers(&ticks, 0, "yaw");
    for (i, yaw) in yaw.iter().enumerate() {
        let time = (i + 1) as f64 * DT;
        let goal = TAU / 4.0 * ((time - 1.0) / 2.0).clamp(0.0, 1.0);
        assert!((yaw - goal).abs() < 1e-9, "after {time} s the table has turned by {goal}, not {yaw}");
    }
}

#[test]
fn a_crate_is_pushed_as_newton_says_and_stops_at_the_wall() {
    let crates = json!({"name": "crate", "box": {"half_extents": [0.5, 0.5, 0.5]}, "position": [2, 0.5, 0], "dynamic": true, "mass": 50});
    let wall = block("wall", [4.5, 0.0, -2.0], [5.0, 2.0, 2.0]);
    let scene = |mass: f64| {
        let pusher = walking(hero("pusher", 0.0, 0.0, 0.0), [2.0, 0.0, 0.0]);
        json!({"ticks": 300, "bodies": [block("floor", [-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), with(crates.clone(), "mass", json!(mass)), wall],
            "characters": [pusher]})
    };
    let front = |ticks: &[Value]| -> Vec<f64> {
        states(ticks, 0).iter().map(|(position, _)| position.x + 0.4 + HERO_SKIN).collect()
    };
    let (light, heavy) = (front(&ticks(&scene(50.0))), front(&ticks(&scene(500.0))));
    // 100 N on 500 kg for t seconds: t² / 10 meters.
    let touched = heavy.iter().position(|x| *x >= 1.5 - 1e-6).unwrap();
    for (i, x) in heavy.iter().enumerate().skip(touched).take(120) {
        let time = (i - touched) as f64 * DT;
        assert!(
            (x - 1.5 - 0.1 * time * time).abs() < 0.02,
            "{time} s after the touch the crate is at {x}: ½ F/m t²"
        );
    }
    assert!(light[160] > heavy[160] + 0.3, "a lighter crate goes sooner: {} {}", light[160], heavy[160]);
    assert!((light[299] - 3.5).abs() < 1e-3, "1 m of crate between the pusher and the wall: {}", light[299]);
    assert!(light.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "nobody is pushed back");
}

#[test]
fn crates_end_in_nothing_and_are_in_the_hash() {
    let crates = |x: f64| json!({"name": format!("crate at {x}"), "box": {"half_extents": [0.5, 0.5, 0.5]}, "position": [x, 0.5, 0], "dynamic": true, "mass": 5});
    let scene = |x: f64| {
        json!({"ticks": 240, "bodies": [block("floor", [-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), crates(-1.5), crates(x)],
        "characters": [walking(hero("from the left", -4.0, 0.0, 0.0), [3.0, 0.0, 0.0]),
            walking(hero("from the right", 4.0, 0.0, 0.0), [-3.0, 0.0, 0.0])]})
    };
    let ticks_of = ticks(&scene(1.5));
    let (left, _) = states(&ticks_of, 0)[239];
    let (right, _) = states(&ticks_of, 1)[239];
    assert!(right.x - left.x > 2.0 + 2.0 * 0.4, "two crates of 1 m stay between the two: {left} {right}");
    // A crate that is never touched changes the hash if it is elsewhere.
    let hash = |x: f64| {
        let scene = json!({"ticks": 1, "bodies": [crates(x)]});
        super::scene::walk(&scene).out
    };
    assert_ne!(hash(1.0), hash(2.0), "the hash covers the places of crates");
    assert_eq!(hash(1.0), hash(1.0));
}

#[test]
fn a_lift_under_a_ceiling_crushes_and_says_between_what() {
    let lift = with(block("lift", [-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), "linear", json!([0, 1, 0]));
    let ceiling = block("ceiling", [-2.0, 2.3, -2.0], [2.0, 2.5, 2.0]);
    for rule in ["character", "slide"] {
        let rider = with(hero("rider", 0.0, 0.0, 0.0), "rule", json!(rule));
        let ticks = ticks(&json!({"ticks": 45, "bodies": [lift, ceiling], "characters": [rider]}));
        let crushed = |tick: &Value| -> Vec<String> {
            let names = tick["characters"][0]["crushed_by"].as_array().unwrap();
            let mut names: Vec<_> = names.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
            names.sort();
            names
        };
        // 0.5 m of room at 1 m/s.
        assert!(ticks[..29].iter().all(|tick| crushed(tick).is_empty()), "{rule}: there is room for 0.5 s");
        assert_eq!(crushed(&ticks[35]), ["ceiling", "lift"], "{rule}: pressed between the two");
        for (position, _) in states(&ticks, 0) {
            assert!(feet(position) <= 0.5 + 1e-3, "{rule}: never through the ceiling: {position}");
        }
    }
}

#[test]
fn a_body_pushes_what_only_slides_and_carries_nothing() {
    let ram = with(block("ram", [-3.0, 0.2, -1.0], [-1.0, 2.0, 1.0]), "linear", json!([1, 0, 0]));
    let lift = with(block("lift", [4.0, -0.2, -2.0], [8.0, 0.0, 2.0]), "linear", json!([0.5, 0.5, 0]));
    let slider = |name: &str, x: f64| with(hero(name, x, 0.0, 0.0), "rule", json!("slide"));
    let ticks = ticks(
        &json!({"ticks": 120, "bodies": [block("floor", [-9.0, -1.0, -9.0], [3.0, 0.0, 9.0]), ram, lift],
        "characters": [slider("rammed", 0.0), slider("lifted", 5.0)]}),
    );
    let (rammed, velocity) = states(&ticks, 0)[119];
    assert!(
        (rammed.x - (1.0 + 0.4 + HERO_SKIN)).abs() < 1e-3,
        "the ram is at x = 1 after 2 s, and it before it: {rammed}"
    );
    assert!((velocity.x - 1.0).abs() < 1e-6, "as fast as the ram: {velocity}");
    let (lifted, _) = states(&ticks, 1)[119];
    assert!((feet(lifted) - 1.0).abs() < 1e-3, "the lift has risen by 1 m: {lifted}");
    assert!((lifted.x - 5.0).abs() < 1e-9, "without friction it does not go along: {lifted}");
}

#[test]
fn a_crate_falls_rests_rubs_and_rides_as_the_librarys_do() {
    use carom::glam::dvec3;
    use carom::pushed::PushedBodies;
    use carom::{Body, Cuboid, World};
    // One falls onto a floor, one rides a belt that rubs.
    let crates = |name: &str, position: [f64; 3]| json!({"name": name, "box": {"half_extents": [0.5, 0.5, 0.5]}, "position": position, "dynamic": true, "mass": 20});
    let belt = json!({"name": "belt", "box": {"half_extents": [4, 0.5, 1]}, "position": [0, -0.5, 6],
        "surface_velocity": [1, 0, 0], "friction": 0.5});
    let floor = block("floor", [-9.0, -1.0, -9.0], [9.0, 0.0, 4.0]);
    let scene = |ticks: u64| json!({"ticks": ticks, "bodies": [floor, belt, crates("falls", [0.0, 3.0, 0.0]), crates("rides", [-3.0, 0.6, 6.0])]});
    let mut world = World::new();
    let cuboid = |half| Cuboid::new(half).unwrap();
    world.add(Body::fixed(cuboid(dvec3(9.0, 0.5, 6.5))).at(dvec3(0.0, -0.5, -2.5)));
    let moving = Body::fixed(cuboid(dvec3(4.0, 0.5, 1.0))).at(dvec3(0.0, -0.5, 6.0));
    let surface = carom::mesh::Surface { friction: Some(0.5), ..Default::default() };
    world.add(moving.with_surface(surface).with_surface_velocity(dvec3(1.0, 0.0, 0.0)).unwrap());
    let mut pushed = PushedBodies::new(dvec3(0.0, -9.81, 0.0)).unwrap();
    let mut add = |world: &mut World, at| {
        let id = world.add(Body::dynamic(cuboid(dvec3(0.5, 0.5, 0.5)), 20.0).unwrap().at(at));
        pushed.add(world, id).unwrap();
        id
    };
    let falls = add(&mut world, dvec3(0.0, 3.0, 0.0));
    let rides = add(&mut world, dvec3(-3.0, 0.6, 6.0));
    for _ in 0..120 {
        pushed.advance(&mut world, 1.0 / 60.0, |_| ());
    }
    let at = |id| world.body(id).unwrap().pose().position();
    assert!((at(falls).y - 0.5).abs() < 1e-3 && at(falls).x == 0.0, "{}", at(falls));
    assert!(at(rides).x > -2.0, "two seconds on a belt of 1 m/s: {}", at(rides));
    let hash = |scene: &Value| {
        let said = super::scene::walk(scene);
        let last: Value = serde_json::from_str(said.out.lines().last().unwrap()).unwrap();
        last["summary"]["state_hash"].clone()
    };
    let mut still = scene(0);
    still["bodies"][2]["position"] = json!(at(falls).to_array());
    still["bodies"][3]["position"] = json!(at(rides).to_array());
    assert_eq!(hash(&scene(120)), hash(&still), "{} {}", at(falls), at(rides));
}
