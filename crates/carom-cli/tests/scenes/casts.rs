//! Casts: S1's fraction, S2, S4. The command casts through levels where they stand; mirrored, turned and
//! moved they are cast through in the library, by the pose of their body.

use std::io::Write;
use std::process::{Command, Stdio};

use carom::Cuboid;
use carom::mesh::{Mesh, MeshData};
use carom::num::ops;
use carom::world::{Body, Cast, Collider, Pose, World};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use crate::frame::{Frame, numbers, vector};
use crate::play::folder;
use crate::stage::mover;

/// Queries, one for each line of a file.
fn queries(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answers of the command.
fn cast(level: &str, scale: f64, queries: &[Value]) -> Vec<Value> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for query in queries {
        writeln!(file, "{query}").unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("cast")
        .arg(folder().join(level))
        .args(["--scale", &scale.to_string(), "--in"])
        .arg(file.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{level}: {}", String::from_utf8_lossy(&output.stderr));
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), queries.len(), "{level}");
    answers
}

/// The triangles of a level file as the command reads them.
fn triangles(level: &str, scale: f64) -> MeshData {
    let options = carom_formats::LoadOptions { scale: Some(scale), ..Default::default() };
    carom_formats::load(folder().join(level), &options).unwrap().into_mesh_data()
}

/// One body in a frame. A mesh is mirrored by its vertices, exactly, and posed by its body.
fn world(frame: &Frame, thing: impl Into<Collider>, at: DVec3) -> World {
    let mut world = World::new();
    let pose = Pose::at(frame.point(at)).unwrap().with_rotation(frame.rotation(DQuat::IDENTITY)).unwrap();
    world.add(Body::fixed(thing).at(pose));
    world
}

fn mirrored(frame: &Frame, mut data: MeshData) -> Mesh {
    if frame.handedness() < 0.0 {
        for vertex in &mut data.vertices {
            vertex.swap(0, 2);
        }
        for triangle in &mut data.triangles {
            triangle.swap(1, 2);
        }
    }
    Mesh::new(data).unwrap()
}

/// The fraction, and the normal in the frame of the file.
fn cast_in(world: &World, frame: &Frame, query: &Value) -> Option<(f64, DVec3)> {
    let (from, translation) = (vector(&query["from"]), vector(&query["translation"]));
    let cast = Cast::new(mover(&query["shape"]), frame.point(from), frame.vector(translation)).unwrap();
    world.cast(&cast).map(|hit| (hit.fraction, frame.vector_back(hit.normal)))
}

/// S1: the floor's edge first; without the floor the wall.
#[test]
fn an_edge_before_a_wall_is_met_where_it_is() {
    let query = &queries("s01_corner.jsonl")[0];
    for (level, fraction) in [("s01_corner.obj", 0.1982373), ("s01_wall.obj", 0.3828275)] {
        let answer = &cast(level, 1.0, std::slice::from_ref(query))[0]["hit"];
        let check = |found: f64, label: &str| {
            assert!((found - fraction).abs() <= 5e-8, "{level}, {label}: {found}");
            if level == "s01_corner.obj" {
                let center = vector(&query["from"]) + vector(&query["translation"]) * found;
                // Seven digits were written down.
                assert!(
                    (center - DVec3::new(0.0116392, 0.2497289, 0.0)).abs().max_element() <= 2e-7,
                    "{center}"
                );
            }
        };
        check(answer["fraction"].as_f64().unwrap(), "command");
        for (name, frame) in Frame::all() {
            let world = world(&frame, mirrored(&frame, triangles(level, 1.0)), DVec3::ZERO);
            check(cast_in(&world, &frame, query).unwrap().0, name);
        }
    }
}

/// The queries of S2 at this many places of a square floor, seeded: the ball and the capsule take turns.
fn falls(half_extent: f64, count: u64) -> Vec<Value> {
    let templates = queries("s02_falls.jsonl");
    // Weyl's sequences of two roots: evenly spread, and never twice the same.
    let place = |i: u64, root: f64| ((i as f64 * root).fract() * 2.0 - 1.0) * 0.999 * half_extent;
    (0..count)
        .map(|i| {
            let mut query = templates[i as usize % templates.len()].clone();
            query["from"][0] = json!(place(i, ops::sqrt(2.0)));
            query["from"][2] = json!(place(i, ops::sqrt(3.0)));
            query
        })
        .collect()
}

/// From the center of a query's shape down to its lowest point.
fn feet(query: &Value) -> f64 {
    let capsule = &query["shape"]["capsule"];
    match query["shape"]["sphere"]["radius"].as_f64() {
        Some(radius) => radius,
        None => capsule["radius"].as_f64().unwrap() + capsule["half_height"].as_f64().unwrap(),
    }
}

/// S2: nothing falls through a floor, however large its triangles, and nothing stops above it.
#[test]
fn a_fall_ends_on_the_floor_to_a_nanometer() {
    for half_extent in [5.0, 50.0, 500.0, 5000.0] {
        let queries = falls(half_extent, 2400);
        let check = |query: &Value, fraction: f64, label: &str, rounding: f64| {
            let gap = 3.0 - 3.0 * fraction - feet(query);
            assert!(gap.abs() <= 1e-9, "{label}, {half_extent}: {gap:e} at {}", query["from"]);
            assert!(gap >= -rounding, "{label}, {half_extent}: {gap:e} past the floor at {}", query["from"]);
        };
        for level in ["s02_box.obj", "s02_quad.obj"] {
            for (query, answer) in queries.iter().zip(cast(level, half_extent, &queries)) {
                let fraction = answer["hit"]["fraction"].as_f64();
                let fraction =
                    fraction.unwrap_or_else(|| panic!("{level}, {half_extent}: missed at {query}"));
                // 3 − 3 · fraction and the subtraction of the feet round three times, by half an ulp of 3 at
                // most.
                check(query, fraction, level, 8.0 * f64::EPSILON);
            }
        }
        for (name, frame) in Frame::all() {
            let slab = Cuboid::new(DVec3::new(half_extent, 0.5, half_extent)).unwrap();
            let worlds = [
                ("cuboid", world(&frame, slab, DVec3::new(0.0, -0.5, 0.0))),
                (
                    "quad",
                    world(&frame, mirrored(&frame, triangles("s02_quad.obj", half_extent)), DVec3::ZERO),
                ),
                ("box", world(&frame, mirrored(&frame, triangles("s02_box.obj", half_extent)), DVec3::ZERO)),
            ];
            for (thing, world) in &worlds {
                let label = format!("{thing}, {name}");
                for query in &queries {
                    let hit = cast_in(world, &frame, query);
                    let (fraction, _) =
                        hit.unwrap_or_else(|| panic!("{label}, {half_extent}: missed at {query}"));
                    // Places in a frame are rounded: to 64 ulp of their largest number, all in all.
                    let far = if name == "plain" { 1.0 } else { 2.0 * half_extent + 2e4 };
                    check(query, fraction, &label, 64.0 * f64::EPSILON * far);
                }
            }
        }
    }
}

/// S4: the needle that the ball passes at two meters.
#[test]
fn a_far_needle_is_not_met() {
    let queries = queries("s04_far.jsonl");
    assert_eq!(cast("s04_far.obj", 1.0, &queries), [json!({"hit": null})]);
    for (name, frame) in Frame::all() {
        let world = world(&frame, mirrored(&frame, triangles("s04_far.obj", 1.0)), DVec3::ZERO);
        assert_eq!(cast_in(&world, &frame, &queries[0]), None, "{name}");
    }
}

/// S4: triangles that are segments, points or needles answer like any other: no error, no NaN, and what falls
/// on one lands on it.
#[test]
fn triangles_without_area_answer_in_numbers() {
    let queries = queries("s04_no_area.jsonl");
    for level in ["s04_no_area.obj", "s04_needle.obj"] {
        let answers = cast(level, 1.0, &queries);
        let sane = |fraction: f64, normal: DVec3, label: &str, query: &Value| {
            assert!((0.0..=1.0).contains(&fraction), "{level}, {label}: fraction {fraction} at {query}");
            assert!((normal.length() - 1.0).abs() <= 1e-9, "{level}, {label}: normal {normal} at {query}");
        };
        for (query, answer) in queries.iter().zip(&answers) {
            let hit = answer.get("hit").unwrap_or_else(|| panic!("{level}: {answer} at {query}"));
            if !hit.is_null() {
                sane(hit["fraction"].as_f64().unwrap(), vector(&hit["normal"]), "command", query);
            }
            // Straight down from 2 m a quarter of a meter off the middle: all but the point are in the way of
            // what has a size.
            let z = query["from"][2].as_f64().unwrap();
            let straight = query["translation"] == numbers(DVec3::new(0.0, -4.0, 0.0))
                || query["translation"] == json!([0, -4, 0]);
            let is_segment = if level == "s04_needle.obj" { z == 0.0 } else { z < 4.0 };
            if straight && is_segment && query["shape"] != "point" {
                assert!(!hit.is_null(), "{level}: {query} misses");
            }
        }
        for (name, frame) in Frame::all() {
            let world = world(&frame, mirrored(&frame, triangles(level, 1.0)), DVec3::ZERO);
            for query in queries.iter().filter(|query| query["shape"] != "point") {
                if let Some((fraction, normal)) = cast_in(&world, &frame, query) {
                    sane(fraction, normal, name, query);
                }
            }
        }
    }
}
