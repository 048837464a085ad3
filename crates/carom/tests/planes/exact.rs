//! Against exact rationals, on every family of cases.

use carom::respond::{COINCIDENT, Crush, NearestMotion, nearest_feasible};
use glam::DVec3;

use crate::cases::{Case, FAMILIES, Family, Random, case};
use crate::oracle::{self, Answer};

/// The solver's own bound: no plane violated by more than 2 ulp, as measured after the answer is rounded into
/// place.
const TWO_ULP: f64 = 2.0 * f64::EPSILON;

/// Whether the family has normals that are the same, or in one plane, but for a few ulp.
fn is_dependent(family: Family) -> bool {
    matches!(family, Family::Whole | Family::Doubled | Family::Flat | Family::Cabin)
}

fn fastest(case: &Case) -> f64 {
    case.planes.iter().fold(case.wanted.length(), |fastest, plane| fastest.max(plane.bound))
}

/// How much further from the desired motion `v` is than the exact answer, without cancellation.
fn further(answer: &Answer, v: DVec3, wanted: DVec3) -> f64 {
    // |a|² − |a + e|² = −(2a + e)·e
    let (away, error) = (v - wanted, answer.minus(v));
    let length = away.length() + (away + error).length();
    if length == 0.0 { 0.0 } else { -(2.0 * away + error).dot(error) / length }
}

fn check(family: Family, case: &Case) {
    let exact = oracle::nearest(case.wanted, &case.planes);
    let limit = 4.0 * fastest(case);
    match nearest_feasible(case.wanted, &case.planes).expect("finite, unit") {
        NearestMotion::Feasible { velocity, planes } => {
            let longer = velocity.length().max(case.wanted.length());
            let strict = exact.is_some() && !is_dependent(family);
            let allowed = if strict { TWO_ULP } else { COINCIDENT + TWO_ULP } * longer.max(fastest(case));
            for plane in &case.planes {
                let short = oracle::shortfall(plane, velocity);
                assert!(short <= allowed, "{family:?}: violated by {short:e} of {longer}: {case:?}");
            }
            for &i in planes.as_slice() {
                let off = oracle::shortfall(&case.planes[i], velocity).abs();
                assert!(
                    off <= COINCIDENT * longer.max(fastest(case)) + allowed,
                    "{family:?}: {i} is not held: {case:?}"
                );
            }
            if let Some(answer) = exact {
                let further = further(&answer, velocity, case.wanted);
                assert!(further <= 2.0 * TWO_ULP * longer, "{family:?}: {further:e} too far: {case:?}");
            }
        }
        NearestMotion::Crushed { cause, planes } => {
            assert_ne!(cause, Crush::Unsettled, "{family:?}: {case:?}");
            assert!(case.planes.iter().any(|plane| plane.bound > 0.0), "{family:?}: nothing moves: {case:?}");
            // Those that are named are enough: nothing satisfies them, or only what would be a fling.
            let named: Vec<_> = planes.as_slice().iter().map(|&i| case.planes[i]).collect();
            assert!((2..=4).contains(&named.len()));
            if let Some(answer) = oracle::nearest(case.wanted, &named) {
                let away = answer.minus(case.wanted).length();
                assert!(away >= limit, "{family:?}: {cause:?}, yet {away} of {limit} is enough: {case:?}");
            }
        }
    }
}

#[test]
fn is_the_exact_answer_to_bounds_two_ulp_off() {
    for family in FAMILIES {
        let mut random = Random::new(3);
        for i in 0..700 {
            check(family, &case(family, 1 + i % 7, &mut random));
        }
    }
}

#[test]
fn is_the_exact_answer_among_many_planes() {
    for family in FAMILIES {
        let mut random = Random::new(4);
        for _ in 0..30 {
            check(family, &case(family, 16, &mut random));
        }
    }
}

#[test]
fn is_the_exact_answer_to_the_bit_before_last_where_the_planes_are_distinct() {
    let families = [Family::Rest, Family::Moving, Family::NearParallel, Family::Squeeze, Family::Needle];
    for family in families {
        let mut random = Random::new(5);
        let mut compared = 0;
        for i in 0..600 {
            let mut case = case(family, 1 + i % 6, &mut random);
            // No four planes through one point: which three of them hold it would depend on the last bit.
            for plane in &mut case.planes {
                plane.bound -= random.signed().abs() * 0.01;
            }
            let motion = nearest_feasible(case.wanted, &case.planes).expect("finite, unit");
            let NearestMotion::Feasible { velocity, .. } = motion else { continue };
            let Some(answer) = oracle::nearest(case.wanted, &case.planes) else { continue };
            let error = answer.minus(velocity).length() / velocity.length().max(case.wanted.length());
            assert!(error <= TWO_ULP, "{family:?}: {error:e}: {case:?}");
            compared += 1;
        }
        assert!(compared > 300, "{family:?}: only {compared} were feasible");
    }
}

#[test]
fn never_gives_up_where_a_motion_is_known() {
    for family in FAMILIES {
        let mut random = Random::new(6);
        for i in 0..20_000 {
            let case = case(family, 1 + i % 16, &mut random);
            let Some(hidden) = case.hidden else { break };
            let motion = nearest_feasible(case.wanted, &case.planes).expect("finite, unit");
            // Only where the known motion itself is a fling may the answer be one.
            let fling = (hidden - case.wanted).length() > 3.999_999 * fastest(&case);
            match motion {
                NearestMotion::Feasible { .. } => {}
                NearestMotion::Crushed { cause: Crush::Fling, .. } => assert!(fling, "{family:?}: {case:?}"),
                NearestMotion::Crushed { .. } => panic!("{family:?}: {motion:?}: {case:?}"),
            }
        }
    }
}
