//! `carom bench`: figures, whatever they are.

use serde_json::Value;

use super::{CUBE, Files, assert_refused, run};

#[test]
fn measures_the_built_in_level() {
    let said = run(&["bench", "--seconds", "0"]);
    assert_eq!(said.code, 0, "{}", said.err);
    for word in ["the built-in courtyard", "9360 triangles", "built in", "casts/s", "ticks/s"] {
        assert!(said.out.contains(word), "{word}: {}", said.out);
    }
}

#[test]
fn measures_a_level_for_scripts() {
    let files = Files::new();
    let path = files.write("cube.obj", CUBE);
    let said = run(&["bench", &path, "--seconds", "0", "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let figures: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(figures["triangles"], 12);
    assert_eq!(figures["size"], serde_json::json!([2.0, 2.0, 2.0]));
    let casts = figures["casts_per_second"].as_array().unwrap();
    let shapes: Vec<_> = casts.iter().map(|named| named["shape"].as_str().unwrap()).collect();
    assert_eq!(shapes, ["ray", "sphere", "ellipsoid", "capsule", "cuboid"]);
    for rate in casts.iter().map(|named| &named["per_second"]).chain([
        &figures["casts_per_second_all_threads"],
        &figures["ticks_per_second"],
        &figures["ticks_per_second_all_threads"],
        &figures["build_seconds"],
    ]) {
        assert!(rate.as_f64().unwrap() > 0.0, "{figures}");
    }
}

#[test]
fn says_what_it_cannot_measure() {
    assert_refused(&run(&["bench", "nowhere.obj"]), &["nowhere.obj"]);
    assert_refused(&run(&["bench", "--seconds", "NaN"]), &["--seconds", "NaN"]);
    assert_refused(&run(&["bench", "--seconds=-1"]), &["--seconds", "-1"]);
}
