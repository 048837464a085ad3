//! The same findings, whatever the threads, and after a stop.

use carom_explore::{ExploreError, Explorer, Rules, Stage};
use carom_scenes::courtyard::courtyard;
use carom_scenes::{MeshBuilder, SceneMesh};
use glam::{DVec3, dvec3};

use crate::{explore, level, said, saved};

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// A floor with an open side, a box to jump on and a pit.
pub(crate) fn yard() -> SceneMesh {
    let slab = |low: DVec3, high: DVec3| MeshBuilder::cuboid_between(low, high);
    slab(dvec3(-8.0, -1.0, -8.0), dvec3(8.0, 0.0, 4.0))
        .and(&slab(dvec3(-8.0, -4.0, 4.0), dvec3(8.0, -3.0, 10.0)))
        .and(&slab(dvec3(-8.0, -3.0, 10.0), dvec3(8.0, 2.0, 11.0)))
        .and(&slab(dvec3(2.0, 0.0, -4.0), dvec3(4.0, 0.6, -2.0)))
        .rounded()
}

#[test]
fn nothing_is_wrong_with_the_courtyard_and_all_of_its_floor_is_reached() {
    let courtyard = courtyard();
    let level = level(courtyard.mesh);
    let rules = Rules::default();
    let mut explorer = Explorer::new(&level, &rules, &[courtyard.spawn]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    assert!(findings.is_empty(), "{}", said(&findings));
    let [reached, all] = explorer.coverage();
    assert!(reached == all && all > 1000.0, "{reached} of {all} m²");
    let progress = explorer.progress();
    assert!(progress.memory <= 200 * progress.places, "{progress:?}");
}

#[test]
fn threads_change_no_bit() {
    let level = level(yard());
    let rules = Rules::default();
    let one = with_threads(1, || explore(&level, &rules, &[dvec3(0.0, 0.95, 0.0)]));
    let three = with_threads(3, || explore(&level, &rules, &[dvec3(0.0, 0.95, 0.0)]));
    assert!(!one.is_empty());
    assert_eq!(one, three);
}

#[test]
fn a_stop_changes_no_bit() {
    let level = level(yard());
    // Smaller cells: several batches.
    let rules = Rules { cell: Some(0.33), ..Rules::default() };
    let spawns = [dvec3(0.0, 0.95, 0.0)];
    let whole = explore(&level, &rules, &spawns);
    let mut stopped = Explorer::new(&level, &rules, &spawns).unwrap();
    let mut stops = 0;
    loop {
        let stage = stopped.advance();
        let kept = saved(&stopped);
        stopped = Explorer::resume(&level, &rules, &spawns, kept.as_slice()).unwrap();
        assert_eq!(saved(&stopped), kept);
        if stage == Stage::Done {
            break;
        }
        stops += 1;
    }
    assert!(stops > 1, "{stops}");
    assert_eq!(stopped.finish(), whole);
}

#[test]
fn a_stop_leaves_a_report_of_what_was_found_until_then() {
    let level = level(yard());
    let rules = Rules { cell: Some(0.25), most_places: 2000, ..Rules::default() };
    let mut explorer = Explorer::new(&level, &rules, &[dvec3(0.0, 0.95, 0.0)]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    assert_eq!(explorer.advance(), Stage::Full);
    explorer.finish();
    let [reached, all] = explorer.coverage();
    assert!(reached > 0.0 && reached < all);
}

#[test]
fn a_checkpoint_of_something_else_is_refused_and_so_is_half_of_one() {
    let level = level(yard());
    let rules = Rules::default();
    let spawns = [dvec3(0.0, 0.95, 0.0)];
    let mut explorer = Explorer::new(&level, &rules, &spawns).unwrap();
    explorer.advance();
    let kept = saved(&explorer);
    let slower = Rules { speed: 2.0, ..rules };
    let other = Explorer::resume(&level, &slower, &spawns, kept.as_slice()).unwrap_err();
    assert!(matches!(other, ExploreError::Checkpoint(said) if said.contains("other rules")));
    for cut in [0, 7, 8, 40, kept.len() / 2, kept.len() - 1] {
        let refused = Explorer::resume(&level, &rules, &spawns, &kept[..cut]);
        assert!(matches!(refused, Err(ExploreError::Checkpoint(_))), "{cut}");
    }
}
