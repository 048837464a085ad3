//! Laws for every desired motion and every set of planes.

use carom::respond::{ContactPlane, NearestMotion, PlanesError, nearest_feasible};
use glam::{DMat3, DVec3, dvec3};
use proptest::prelude::*;

use crate::cases::{Case, FAMILIES, Family, Random, case};

const ULP: f64 = f64::EPSILON;

fn solve(case: &Case) -> NearestMotion {
    nearest_feasible(case.wanted, &case.planes).expect("finite, unit")
}

fn velocity_of(motion: &NearestMotion) -> Option<DVec3> {
    match motion {
        NearestMotion::Feasible { velocity, .. } => Some(*velocity),
        NearestMotion::Crushed { .. } => None,
    }
}

/// Everything a motion says, with the planes by value and the velocity by its bits.
fn by_value(motion: &NearestMotion, planes: &[ContactPlane]) -> (String, Vec<[u64; 4]>) {
    let value = |i: &usize| {
        let plane = planes[*i];
        [plane.normal.x, plane.normal.y, plane.normal.z, plane.bound].map(f64::to_bits)
    };
    match motion {
        NearestMotion::Feasible { velocity, planes } => (
            format!("{:x?}", velocity.to_array().map(f64::to_bits)),
            planes.as_slice().iter().map(value).collect(),
        ),
        NearestMotion::Crushed { cause, planes } => {
            (format!("{cause:?}"), planes.as_slice().iter().map(value).collect())
        }
    }
}

fn family() -> impl Strategy<Value = Family> {
    (0..FAMILIES.len()).prop_map(|i| FAMILIES[i])
}

/// Families without ties: no more planes than three meet in one point, but for the origin, so that nothing
/// depends on last bits.
fn plain_family() -> impl Strategy<Value = Family> {
    prop_oneof![Just(Family::Rest), Just(Family::Moving)]
}

/// How flat the held planes meet: the sine of a pair, the volume of a triple; 1 for fewer.
fn openness(motion: &NearestMotion, planes: &[ContactPlane]) -> f64 {
    let NearestMotion::Feasible { planes: held, .. } = motion else { return 1.0 };
    let n: Vec<DVec3> = held.as_slice().iter().map(|&i| planes[i].normal).collect();
    match n[..] {
        [a, b] => a.cross(b).length(),
        [a, b, c] => a.cross(b).dot(c).abs(),
        _ => 1.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn does_not_depend_on_the_order_of_the_planes(family in family(), count in 1_usize..24, seed: u64) {
        let mut random = Random::new(seed);
        let mut problem = case(family, count, &mut random);
        let expected = by_value(&solve(&problem), &problem.planes);
        for _ in 0..4 {
            random.shuffle(&mut problem.planes);
            prop_assert_eq!(&by_value(&solve(&problem), &problem.planes), &expected);
        }
    }

    #[test]
    fn does_not_depend_on_the_sign_of_zero(desired_velocity in [-2_i32..3, -2..3, -2..3], axes in prop::collection::vec(0_usize..6, 0..5)) {
        let plane = |zero: f64| {
            let axes = axes.iter().map(move |&axis| {
                let mut normal = DVec3::splat(zero);
                normal[axis % 3] = if axis < 3 { 1.0 } else { -1.0 };
                ContactPlane { normal, bound: zero }
            });
            axes.collect::<Vec<_>>()
        };
        let desired_velocity = |zero: f64| DVec3::from_array(desired_velocity.map(|x| if x == 0 { zero } else { f64::from(x) }));
        let plus = nearest_feasible(desired_velocity(0.0), &plane(0.0)).unwrap();
        let minus = nearest_feasible(desired_velocity(-0.0), &plane(-0.0)).unwrap();
        prop_assert_eq!(&plus, &minus);
        let velocity = velocity_of(&minus).unwrap();
        prop_assert!(velocity.to_array().iter().all(|x| x.to_bits() != (-0.0_f64).to_bits()));
    }

    #[test]
    fn scales_with_the_scene_bit_for_bit(family in family(), count in 1_usize..12, seed: u64, power in -900_i32..900) {
        let problem = case(family, count, &mut Random::new(seed));
        let factor = f64::from_bits(((1023 + power) as u64) << 52);
        let scaled = Case {
            wanted: problem.wanted * factor,
            planes: problem.planes.iter().map(|p| ContactPlane { bound: p.bound * factor, ..*p }).collect(),
            hidden: None,
        };
        let expected = match solve(&problem) {
            NearestMotion::Feasible { velocity, planes } => NearestMotion::Feasible { velocity: velocity * factor, planes },
            crushed @ NearestMotion::Crushed { .. } => crushed,
        };
        prop_assert_eq!(solve(&scaled), expected);
    }

    #[test]
    fn is_never_faster_than_wanted_where_no_wall_comes_nearer(family in family(), count in 1_usize..24, seed: u64) {
        let mut problem = case(family, count, &mut Random::new(seed));
        for plane in &mut problem.planes {
            plane.bound = plane.bound.min(0.0);
        }
        let velocity = velocity_of(&solve(&problem));
        prop_assert!(velocity.is_some(), "crushed by walls at rest");
        prop_assert!(velocity.unwrap().length_squared() <= problem.wanted.length_squared());
    }

    #[test]
    fn a_feasible_wish_is_granted_to_the_bit(family in family(), count in 0_usize..24, seed: u64) {
        let mut problem = case(family, count, &mut Random::new(seed));
        for plane in &mut problem.planes {
            plane.bound = plane.bound.min(plane.normal.dot(problem.wanted) - 1e-6);
        }
        let NearestMotion::Feasible { velocity, planes } = solve(&problem) else { panic!("crushed") };
        prop_assert_eq!(velocity, problem.wanted);
        prop_assert!(planes.as_slice().is_empty());
    }

    #[test]
    fn asking_again_for_the_answer_gives_the_answer(family in plain_family(), count in 1_usize..12, seed: u64) {
        let problem = case(family, count, &mut Random::new(seed));
        let motion = solve(&problem);
        let Some(velocity) = velocity_of(&motion) else { return Ok(()) };
        let again = solve(&Case { wanted: velocity, ..problem.clone() });
        let moved = (velocity_of(&again).unwrap() - velocity).length();
        prop_assert!(moved <= 8.0 * ULP * problem.wanted.length().max(velocity.length()) / openness(&motion, &problem.planes));
    }

    #[test]
    fn nearer_wishes_get_nearer_answers(family in plain_family(), count in 1_usize..8, seed: u64, apart in 0.0_f64..1.0) {
        let mut random = Random::new(seed);
        let problem = case(family, count, &mut random);
        let other = Case { wanted: problem.wanted + random.vector() * apart, ..problem.clone() };
        let (Some(a), Some(b)) = (velocity_of(&solve(&problem)), velocity_of(&solve(&other))) else { return Ok(()) };
        // The nearest point of a convex set: no two answers are further apart than their desired motions.
        let size = problem.wanted.length() + other.wanted.length() + a.length() + b.length();
        prop_assert!((a - b).length() <= (problem.wanted - other.wanted).length() + 1e-13 * size);
    }

    #[test]
    fn a_plane_out_of_reach_changes_no_bit(family in plain_family(), count in 1_usize..12, seed: u64) {
        let mut random = Random::new(seed);
        let mut problem = case(family, count, &mut random);
        let motion = solve(&problem);
        let Some(velocity) = velocity_of(&motion) else { return Ok(()) };
        let normal = random.unit();
        problem.planes.push(ContactPlane { normal, bound: normal.dot(velocity) - 0.01 });
        prop_assert_eq!(velocity_of(&solve(&problem)), Some(velocity));
    }

    #[test]
    fn every_held_plane_pushes(family in plain_family(), count in 1_usize..12, seed: u64) {
        let problem = case(family, count, &mut Random::new(seed));
        let motion = solve(&problem);
        let NearestMotion::Feasible { velocity, planes } = &motion else { return Ok(()) };
        let n: Vec<DVec3> = planes.as_slice().iter().map(|&i| problem.planes[i].normal).collect();
        let change = *velocity - problem.wanted;
        // The multipliers that compose the change out of the normals, by a cross product each.
        let multipliers: Vec<f64> = match n[..] {
            [] => vec![],
            [a] => vec![a.dot(change)],
            [a, b] => {
                let across = a.cross(b);
                let [from_a, from_b] = [b.cross(across), across.cross(a)];
                vec![from_a.dot(change) / from_a.dot(a), from_b.dot(change) / from_b.dot(b)]
            }
            [a, b, c] => {
                let volume = a.cross(b).dot(c);
                [b.cross(c), c.cross(a), a.cross(b)].map(|v| v.dot(change) / volume).to_vec()
            }
            _ => unreachable!("more than three are held"),
        };
        let slack = 64.0 * ULP * velocity.length().max(problem.wanted.length()) / openness(&motion, &problem.planes);
        let composed: DVec3 = n.iter().zip(&multipliers).map(|(n, m)| *n * *m).sum();
        prop_assert!((composed - change).length() <= slack, "{:e}", (composed - change).length());
        prop_assert!(multipliers.iter().all(|m| *m >= -slack), "{multipliers:?}");
    }

    #[test]
    fn turns_with_the_scene(family in plain_family(), count in 1_usize..8, seed: u64) {
        let mut random = Random::new(seed);
        let problem = case(family, count, &mut random);
        let x = random.unit();
        let y = x.any_orthonormal_vector();
        let turn = DMat3::from_cols(x, y, x.cross(y));
        let turned = Case {
            wanted: turn * problem.wanted,
            planes: problem.planes.iter().map(|p| ContactPlane { normal: turn * p.normal, ..*p }).collect(),
            hidden: None,
        };
        let (here, there) = (solve(&problem), solve(&turned));
        // Turning rounds the normals by some ulp; planes that meet flat pass that on enlarged.
        let open = openness(&here, &problem.planes).min(openness(&there, &turned.planes));
        prop_assume!(open > 1e-6);
        match (velocity_of(&here), velocity_of(&there)) {
            (Some(a), Some(b)) => {
                let size = a.length().max(problem.wanted.length());
                prop_assert!((turn * a - b).length() <= 64.0 * ULP * size / open);
            }
            (None, None) => {}
            (one, other) => prop_assert!(false, "{one:?} {other:?}"),
        }
    }

    #[test]
    fn three_walls_at_rest_that_close_in_stop_exactly(seed: u64) {
        let mut random = Random::new(seed);
        let n = [random.unit(), random.unit(), random.unit()];
        prop_assume!(n[0].cross(n[1]).dot(n[2]).abs() > 1e-3);
        // Into the corner: against all three normals.
        let wanted = -(n[0] + n[1] * 2.0 + n[2] * 0.5);
        let planes = n.map(|normal| ContactPlane { normal, bound: 0.0 });
        prop_assert_eq!(velocity_of(&nearest_feasible(wanted, &planes).unwrap()), Some(DVec3::ZERO));
    }

    #[test]
    fn pushing_straight_into_a_wall_or_a_crease_stops_exactly(seed: u64) {
        let mut random = Random::new(seed);
        let (a, b) = (random.unit(), random.unit());
        prop_assume!(a.cross(b).length() > 1e-3);
        let planes = [a, b].map(|normal| ContactPlane { normal, bound: 0.0 });
        let wall = nearest_feasible(a * -3.0, &planes[..1]).unwrap();
        prop_assert_eq!(velocity_of(&wall), Some(DVec3::ZERO));
        // Each opposed by both: the desired motion lies between the opposites of the normals.
        let crease = nearest_feasible(-(a + b), &planes).unwrap();
        let stops = velocity_of(&crease).unwrap();
        prop_assert!(stops == DVec3::ZERO, "{stops}");
    }

    #[test]
    fn any_finite_numbers_have_an_answer(bits in prop::collection::vec(any::<u64>(), 3..3 + 6)) {
        // Magnitudes from the smallest to the largest there are, in desired motion and bounds alike.
        let numbers: Vec<f64> = bits.iter().map(|b| f64::from_bits(*b)).map(|x| if x.is_finite() { x } else { f64::MAX }).collect();
        let mut random = Random::new(bits[0]);
        let wanted = dvec3(numbers[0], numbers[1], numbers[2]);
        let planes: Vec<_> =
            numbers[3..].iter().map(|&bound| ContactPlane { normal: random.unit(), bound }).collect();
        if let NearestMotion::Feasible { velocity, .. } = nearest_feasible(wanted, &planes).unwrap() {
            prop_assert!(velocity.is_finite());
        }
    }
}

#[test]
fn refuses_what_is_not_finite_or_not_a_direction_by_name() {
    let floor = ContactPlane { normal: DVec3::Y, bound: 0.0 };
    let with = |normal, bound| nearest_feasible(DVec3::X, &[floor, ContactPlane { normal, bound }]);
    assert_eq!(nearest_feasible(dvec3(f64::NAN, 0.0, 0.0), &[floor]), Err(PlanesError::WantedNotFinite));
    assert_eq!(with(DVec3::Y, f64::INFINITY), Err(PlanesError::BoundNotFinite(1)));
    for normal in [DVec3::ZERO, DVec3::Y * 1.1, DVec3::splat(f64::NAN), dvec3(f64::INFINITY, 0.0, 0.0)] {
        assert_eq!(with(normal, 0.0), Err(PlanesError::NotUnit(1)));
    }
}
