//! Coming to rest: everything does, and nothing hangs.

use carom::balls::{Ball, BallMotion, EventKind, Rules, Setup, Table, Wall};
use glam::{DVec3, dvec3};

use super::{Dice, deepest_overlap};

fn earth(restitution: f64) -> Rules {
    Rules { gravity: dvec3(0.0, -9.81, 0.0), restitution, wall_restitution: restitution, ..Rules::default() }
}

fn ground() -> Wall {
    Wall::Plane { point: DVec3::ZERO, normal: DVec3::Y }
}

fn marble(position: DVec3) -> Ball {
    Ball::new(position, DVec3::ZERO, 0.1, 1.0).unwrap()
}

/// Runs until nothing happens any more, and says how many events that took.
fn run_down(table: &mut Table, seconds: f64, most: u64) -> u64 {
    let mut count = 0;
    while table.next_event(seconds).is_some() {
        count += 1;
        assert!(count < most, "{most} events by {} s", table.time());
    }
    count
}

#[test]
fn a_dropped_ball_bounces_lower_and_lower_and_rests_on_the_ground() {
    for restitution in [0.0, 0.3, 0.5, 0.9] {
        let balls = vec![marble(dvec3(0.0, 2.0, 0.0))];
        let setup = Setup { balls, walls: vec![ground()], rules: earth(restitution), ..Setup::default() };
        let mut table = Table::new(setup).unwrap();
        let count = run_down(&mut table, 60.0, 1000);
        let ball = table.ball(0);
        assert_eq!(
            (ball.motion, ball.velocity),
            (BallMotion::Resting, DVec3::ZERO),
            "{restitution}: {count}"
        );
        assert!((ball.position.y - 0.1).abs() < 1e-12);
    }
}

#[test]
fn one_that_stands_at_the_start_rests_at_once_whatever_the_restitution() {
    let setup = Setup {
        balls: vec![marble(dvec3(0.0, 0.1, 0.0))],
        walls: vec![ground()],
        rules: earth(1.0),
        ..Setup::default()
    };
    let mut table = Table::new(setup).unwrap();
    assert_eq!(table.next_event(9.0).unwrap().kind, EventKind::Rest { ball: 0, body: None });
    assert_eq!(table.next_event(9.0), None);
}

#[test]
fn a_thrown_ball_that_rests_a_rounding_too_deep_does_not_fall_through() {
    let balls = vec![Ball::new(dvec3(0.0, 0.1 - 1e-17, 0.0), dvec3(0.0, 1e-9, 0.0), 0.1, 1.0).unwrap()];
    let mut table =
        Table::new(Setup { balls, walls: vec![ground()], rules: earth(0.5), ..Setup::default() }).unwrap();
    run_down(&mut table, 5.0, 1000);
    assert!((table.ball(0).position.y - 0.1).abs() < 1e-12);
}

#[test]
fn on_a_slope_a_ball_goes_down_as_fast_as_without_friction() {
    // 3 down on 4 across: 0.6 g along the slope.
    let normal = dvec3(0.6, 0.8, 0.0);
    let walls = vec![Wall::Plane { point: DVec3::ZERO, normal }];
    let setup = Setup { balls: vec![marble(normal * 0.1)], walls, rules: earth(0.5), ..Setup::default() };
    let mut table = Table::new(setup).unwrap();
    run_down(&mut table, 2.0, 10_000);
    let ball = table.ball(0);
    let along = ball.position.dot(dvec3(0.8, -0.6, 0.0));
    assert!((along - 0.5 * 9.81 * 0.6 * 4.0).abs() < 1e-6, "{along}");
    // In bounces no higher than the lowest bounce.
    let height = ball.position.dot(normal) - 0.1;
    assert!((-1e-9..0.1 / 1024.0 * 1.01).contains(&height), "{height:e}");
}

fn pile(count: usize, restitution: f64) -> Setup {
    let mut dice = Dice(count as u64);
    let balls = (0..count)
        .map(|i| {
            let place = dvec3((i % 4) as f64, (i / 16) as f64, (i / 4 % 4) as f64) * 0.25;
            marble(place + dvec3(-0.375, 0.2, -0.375) + dice.vector() * 0.02)
        })
        .collect();
    let mut walls = vec![ground()];
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let normal = dvec3(-x, 0.0, -z);
        walls.push(Wall::Plane { point: normal * -0.6, normal });
    }
    Setup { balls, walls, rules: earth(restitution), ..Setup::default() }
}

#[test]
fn a_pile_in_a_box_comes_to_rest_and_nothing_hangs() {
    for restitution in [0.2, 0.6] {
        let mut table = Table::new(pile(48, restitution)).unwrap();
        let energy = table.energy();
        let count = run_down(&mut table, 30.0, 3_000_000);
        let moving: Vec<usize> = (0..48).filter(|&i| table.ball(i).motion != BallMotion::Resting).collect();
        assert!(moving.is_empty(), "restitution {restitution}: {moving:?} after {count} events");
        assert!(table.energy() < energy);
        assert!(deepest_overlap(&table) < 1e-12, "{:e}", deepest_overlap(&table));
        // A ball at rest is held from below: by the ground, or by another within a bounce that counts as
        // none.
        for i in 0..48 {
            let p = table.ball(i).position;
            let by_ground = p.y < 0.1 + 0.002;
            let by_another = (0..48).any(|j| {
                let q = table.ball(j).position;
                j != i && q.y < p.y && (p - q).length() < 0.2 + 0.002
            });
            assert!(by_ground || by_another, "ball {i} hangs at {p}");
        }
    }
}

#[test]
fn a_ball_that_lies_on_a_struck_ball_falls() {
    // One on top of another, held upright by nothing but symmetry.
    let balls = vec![marble(dvec3(0.0, 0.1, 0.0)), marble(dvec3(0.0, 0.3005, 0.0))];
    let mut table =
        Table::new(Setup { balls, walls: vec![ground()], rules: earth(0.3), ..Setup::default() }).unwrap();
    run_down(&mut table, 20.0, 10_000);
    assert!([0, 1].iter().all(|&i| table.ball(i).motion == BallMotion::Resting));
    assert!(table.strike(0, dvec3(5.0, 0.0, 0.0)));
    run_down(&mut table, 21.0, 100_000);
    assert!(table.ball(1).position.y < 0.15, "{:?}", table.ball(1));
}

#[test]
fn a_freely_cooling_gas_does_not_collapse_into_infinitely_many_collisions() {
    let mut dice = Dice(3);
    let balls = (0..125)
        .map(|i| {
            let place = dvec3(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25));
            Ball::new(place * 1.2 + 0.6, dice.vector(), 0.5, 1.0).unwrap()
        })
        .collect();
    let rules = Rules { restitution: 0.2, periodic: DVec3::splat(6.0), ..Rules::default() };
    let mut table = Table::new(Setup { balls, rules, ..Setup::default() }).unwrap();
    let (energy, momentum) = (table.energy(), table.momentum());
    run_down(&mut table, 100.0, 3_000_000);
    assert!(table.energy() < 0.1 * energy);
    assert!((table.momentum() - momentum).length() < 1e-12);
}
