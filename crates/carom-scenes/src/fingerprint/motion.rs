//! Slides, characters and crowds.

use carom::character::{Character, CharacterError, Crowd, Input, Settings};
use carom::respond::{Slide, WorldObstacles, collide_and_slide, depenetrate};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError};
use carom::world::{Body, Layers, Pose, World};
use glam::{DVec3, dvec3};

use super::casts::mover;
use super::hash::Hash;
use crate::Random;

/// Movers pushed about under gravity for two seconds each.
pub(super) fn slid(hash: &mut Hash, world: &World, start: DVec3, seed: u64) -> Result<(), ShapeError> {
    let mut random = Random::scattered(seed);
    for kind in 1..5 {
        let mover = mover(&mut random, kind, 0.4)?;
        let around = WorldObstacles::new(world, mover, Layers::ALL);
        let (mut at, mut velocity) = (depenetrate(&around, start).position, DVec3::ZERO);
        let mut push = DVec3::ZERO;
        for tick in 0..120 {
            if tick % 30 == 0 {
                push = random.heading() * random.between(0.5, 6.0);
            }
            velocity = dvec3(push.x, velocity.y - 9.81 / 60.0, push.z);
            let slide = Slide::new(at, velocity / 60.0).with_contact_distance(1e-4).with_friction(0.2);
            let slid = collide_and_slide(&around, &slide);
            (at, velocity) = (slid.position, slid.motion * 60.0);
            hash.vector(at);
            hash.vector(slid.motion);
            hash.text(&std::format!("{:?} {} {}", slid.end, slid.sweeps, slid.touches().count()));
        }
    }
    Ok(())
}

/// Characters that walk, jump, ride and are pushed about for four seconds each, on ground with a lift, a
/// plate that turns and a belt.
pub(super) fn walked(hash: &mut Hash, ground: &World, start: DVec3, seed: u64) -> Result<(), CharacterError> {
    let mut random = Random::scattered(seed);
    for kind in 1..5 {
        let mut world = ground.clone();
        let block = |half: DVec3| Cuboid::new(half).map(Body::kinematic);
        let at = |offset: DVec3| Pose::at(start + offset);
        let lift = world.add(block(dvec3(1.5, 0.2, 1.5))?.at(at(dvec3(1.0, -1.2, 0.0))?));
        let plate = world.add(block(dvec3(2.0, 0.1, 0.5))?.at(at(dvec3(-2.0, -0.8, 0.0))?));
        let belt = block(dvec3(1.0, 0.1, 3.0))?.at(at(dvec3(0.0, -1.0, 4.0))?);
        world.add(belt.with_surface_velocity(dvec3(0.0, 0.0, -1.5))?);
        let upright = match mover(&mut random, kind, 0.6)? {
            Mover::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.radii())?.into(),
            Mover::Capsule(capsule) => Capsule::new(capsule.radius(), capsule.half_height())?.into(),
            other => other,
        };
        let mut character = Character::new(upright, Settings::default())?.at(start)?;
        let mut input = Input::IDLE;
        for tick in 0..240u32 {
            if tick % 20 == 0 {
                input = Input::walk(random.heading() * random.between(0.0, 6.0));
                if random.below(3) == 0 {
                    input = input.jump(random.between(2.0, 6.0));
                }
            }
            let speed = if (tick / 40).is_multiple_of(2) { 1.5 } else { -1.5 };
            world
                .advance(1.0 / 60.0, |moves| {
                    moves.drive(lift, DVec3::Y * speed, DVec3::ZERO)?;
                    moves.drive(plate, DVec3::ZERO, dvec3(0.0, 1.5, 0.4))
                })
                .expect("both are kinematic, and stay within a few meters");
            let report = character.step(&world, input, 1.0 / 60.0);
            hash.vector(report.position);
            hash.vector(report.velocity);
            hash.number(character.yaw());
            hash.text(&std::format!("{:?} {} {}", report.outcome, report.ground.is_some(), report.sweeps));
        }
    }
    Ok(())
}

/// Sixty-four characters that walk into each other for four seconds, with another's head to land on.
pub(super) fn crowded(
    hash: &mut Hash,
    world: &World,
    middle: DVec3,
    seed: u64,
) -> Result<(), CharacterError> {
    let mut random = Random::scattered(seed);
    let mut characters = Vec::new();
    for number in 0..64u32 {
        let (row, column) = (f64::from(number / 8), f64::from(number % 8));
        let start = middle + dvec3(column - 3.5, 0.1 * f64::from(number % 5), row - 3.5) * 0.9;
        let shape = Capsule::new(random.between(0.2, 0.4), random.between(0.3, 0.6))?;
        characters.push(Character::new(shape, Settings::default())?.at(start)?);
    }
    let mut inputs = vec![Input::IDLE; characters.len()];
    let mut crowd = Crowd::new();
    for tick in 0..240u32 {
        if tick % 30 == 0 {
            for (input, character) in inputs.iter_mut().zip(&characters) {
                let inward = (middle - character.position()).normalize_or_zero() * random.between(0.0, 4.0);
                *input = Input::walk(inward + random.heading());
                if random.below(4) == 0 {
                    *input = input.jump(5.0);
                }
            }
        }
        for report in crowd.step_all(world, &mut characters, &inputs, 1.0 / 60.0) {
            hash.vector(report.position);
            hash.text(&std::format!("{:?} {}", report.outcome, report.sweeps));
        }
    }
    Ok(())
}
