//! A triangle that slides towards another: held to their distance on the way, to the same question asked of
//! the other, and to the same scene in any unit.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod dice;

use carom::num::ops::sqrt;
use carom::shape::Triangle;
use carom::sweep::triangle_triangle;
use dice::Dice;
use glam::DVec3;

type Corners = [DVec3; 3];

fn triangle([a, b, c]: Corners) -> Triangle {
    Triangle::new(a, b, c).unwrap()
}

/// Corners anywhere, on integers, or in line.
fn corners(dice: &mut Dice) -> Corners {
    let [a, b, c] = core::array::from_fn(|_| dice.point(2.0));
    match (dice.unit() * 6.0) as u32 {
        0 => [a, b, c].map(DVec3::round),
        1 => [a.round(), b.round(), 2.0 * b.round() - a.round()],
        2 => [a, a, b],
        _ => [a, b, c],
    }
}

fn scene(dice: &mut Dice) -> (Corners, DVec3, Corners) {
    let way = dice.point(4.0);
    let way = if dice.unit() < 0.3 { way.round() } else { way };
    (corners(dice).map(|corner| corner - 0.5 * way.round()), way, corners(dice))
}

fn gap(mover: Corners, way: DVec3, fraction: f64, other: Corners) -> f64 {
    triangle(mover.map(|corner| corner + way * fraction)).distance_to_triangle(&triangle(other)).distance
}

#[test]
fn it_stops_where_the_distance_becomes_nothing() {
    let mut dice = Dice(31);
    let (mut hits, mut overlaps) = (0, 0);
    for _ in 0..20_000 {
        let (mover, way, other) = scene(&mut dice);
        let at = |fraction| gap(mover, way, fraction, other);
        let hit = triangle_triangle(&triangle(mover), way, &triangle(other));
        // Never into it: what is met in exact numbers is met here.
        let free = hit.map_or(1.0, |hit| hit.fraction);
        // On integers one may graze the other, which is free.
        let is_whole = [mover, other].as_flattened().iter().chain([&way]).any(|p| p.round() == *p);
        if at(0.0) > 1e-9 && !is_whole {
            for k in 0..=8 {
                assert!(at(free * f64::from(k) / 8.0) > 0.0, "passed: {mover:?} {way} {other:?} {hit:?}");
            }
        }
        let Some(hit) = hit else { continue };
        assert!(at(hit.fraction) < 1e-12, "early: {mover:?} {way} {other:?} {hit:?}");
        assert!((sqrt(hit.normal.length_squared()) - 1.0).abs() < 1e-14);
        assert!(hit.normal.dot(way) <= 0.0, "{mover:?} {way} {other:?} {hit:?}");
        let off = triangle(other).closest_point(hit.point).point - hit.point;
        assert!(off.abs().max_element() < 1e-12, "the point is on the other");
        assert!(hit.fraction > 0.0 || at(0.0) < 1e-12);
        hits += u32::from(hit.fraction > 0.0);
        overlaps += u32::from(hit.start_overlap);
    }
    println!("{hits} hits, {overlaps} starts inside");
    assert!(hits > 1000 && overlaps > 100, "{hits} {overlaps}");
}

#[test]
fn the_other_that_comes_the_other_way_is_met_at_the_same_time() {
    let mut dice = Dice(32);
    let mut hits = 0;
    for _ in 0..20_000 {
        let (mover, way, other) = scene(&mut dice);
        let hit = triangle_triangle(&triangle(mover), way, &triangle(other));
        let back = triangle_triangle(&triangle(other), -way, &triangle(mover));
        let starts_apart = gap(mover, way, 0.0, other) > 1e-9;
        let (Some(hit), Some(back)) = (hit, back) else {
            // Whether what only grazes is met may depend on rounding.
            let nearest = [hit, back].into_iter().flatten().next();
            let deeper = nearest.map_or(0.0, |hit| gap(mover, way, (hit.fraction + 1e-6).min(1.0), other));
            assert!(
                !starts_apart
                    || nearest.is_none()
                    || deeper > 0.0
                    || hit.or(back).unwrap().fraction > 1.0 - 1e-12,
                "{mover:?} {way} {other:?} {hit:?} {back:?}"
            );
            continue;
        };
        if starts_apart {
            assert!((hit.fraction - back.fraction).abs() < 1e-11, "{mover:?} {way} {other:?}");
            hits += 1;
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_scene_in_any_unit_has_the_same_answer_to_the_bit() {
    let mut dice = Dice(33);
    let mut hits = 0;
    for _ in 0..3000 {
        let (mover, way, other) = scene(&mut dice);
        let hit = triangle_triangle(&triangle(mover), way, &triangle(other));
        for exponent in [-500, -200, -101, 101, 200, 500] {
            let unit = f64::from_bits((1023 + exponent) as u64 * (1 << 52));
            let [mover, other] = [mover, other].map(|corners| triangle(corners.map(|corner| corner * unit)));
            let scaled = triangle_triangle(&mover, way * unit, &other);
            let answer = |hit: carom::Hit, unit: f64| {
                (hit.fraction, hit.normal, hit.point / unit, hit.feature, hit.start_overlap)
            };
            assert_eq!(scaled.map(|hit| answer(hit, unit)), hit.map(|hit| answer(hit, 1.0)), "2^{exponent}");
        }
        hits += u32::from(hit.is_some());
    }
    assert!(hits > 300, "{hits}");
}
