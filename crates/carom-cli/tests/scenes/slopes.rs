//! Slopes, crests and their sides: E2, E3, E4.

use carom::num::ops;
use glam::DVec3;
use serde_json::{Value, json};

use crate::frame::numbers;
use crate::play::{Detail, Play, Shape, height_over_slope, in_all_variants, in_all_variants_of, scene};

/// E2's slope at another angle, climbing along x through the origin, with the character standing on it there.
fn slope(degrees: f64, shape: Shape, desired_velocity: Option<DVec3>) -> Value {
    let mut scene = scene("e02_slope.json");
    let angle = degrees.to_radians();
    let (sin, cos) = ops::sin_cos(angle);
    scene["bodies"][0]["position"] = json!([sin, -cos, 0]);
    scene["bodies"][0]["rotation"] = json!([0, 0, ops::sin(0.5 * angle), ops::cos(0.5 * angle)]);
    let height = height_over_slope(&scene, shape, degrees);
    scene["characters"][0]["position"] = json!([0, height, 0]);
    scene["characters"][0]["input"] = match desired_velocity {
        Some(desired_velocity) => json!([{"from": 0, "until": 1e9, "move": numbers(desired_velocity)}]),
        None => json!([]),
    };
    scene
}

/// E2: on slopes that can be walked, a walk keeps its heading and its speed along the surface.
#[test]
fn a_walk_on_a_slope_keeps_its_heading_and_its_speed() {
    for step in 1..=9 {
        let degrees = 5.0 * f64::from(step);
        let (sin, cos) = ops::sin_cos(degrees.to_radians());
        for (name, desired_velocity, exact) in [
            ("up", DVec3::X, DVec3::new(cos, sin, 0.0)),
            ("down", DVec3::NEG_X, DVec3::new(-cos, -sin, 0.0)),
            ("across", DVec3::Z, DVec3::Z),
        ] {
            let name = format!("E2 {degrees}° {name}");
            in_all_variants_of(
                (&name, Detail::Plain),
                |shape| slope(degrees, shape, Some(desired_velocity * 4.0)),
                |play| {
                    let start = play.start(0);
                    for (tick, state) in play.only().enumerate() {
                        let ideal = start + exact * (4.0 * play.dt() * (tick + 1) as f64);
                        let off = (state.position - ideal).length();
                        assert!(off <= 1e-6, "{}: {off:e} m off in tick {}", play.label, tick + 1);
                        assert!(state.grounded, "{}: in the air in tick {}", play.label, tick + 1);
                    }
                },
            );
        }
    }
}

/// E2: steeper slopes are not walked up, straight or obliquely.
#[test]
fn nobody_walks_up_a_steep_slope() {
    for step in 10..=17 {
        let degrees = 5.0 * f64::from(step);
        for desired_velocity in [DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, 0.8), DVec3::NEG_X] {
            let name = format!("E2 {degrees}° {desired_velocity}");
            in_all_variants_of(
                (&name, Detail::Plain),
                |shape| slope(degrees, shape, Some(desired_velocity * 4.0)),
                |play| {
                    let start = play.start(0);
                    for (tick, state) in play.only().enumerate() {
                        let rise = state.position.y - start.y;
                        assert!(rise <= 1e-9, "{}: {rise:e} m up in tick {}", play.label, tick + 1);
                    }
                },
            );
        }
    }
}

/// E2: a standing character stays, to the bit, for this many ticks of a sixtieth.
fn stands(ticks: u64) {
    for step in 1..=9 {
        let degrees = 5.0 * f64::from(step);
        let standing = |shape| {
            let mut scene = slope(degrees, shape, None);
            scene["ticks"] = json!(ticks);
            scene
        };
        in_all_variants_of((&format!("E2 {degrees}° standing"), Detail::Plain), standing, |play| {
            let first = play.ticks[0][0].position;
            assert!((first - play.start(0)).length() <= 1e-9, "{}: {first} at once", play.label);
            for (tick, state) in play.only().enumerate() {
                let crept = (state.position - first).length();
                assert!(
                    crept == 0.0 && state.grounded,
                    "{}: crept {crept:e} by tick {}",
                    play.label,
                    tick + 1
                );
            }
        });
    }
}

#[test]
fn standing_on_a_slope_is_no_creeping() {
    stands(600);
}

#[test]
#[ignore = "ten minutes of standing on nine slopes in eight variants: a minute's work"]
fn standing_on_a_slope_for_ten_minutes_is_no_creeping() {
    stands(36_000);
}

/// E3: with a snap of half a meter a crest at 10 m/s does not lift a runner; without it does.
#[test]
fn a_crest_is_left_only_without_snap() {
    in_all_variants("E3, snap", &scene("e03_crest.json"), |play| {
        for (tick, state) in play.only().enumerate() {
            assert!(state.grounded, "{}: in the air in tick {}", play.label, tick + 1);
        }
        assert!(play.last().position.z > 15.0);
    });
    let mut leaves = scene("e03_crest.json");
    leaves["characters"][0]["settings"]["snap_distance"] = json!(0);
    in_all_variants("E3, no snap", &leaves, |play| {
        assert!(play.only().any(|state| !state.grounded), "{}: never in the air", play.label);
    });
}

/// E4: over the side edge of a ramp, where it is lower than a step, in and out again.
#[test]
fn the_side_edge_of_a_ramp_is_no_snag() {
    for (z, desired_velocity) in [
        (0.3, DVec3::new(4.0, 0.0, 0.0)),
        (0.05, DVec3::new(4.0, 0.0, 0.0)),
        (-0.25, DVec3::new(4.0, 0.0, 0.0)),
        (-0.3003, DVec3::new(4.0, 0.0, 0.0)),
        (-0.6, DVec3::new(4.0, 0.0, 0.6)),
        (0.5, DVec3::new(-4.0, 0.0, -0.5)),
    ] {
        let mut scene = scene("e04_side_edge.json");
        let start = &mut scene["characters"][0]["position"];
        start[2] = json!(z);
        if desired_velocity.x < 0.0 {
            start[0] = json!(4.0);
        }
        scene["characters"][0]["input"][0]["move"] = numbers(desired_velocity);
        in_all_variants(&format!("E4 z {z}, {desired_velocity}"), &scene, |play| {
            no_snag(play, desired_velocity);
        });
    }
}

fn no_snag(play: &Play, desired_velocity: DVec3) {
    let heading = desired_velocity.normalize();
    let tick_way = desired_velocity.length() * play.dt();
    let path = play.path();
    for (tick, pair) in path.windows(2).enumerate() {
        let way = (pair[1] - pair[0]).dot(heading);
        assert!(way >= 0.5 * tick_way, "{}: {way} m in tick {} at {}", play.label, tick + 1, pair[0]);
    }
    for (tick, state) in play.only().enumerate() {
        assert!(state.grounded, "{}: in the air in tick {} at {}", play.label, tick + 1, state.position);
    }
    let whole = (path[path.len() - 1] - path[0]).dot(heading);
    assert!(whole >= 0.95 * tick_way * (path.len() - 1) as f64, "{}: {whole} m in all", play.label);
    play.assert_never_inside();
}
