//! Pits without a way out, however shallow; and spawns that lead to little or nothing of the level.

use carom_explore::{Code, Explorer, Finding, Rules, Stage};
use glam::{DVec3, dvec3};

use crate::{cases, explore, level, said, slab};

/// A walled yard of 14 × 12 m at height 0, with a pit between these corners of its plan.
fn yard_with_pit(low: [f64; 2], high: [f64; 2], depth: f64) -> carom_scenes::SceneMesh {
    slab([0.0, -3.0, 0.0], [low[0], 0.0, 12.0])
        .and(&slab([high[0], -3.0, 0.0], [14.0, 0.0, 12.0]))
        .and(&slab([low[0], -3.0, 0.0], [high[0], 0.0, low[1]]))
        .and(&slab([low[0], -3.0, high[1]], [high[0], 0.0, 12.0]))
        .and(&slab([low[0], -3.0, low[1]], [high[0], -depth, high[1]]))
        .and(&slab([-0.5, -3.0, -0.5], [0.0, 3.0, 12.5]))
        .and(&slab([14.0, -3.0, -0.5], [14.5, 3.0, 12.5]))
        .and(&slab([0.0, -3.0, -0.5], [14.0, 3.0, 0.0]))
        .and(&slab([0.0, -3.0, 12.0], [14.0, 3.0, 12.5]))
        .rounded()
}

#[test]
fn a_pit_deeper_than_a_step_is_a_trap_without_jumping() {
    let mut dice = 1.0f64;
    let mut roll = |low: f64, high: f64| {
        // Weyl's sequence of the golden ratio.
        dice += 0.618_033_988_749_894_8;
        low + (high - low) * dice.fract()
    };
    let rules = Rules { jump: 0.0, ..Rules::default() };
    for number in 0..cases() {
        let (low, size) = ([roll(5.0, 7.0), roll(3.0, 5.0)], [roll(2.5, 4.0), roll(2.5, 4.0)]);
        let depth = roll(0.45, 1.1);
        let high = [low[0] + size[0], low[1] + size[1]];
        let level = level(yard_with_pit(low, high, depth));
        let found = explore(&level, &rules, &[dvec3(2.0, 0.95, 6.0)]);
        let traps = found.iter().filter(|finding| finding.code == Code::Trap && finding.is_listed());
        let about = format!("pit {number} from {low:?} to {high:?}, {depth} m deep:\n{}", said(&found));
        assert_eq!(traps.count(), 1, "{about}");
    }
}

/// The listed findings and the codes of the warnings.
fn explored(mesh: carom_scenes::SceneMesh, spawn: DVec3) -> (Vec<Finding>, Vec<&'static str>) {
    let (level, rules) = (level(mesh), Rules::default());
    let mut explorer = Explorer::new(&level, &rules, &[spawn]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish().into_iter().filter(Finding::is_listed).collect();
    (findings, explorer.warnings().iter().map(|warning| warning.code).collect())
}

#[test]
fn a_spawn_over_nothing_is_an_error_though_the_level_stands_in_the_void() {
    let plate = || slab([0.0, -0.5, 0.0], [10.0, 0.0, 10.0]).rounded();
    let (found, warnings) = explored(plate(), dvec3(12.0, 1.0, 5.0));
    assert_eq!(found[0].code, Code::FallOut, "{}", said(&found));
    assert_eq!(found[0].cause, Some("a spawn over nothing"));
    assert!(found.iter().any(|finding| finding.code == Code::Unreached), "{}", said(&found));
    assert!(warnings.contains(&"SPAWN_OUTSIDE"), "{warnings:?}");
    let (found, warnings) = explored(plate(), dvec3(5.0, 1.0, 5.0));
    assert!(found.is_empty() && warnings.is_empty(), "{warnings:?} {}", said(&found));
}

#[test]
fn floor_that_is_far_larger_than_what_is_reached_is_listed() {
    // A strip beside a hall that lies 2 m higher; and the same hall with stairs.
    let hall = || slab([5.0, -3.0, 0.0], [40.0, 0.0, 12.0]);
    let walls = || {
        slab([-0.5, -3.0, -0.5], [0.0, 3.0, 12.5])
            .and(&slab([40.0, -3.0, -0.5], [40.5, 3.0, 12.5]))
            .and(&slab([0.0, -3.0, -0.5], [40.0, 3.0, 0.0]))
            .and(&slab([0.0, -3.0, 12.0], [40.0, 3.0, 12.5]))
            .and(&slab([0.0, -3.0, 0.0], [5.0, -2.0, 12.0]))
    };
    // Not in the stairs, which begin at 1.83.
    let spawn = dvec3(0.8, -1.0, 6.0);
    let (found, _) = explored(walls().and(&hall()).rounded(), spawn);
    assert!(found.len() == 1 && found[0].code == Code::Unreached, "{}", said(&found));
    assert!(found[0].area > Some(350.0), "{:?}", found[0].area);
    let stairs = (1..=6).map(|i| {
        let [near, top] = [1.5, -2.0].map(|from| from + f64::from(i) * 0.33);
        slab([near + f64::from(i - 1) * 0.2, -2.0, 4.0], [5.0, top, 8.0])
    });
    let with_stairs = stairs.fold(walls().and(&hall()), |level, step| level.and(&step));
    let (found, _) = explored(with_stairs.rounded(), spawn);
    assert!(found.is_empty(), "{}", said(&found));
}
