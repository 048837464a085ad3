//! Boxes come, move and go: the tree stays consistent, and its walks leave nothing out.

use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec3, Vec3};

use super::*;
use crate::num::random::Random;
use crate::shape::Aabb;
use crate::sweep::Path;
use crate::tree::SweptBox;

/// Checks the links, the bounds and the counts below a node against its contents, and returns its height.
fn check(tree: &DynamicTree, node: usize, seen: &mut Vec<u32>) -> u32 {
    let here = &tree.nodes[node];
    assert!(!here.is_stale);
    assert!(node < ROOTS || here.lanes.count_ones() >= 2);
    let (mut leaves, mut height) = (0, 0);
    for lane in here.used_lanes() {
        match here.links[lane].target() {
            Target::Item(number) => {
                assert_eq!(tree.places[number as usize], NodeLane::of(node as u32, lane));
                seen.push(number);
                leaves += 1;
            }
            Target::Node(below) => {
                assert_eq!(tree.nodes[below as usize].parent, NodeLane::of(node as u32, lane));
                assert_eq!(tree.nodes[below as usize].boxes.bounds(), here.boxes.lane(lane));
                height = height.max(check(tree, below as usize, seen));
                leaves += tree.nodes[below as usize].leaves;
            }
        }
    }
    assert_eq!(leaves, here.leaves);
    height + 1
}

fn check_all(tree: &DynamicTree, boxes: &[Option<(Root, Bounds)>]) -> u32 {
    let mut height = 0;
    for root in [Root::Fixed, Root::Moving] {
        let mut seen = Vec::new();
        height = height.max(check(tree, root as usize, &mut seen));
        seen.sort_unstable();
        let of_root = |(i, place): (usize, &Option<(Root, Bounds)>)| {
            place.is_some_and(|(other, _)| other == root).then_some(i as u32)
        };
        let expected: Vec<u32> = boxes.iter().enumerate().filter_map(of_root).collect();
        assert_eq!(seen, expected);
    }
    for (number, place) in boxes.iter().enumerate() {
        assert_eq!(tree.bounds(number as u32), place.map(|(_, bounds)| bounds));
    }
    let used = 2 + tree.nodes.len() - ROOTS - tree.free.len();
    assert!(used <= ROOTS + boxes.len(), "{used} nodes for {} boxes", boxes.len());
    height
}

fn number(random: &mut Random) -> f64 {
    random.number() * 0.5 + 0.5
}

fn vector(random: &mut Random, size: f64) -> DVec3 {
    random.vector() * size
}

fn some_box(random: &mut Random, span: f64) -> Bounds {
    let half = number(random) * number(random) * span * 0.1;
    let (center, half) = (vector(random, span).as_vec3(), vector(random, half).abs().as_vec3());
    match (number(random) * 200.0) as u32 {
        0 => [Vec3::NEG_INFINITY, Vec3::INFINITY],
        1 => [center, center],
        2 => [center * 1e6 - half, center * 1e6 + half],
        3 => [center - half, Vec3::INFINITY],
        _ => [center - half, center + half],
    }
}

#[test]
fn walks_find_all_that_exact_boxes_meet_whatever_came_before() {
    let mut found_in_all = 0;
    for (seed, span) in [(1, 1.0), (2, 100.0), (3, 1e4), (4, 1e-3), (5, 1e8)] {
        let random = &mut Random(seed);
        let mut tree = DynamicTree::default();
        let mut boxes: Vec<Option<(Root, Bounds)>> = vec![None; 1500];
        for round in 0..60 {
            for _ in 0..number(random) as usize * 10 + 150 {
                let i = (number(random) * number(random) * boxes.len() as f64) as usize;
                let root = if number(random) < 0.5 { Root::Fixed } else { Root::Moving };
                match (boxes[i], (number(random) * 4.0) as u32) {
                    (Some(_), 0) => {
                        tree.remove(i as u32);
                        boxes[i] = None;
                    }
                    (Some((root, [lower, upper])), 1 | 2) => {
                        let by = vector(random, span * 0.01).as_vec3();
                        boxes[i] = Some((root, [lower + by, upper + by]));
                        tree.place(root, i as u32, [lower + by, upper + by]);
                    }
                    _ => {
                        let bounds = some_box(random, span);
                        boxes[i] = Some((root, bounds));
                        tree.place(root, i as u32, bounds);
                    }
                }
            }
            if round % 10 == 0 {
                // Many at once, fitted together.
                for (i, place) in boxes.iter_mut().enumerate() {
                    if let Some((Root::Moving, [lower, upper])) = place {
                        let by = vector(random, span * 0.02).as_vec3();
                        (*lower, *upper) = (*lower + by, *upper + by);
                        tree.place_stale(Root::Moving, i as u32, [*lower, *upper]);
                    }
                }
                tree.settle();
            }
            check_all(&tree, &boxes);
            let expect = |_| ();
            let exact = |bounds: Bounds| (bounds[0].as_dvec3(), bounds[1].as_dvec3());
            for _ in 0..40 {
                let from = vector(random, span * 1.2);
                let (long, wide) = (span * number(random), span * 0.05 * number(random));
                let way = if number(random) < 0.2 { DVec3::ZERO } else { vector(random, long) };
                let half = vector(random, wide).abs();
                let mut found = vec![false; boxes.len()];
                let path = Path::new(from, way).unwrap();
                let exactly = SweptBox::new(&path, half).unwrap();
                tree.sweep(&SweptBounds::new(from, way, half).unwrap(), 1.0, expect, |i, best| {
                    assert!(!core::mem::replace(&mut found[i as usize], true));
                    best
                });
                for (i, place) in boxes.iter().enumerate() {
                    let Some((lower, upper)) = place.map(|(_, bounds)| exact(bounds)) else { continue };
                    let meets = exactly.entry(lower, upper) <= 1.0;
                    assert!(found[i] || !meets, "{i} was not met");
                    found_in_all += usize::from(meets);
                }
                // The first, as a visitor finds it that wants nothing later.
                let entry = |i: u32| {
                    let (lower, upper) = exact(boxes[i as usize].unwrap().1);
                    exactly.entry(lower, upper)
                };
                let swept = SweptBounds::new(from, way, half).unwrap();
                let best = tree.sweep(&swept, 1.0, expect, |i, best: f64| best.min(entry(i)));
                let all = (0..boxes.len() as u32).filter(|&i| boxes[i as usize].is_some());
                assert_eq!(best, all.map(entry).fold(1.0, f64::min));

                let area = Aabb::new(from - half, from + half).unwrap();
                let mut found = vec![false; boxes.len()];
                let bounds =
                    [crate::num::bound::f32_below(area.min()), crate::num::bound::f32_above(area.max())];
                let once = |i: u32| assert!(!core::mem::replace(&mut found[i as usize], true));
                tree.overlaps(bounds, expect, once);
                let reach = number(random) * span * 0.3;
                let mut near = vec![false; boxes.len()];
                tree.nearest(from, reach, expect, |i, best| {
                    assert!(!core::mem::replace(&mut near[i as usize], true));
                    best
                });
                for (i, place) in boxes.iter().enumerate() {
                    let Some((lower, upper)) = place.map(|(_, bounds)| exact(bounds)) else { continue };
                    let meets = lower.cmple(area.max()).all() && upper.cmpge(area.min()).all();
                    assert!(found[i] || !meets, "{i} does not overlap");
                    let gap = (lower - from).max(from - upper).max(DVec3::ZERO);
                    assert!(near[i] || gap.length() > reach, "{i} is not near");
                }
            }
        }
    }
    assert!(found_in_all > 10_000, "{found_in_all}");
}

/// Below a root with a handful of boxes a rebuild has as few to build as fit into one node.
#[test]
fn a_few_boxes_among_which_many_come_and_go_stay_in_the_tree() {
    for most in 1..=12 {
        let random = &mut Random(most as u64);
        let mut tree = DynamicTree::default();
        let mut boxes: Vec<Option<(Root, Bounds)>> = vec![None; most];
        for _ in 0..2_000 {
            let i = (number(random) * most as f64) as usize;
            let root = if number(random) < 0.3 { Root::Fixed } else { Root::Moving };
            if boxes[i].is_some() && number(random) < 0.3 {
                tree.remove(i as u32);
                boxes[i] = None;
            } else {
                let bounds = some_box(random, 100.0);
                boxes[i] = Some((root, bounds));
                tree.place(root, i as u32, bounds);
            }
            check_all(&tree, &boxes);
        }
        assert!(tree.rebuilt > 5, "{} rebuilds", tree.rebuilt);
    }
}

#[test]
fn no_order_of_insertion_makes_a_list_and_the_tree_is_as_good_as_one_built_at_once() {
    let unit = |at: Vec3| [at, at + Vec3::ONE];
    let random = &mut Random(7);
    let places: Vec<Vec3> = (0..8000).map(|_| vector(random, 100.0).as_vec3()).collect();
    let mut sorted = places.clone();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let line: Vec<Vec3> = (0..8000).map(|i| Vec3::X * 2.0 * i as f32).collect();
    let same = vec![Vec3::ZERO; 8000];
    for (name, places) in [("random", places), ("sorted", sorted), ("line", line), ("same", same)] {
        let mut tree = DynamicTree::default();
        for (i, place) in places.iter().enumerate() {
            tree.place(Root::Fixed, i as u32, unit(*place));
        }
        let boxes: Vec<_> = places.iter().map(|place| Some((Root::Fixed, unit(*place)))).collect();
        let height = check_all(&tree, &boxes);
        assert!(height <= 40, "{name}: {height} levels");
        let cost = |tree: &DynamicTree| -> f64 {
            let of_node = |node: &Node| {
                let own =
                    node.used_lanes().filter(|lane| matches!(node.links[*lane].target(), Target::Node(_)));
                own.map(|lane| f64::from(area(node.boxes.lane(lane)))).sum::<f64>()
            };
            tree.nodes
                .iter()
                .enumerate()
                .filter(|(i, _)| !tree.free.contains(&(*i as u32)))
                .map(|(_, node)| of_node(node))
                .sum()
        };
        let grown = cost(&tree);
        // Once more, all of it: parts cover it many times over.
        for _ in 0..400 {
            tree.moved[0] = MOVED_BEFORE_REBUILD;
            tree.tend(Root::Fixed);
        }
        check_all(&tree, &boxes);
        let built = cost(&tree);
        std::println!(
            "{name}: {height} levels, cost {grown:.0}, rebuilt {built:.0}, {} bytes",
            tree.memory() / boxes.len()
        );
        assert!(grown <= 1.25 * built, "{name}: {grown} against {built}");
    }
}
