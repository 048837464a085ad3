//! The tree is the same on any number of threads, never too deep, and fits what it holds.

use std::fmt::Write as _;
use std::time::Instant;

use carom::shape::Aabb;
use carom::tree::{BoundingSphere, MAX_DEPTH, PackedAabb, Settings, Tree, Volume};
use glam::{Vec3, dvec3, vec3};

use crate::scenes::{Kind, Random, scenes, volumes};

fn tree_of<V: Volume>(volumes: &[V]) -> Tree<V> {
    Tree::build(volumes.len() as u32, |item| volumes[item as usize], &Settings::default())
}

/// Every number in the tree, −0 apart from 0.
fn bits<V: Volume + std::fmt::Debug>(tree: &Tree<V>) -> u64 {
    struct Fnv(u64);
    impl std::fmt::Write for Fnv {
        fn write_str(&mut self, s: &str) -> std::fmt::Result {
            for byte in s.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    write!(hash, "{tree:?}").unwrap();
    hash.0
}

#[cfg(feature = "parallel")]
#[test]
fn is_the_same_to_the_bit_on_any_number_of_threads() {
    fn check<V: Kind>() {
        for (name, boxes) in scenes(9000) {
            let volumes = volumes::<V>(&boxes);
            let expected = bits(&tree_of(&volumes));
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| bits(&tree_of(&volumes))), expected, "{name} on {threads}");
            }
        }
    }
    check::<PackedAabb>();
    check::<BoundingSphere>();
}

/// Over a scene without a transcendental in it: the same number with and without threads, on every machine.
/// It changes only when the build is changed.
#[test]
fn is_the_same_to_the_bit_with_and_without_threads() {
    let mut random = Random::new(0xF00);
    let boxes: Vec<PackedAabb> = (0..10_000)
        .map(|_| {
            let (corner, size) = (random.vector(-90.0, 90.0), random.vector(0.0, 4.0));
            PackedAabb::from(&Aabb::new(corner, corner + size).unwrap())
        })
        .collect();
    let mut order = 0xcbf2_9ce4_8422_2325_u64;
    tree_of(&boxes).in_order(
        |_| 0.0,
        0.0,
        |item, best| {
            order = (order ^ u64::from(item)).wrapping_mul(0x0100_0000_01b3);
            best
        },
    );
    assert_eq!(order, 0x7133_d0f7_66db_299b, "{order:#x}");
}

#[test]
fn volumes_hold_everything_below_them() {
    fn check<V: Kind>() {
        for count in [1, 2, 7, 500] {
            for (name, boxes) in scenes(count) {
                let volumes = volumes::<V>(&boxes);
                let bounds = tree_of(&volumes).bounds().unwrap();
                for volume in &volumes {
                    assert!(bounds.lower().cmple(volume.lower()).all(), "{name} {bounds:?} {volume:?}");
                    assert!(bounds.upper().cmpge(volume.upper()).all(), "{name} {bounds:?} {volume:?}");
                }
            }
        }
    }
    check::<Aabb>();
    check::<PackedAabb>();
    check::<BoundingSphere>();
}

#[test]
fn bounds_of_boxes_are_the_smallest() {
    for (_, boxes) in scenes(300) {
        let expected = boxes.iter().skip(1).fold(boxes[0], |around, aabb| around.union(aabb));
        assert_eq!(tree_of(&boxes).bounds(), Some(expected));
    }
}

/// Along six arms from a middle, each point four times as near as the last, and a crowd in the middle: a cut
/// takes off the outermost points of one arm only, and when none are left the crowd is still to be halved.
fn star(i: u32) -> PackedAabb {
    let reach = 0.25_f32.powi((i / 16 % 50) as i32);
    let arms = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
    let point = arms.get(i as usize % 16).map_or(Vec3::ZERO, |arm| arm * reach);
    PackedAabb::new(point, point).unwrap()
}

#[test]
fn is_never_deeper_than_the_walks_have_room_for() {
    let mut deepest = 0;
    for count in [100, 1000, 5000, 60_000, 300_000] {
        let tree = Tree::build(count, star, &Settings::default());
        assert!(tree.depth() <= MAX_DEPTH, "{}", tree.depth());
        assert!(tree.statistics().largest_leaf <= 4);
        deepest = deepest.max(tree.depth());
    }
    assert_eq!(deepest, MAX_DEPTH, "the limit is what kept it");
}

#[test]
fn items_in_one_place_are_halved() {
    let same = vec![PackedAabb::new(Vec3::ZERO, Vec3::ONE).unwrap(); 1 << 16];
    let statistics = tree_of(&same).statistics();
    assert_eq!(statistics.depth, 14);
    assert_eq!(statistics.largest_leaf, 4);
    assert_eq!(statistics.leaves, 1 << 14);
    assert_eq!(statistics.nodes, 2 * statistics.leaves - 1);
}

#[test]
fn settings_set_the_size_of_the_leaves() {
    let (_, boxes) = scenes(3000).swap_remove(0);
    for max_leaf_items in [0, 1, 3, 8, 10_000] {
        for item_cost in [0.0, 0.2, 1.0, 100.0, f32::INFINITY, f32::NAN] {
            let settings = Settings { max_leaf_items, item_cost, ..Settings::DEFAULT };
            let tree = Tree::build(boxes.len() as u32, |item| boxes[item as usize], &settings);
            let statistics = tree.statistics();
            assert!(statistics.largest_leaf <= max_leaf_items.max(1) as usize, "{settings:?}");
            assert_eq!(statistics.items, 3000);
            if item_cost == 0.0 && max_leaf_items == 10_000 {
                assert_eq!(statistics.nodes, 1);
            }
        }
    }
}

#[test]
fn refitting_what_has_not_moved_changes_nothing() {
    for (name, boxes) in scenes(400) {
        let volumes = volumes::<PackedAabb>(&boxes);
        let mut tree = tree_of(&volumes);
        let before = bits(&tree);
        tree.refit(|item| volumes[item as usize]);
        assert_eq!(bits(&tree), before, "{name}");
    }
}

#[test]
fn a_refitted_tree_finds_what_has_moved() {
    let (_, mut boxes) = scenes(700).swap_remove(0);
    let mut tree = tree_of(&boxes);
    let mut random = Random::new(0xF17);
    for _ in 0..5 {
        for aabb in &mut boxes {
            *aabb = aabb.translated(random.vector(-20.0, 20.0));
        }
        tree.refit(|item| boxes[item as usize]);
        for _ in 0..50 {
            let point = random.vector(-120.0, 120.0);
            let found = tree.nearest(point, f64::INFINITY, |item, best| {
                boxes[item as usize].distance_squared(point).min(best)
            });
            let expected =
                boxes.iter().map(|aabb| aabb.distance_squared(point)).fold(f64::INFINITY, f64::min);
            assert_eq!(found, expected);
        }
    }
}

/// A node is 32 bytes and an item 4: a scene of n items costs at most 68 n.
#[test]
fn takes_the_memory_it_says() {
    let (_, boxes) = scenes(5000).swap_remove(0);
    let tree = tree_of(&volumes::<PackedAabb>(&boxes));
    let statistics = tree.statistics();
    assert_eq!(tree.memory(), (statistics.nodes - 1) * 32 + statistics.items * 4);
}

fn height(x: u32, z: u32) -> f32 {
    ((x * 7 + z * 13) % 17) as f32 * 0.1
}

/// Takes ten seconds and 1.5 GB: run it by name, in release.
#[test]
#[ignore = "slow"]
fn ten_million_items_are_no_trouble() {
    let count = 10_000_000;
    let side = 3163;
    let terrain = |i: u32| {
        let (x, z) = (i % side, i / side);
        let corner = vec3(x as f32, height(x, z), z as f32);
        PackedAabb::new(corner, corner + vec3(1.0, 0.5, 1.0)).unwrap()
    };
    let same = |_: u32| PackedAabb::new(Vec3::ZERO, Vec3::ONE).unwrap();
    let spaced = |i: u32| {
        let place = 1e30 * 0.5_f32.powi((i % 180) as i32);
        PackedAabb::new(Vec3::splat(place), Vec3::splat(place * 1.25)).unwrap()
    };
    let all: [(&str, &(dyn Fn(u32) -> PackedAabb + Sync)); 4] =
        [("terrain", &terrain), ("identical", &same), ("exponentially spaced", &spaced), ("star", &star)];
    for (name, volume) in all {
        let start = Instant::now();
        let tree = Tree::build(count, volume, &Settings::default());
        println!("{name}: {:.2} s, {:?}", start.elapsed().as_secs_f64(), tree.statistics());
        assert_eq!(tree.len(), count as usize);
        assert!(tree.depth() <= MAX_DEPTH);
        let point = dvec3(1581.25, 0.25, 1581.25);
        let found =
            tree.nearest(point, f64::INFINITY, |item, best| volume(item).distance_squared(point).min(best));
        let expected =
            (0..count).map(|item| volume(item).distance_squared(point)).fold(f64::INFINITY, f64::min);
        assert_eq!(found, expected);
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    }
}

/// A tree as deep as they get, built by threads with an eighth of the usual stack.
#[cfg(feature = "parallel")]
#[test]
fn does_not_need_a_large_stack() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(256 << 10).build().unwrap();
    let tree = pool.install(|| Tree::build(300_000, star, &Settings::default()));
    assert!(tree.depth() > 50, "{}", tree.depth());
}
