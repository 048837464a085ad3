//! Level ground, however it is cut: S1, S3, S5.

use carom::num::ops;
use glam::DVec3;
use serde_json::json;

use crate::frame::Frame;
use crate::play::{Detail, Play, in_all_variants, in_all_variants_of, run, scene, with_shape};

/// S1: a flying ball slides over the free edge of a floor to the wall, whatever the order of the triangles.
#[test]
fn a_flying_ball_reaches_the_wall_behind_an_edge() {
    let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let orders = [[0, 1, 2, 3], [2, 3, 0, 1], [3, 1, 2, 0], [1, 3, 0, 2]];
    for rule in ["character", "slide"] {
        for order in orders {
            for first in 0..3 {
                let mut scene = scene("s01_corner.json");
                scene["characters"][0]["rule"] = json!(rule);
                let order = order.map(|i: usize| [0, 1, 2].map(|corner| triangles[i][(corner + first) % 3]));
                scene["bodies"][0]["mesh"]["triangles"] = json!(order);
                in_all_variants(&format!("S1 {rule} {order:?}"), &scene, |play| {
                    let goal = 0.75 - play.skin();
                    let x = play.last().position.x;
                    assert!((x - goal).abs() <= 1e-4, "{}: {x}", play.label);
                });
            }
        }
    }
}

/// S3: a minute of turning on level ground, whatever the ground is made of and how far it reaches.
#[test]
fn a_flat_walk_is_flat_and_even() {
    for floor in ["box", "two", "grid"] {
        for half_extent in [15.0, 500.0] {
            let name = format!("S3 {floor} {half_extent}");
            let sized = |_| {
                let mut scene = scene("s03_flat_walk.json");
                scene["characters"][0]["settings"]["collides_with"] = json!([floor]);
                for body in scene["bodies"].as_array_mut().unwrap() {
                    body["scale"] = json!(half_extent / 15.0);
                    if body["name"] == "box" {
                        body["position"] = json!([0, -0.5 * half_extent / 15.0, 0]);
                    }
                }
                scene
            };
            in_all_variants_of((&name, Detail::Plain), sized, |play| {
                let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                for (tick, pair) in play.path().windows(2).enumerate() {
                    let went = pair[1] - pair[0];
                    let length = went.with_y(0.0).length();
                    assert!(
                        (length - 9.0 * play.dt()).abs() <= 1e-6,
                        "{}: tick {}: {length} m at {}",
                        play.label,
                        tick + 1,
                        pair[1]
                    );
                    (low, high) = (low.min(pair[1].y), high.max(pair[1].y));
                }
                assert!(high - low <= 1e-6, "{}: y from {low} to {high}", play.label);
                for (tick, state) in play.only().enumerate() {
                    assert!(state.grounded, "{}: in the air in tick {}", play.label, tick + 1);
                }
            });
        }
    }
}

/// S5a: a wall of boxes is slid along as one wall is.
#[test]
fn abutting_boxes_are_one_wall() {
    let joined = scene("s05_one_wall.json");
    in_all_variants_of(
        ("S5a", Detail::Traced),
        |_| scene("s05_wall_of_boxes.json"),
        |play| {
            let whole = with_shape(&joined, play.shape);
            let whole = run(("S5a, one wall", Detail::Plain), &whole, (Frame::PLAIN, play.shape));
            slides_as(play, &whole, &[DVec3::Y, DVec3::NEG_Z]);
            // After the wall is hit no tick is slower than sliding is.
            let speed = 4.0 / ops::sqrt(2.0) * play.dt();
            for (tick, pair) in play.path().windows(2).enumerate() {
                assert!(
                    (pair[1].x - pair[0].x - speed).abs() <= 1e-6,
                    "{}: slow in tick {}",
                    play.label,
                    tick + 1
                );
            }
        },
    );
}

/// S5b and c: tiles and T-junctions are one floor.
#[test]
fn a_tiled_floor_is_one_floor() {
    for (name, file) in [("S5b", "s05_tiles.json"), ("S5c", "s05_t_junctions.json")] {
        in_all_variants_of(
            (name, Detail::Traced),
            |_| scene(file),
            |play| {
                let desired_velocity =
                    crate::frame::vector(&scene(file)["characters"][0]["input"][0]["move"]);
                let start = play.start(0);
                for (tick, state) in play.only().enumerate() {
                    let ideal = start + desired_velocity * (play.dt() * (tick + 1) as f64);
                    let off = (state.position - ideal).length();
                    assert!(off <= 1e-6, "{}: {off:e} m off in tick {}", play.label, tick + 1);
                    assert_normals(play, tick, &[DVec3::Y]);
                }
            },
        );
    }
}

fn slides_as(play: &Play, whole: &Play, normals: &[DVec3]) {
    for (tick, (state, other)) in play.only().zip(whole.only()).enumerate() {
        let off = (state.position - other.position).length();
        assert!(off <= 1e-6, "{}: {off:e} m off in tick {}", play.label, tick + 1);
        assert_normals(play, tick, normals);
    }
}

fn assert_normals(play: &Play, tick: usize, normals: &[DVec3]) {
    let touched = &play.ticks[tick][0].normals;
    assert!(!touched.is_empty(), "{}: nothing is touched in tick {}", play.label, tick + 1);
    for normal in touched {
        assert!(
            normals.iter().any(|plane| (*plane - *normal).length() <= 1e-9),
            "{}: normal {normal} in tick {}",
            play.label,
            tick + 1
        );
    }
}
