//! The shortcuts of a prism against all of its parts, tested one by one.

use glam::dvec3;

use super::*;
use crate::num::bound::reach;
use crate::num::random::Random;

/// All parts tested, without shortcuts.
fn in_full(prism: &Prism<'_, [DVec3; 3]>, ball: &Ball, limits: Limits) -> Option<BallHit> {
    if let Some(depth) = prism.depth() {
        return prism.touching(depth, ball, limits);
    }
    let mut candidate = Candidate::none();
    if let Some(normal) = prism.normal {
        for sign in [-1.0, 1.0] {
            ball.face(&prism.cap(sign), normal, limits, Feature::Face, &mut candidate);
        }
    }
    for i in 0..3 {
        let edge = Feature::Edge(i as u32);
        let (side, normal) = prism.side(i);
        if let Some(normal) = normal {
            ball.face(&side, normal, limits, edge, &mut candidate);
        }
        ball.edge(side[0], side[1], edge, limits, &mut candidate);
        ball.edge(side[3], side[2], edge, limits, &mut candidate);
        if candidate.touching {
            return prism.first_of(candidate, ball, limits);
        }
    }
    for i in 0..3 {
        let vertex = Feature::Vertex(i as u32);
        let (low, high) = (prism.cap(-1.0).at(i), prism.cap(1.0).at(i));
        ball.edge(low, high, vertex, limits, &mut candidate);
        ball.vertex(low, vertex, limits, &mut candidate);
        ball.vertex(high, vertex, limits, &mut candidate);
    }
    prism.first_of(candidate, ball, limits)
}

/// The nearest part beside the caps, with all parts tested.
fn nearest_in_full(prism: &Prism<'_, [DVec3; 3]>, tilt: f64) -> NearestPart {
    let cap = |sign: f64| {
        let closest = closest(&prism.cap(sign), prism.normal);
        NearestPart { closest, on_polygon: closest.foot - prism.half_axis * sign }
    };
    let (low, high) = (cap(-1.0), cap(1.0));
    let mut best = if high.closest.distance < low.closest.distance { high } else { low };
    for i in 0..3 {
        let (side, normal) = prism.side(i);
        let found = closest(&side, normal);
        if normal.is_some_and(|normal| found.normal.dot(normal) * tilt >= 0.0)
            && prism.normal.is_some()
            && found.feature == Feature::Face
        {
            return prism.on_side(i, found);
        }
        if found.distance < best.closest.distance {
            best = prism.on_side(i, found);
        }
    }
    best
}

/// On, over and beside triangles of every shape, on paths along them, into them and away from them, to within
/// roundings.
#[test]
fn what_is_known_beforehand_changes_no_bit() {
    let mut random = Random(0x9815_311D);
    let (mut over, mut by_cap, mut hits) = (0, 0, 0);
    for round in 0..600_000 {
        let size = random.pick(&[0.3, 1.0, 1.0, 10.0, 100.0]);
        let place = random.vector() * random.pick(&[0.0, 1.0, 100.0, 3e4]);
        let flat = random.pick(&[1.0, 1.0, 1.0, 1e-2, 1e-6, 1e-12]);
        let (ab, along) = (random.vector() * size, random.number());
        let mut corners = [place, place + ab, place + ab * along + random.vector() * size * flat];
        if round % 3 == 0 {
            corners = corners.map(|v| dvec3(v.x, place.y, v.z));
        }
        let corners = corners.map(|v| v.as_vec3().as_dvec3());
        let Some(normal) = triangle_normal(corners[1] - corners[0], corners[2] - corners[0]) else {
            continue;
        };
        let radius = 0.3;
        let half_axis = match round % 4 {
            0 => dvec3(0.0, 0.6, 0.0),
            1 => normal * 0.6 * random.number(),
            2 => dvec3(0.0, 1e-6, 0.0),
            _ => random.vector(),
        };
        // Above some place of it, perhaps beside it, as high as it touches, and some roundings more or less.
        let (u, v) = (1.4 * random.number(), 1.4 * random.number());
        let foot = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v * (1.0 - u);
        let exact = radius + normal.dot(half_axis).abs();
        let off = random.number() * random.pick(&[0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-6, 1e-2, 1.0]);
        let from = foot + normal * (exact + off * (1.0 + reach(place)));
        let length = random.pick(&[1e-6, 0.08, 0.08, 0.4, 1.0]);
        let across = random.vector();
        let across = across - normal * normal.dot(across);
        // Now and then along an edge.
        let across = if round % 5 == 0 { (corners[1] - corners[0]) / size } else { across };
        let sinks = random.number() * random.pick(&[0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-8, 1e-2, 1.0]);
        let mut translation = (across + normal * sinks) * length;
        let mut from = from;
        if round % 7 < 3 {
            // Down on it from above.
            from += normal * random.number().abs();
            translation = (across * random.number() - normal * 1.5) * length;
        }
        let outline = corners.map(|v| v - from);
        let rounding = crate::num::bound::position_rounding(from, translation);
        let ball = Ball::new(translation, radius, rounding);
        let limits = ball.limits(outline.extent() + reach(half_axis));
        let prism = Prism { outline: &outline, normal: Some(normal), half_axis, flat: round as u32 % 8 };
        over += u32::from(prism.depth().is_none() && prism.passes_over(normal, &ball, limits));
        let candidate = prism.roots(&ball, limits);
        by_cap += u32::from(
            candidate.found && !candidate.touching && prism.is_met_by_cap(normal, &candidate, &ball, limits),
        );
        let tilt = normal.dot(half_axis);
        let part = |part: NearestPart| {
            let Closest { distance, foot, feature, normal } = part.closest;
            let bits = |v: DVec3| v.to_array().map(f64::to_bits);
            (distance.to_bits(), bits(foot), feature, bits(normal), bits(part.on_polygon))
        };
        if prism.depth().is_none() {
            let (quick, full) = (prism.nearest_beside_caps(tilt), nearest_in_full(&prism, tilt));
            assert_eq!(part(quick), part(full), "round {round}: {corners:?} {half_axis} at {from}");
        }
        let (found, full) = (prism.sweep(&ball, limits), in_full(&prism, &ball, limits));
        hits += u32::from(full.is_some());
        let bits = |hit: &BallHit| {
            let [a, b, c] = hit.foot.to_array();
            let [d, e, f] = hit.normal.to_array();
            ([hit.fraction, a, b, c, d, e, f].map(f64::to_bits), hit.feature, hit.start_overlap)
        };
        assert_eq!(
            found.as_ref().map(bits),
            full.as_ref().map(bits),
            "round {round}: {corners:?} {half_axis} from {from} by {translation}"
        );
    }
    println!("{over} led along a cap, {by_cap} met one squarely, {hits} hit");
    assert!(over > 50_000 && by_cap > 3_000 && hits > 40_000, "{over} {by_cap} {hits}");
}

#[test]
fn what_is_no_number_is_in_reach() {
    let far = [dvec3(5.0, 0.0, 0.0), dvec3(5.0, 1.0, 0.0), dvec3(5.0, 0.0, 1.0)];
    let ball = Ball::new(DVec3::X, 0.3, 0.0);
    let limits = ball.limits(5.0);
    assert!(!is_in_reach(&ball, DVec3::X, heights(&far, DVec3::X), limits));
    assert_eq!(apart(heights(&far, DVec3::X)), 5.0);
    for corner in 0..3 {
        for lost in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut outline = far;
            outline[corner].x = lost;
            assert!(is_in_reach(&ball, DVec3::X, heights(&outline, DVec3::X), limits));
            // No distance is below that: it is tested.
            assert!(apart(heights(&outline, DVec3::X)).is_nan());
        }
    }
}
