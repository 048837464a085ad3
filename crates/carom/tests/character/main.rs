//! The character: small scenes, crowds, and the laws that hold in any scene.
#![allow(clippy::unwrap_used, reason = "a scene that cannot be set up is a failure")]

mod air_steps;
mod corners;
mod crowds;
mod eaves;
mod edges;
mod falls_away;
mod gathered;
mod heads;
mod heaps;
mod kept;
mod landings;
mod laws;
mod lips;
mod named;
mod outcomes;
mod pits;
mod pressed;
mod pushes;
mod random;
mod rates;
mod rests;
mod riders;
mod rims;
mod scenes;
mod slides;
mod stage;
mod steep;
mod sweeps;
mod touchdowns;
mod turned;
mod turning;
mod units;

use carom::character::{Character, Settings};
use carom::{Body, Capsule, Cuboid, Pose, World};
use glam::{DVec3, dvec3};

const SKIN: f64 = 3e-4;
const RADIUS: f64 = 0.3;

fn capsule() -> Capsule {
    Capsule::new(RADIUS, 0.675).unwrap()
}

fn feet_at(p: DVec3) -> DVec3 {
    p + DVec3::Y * (0.975 + SKIN)
}

fn slab(world: &mut World, center: DVec3, half: DVec3) -> carom::world::BodyId {
    world.add(Body::kinematic(Cuboid::new(half).unwrap()).at(Pose::at(center).unwrap()))
}

fn floor() -> World {
    let mut world = World::new();
    slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(50.0, 1.0, 50.0));
    world
}

fn hero(at: DVec3) -> Character {
    Character::new(capsule(), Settings::default()).unwrap().at(feet_at(at)).unwrap()
}

const DT: f64 = 1.0 / 60.0;
