//! Changes that change no bit of an answer: the order of corners, and a power of two.

use carom::shape::{ConvexPolygon, Cuboid, Plane};
use carom::sweep::{Feature, Hit, cuboid_cuboid, cuboid_plane, cuboid_polygon};
use glam::DVec3;

use crate::scenes::{Random, Scene};
use crate::setup::{path, sweep, turned};

#[test]
fn no_bit_depends_on_the_order_of_a_triangles_corners() {
    let mut random = Random::new(13);
    for round in 0..4000 {
        let (scene, corners) = Scene::against_triangle(&mut random, round);
        let first = sweep(&scene.cuboid, &scene.path, corners);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let hit = sweep(&scene.cuboid, &scene.path, order.map(|k| corners[k]));
            let (Some(first), Some(hit)) = (first, hit) else {
                assert_eq!(first, hit);
                continue;
            };
            assert_eq!(hit.fraction.to_bits(), first.fraction.to_bits());
            assert_eq!(hit.point.to_array().map(f64::to_bits), first.point.to_array().map(f64::to_bits));
            assert_eq!(hit.normal.to_array().map(f64::to_bits), first.normal.to_array().map(f64::to_bits));
            let ends = |feature: Feature, order: [usize; 3]| {
                let corner = |k: u32| corners[order[k as usize % 3]].to_array();
                match feature {
                    Feature::Vertex(k) => vec![corner(k)],
                    Feature::Edge(k) => {
                        let mut ends = vec![corner(k), corner(k + 1)];
                        ends.sort_by(|a, b| a.partial_cmp(b).unwrap());
                        ends
                    }
                    Feature::Face => Vec::new(),
                }
            };
            assert_eq!(ends(hit.feature, order), ends(first.feature, [0, 1, 2]), "{first:?} {hit:?}");
        }
    }
}

#[test]
fn no_bit_depends_on_where_a_polygon_begins_and_which_way_it_runs() {
    let mut random = Random::new(14);
    for round in 0..400 {
        let (scene, mut corners) = Scene::against_polygon(&mut random, round);
        let ask = |corners: &[DVec3]| {
            cuboid_polygon(&scene.cuboid, &scene.path, &ConvexPolygon::new(corners.to_vec()).unwrap())
        };
        let first = ask(&corners);
        for turn in 0..2 * corners.len() {
            corners.rotate_left(1);
            if turn == corners.len() {
                corners.reverse();
            }
            let hit = ask(&corners);
            assert_eq!(
                hit.map(|hit| (hit.fraction, hit.point, hit.normal)),
                first.map(|hit| (hit.fraction, hit.point, hit.normal))
            );
        }
    }
}

#[test]
fn scaling_by_a_power_of_two_scales_the_answer_to_the_bit() {
    let mut random = Random::new(16);
    for round in 0..3000 {
        let (scene, corners) = Scene::against_triangle(&mut random, round);
        let (_, other, center) = Scene::against_cuboid(&mut random, round);
        let plane = Plane::new(corners[0], random.vector()).unwrap();
        let answer = |factor: f64| {
            let cuboid = Cuboid::new(scene.cuboid.half_extents() * factor).unwrap();
            let cuboid = turned(cuboid, scene.cuboid.rotation());
            let other = turned(Cuboid::new(other.half_extents() * factor).unwrap(), other.rotation());
            let path = path(scene.path.from() * factor, scene.path.translation() * factor);
            [
                sweep(&cuboid, &path, corners.map(|corner| corner * factor)),
                cuboid_cuboid(&cuboid, &path, &other, center * factor),
                // Moved along its own normal only, so that its distance scales to the bit.
                cuboid_plane(&cuboid, &path, &Plane::new(corners[0] * factor, plane.normal()).unwrap()),
            ]
        };
        let plain = answer(1.0);
        for factor in [0.5, 1024.0, random.power(-700, -400), random.power(400, 700)] {
            let scaled = answer(factor).map(|hit| hit.map(|hit| Hit { point: hit.point / factor, ..hit }));
            assert_eq!(scaled, plain, "scaled by {factor:e}: {scene:?} {corners:?} {other:?} {center:?}");
        }
    }
}
