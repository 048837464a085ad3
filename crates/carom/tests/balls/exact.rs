//! Times of contact against exact rationals.

use carom::balls::{Ball, Rules, Setup, Table, Wall};
use carom::num::bound::UNIT_ROUNDOFF;
use dashu_ratio::RBig;
use glam::{DVec3, dvec3};

use super::Dice;

fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

fn dot(a: &[RBig; 3], b: &[RBig; 3]) -> RBig {
    a.iter().zip(b).map(|(x, y)| x * y).fold(RBig::ZERO, |sum, x| sum + x)
}

fn vector(v: DVec3) -> [RBig; 3] {
    v.to_array().map(exact)
}

fn minus(a: DVec3, b: DVec3) -> [RBig; 3] {
    let (a, b) = (vector(a), vector(b));
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

#[test]
fn two_balls_meet_when_exact_rationals_say() {
    let mut dice = Dice(77);
    let (mut met, mut passed) = (0, 0);
    for round in 0..4000 {
        let far = [1.0, 10.0, 1e6][round % 3];
        let mut ball = |center: DVec3| {
            let radius = 0.25 + dice.unit();
            Ball::new(center + dice.vector() * far * 0.25, dice.vector() * far, radius, 1.0).unwrap()
        };
        let (a, mut b) = (ball(DVec3::ZERO), ball(dvec3(3.0 + far, 0.0, 0.0)));
        if round % 2 == 0 {
            // Aimed at the rim, so that many only just touch.
            let rim = dvec3(0.0, dice.unit() * 1.05 * (a.radius + b.radius), 0.0);
            b.velocity = a.velocity + (a.position - b.position + rim) * (0.1 + dice.unit());
        }
        let setup = Setup { balls: vec![a, b], ..Setup::default() };
        let Ok(mut table) = Table::new(setup) else { continue };
        let event = table.next_event(1e300);
        let (s, v) = (minus(a.position, b.position), minus(a.velocity, b.velocity));
        let (squared, nearing, speed) = (dot(&s, &s), dot(&s, &v), dot(&v, &v));
        let sum = exact(a.radius) + exact(b.radius);
        let time = event.map_or(0.0, |event| event.time);
        // Lengths at hand, a few dozen roundings of them.
        let lengths = (a.position - b.position).length()
            + a.position.length()
            + b.position.length()
            + a.radius
            + b.radius
            + (a.velocity - b.velocity).length() * time
            + (a.velocity.length() + b.velocity.length()) * time;
        let rounding = exact(32.0 * UNIT_ROUNDOFF * lengths);
        let inner = (&sum - &rounding) * (&sum - &rounding);
        let outer = (&sum + &rounding) * (&sum + &rounding);
        if event.is_some() {
            let t = exact(time);
            let apart = &squared + exact(2.0) * &nearing * &t + &speed * &t * &t;
            assert!(apart >= inner && apart <= outer, "round {round}: {:?}", (a, b));
            // Still coming nearer there, or as near as they get: so it is the first of the two times.
            let still = &nearing + &speed * &t;
            assert!(still <= RBig::ZERO || &still * &still <= &speed * &rounding * &sum * exact(4.0));
            met += 1;
        } else {
            let free = nearing >= RBig::ZERO || (&squared - &nearing * &nearing / &speed) >= inner;
            assert!(free, "round {round}: missed {:?}", (a, b));
            passed += 1;
        }
    }
    assert!(met > 1000 && passed > 300, "{met} {passed}");
}

#[test]
fn a_parabola_meets_a_plane_when_exact_rationals_say() {
    let mut dice = Dice(5);
    for _ in 0..1000 {
        let ball = Ball::new(dvec3(0.0, 1.0 + dice.unit(), 0.0), dice.vector() * 4.0, 0.5, 1.0).unwrap();
        let gravity = dvec3(0.0, -(0.1 + 10.0 * dice.unit()), 0.0);
        let walls = vec![Wall::Plane { point: DVec3::ZERO, normal: DVec3::Y }];
        let rules = Rules { gravity, ..Rules::default() };
        let mut table = Table::new(Setup { balls: vec![ball], walls, rules, ..Setup::default() }).unwrap();
        let time = table.next_event(f64::INFINITY).unwrap().time;
        let height = |t: f64| {
            let t = exact(t);
            exact(ball.position.y) - exact(0.5)
                + exact(ball.velocity.y) * &t
                + exact(gravity.y) * &t * &t / exact(2.0)
        };
        assert!(height(time * (1.0 - 1e-14)) > RBig::ZERO && height(time * (1.0 + 1e-14)) < RBig::ZERO);
    }
}
