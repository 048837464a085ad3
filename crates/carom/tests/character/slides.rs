//! A slide down a face that is too steep to stand on: as fast as its slope and friction make it, whatever the
//! desired velocity, and at any tick rate.

use carom::character::{Character, GravityPass, Input, Settings};
use carom::mesh::Surface;
use carom::num::ops;
use carom::{Body, Cuboid, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, Shape, shapes};

const GRAVITY: f64 = 9.81;

/// A plane face through the origin that descends along x, and a hero that touches it there.
struct Slope {
    angle: f64,
    friction: f64,
    world: World,
    hero: Character,
}

impl Slope {
    fn any(random: &mut Random, air_control: f64) -> Self {
        let angle = random.between(46.0, 80.0f64).to_radians();
        let (sin, cos) = ops::sin_cos(angle);
        let steepest = sin / cos;
        let friction = if random.below(4) == 0 { 0.0 } else { random.between(0.0, 0.7 * steepest) };
        let normal = dvec3(sin, cos, 0.0);
        let turn = ops::rotation_about(DVec3::Z, -angle);
        let pose = Pose::at(normal * -50.0).and_then(|pose| pose.with_rotation(turn)).unwrap();
        let surface = Surface { friction: Some(friction), ..Surface::default() };
        let mut world = World::new();
        world
            .add(Body::fixed(Cuboid::new(dvec3(300.0, 50.0, 300.0)).unwrap()).at(pose).with_surface(surface));
        let cuboid = Cuboid::new(dvec3(0.5, 0.875, 0.5)).unwrap();
        let of_quake = Shape { mover: cuboid.into(), radius: 0.5, half_height: 0.875 };
        let shape = [shapes().as_slice(), &[of_quake]].concat()[random.below(6)];
        let gravity_pass = [GravityPass::Separate, GravityPass::Combined][random.below(2)];
        let settings = Settings { air_control, gravity_pass, ..Settings::default() };
        let hero = Character::new(shape.mover, settings).unwrap();
        let lowest = shape.mover.support_point(-normal).dot(-normal);
        let hero = hero.at(normal * (lowest + hero.skin() + 1e-9)).unwrap();
        Self { angle, friction, world, hero }
    }

    /// How far it comes in a second.
    fn way(&self, input: Input, rate: f64) -> DVec3 {
        let mut hero = self.hero;
        let start = hero.position();
        for _ in 0..rate as u32 {
            hero.step(&self.world, input, 1.0 / rate);
        }
        hero.position() - start
    }

    /// The same without a desired velocity, by Coulomb's law, along the slope.
    fn slid(&self) -> f64 {
        0.5 * GRAVITY * (ops::sin(self.angle) - self.friction * ops::cos(self.angle))
    }
}

#[test]
fn nobody_holds_on_to_a_steep_face_by_wanting_to() {
    let mut random = Random(0x511D);
    for _ in 0..120 {
        let air_control = [1.0, 0.3, 0.05][random.below(3)];
        let slope = Slope::any(&mut random, air_control);
        let (down, slid) = (dvec3(ops::cos(slope.angle), -ops::sin(slope.angle), 0.0), slope.slid());
        // Nothing, to stand, and to climb.
        let uphill = DVec3::X * -random.between(0.5, 8.0);
        for input in [Input::IDLE, Input::walk(DVec3::ZERO), Input::walk(uphill)] {
            for rate in RATES {
                let way = slope.way(input, rate);
                // It begins at the face to within the skin; who pushes against the face lets go of its skin.
                let off = (way - down * slid).length();
                assert!(off < 0.02 + 0.02 * slid, "{off} of {slid} at {rate}: {input:?}, {:?}", slope.hero);
            }
        }
    }
}

#[test]
fn a_walk_across_a_steep_face_slides_down_as_far_at_any_rate() {
    let mut random = Random(0x511E);
    for _ in 0..60 {
        let slope = Slope::any(&mut random, 1.0);
        let across = DVec3::Z * random.between(1.0, 8.0);
        let ways = RATES.map(|rate| slope.way(Input::walk(across), rate));
        for (way, rate) in ways.iter().zip(RATES) {
            // Friction takes from it what it brakes in one tick.
            let braked = slope.friction * GRAVITY * ops::cos(slope.angle) / rate;
            let missing = across.z - way.z;
            assert!((-0.02..0.02 + braked).contains(&missing), "{way} wants {across} at {rate}");
        }
        let (longest, shortest) = ways
            .iter()
            .fold((0.0f64, f64::INFINITY), |(most, least), way| (most.max(-way.y), least.min(-way.y)));
        let idle = slope.slid() * ops::sin(slope.angle);
        // Friction works against the whole motion: less of it is left against the slide.
        assert!(shortest > idle - 0.02 - 0.02 * idle, "{shortest} of {idle}: {:?}", slope.hero);
        assert!(longest - shortest < 0.02 + 0.06 * longest, "{ways:?}: {:?}", slope.hero);
    }
}

/// Upright walls and overhangs, pressed against in the air: a fall beside them is a free fall, at any rate.
#[test]
fn nobody_holds_on_to_a_wall_by_wanting_to() {
    let mut random = Random(0x511F);
    for _ in 0..120 {
        let shape = shapes()[random.below(shapes().len())];
        let gravity_pass = [GravityPass::Separate, GravityPass::Combined][random.below(2)];
        let air_control = [1.0, 0.3, 0.05][random.below(3)];
        let settings = Settings { air_control, gravity_pass, ..Settings::default() };
        let hero = Character::new(shape.mover, settings).unwrap();
        // By no more than that the wall leans over the hero: what a push adds leads down along it.
        let leans = if random.below(2) == 0 { 0.0 } else { random.between(0.0, 0.02) };
        let turn = ops::rotation_about(DVec3::Z, -leans);
        let normal = turn * DVec3::X;
        let lowest = shape.mover.support_point(-normal).dot(-normal);
        let pose = Pose::at(normal * -50.0).and_then(|pose| pose.with_rotation(turn)).unwrap();
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(50.0, 300.0, 300.0)).unwrap()).at(pose));
        let wish = dvec3(-random.between(0.5, 8.0), 0.0, random.between(-2.0, 2.0));
        for rate in RATES {
            let mut hero = hero.at(normal * (lowest + hero.skin() + 1e-9)).unwrap();
            let start = hero.position();
            for _ in 0..rate as u32 {
                hero.step(&world, Input::walk(wish), 1.0 / rate);
            }
            let fallen = start.y - hero.position().y;
            let free = 0.5 * GRAVITY;
            assert!((fallen - free).abs() < 0.1, "{fallen} of {free} at {rate}, {wish}, {leans}: {hero:?}");
        }
    }
}
