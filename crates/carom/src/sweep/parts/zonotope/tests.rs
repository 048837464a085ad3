//! The shortcuts of a zonotope against all of its parts, tested one by one.

use super::*;
use crate::num::random::Random;

/// A block, thickened or not, at about this distance, and a ball on its path to it or past it.
fn case(random: &mut Random) -> (Vec<DVec3>, DVec3, Ball) {
    let is_lattice = random.number() < 0.0;
    let mut vector = |size: f64| {
        let v = random.vector() * size;
        if is_lattice { (v * 4.0).round() / 4.0 } else { v }
    };
    let x = vector(1.0) + DVec3::X;
    let generators = [x, vector(1.0) + DVec3::Y, vector(1.0) + DVec3::Z, vector(1.5)];
    let (center, way) = (vector(6.0), vector(6.0));
    let radius = random.pick(&[0.0, 0.25, 0.5, 2.0]);
    let long = random.pick(&[1.0, 0.01]);
    let translation = if random.number() < 0.0 { center * long } else { way * long };
    let count = if random.number() < 0.0 { 3 } else { 4 };
    (generators[..count].to_vec(), center, Ball::new(translation, radius, 0.0))
}

#[test]
fn what_is_out_of_reach_changes_no_bit() {
    let mut random = Random(0x20);
    let (mut met, mut touched) = (0, 0);
    for _ in 0..200_000 {
        let (generators, center, ball) = case(&mut random);
        let zonotope = Zonotope { center, generators: &generators };
        let limits = ball.limits(zonotope.extent());
        let seen = zonotope.seen(limits.rounding);
        if seen.depth.is_some() {
            continue;
        }
        let masks = 1 << (generators.len() - 2);
        let all = seen.spans.iter().flat_map(|span| (0..masks).map(|mask| zonotope.quad(span, mask)));
        let mut best: Option<(Candidate, Quad)> = None;
        let mut touching = false;
        for quad in all.clone() {
            let candidate = ball.roots(&quad.corners, quad.normal, limits);
            touching |= candidate.touching;
            if candidate.found && best.is_none_or(|(best, _)| candidate.fraction < best.fraction) {
                best = Some((candidate, quad));
            }
        }
        let hit = zonotope.first_of_all(&seen, &ball, limits);
        if touching {
            touched += 1;
            let by_contact = zonotope.touching(&seen, &ball, limits);
            assert_eq!(hit.map(|hit| hit.foot), by_contact.map(|hit| hit.foot));
        } else if let Some(hit) = hit {
            met += 1;
            let best = best.map(|(best, quad)| {
                (best.fraction.to_bits(), zonotope.foot(best.foot, &quad), feature(&quad, best.feature))
            });
            let hit = (hit.fraction.to_bits(), hit.foot, hit.feature);
            assert_eq!(Some(hit), best, "{generators:?} {center} {ball:?}");
        } else {
            let grazes = |(best, _): (Candidate, Quad)| {
                best.closest >= limits.graze && zonotope.only_grazes(&seen.spans, &ball, limits)
            };
            assert!(best.is_none_or(grazes), "{generators:?} {center} {ball:?}");
        }
        // The nearest place, and the part that it is on.
        let nearest = all
            .map(|quad| (closest(&quad.corners, quad.normal), quad))
            .reduce(|near, other| if other.0.distance < near.0.distance { other } else { near });
        let slack = 256.0 * UNIT_ROUNDOFF * zonotope.extent();
        let (expected, on) = nearest.expect("a zonotope has faces");
        let (found, quad) = zonotope.closest_of_all(&seen.spans, f64::INFINITY, slack);
        assert_eq!((found.foot, found.distance), (expected.foot, expected.distance));
        assert_eq!((quad.spanned, quad.signs), (on.spanned, on.signs));
    }
    assert!(met > 10_000 && touched > 100, "{met} {touched}");
}
