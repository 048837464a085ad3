//! Players and pushed bodies in random yards, small here; the soak is the example `random_play --yards`.

use carom_scenes::yards::{Counts, play};

#[test]
fn nothing_in_a_yard_ends_a_tick_inside_anything_and_does_not_say_so() {
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    for seed in 0..80 {
        let (run, lines) = play(seed, 6.0);
        counts.add(&run);
        faults.extend(lines);
    }
    assert!(counts.ticks > 50_000 && counts.pushed > 80_000, "{counts:?}");
    assert_eq!(counts.faults(), 0, "{counts:?}\n{}", faults.join("\n"));
}
