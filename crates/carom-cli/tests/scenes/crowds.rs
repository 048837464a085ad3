//! Many characters: E6, E7.

use carom::num::ops;
use serde_json::Value;

use crate::frame::Frame;
use crate::play::{Detail, Play, Shape, in_all_variants, run, scene, with_shape};
use crate::stage::Stage;

/// E7: 10 m per tick into another character before a wall.
#[test]
fn a_bullet_stops_at_the_character_that_it_hits() {
    in_all_variants("E7", &scene("e07_bullet.json"), |play| {
        for (tick, states) in play.ticks.iter().enumerate() {
            let apart = (states[1].position - states[0].position).length();
            let touching = 2.0 * play.grown().x;
            assert!((apart - touching).abs() <= 1e-6, "{}: {apart} apart in tick {}", play.label, tick + 1);
            assert!(states[1].position.x <= 1.0 - play.grown().x + 1e-9, "{}: into the wall", play.label);
        }
        play.assert_never_inside();
    });
}

/// No two characters are nearer to each other than their skins allow: upright bodies of one size, on one
/// level.
fn nobody_overlaps(play: &Play) {
    let apart = 2.0 * play.grown().x;
    for (tick, states) in play.ticks.iter().enumerate() {
        let mut places: Vec<_> = states.iter().map(|state| state.position).collect();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        for (i, a) in places.iter().enumerate() {
            for b in places[i + 1..].iter().take_while(|b| b.x - a.x < apart) {
                let gap = (*b - *a).with_y(0.0).length() - apart;
                assert!(gap >= -1e-9, "{}: {gap:e} between {a} and {b} in tick {}", play.label, tick + 1);
            }
        }
    }
}

/// Each walks his own way: the crowd presses against itself.
fn in_all_directions(mut scene: Value) -> Value {
    for (i, character) in scene["characters"].as_array_mut().unwrap().iter_mut().enumerate() {
        let (sin, cos) = ops::sin_cos(2.4 * i as f64);
        character["input"][0]["move"] = serde_json::json!([2.0 * cos, 0.0, 2.0 * sin]);
    }
    scene
}

/// E6: packed and walking, in one direction and in all.
#[test]
fn nobody_overlaps_in_a_crowd() {
    let crowd = scene("e06_crowd_225.json");
    in_all_variants("E6, 225 one way", &crowd, nobody_overlaps);
    in_all_variants("E6, 225 all ways", &in_all_directions(crowd), nobody_overlaps);
    let crowd = in_all_directions(scene("e06_crowd_2025.json"));
    nobody_overlaps(&run(("E6, 2025 all ways", Detail::Plain), &crowd, (Frame::PLAIN, Shape::Given)));
}

/// Sweeps and neighbors of a character in a tick, on average.
fn cost(scene: &Value) -> [f64; 2] {
    let mut stage = Stage::new(scene);
    let mut sum = [0.0; 2];
    for _ in 0..stage.ticks {
        for report in stage.step() {
            sum[0] += f64::from(report.sweeps);
            sum[1] += f64::from(report.neighbors);
        }
    }
    sum.map(|sum| sum / (stage.ticks as f64 * stage.characters.len() as f64))
}

/// E6: a large crowd costs each of its members no more than a small one. The lines of the command do not say
/// what was near, so this asks the library.
#[test]
fn a_large_crowd_costs_each_no_more() {
    for (name, ways) in [("one way", (|scene| scene) as fn(Value) -> Value), ("all ways", in_all_directions)]
    {
        for shape in [Shape::Given, Shape::Ellipsoid] {
            let of = |file| cost(&with_shape(&ways(scene(file)), shape));
            let (small, large) = (of("e06_crowd_225.json"), of("e06_crowd_2025.json"));
            println!("E6 {name}, {shape:?}: sweeps and neighbors {small:?} of 225, {large:?} of 2025");
            for (small, large) in small.into_iter().zip(large) {
                assert!(large <= 1.2 * small, "{name}, {shape:?}: {small} of 225, {large} of 2025");
            }
        }
    }
}
