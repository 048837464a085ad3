//! Islands, a hull that is inside out, and rocks on rough ground.

use carom::num::ops;
use carom_explore::{Code, Explorer, Rules, Stage};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, level, listed_from, said, slab};

const START: DVec3 = DVec3::new(2.0, 0.95, 2.0);

#[test]
fn an_island_is_listed_if_it_is_hardly_too_far_for_a_leap() {
    let rules = Rules::default();
    let islands = |gap: f64| {
        slab([0.0, -1.0, 0.0], [8.0, 0.0, 8.0]).and(&slab([8.0 + gap, -1.0, 0.0], [16.0, 0.0, 8.0]))
    };
    let codes = |gap: f64| -> Vec<Code> {
        listed_from(START, &islands(gap), &rules).iter().map(|finding| finding.code).collect()
    };
    assert_eq!(codes(4.0), []);
    assert_eq!(codes(5.5), [Code::Unreached]);
    assert_eq!(codes(7.2), []);
    // Over a street, it may be the roof of another house.
    let street = slab([-10.0, -9.0, -10.0], [26.0, -8.0, 18.0]);
    let findings = listed_from(START, &islands(5.5).and(&street), &rules);
    assert!(findings.iter().all(|finding| finding.code != Code::Unreached), "{}", said(&findings));
}

#[test]
fn a_hull_that_is_inside_out_is_warned_of_and_its_outside_is_not_missed() {
    let sides = slab([0.0, 0.0, 0.0], [16.0, 3.0, 12.0]);
    let level = level(sides.rounded());
    let rules = Rules::default();
    let mut explorer = Explorer::new(&level, &rules, &[START]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    assert!(findings.iter().all(|finding| !finding.is_listed()), "{}", said(&findings));
    let codes: Vec<&str> = explorer.warnings().iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&"WINDING") && !codes.contains(&"SPAWN_OUTSIDE"), "{codes:?}");
}

#[test]
fn between_rocks_on_rough_ground_nothing_is_a_snag() {
    for seed in 0..cases().div_ceil(2) as u64 {
        let mut random = Random::scattered(seed);
        let heights: Vec<f64> = (0..26 * 26).map(|_| random.between(0.0, 0.35)).collect();
        let at = |i: usize, j: usize| dvec3(1.2 * i as f64, heights[26 * i + j], 1.2 * j as f64);
        let mut mesh = MeshBuilder::new();
        for i in 0..25 {
            for j in 0..25 {
                mesh = mesh.and(&MeshBuilder::quad([at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]));
            }
        }
        for _ in 0..60 {
            let (x, z, size) =
                (random.between(3.0, 28.0), random.between(3.0, 28.0), random.between(0.4, 2.0));
            let mut ring = |share: f64, y: f64| -> Vec<DVec3> {
                (0..7)
                    .map(|i| {
                        let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * f64::from(i) / 7.0);
                        let far = size * share * random.between(0.7, 1.2);
                        dvec3(x + far * cos, y, z + far * sin)
                    })
                    .collect()
            };
            let (low, high, tip) = (ring(1.0, -0.5), ring(0.6, size * 0.8), dvec3(x, size * 1.4, z));
            for i in 0..7 {
                let j = (i + 1) % 7;
                mesh = mesh
                    .and(&MeshBuilder::quad([low[i], high[i], high[j], low[j]]))
                    .and(&MeshBuilder::triangle([tip, high[j], high[i]]));
            }
        }
        let findings = listed_from(dvec3(1.0, 1.6, 1.0), &mesh, &Rules::default());
        let snags = findings.iter().filter(|finding| finding.code == Code::Snag).count();
        assert_eq!(snags, 0, "{seed}: {}", said(&findings));
    }
}

#[test]
fn between_two_rocks_on_even_ground_nothing_is_a_snag() {
    // Pairs of rocks, nearer to each other at the ground than higher up, at several distances and turns.
    let walls = [
        ([-3.0, -1.0, -3.0], [25.0, 0.0, 25.0]),
        ([-3.3, 0.0, -3.3], [-3.0, 3.0, 25.3]),
        ([25.0, 0.0, -3.3], [25.3, 3.0, 25.3]),
        ([-3.0, 0.0, -3.3], [25.0, 3.0, -3.0]),
        ([-3.0, 0.0, 25.0], [25.0, 3.0, 25.3]),
    ];
    let mut mesh = walls.into_iter().fold(MeshBuilder::new(), |mesh, (low, high)| mesh.and(&slab(low, high)));
    for (i, k) in (0..25).map(|number| (f64::from(number / 5), f64::from(number % 5))) {
        let apart = 0.05 + 0.09 * i;
        for (side, turn) in [(1.0, core::f64::consts::PI), (-1.0, 0.0)] {
            let (x, z) = (5.0 * i + side * (1.0 + 0.5 * apart), 5.0 * k);
            let ring = |size: f64, y: f64, turn: f64| -> Vec<DVec3> {
                (0..7)
                    .map(|j| {
                        let (sin, cos) = ops::sin_cos(turn + core::f64::consts::TAU * f64::from(j) / 7.0);
                        let wide = if j % 2 == 0 { size } else { 0.93 * size };
                        dvec3(x + wide * cos, y, z + size * sin)
                    })
                    .collect()
            };
            let turn = turn + 0.12 * k;
            let (low, high, tip) = (ring(1.05, -0.1, turn), ring(0.55, 1.0, turn + 0.2), dvec3(x, 1.5, z));
            for j in 0..7 {
                let next = (j + 1) % 7;
                mesh = mesh
                    .and(&MeshBuilder::quad([low[j], high[j], high[next], low[next]]))
                    .and(&MeshBuilder::triangle([tip, high[next], high[j]]));
            }
        }
    }
    let findings = listed_from(dvec3(-2.0, 0.95, -2.0), &mesh, &Rules::default());
    assert!(findings.is_empty(), "{}", said(&findings));
}
