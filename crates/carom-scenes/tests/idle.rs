//! Idle heroes, wherever gravity points: a hero that stands and has no input stays.

use carom::character::{Character, GravityPass, Input, Settings};
use carom::num::ops;
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};
use rayon::prelude::*;

/// How an idle hero went after it had stood still for half a second: among leaning blocks.
fn drift(seed: u64) -> Option<(f64, String)> {
    let mut random = Random::scattered(seed);
    let mut world = World::new();
    for _ in 0..2 + random.below(5) {
        let half = dvec3(random.between(0.2, 3.0), random.between(0.1, 1.0), random.between(0.2, 3.0));
        let at = random.heading() * random.between(0.0, 2.5) - DVec3::Y * random.between(0.0, 1.5);
        let turn = if random.below(3) == 0 { DQuat::IDENTITY } else { tilt(&mut random, 1.0) };
        let is_solid = random.below(2) == 0;
        block(&mut world, half, at, turn, is_solid);
    }
    let shape = shape(&mut random);
    let up = tilt(&mut random, 0.8) * DVec3::Y;
    let gravity = tilt(&mut random, 1.5) * DVec3::NEG_Y * 9.81;
    let settings = Settings { up, gravity, ..Settings::default() };
    let start = dvec3(random.between(-1.0, 1.0), 3.0, random.between(-1.0, 1.0));
    stands_still(&world, shape, settings, (start, 1.0 / 60.0), seed)
}

/// The same on slopes within a degree of the steepest, on edges between them, at all rates, with any skin,
/// friction and gravity, turned as a whole.
fn drift_on_slopes(seed: u64) -> Option<(f64, String)> {
    let mut random = Random::scattered(seed);
    let mut world = World::new();
    let whole = if random.below(2) == 0 { DQuat::IDENTITY } else { tilt(&mut random, 3.0) };
    let steepest = random.between(0.5, 1.1);
    for _ in 0..1 + random.below(4) {
        let half = dvec3(random.between(0.1, 3.0), random.between(0.05, 1.0), random.between(0.1, 3.0));
        let slope = match random.below(4) {
            0 => 0.0,
            1 => random.between(0.0, steepest),
            _ => steepest + random.between(-0.02, 0.02) * random.unit() * random.unit(),
        };
        let turn = ops::rotation_about(random.heading(), slope);
        // The top is near the middle: edges and seams of several meet under the hero.
        let at = random.heading() * random.between(0.0, 0.8) - turn * DVec3::Y * half.y;
        let is_solid = random.below(2) == 0;
        block(&mut world, half, whole * at, whole * turn, is_solid);
    }
    let shape = shape(&mut random);
    let up = whole * DVec3::Y;
    let pull = [1.0, 9.81, 30.0][random.below(3)];
    let gravity = whole * tilt(&mut random, 1.5) * DVec3::NEG_Y * pull;
    let settings = Settings {
        up,
        gravity,
        max_slope: steepest,
        skin: Some([0.01, 0.001, 0.03][random.below(3)]),
        gravity_pass: if random.below(2) == 0 { GravityPass::Separate } else { GravityPass::Combined },
        ..Settings::default()
    };
    let start = whole * dvec3(random.between(-0.6, 0.6), random.between(1.2, 2.0), random.between(-0.6, 0.6));
    let rate = [20.0, 30.0, 60.0, 144.0, 240.0][random.below(5)];
    stands_still(&world, shape, settings, (start, 1.0 / rate), seed)
}

fn tilt(random: &mut Random, most: f64) -> DQuat {
    ops::rotation_about(random.heading(), most * random.unit() * random.unit())
}

fn block(world: &mut World, half: DVec3, at: DVec3, turn: DQuat, is_solid: bool) {
    let pose = Pose::at(at).and_then(|pose| pose.with_rotation(turn)).expect("is a pose");
    let body = if is_solid {
        Body::fixed(Cuboid::new(half).expect("is above 0"))
    } else {
        Body::fixed(MeshBuilder::cuboid(half).rounded().into_mesh().expect("twelve triangles"))
    };
    world.add(body.at(pose));
}

fn shape(random: &mut Random) -> Mover {
    let (radius, height) = (random.between(0.15, 0.5), random.between(0.1, 0.9));
    match random.below(4) {
        0 => Ellipsoid::new(dvec3(radius, radius + height, random.between(0.15, 0.5))).map(Into::into),
        1 => Capsule::new(radius, height).map(Into::into),
        2 => Sphere::new(radius).map(Into::into),
        _ => Cuboid::new(dvec3(radius, height, random.between(0.15, 0.5))).map(Into::into),
    }
    .expect("lengths are above 0")
}

/// How far it moved after half a second of standing still, and what names it; `None` if it never stood.
fn stands_still(
    world: &World,
    shape: Mover,
    settings: Settings,
    (start, dt): (DVec3, f64),
    seed: u64,
) -> Option<(f64, String)> {
    let mut hero = Character::new(shape, settings).and_then(|hero| hero.at(start)).expect("in their ranges");
    let half_a_second = (0.5 / dt) as usize;
    let mut still = 0;
    for tick in 0..400.max(4 * half_a_second) {
        let from = hero.position();
        hero.step(world, Input::IDLE, dt);
        let stands = hero.ground().is_some() && hero.position() == from;
        still = if stands {
            still + 1
        } else if still < half_a_second {
            0
        } else {
            still
        };
        if still >= half_a_second && hero.position() != from {
            let way = (hero.position() - from).length();
            return Some((
                way,
                format!("seed {seed} tick {tick}: {from} by {way:e}, {settings:?}, {shape:?}, dt {dt}"),
            ));
        }
        if hero.position().length() > 30.0 {
            return None;
        }
    }
    (still >= half_a_second).then(|| (0.0, String::new()))
}

fn hunt(seeds: core::ops::Range<u64>, drift: impl Fn(u64) -> Option<(f64, String)> + Send + Sync) {
    let count = seeds.end - seeds.start;
    let found: Vec<_> = seeds.into_par_iter().filter_map(drift).collect();
    let moved: Vec<&String> = found.iter().filter(|(way, _)| *way > 0.0).map(|(_, line)| line).collect();
    println!("of {count} idle heroes {} stood, {} of them moved", found.len(), moved.len());
    assert!(found.len() > 20);
    assert!(moved.is_empty(), "{moved:#?}");
}

#[test]
fn an_idle_hero_that_stands_stays_wherever_gravity_points() {
    hunt(0..1_000, drift);
}

#[test]
fn an_idle_hero_that_stands_stays_on_the_steepest_slopes_and_their_edges() {
    hunt(0..500, drift_on_slopes);
}

/// From the seed `CAROM_FIRST_SEED` (0) on, `CAROM_HEROES` (20,000) of both kinds.
#[test]
#[ignore = "a soak: minutes"]
fn the_same_of_many() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("is a whole number"))
    };
    let first = number("CAROM_FIRST_SEED", 0);
    let count = number("CAROM_HEROES", 20_000) / 2;
    hunt(first..first + count, drift);
    hunt(first..first + count, drift_on_slopes);
}
