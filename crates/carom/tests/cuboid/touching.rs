//! Touching, sliding and overlapping stop only what goes deeper.

use carom::num::ops::rotation_about;
use carom::shape::Plane;
use carom::sweep::{Feature, cuboid_cuboid, cuboid_plane};
use glam::{DQuat, DVec3, Vec3Swizzles, dvec3};

use crate::scenes::{Random, Scene};
use crate::setup::{FLOOR, NEAR, cuboid, path, sweep, turned};

#[test]
fn touching_stops_only_what_moves_deeper() {
    let cuboid = cuboid(0.5, 0.5, 0.5);
    let resting = dvec3(0.0, 0.5, 0.0);
    for way in [DVec3::Y, DVec3::X, DVec3::Z, dvec3(1.0, 0.0, -1.0), dvec3(3.0, 1e-9, 0.0)] {
        assert_eq!(sweep(&cuboid, &path(resting, way), FLOOR), None, "{way}");
        assert_eq!(
            cuboid_plane(&cuboid, &path(resting, way), &Plane::new(DVec3::ZERO, DVec3::Y).unwrap()),
            None
        );
        assert_eq!(cuboid_cuboid(&cuboid, &path(resting, way), &cuboid, dvec3(0.0, -0.5, 0.0)), None);
    }
    for way in [DVec3::NEG_Y, dvec3(1.0, -1e-9, 0.0)] {
        let hits = [
            sweep(&cuboid, &path(resting, way), FLOOR),
            cuboid_plane(&cuboid, &path(resting, way), &Plane::new(DVec3::ZERO, DVec3::NEG_Y).unwrap()),
            cuboid_cuboid(&cuboid, &path(resting, way), &cuboid, dvec3(0.0, -0.5, 0.0)),
        ];
        for hit in hits {
            let hit = hit.unwrap();
            assert_eq!((hit.fraction, hit.normal, hit.start_overlap), (0.0, DVec3::Y, false));
        }
    }
}

#[test]
fn an_overlap_stops_only_what_moves_deeper_on_the_axis_of_least_depth() {
    let cuboid = cuboid(0.5, 0.5, 0.5);
    let sunk = dvec3(0.1, 0.4, -0.2);
    let plane = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
    let sweeps = |way: DVec3| {
        let path = path(sunk, way);
        [
            sweep(&cuboid, &path, FLOOR),
            cuboid_plane(&cuboid, &path, &plane),
            cuboid_cuboid(&cuboid, &path, &cuboid, dvec3(0.0, -0.5, 0.0)),
        ]
    };
    for way in [DVec3::Y, DVec3::X, dvec3(0.3, 0.0, 0.4), dvec3(9.0, 1e-12, 0.0)] {
        assert_eq!(sweeps(way), [None; 3], "{way}");
    }
    for hit in sweeps(dvec3(1.0, -0.01, 0.0)) {
        let hit = hit.unwrap();
        assert_eq!((hit.fraction, hit.normal, hit.start_overlap), (0.0, DVec3::Y, true), "{hit:?}");
        assert!(
            hit.point.y.abs() <= 0.1 && (hit.point.xz() - sunk.xz()).abs().max_element() <= 0.5,
            "{hit:?}"
        );
    }
}

#[test]
fn equal_depths_are_settled_by_the_other_face_first_and_equal_sides_by_the_way() {
    let cube = cuboid(0.5, 0.5, 0.5);
    for way in [DVec3::Y, DVec3::NEG_Y] {
        let inside = path(DVec3::ZERO, way);
        let plane = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
        for hit in [sweep(&cube, &inside, FLOOR), cuboid_plane(&cube, &inside, &plane)] {
            let hit = hit.unwrap();
            assert_eq!((hit.fraction, hit.normal, hit.start_overlap), (0.0, -way, true));
        }
    }
    // As deep in the face as past the edge at x = 0: the face has it.
    let square = [dvec3(0.0, 0.0, -4.0), dvec3(0.0, 0.0, 4.0), dvec3(8.0, 0.0, 0.0)];
    let hit = sweep(&cube, &path(dvec3(-0.25, 0.25, 0.0), dvec3(1.0, -1.0, 0.0)), square).unwrap();
    assert_eq!((hit.normal, hit.feature), (DVec3::Y, Feature::Face));
    assert_eq!(sweep(&cube, &path(dvec3(-0.25, 0.25, 0.0), dvec3(1.0, 0.0, 0.0)), square), None);
}

#[test]
fn a_path_of_no_length_hits_nothing() {
    let cuboid = cuboid(0.5, 0.5, 0.5);
    for height in [2.0, 0.5, 0.0] {
        let still = path(dvec3(0.0, height, 0.0), DVec3::ZERO);
        assert_eq!(sweep(&cuboid, &still, FLOOR), None);
        assert_eq!(cuboid_plane(&cuboid, &still, &Plane::new(DVec3::ZERO, DVec3::Y).unwrap()), None);
        assert_eq!(cuboid_cuboid(&cuboid, &still, &cuboid, DVec3::ZERO), None);
    }
}

/// A floor of unit tiles, two triangles each, from −4 to 4 in x and z.
fn tiles(place: impl Fn(DVec3) -> DVec3) -> Vec<[DVec3; 3]> {
    let mut tiles = Vec::new();
    for x in -4..4 {
        for z in -4..4 {
            let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)]
                .map(|(dx, dz)| place(dvec3(f64::from(x + dx), 0.0, f64::from(z + dz))));
            tiles.extend([[a, b, c], [a, c, d]]);
        }
    }
    tiles
}

/// Falls until it touches a floor of tiles, and slides there: no tile may stop it.
fn slides_over_tiles(random: &mut Random, frame: DQuat, own: DQuat) {
    let tiles = tiles(|place| frame * place);
    let cuboid = turned(cuboid(0.5, 0.7, 0.3), own);
    let mut place = frame * dvec3(random.signed() * 3.0, 2.0, random.signed() * 3.0);
    let down = path(place, frame * dvec3(0.0, -2.0, 0.0));
    let fall = tiles.iter().filter_map(|tile| sweep(&cuboid, &down, *tile)).map(|hit| hit.fraction);
    place = down.at(fall.fold(1.0, f64::min));
    for _ in 0..20 {
        let way = frame * dvec3(random.signed() * 2.0, 0.0, random.signed() * 2.0);
        let slide = path(place, way);
        for tile in &tiles {
            let hit = sweep(&cuboid, &slide, *tile);
            assert!(hit.is_none(), "stopped by {tile:?}: {hit:?}\n{cuboid:?} {slide:?}");
        }
        let end = frame.inverse() * slide.at(1.0);
        if end.x.abs() < 3.0 && end.z.abs() < 3.0 {
            place = slide.at(1.0);
        }
    }
}

#[test]
fn a_box_that_slides_over_floor_tiles_never_stops() {
    let mut random = Random::new(11);
    for round in 0..60 {
        let yaw = rotation_about(DVec3::Y, random.signed() * 3.0);
        let frame =
            if round % 2 == 0 { DQuat::IDENTITY } else { rotation_about(random.vector(), random.signed()) };
        // Flat on its face, on its edge, on its corner.
        let tilt = [
            DQuat::IDENTITY,
            rotation_about(DVec3::X, 0.7),
            rotation_about(random.vector(), random.signed() * 3.0),
        ][round / 2 % 3];
        slides_over_tiles(&mut random, frame, frame * yaw * tilt);
    }
}

#[test]
fn a_box_that_slides_along_a_wall_of_boxes_never_stops() {
    let mut random = Random::new(12);
    for _ in 0..40 {
        let frame = rotation_about(random.vector(), random.signed());
        let brick = turned(cuboid(0.5, 0.5, 0.5), frame);
        let mover = turned(cuboid(0.3, 0.4, 0.5), frame * rotation_about(DVec3::Y, random.signed()));
        let from = frame * dvec3(-2.0, 1.5, 0.2);
        let bricks: Vec<DVec3> = (-4..5).map(|x| frame * dvec3(f64::from(x), 0.0, 0.0)).collect();
        let down = path(from, frame * DVec3::NEG_Y);
        let fall = bricks.iter().filter_map(|&center| cuboid_cuboid(&mover, &down, &brick, center));
        let place = down.at(fall.map(|hit| hit.fraction).fold(1.0, f64::min));
        let slide = path(place, frame * dvec3(4.0, 0.0, 0.1 * random.signed()));
        for &center in &bricks {
            let hit = cuboid_cuboid(&mover, &slide, &brick, center);
            assert!(hit.is_none(), "stopped by the brick at {center}: {hit:?}");
        }
    }
}

#[test]
fn a_path_reversed_from_the_hit_hits_nothing_on_its_way_back() {
    let mut random = Random::new(19);
    let mut hits = 0;
    for round in 0..6000 {
        let (scene, corners) = Scene::against_triangle(&mut random, round);
        let (cuboid, way) = (&scene.cuboid, scene.path.translation());
        let Some(hit) = sweep(cuboid, &scene.path, corners) else { continue };
        hits += 1;
        let back = path(scene.path.at(hit.fraction), -way * hit.fraction.max(0.25));
        let reversed = sweep(cuboid, &back, corners);
        // Going back leads away on the axis of contact; from an overlap it leads out by the same side.
        assert_eq!(reversed, None, "{scene:?} {corners:?} {hit:?}");
        let (other_scene, other, center) = Scene::against_cuboid(&mut random, round);
        let Some(hit) = cuboid_cuboid(&other_scene.cuboid, &other_scene.path, &other, center) else {
            continue;
        };
        let way = other_scene.path.translation();
        let back = path(other_scene.path.at(hit.fraction), -way * hit.fraction.max(0.25));
        let reversed = cuboid_cuboid(&other_scene.cuboid, &back, &other, center);
        // A center in the middle of the other has no nearer side: both ways are stopped.
        let centerd = reversed.is_some_and(|back| back.start_overlap && back.normal == -hit.normal);
        assert!(reversed.is_none() || centerd, "{other_scene:?} {other:?} {hit:?} {reversed:?}");
    }
    assert!(hits > 1000);
}

#[test]
fn a_thin_card_is_stopped_and_may_leave_again() {
    let card = cuboid(1.0, 1e-12, 1.0);
    let hit = sweep(&card, &path(dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0)), FLOOR).unwrap();
    let landed = dvec3(0.0, 3.0 - 4.0 * hit.fraction, 0.0);
    assert!(landed.y >= 1e-12, "{landed}");
    assert_eq!(sweep(&card, &path(landed, DVec3::Y), FLOOR), None);
    assert_eq!(sweep(&card, &path(landed, DVec3::X), FLOOR), None);
    let again = sweep(&card, &path(landed, DVec3::NEG_Y), FLOOR).unwrap();
    assert!(again.fraction <= NEAR && !again.start_overlap, "{again:?}");
}
