//! Thin walls and tight places: E1, E5.

use crate::play::{Play, in_all_variants, scene};

/// E1: ten meters a tick, and a wall of five centimeters.
#[test]
fn a_thin_wall_stops_a_fast_walker() {
    in_all_variants("E1", &scene("e01_thin_wall.json"), |play| {
        let stop = -play.grown().x;
        for (tick, state) in play.only().enumerate() {
            let z = state.position.z;
            assert!((z - stop).abs() <= 1e-9, "{}: {z} instead of {stop} in tick {}", play.label, tick + 1);
        }
    });
}

/// How many ticks the end of a scene lasts: a second.
const AT_REST: usize = 60;

/// At the end nothing moves any more, not by a bit.
fn comes_to_rest(play: &Play) {
    let last = play.last().position;
    for (tick, state) in play.only().enumerate().rev().take(AT_REST) {
        assert!(
            state.position == last,
            "{}: {:e} m off its last place in tick {}",
            play.label,
            (state.position - last).length(),
            tick + 1
        );
    }
}

/// E5: down a face of 60°, onto the floor at its foot.
#[test]
fn a_fall_along_a_steep_face_ends_at_its_foot() {
    in_all_variants("E5, face", &scene("e05_steep_face.json"), |play| {
        play.assert_never_inside();
        let on_floor = play.last().position.y - play.grown().y + 3.0;
        assert!(on_floor.abs() <= 1e-4, "{}: {on_floor} above the floor", play.label);
        comes_to_rest(play);
    });
}

/// E5: up a ramp until the ceiling comes down.
#[test]
fn a_ceiling_that_comes_down_over_a_ramp_stops() {
    in_all_variants("E5, ramp", &scene("e05_ramp_under_ceiling.json"), |play| {
        play.assert_never_inside();
        assert!(play.last().position.x > 1.0, "{}: stuck at {}", play.label, play.last().position);
        comes_to_rest(play);
    });
}

/// E5: into the wedge of a wall and a ceiling, and a jump into it.
#[test]
fn a_wedge_of_wall_and_ceiling_stops() {
    in_all_variants("E5, wedge", &scene("e05_wedge.json"), |play| {
        play.assert_never_inside();
        assert!(play.last().position.x > 2.5, "{}: stuck at {}", play.label, play.last().position);
        comes_to_rest(play);
    });
}
