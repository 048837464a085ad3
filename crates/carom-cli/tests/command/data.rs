//! Real levels, from the folder that `CAROM_DATA` names.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use carom::shape::{Ellipsoid, Mover};
use carom::world::{Body, Cast, Layers, World};
use carom_formats::Format;
use carom_scenes::{Random, real};
use glam::DVec3;
use serde_json::{Value, json};

use super::{Files, lines, run, text_of};

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| value[axis].as_f64().unwrap_or(0.0)))
}

/// 50 spheres, ellipsoids and capsules, a hundredth of the level in size.
fn questions(min: DVec3, max: DVec3) -> String {
    let mut random = Random::scattered(3);
    let size = (max - min).max_element().max(1.0);
    let mut questions = String::new();
    for i in 0..150 {
        let share = DVec3::new(random.unit(), random.unit(), random.unit());
        let from = min + (max - min) * share;
        let translation = random.direction() * (0.3 * size);
        let radius = 0.01 * size;
        let shape = match i % 3 {
            0 => json!({"sphere": {"radius": radius}}),
            1 => {
                json!({"ellipsoid": {"radii": [radius, 2.0 * radius, 0.7 * radius], "rotation": random.rotation().to_array()}})
            }
            _ => {
                json!({"capsule": {"radius": radius, "half_height": 2.0 * radius, "rotation": random.rotation().to_array()}})
            }
        };
        let query = json!({"shape": shape, "from": from.to_array(), "translation": translation.to_array()});
        writeln!(questions, "{query}").unwrap();
    }
    questions
}

/// The center crosses no triangle, and the body without its skin overlaps none, from tick to tick.
fn assert_never_through(level: &Path, ticks: &[Value], start: &Value) {
    let level_mesh = carom_formats::load(level, &Default::default()).unwrap().into_mesh().unwrap();
    let mut world = World::new();
    world.add(Body::fixed(level_mesh));
    let body = Ellipsoid::new(DVec3::new(0.4, 0.9, 0.4)).unwrap();
    let mut from = vector(start);
    for tick in ticks {
        let to = vector(&tick["characters"][0]["position"]);
        let way = Cast::new(Mover::Point, from, to - from).unwrap();
        assert!(world.cast(&way).is_none(), "{}: through a triangle before {tick}", level.display());
        let overlaps = world.overlaps(body, to, Layers::ALL).unwrap();
        assert!(overlaps.is_empty(), "{}: {overlaps:?} overlapped at {tick}", level.display());
        from = to;
    }
}

#[test]
fn every_real_level_is_inspected_cast_through_and_walked_on() {
    let Some(folder) = real::folder() else { return };
    let files = Files::new();
    let found = real::files_below(&folder, |path| Format::from_path(path).is_some()).unwrap();
    assert!(found.len() > 50, "{}", found.len());
    let started = Instant::now();
    for path in &found {
        let name = path.file_name().unwrap().to_str().unwrap();
        let level = text_of(path);
        let said = run(&["inspect", &level, "--json"]);
        // Broken as some of them are, all can be read.
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
        let report = &lines(&said.out)[0];
        let usable = report["defects"]["non_finite"] == 0;
        let (min, max) = (vector(&report["min"]), vector(&report["max"]));
        println!("{name}: {} triangles, {} … {}", report["triangles"], min, max);

        let input = files.write("queries.jsonl", &questions(min, max));
        let said = run(&["cast", &level, "--in", &input]);
        assert_eq!(said.code, if usable { 0 } else { 2 }, "{name}: {}{}", said.err, said.out);
        if !usable {
            assert!(said.err.contains("not finite"), "{name}: {}", said.err);
            continue;
        }
        let answers = lines(&said.out);
        assert_eq!(answers.len(), 150);
        let hits = answers.iter().filter(|answer| !answer["hit"].is_null()).count();

        let middle = 0.5 * (min + max);
        let scene = json!({"ticks": 120, "bodies": [{"name": "level", "file": level}], "characters": [
            {"name": "ellipsoid", "rule": "slide", "shape": {"ellipsoid": {"radii": [0.4, 0.9, 0.4]}},
             "position": [middle.x, max.y + 1.0, middle.z],
             "input": [{"from": 1.0, "until": 2.0, "move": [2, 0, 1]}]}]});
        let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        let ticks = lines(&said.out);
        assert_eq!(ticks.len(), 121);
        let last = &ticks[119]["characters"][0];
        let end = vector(&last["position"]);
        // Where a double is no finer than the skin, a body of this size is nowhere in particular.
        if min.abs().max(max.abs()).max_element() * f64::EPSILON < 1e-4 {
            assert_never_through(path, &ticks[..120], &scene["characters"][0]["position"]);
        }
        let over = (end.x - min.x) * (max.x - end.x) >= 0.0 && (end.z - min.z) * (max.z - end.z) >= 0.0;
        let fell = if over && end.y < min.y { "; below it, past its edges or holes" } else { "" };
        println!("  {hits} of 150 casts hit; after 2 s at {end}, on {}{fell}", last["ground_body"]);
    }
    println!("{} levels in {:.1} s", found.len(), started.elapsed().as_secs_f64());
}
