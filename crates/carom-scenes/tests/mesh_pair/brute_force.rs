//! Small meshes, every triangle against every other, and the laws that any answer obeys.

use carom::glam::{DQuat, DVec3};
use carom::mesh_pair::{Advance, Counters, Front, MeshPair, MeshVolume, PoseMotion, TriangleTree};
use carom::num::ops::rotation_about;
use carom::shape::Triangle;
use carom::sweep::triangle_triangle;
use carom::tree::{BoundingSphere, Obb, PackedAabb, Settings, Split};
use carom::{Mesh, Pose};
use carom_scenes::Random;
use carom_scenes::workload::icosphere;
use proptest::prelude::*;

/// A ball with some of its triangles bent out of place, so that it is not convex.
pub(crate) fn lump(seed: u64) -> Mesh {
    let mut random = Random::scattered(seed);
    let ball = icosphere(2);
    let bent = ball
        .vertices
        .iter()
        .map(|v| v.map(f64::from))
        .map(|v| DVec3::from(v) * random.between(0.6, 1.2))
        .map(|v| v.as_vec3().to_array())
        .collect();
    Mesh::from_triangles(bent, ball.triangles).unwrap()
}

pub(crate) fn pose(random: &mut Random, far: f64) -> Pose {
    Pose::at(random.direction() * far).and_then(|at| at.with_rotation(random.rotation())).unwrap()
}

/// The triangles of the second in the frame of the first, as the pair has them.
fn placed(mesh: &Mesh, at: &Pose) -> Vec<Triangle> {
    let axes = carom::glam::DMat3::from_quat(at.rotation()) * at.scale();
    let place = |corner: DVec3| if *at == Pose::IDENTITY { corner } else { axes * corner + at.position() };
    (0..mesh.triangle_count())
        .map(|i| mesh.corners(i).map(place))
        .map(|[a, b, c]| Triangle::new(a, b, c).unwrap())
        .collect()
}

/// Two meshes, the second at a pose, and what asking every pair of triangles gives.
struct Asked {
    a: Mesh,
    b: Mesh,
    at: Pose,
    /// The pairs that overlap.
    expected: Vec<[u32; 2]>,
    /// The least distance.
    nearest: f64,
}

impl Asked {
    fn new(a: Mesh, b: Mesh, at: Pose) -> Self {
        let (own, other) = (placed(&a, &Pose::IDENTITY), placed(&b, &at));
        let mut expected = Vec::new();
        let mut nearest = f64::INFINITY;
        for (i, s) in own.iter().enumerate() {
            for (j, t) in other.iter().enumerate() {
                if s.overlaps_triangle(t) {
                    expected.push([i as u32, j as u32]);
                }
                nearest = nearest.min(s.distance_to_triangle(t).distance);
            }
        }
        Self { a, b, at, expected, nearest }
    }
}

fn check_pairs<V: MeshVolume>(asked: &Asked, settings: &Settings) {
    let Asked { a, b, at, expected, nearest } = asked;
    let (first, second) =
        (TriangleTree::<V>::of(a.clone(), settings), TriangleTree::<V>::of(b.clone(), settings));
    let pair = MeshPair::new(&first, Pose::IDENTITY, &second, *at);
    assert_eq!(pair.pairs(), *expected);
    assert_eq!(pair.overlaps(), !expected.is_empty());
    assert!(pair.first_pair().is_none_or(|found| expected.contains(&found)));
    let distance = pair.distance(f64::INFINITY).unwrap();
    assert!((distance.distance - nearest).abs() <= 1e-12 * (1.0 + nearest), "{distance:?} {nearest}");
    assert!(((distance.point - distance.other_point).length() - distance.distance).abs() < 1e-9);
    assert!(pair.distance(0.99 * nearest).is_none() || *nearest == 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_volume_and_rule_gives_what_asking_every_pair_does(seed in 0..1_000_000u64, far in 0.5..3.0f64) {
        let mut random = Random::scattered(seed);
        let (a, b) = (lump(seed), lump(seed + 1));
        let at = pose(&mut random, far).with_scale(random.between(0.3, 2.0)).unwrap();
        let by_axis = Settings { split: Split::LongestAxis, max_leaf_items: 3, ..Settings::DEFAULT };
        let coarse = Settings { max_depth: 3, ..Settings::DEFAULT };
        let asked = Asked::new(a, b, at);
        check_pairs::<Obb>(&asked, &Settings::DEFAULT);
        check_pairs::<Obb>(&asked, &by_axis);
        check_pairs::<PackedAabb>(&asked, &coarse);
        check_pairs::<BoundingSphere>(&asked, &by_axis);
    }

    #[test]
    fn swapping_and_moving_both_change_nothing(seed in 0..1_000_000u64, far in 0.5..2.5f64) {
        let mut random = Random::scattered(seed);
        let (a, b) = (TriangleTree::new(lump(seed)), TriangleTree::new(lump(seed + 1)));
        let at = pose(&mut random, far);
        let pairs = MeshPair::new(&a, Pose::IDENTITY, &b, at).pairs();
        let mut swapped: Vec<_> =
            MeshPair::new(&b, at, &a, Pose::IDENTITY).pairs().into_iter().map(|[i, j]| [j, i]).collect();
        swapped.sort_unstable();
        prop_assert_eq!(&swapped, &pairs);
        let turn = random.rotation();
        let moved = |pose: &Pose| {
            Pose::at(turn * pose.position() + DVec3::new(3.0, -4.0, 5.0))
                .and_then(|at| at.with_rotation(turn * pose.rotation()))
                .unwrap()
        };
        prop_assert_eq!(MeshPair::new(&a, moved(&Pose::IDENTITY), &b, moved(&at)).pairs(), pairs);
    }

    #[test]
    fn a_front_finds_what_a_fresh_walk_does(seed in 0..1_000_000u64) {
        let mut random = Random::scattered(seed);
        let (a, b) = (TriangleTree::new(lump(seed)), TriangleTree::new(lump(seed + 1)));
        let (mut front, mut with_front, mut fresh) = (Front::new(), Counters::default(), Counters::default());
        let (from, way, axis) = (random.direction() * 2.3, random.direction() * 0.9, random.direction());
        for step in 0..60 {
            let share = f64::from(step) / 60.0;
            let at = Pose::at(from + way * share)
                .and_then(|at| at.with_rotation(rotation_about(axis, 0.8 * share)))
                .unwrap();
            let pair = MeshPair::new(&a, Pose::IDENTITY, &b, at);
            let mut expected = Vec::new();
            let _ = pair.visit(&mut fresh, |found| {
                expected.push(found);
                std::ops::ControlFlow::<()>::Continue(())
            });
            expected.sort_unstable();
            prop_assert_eq!(pair.pairs_from(&mut front, &mut with_front), expected);
        }
        // Another pair of meshes does not disturb it.
        let pair = MeshPair::new(&b, Pose::IDENTITY, &a, Pose::IDENTITY);
        prop_assert_eq!(pair.pairs_from(&mut front, &mut with_front), pair.pairs());
    }

    #[test]
    fn a_sweep_stops_at_the_first_of_all_pairs(seed in 0..1_000_000u64) {
        let mut random = Random::scattered(seed);
        let (a, b) = (lump(seed), lump(seed + 1));
        let at = pose(&mut random, 3.0);
        let way = -at.position() * 1.5 + random.direction();
        let expected = placed(&b, &at)
            .iter()
            .flat_map(|mover| placed(&a, &Pose::IDENTITY).into_iter().map(move |own| triangle_triangle(mover, way, &own)))
            .flatten()
            .map(|hit| hit.fraction)
            .fold(f64::INFINITY, f64::min);
        for_each_volume(&a, &b, |a, b| {
            let found = a(Pose::IDENTITY, b, at, way);
            match found {
                None => assert!(expected.is_infinite()),
                Some((fraction, gap)) => {
                    assert!((fraction - expected).abs() < 1e-12, "{fraction} {expected}");
                    assert!(gap < 1e-12, "{gap}");
                }
            }
        });
    }

    #[test]
    fn what_turns_stops_within_the_tolerance_and_never_past(seed in 0..1_000_000u64) {
        let mut random = Random::scattered(seed);
        let (a, b) = (TriangleTree::new(lump(seed)), TriangleTree::new(lump(seed + 1)));
        let (from, to) = (pose(&mut random, 3.0), pose(&mut random, 1.5));
        let spin = Pose::IDENTITY.with_rotation(random.rotation()).unwrap();
        let motions = [PoseMotion::new(Pose::IDENTITY, spin).unwrap(), PoseMotion::new(from, to).unwrap()];
        let advance =
            Advance { first: &a, first_motion: motions[0], second: &b, second_motion: motions[1], tolerance: 1e-6 };
        let gap_at = |t: f64| {
            MeshPair::new(&a, motions[0].at(t), &b, motions[1].at(t)).distance(f64::INFINITY).unwrap().distance
        };
        let found = advance.first_contact();
        let end = match &found {
            Some(found) => {
                prop_assert!(found.converged && found.gap <= 1e-6);
                prop_assert!((gap_at(found.fraction) - found.gap).abs() < 1e-9);
                found.fraction
            }
            None => 1.0,
        };
        // On the way there is nothing, however closely one looks.
        for step in 0..=40 {
            let t = end * f64::from(step) / 41.0;
            prop_assert!(gap_at(t) > 0.0, "{t} of {end}");
        }
    }
}

type Sweep<'a> = dyn Fn(Pose, &Mesh, Pose, DVec3) -> Option<(f64, f64)> + 'a;

/// Calls with a sweep by each kind of volume: the fraction, and how far apart the two are there.
fn for_each_volume(a: &Mesh, b: &Mesh, check: impl Fn(&Sweep, &Mesh)) {
    fn sweep<V: MeshVolume>(a: &Mesh, own: Pose, b: &Mesh, at: Pose, way: DVec3) -> Option<(f64, f64)> {
        let tree = |mesh: &Mesh| TriangleTree::<V>::of(mesh.clone(), &Settings::DEFAULT);
        let (first, second) = (tree(a), tree(b));
        let found = MeshPair::new(&first, own, &second, at).sweep(way)?;
        let there = Pose::at(at.position() + way * found.hit.fraction)
            .and_then(|there| there.with_rotation(at.rotation()))
            .unwrap();
        let gap = MeshPair::new(&first, own, &second, there).distance(f64::INFINITY).unwrap().distance;
        Some((found.hit.fraction, gap))
    }
    check(&|own, b, at, way| sweep::<Obb>(a, own, b, at, way), b);
    check(&|own, b, at, way| sweep::<PackedAabb>(a, own, b, at, way), b);
    check(&|own, b, at, way| sweep::<BoundingSphere>(a, own, b, at, way), b);
}

#[test]
fn a_way_past_stays_free_and_touching_is_legal() {
    let box_mesh = |half: f32| {
        let corners = carom::shape::Aabb::new(DVec3::splat(-f64::from(half)), DVec3::splat(half.into()))
            .unwrap()
            .corners();
        let hull = carom::shape::convex_hull(&corners).unwrap();
        TriangleTree::new(
            Mesh::from_triangles(corners.map(|c| c.as_vec3().to_array()).to_vec(), hull).unwrap(),
        )
    };
    let (level, crate_) = (box_mesh(2.0), box_mesh(1.0));
    let at = |p: DVec3| {
        MeshPair::new(&level, Pose::IDENTITY, &crate_, Pose::at(p).unwrap()).sweep(DVec3::new(0.0, -9.0, 0.0))
    };
    let fall = at(DVec3::new(0.5, 8.0, 0.25)).unwrap();
    assert!(fall.hit.fraction <= 5.0 / 9.0 && fall.hit.fraction > 5.0 / 9.0 - 1e-13);
    assert_eq!(fall.hit.normal, DVec3::Y);
    assert!(at(DVec3::new(3.5, 8.0, 0.0)).is_none());
    // Resting on it and sliding along, or leaving, is no hit; pressing is.
    let rests = MeshPair::new(&level, Pose::IDENTITY, &crate_, Pose::at(DVec3::new(0.5, 3.0, 0.25)).unwrap());
    assert!(rests.overlaps());
    assert_eq!((rests.sweep(DVec3::X), rests.sweep(DVec3::Y)), (None, None));

    assert_eq!(rests.sweep(-DVec3::Y).unwrap().hit.fraction, 0.0);
}

#[test]
fn nothing_meets_nothing() {
    let nothing = TriangleTree::new(Mesh::from_triangles(vec![], vec![]).unwrap());
    let something = TriangleTree::new(lump(1));
    for (a, b) in [(&nothing, &something), (&something, &nothing), (&nothing, &nothing)] {
        let pair = MeshPair::new(a, Pose::IDENTITY, b, Pose::IDENTITY);
        assert!(!pair.overlaps() && pair.pairs().is_empty() && pair.distance(f64::INFINITY).is_none());
        assert!(pair.sweep(DVec3::X).is_none());
        assert!(pair.pairs_from(&mut Front::new(), &mut Counters::default()).is_empty());
        let rest = PoseMotion::rest(Pose::IDENTITY);
        let advance =
            Advance { first: a, first_motion: rest, second: b, second_motion: rest, tolerance: 1.0 };
        assert!(advance.first_contact().is_none());
    }
}

#[test]
fn the_largest_numbers_there_are_hide_nothing() {
    let most = f32::MAX;
    let wall = vec![[-most, -most, 0.0], [most, -most, 0.0], [0.0, most, 0.0]];
    let wall = TriangleTree::new(Mesh::from_triangles(wall, vec![[0, 1, 2]]).unwrap());
    let ball = TriangleTree::new(lump(3));
    assert!(MeshPair::new(&wall, Pose::IDENTITY, &ball, Pose::IDENTITY).overlaps());
    assert!(MeshPair::new(&ball, Pose::IDENTITY, &wall, Pose::IDENTITY).overlaps());
    let far = Pose::at(DVec3::splat(1e300)).and_then(|at| at.with_rotation(DQuat::IDENTITY)).unwrap();
    assert!(!MeshPair::new(&ball, Pose::IDENTITY, &ball, far).overlaps());
}
