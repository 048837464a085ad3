//! Laws: energy, momentum, reversal, order, scale, how one advances; and that nothing ever overlaps.

use carom::balls::{Ball, Dimensions, EventKind, Rules, Setup, Table, Wall};
use glam::{DVec3, dvec3};

use super::{Dice, deepest_overlap, gas};

fn collisions(table: &mut Table, wanted: usize) {
    let mut count = 0;
    while count < wanted {
        if let EventKind::Balls(_) = table.next_event(f64::INFINITY).unwrap().kind {
            count += 1;
        }
    }
}

fn kinetic(table: &Table) -> (f64, DVec3, f64) {
    let mut largest = 0.0;
    for i in 0..table.len() {
        largest += table.ball(i).velocity.length() * table.mass(i);
    }
    (table.energy(), table.momentum(), largest)
}

fn drifts(collided: usize, side: usize, packing: f64) -> (f64, f64) {
    let mut table = Table::new(gas(side, packing, 3)).unwrap();
    let (energy, momentum, largest) = kinetic(&table);
    collisions(&mut table, collided);
    let (after, momentum_after, _) = kinetic(&table);
    (((after - energy) / energy).abs(), (momentum_after - momentum).length() / largest)
}

#[test]
fn energy_and_momentum_are_kept_to_rounding() {
    let (energy, momentum) = drifts(50_000, 6, 0.4);
    assert!(energy <= 1e-13 && momentum <= 1e-14, "{energy:e} {momentum:e}");
}

/// Half a minute.
#[test]
#[ignore = "long: a million collisions"]
fn energy_and_momentum_are_kept_through_a_million_collisions() {
    let (energy, momentum) = drifts(1_000_000, 10, 0.45);
    println!("energy {energy:e} momentum {momentum:e}");
    assert!(energy <= 1e-12 && momentum <= 1e-13, "{energy:e} {momentum:e}");
}

#[test]
fn no_two_balls_overlap_beyond_rounding_at_any_event() {
    let mut table = Table::new(gas(5, 0.45, 9)).unwrap();
    let mut deepest = 0.0f64;
    for _ in 0..3000 {
        table.next_event(f64::INFINITY).unwrap();
        deepest = deepest.max(deepest_overlap(&table));
    }
    // Coordinates up to 6 and a clock up to 6, in diameters of 1: a hundred roundings of those.
    assert!(deepest < 6.0 * 100.0 * f64::EPSILON, "{deepest:e}");
}

/// 100 balls, packing 0.4, 150 collisions and back.
fn way_back(setup: Setup, collided: usize) -> f64 {
    let start: Vec<DVec3> = setup.balls.iter().map(|ball| ball.position).collect();
    let side = setup.rules.periodic;
    let mut table = Table::new(setup).unwrap();
    collisions(&mut table, collided);
    let time = table.time();
    table.reverse();
    table.advance(time, |_, _| ());
    let far = |(i, p): (usize, &DVec3)| {
        let d = (table.ball(i).position - *p).abs();
        // The short way round.
        let round = |d: f64, side: f64| if side > 0.0 { d.min((side - d).abs()) } else { d };
        dvec3(round(d.x, side.x), round(d.y, side.y), round(d.z, side.z)).length() / table.radius(i)
    };
    start.iter().enumerate().map(far).fold(0.0, f64::max)
}

fn hundred(seed: u64) -> Setup {
    let mut setup = gas(5, 0.4 * 1.25, seed);
    // 100 of the 125 places: four fifths of the packing.
    let mut dice = Dice(seed);
    while setup.balls.len() > 100 {
        let one = (dice.unit() * setup.balls.len() as f64) as usize;
        setup.balls.swap_remove(one);
    }
    setup
}

#[test]
fn reversed_velocities_lead_back_to_the_start() {
    for seed in 1..=10 {
        let off = way_back(hundred(seed), 150);
        assert!(off < 1e-6, "seed {seed}: {off:e} of a radius");
    }
}

/// The numbers of the figure in `docs/balls.md`.
#[test]
#[ignore = "prints a table"]
fn how_rounding_grows_with_every_collision() {
    for collided in
        [0usize, 25, 50, 100, 150, 200, 300, 400, 500, 600, 700, 800, 1000, 1500, 2000, 2500, 3000, 4000]
    {
        let mut offs: Vec<f64> = (1..=20).map(|seed| way_back(hundred(seed), collided)).collect();
        offs.sort_by(f64::total_cmp);
        println!("{collided} {:e} {:e} {:e}", offs[0], offs[10], offs[19]);
    }
}

fn ends(setup: Setup, seconds: f64) -> Vec<(DVec3, DVec3)> {
    let mut table = Table::new(setup).unwrap();
    table.advance(seconds, |_, _| ());
    (0..table.len()).map(|i| (table.ball(i).position, table.ball(i).velocity)).collect()
}

#[test]
fn the_order_of_the_balls_changes_no_bit() {
    // A rack, all ties: and a gas, none.
    let mut rack: Vec<Ball> = Vec::new();
    for row in 0..5 {
        for place in 0..=row {
            let x = f64::from(row) * 0.866_025_403_784_438_6;
            let y = f64::from(place) - 0.5 * f64::from(row);
            rack.push(Ball::new(dvec3(x, y, 0.0), DVec3::ZERO, 0.5, 1.0).unwrap());
        }
    }
    rack.push(Ball::new(dvec3(-3.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0), 0.5, 1.0).unwrap());
    let walls = vec![
        Wall::Segment { a: dvec3(-9.0, -5.0, 0.0), b: dvec3(9.0, -5.0, 0.0) },
        Wall::Segment { a: dvec3(9.0, -5.0, 0.0), b: dvec3(9.0, 5.0, 0.0) },
        Wall::Segment { a: dvec3(9.0, 5.0, 0.0), b: dvec3(-9.0, 5.0, 0.0) },
        Wall::Segment { a: dvec3(-9.0, 5.0, 0.0), b: dvec3(-9.0, -5.0, 0.0) },
    ];
    let rules = Rules { dimensions: Dimensions::Two, ..Rules::default() };
    let rack = Setup { balls: rack, walls, rules, ..Setup::default() };
    for setup in [rack, gas(4, 0.4, 2)] {
        let count = setup.balls.len();
        let order: Vec<usize> = (0..count).map(|i| (i * 5 + 3) % count).collect();
        let mut seen = order.clone();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..count), "a permutation");
        let balls = order.iter().map(|&i| setup.balls[i]).collect();
        let shuffled = ends(Setup { balls, ..setup.clone() }, 6.0);
        let plain = ends(setup, 6.0);
        for (k, &i) in order.iter().enumerate() {
            assert_eq!(shuffled[k], plain[i]);
        }
    }
}

#[test]
fn where_one_stops_on_the_way_changes_no_bit() {
    let setup = gas(4, 0.4, 4);
    let whole = ends(setup.clone(), 4.0);
    let mut table = Table::new(setup).unwrap();
    for _ in 0..64 {
        table.advance(0.0625, |_, _| ());
    }
    let parts: Vec<_> = (0..table.len()).map(|i| (table.ball(i).position, table.ball(i).velocity)).collect();
    assert_eq!(whole, parts);
}

#[test]
fn a_clone_is_a_snapshot() {
    let mut table = Table::new(gas(4, 0.4, 5)).unwrap();
    table.advance(1.0, |_, _| ());
    let mut copy = table.clone();
    let mut events = [Vec::new(), Vec::new()];
    table.advance(1.0, |_, event| events[0].push(*event));
    copy.advance(1.0, |_, event| events[1].push(*event));
    assert!(!events[0].is_empty());
    assert_eq!(events[0], events[1]);
}

#[test]
fn a_scene_twice_as_large_and_as_fast_is_twice_as_large_to_the_bit() {
    let setup = gas(4, 0.4, 6);
    let mut large = setup.clone();
    for ball in &mut large.balls {
        ball.position *= 1024.0;
        ball.velocity *= 1024.0;
        ball.radius *= 1024.0;
    }
    large.rules.periodic *= 1024.0;
    let scaled: Vec<_> = ends(setup, 3.0).into_iter().map(|(p, v)| (p * 1024.0, v * 1024.0)).collect();
    assert_eq!(scaled, ends(large, 3.0));
}

#[test]
fn circles_stay_in_their_plane_and_keep_their_energy_between_walls() {
    let mut dice = Dice(11);
    let balls = (0..100)
        .map(|i| {
            let place = dvec3(f64::from(i % 10) + 0.5, f64::from(i / 10) + 0.5, 0.0);
            let velocity = dice.vector() * dvec3(1.0, 1.0, 0.0);
            Ball::new(place, velocity, 0.2 + 0.2 * dice.unit(), 0.5 + dice.unit()).unwrap()
        })
        .collect();
    let corner = |x: f64, y: f64| dvec3(x, y, 0.0);
    let walls = vec![
        Wall::Arc { center: corner(5.0, 5.0), radius: 7.2, from: 0.0, to: 7.0 },
        Wall::Segment { a: corner(-1.0, 4.0), b: corner(-1.5, 4.5) },
    ];
    let rules = Rules { dimensions: Dimensions::Two, ..Rules::default() };
    let mut table = Table::new(Setup { balls, walls, rules, ..Setup::default() }).unwrap();
    let energy = table.energy();
    for _ in 0..4000 {
        table.next_event(f64::INFINITY).unwrap();
    }
    assert!(((table.energy() - energy) / energy).abs() < 1e-13);
    assert!(deepest_overlap(&table) < 1e-13);
    for i in 0..100 {
        let ball = table.ball(i);
        assert!(ball.position.z == 0.0 && ball.velocity.z == 0.0);
        let out = (ball.position - corner(5.0, 5.0)).length() + table.radius(i);
        assert!(out < 7.2 + 1e-12, "{out}");
    }
}
