//! Random tables of balls, few here; the soak is the example `random_play --tables`.

use carom_scenes::tables::{Counts, play};

#[test]
fn balls_overlap_nothing_keep_their_energy_and_play_on_to_the_same_bits() {
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for seed in 0..120 {
        let (run, lines) = play(seed, 2_000);
        counts.add(&run);
        faults.extend(lines);
    }
    assert!(counts.events > 100_000 && counts.rests > 500, "{counts:?}");
    assert_eq!(counts.faults(), 0, "{counts:?}\n{}", faults.join("\n"));
}
