//! Behavior in small scenes.

use carom::character::{Character, GravityPass, Input, Outcome, Settings};
use carom::num::ops;
use carom::{Body, Cuboid, Mesh, World};
use glam::{DVec3, dvec3};

use crate::{DT, RADIUS, SKIN, capsule, feet_at, floor, hero, slab};

#[test]
fn walks_its_speed_on_level_ground() {
    let world = floor();
    let mut hero = hero(DVec3::ZERO);
    for _ in 0..60 {
        let report = hero.step(&world, Input::walk(dvec3(4.0, 0.0, 0.0)), DT);
        assert!(report.ground.is_some());
    }
    assert!((hero.position() - feet_at(dvec3(4.0, 0.0, 0.0))).length() < 1e-9, "{}", hero.position());
}

#[test]
fn climbs_stairs_and_not_walls() {
    let mut world = floor();
    for i in 0..10 {
        let (h, z) = (0.3 * f64::from(i + 1), 0.3 * f64::from(i));
        slab(&mut world, dvec3(0.0, 0.5 * h, z + 10.0), dvec3(2.0, 0.5 * h, 10.0));
    }
    let mut arrivals: Vec<f64> = Vec::new();
    for hz in [60.0, 120.0, 240.0, 360.0] {
        let mut walker = hero(dvec3(0.0, 0.0, -2.0));
        let mut arrival = None;
        for tick in 0..(2.0 * hz) as u32 {
            let before = walker.position();
            let report = walker.step(&world, Input::walk(dvec3(0.0, 0.0, 4.0)), 1.0 / hz);
            assert!(report.ground.is_some(), "{hz} Hz, tick {tick}: {report:?}");
            let (a, b) = (before.z - 3.5, walker.position().z - 3.5);
            if a < 0.0 && b >= 0.0 {
                arrival = Some((f64::from(tick) + a / (a - b)) / hz);
            }
        }
        // 5.5 m at 4 m/s, and the longer way over the edges.
        let arrival = arrival.unwrap();
        assert!(arrival > 1.375 && arrival < 1.5 * 1.375, "{hz} Hz: {arrival}");
        arrivals.push(arrival);
        assert!((walker.position().y - feet_at(dvec3(0.0, 3.0, 0.0)).y).abs() < 1e-9);
    }
    let spread = arrivals.iter().copied().fold(0.0, f64::max) / arrivals.iter().copied().fold(9.0, f64::min);
    assert!(spread < 1.01, "{arrivals:?}");
}

#[test]
fn jumps_as_high_at_any_rate() {
    let world = floor();
    for hz in [30.0, 60.0, 240.0] {
        let mut walker = hero(DVec3::ZERO);
        walker.step(&world, Input::IDLE, 1.0 / hz);
        walker.step(&world, Input::IDLE.jump(5.0), 1.0 / hz);
        let mut top: f64 = 0.0;
        for _ in 0..(2.0 * hz) as u32 {
            walker.step(&world, Input::IDLE, 1.0 / hz);
            top = top.max(walker.position().y - feet_at(DVec3::ZERO).y);
        }
        assert!((top / (25.0 / 19.62) - 1.0).abs() < 0.01, "{hz}: {top}");
        assert!(walker.ground().is_some());
        assert!((walker.position().y - feet_at(DVec3::ZERO).y).abs() < 1e-9, "{}", walker.position());
    }
}

#[test]
fn rides_a_turntable() {
    let mut world = World::new();
    let table = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(10.0, 1.0, 10.0));
    slab(&mut world, dvec3(0.0, -4.0, 0.0), dvec3(30.0, 1.0, 30.0));
    let mut rider = hero(dvec3(9.0, 0.0, 0.0));
    let turn = core::f64::consts::TAU / 60.0;
    for tick in 1..=60 {
        world.advance(DT, |moves| {
            moves.drive(table, DVec3::ZERO, DVec3::Y * core::f64::consts::TAU).unwrap();
        });
        let report = rider.step(&world, Input::IDLE, DT);
        let (sin, cos) = ops::sin_cos(turn * f64::from(tick));
        let exact = feet_at(dvec3(9.0 * cos, 0.0, -9.0 * sin));
        assert!(
            (rider.position() - exact).length() < 1e-9,
            "{tick}: {} {exact} {report:?}",
            rider.position()
        );
    }
    assert!((rider.yaw() - core::f64::consts::TAU).abs() < 1e-12);
}

#[test]
fn a_lift_carries_it_up_and_down() {
    for snap in [None, Some(0.0)] {
        let mut world = World::new();
        let lift = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(2.0, 1.0, 2.0));
        let settings = Settings { snap_distance: snap, ..Settings::default() };
        let mut rider = Character::new(capsule(), settings).unwrap().at(feet_at(DVec3::ZERO)).unwrap();
        for tick in 0..240 {
            let speed = if tick / 60 % 2 == 0 { 2.4 } else { -2.4 };
            world.advance(DT, |moves| {
                moves.drive(lift, DVec3::Y * speed, DVec3::ZERO).unwrap();
            });
            let report = rider.step(&world, Input::IDLE, DT);
            let gap = rider.position().y
                - feet_at(DVec3::ZERO).y
                - (world.body(lift).unwrap().pose().position().y + 1.0);
            assert!(gap > -1e-12, "{snap:?} {tick}: {gap:e}");
            if snap.is_none() {
                assert!(report.ground.is_some() && gap < 1e-6, "{tick}: {gap:e} {report:?}");
            }
        }
    }
}

#[test]
fn is_pushed_and_crushed() {
    let mut world = floor();
    let ram = slab(&mut world, dvec3(-2.0, 1.0, 0.0), dvec3(1.0, 0.9, 1.0));
    let wall = slab(&mut world, dvec3(3.0, 1.0, 0.0), dvec3(1.0, 0.9, 5.0));
    world.set_user_data(ram, 21).unwrap();
    world.set_user_data(wall, 22).unwrap();
    let mut victim = hero(DVec3::ZERO);
    let mut crushed = false;
    // As long as the ram is not beyond it.
    for tick in 0..200 {
        world.advance(DT, |moves| {
            moves.drive(ram, DVec3::X, DVec3::ZERO).unwrap();
        });
        let report = victim.step(&world, Input::IDLE, DT);
        let face = world.body(ram).unwrap().pose().position().x + 1.0;
        let gap = victim.position().x - RADIUS - SKIN - face;
        if report.crushed() {
            crushed = true;
            let by: Vec<_> = report.crushed_by().filter_map(|by| by.obstacle.body()).collect();
            assert!(by.contains(&ram) && by.contains(&wall), "{by:?}");
            let numbered = |id, number| {
                report.crushed_by().any(|by| by.obstacle.body() == Some(id) && by.user_data == number)
            };
            assert!(numbered(ram, 21) && numbered(wall, 22), "{report:?}");
        } else {
            assert!(gap > -1e-12, "{tick}: {gap:e}");
        }
        assert!(victim.position().x < 2.0 - RADIUS);
    }
    assert!(crushed);
}

#[test]
fn gets_out_of_a_box() {
    let mut world = floor();
    slab(&mut world, dvec3(-0.5, 0.5, 0.0), DVec3::splat(0.5));
    let mut inside = hero(DVec3::ZERO);
    let report = inside.step(&world, Input::IDLE, DT);
    assert!((inside.position() - feet_at(dvec3(RADIUS + SKIN, 0.0, 0.0))).length() < 1e-12, "{report:?}");
    assert_eq!(report.outcome, Outcome::Moved);
}

#[test]
fn nonsense_holds_it() {
    let world = floor();
    let mut walker = hero(DVec3::ZERO);
    let before = walker.position();
    for (input, dt) in [
        (Input::walk(DVec3::splat(f64::NAN)), DT),
        (Input::IDLE, 0.0),
        (Input::IDLE, -1.0),
        (Input::IDLE, f64::INFINITY),
        (Input::IDLE.jump(f64::NAN), DT),
    ] {
        assert_eq!(walker.step(&world, input, dt).outcome, Outcome::Refused);
        assert_eq!(walker.position(), before);
    }
}

/// Found by random play in a real building: in the air, pressed along a wall, it touched a flat tile and one
/// that rises by a ten-millionth, rose from the flat one by as much, and took that for flying: it never
/// landed, and the wall's friction held it.
#[test]
fn lands_on_a_floor_whose_tiles_are_not_quite_flat() {
    let rise = 1e-6;
    let corners = vec![
        [-2.0, 0.0, -2.0],
        [0.0, 0.0, -2.0],
        [2.0, 2.0 * rise, -2.0],
        [-2.0, 0.0, 2.0],
        [0.0, 0.0, 2.0],
        [2.0, 2.0 * rise, 2.0],
    ];
    let tiles = vec![[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]];
    let mut world = World::new();
    world.add(Body::fixed(Mesh::from_triangles(corners, tiles).unwrap()));
    let shape = Cuboid::new(dvec3(0.5, 0.5, 0.5)).unwrap();
    let hero = Character::new(shape, Settings { air_control: 0.0, ..Settings::default() }).unwrap();
    let mut hero = hero.at(dvec3(-0.2, 0.51, 0.0)).unwrap();
    hero.set_velocity(dvec3(0.1, 0.0, 0.0)).unwrap();
    let landed = (0..30).any(|_| hero.step(&world, Input::IDLE, DT).ground.is_some());
    assert!(landed, "{:?}", hero.velocity());
}

#[test]
fn goes_back_to_where_it_was_free_when_there_is_no_way_out() {
    let mut world = floor();
    let mut hero = hero(DVec3::ZERO);
    hero.step(&world, Input::IDLE, DT);
    let safe = hero.position();
    for _ in 0..30 {
        hero.step(&world, Input::walk(dvec3(4.0, 0.0, 0.0)), DT);
    }
    // A block, far larger than any way out is long, falls out of nowhere on where it is now, not on where it
    // was.
    slab(&mut world, dvec3(41.0, 0.0, 0.0), dvec3(40.0, 40.0, 40.0));
    let report = hero.step(&world, Input::IDLE, DT);
    assert!(matches!(report.outcome, Outcome::Moved | Outcome::Recovered), "{report:?}");
    assert!(hero.position().x <= 1.0 - RADIUS && (hero.position().y - safe.y).abs() < 1e-9, "{report:?}");
}

#[test]
fn one_pass_of_gravity_flies_the_same_parabola() {
    let world = floor();
    let mut tracks = [GravityPass::Separate, GravityPass::Combined].map(|gravity_pass| {
        let settings = Settings { gravity_pass, ..Settings::default() };
        let mut hero = Character::new(capsule(), settings).unwrap().at(feet_at(DVec3::ZERO)).unwrap();
        hero.step(&world, Input::IDLE, DT);
        hero.step(&world, Input::walk(dvec3(3.0, 0.0, 0.0)).jump(5.0), DT);
        let mut track = vec![hero.position()];
        while hero.ground().is_none() && track.len() < 200 {
            hero.step(&world, Input::walk(dvec3(3.0, 0.0, 0.0)), DT);
            track.push(hero.position());
        }
        track
    });
    // The two differ in the tick of the landing only, in which one stops short and the other slides on.
    let [a, b] = &mut tracks;
    assert_eq!(a.len(), b.len());
    assert!(a.len() > 50);
    let last = a.len() - 1;
    for (p, q) in a[..last].iter().zip(&b[..last]) {
        assert!((*p - *q).length() < 1e-12, "{p} {q}");
    }
    assert!((a[last].y - b[last].y).abs() < 1e-9, "{} {}", a[last], b[last]);
}
