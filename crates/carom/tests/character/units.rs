//! A scene in another unit of length, a power of two: every tick is the same to the bit.

use carom::character::{Character, Crowd, Input, Settings};
use carom::num::ops::rotation_about;
use carom::world::BodyId;
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mesh, Mover, Pose, Sphere, World};
use glam::{DVec3, dvec3};

use crate::DT;
use crate::random::Random;

/// The scene of a seed with lengths times `unit`: blocks at rest, a mesh of a ramp and slabs, a lift, a press
/// and a turntable.
struct Scene {
    world: World,
    lift: BodyId,
    press: BodyId,
    table: BodyId,
    crowd: Vec<Character>,
}

fn block(world: &mut World, unit: f64, [center, half]: [DVec3; 2], turn: f64) -> BodyId {
    let pose = Pose::from((center * unit, rotation_about(dvec3(0.2, 1.0, 0.1), turn)));
    world.add(Body::kinematic(Cuboid::new(half * unit).unwrap()).at(pose))
}

fn ramps(random: &mut Random, unit: f64) -> Mesh {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let at = dvec3(random.between(-4.0, 4.0), random.between(0.0, 0.6), random.between(-4.0, 4.0));
        let [along, across] =
            [dvec3(2.0, random.between(-0.8, 0.8), 0.3), dvec3(-0.3, random.between(-0.4, 0.4), 2.0)];
        let first = corners.len() as u32;
        for corner in [at, at + across, at + across + along, at + along] {
            corners.push((corner.as_vec3() * unit as f32).to_array());
        }
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    Mesh::from_triangles(corners, triangles).unwrap()
}

fn hero(random: &mut Random, unit: f64) -> Character {
    let r = random.between(0.2, 0.4);
    let shape: Mover = match random.below(4) {
        0 => Sphere::new(r * unit).unwrap().into(),
        1 => Ellipsoid::new(dvec3(r, 2.0 * r, r) * unit).unwrap().into(),
        2 => Cuboid::new(dvec3(r, 1.5 * r, r) * unit).unwrap().into(),
        _ => Capsule::new(r * unit, 1.8 * r * unit).unwrap().into(),
    };
    let settings = Settings {
        gravity: DVec3::Y * (-9.81 * unit),
        skin: Some(3e-4 * unit),
        step_height: 0.4 * unit,
        escape_speed: Some(1.5 * unit),
        ..Settings::default()
    };
    let at = dvec3(random.between(-4.0, 4.0), random.between(0.3, 2.5), random.between(-4.0, 4.0));
    Character::new(shape, settings).unwrap().at(at * unit).unwrap()
}

impl Scene {
    fn new(seed: u64, unit: f64) -> Self {
        let mut random = Random(seed);
        let mut world = World::new();
        block(&mut world, unit, [dvec3(0.0, -1.0, 0.0), dvec3(9.0, 1.0, 9.0)], 0.0);
        world.add(Body::fixed(ramps(&mut random, unit)));
        for _ in 0..6 {
            let at = dvec3(random.between(-4.0, 4.0), random.between(0.0, 1.0), random.between(-4.0, 4.0));
            let half = dvec3(random.between(0.1, 1.0), random.between(0.05, 0.5), random.between(0.1, 1.0));
            let turn = if random.below(2) == 0 { 0.0 } else { random.between(0.0, 3.0) };
            block(&mut world, unit, [at, half], turn);
        }
        let lift = block(&mut world, unit, [dvec3(2.0, -0.3, 2.0), dvec3(1.5, 0.4, 1.5)], 0.0);
        let press = block(&mut world, unit, [dvec3(-2.5, 2.8, -2.0), dvec3(2.0, 0.5, 2.0)], 0.0);
        let table = block(&mut world, unit, [dvec3(-2.0, 0.2, 2.5), dvec3(1.5, 0.15, 1.0)], 0.4);
        let crowd = (0..6).map(|_| hero(&mut random, unit)).collect();
        Self { world, lift, press, table, crowd }
    }

    fn drive(&mut self, tick: usize, unit: f64) {
        let speed = if (tick / 25).is_multiple_of(2) { 2.0 * unit } else { -2.0 * unit };
        self.world.advance(DT, |moves| {
            moves.drive(self.lift, DVec3::Y * speed, DVec3::ZERO).unwrap();
            moves.drive(self.press, DVec3::Y * -speed, DVec3::ZERO).unwrap();
            moves.drive(self.table, DVec3::X * (0.5 * speed), DVec3::Y).unwrap();
        });
    }
}

#[test]
fn a_scene_in_another_unit_has_the_same_ticks_to_the_bit() {
    for seed in 1..=10 {
        let exponent = [-12, 9][seed as usize % 2];
        let unit = f64::from_bits(((1023 + exponent) as u64) << 52);
        let (mut plain, mut scaled) = (Scene::new(seed, 1.0), Scene::new(seed, unit));
        let (mut crowd, mut scaled_crowd) = (Crowd::new(), Crowd::new());
        let mut random = Random(seed + 100);
        let mut inputs = vec![Input::IDLE; plain.crowd.len()];
        for tick in 0..150 {
            if tick % 15 == 0 {
                for input in &mut inputs {
                    let way = random.direction().with_y(0.0) * 5.0;
                    *input = [Input::walk(way), Input::walk(way), Input::IDLE, Input::walk(way).jump(4.0)]
                        [random.below(4)];
                }
            }
            let larger: Vec<Input> = inputs
                .iter()
                .map(|input| Input {
                    desired_velocity: input.desired_velocity.map(|velocity| velocity * unit),
                    jump: input.jump.map(|speed| speed * unit),
                })
                .collect();
            plain.drive(tick, 1.0);
            scaled.drive(tick, unit);
            crowd.step_all(&plain.world, &mut plain.crowd, &inputs, DT);
            scaled_crowd.step_all(&scaled.world, &mut scaled.crowd, &larger, DT);
            for (i, (own, other)) in plain.crowd.iter().zip(&scaled.crowd).enumerate() {
                let context = format!("seed {seed} tick {tick} character {i}");
                assert_eq!(other.position() / unit, own.position(), "{context}");
                assert_eq!(other.velocity() / unit, own.velocity(), "{context}");
                assert_eq!(scaled_crowd.reports()[i].outcome, crowd.reports()[i].outcome, "{context}");
                assert_eq!(
                    other.ground().map(|ground| ground.normal),
                    own.ground().map(|ground| ground.normal)
                );
            }
        }
    }
}
