//! Characters among machines: the law of `docs/movers.md` in random scenes, small here; the soak is the
//! example `random_play --machines`.

use carom_scenes::machines::{Counts, Run};

#[test]
fn nobody_ends_a_tick_inside_a_machine_or_behind_it_and_does_not_say_so() {
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for seed in 0..150 {
        let (run, lines) = Run { seed, ticks: 120 }.play();
        counts.add(&run);
        faults.extend(lines);
    }
    assert!(counts.ticks > 20_000 && counts.crushed < counts.ticks / 4, "{counts:?}");
    assert_eq!(counts.faults(), 0, "{counts:?}\n{}", faults.join("\n"));
}

#[test]
fn who_is_shoved_round_the_edge_of_a_box_at_rest_went_through_nothing() {
    let (counts, faults) = Run { seed: 4_005_193, ticks: 120 }.play();
    assert_eq!(counts.faults(), 0, "{}", faults.join("\n"));
}
