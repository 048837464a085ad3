//! A slow answer found with exact distances alone, to try the judge on: what is right must pass and what is
//! spoilt must not.

use carom::num::bound::STANDOFF;
use carom::shape::Mover;
use carom::sweep::{Feature, Hit};

use super::case::Case;
use super::numbers::length_difference;
use super::problem::Problem;

/// The contact of a ball with a triangle by bisection of the exact distance, or none; only for a start that
/// is clear.
pub(crate) fn first_contact(case: &Case) -> Option<Hit> {
    let Mover::Sphere(_) = case.mover else { panic!("a ball") };
    let clear = |fraction: f64| {
        let problem = Problem::new(case, &[case.at(fraction)]);
        let nearest = problem.nearest_at(&problem.asked[0]);
        let gap = length_difference(&nearest.squared, &problem.radius_squared, problem.exponent);
        gap - STANDOFF * problem.rounding
    };
    // The distance is convex: thirds close in on its least.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if clear(a) < clear(b) { high = b } else { low = a }
    }
    if clear(low) >= 0.0 {
        return None;
    }
    (low, high) = (0.0, low);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if clear(middle) >= 0.0 { low = middle } else { high = middle }
    }
    let position = case.at(low);
    let problem = Problem::new(case, &[position]);
    let nearest = problem.nearest_at(&problem.asked[0]);
    let normal = nearest.direction.direction();
    let point = position - normal * problem.length(&nearest.squared);
    Some(Hit { fraction: low, point, normal, feature: Feature::Face, start_overlap: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::generate::{Family, Kind, Setting, case};
    use crate::judge::{Fault, judge};
    use carom::shape::Sphere;
    use glam::{DVec3, dvec3};

    fn ball(radius: f64, from: DVec3, translation: DVec3, corners: [DVec3; 3]) -> Case {
        Case { mover: Sphere::new(radius).unwrap().into(), from, translation, corners: corners.to_vec() }
    }

    fn floor() -> [DVec3; 3] {
        [dvec3(-4.0, 0.0, -4.0), dvec3(-4.0, 0.0, 8.0), dvec3(8.0, 0.0, -4.0)]
    }

    fn hit(fraction: f64, point: DVec3, normal: DVec3, feature: Feature) -> Hit {
        Hit { fraction, point, normal, feature, start_overlap: false }
    }

    #[test]
    fn the_judge_accepts_hand_computed_answers() {
        let down = ball(1.0, dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0), floor());
        let standoff = 1e-14;
        let right = hit(0.5 - standoff, DVec3::ZERO, DVec3::Y, Feature::Face);
        assert_eq!(judge(&down, Some(&right)).faults, []);
        // Radius 5 passes the edge x = −4 at 3 across and 4 above: the fraction is that of the corner's
        // quarter circle.
        let side = ball(5.0, dvec3(-7.0, 9.0, 0.0), dvec3(0.0, -10.0, 0.0), floor());
        let right = hit(0.5 - standoff, dvec3(-4.0, 0.0, 0.0), dvec3(-0.6, 0.8, 0.0), Feature::Edge(0));
        assert_eq!(judge(&side, Some(&right)).faults, []);
        let away = ball(1.0, dvec3(0.0, 1.0, 0.0), dvec3(3.0, 0.0, 2.0), floor());
        assert_eq!(judge(&away, None).faults, []);
    }

    #[test]
    fn the_judge_names_what_is_wrong() {
        let down = ball(1.0, dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0), floor());
        let right = hit(0.5 - 1e-14, DVec3::ZERO, DVec3::Y, Feature::Face);
        let faults = |hit: Option<Hit>| judge(&down, hit.as_ref()).faults;
        assert!(matches!(faults(None)[..], [Fault::Missed(_)]));
        let late = Hit { fraction: 0.5 + 1e-15, ..right };
        assert!(matches!(faults(Some(late))[..], [Fault::PastContact(_)]));
        let early = Hit { fraction: 0.5 - 1e-13, ..right };
        assert!(matches!(faults(Some(early))[..], [Fault::Phantom(_)]));
        assert!(matches!(faults(Some(Hit { fraction: f64::NAN, ..right }))[..], [Fault::Fraction(_)]));
        assert!(matches!(faults(Some(Hit { normal: -DVec3::Y, ..right }))[..], [Fault::NormalDirection(_)]));
        let long = Hit { normal: DVec3::Y * (1.0 + 1e-14), ..right };
        assert!(matches!(faults(Some(long))[..], [Fault::NormalLength(_)]));
        let off = Hit { point: dvec3(0.0, 1e-12, 0.0), ..right };
        assert!(matches!(faults(Some(off))[..], [Fault::PointOffSurface(_), Fault::PointOffMover(_)]));
        let beside = Hit { point: dvec3(1e-6, 0.0, 0.0), ..right };
        assert!(matches!(faults(Some(beside))[..], [Fault::NormalDirection(_), Fault::PointOffMover(_)]));
        let edge = Hit { feature: Feature::Edge(1), ..right };
        assert!(matches!(faults(Some(edge))[..], [Fault::WrongFeature(_)]));
        assert!(matches!(faults(Some(Hit { start_overlap: true, ..right }))[..], [Fault::OverlapFlag(_)]));
        // Touching exactly and sliding along, or leaving, is free.
        for translation in [dvec3(1.0, 0.0, 2.0), dvec3(0.0, 1.0, 0.0), DVec3::ZERO] {
            let resting = ball(1.0, dvec3(0.0, 1.0, 0.0), translation, floor());
            let stopped = Hit { fraction: 0.0, ..right };
            assert!(matches!(judge(&resting, Some(&stopped)).faults[..], [Fault::StoppedWithoutApproach]));
        }
    }

    #[test]
    fn the_judge_accepts_bisected_answers_and_refuses_spoilt_ones() {
        let mut tried = 0;
        let mut dice = Dice::new(5);
        for family in [Family::Lattice, Family::Ordinary, Family::Leaning, Family::NoArea] {
            for seed in 0..60 {
                let case = case(Kind::Sphere, family, Setting::AsDrawn, seed);
                let problem = Problem::new(&case, &[]);
                let start = problem.nearest_at(&problem.from);
                let start = length_difference(&start.squared, &problem.radius_squared, problem.exponent);
                if start <= 10.0 * problem.rounding {
                    continue;
                }
                let answer = first_contact(&case);
                let verdict = judge(&case, answer.as_ref());
                let near_end = |f: &Fault| matches!(f, Fault::Missed(x) if *x < STANDOFF);
                assert!(verdict.faults.iter().all(near_end), "{case}{answer:?}\n{verdict:?}");
                let Some(right) = answer else { continue };
                tried += 1;
                let spoilt = Hit { normal: (right.normal + dice.direction() * 1e-6).normalize(), ..right };
                assert_ne!(judge(&case, Some(&spoilt)).faults, [], "{case}");
                let spoilt = Hit {
                    point: right.point + dice.direction() * 1e-6 * right.point.length().max(1.0),
                    ..right
                };
                assert_ne!(judge(&case, Some(&spoilt)).faults, [], "{case}");
                if right.fraction > 1e-3 {
                    let spoilt = Hit { fraction: right.fraction * (1.0 - 1e-3), ..right };
                    assert_ne!(judge(&case, Some(&spoilt)).faults, [], "{case}");
                }
            }
        }
        assert!(tried > 50, "only {tried} hits");
    }
}
