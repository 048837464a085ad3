//! Curved patches of level files: they stay curved in `cast` and `walk`, and become triangles on request.

use glam::DVec3;
use serde_json::{Value, json};

use super::scene::vector;
use super::{Files, assert_refused, lines, run};

/// A floor of 16 m and on it half a pipe along z: two parabolas, of which the first is
/// (4 + 4 t², 4 (1 − t)²) in x and y.
const PIPE: &str = r#"{
"classname" "worldspawn"
{
( 0 0 -16 ) ( 0 1 -16 ) ( 0 0 -15 ) stone 0 0 0 1 1
( 512 0 -16 ) ( 512 0 -15 ) ( 512 1 -16 ) stone 0 0 0 1 1
( 0 0 -16 ) ( 0 0 -15 ) ( 1 0 -16 ) stone 0 0 0 1 1
( 0 512 -16 ) ( 1 512 -16 ) ( 0 512 -15 ) stone 0 0 0 1 1
( 0 0 -16 ) ( 1 0 -16 ) ( 0 1 -16 ) stone 0 0 0 1 1
( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 ) stone 0 0 0 1 1
}
{
patchDef2
{
stone
( 3 5 0 0 0 )
(
( ( 128 64 128 0 0 ) ( 128 64 0 0 0 ) ( 256 64 0 0 0 ) ( 384 64 0 0 0 ) ( 384 64 128 0 0 ) )
( ( 128 256 128 0 0 ) ( 128 256 0 0 0 ) ( 256 256 0 0 0 ) ( 384 256 0 0 0 ) ( 384 256 128 0 0 ) )
( ( 128 448 128 0 0 ) ( 128 448 0 0 0 ) ( 256 448 0 0 0 ) ( 384 448 0 0 0 ) ( 384 448 128 0 0 ) )
)
}
}
}
"#;

const QUERIES: &str = r#"{"shape":"point","from":[5,6,-8],"translation":[0,-8,0]}
{"shape":{"sphere":{"radius":0.5}},"from":[5,6,-8],"translation":[0,-8,0]}
{"shape":{"capsule":{"radius":0.3,"half_height":0.6}},"from":[5,6,-8],"translation":[0,-8,0]}
"#;

/// How far a place is from the first parabola.
fn distance(x: f64, y: f64) -> f64 {
    let squared = |t: f64| {
        let (across, up) = (4.0 + 4.0 * t * t - x, 4.0 * (1.0 - t) * (1.0 - t) - y);
        across * across + up * up
    };
    // Thirds: the distance has one minimum here.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if squared(one) < squared(other) { high = other } else { low = one }
    }
    carom::num::ops::sqrt(squared(0.5 * (low + high)))
}

#[test]
fn casts_meet_the_curve_itself_and_triangles_only_on_request() {
    let files = Files::new();
    let (level, queries) = (files.write("pipe.map", PIPE), files.write("queries.jsonl", QUERIES));
    let curved = run(&["cast", &level, "--in", &queries]);
    assert_eq!(curved.code, 0, "{}", curved.err);
    let fraction = |answer: &Value| answer["hit"]["fraction"].as_f64().unwrap();
    let curved = lines(&curved.out);
    assert!((fraction(&curved[0]) - 0.625).abs() < 1e-12, "{}", curved[0]);
    // The lower cap of the capsule is a ball, too.
    for (answer, below, radius) in [(&curved[1], 0.0, 0.5), (&curved[2], 0.6, 0.3)] {
        let gap = distance(5.0, 6.0 - 8.0 * fraction(answer) - below) - radius;
        assert!((0.0..1e-8).contains(&gap), "{gap:e}, {answer}");
    }
    for answer in &curved {
        assert!(answer["hit"]["patch"].is_u64() && answer["hit"]["triangle"].is_null(), "{answer}");
    }
    let flat = run(&["cast", &level, "--in", &queries, "--tessellate", "0.001"]);
    assert_eq!(flat.code, 0, "{}", flat.err);
    for (flat, curved) in lines(&flat.out).iter().zip(&curved) {
        assert!(flat["hit"]["triangle"].is_u64() && flat["hit"]["patch"].is_null(), "{flat}");
        // A millimeter across a wall of 60° is two along the way.
        let apart = 8.0 * (fraction(flat) - fraction(curved)).abs();
        assert!(apart <= 2e-3, "{apart}");
    }
    for (wrong, why) in [("0", "greater than 0"), ("NaN", "greater than 0"), ("wide", "invalid")] {
        assert_refused(&run(&["cast", &level, "--in", &queries, "--tessellate", wrong]), &[why]);
    }
}

#[test]
fn inspect_counts_the_triangles_that_a_patch_becomes() {
    let files = Files::new();
    let level = files.write("pipe.map", PIPE);
    let said = run(&["inspect", &level, "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    // Twelve of the box, and two for each cell of the patch.
    let triangles = report["triangles"].as_u64().unwrap();
    assert!(triangles > 12 + 16 && triangles.is_multiple_of(2), "{report}");
}

/// Where a character is, tick by tick.
fn way(files: &Files, arguments: &[&str], character: usize) -> Vec<DVec3> {
    let input = [(0, 2, 2), (2, 9, -2)]
        .map(|(from, until, along)| json!({"from": from, "until": until, "move": [along, 0, 0]}));
    let capsule = json!({"capsule": {"radius": 0.4, "half_height": 0.5}});
    let scene = json!({
        "ticks": 240,
        "dt": 1.0 / 60.0,
        "bodies": [{"name": "pipe", "file": "pipe.map"}],
        "characters": [
            {"name": "hero", "shape": capsule, "position": [8, 1, -8], "input": input},
            {"name": "ball", "rule": "slide", "shape": {"sphere": {"radius": 0.4}}, "position": [5.6, 1.4, -4]},
        ],
    });
    let scene = files.write("scene.json", &scene.to_string());
    let mut words = vec!["walk", scene.as_str()];
    words.extend(arguments);
    let said = run(&words);
    assert_eq!(said.code, 0, "{}", said.err);
    let ticks = lines(&said.out).into_iter().filter(|line| !line["tick"].is_null());
    ticks.map(|tick| vector(&tick["characters"][character]["position"])).collect()
}

/// The largest second difference of the heights, after the fall.
fn roughness(way: &[DVec3]) -> f64 {
    let heights: Vec<f64> = way[30..].iter().map(|place| place.y).collect();
    heights.windows(3).map(|h| (h[2] - 2.0 * h[1] + h[0]).abs()).fold(0.0, f64::max)
}

#[test]
fn a_ball_rolls_through_a_pipe_of_a_level_file_without_facets() {
    let files = Files::new();
    files.write("pipe.map", PIPE);
    let (curved, fine) = (way(&files, &[], 1), way(&files, &["--tessellate", "0.0005"], 1));
    let coarse = way(&files, &["--tessellate", "0.05"], 1);
    // Its own fall bends the way by g·dt² a tick at most; every facet bends it by more.
    let bend = 9.81 / 3600.0;
    assert!(roughness(&curved) < bend, "{:e}", roughness(&curved));
    assert!(roughness(&coarse) > 2.0 * bend, "{:e}", roughness(&coarse));
    for (one, other) in curved.iter().zip(&fine) {
        assert!(one.distance(*other) < 0.02, "{one} and {other}");
    }
    // Down, up the other side, and back.
    let highest = curved.iter().filter(|place| place.x > 8.0).fold(0.0, |most: f64, place| most.max(place.y));
    assert!(highest > 1.0 && curved[239].x < 8.0, "{highest}, {}", curved[239]);
}

#[test]
fn a_hero_walks_on_the_curve_as_on_very_fine_triangles() {
    let files = Files::new();
    files.write("pipe.map", PIPE);
    let (curved, fine) = (way(&files, &[], 0), way(&files, &["--tessellate", "0.0005"], 0));
    for (one, other) in curved.iter().zip(&fine) {
        assert!(one.distance(*other) < 5e-3, "{one} and {other}");
    }
    assert!(curved[119].y > curved[0].y + 0.5, "it has climbed: {}", curved[119]);
}
