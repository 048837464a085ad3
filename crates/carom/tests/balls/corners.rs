//! Balls in corners of two and three planes: they settle, in a bounded number of events, and win no energy
//! but the lowest bounces that they borrow.

use carom::balls::{Ball, BallMotion, Rules, Setup, Table, Wall};
use carom::num::ops::{cos, sin, sqrt};
use glam::{DQuat, DVec3, dvec3};

use super::Dice;

const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 9.81;

/// The events that a table may have: so many for each ball and each lowest bounce, which lasts
/// √(8 · share · radius / gravity).
const A_BOUNCE: f64 = 8.0;

/// The lowest bounces for each ball by which the energy may be above the least until then.
const BORROWED: f64 = 2.0;

/// A corner: planes that lean at this angle to the ground, all round.
#[derive(Clone, Copy, Debug)]
struct Corner {
    planes: u32,
    /// Of each plane above the ground, in degrees.
    slope: f64,
    restitution: f64,
    balls: u32,
    /// How far gravity leans, in degrees.
    lean: f64,
}

impl Corner {
    fn normals(&self) -> Vec<DVec3> {
        let slope = self.slope.to_radians();
        (0..self.planes)
            .map(|i| {
                let around = core::f64::consts::TAU * f64::from(i) / f64::from(self.planes) + 0.3;
                dvec3(-sin(slope) * cos(around), cos(slope), -sin(slope) * sin(around))
            })
            .collect()
    }

    fn table(&self, seed: u64) -> Table {
        let mut dice = Dice(seed);
        let walls: Vec<Wall> =
            self.normals().iter().map(|&normal| Wall::Plane { point: DVec3::ZERO, normal }).collect();
        // High enough to be clear of steep planes, one above another.
        let clear = RADIUS / cos(self.slope.to_radians());
        let balls = (0..self.balls)
            .map(|i| {
                let up = clear + RADIUS * (1.0 + 2.1 * f64::from(i));
                let place = dvec3(0.0, up, 0.0) + dice.vector() * (0.02 * RADIUS);
                Ball::new(place, dice.vector() * 0.1, RADIUS, 1.0).unwrap()
            })
            .collect();
        let (sine, cosine) = (sin(self.lean.to_radians()), cos(self.lean.to_radians()));
        let gravity = dvec3(sine * 0.6, -cosine, sine * 0.8) * GRAVITY;
        let Corner { restitution, .. } = *self;
        let rules = Rules { gravity, restitution, wall_restitution: restitution, ..Rules::default() };
        Table::new(Setup { balls, walls, rules, ..Setup::default() }).unwrap()
    }
}

/// Two and three planes, from nearly level to nearly closed, one ball and three, gravity upright and leaning.
fn corners() -> Vec<Corner> {
    let mut all = Vec::new();
    for planes in [2, 3] {
        for slope in [5.0, 20.0, 40.0, 55.0, 70.0, 80.0, 88.0] {
            for restitution in [0.0, 0.3, 0.6, 0.9] {
                for (balls, lean) in [(1, 0.0), (3, 3.0)] {
                    all.push(Corner { planes, slope, restitution, balls, lean });
                }
            }
        }
    }
    all
}

/// The record of a table that was played.
struct Played {
    events: u64,
    /// The most that the energy was above that at the start, in joules.
    gained: f64,
    /// The most that it was above the least until then, in energies of one lowest bounce of each ball.
    borrowed: f64,
    /// In radii.
    deepest: f64,
}

/// Plays a table among planes through the origin; what was farther out than `far` has come to their ends.
fn play(table: &mut Table, normals: &[DVec3], seconds: f64, most: u64, far: f64) -> Played {
    let start = table.energy();
    let mut played = Played { events: 0, gained: 0.0, borrowed: 0.0, deepest: 0.0 };
    let bounces: f64 = (0..table.len()).map(|i| table.mass(i) * GRAVITY * table.radius(i) / 1024.0).sum();
    let mut least = start;
    let mut inside = vec![true; table.len()];
    while table.next_event(seconds).is_some() && played.events <= most {
        played.events += 1;
        let energy = table.energy();
        least = least.min(energy);
        played.gained = played.gained.max(energy - start);
        played.borrowed = played.borrowed.max((energy - least) / bounces);
        let is_far = |i: usize| table.ball(i).position.length_squared() > far * far;
        (0..table.len()).for_each(|i| inside[i] &= !is_far(i));
    }
    played.deepest = super::deepest_overlap(table);
    for (i, inside) in inside.into_iter().enumerate() {
        let (at, radius) = (table.ball(i).position, table.radius(i));
        if inside && at.length_squared() < far * far {
            let deep = |normal: &DVec3| 1.0 - at.dot(*normal) / radius;
            played.deepest = normals.iter().map(deep).fold(played.deepest, f64::max);
        }
    }
    played
}

#[test]
fn balls_in_corners_settle_with_bounded_events_and_win_no_energy() {
    let all = corners();
    assert_eq!(all.len(), 112);
    let (seconds, mut events, mut held, mut borrowed) = (60.0, 0, 0, 0.0f64);
    for (number, corner) in all.iter().enumerate() {
        let mut table = corner.table(number as u64);
        let most = most_events(&table, seconds);
        let played = play(&mut table, &corner.normals(), seconds, most, f64::INFINITY);
        let Played { gained, deepest, .. } = played;
        events += played.events;
        borrowed = borrowed.max(played.borrowed);
        assert!(played.borrowed < BORROWED, "{corner:?}: {} lowest bounces borrowed", played.borrowed);
        assert!(played.events <= most, "{corner:?}: {} events by {}", played.events, table.time());
        assert!(gained <= 1e-12 * table.mass(0) * GRAVITY * RADIUS, "{corner:?}: {gained:e} J gained");
        assert!(deepest < 1e-9, "{corner:?}: {deepest:e} radii deep");
        let resting = (0..table.len()).filter(|&i| table.ball(i).motion == BallMotion::Resting).count();
        // Three planes all round hold whatever falls into them; along a groove that leans balls continue.
        if corner.planes == 3 && corner.slope >= 20.0 {
            assert_eq!(resting, table.len(), "{corner:?}");
            held += 1;
        }
    }
    println!(
        "{events} events in {} corners of {seconds} s, {held} of them closed, {borrowed} lowest bounces borrowed",
        all.len()
    );
}

/// So many events a table may have: [`A_BOUNCE`] for each ball and lowest bounce.
fn most_events(table: &Table, seconds: f64) -> u64 {
    let smallest = (0..table.len()).map(|i| table.radius(i)).fold(f64::INFINITY, f64::min);
    let bounce = sqrt(8.0 * smallest / 1024.0 / GRAVITY);
    (A_BOUNCE * table.len() as f64 * seconds / bounce) as u64
}

/// 10 to a power, by squaring: (1 + x/n)ⁿ.
fn power_of_ten(power: f64) -> f64 {
    let mut y = 1.0 + power * core::f64::consts::LN_10 / 65536.0;
    (0..16).for_each(|_| y *= y);
    y
}

/// A corner of random planes that holds what falls into it, with random balls.
fn random_corner(seed: u64) -> (Table, Vec<DVec3>, String) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 77);
    (0..9).for_each(|_| {
        dice.unit();
    });
    let restitution = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99][(dice.unit() * 7.0) as usize];
    let flat = dice.unit() < 0.3;
    let wanted = if flat { 2 } else { 2 + (dice.unit() * 2.0) as usize };
    let kind = (dice.unit() * 3.0) as usize;
    let count = [1, 1, 2, 3, 5, 8][(dice.unit() * 6.0) as usize];
    let spread = [0.0, 0.0, 2.0, 6.0][(dice.unit() * 4.0) as usize];
    let unit = |v: DVec3| v / sqrt(v.length_squared());
    let flatten = |v: DVec3| if flat { dvec3(v.x, v.y, 0.0) } else { v };
    // Planes with room between them, which hold gravity between them.
    let (normals, open) = loop {
        let normals: Vec<DVec3> = (0..wanted).map(|_| unit(flatten(dice.vector()))).collect();
        let open = unit(normals.iter().sum::<DVec3>());
        if normals.iter().all(|n| n.dot(open) > 0.03) {
            break (normals, open);
        }
    };
    let weights: Vec<f64> = (0..wanted).map(|_| dice.unit()).collect();
    let down = -unit(normals.iter().zip(&weights).map(|(n, w)| *n * *w).sum::<DVec3>());
    let gravity = down * 9.81;
    let same = dice.unit() < 0.5;
    let radii: Vec<f64> = (0..count).map(|_| if same { 0.1 } else { 0.04 + 0.2 * dice.unit() }).collect();
    let least = normals.iter().map(|n| n.dot(open)).fold(1.0, f64::min);
    let mut out = 0.3 / least;
    let mut balls = Vec::new();
    for radius in radii {
        out += radius + 0.02;
        let mass = power_of_ten((dice.unit() * 2.0 - 1.0) * spread);
        let place = open * out + flatten(dice.vector()) * 0.005;
        balls.push(Ball::new(place, flatten(dice.vector()) * 0.3, radius, mass).unwrap());
        out += radius + 0.02;
    }
    let mut walls = Vec::new();
    let mut world = carom::World::new();
    for &normal in &normals {
        match kind {
            0 => walls.push(Wall::Plane { point: DVec3::ZERO, normal }),
            1 if flat => {
                let along = dvec3(normal.y, -normal.x, 0.0) * 40.0;
                walls.push(Wall::Segment { a: -along, b: along });
            }
            _ => {
                let half = dvec3(30.0, 1.0, 30.0);
                let turn = DQuat::from_rotation_arc(DVec3::Y, normal);
                let pose = carom::Pose::at(-normal).unwrap().with_rotation(turn).unwrap();
                world.add(carom::Body::fixed(carom::Cuboid::new(half).unwrap()).at(pose));
            }
        }
    }
    let name = format!(
        "seed {seed}: restitution {restitution}, {wanted} planes, kind {kind}, flat {flat}, {count} balls, masses 1e±{spread}, same {same}"
    );
    let rules = Rules {
        gravity,
        restitution,
        wall_restitution: restitution,
        dimensions: if flat { carom::balls::Dimensions::Two } else { carom::balls::Dimensions::Three },
        ..Rules::default()
    };
    (Table::new(Setup { balls, walls, rules, obstacles: world, ..Setup::default() }).unwrap(), normals, name)
}

fn settles_in_a_random_corner(seed: u64) -> u64 {
    let (mut table, normals, name) = random_corner(seed);
    let most = most_events(&table, 10.0);
    let Played { events, gained, borrowed, deepest } = play(&mut table, &normals, 10.0, most, 25.0);
    assert!(borrowed < BORROWED, "{name}: {borrowed} lowest bounces borrowed");
    let weight = (0..table.len()).map(|i| table.mass(i) * table.radius(i)).fold(0.0, f64::max) * GRAVITY;
    assert!(events <= most, "{name}: {events} events by {}", table.time());
    assert!(gained <= 1e-12 * weight, "{name}: {gained:e} J gained");
    assert!(deepest < 1e-9, "{name}: {deepest:e} radii deep");
    events
}

/// Planes, segments and boxes at random angles, up to eight balls, masses of 10⁻⁶ to 10⁶, any restitution.
#[test]
fn balls_in_random_corners_have_bounded_events_and_win_no_energy() {
    let events: u64 = (0..200).map(settles_in_a_random_corner).sum();
    println!("{events} events");
}

/// A ball of 3 · 10⁻⁵ kg between a wall, one of 0.09 kg and one of 3.5 t that comes at 5 m/s: if it rested
/// because it got nowhere, it would be woken and rest again in no time. And one that was doubted.
#[test]
fn a_light_ball_does_not_rest_while_a_heavy_one_drives_it_into_a_corner() {
    let events = [2165, 6212].map(settles_in_a_random_corner);
    assert!(events.iter().all(|&events| events < 10_000), "{events:?}");
}

#[test]
#[ignore = "minutes: the same law over thousands of corners"]
fn balls_in_thousands_of_random_corners_have_bounded_events() {
    let mut failed = 0;
    for seed in 1000..7000 {
        failed += u32::from(std::panic::catch_unwind(|| settles_in_a_random_corner(seed)).is_err());
    }
    println!("{failed} corners failed");
    assert_eq!(failed, 0);
}
