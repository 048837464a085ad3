//! The situations it was made for. Meters per tick, y up.

use carom::respond::{ContactPlane, Crush, NearestMotion, nearest_feasible};
use glam::{DVec3, dvec3};

fn at_rest(normal: DVec3) -> ContactPlane {
    ContactPlane { normal, bound: 0.0 }
}

fn moving(normal: DVec3, bound: f64) -> ContactPlane {
    ContactPlane { normal, bound }
}

fn velocity(wanted: DVec3, planes: &[ContactPlane]) -> DVec3 {
    match nearest_feasible(wanted, planes).expect("finite, unit") {
        NearestMotion::Feasible { velocity, .. } => velocity,
        crushed @ NearestMotion::Crushed { .. } => panic!("{crushed:?}"),
    }
}

fn held(wanted: DVec3, planes: &[ContactPlane]) -> Vec<usize> {
    let (NearestMotion::Feasible { planes, .. } | NearestMotion::Crushed { planes, .. }) =
        nearest_feasible(wanted, planes).expect("finite, unit");
    let mut held = planes.as_slice().to_vec();
    held.sort_unstable();
    held
}

/// The normal of a ceiling that falls off by `slope` meters per meter along x.
fn ceiling(slope: f64) -> DVec3 {
    dvec3(slope, -1.0, 0.0).normalize()
}

/// The tangent of one degree.
const ONE_DEGREE: f64 = 0.017_455_064_928_217_585;

#[test]
fn nothing_in_the_way_leaves_the_wish() {
    let desired_velocity = dvec3(0.1, -0.2, 0.3);
    assert_eq!(velocity(desired_velocity, &[]), desired_velocity);
    assert_eq!(velocity(desired_velocity, &[at_rest(-DVec3::Y)]), desired_velocity);
    assert_eq!(velocity(DVec3::ZERO, &[at_rest(DVec3::Y), at_rest(-DVec3::Y)]), DVec3::ZERO);
}

#[test]
fn slides_along_a_floor_a_crease_and_stops_in_a_corner() {
    let (floor, wall, end) = (at_rest(DVec3::Y), at_rest(-DVec3::X), at_rest(DVec3::Z));
    let desired_velocity = dvec3(3.0, -1.0, -2.0);
    assert_eq!(velocity(desired_velocity, &[floor]), dvec3(3.0, 0.0, -2.0));
    assert_eq!(velocity(desired_velocity, &[floor, wall]), dvec3(0.0, 0.0, -2.0));
    assert_eq!(velocity(desired_velocity, &[floor, wall, end]), DVec3::ZERO);
    assert_eq!(held(desired_velocity, &[floor, wall, end]), [0, 1, 2]);
}

#[test]
fn an_obtuse_corner_is_slid_through_not_stuck_in() {
    // Two walls at 120° to each other: the one that is hit at a flat angle is slid along and leads away from
    // the other.
    let a = at_rest(dvec3(0.0, 0.0, 1.0));
    let b = at_rest(dvec3(-carom::num::ops::sqrt(0.75), 0.0, 0.5));
    let along = velocity(dvec3(1.0, 0.0, -2.0), &[a, b]);
    assert_eq!(held(dvec3(1.0, 0.0, -2.0), &[a, b]), [0, 1]);
    assert_eq!(along, DVec3::ZERO);
    let desired_velocity = dvec3(-1.0, 0.0, -0.1);
    assert_eq!(velocity(desired_velocity, &[a, b]), dvec3(-1.0, 0.0, 0.0));
    assert_eq!(held(desired_velocity, &[a, b]), [0]);
}

#[test]
fn a_gap_may_be_used_up_and_no_more() {
    assert_eq!(velocity(dvec3(1.0, -1.0, 0.0), &[moving(DVec3::Y, -0.25)]), dvec3(1.0, -0.25, 0.0));
    assert_eq!(velocity(dvec3(1.0, -0.1, 0.0), &[moving(DVec3::Y, -0.25)]), dvec3(1.0, -0.1, 0.0));
}

#[test]
fn a_lift_carries_and_a_wall_pushes() {
    assert_eq!(velocity(dvec3(0.3, -0.1, 0.0), &[moving(DVec3::Y, 0.05)]), dvec3(0.3, 0.05, 0.0));
    let squeezed = [moving(DVec3::Y, 0.05), moving(DVec3::X, 0.02)];
    assert_eq!(velocity(DVec3::ZERO, &squeezed), dvec3(0.02, 0.05, 0.0));
}

#[test]
fn leaves_an_overlap_by_the_nearest_way_out() {
    // Depenetration: the bounds are the depths.
    assert_eq!(
        velocity(DVec3::ZERO, &[moving(DVec3::Y, 0.01), moving(DVec3::X, -0.5)]),
        dvec3(0.0, 0.01, 0.0)
    );
}

#[test]
fn a_lift_under_a_ceiling_tilted_by_one_degree_crushes_and_does_not_fling() {
    // 5 cm up under a ceiling that falls by 1°: the nearest feasible motion is 2.86 m sideways.
    let planes = [moving(DVec3::Y, 0.05), at_rest(ceiling(ONE_DEGREE))];
    let motion = nearest_feasible(DVec3::ZERO, &planes).unwrap();
    assert!(matches!(motion, NearestMotion::Crushed { cause: Crush::Fling, .. }), "{motion:?}");
    assert_eq!(held(DVec3::ZERO, &planes), [0, 1]);
    // A ceiling of 20° lets the mover out: 5 cm / tan 20° = 13.7 cm sideways, less than four times the lift.
    let out = velocity(DVec3::ZERO, &[moving(DVec3::Y, 0.05), at_rest(ceiling(0.363_970_234_266_202_4))]);
    assert!((out - dvec3(0.137_373_870_972_731_1, 0.05, 0.0)).length() < 1e-15, "{out}");
    // One that runs fast enough anyway is not flung.
    let out = velocity(dvec3(1.0, 0.0, 0.0), &planes);
    assert!((out.x - 0.05 / ONE_DEGREE).abs() < 1e-14, "{out}");
}

#[test]
fn between_floor_and_ceiling_that_close_nothing_is_feasible() {
    let side = at_rest(DVec3::X);
    let planes = [side, moving(DVec3::Y, 0.05), at_rest(-DVec3::Z), at_rest(-DVec3::Y)];
    let motion = nearest_feasible(dvec3(-1.0, 0.0, 0.2), &planes).unwrap();
    assert!(matches!(motion, NearestMotion::Crushed { cause: Crush::Infeasible, .. }), "{motion:?}");
    // Only those two are to blame.
    assert_eq!(held(dvec3(-1.0, 0.0, 0.2), &planes), [1, 3]);
}

#[test]
fn four_walls_that_close_like_a_tetrahedron_are_all_named() {
    let normals =
        [dvec3(1.0, 1.0, 1.0), dvec3(1.0, -1.0, -1.0), dvec3(-1.0, 1.0, -1.0), dvec3(-1.0, -1.0, 1.0)];
    let planes = normals.map(|n| moving(n.normalize(), 0.01));
    let motion = nearest_feasible(dvec3(0.02, 0.0, 0.0), &planes).unwrap();
    assert!(matches!(motion, NearestMotion::Crushed { cause: Crush::Infeasible, .. }), "{motion:?}");
    assert_eq!(held(dvec3(0.02, 0.0, 0.0), &planes), [0, 1, 2, 3]);
    // Any three of them leave a way out.
    velocity(dvec3(0.02, 0.0, 0.0), &planes[..3]);
}

#[test]
fn a_mover_that_fits_its_moving_cabin_rides_along() {
    // Floor, ceiling and four walls, turned and carried; every bound is rounded on its own.
    let cabin = dvec3(0.013, 0.021, -0.008);
    let (x, y) = (dvec3(2.0, 3.0, -6.0) / 7.0, dvec3(3.0, -6.0, -2.0) / 7.0);
    let z = x.cross(y);
    let planes = [x, -x, y, -y, z, -z].map(|n| moving(n, n.dot(cabin)));
    let rides = velocity(dvec3(0.1, -0.05, 0.02), &planes);
    assert!((rides - cabin).length() <= 64.0 * f64::EPSILON * 0.12, "{rides}");
}

#[test]
fn a_floor_of_nearly_coplanar_tiles_is_one_floor() {
    // Each tile is tilted by about 1e-6 … 1e-15: walking on does not stall in any direction.
    let tilts = [1e-6, -3e-7, 2e-9, -1e-12, 5e-14, -1e-15, 3e-16];
    let tiles: Vec<_> = tilts
        .iter()
        .enumerate()
        .map(|(i, tilt)| at_rest(dvec3(if i % 2 == 0 { *tilt } else { 0.0 }, 1.0, *tilt).normalize()))
        .collect();
    for direction in [DVec3::X, -DVec3::X, DVec3::Z, -DVec3::Z, dvec3(0.6, 0.0, -0.8)] {
        let v = velocity(direction - DVec3::Y * 0.01, &tiles);
        assert!((v - direction).length() < 1e-5, "{direction}: {v}");
    }
}

#[test]
fn a_groove_of_three_walls_is_walked_along() {
    // Three normals in one plane but for rounding: what they have in common is a direction, not a point.
    let across =
        |degrees_sin: f64, degrees_cos: f64, noise: f64| at_rest(dvec3(degrees_sin, degrees_cos, noise));
    let walls = [across(0.8, 0.6, 1e-16), across(-0.8, 0.6, -3e-16), across(0.0, 1.0, 2e-15)];
    for speed in [1.0, -1.0] {
        let v = velocity(dvec3(0.1, -0.5, speed), &walls);
        assert!((v - dvec3(0.0, 0.0, speed)).length() < 1e-14, "{v}");
    }
}

#[test]
fn a_plane_given_twice_is_one_plane() {
    let floor = at_rest(dvec3(2.0, 6.0, 3.0) / 7.0);
    let desired_velocity = dvec3(1.0, -2.0, 0.5);
    let once = velocity(desired_velocity, &[floor]);
    assert_eq!(velocity(desired_velocity, &[floor; 5]), once);
    assert_eq!(held(desired_velocity, &[floor; 5]), [0]);
    // Of two that ask for different things the one that asks for more is held.
    let higher = ContactPlane { bound: 0.25, ..floor };
    assert_eq!(velocity(desired_velocity, &[floor, higher, floor]), velocity(desired_velocity, &[higher]));
}

#[test]
fn a_far_gap_is_no_matter_however_short_the_rest_of_the_tick() {
    // A gap divided by what remains of the tick can be of any size.
    let planes = [at_rest(DVec3::Y), moving(-DVec3::X, -1e300)];
    assert_eq!(velocity(dvec3(1e-3, -1e-3, 0.0), &planes), dvec3(1e-3, 0.0, 0.0));
}
