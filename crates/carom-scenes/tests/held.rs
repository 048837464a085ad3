//! Keys do something: where the way of the body is free, what is pressed moves it.

use carom_scenes::held::{Class, Counts, Finding, Run, worlds};

/// In random worlds of boxes, ledges, stairs, wedges, posts and ceilings, one to four heroes that also stand
/// on each other; as long as you like by `--example random_play -- --held`.
#[test]
fn a_key_whose_way_is_free_moves_the_hero() {
    let (mut counts, mut found) = (Counts::default(), Vec::<Finding>::new());
    for seed in 0..100 {
        let world = worlds::world(seed);
        let heroes = [1, 1, 2, 4][(seed / 4 % 4) as usize];
        let run = Run { seed, ticks: 1000, lowest: worlds::LOWEST };
        let (run, more) = run.play(&world, heroes, &mut |random| worlds::spawn(&world, random));
        counts.add(&run);
        found.extend(more);
    }
    assert!(counts.keys > 5000, "{}", counts.keys);
    let faults: Vec<&str> =
        found.iter().filter(|found| !found.class.is_lawful()).map(|found| found.tell.as_str()).collect();
    assert!(faults.is_empty(), "{} of {} keys: {faults:#?}", faults.len(), counts.keys);
    // Rare, or the judge calls everything lawful.
    let lawful: u64 = Class::ALL.iter().map(|class| counts.held[*class as usize]).sum();
    assert!(lawful * 500 < counts.keys, "{lawful} of {}", counts.keys);
}
