//! Tables that are refused, and odd ones that are not.

use carom::balls::{Ball, Cloth, Dimensions, Pocket, Rules, Setup, Table, TableError, Wall};
use carom::{Body, Ellipsoid, World};
use glam::{DVec3, dvec3};

fn ball(x: f64) -> Ball {
    Ball { position: dvec3(x, 0.0, 0.0), velocity: DVec3::X, radius: 0.5, mass: 1.0 }
}

fn refusal(setup: Setup) -> TableError {
    Table::new(setup).unwrap_err()
}

fn with_balls(balls: Vec<Ball>) -> TableError {
    refusal(Setup { balls, ..Setup::default() })
}

#[test]
fn numbers_that_are_none_are_refused_with_the_ball() {
    let bad = |change: fn(&mut Ball)| {
        let mut odd = ball(5.0);
        change(&mut odd);
        with_balls(vec![ball(0.0), odd])
    };
    assert_eq!(bad(|b| b.position.y = f64::NAN), TableError::BallNotFinite { ball: 1, what: "position" });
    assert_eq!(
        bad(|b| b.velocity.z = f64::INFINITY),
        TableError::BallNotFinite { ball: 1, what: "velocity" }
    );
    assert_eq!(bad(|b| b.radius = 0.0), TableError::BallNotPositive { ball: 1, what: "radius" });
    assert_eq!(bad(|b| b.mass = 0.0), TableError::BallNotPositive { ball: 1, what: "mass" });
    assert_eq!(bad(|b| b.mass = f64::NAN), TableError::BallNotPositive { ball: 1, what: "mass" });
}

#[test]
fn balls_that_overlap_are_refused_by_their_numbers() {
    assert_eq!(with_balls(vec![ball(9.0), ball(0.0), ball(4.0), ball(0.9)]), TableError::Overlap(1, 3));
    assert!(
        Table::new(Setup { balls: vec![ball(0.0), ball(1.0)], ..Setup::default() }).is_ok(),
        "touching is none"
    );
    let mut round = Setup { balls: vec![ball(0.2), ball(9.6)], ..Setup::default() };
    round.rules.periodic = DVec3::splat(10.0);
    assert_eq!(refusal(round), TableError::Overlap(0, 1));
}

#[test]
fn a_hundred_thousand_balls_at_one_point_are_refused_at_once() {
    assert!(matches!(with_balls(vec![ball(1.0); 100_000]), TableError::Overlap(_, _)));
}

#[test]
fn rules_that_contradict_themselves_are_refused() {
    let rules = |change: fn(&mut Rules)| {
        let mut setup = Setup { balls: vec![ball(0.0)], ..Setup::default() };
        change(&mut setup.rules);
        refusal(setup)
    };
    let cloth = Cloth { sliding: 0.2, rolling: 0.01, weight: 9.81 };
    assert!(matches!(rules(|r| r.restitution = 1.5), TableError::Rule(_)));
    assert!(matches!(rules(|r| r.gravity.x = f64::NAN), TableError::Rule(_)));
    assert!(matches!(rules(|r| r.periodic.x = -1.0), TableError::Rule(_)));
    assert_eq!(rules(|r| r.periodic.x = 1.0), TableError::PeriodTooShort);
    let mut setup = Setup { balls: vec![ball(0.0)], ..Setup::default() };
    setup.rules.cloth = Some(cloth);
    assert!(matches!(refusal(setup), TableError::Rule(_)));
    let mut off = ball(0.0);
    off.position.z = 1.0;
    let flat = Rules { dimensions: Dimensions::Two, ..Rules::default() };
    assert_eq!(
        refusal(Setup { balls: vec![off], rules: flat, ..Setup::default() }),
        TableError::BallOffThePlane(0)
    );
}

#[test]
fn walls_and_pockets_and_ellipsoids_are_refused_by_number() {
    let nowhere = Wall::Plane { point: DVec3::ZERO, normal: DVec3::ZERO };
    assert!(matches!(
        refusal(Setup { walls: vec![nowhere], ..Setup::default() }),
        TableError::Wall { wall: 0, .. }
    ));
    let pocket = Pocket { position: DVec3::ZERO, radius: -1.0 };
    assert_eq!(refusal(Setup { pockets: vec![pocket], ..Setup::default() }), TableError::Pocket(0));
    let mut obstacles = World::new();
    obstacles.add(Body::fixed(Ellipsoid::new(DVec3::ONE).unwrap()));
    assert_eq!(refusal(Setup { obstacles, ..Setup::default() }), TableError::EllipsoidObstacle(0));
}

#[test]
fn no_balls_and_one_ball_have_no_events() {
    let mut none = Table::new(Setup::default()).unwrap();
    assert_eq!(none.advance(5.0, |_, _| ()), 0);
    assert_eq!((none.time(), none.energy(), none.is_empty()), (5.0, 0.0, true));
    let mut one = Table::new(Setup { balls: vec![ball(0.0)], ..Setup::default() }).unwrap();
    assert_eq!(one.next_event(f64::INFINITY), None);
    assert_eq!(one.next_event(f64::NAN), None);
    one.advance(1e9, |_, _| ());
    assert_eq!(one.ball(0).position, dvec3(1e9, 0.0, 0.0));
    assert!(!one.strike(0, DVec3::NAN) && !one.strike(7, DVec3::X));
}

#[test]
fn a_million_balls_at_rest_cost_nothing_to_advance() {
    let still = |i: u32| Ball {
        position: dvec3(f64::from(i % 1000), f64::from(i / 1000), 0.0) * 1.5,
        velocity: DVec3::ZERO,
        radius: 0.5,
        mass: 1.0,
    };
    let mut table =
        Table::new(Setup { balls: (0..1_000_000).map(still).collect(), ..Setup::default() }).unwrap();
    assert_eq!(table.advance(1e6, |_, _| ()), 0);
    assert_eq!(table.ball(999_999).position, dvec3(1498.5, 1498.5, 0.0));
}
