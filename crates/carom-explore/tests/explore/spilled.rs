//! Lists in temporary files change no bit, and a file that cannot be written ends the exploration.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use carom_explore::{ExploreError, Explorer, Level, Rules, Spill, Stage, Task};
use carom_scenes::courtyard::courtyard_with_defects;
use carom_scenes::workload::Terrain;

use crate::shared::{alone, together};
use crate::tiled::{explored, whole};
use crate::{level, saved};

/// Keeps a page of each list in memory. And how many files were made.
fn spilling(level: Level) -> (Level, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let create = move || {
        count.fetch_add(1, Ordering::Relaxed);
        tempfile::tempfile()
    };
    (level.with_spill(Spill::new(create, 1)), made)
}

#[test]
fn the_courtyard_is_the_same_with_its_lists_in_files() {
    let yard = courtyard_with_defects();
    let rules = Rules::default();
    let expected = explored(&whole(&yard.mesh), &rules, &yard.spawns);
    let (level, made) = spilling(whole(&yard.mesh));
    assert!(explored(&level, &rules, &yard.spawns) == expected);
    assert!(made.load(Ordering::Relaxed) >= 3, "{made:?}");
}

#[test]
fn workers_and_checkpoints_are_the_same_with_lists_in_files() {
    let rules = Rules { jump: 0.0, ..Rules::default() };
    let hills = || level(Terrain::new(48).mesh().clone());
    let expected = alone(&hills(), &rules, &[]);
    let (level, made) = spilling(hills());
    for number in [1, 3] {
        let kept = expected[number].as_slice();
        let mut explorer = Explorer::resume(&level, &rules, &[], kept).unwrap();
        assert!(saved(&explorer) == kept);
        let (_, rest) = together(&mut explorer, Task { level: &level, rules: &rules }, 3);
        assert!(rest == expected[number + 1..], "from batch {number}");
    }
    assert!(made.load(Ordering::Relaxed) >= 6, "{made:?}");
}

#[test]
fn a_full_disk_ends_the_exploration_and_makes_no_checkpoint() {
    let yard = courtyard_with_defects();
    let full = || Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
    let (rules, fault) = (Rules::default(), ExploreError::Spill("no room".to_owned()));
    // The floor of the courtyard outgrows a page, and its places outgrow sixteen.
    for (memory, is_begun) in [(1, false), (1 << 17, true)] {
        let level = whole(&yard.mesh).with_spill(Spill::new(full, memory));
        let mut explorer = Explorer::new(&level, &rules, &yard.spawns).unwrap();
        assert_eq!(level.fault().is_none(), is_begun);
        while explorer.advance() == Stage::Flooding {}
        explorer.finish();
        assert_eq!(level.fault(), Some(fault.clone()));
        let refused = explorer.checkpoint(&mut io::sink()).unwrap_err();
        assert!(refused.to_string().contains("no room"), "{refused}");
    }
}
