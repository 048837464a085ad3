//! Where a cuboid stops, and which part of the other it names.

use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{ConvexPolygon, Plane};
use carom::sweep::{Feature, Hit, cuboid_cuboid, cuboid_plane, cuboid_polygon};
use glam::{DQuat, DVec3, dvec3};

use crate::scenes::{Random, Scene};
use crate::setup::{FLOOR, NEAR, U, agree, cuboid, path, sweep, turned};

#[test]
fn a_box_stops_on_a_floor_by_its_lowest_face_edge_or_corner() {
    let down = path(dvec3(0.0, 5.0, 0.0), dvec3(0.0, -8.0, 0.0));
    let quarter = rotation_about(DVec3::X, core::f64::consts::FRAC_PI_4);
    let corner_down = DQuat::from_rotation_arc(dvec3(0.5, -0.5, 0.5).normalize(), DVec3::NEG_Y);
    for (rotation, reach) in [(DQuat::IDENTITY, 0.5), (quarter, sqrt(0.5)), (corner_down, sqrt(0.75))] {
        let cuboid = turned(cuboid(0.5, 0.5, 0.5), rotation);
        let hit = sweep(&cuboid, &down, FLOOR).unwrap();
        assert!((hit.fraction - (5.0 - reach) / 8.0).abs() < NEAR, "{hit:?}");
        assert!(hit.normal.abs_diff_eq(DVec3::Y, 1e-15), "{hit:?}");
        assert!(hit.point.abs_diff_eq(DVec3::ZERO, 1e-6), "{hit:?}");
        assert_eq!(hit.feature, Feature::Face);
        assert!(!hit.start_overlap);
    }
}

#[test]
fn the_feature_is_the_corner_edge_or_face_that_is_touched() {
    let cuboid = cuboid(0.5, 0.5, 0.5);
    let down = path(dvec3(0.0, 4.0, 0.0), dvec3(0.0, -4.0, 0.0));
    let blade = [dvec3(-2.0, 1.0, 0.1), dvec3(0.0, -3.0, 0.1), dvec3(2.0, 1.0, 0.1)];
    let hit = sweep(&cuboid, &down, blade).unwrap();
    assert_eq!(hit.feature, Feature::Edge(2), "{hit:?}");
    assert_eq!(hit.normal, DVec3::Y);
    assert!(hit.point.abs_diff_eq(dvec3(0.0, 1.0, 0.1), NEAR), "{hit:?}");
    let tip = [dvec3(-2.0, -1.0, 0.0), dvec3(0.1, 1.0, 0.2), dvec3(2.0, -1.0, 0.0)];
    let hit = sweep(&cuboid, &down, tip).unwrap();
    assert_eq!((hit.feature, hit.point, hit.normal), (Feature::Vertex(1), tip[1], DVec3::Y));
    // Edge to edge: the axis is perpendicular to both.
    let roof = turned(cuboid, rotation_about(DVec3::X, core::f64::consts::FRAC_PI_4));
    let ridge = [dvec3(0.0, 1.0, -2.0), dvec3(0.0, 1.0, 2.0), dvec3(0.0, -3.0, 0.0)];
    let hit = sweep(&roof, &path(dvec3(0.3, 4.0, 0.4), dvec3(0.0, -4.0, 0.0)), ridge).unwrap();
    assert_eq!(hit.feature, Feature::Edge(0), "{hit:?}");
    assert!(
        hit.normal.abs_diff_eq(DVec3::Y, 1e-15) && hit.point.abs_diff_eq(dvec3(0.0, 1.0, 0.4), 1e-12),
        "{hit:?}"
    );
}

#[test]
fn the_features_of_a_cuboid_are_numbered_by_axis_and_sides() {
    let mover = cuboid(0.5, 0.5, 0.5);
    let resting = cuboid(1.0, 2.0, 3.0);
    let towards = |side: DVec3| path(side * 9.0, side * -9.0);
    for (side, expected) in [(dvec3(1.0, 0.0, 0.0), Feature::Face), (dvec3(0.0, 0.0, -1.0), Feature::Face)] {
        let hit = cuboid_cuboid(&mover, &towards(side), &resting, DVec3::ZERO).unwrap();
        assert_eq!((hit.feature, hit.normal), (expected, side), "{hit:?}");
        assert!(hit.point.abs_diff_eq(resting.half_extents() * side, 1e-12));
    }
    // A face turned to the corner or edge: the axis of contact is the mover's.
    for bits in 0..8u32 {
        let side = DVec3::from_array([0, 1, 2].map(|k| if bits >> k & 1 == 1 { 1.0 } else { -1.0 }));
        let way = (side / resting.half_extents()).normalize();
        let mover = turned(mover, DQuat::from_rotation_arc(DVec3::X, way));
        let corner = resting.half_extents() * side;
        let hit =
            cuboid_cuboid(&mover, &path(corner + way * 3.0, way * -3.0), &resting, DVec3::ZERO).unwrap();
        assert_eq!(hit.feature, Feature::Vertex(bits), "{hit:?}");
        assert!(hit.point.abs_diff_eq(corner, 1e-12) && hit.normal.abs_diff_eq(way, 1e-14), "{hit:?}");
    }
    for (side, number) in [
        (dvec3(0.0, 1.0, 1.0), 3),
        (dvec3(0.0, -1.0, 1.0), 2),
        (dvec3(1.0, 0.0, -1.0), 5),
        (dvec3(-1.0, 0.0, 1.0), 6),
        (dvec3(1.0, -1.0, 0.0), 9),
        (dvec3(-1.0, -1.0, 0.0), 8),
    ] {
        let way = side.normalize();
        let mover = turned(mover, DQuat::from_rotation_arc(DVec3::Y, way));
        let edge = resting.half_extents() * side;
        let hit = cuboid_cuboid(&mover, &path(edge + way * 3.0, way * -3.0), &resting, DVec3::ZERO).unwrap();
        assert_eq!(hit.feature, Feature::Edge(number), "{side} {hit:?}");
        assert!(hit.point.abs_diff_eq(edge, 1e-12) && hit.normal.abs_diff_eq(way, 1e-14), "{hit:?}");
    }
}

#[test]
fn a_plane_stops_from_the_side_of_the_center() {
    let cuboid = turned(cuboid(0.5, 1.0, 0.2), rotation_about(dvec3(1.0, 2.0, 3.0), 1.0));
    for normal in [dvec3(0.3, 1.0, -0.2), dvec3(-0.3, -1.0, 0.2)] {
        let plane = Plane::new(dvec3(1.0, 2.0, 3.0), normal).unwrap();
        for side in [1.0, -1.0] {
            let away = plane.normal() * side;
            let from = dvec3(1.0, 2.0, 3.0) + away * 4.0 + away.any_orthonormal_vector();
            let hit = cuboid_plane(&cuboid, &path(from, away * -8.0), &plane).unwrap();
            assert!(hit.normal.abs_diff_eq(away, 1e-15), "{hit:?}");
            let reach = cuboid.half_extents().dot((cuboid.axes().transpose() * away).abs());
            assert!((hit.fraction * 8.0 - (4.0 - reach)).abs() < NEAR, "{hit:?}");
            assert!((plane.normal().dot(hit.point) - plane.distance()).abs() < NEAR);
            assert_eq!(cuboid_plane(&cuboid, &path(from, away * 8.0), &plane), None);
        }
    }
}

#[test]
fn a_triangle_without_area_is_the_segment_or_the_point_that_it_is() {
    let cuboid = turned(cuboid(0.4, 0.3, 0.2), rotation_about(dvec3(1.0, -2.0, 0.5), 0.8));
    let mut random = Random::new(21);
    let (mut segments, mut points) = (0, 0);
    for _ in 0..2000 {
        let (a, b) = (random.vector(), random.vector());
        let from = random.vector() * 2.0;
        let way = path(from, -from * 1.5);
        let middle = (a + b) * 0.5;
        let doubled = sweep(&cuboid, &way, [a, b, b]);
        let collinear = sweep(&cuboid, &way, [a, middle, b]);
        let bound = 20.0 * NEAR;
        assert!(
            agree(doubled, collinear, way.translation(), way.translation(), bound),
            "{doubled:?} {collinear:?}"
        );
        if let Some(hit) = doubled {
            segments += 1;
            assert!(matches!(hit.feature, Feature::Edge(_) | Feature::Vertex(_)), "{hit:?}");
        }
        // A point against a box, by the clipped line through its slabs.
        let hit = sweep(&cuboid, &way, [a, a, a]);
        let (start, step) =
            (cuboid.axes().transpose() * (a - from), cuboid.axes().transpose() * -way.translation());
        let (first, last) = ((-cuboid.half_extents() - start) / step, (cuboid.half_extents() - start) / step);
        let (enter, leave) = (first.min(last).max_element(), first.max(last).min_element());
        if (0.0..=1.0).contains(&enter) && enter < leave {
            points += 1;
            let hit = hit.unwrap();
            assert!((hit.fraction - enter).abs() < 1e-10, "{hit:?} {enter}");
            assert_eq!((hit.feature, hit.point), (Feature::Vertex(0), a));
        } else if enter > leave {
            assert_eq!(hit, None);
        }
    }
    assert!(segments > 200 && points > 100);
}

#[test]
fn a_polygon_stops_where_the_first_of_its_triangles_does() {
    let mut random = Random::new(15);
    let mut hits = 0;
    for round in 0..2000 {
        let (scene, corners) = Scene::against_polygon(&mut random, round);
        let whole = cuboid_polygon(&scene.cuboid, &scene.path, &ConvexPolygon::new(corners.clone()).unwrap());
        let parts: Vec<Hit> = (2..corners.len())
            .filter_map(|k| sweep(&scene.cuboid, &scene.path, [corners[0], corners[k - 1], corners[k]]))
            .collect();
        let (Some(whole), Some(first)) = (whole, parts.iter().map(|hit| hit.fraction).reduce(f64::min))
        else {
            continue;
        };
        if whole.start_overlap || parts.iter().any(|hit| hit.start_overlap) {
            continue;
        }
        hits += 1;
        // A slow approach turns rounding into time.
        let slowest = parts
            .iter()
            .chain([&whole])
            .map(|hit| -hit.normal.dot(scene.path.translation()))
            .fold(f64::INFINITY, f64::min);
        let way = (whole.fraction - first).abs() * slowest;
        assert!(way <= 3000.0 * 64.0 * U * 8.0, "{scene:?} {corners:?}\n{whole:?}\n{parts:?}");
    }
    assert!(hits > 200);
}
