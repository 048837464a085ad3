//! Characters among machines: the law of `docs/movers.md` in random scenes, small here; the soak is the
//! example `random_play --machines`.

use carom_scenes::machines::{Counts, Run};
use rayon::prelude::*;

#[test]
fn nobody_ends_a_tick_inside_a_machine_or_behind_it_and_does_not_say_so() {
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for seed in 0..150 {
        let (run, lines) = Run { seed, ticks: 120, is_crowd: false }.play();
        counts.add(&run);
        faults.extend(lines);
    }
    assert!(counts.ticks > 20_000 && counts.crushed < counts.ticks / 4, "{counts:?}");
    assert_eq!(counts.faults(), 0, "{counts:?}\n{}", faults.join("\n"));
}

#[test]
fn a_hero_shoved_round_the_edge_of_a_box_at_rest_went_through_nothing() {
    let (counts, faults) = Run { seed: 4_005_193, ticks: 120, is_crowd: false }.play();
    assert_eq!(counts.faults(), 0, "{}", faults.join("\n"));
}

/// Of `count` crowds from a seed on.
fn crowds(first_seed: u64, count: u64) {
    let runs = (first_seed..first_seed + count).into_par_iter();
    let played: Vec<_> = runs.map(|seed| Run { seed, ticks: 120, is_crowd: true }.play()).collect();
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for (run, lines) in played {
        counts.add(&run);
        faults.extend(lines);
    }
    println!("{counts:?}");
    assert!(counts.pairs > 500 * count, "{counts:?}");
    assert_eq!(counts.faults(), 0, "{counts:?}\n{}", faults[..faults.len().min(9)].join("\n"));
}

#[test]
fn nobody_in_a_crowd_comes_to_be_in_another_and_does_not_say_so() {
    crowds(0, 10);
}

/// Two ellipsoids that found two planes between them, and two on a body that turns, whose planes went apart.
#[test]
fn two_that_keep_to_one_plane_do_not_come_to_be_in_each_other() {
    for seed in [1_000_065, 1_000_241] {
        let (counts, faults) = Run { seed, ticks: 120, is_crowd: true }.play();
        assert_eq!(counts.faults(), 0, "{}", faults.join("\n"));
    }
}

/// From the seed `CAROM_FIRST_SEED` (1,000,000) on, `CAROM_CROWDS` (1,000) of them.
#[test]
#[ignore = "a soak: minutes"]
fn the_same_of_many_crowds() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("is a whole number"))
    };
    crowds(number("CAROM_FIRST_SEED", 1_000_000), number("CAROM_CROWDS", 1_000));
}
