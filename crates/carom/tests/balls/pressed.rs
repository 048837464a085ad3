//! Balls that something other than a weight presses against what they touch: their own turning on cloth, or
//! their own speed inside an arc; and balls that pass one which is wedged. Time must go on.

use carom::balls::{Ball, BallMotion, Cloth, Dimensions, Rules, Setup, Table, Wall};
use carom::num::ops::sin_cos;
use glam::{DVec3, dvec3};

use super::Dice;

fn ball(position: DVec3, velocity: DVec3, radius: f64, mass: f64) -> Ball {
    Ball::new(position, velocity, radius, mass).unwrap()
}

/// Plays until a time, with at most so many events; the energy at the end.
fn play(table: &mut Table, until: f64, most: u32) -> f64 {
    let mut events = 0;
    let start = table.energy();
    while table.next_event(until).is_some() {
        events += 1;
        assert!(events <= most, "{events} events by {} s", table.time());
        assert!(table.energy() <= start * (1.0 + 1e-12), "{} of {start} J", table.energy());
    }
    assert!(table.time() >= until);
    table.energy()
}

#[test]
fn a_ball_that_turns_against_a_heavier_one_comes_to_rest() {
    for (restitution, heavier) in [(0.0, 1e3), (0.3, 1e3), (0.7, 10.0), (0.95, 1.0), (1.0, 1e6)] {
        for aside in [0.0, 1e-9, 0.001, 0.02] {
            let balls = vec![
                ball(dvec3(-0.5, aside, 0.0), dvec3(2.0, 0.0, 0.0), 0.03, 0.17),
                ball(DVec3::ZERO, DVec3::ZERO, 0.03, 0.17 * heavier),
            ];
            let cloth = Cloth { sliding: 0.2, rolling: 0.01, weight: 9.81 };
            let rules = Rules {
                dimensions: Dimensions::Two,
                restitution,
                wall_restitution: restitution,
                cloth: Some(cloth),
                ..Rules::default()
            };
            let mut table = Table::new(Setup { balls, rules, ..Setup::default() }).unwrap();
            play(&mut table, 300.0, 20_000);
            let resting = (0..2).all(|i| table.ball(i).motion == BallMotion::Resting);
            assert!(resting, "{restitution} {heavier} {aside}: {:?}", [table.ball(0), table.ball(1)]);
        }
    }
}

#[test]
fn a_ball_that_does_not_bounce_runs_round_inside_an_arc() {
    for (restitution, angle) in [(0.0, 0.3), (0.0, 1e-3), (0.0, 1e-9), (0.4, 0.5), (0.9, 1.0)] {
        let (sin, cos) = sin_cos(angle);
        let velocity = dvec3(cos, sin, 0.0) * 3.0;
        let balls = vec![ball(dvec3(0.0, -0.8, 0.0), velocity, 0.1, 1.0)];
        let walls = vec![Wall::Arc { center: DVec3::ZERO, radius: 1.0, from: -3.0, to: 3.3 }];
        let rules = Rules {
            dimensions: Dimensions::Two,
            wall_restitution: restitution,
            restitution,
            ..Rules::default()
        };
        let mut table = Table::new(Setup { balls, walls, rules, ..Setup::default() }).unwrap();
        play(&mut table, 20.0, 20_000);
        // It keeps the motion along the arc, but for the bounces in the beginning.
        let speed = table.ball(0).velocity.length();
        assert!(speed > 1.0, "{restitution} {angle}: {speed} m/s");
    }
}

/// One to three balls on cloth or without friction, where they have little room: before the cushions of a
/// square, or among arcs in a circle.
fn crowded(dice: &mut Dice, has_cushions: bool, has_cloth: bool) -> Setup {
    const RADIUS: f64 = 0.05;
    let of = |dice: &mut Dice, values: &[f64]| values[(dice.unit() * values.len() as f64) as usize];
    let flat = |dice: &mut Dice, size: f64| dice.vector() * dvec3(size, size, 0.0);
    let mut balls: Vec<Ball> = Vec::new();
    for _ in 0..1 + (dice.unit() * 3.0) as usize {
        let place = flat(dice, 0.24);
        if balls.iter().all(|ball| ball.position.distance(place) > 2.2 * RADIUS) {
            balls.push(ball(place, flat(dice, 2.0), RADIUS, of(dice, &[1e-3, 0.1, 1.0])));
        }
    }
    let mut walls = Vec::new();
    if has_cushions {
        let corner = |x: f64, y: f64| dvec3(x, y, 0.0) * 0.3;
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        walls.extend((0..4).map(|k| Wall::Segment { a: corners[k], b: corners[(k + 1) % 4] }));
    } else {
        walls.push(Wall::Arc { center: DVec3::ZERO, radius: 0.45, from: 0.0, to: 7.0 });
        for _ in 0..2 {
            let (center, radius, from) = (flat(dice, 0.4), 0.03 + 0.3 * dice.unit(), 6.0 * dice.unit());
            let is_clear = |ball: &Ball| (ball.position.distance(center) - radius).abs() > 1.2 * RADIUS;
            if balls.iter().all(is_clear) {
                walls.push(Wall::Arc { center, radius, from, to: from + 6.0 * dice.unit() });
            }
        }
    }
    let cloth =
        Cloth { sliding: of(dice, &[0.05, 0.2, 0.5]), rolling: of(dice, &[0.002, 0.01, 0.05]), weight: 9.81 };
    let rules = Rules {
        dimensions: Dimensions::Two,
        restitution: of(dice, &[0.0, 0.5, 0.7, 0.95, 1.0]),
        wall_restitution: of(dice, &[0.0, 0.3, 0.8, 1.0]),
        cloth: has_cloth.then_some(cloth),
        ..Rules::default()
    };
    Setup { balls, walls, rules, ..Setup::default() }
}

/// Twelve of these 3,000 tables had a thousand events at one time: a ball that turned was pressed against
/// one at rest, or rolled past one that was wedged.
#[test]
fn time_goes_on_where_balls_have_little_room() {
    let mut dice = Dice(12_345);
    for round in 0..3_000 {
        let setup = crowded(&mut dice, round % 3 == 0, round % 3 != 1);
        let described = format!("{setup:?}");
        // An end of an arc may be in a ball.
        let Ok(mut table) = Table::new(setup) else { continue };
        let (mut last, mut at_once) = (0.0, 0);
        for _ in 0..3_000 {
            let Some(event) = table.next_event(60.0) else { break };
            at_once = if event.time > last { 0 } else { at_once + 1 };
            last = event.time;
            assert!(at_once < 1_000, "{at_once} events at {last} s: {described}");
        }
    }
}
