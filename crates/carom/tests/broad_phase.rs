//! The pairs of a broad phase against comparing everything with everything, over 10,000 random steps.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

use carom::broad_phase::{BoxIndex, BoxTree, BroadPhase, Entry, Key, LayerMatrix, Octree, Role, Sense};
use carom::glam::{DVec3, dvec3};
use carom::shape::Aabb;
use carom::tree::SweptBox;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() >> 33) as usize % count
    }

    fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        dvec3(self.between(low, high), self.between(low, high), self.between(low, high))
    }

    /// On a grid every other time, so that boxes touch; sometimes huge, far or a point.
    fn bounds(&mut self) -> Aabb {
        let mut min = self.vector(-8.0, 8.0);
        let mut size = self.vector(0.0, 2.0);
        if self.below(2) == 0 {
            (min, size) = (min.floor(), size.floor());
        }
        match self.below(40) {
            0 => size *= 20.0,
            1 => min *= 1e6,
            2 => size = DVec3::ZERO,
            _ => {}
        }
        Aabb::new(min, min + size).unwrap()
    }
}

fn meet(a: &Entry, b: &Entry, matrix: &LayerMatrix) -> bool {
    if (a.role == Role::Collidee && b.role == Role::Collidee)
        || (a.sense == Sense::Sensor && b.sense == Sense::Sensor)
        || !matrix.meet(a.layer, b.layer)
    {
        return false;
    }
    let way = a.translation - b.translation;
    if way == DVec3::ZERO {
        return a.bounds.overlaps_aabb(&b.bounds);
    }
    SweptBox::moving(&a.bounds, way).unwrap().entry(b.bounds.min(), b.bounds.max()) <= 1.0
}

fn every_pair(entries: &[(Key, Entry)], matrix: &LayerMatrix) -> Vec<[Key; 2]> {
    let mut pairs = Vec::new();
    for (i, (a, first)) in entries.iter().enumerate() {
        for (b, second) in &entries[..i] {
            // Ways are subtracted in one order only: the lower key's first.
            let (low, high) = if a < b { (first, second) } else { (second, first) };
            if meet(low, high, matrix) {
                pairs.push([*a.min(b), *a.max(b)]);
            }
        }
    }
    pairs.sort();
    pairs
}

fn agrees_with_every_pair<I: BoxIndex>() {
    let mut random = Random(0xB0_0C5);
    let mut matrix = LayerMatrix::default();
    matrix.ignore(3, 3);
    matrix.ignore(1, 2);
    let mut phase = BroadPhase::<I>::indexed(0.3).with_matrix(matrix);
    let mut entries: Vec<(Key, Entry)> = Vec::new();
    let mut before: Vec<[Key; 2]> = Vec::new();
    let (mut entered, mut left) = (0, 0);
    for step in 0..10_000 {
        for _ in 0..random.below(12) {
            let bounds = random.bounds();
            match random.below(10) {
                0 | 1 if entries.len() < 120 => {
                    let mut entry =
                        if random.below(3) == 0 { Entry::collidee(bounds) } else { Entry::collider(bounds) };
                    entry = entry.on(random.below(5) as u8);
                    if random.below(6) == 0 {
                        entry = entry.sensing();
                    }
                    entries.push((phase.add(entry), entry));
                }
                2 if !entries.is_empty() => {
                    let (key, entry) = entries.swap_remove(random.below(entries.len()));
                    assert_eq!(phase.remove(key), Some(entry));
                    assert_eq!((phase.remove(key), phase.set_bounds(key, bounds)), (None, false));
                }
                _ if !entries.is_empty() => {
                    let at = random.below(entries.len());
                    let (key, entry) = &mut entries[at];
                    let little = random.vector(-0.2, 0.2);
                    let bounds = if random.below(3) == 0 {
                        bounds
                    } else {
                        Aabb::new(entry.bounds.min() + little, entry.bounds.max() + little).unwrap()
                    };
                    let way = if random.below(4) == 0 { random.vector(-6.0, 6.0) } else { DVec3::ZERO };
                    (entry.bounds, entry.translation) = (bounds, way);
                    assert!(phase.set_motion(*key, bounds, way));
                }
                _ => {}
            }
        }
        let events = phase.update();
        let now = every_pair(&entries, &matrix);
        let mut found: Vec<[Key; 2]> = events.entered.iter().chain(&events.stayed).copied().collect();
        found.sort();
        assert_eq!(found, now, "step {step}");
        // A key that was given away again since is another entry: those of its pairs left and entered.
        assert!(events.left.iter().all(|pair| before.contains(pair)), "step {step}");
        assert!(
            before.iter().all(|pair| events.left.contains(pair) || events.stayed.contains(pair)),
            "step {step}"
        );
        assert!(events.entered.is_sorted() && events.stayed.is_sorted() && events.left.is_sorted());
        entered += events.entered.len();
        left += events.left.len();
        before = now;
        if step % 50 == 0 {
            let area = random.bounds();
            let mut found = Vec::new();
            phase.overlaps(&area, 0b10111, |key| found.push(key));
            let mut expected: Vec<Key> = entries
                .iter()
                .filter(|(_, entry)| entry.layer != 3 && entry.bounds.overlaps_aabb(&area))
                .map(|(key, _)| *key)
                .collect();
            expected.sort();
            assert_eq!(found, expected);
        }
    }
    assert!(entered > 4000 && left > 4000, "{entered} {left}");
}

#[test]
fn a_tree_tells_the_pairs_that_there_are() {
    agrees_with_every_pair::<BoxTree>();
}

#[test]
fn a_loose_octree_tells_the_same() {
    agrees_with_every_pair::<Octree>();
}

#[test]
fn a_key_taken_again_in_the_same_step_is_not_the_old_one() {
    let unit = Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap();
    let mut phase = BroadPhase::new(0.1);
    let (a, b) = (phase.add(Entry::collider(unit)), phase.add(Entry::collider(unit)));
    assert_eq!(phase.update().entered, [[a, b]]);
    phase.remove(b);
    let c = phase.add(Entry::collider(unit));
    assert_ne!(b, c);
    let events = phase.update();
    assert_eq!(
        (events.left.as_slice(), events.entered.as_slice()),
        ([[a, b]].as_slice(), [[a, c]].as_slice())
    );
}

#[test]
fn numbers_that_are_none_harm_nothing() {
    let unit = Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap();
    let mut phase = BroadPhase::<Octree>::indexed(f64::NAN);
    let a = phase.add(Entry::collider(unit));
    let far = Aabb::new(DVec3::splat(1e300), DVec3::splat(1e301)).unwrap();
    let b = phase.add(Entry::collidee(far).on(200));
    assert!(phase.set_motion(a, unit, DVec3::NAN));
    assert!(phase.update().entered.is_empty());
    assert!(phase.set_motion(a, unit, DVec3::splat(1e308)));
    phase.update();
    assert_eq!((phase.len(), phase.entry(b).map(|entry| entry.layer)), (2, Some(200)));
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Boxes from 1e-30 to 1e30 m in size and distance from the origin, among many near each other.
fn finds_every_pair_at_any_scale<I: BoxIndex>() {
    let mut random = Random(0x0C7);
    for round in 0..400 {
        let mut phase = BroadPhase::<I>::indexed(0.0);
        let mut entries: Vec<(Key, Entry)> = Vec::new();
        let usual = power_of_two(random.below(40) as i32 - 20);
        let bounds = |random: &mut Random| {
            let mut min = random.vector(-4.0, 4.0) * usual;
            let mut size = random.vector(0.0, 1.0) * usual;
            let power = power_of_two(random.below(199) as i32 - 99);
            match random.below(16) {
                0 => min *= power,
                1 => size *= power,
                2 => (min, size) = (min * power, size * power),
                _ => {}
            }
            Aabb::new(min, min + size).unwrap()
        };
        for step in 0..30 {
            for _ in 0..4 {
                let bounds = bounds(&mut random);
                if entries.len() < 40 || random.below(3) == 0 {
                    let entry = Entry::collider(bounds);
                    entries.push((phase.add(entry), entry));
                } else if random.below(3) == 0 {
                    let (key, entry) = entries.swap_remove(random.below(entries.len()));
                    assert_eq!(phase.remove(key), Some(entry));
                } else {
                    let at = random.below(entries.len());
                    entries[at].1.bounds = bounds;
                    assert!(phase.set_bounds(entries[at].0, bounds));
                }
            }
            let events = phase.update();
            let mut found: Vec<[Key; 2]> = events.entered.iter().chain(&events.stayed).copied().collect();
            found.sort();
            assert_eq!(found, every_pair(&entries, &LayerMatrix::default()), "round {round}, step {step}");
        }
    }
}

#[test]
fn the_octree_finds_every_pair_at_any_scale() {
    finds_every_pair_at_any_scale::<Octree>();
}

#[test]
fn the_tree_finds_every_pair_at_any_scale() {
    finds_every_pair_at_any_scale::<BoxTree>();
}

/// The middles of cells were f32, and a root that had grown to 1e9 m rounded them.
#[test]
fn a_far_box_hides_no_pair_in_the_octree() {
    for far in [-1e9, 1e8, 1e10, -1e30, 3e38] {
        let unit = |x: f64| Entry::collider(Aabb::new(dvec3(x, 0.0, 0.0), dvec3(x + 1.0, 1.0, 1.0)).unwrap());
        let mut phase = BroadPhase::<Octree>::indexed(0.0);
        let near = phase.add(unit(1.5));
        phase.add(unit(far));
        phase.update();
        let late = phase.add(unit(1.75));
        assert_eq!(phase.update().entered, [[near, late]], "{far:e}");
    }
}

#[test]
fn a_key_of_a_removed_box_is_refused_when_its_number_is_used_again() {
    let unit = |x: f64| Aabb::new(dvec3(x, 0.0, 0.0), dvec3(x + 1.0, 1.0, 1.0)).unwrap();
    let mut phase = BroadPhase::new(0.1);
    let gone = phase.add(Entry::collider(unit(0.0)));
    phase.remove(gone).unwrap();
    phase.update();
    let new = phase.add(Entry::collider(unit(5.0)));
    assert_eq!((new.number(), new == gone), (gone.number(), false));
    assert!(!phase.set_bounds(gone, unit(9.0)) && !phase.set_motion(gone, unit(9.0), DVec3::X));
    assert!(phase.entry(gone).is_none() && phase.remove(gone).is_none());
    assert_eq!(phase.entry(new).unwrap().bounds, unit(5.0));
    let other = phase.add(Entry::collider(unit(5.5)));
    assert_eq!(phase.update().entered, [[new, other]]);
}
