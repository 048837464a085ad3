//! Meshes that slide and turn: never late, stoppable, and what it costs.

use core::f64::consts::{PI, TAU};
use std::time::Instant;

use carom::glam::{DQuat, DVec3};
use carom::mesh_pair::{Advance, Counters, MeshPair, PoseMotion, Search, TriangleTree};
use carom::num::ops::{cos, rotation_about, sin};
use carom::{Mesh, Pose};
use carom_scenes::Random;
use carom_scenes::workload::{BLOB_SEEDS, blob, blob_poses};

use crate::brute_force::{lump, pose};

/// A sphere of 72 by 36 quadrangles: 5,184 triangles, those at the poles without area.
fn sphere(radius: f64) -> TriangleTree {
    let place = |i: u32, j: u32| {
        let (around, up) = (f64::from(i) * TAU / 72.0, f64::from(j) * PI / 36.0);
        let p = DVec3::new(sin(up) * cos(around), cos(up), sin(up) * sin(around));
        (p * radius).as_vec3().to_array()
    };
    let vertices = (0..37).flat_map(|j| (0..72).map(move |i| place(i, j))).collect();
    let at = |i: u32, j: u32| j * 72 + i % 72;
    let quads = (0..36).flat_map(|j| (0..72).map(move |i| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    TriangleTree::new(Mesh::from_triangles(vertices, triangles.collect()).unwrap())
}

/// A ball that turns in a shell 2 % larger: everything is near everything, and nothing comes nearer.
fn in_a_shell<'a>(ball: &'a TriangleTree, shell: &'a TriangleTree, turn: DQuat) -> Advance<'a> {
    let turned = Pose::IDENTITY.with_rotation(turn).unwrap();
    Advance {
        first: shell,
        first_motion: PoseMotion::rest(Pose::IDENTITY),
        second: ball,
        second_motion: PoseMotion::new(Pose::IDENTITY, turned).unwrap(),
        tolerance: 1e-6,
    }
}

/// The worst there is for bounds on speed, which would go by the gap: 500 steps of them.
#[test]
fn a_ball_that_turns_in_a_shell_goes_by_the_root_of_the_gap_and_can_be_stopped() {
    let (ball, shell) = (sphere(1.0), sphere(1.02));
    let advance = in_a_shell(&ball, &shell, DQuat::from_xyzw(0.6, 0.0, 0.8, 0.0));
    let (mut counters, mut steps, mut before) = (Counters::default(), 0, -1.0);
    let found = advance.search(&mut counters, |clear, _| {
        assert!(clear >= before);
        steps += u32::from(clear > before);
        before = clear;
        true
    });
    assert_eq!(found, Search::Clear);
    assert!(steps < 100, "{steps}");
    // Stopped after a share of the work, it knows a share of the way.
    let most = counters.triangle_tests / 2;
    let stopped = advance.search(&mut Counters::default(), |_, so_far| so_far.triangle_tests < most);
    let Search::Stopped { clear_until } = stopped else { panic!("{stopped:?}") };
    assert!((0.2..0.8).contains(&clear_until), "{clear_until}");
}

/// A few triangles at once, far from the origin of their body or near it.
fn chips(random: &mut Random) -> TriangleTree {
    let count = 1 + random.below(6);
    let from = random.direction() * random.between(0.0, 2.0);
    let vertices: Vec<[f32; 3]> = (0..3 * count)
        .map(|_| (from + random.direction() * random.between(0.2, 1.0)).as_vec3().to_array())
        .collect();
    let triangles = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleTree::new(Mesh::from_triangles(vertices, triangles).unwrap())
}

/// Both turn by up to half a turn about points inside and outside of themselves: a thousand looks on the way
/// to contact find nothing in common, and a search that is stopped anywhere knows no more than that.
#[test]
fn what_turns_is_never_past_contact_however_often_one_looks() {
    let (mut contacts, mut clear, mut steps_in_contact) = (0, 0, 0);
    for seed in 0..1500 {
        let random = &mut Random::scattered(seed);
        let (a, b) = (chips(random), chips(random));
        let motion = |random: &mut Random| {
            let scale = if seed % 3 == 0 { random.between(0.5, 2.0) } else { 1.0 };
            let from = pose(random, 2.5).with_scale(scale).unwrap();
            let turn = rotation_about(random.direction(), random.between(0.0, PI));
            let to = Pose::at(random.direction() * random.between(0.0, 1.2)).unwrap();
            let to = to.with_rotation(turn * from.rotation()).unwrap().with_scale(scale).unwrap();
            PoseMotion::new(from, to).unwrap()
        };
        let motions = [motion(random), motion(random)];
        let tolerance = [1e-3, 1e-6, 1e-9][(seed % 3) as usize];
        let advance =
            Advance { first: &a, first_motion: motions[0], second: &b, second_motion: motions[1], tolerance };
        let pair_at = |t: f64| MeshPair::new(&a, motions[0].at(t), &b, motions[1].at(t));
        let end = match advance.first_contact() {
            Some(found) => {
                assert!(found.converged && found.gap <= tolerance, "{seed}: {found:?}");
                contacts += 1;
                found.fraction
            }
            None => {
                clear += 1;
                1.0
            }
        };
        let looks = if end > 0.0 { 1000 } else { 0 };
        for step in 0..looks {
            let t = end * f64::from(step) / f64::from(looks);
            assert!(!pair_at(t).overlaps(), "{seed}: they meet at {t}, before {end}");
        }
        let mut asked = 0;
        let stopped = advance.search(&mut Counters::default(), |until, _| {
            asked += 1;
            assert!(until <= end, "{seed}: {until} is past {end}");
            asked < 4
        });
        if let Search::Stopped { clear_until } = stopped {
            steps_in_contact += 1;
            assert!(clear_until <= end, "{seed}: {clear_until} is past {end}");
        }
    }
    assert!(contacts > 300 && clear > 100 && steps_in_contact > 100, "{contacts} {clear} {steps_in_contact}");
}

#[test]
#[ignore = "prints what docs/trees.md cites"]
fn figures_of_what_turns() {
    let (ball, shell) = (sphere(1.0), sphere(1.02));
    let timed = |advance: &Advance| {
        let mut counters = Counters::default();
        let began = Instant::now();
        let found = advance.first_contact_counted(&mut counters);
        (began.elapsed(), counters, found)
    };
    let half = DQuat::from_xyzw(0.6, 0.0, 0.8, 0.0);
    for (name, turn) in [("half a turn", half), ("0.1 rad", rotation_about(DVec3::Y, 0.1))] {
        let (took, counters, found) = timed(&in_a_shell(&ball, &shell, turn));
        println!("a ball in a shell, {name}: {found:?}, {counters:?}, {took:?}");
    }
    let [first, second] = BLOB_SEEDS.map(|seed| TriangleTree::new(blob(seed).into_mesh().unwrap()));
    let mut random = Random::new(17);
    let mut blobs: Vec<_> = blob_poses(20)
        .into_iter()
        .map(|pose| {
            let at = Pose::at(pose.translation * 1.5).and_then(|at| at.with_rotation(pose.rotation)).unwrap();
            let turn = rotation_about(random.direction(), random.between(0.1, 1.5));
            let end = Pose::at(pose.translation * 0.8).unwrap().with_rotation(turn * at.rotation()).unwrap();
            let spin = rotation_about(random.direction(), random.between(0.1, 1.5));
            let spun = Pose::IDENTITY.with_rotation(spin).unwrap();
            timed(&Advance {
                first: &first,
                first_motion: PoseMotion::new(Pose::IDENTITY, spun).unwrap(),
                second: &second,
                second_motion: PoseMotion::new(at, end).unwrap(),
                tolerance: 1e-6,
            })
        })
        .collect();
    let mut lumps: Vec<_> = (0..100)
        .map(|seed| {
            let mut random = Random::scattered(seed);
            let (a, b) = (TriangleTree::new(lump(seed)), TriangleTree::new(lump(seed + 1)));
            let (from, to) = (pose(&mut random, 3.0), pose(&mut random, 1.5));
            let spin = Pose::IDENTITY.with_rotation(random.rotation()).unwrap();
            let motions =
                [PoseMotion::new(Pose::IDENTITY, spin).unwrap(), PoseMotion::new(from, to).unwrap()];
            timed(&Advance {
                first: &a,
                first_motion: motions[0],
                second: &b,
                second_motion: motions[1],
                tolerance: 1e-6,
            })
        })
        .collect();
    for (name, all) in [("81,920 triangles each", &mut blobs), ("320 triangles each", &mut lumps)] {
        all.sort_by_key(|(took, ..)| *took);
        let mut tests: Vec<_> =
            all.iter().map(|(_, counters, _)| [counters.volume_tests, counters.triangle_tests]).collect();
        tests.sort_unstable();
        let late = all.len() * 99 / 100;
        println!(
            "{name}: median {:?}, of a hundred the slowest {:?}; tests of volumes and triangles {:?}; {} meet",
            all[all.len() / 2].0,
            all[late].0,
            tests[tests.len() / 2],
            all.iter().filter(|(.., found)| found.is_some()).count()
        );
    }
}
