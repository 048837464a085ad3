//! Driven bodies and balls that have somewhere to go: nothing ends up inside anything, checked in closed form
//! beside the table.

use carom::balls::{Ball, EventKind, Rules, Setup, Table};
use carom::num::ops::{cos, rotation_about, sin, sqrt};
use carom::world::BodyId;
use carom::{Body, Cuboid, Pose, World};
use glam::{DQuat, DVec3, dvec3};

/// In radii: the law.
const DEEPEST: f64 = 1e-9;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..9).for_each(|_| {
            random.unit();
        });
        random
    }

    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.unit() * all.len() as f64) as usize]
    }

    fn power_of_ten(&mut self, most: f64) -> f64 {
        let x = self.between(-most, most) * core::f64::consts::LN_10;
        // exp by (1 + x/n)^n, good enough for a mass.
        let mut y = 1.0 + x / 65536.0;
        (0..16).for_each(|_| y *= y);
        y
    }

    fn direction(&mut self) -> DVec3 {
        let (z, angle) = (self.between(-1.0, 1.0), self.between(0.0, 6.3));
        let r = sqrt(1.0 - z * z);
        dvec3(r * cos(angle), r * sin(angle), z)
    }
}

/// A driven box and how it was driven from time 0 on.
#[derive(Clone, Copy)]
struct Driven {
    id: BodyId,
    half: DVec3,
    at: DVec3,
    linear: DVec3,
    angular: DVec3,
}

impl Driven {
    /// How deep a ball is in the box: below 0 if it is clear.
    fn depth(&self, time: f64, center: DVec3, radius: f64) -> f64 {
        let rate = sqrt(self.angular.length_squared());
        let turn =
            if rate > 0.0 { rotation_about(self.angular / rate, rate * time) } else { DQuat::IDENTITY };
        let own = turn.conjugate() * (center - self.at - self.linear * time);
        let out = own.abs() - self.half;
        let outside = out.max(DVec3::ZERO);
        radius - sqrt(outside.length_squared()) - out.max_element().min(0.0)
    }
}

/// The deepest overlap of any two, in radii of the smaller.
fn deepest(table: &Table, bodies: &[Driven]) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for i in 0..table.len() {
        let (at, radius) = (table.ball(i).position, table.radius(i));
        for body in bodies {
            worst = worst.max(body.depth(table.time(), at, radius) / radius);
        }
        for j in 0..i {
            let sum = radius + table.radius(j);
            let apart = sqrt((at - table.ball(j).position).length_squared());
            worst = worst.max((sum - apart) / radius.min(table.radius(j)));
        }
    }
    worst
}

/// Plays a scene in which every ball has somewhere to go; answers how many events there were.
fn play(name: &str, table: &mut Table, bodies: &[Driven], seconds: f64) -> u64 {
    for body in bodies {
        assert!(table.drive(body.id, body.linear, body.angular));
    }
    let mut events = 0;
    for tick in 1..=(seconds * 60.0) as u64 {
        let until = tick as f64 / 60.0;
        while let Some(event) = table.next_event(until) {
            events += 1;
            assert!(!matches!(event.kind, EventKind::Crushed { .. }), "{name}: {event:?}");
            assert!(events < 400_000, "{name}: {events} events at {}", table.time());
        }
        let worst = deepest(table, bodies);
        assert!(worst < DEEPEST, "{name}: {worst:e} radii deep at {until}, {events} events");
    }
    events
}

fn rules(restitution: f64, gravity: DVec3) -> Rules {
    Rules { gravity, restitution, wall_restitution: restitution, ..Rules::default() }
}

fn driven(world: &mut World, half: DVec3, at: DVec3, linear: DVec3, angular: DVec3) -> Driven {
    let body = Body::kinematic(Cuboid::new(half).unwrap()).at(Pose::at(at).unwrap());
    Driven { id: world.add(body), half, at, linear, angular }
}

/// The scene of the report: after 66 events the ball was inside the wall.
#[test]
fn a_wall_that_turns_slowly_pushes_a_ball_without_bounce() {
    let mut world = World::new();
    let half = dvec3(0.5, 5.0, 5.0);
    let wall = driven(&mut world, half, dvec3(-1.5, 0.0, 0.0), DVec3::X, dvec3(0.0, 0.0, 0.01));
    let balls = vec![Ball::new(DVec3::ZERO, DVec3::ZERO, 0.2, 1.0).unwrap()];
    let mut table =
        Table::new(Setup { balls, obstacles: world, rules: rules(0.0, DVec3::ZERO), ..Setup::default() })
            .unwrap();
    let events = play("a wall", &mut table, &[wall], 20.0);
    assert!(events < 20_000, "{events}");
    assert!(table.ball(0).position.x > 18.0, "{:?}", table.ball(0));
}

/// A light ball between a wall and a heavy ball that comes away from it at 10⁻¹¹ m/s, beside the edge between
/// the two triangles of the wall's face: 3,000,000 events at one time, by the normals of both in turn.
#[test]
fn a_light_ball_between_a_wall_and_a_heavy_ball_settles() {
    let mut world = World::new();
    let half = dvec3(0.5, 5.0, 5.0);
    let at = dvec3(-1.164_868_101_081_802_3, 0.0, 0.0);
    let wall = driven(&mut world, half, at, DVec3::X, DVec3::ZERO);
    let small = 0.185_849_981_337_449_45;
    let balls = [
        (DVec3::ZERO, small, 1.0),
        (dvec3(0.483_209_953_477_368_56, 0.0, 0.0), small, 151_051.029_899_002_26),
        (dvec3(1.004_473_774_888_661_2, 0.0, 0.0), 0.223_903_849_271_373_55, 1.0),
        (dvec3(1.439_872_351_644_801, 0.0, 0.0), 0.099_984_737_682_296_7, 1.0),
        (dvec3(1.837_217_061_467_017, -0.010_950_521_584_796_317, 0.001_950_157_839_549_448_5), small, 1.0),
        (
            dvec3(2.263_142_253_973_669, -0.007_192_177_775_784_832, -0.012_152_310_802_416_444),
            0.128_565_221_366_732_82,
            35.755_610_528_261_485,
        ),
        (
            dvec3(2.667_833_061_365_33, -0.012_047_166_904_353_22, 0.005_820_624_290_082_674),
            0.164_615_596_222_458_55,
            1.0,
        ),
    ];
    let balls = balls.map(|(at, radius, mass)| Ball::new(at, DVec3::ZERO, radius, mass).unwrap()).to_vec();
    let rules = rules(0.5, DVec3::ZERO);
    let mut table = Table::new(Setup { balls, obstacles: world, rules, ..Setup::default() }).unwrap();
    let events = play("a light ball", &mut table, &[wall], 4.0);
    assert!(events < 20_000, "{events}");
}

fn one_wall(seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let mut world = World::new();
    let restitution = random.of(&[0.0, 0.0, 0.3, 0.5, 0.9, 1.0]);
    let count = random.of(&[1, 1, 2, 3, 5, 8]);
    let radius = random.between(0.05, 0.3);
    let turn = random.of(&[0.0, 0.01, 0.1, 1.0, 3.0]);
    let angular = random.direction() * turn;
    let speed = random.of(&[0.1, 1.0, 5.0]);
    let half = dvec3(0.5, 5.0, 5.0);
    let wall = driven(&mut world, half, dvec3(-3.5, 0.0, 0.0), dvec3(speed, 0.0, 0.0), angular);
    let gravity = match (random.unit() * 4.0) as u32 {
        0 => dvec3(-9.81, 0.0, 0.0),
        1 => dvec3(-1.0, -0.5, 0.2),
        _ => DVec3::ZERO,
    };
    let in_a_row = random.unit() < 0.5;
    let masses = random.of(&[0.0, 1.0, 3.0]);
    let mut balls: Vec<Ball> = Vec::new();
    for i in 0..count {
        let mass = random.power_of_ten(masses);
        let position = if in_a_row {
            dvec3(1.0 + 2.0 * radius * f64::from(i) * random.of(&[1.0, 1.0 + 1e-9, 1.01]), 0.0, 0.0)
        } else {
            dvec3(1.0 + 2.5 * radius * f64::from(i), random.between(-0.3, 0.3), random.between(-0.3, 0.3))
        };
        let position = balls.last().map_or(position, |last: &Ball| {
            let least = last.position.x + 2.0 * radius * (1.0 + 1e-15);
            if in_a_row { position.max(dvec3(least, f64::MIN, f64::MIN)) } else { position }
        });
        balls.push(Ball::new(position, DVec3::ZERO, radius, mass).unwrap());
    }
    let setup = Setup { balls, obstacles: world, rules: rules(restitution, gravity), ..Setup::default() };
    let mut table = Table::new(setup).unwrap();
    let name = format!(
        "seed {seed}: restitution {restitution}, {count} of {radius:.3}, speed {speed}, turn {turn}, gravity {gravity}, row {in_a_row}, masses 1e±{masses}"
    );
    play(&name, &mut table, &[wall], 5.0)
}

#[test]
fn nothing_is_inside_one_driven_wall_or_another_ball() {
    let mut events = 0;
    let mut most = 0;
    // Two of them were rows that fell and handed a rounding on for ever.
    for seed in (0..160).chain([1037, 1143]) {
        let own = one_wall(seed);
        (events, most) = (events + own, most.max(own));
    }
    println!("{events} events, at most {most} in a scene");
}

#[test]
#[ignore = "minutes: the same law over thousands of scenes"]
fn nothing_is_inside_one_driven_wall_in_thousands_of_scenes() {
    let mut failed = 0;
    let mut events = 0;
    for seed in 1000..4000 {
        match std::panic::catch_unwind(|| one_wall(seed)) {
            Ok(own) => events += own,
            Err(_) => failed += 1,
        }
    }
    println!("{events} events, {failed} scenes failed");
    assert_eq!(failed, 0);
}

/// Lifts that go up under what lies on them, with balls of very different masses in heaps.
#[test]
fn nothing_sinks_into_a_lift_that_carries_a_heap() {
    for seed in 0..24 {
        let mut random = Random::new(seed + 77);
        let mut world = World::new();
        let speed = random.of(&[0.2, 1.0, 4.0]);
        let half = dvec3(6.0, 0.5, 6.0);
        let lift = driven(&mut world, half, dvec3(0.0, -0.5, 0.0), dvec3(0.0, speed, 0.0), DVec3::ZERO);
        let mut balls = Vec::new();
        let spread = random.of(&[1.0, 3.0]);
        for i in 0..30 {
            let (row, layer) = (i % 9, i / 9);
            let place = dvec3(
                f64::from(row % 3) * 0.21 - 0.2,
                0.1 + 0.21 * f64::from(layer),
                f64::from(row / 3) * 0.21,
            );
            let place = place + random.direction() * 0.004 + dvec3(0.0, 0.004, 0.0);
            balls.push(Ball::new(place, DVec3::ZERO, 0.1, random.power_of_ten(spread)).unwrap());
        }
        let restitution = random.of(&[0.0, 0.3, 0.8]);
        let rules = Rules { rest_share: 1.0 / 64.0, ..rules(restitution, dvec3(0.0, -9.81, 0.0)) };
        let mut table = Table::new(Setup { balls, obstacles: world, rules, ..Setup::default() }).unwrap();
        let name = format!("lift {seed}: speed {speed}, restitution {restitution}, masses 1e±{spread}");
        play(&name, &mut table, &[lift], 2.0);
    }
}

/// A closed box of six driven walls that go together, and sometimes turn: nothing gets out.
#[test]
fn a_closed_container_that_is_driven_loses_no_ball() {
    for seed in 0..60 {
        container(seed);
    }
}

fn container(seed: u64) {
    let mut random = Random::new(seed + 500);
    let turn = random.of(&[0.0, 0.0, 0.3, 2.0]);
    let angular = random.direction() * turn;
    let linear = random.direction() * random.of(&[0.0, 1.0, 5.0]);
    let restitution = random.of(&[0.0, 0.4, 0.8, 1.0]);
    let gravity = if random.unit() < 0.5 { dvec3(0.0, -9.81, 0.0) } else { DVec3::ZERO };
    // The six walls of a box of half size 1, as one mesh of twelve triangles about the origin.
    let corners: Vec<[f32; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 })).collect();
    let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = carom::Mesh::from_triangles(corners, triangles).unwrap();
    let mut world = World::new();
    let id = world.add(Body::kinematic(mesh));
    let mut balls = Vec::new();
    let spread = random.of(&[0.0, 2.0]);
    for i in 0..8 {
        let place = dvec3(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)) - 0.5;
        let radius = random.between(0.1, 0.24);
        balls.push(Ball::new(place, random.direction(), radius, random.power_of_ten(spread)).unwrap());
    }
    let rules = Rules { rest_share: 1.0 / 256.0, ..rules(restitution, gravity) };
    let mut table = Table::new(Setup { balls, obstacles: world, rules, ..Setup::default() }).unwrap();
    assert!(table.drive(id, linear, angular));
    let name = format!("container {seed}: turn {turn}, {linear}, restitution {restitution}, {gravity}");
    let mut events = 0;
    for tick in 1..=240 {
        while let Some(event) = table.next_event(f64::from(tick) / 60.0) {
            events += 1;
            assert!(!matches!(event.kind, EventKind::Crushed { .. }), "{name}: {event:?}");
            assert!(events < 1_000_000, "{name}: {events} events at {}", table.time());
        }
        let time = table.time();
        let turned = if turn > 0.0 { rotation_about(angular / turn, turn * time) } else { DQuat::IDENTITY };
        for i in 0..table.len() {
            let own = turned.conjugate() * (table.ball(i).position - linear * time);
            let depth = own.abs().max_element() + table.radius(i) - 1.0;
            assert!(depth < DEEPEST * table.radius(i), "{name}: ball {i} is {depth:e} out at {time}");
        }
        assert!(deepest(&table, &[]) < DEEPEST, "{name}");
    }
}

/// A press that comes down on a ball names itself, and the ball is free again when the press has gone up.
#[test]
fn a_ball_with_nowhere_to_go_is_reported_with_the_body_that_pressed_it() {
    let mut world = World::new();
    let half = dvec3(1.0, 0.5, 1.0);
    let press = driven(&mut world, half, dvec3(0.0, 2.0, 0.0), dvec3(0.0, -1.0, 0.0), DVec3::ZERO);
    world.add(Body::fixed(Cuboid::new(half).unwrap()).at(Pose::at(dvec3(0.0, -0.5, 0.0)).unwrap()));
    let balls = vec![Ball::new(dvec3(0.1, 0.2, 0.0), DVec3::ZERO, 0.2, 1.0).unwrap()];
    let rules = rules(0.4, dvec3(0.0, -9.81, 0.0));
    let mut table = Table::new(Setup { balls, obstacles: world, rules, ..Setup::default() }).unwrap();
    assert!(table.drive(press.id, press.linear, press.angular));
    let mut crushed = Vec::new();
    table.advance(1.6, |_, event| {
        if let EventKind::Crushed { ball, body } = event.kind {
            crushed.push((event.time, ball, body));
        }
    });
    let [(time, ball, body)] = crushed[..] else { panic!("{crushed:?}") };
    assert!((1.09..1.1001).contains(&time) && ball == 0 && body == press.id, "{crushed:?}");
    assert!(table.drive(press.id, dvec3(0.0, 1.0, 0.0), DVec3::ZERO));
    table.advance(2.0, |_, event| assert!(!matches!(event.kind, EventKind::Crushed { .. })));
    let y = table.ball(0).position.y;
    assert!((0.2 - 1e-9..0.21).contains(&y), "{y}");
}
