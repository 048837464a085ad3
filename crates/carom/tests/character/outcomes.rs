//! Outcomes: one meaning, whatever moves elsewhere.

use carom::character::{Character, GravityPass, Input, Outcome, Settings};
use carom::num::ops;
use carom::respond::Obstacles;
use carom::{Body, Cuboid, Layers, Pose, Sphere, World, WorldObstacles};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::shapes;

/// Boxes at any angle on a floor between four walls.
fn room(random: &mut Random) -> World {
    let mut world = World::new();
    let mut block = |half: DVec3, at: DVec3, rotation| {
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(rotation)).unwrap();
        world.add(Body::fixed(Cuboid::new(half).unwrap()).at(pose));
    };
    let level = ops::rotation_about(DVec3::Y, 0.0);
    block(dvec3(9.0, 1.0, 9.0), dvec3(0.0, -1.0, 0.0), level);
    for side in [-1.0, 1.0] {
        block(dvec3(1.0, 4.0, 9.0), dvec3(4.0 * side, 3.0, 0.0), level);
        block(dvec3(9.0, 4.0, 1.0), dvec3(0.0, 3.0, 4.0 * side), level);
    }
    for _ in 0..random.below(10) {
        let half = dvec3(random.between(0.1, 1.0), random.between(0.1, 1.0), random.between(0.1, 1.0));
        let at = dvec3(random.between(-3.0, 3.0), random.between(0.0, 1.5), random.between(-3.0, 3.0));
        let axis = if random.below(2) == 0 { DVec3::Y } else { random.direction() };
        block(half, at, ops::rotation_about(axis, random.between(0.0, 3.0)));
    }
    world
}

fn is_free(world: &World, hero: &Character) -> bool {
    let grown = hero.shape().grown(hero.skin()).unwrap();
    let mut is_free = true;
    WorldObstacles::new(world, grown, Layers::ALL)
        .contacts(hero.position(), 1.0, 0.0, &mut |_| is_free = false);
    is_free
}

/// A tick from the same state, with and without a small ball that moves nearby and comes to nothing.
#[test]
fn an_outcome_does_not_depend_on_bodies_that_move_elsewhere() {
    const SPEEDS: [f64; 3] = [1.0, 4.0, 20.0];
    let mut random = Random(18);
    let (mut ticks, mut blocked, mut differ) = (0, 0, Vec::new());
    for scene in 0..300 {
        let still = room(&mut random);
        let mut moving = still.clone();
        let ball =
            moving.add(Body::kinematic(Sphere::new(0.02).unwrap()).at(Pose::at(DVec3::Y * 90.0).unwrap()));
        let shape = shapes()[random.below(5)];
        let gravity_pass = if random.below(4) == 0 { GravityPass::Combined } else { GravityPass::Separate };
        let settings = Settings { gravity_pass, ..Settings::default() };
        let hero = Character::new(shape.mover, settings).unwrap();
        let places = (0..20).map(|_| dvec3(random.between(-2.5, 2.5), 1.5, random.between(-2.5, 2.5)));
        let Some(mut hero) = places.map(|at| hero.at(at).unwrap()).find(|hero| is_free(&still, hero)) else {
            continue;
        };
        let dt = 1.0 / [20.0, 60.0, 240.0][random.below(3)];
        let mut input = Input::IDLE;
        for tick in 0..150 {
            if tick % 15 == 0 {
                let turn = f64::from(random.below(8) as u32) * core::f64::consts::FRAC_PI_4;
                let way = ops::rotation_about(DVec3::Y, turn) * DVec3::X * SPEEDS[random.below(3)];
                let walk = Input::walk(way);
                input = match random.below(6) {
                    0 => Input::IDLE,
                    1 => walk.jump(4.0),
                    _ => walk,
                };
            }
            // Above it, within what it gathers, and out of its way.
            let side = 0.1 * f64::from(tick % 7);
            let beside = hero.position() + dvec3(side, shape.half_height + 2.0 + 20.0 * dt, -side);
            moving.set_pose(ball, Pose::at(beside).unwrap()).unwrap();
            moving.advance(dt, |moves| {
                let _ = moves.drive(ball, dvec3(0.1, 0.0, 0.1), DVec3::ZERO);
            });
            let mut other = hero;
            let with = other.step(&moving, input, dt).outcome;
            let without = hero.step(&still, input, dt);
            (ticks, blocked) = (ticks + 1, blocked + u32::from(without.outcome == Outcome::Blocked));
            if with != without.outcome {
                differ.push(format!("{scene} {tick}: {with:?}, not {:?}", without.outcome));
            }
        }
    }
    assert!(blocked > 1000, "{blocked} of {ticks}");
    assert!(differ.is_empty(), "{} of {ticks}: {:#?}", differ.len(), &differ[..differ.len().min(12)]);
}
