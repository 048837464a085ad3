//! The same scene turned, mirrored, or seen from the other of two movers gives the same answer, to rounding.

use carom::num::ops::rotation_about;
use carom::shape::Cuboid;
use carom::sweep::{Path, cuboid_cuboid};
use glam::{DQuat, DVec3, dvec3};

use crate::scenes::{Random, Scene};
use crate::setup::{NEAR, U, agree, cuboid, path, sweep, turned};

#[test]
fn a_turned_scene_gives_a_turned_answer() {
    let mut random = Random::new(17);
    let mut hits = 0;
    for _ in 0..4000 {
        let cuboid = random.cuboid();
        let corners = [random.vector() * 2.0, random.vector() * 2.0, random.vector() * 2.0];
        let path = path(random.vector() * 3.0, random.vector() * 3.0);
        let hit = sweep(&cuboid, &path, corners);
        let rotation = rotation_about(random.vector(), random.signed() * 3.0);
        let shift = random.vector() * 4.0;
        let move_by = |v: DVec3| rotation * v + shift;
        let moved = Path::new(move_by(path.from()), rotation * path.translation()).unwrap();
        let ask = |growth: f64| {
            let grown = Cuboid::new(cuboid.half_extents() * (1.0 + growth)).unwrap();
            sweep(&turned(grown, rotation * cuboid.rotation()), &moved, corners.map(move_by))
        };
        let ways = (path.translation(), moved.translation());
        let same = agree(hit, ask(0.0), ways.0, ways.1, 50.0 * NEAR);
        // Grazing: what misses by rounding hits if it is larger by a little more, and the other way round.
        let grazes =
            || ask(1e-11).is_some() != ask(-1e-11).is_some() || hit.is_some_and(|hit| hit.start_overlap);
        assert!(same || grazes(), "{cuboid:?} {path:?} {corners:?}\n{hit:?}\n{:?}", ask(0.0));
        if let (Some(hit), Some(again)) = (hit, ask(0.0)) {
            hits += 1;
            if hit.feature == again.feature && !hit.start_overlap {
                assert!((rotation * hit.normal).abs_diff_eq(again.normal, 1e-7), "{hit:?} {again:?}");
            }
        }
    }
    assert!(hits > 500);
}

#[test]
fn a_mirrored_scene_gives_a_mirrored_answer() {
    let mut random = Random::new(18);
    let mirror = |v: DVec3| dvec3(-v.x, v.y, v.z);
    for round in 0..4000 {
        let (scene, corners) = Scene::against_triangle(&mut random, round);
        let (cuboid, way) = (&scene.cuboid, scene.path.translation());
        let rotation = cuboid.rotation();
        let mirrored = turned(
            Cuboid::new(cuboid.half_extents()).unwrap(),
            DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w),
        );
        let mirrored_path = path(mirror(scene.path.from()), mirror(way));
        let hit = sweep(cuboid, &scene.path, corners);
        let again = sweep(&mirrored, &mirrored_path, corners.map(mirror));
        // The corners come in another order: only sliver normals and their like may round differently.
        let reach = corners.iter().map(|&corner| (corner - scene.path.from()).length()).fold(0.0, f64::max);
        let bound = 64.0 * U * 10.0 * (reach + way.length() + cuboid.half_extents().length())
            + 20.0 * U * scene.path.from().length();
        assert!(
            agree(hit, again, way, mirrored_path.translation(), bound),
            "{scene:?} {corners:?}\n{hit:?}\n{again:?}"
        );
    }
}

#[test]
fn it_does_not_matter_which_of_two_cuboids_moves() {
    let mut random = Random::new(20);
    let mut hits = 0;
    for _ in 0..5000 {
        // No two of them parallel: the point of contact would be any of many.
        let mut any =
            || turned(cuboid(0.6, 0.3, 1.0), rotation_about(random.vector(), random.signed() * 3.0));
        let (one, another) = (any(), any());
        let (from, center, way) = (random.vector() * 2.0, random.vector() * 2.0, random.vector() * 4.0);
        let hit = cuboid_cuboid(&one, &path(from, way), &another, center);
        let again = cuboid_cuboid(&another, &path(center, -way), &one, from);
        let both = Path::relative(&path(from, way * 0.5), &path(center, way * -0.5)).unwrap();
        let relative = cuboid_cuboid(&one, &both, &another, DVec3::ZERO);
        let bound = 20.0 * NEAR;
        assert!(
            agree(hit, again, way, way, bound) || hit.or(again).is_some_and(|hit| hit.start_overlap),
            "{hit:?} {again:?}"
        );
        assert!(agree(hit, relative, way, way, bound), "{hit:?} {relative:?}");
        if let (Some(hit), Some(relative)) = (hit, relative) {
            hits += 1;
            assert!(hit.point.abs_diff_eq(relative.point + center, 1e-5), "{hit:?} {relative:?}");
        }
    }
    assert!(hits > 300);
}
