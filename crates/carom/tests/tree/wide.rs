//! The wide tree finds what looking at every item finds.

use std::collections::BTreeSet;

use carom::shape::Aabb;
use carom::sweep::Path;
use carom::tree::{MAX_DEPTH, PackedAabb, SweptBox, Volume, WideTree};
use glam::{DVec3, dvec3};

use crate::exact::{Moving, grazing};
use crate::scenes::{Random, power, scenes, volumes};

/// The tree and its items by slot.
fn build(volumes: &[PackedAabb]) -> (WideTree, Vec<u32>) {
    WideTree::build(volumes.len() as u32, |item| volumes[item as usize])
}

/// The items that a sweep visits; each must come once. `content` answers with the best from then on.
fn swept_items(
    (tree, order): &(WideTree, Vec<u32>),
    swept: &SweptBox,
    mut content: impl FnMut(usize, f64) -> f64,
) -> (BTreeSet<usize>, f64) {
    let mut seen = BTreeSet::new();
    let best = tree.sweep(swept, 1.0, |run, best| {
        assert!(!run.is_empty() && run.len() <= 4);
        run.fold(best, |best, slot| {
            let item = order[slot as usize] as usize;
            assert!(seen.insert(item), "item {item} came twice");
            content(item, best)
        })
    });
    (seen, best)
}

fn sweep_agrees(tree: &(WideTree, Vec<u32>), volumes: &[PackedAabb], swept: &SweptBox) {
    let entry = |item: usize| volumes[item].entry(swept);
    let where_entry = |most: f64| (0..volumes.len()).filter(|&item| entry(item) <= most).collect();
    let (seen, _) = swept_items(tree, swept, |_, best| best);
    let expected: BTreeSet<usize> = where_entry(1.0);
    assert!(seen.is_superset(&expected), "left out {:?}", expected.difference(&seen));

    let (seen, best) = swept_items(tree, swept, |item, best| entry(item).min(best));
    let first = (0..volumes.len()).map(entry).fold(1.0, f64::min);
    assert_eq!(best, first);
    let ties: BTreeSet<usize> = where_entry(first);
    assert!(seen.is_superset(&ties), "left out {:?}", ties.difference(&seen));
}

fn nearest_agrees((tree, order): &(WideTree, Vec<u32>), volumes: &[PackedAabb], point: DVec3) {
    // The distance of a volume is rounded down; a visitor's distance must not be below the exact one.
    let distance = |item: usize| volumes[item].distance_squared(point) * (1.0 + 64.0 * f64::EPSILON);
    let mut seen = BTreeSet::new();
    let best = tree.in_order(
        |volume| volume.distance_squared(point),
        f64::INFINITY,
        |run, best| {
            run.fold(best, |best, slot| {
                let item = order[slot as usize] as usize;
                assert!(seen.insert(item), "item {item} came twice");
                distance(item).min(best)
            })
        },
    );
    let nearest = (0..volumes.len()).map(distance).fold(f64::INFINITY, f64::min);
    assert_eq!(best, nearest);
    assert!((0..volumes.len()).all(|item| distance(item) > nearest || seen.contains(&item)));
}

#[test]
fn finds_what_brute_force_finds_in_every_kind_of_scene_at_every_size() {
    let mut random = Random::new(0x71DE);
    let scaled = |aabb: &Aabb, factor: f64| Aabb::new(aabb.min() * factor, aabb.max() * factor).unwrap();
    // The last two leave what f32 can multiply: the walk runs in f64 there.
    for factor in [1.0, 1e-6, 1e6, 1e-20, 1e30] {
        for count in [0, 1, 2, 3, 4, 5, 9, 60, 700] {
            for (_, boxes) in scenes(count) {
                let boxes: Vec<Aabb> = boxes.iter().map(|aabb| scaled(aabb, factor)).collect();
                let volumes = volumes::<PackedAabb>(&boxes);
                let tree = build(&volumes);
                assert_eq!((tree.0.len(), tree.1.len()), (volumes.len(), volumes.len()));
                let middle =
                    boxes.first().filter(|first| first.min().x > 1e6 * factor).map_or(DVec3::ZERO, Aabb::min);
                for round in 0..18 {
                    let from = middle + random.vector(-100.0, 100.0) * factor;
                    let translation = match round % 7 {
                        0 => random.vector(-200.0, 200.0),
                        1 => dvec3(random.between(-200.0, 200.0), 0.0, 0.0),
                        2 => dvec3(0.0, random.between(-200.0, 200.0), random.between(-200.0, 200.0)),
                        3 => random.vector(-1.0, 1.0),
                        4 => (middle - from) / factor,
                        5 => random.vector(-1.0, 1.0) * 1e9,
                        _ => DVec3::ZERO,
                    } * factor;
                    let half = random.vector(0.0, 1e3) * power(0.1, 17 - round) * factor;
                    let half = if round % 4 == 0 { DVec3::ZERO } else { half };
                    let swept = |from: DVec3, translation: DVec3| {
                        SweptBox::new(&Path::new(from, translation).unwrap(), half).unwrap()
                    };
                    sweep_agrees(&tree, &volumes, &swept(from, translation));
                    // From far away to where it was.
                    sweep_agrees(&tree, &volumes, &swept(from - translation * 1e3, translation * 2e3));
                    nearest_agrees(&tree, &volumes, from);
                    if !volumes.is_empty() {
                        let near = volumes[random.bits() as usize % volumes.len()];
                        sweep_agrees(&tree, &volumes, &swept(near.upper() + half, -translation));
                        nearest_agrees(&tree, &volumes, near.lower());
                    }
                }
            }
        }
    }
}

/// Boxes that just touch the moving one, among others, in exact arithmetic.
#[test]
fn no_box_that_touches_is_left_out() {
    let mut random = Random::new(0x6A2E);
    let (mut touched, mut asked) = (0, 0);
    for round in 0..40_000 {
        let (path, half, resting) = grazing(&mut random);
        let packed = PackedAabb::from(&resting);
        let others = (0..round % 9).map(|_| {
            let shift = random.vector(-1.0, 1.0);
            PackedAabb::from(&Aabb::new(resting.min() + shift, resting.max() + shift).unwrap())
        });
        let volumes: Vec<PackedAabb> = std::iter::once(packed).chain(others).collect();
        let tree = build(&volumes);
        let exact = Aabb::new(packed.lower(), packed.upper()).unwrap();
        asked += 1;
        let Some((first, _)) = Moving::new(&path, half).touch(&exact) else { continue };
        touched += 1;
        // As good as the very first moment is as good as it gets.
        let first = first.to_f64().value().next_up();
        let mut seen = false;
        tree.0.sweep(&SweptBox::new(&path, half).unwrap(), first, |run, best| {
            seen |= run.into_iter().any(|slot| tree.1[slot as usize] == 0);
            best
        });
        assert!(seen, "{path:?} {half:?} touches {exact:?} at {first}");
    }
    assert!(touched > asked / 10, "{touched} of {asked}");
}

#[test]
fn every_item_has_one_slot_and_boxes_hold_what_is_below_them() {
    for (name, boxes) in scenes(3000) {
        let volumes = volumes::<PackedAabb>(&boxes);
        let (tree, mut order) = build(&volumes);
        assert!(tree.depth() <= MAX_DEPTH, "{name}");
        // Bounds that are never undercut by an item are those of boxes that hold it.
        for item in (0..volumes.len()).step_by(97) {
            let volume = volumes[item];
            let holds = |outer: &dyn Fn() -> (DVec3, DVec3)| {
                let (lower, upper) = outer();
                lower.cmple(volume.lower()).all() && upper.cmpge(volume.upper()).all()
            };
            let mut found = false;
            tree.in_order(
                |outer| if holds(&|| (outer.lower(), outer.upper())) { 0.0 } else { 1.0 },
                0.5,
                |run, best| {
                    found |= run.into_iter().any(|slot| order[slot as usize] as usize == item);
                    best
                },
            );
            assert!(found, "{name}: {item}");
        }
        order.sort_unstable();
        assert!(order.into_iter().eq(0..3000), "{name}");
    }
}

#[test]
fn boxes_without_a_side_are_always_met() {
    let endless = PackedAabb::from(&Aabb::new(DVec3::splat(-1e300), DVec3::splat(1e300)).unwrap());
    let half = PackedAabb::from(&Aabb::new(DVec3::ONE, DVec3::splat(1e300)).unwrap());
    let unit = PackedAabb::from(&Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap());
    let volumes: Vec<PackedAabb> = (0..50).map(|i| [endless, half, unit][i % 3]).collect();
    let tree = build(&volumes);
    for from in [DVec3::ZERO, DVec3::splat(7.0), DVec3::splat(1e200)] {
        sweep_agrees(
            &tree,
            &volumes,
            &SweptBox::new(&Path::new(from, DVec3::X).unwrap(), DVec3::ONE).unwrap(),
        );
        nearest_agrees(&tree, &volumes, from);
    }
}

#[test]
fn is_the_same_to_the_bit_on_any_number_of_threads() {
    for (name, boxes) in scenes(20_000) {
        let volumes = volumes::<PackedAabb>(&boxes);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build(&volumes))
        };
        let one = on(1);
        assert!([2, 5].into_iter().all(|threads| on(threads) == one), "{name}");
    }
}

/// As many items as a large level has, half of them in one place, on the stack of a small thread.
#[test]
fn millions_in_one_place_are_no_trouble_on_a_small_stack() {
    let work = || {
        let count = 2_000_000;
        let volume = |item: u32| {
            let x = if item.is_multiple_of(2) { 0.0 } else { item as f32 };
            PackedAabb::new(glam::Vec3::splat(x), glam::Vec3::splat(x + 0.5)).unwrap()
        };
        let (tree, order) = WideTree::build(count, volume);
        assert!(tree.depth() <= MAX_DEPTH && tree.memory() < 64 * count as usize);
        let start = SweptBox::new(&Path::new(DVec3::ZERO, DVec3::X).unwrap(), DVec3::splat(0.1)).unwrap();
        let mut met = 0;
        tree.sweep(&start, 1.0, |run, best| {
            met += run.filter(|&slot| order[slot as usize].is_multiple_of(2)).count();
            best
        });
        assert_eq!(met, 1_000_000);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
