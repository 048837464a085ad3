//! Bodies that carry: S6.

use core::f64::consts::TAU;

use carom::num::ops;
use glam::DVec3;
use serde_json::json;

use crate::play::{Play, in_all_variants, scene};

/// S6a.
#[test]
fn a_turntable_carries_without_lag() {
    in_all_variants("S6a", &scene("s06_turntable.json"), |play| {
        let start = play.start(0);
        for (tick, state) in play.only().enumerate() {
            let angle = TAU * play.dt() * (tick + 1) as f64;
            let exact = DVec3::new(9.0 * ops::cos(angle), start.y, -9.0 * ops::sin(angle));
            let off = (state.position - exact).length();
            assert!(off <= 1e-4, "{}: {off:e} m off in tick {}", play.label, tick + 1);
            assert!(
                (state.yaw - angle).abs() <= 1e-9,
                "{}: yaw {} in tick {}",
                play.label,
                state.yaw,
                tick + 1
            );
        }
        play.assert_never_inside();
    });
}

/// S6b.
#[test]
fn a_falling_platform_carries() {
    in_all_variants("S6b", &scene("s06_platform.json"), |play| {
        let start = play.start(0);
        for (tick, state) in play.only().enumerate() {
            let time = play.dt() * (tick + 1) as f64;
            let off = (state.position - (start + DVec3::new(0.0, -3.0, 3.0) * time)).length();
            assert!(off <= 1e-4, "{}: {off:e} m off in tick {}", play.label, tick + 1);
        }
        play.assert_never_inside();
    });
}

/// How high the lift of S6c stands.
fn lift(time: f64) -> f64 {
    let phase = time.rem_euclid(2.0);
    2.4 * if phase <= 1.0 { phase } else { 2.0 - phase }
}

/// S6c: with the default snap.
#[test]
fn a_reversing_lift_keeps_its_rider() {
    in_all_variants("S6c", &scene("s06_lift.json"), |play| {
        let start = play.start(0);
        for (tick, state) in play.only().enumerate() {
            let gap = state.position.y - start.y - lift(play.dt() * (tick + 1) as f64);
            assert!(
                gap.abs() <= 1e-4 && state.grounded,
                "{}: {gap:e} m off in tick {}",
                play.label,
                tick + 1
            );
        }
        play.assert_never_inside();
    });
}

/// S6c without snap: where the lift turns down at once, the rider flies on and comes down on it, a parabola.
#[test]
fn a_lift_that_falls_away_is_left() {
    let mut scene = scene("s06_lift.json");
    scene["characters"][0]["settings"] = json!({"snap_distance": 0});
    in_all_variants("S6c, no snap", &scene, |play| {
        flies_a_parabola(play);
        play.assert_never_inside();
    });
}

fn flies_a_parabola(play: &Play) {
    let start = play.start(0);
    for (tick, state) in play.only().enumerate() {
        let time = play.dt() * (tick + 1) as f64;
        let since = time - if time > 3.0 { 3.0 } else { 1.0 };
        let ballistic = 2.4 + 2.4 * since - 0.5 * 9.81 * since * since;
        // It lands 0.979 s after the lift has turned, in the tick that ends at a whole second.
        let expected = if since > 0.0 && ballistic > lift(time) { ballistic } else { lift(time) };
        let off = state.position.y - start.y - expected;
        assert!(off.abs() <= 1e-4, "{}: {off:e} m off in tick {}", play.label, tick + 1);
    }
}
