//! Idle heroes, wherever gravity points: one that nobody wants anything of, and that stands, stays.

use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};

/// How an idle hero went after it had stood still for half a second.
fn drift(seed: u64) -> Option<(f64, String)> {
    let mut random = Random::scattered(seed);
    let mut world = World::new();
    let tilt = |random: &mut Random, most: f64| {
        ops::rotation_about(random.heading(), most * random.unit() * random.unit())
    };
    for _ in 0..2 + random.below(5) {
        let half = dvec3(random.between(0.2, 3.0), random.between(0.1, 1.0), random.between(0.2, 3.0));
        let at = random.heading() * random.between(0.0, 2.5) - DVec3::Y * random.between(0.0, 1.5);
        let turn = if random.below(3) == 0 { DQuat::IDENTITY } else { tilt(&mut random, 1.0) };
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(turn)).expect("is a pose");
        let body = if random.below(2) == 0 {
            Body::fixed(Cuboid::new(half).expect("is above 0"))
        } else {
            Body::fixed(MeshBuilder::cuboid(half).rounded().into_mesh().expect("twelve triangles"))
        };
        world.add(body.at(pose));
    }
    let (radius, height) = (random.between(0.15, 0.5), random.between(0.1, 0.9));
    let shape: Mover = match random.below(4) {
        0 => Ellipsoid::new(dvec3(radius, radius + height, random.between(0.15, 0.5))).map(Into::into),
        1 => Capsule::new(radius, height).map(Into::into),
        2 => Sphere::new(radius).map(Into::into),
        _ => Cuboid::new(dvec3(radius, height, random.between(0.15, 0.5))).map(Into::into),
    }
    .expect("lengths are above 0");
    let up = tilt(&mut random, 0.8) * DVec3::Y;
    let gravity = tilt(&mut random, 1.5) * DVec3::NEG_Y * 9.81;
    let settings = Settings { up, gravity, ..Settings::default() };
    let start = dvec3(random.between(-1.0, 1.0), 3.0, random.between(-1.0, 1.0));
    let mut hero = Character::new(shape, settings).and_then(|hero| hero.at(start)).expect("in their ranges");
    let mut still = 0;
    for tick in 0..400 {
        let from = hero.position();
        hero.step(&world, Input::IDLE, 1.0 / 60.0);
        let stands = hero.ground().is_some() && hero.position() == from;
        still = if stands {
            still + 1
        } else if still < 30 {
            0
        } else {
            still
        };
        if still >= 30 && hero.position() != from {
            let way = (hero.position() - from).length();
            return Some((
                way,
                format!("seed {seed} tick {tick}: {from} by {way:e}, up {up}, gravity {gravity}, {shape:?}"),
            ));
        }
        if hero.position().length() > 30.0 {
            return None;
        }
    }
    (still >= 30).then(|| (0.0, String::new()))
}

fn hunt(seeds: core::ops::Range<u64>) {
    let found: Vec<_> = seeds.filter_map(drift).collect();
    let moved: Vec<&String> = found.iter().filter(|(way, _)| *way > 0.0).map(|(_, line)| line).collect();
    println!("{} stood, {} of them moved", found.len(), moved.len());
    assert!(found.len() > 20);
    assert!(moved.is_empty(), "{moved:#?}");
}

#[test]
fn an_idle_hero_that_stands_stays_wherever_gravity_points() {
    hunt(0..1_000);
}

#[test]
#[ignore = "a soak: a minute"]
fn the_same_of_many() {
    hunt(10_000..20_000);
}
