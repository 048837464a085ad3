//! Whatever the order, the answer is the same to the bit: E8.
//!
//! Orders are no input of the command, so the scenes are run in the library; that both say the same is a test
//! of its own.

use carom_scenes::Random;
use serde_json::{Value, json};

use crate::frame::Frame;
use crate::play::{Detail, Shape, folder, run, scene, with_shape};
use crate::stage::Stage;

/// All scene files but those of crowds, by name.
fn scenes() -> Vec<(String, Value)> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json") && !name.contains("crowd"))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    names.into_iter().map(|name| (name.clone(), scene(&name))).collect()
}

/// The bits of all that changes, tick by tick.
fn bits(scene: &Value, ticks: u64) -> Vec<[u64; 8]> {
    let mut stage = Stage::new(scene);
    let mut bits = Vec::new();
    for _ in 0..stage.ticks.min(ticks) {
        let reports = stage.step();
        for (report, character) in reports.iter().zip(&stage.characters) {
            let [x, y, z] = report.position.to_array();
            let [u, v, w] = report.velocity.to_array();
            let grounded = f64::from(u8::from(report.ground.is_some()));
            bits.push([x, y, z, u, v, w, character.yaw(), grounded].map(f64::to_bits));
        }
    }
    bits
}

/// The elements of a list in another order.
fn shuffle(list: &mut [Value], random: &mut Random) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

/// Bodies, triangles and the corners of triangles in another order.
fn permuted(scene: &Value, random: &mut Random) -> Value {
    let mut scene = scene.clone();
    let bodies = scene["bodies"].as_array_mut().unwrap();
    for body in bodies.iter_mut().filter(|body| body.get("mesh").is_some()) {
        let triangles = body["mesh"]["triangles"].as_array_mut().unwrap();
        shuffle(triangles, random);
        for triangle in triangles {
            triangle.as_array_mut().unwrap().rotate_left(random.below(3));
        }
    }
    shuffle(bodies, random);
    scene
}

#[test]
fn the_order_of_bodies_and_triangles_changes_no_bit() {
    let mut failed = Vec::new();
    for (name, scene) in scenes() {
        for (frame_name, frame) in Frame::all() {
            for shape in [Shape::Given, Shape::Ellipsoid] {
                let scene = frame.carry(&with_shape(&scene, shape));
                let plain = bits(&scene, 240);
                for seed in 0..3 {
                    let other = bits(&permuted(&scene, &mut Random::scattered(seed)), 240);
                    if let Some(tick) = plain.iter().zip(&other).position(|(a, b)| a != b) {
                        let numbers = |bits: &[u64; 8]| bits.map(f64::from_bits);
                        failed.push(format!(
                            "{name}, {frame_name}, {shape:?}, seed {seed}: tick {}: {:?} and {:?}",
                            tick + 1,
                            numbers(&plain[tick]),
                            numbers(&other[tick])
                        ));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for (name, scene) in [
        ("crowd", scene("e06_crowd_225.json")),
        ("bullet", scene("e07_bullet.json")),
        ("stairs", scene("s08_stairs.json")),
    ] {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bits(&scene, 60))
        };
        let one = with(1);
        for threads in [2, 3, 4, 7, 16] {
            assert!(with(threads) == one, "{name}: {threads} threads");
        }
    }
}

/// The command walks characters as the library does.
#[test]
fn the_command_says_what_the_library_does() {
    for (name, mut scene) in scenes() {
        scene["ticks"] = json!(scene["ticks"].as_u64().unwrap().min(240));
        let play = run((&name, Detail::Plain), &scene, (Frame::PLAIN, Shape::Given));
        let said: Vec<_> = play
            .ticks
            .iter()
            .flatten()
            .map(|state| {
                let [x, y, z] = state.position.to_array();
                let [u, v, w] = state.velocity.to_array();
                [x, y, z, u, v, w, state.yaw, f64::from(u8::from(state.grounded))]
                    .map(|x| (x + 0.0).to_bits())
            })
            .collect();
        let done: Vec<_> = bits(&scene, 240)
            .into_iter()
            .map(|state| state.map(|bits| (f64::from_bits(bits) + 0.0).to_bits()))
            .collect();
        assert!(said == done, "{name}");
    }
}
