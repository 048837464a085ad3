//! Boxes that come, move and go: the broad phase reports the pairs that a list of all would.
#![no_main]

use std::collections::BTreeSet;

use carom::broad_phase::{BroadPhase, Entry, Key};
use carom::shape::Aabb;
use carom_fuzz::Draws;

fn bounds(draws: &mut Draws<'_>) -> Aabb {
    let far = [1.0, 1.0, 1.0, 1e3, 1e9, 1e30][draws.below(6)];
    let (low, size) = (draws.grid(6) * far, draws.grid(2).abs());
    Aabb::new(low, low + size).expect("it is finite and in order")
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut draws = Draws::new(bytes);
    let margin = [0.0, 0.1][draws.below(2)];
    let mut phase = BroadPhase::new(margin);
    let mut keys: Vec<Key> = Vec::new();
    let mut pairs = BTreeSet::new();
    let named = |[a, b]: [Key; 2]| (a.number().min(b.number()), a.number().max(b.number()));
    while !draws.is_empty() {
        match draws.below(5) {
            0..2 => keys.push(phase.add(Entry::collider(bounds(&mut draws)))),
            2 if !keys.is_empty() => {
                let key = keys.swap_remove(draws.below(keys.len()));
                assert!(phase.remove(key).is_some() && phase.remove(key).is_none());
            }
            3 if !keys.is_empty() => {
                let key = keys[draws.below(keys.len())];
                assert!(phase.set_bounds(key, bounds(&mut draws)));
            }
            _ => {
                let events = phase.update();
                for pair in events.left.iter().copied().map(named) {
                    assert!(pairs.remove(&pair), "{pair:?} left and was not there");
                }
                for pair in events.entered.iter().copied().map(named) {
                    assert!(pairs.insert(pair), "{pair:?} entered twice");
                }
                let mut expected = BTreeSet::new();
                for (at, a) in keys.iter().enumerate() {
                    for b in &keys[at + 1..] {
                        let (one, other) = (phase.entry(*a).unwrap(), phase.entry(*b).unwrap());
                        if one.bounds.overlaps_aabb(&other.bounds) {
                            expected.insert(named([*a, *b]));
                        }
                    }
                }
                assert_eq!(pairs, expected);
            }
        }
    }
});
