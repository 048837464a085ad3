//! Out of what is overlapped, and away from what pushes: S7, S9.

use glam::DVec3;

use crate::play::{Play, in_all_variants, scene};
use crate::stage::Stage;

/// S7a.
#[test]
fn a_box_is_left_sideways() {
    in_all_variants("S7a", &scene("s07_box.json"), |play| {
        let start = play.start(0);
        let exact = start.with_x(play.grown().x);
        let off = (play.last().position - exact).length();
        assert!(off <= 1e-9, "{}: {} instead of {exact}", play.label, play.last().position);
    });
}

/// S7b and c.
#[test]
fn leaning_slabs_are_left() {
    for (name, file) in [("S7b", "s07_slabs.json"), ("S7c", "s07_all.json")] {
        in_all_variants(name, &scene(file), |play| {
            let stage = Stage::new(&play.scene);
            let mut before = f64::INFINITY;
            for (tick, at) in play.path().into_iter().enumerate() {
                let depth = stage.depth(0, play.frame.point(at));
                let rounding = 1e-11;
                assert!(
                    depth <= before + rounding,
                    "{}: from {before} to {depth} in tick {tick}",
                    play.label
                );
                assert!(tick < 10 || depth <= rounding, "{}: {depth} inside after tick {tick}", play.label);
                before = depth;
            }
            // Nine ticks in ten of the way: the slabs end a meter off, and nothing stands behind.
            let went = play.last().position.z - play.path()[10].z;
            assert!(went >= 0.9 * 2.0 * play.dt() * 90.0, "{}: only {went} m off", play.label);
        });
    }
}

fn gap_to_ram(play: &Play, tick: usize, position: DVec3) -> f64 {
    let face = -1.0 + play.dt() * (tick + 1) as f64;
    position.x - play.grown().x - face
}

/// S9: a body at 1 m/s pushes a character in its way, and is never inside.
#[test]
fn a_character_in_the_way_is_pushed() {
    in_all_variants("S9", &scene("s09_pushed.json"), |play| {
        let start = play.start(0);
        for (tick, state) in play.only().enumerate() {
            // The body itself is where its speed and its ticks have brought it, but for the rounding of a
            // place 17 km off.
            let gap = gap_to_ram(play, tick, state.position);
            assert!(gap >= -1e-9, "{}: {gap:e} inside in tick {}", play.label, tick + 1);
            assert!(state.crushed_by.is_empty(), "{}: crushed in tick {}", play.label, tick + 1);
            assert!(gap <= 1e-4 || state.position.x <= start.x + 1e-4, "{}: flung by {gap}", play.label);
        }
        play.assert_never_inside();
    });
}

/// S9: between the body and a wall.
#[test]
fn a_pinned_character_is_crushed_by_both() {
    in_all_variants("S9, pinned", &scene("s09_pinned.json"), |play| {
        let room = 1.0 - play.grown().x;
        crushed_by(play, ["ram", "wall"], |tick, position| {
            assert!(position.x <= room + 1e-11, "{}: through the wall in tick {tick}", play.label);
            gap_to_ram(play, tick, position)
        });
    });
}

/// S9: between a lift and a ceiling.
#[test]
fn a_hero_lifted_to_the_ceiling_is_crushed_by_both() {
    in_all_variants("S9, ceiling", &scene("s09_ceiling.json"), |play| {
        crushed_by(play, ["lift", "ceiling"], |tick, position| {
            assert!(position.y <= 2.5 - play.grown().y + 1e-11, "{}: through in tick {tick}", play.label);
            position.y - play.grown().y - play.dt() * (tick + 1) as f64
        });
    });
}

/// Crushed by both in every tick that leaves no room, and not before. The scenes end where what crushes has
/// come to the middle of the body: from there on its other side is nearer.
fn crushed_by(play: &Play, bodies: [&str; 2], gap: impl Fn(usize, DVec3) -> f64) {
    let mut was_crushed = false;
    for (tick, state) in play.only().enumerate() {
        let gap = gap(tick, state.position);
        if gap < -1e-9 {
            for body in bodies {
                assert!(
                    state.crushed_by.iter().any(|by| by == body),
                    "{}: {gap:e} inside in tick {} and crushed by {:?}",
                    play.label,
                    tick + 1,
                    state.crushed_by
                );
            }
            was_crushed = true;
        } else {
            assert!(state.crushed_by.is_empty() || gap < 1.0 * play.dt(), "{}: crushed too soon", play.label);
        }
    }
    assert!(was_crushed, "{}: never crushed", play.label);
}
