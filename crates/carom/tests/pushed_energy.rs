//! The law of energy of pushed bodies: seen from what drives them, they never gain any.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::mesh::Surface;
use carom::num::ops::rotation_about;
use carom::pushed::PushedBodies;
use carom::shape::{Capsule, Cuboid, Ellipsoid, Sphere};
use carom::world::{Body, BodyId, World};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

mod dice;

/// A body of restitution `share`.
fn bouncy(body: Body, share: f64) -> Body {
    body.with_surface(Surface { restitution: share, ..Surface::default() })
}

/// The energy of a body, as seen from a frame that moves with `drive` and has moved by `way`.
fn energy(world: &World, pushed: &PushedBodies, id: BodyId, gravity: DVec3, [drive, way]: [DVec3; 2]) -> f64 {
    let body = world.body(id).unwrap();
    let at = body.pose().position() - way;
    let velocity = pushed.velocity(id).unwrap() - drive;
    body.mass().unwrap() * (0.5 * velocity.length_squared() - gravity.dot(at))
}

/// A pit with a ramp, turned to any direction; a lift that carries all of it; and columns of bodies above.
struct Pit {
    world: World,
    pushed: PushedBodies,
    gravity: DVec3,
    drive: DVec3,
    walls: Vec<BodyId>,
    ids: Vec<BodyId>,
}

impl Pit {
    fn thrown(dice: &mut Dice) -> Self {
        let turn = if dice.unit() < 0.5 {
            DQuat::IDENTITY
        } else {
            rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0))
        };
        let gravity = turn * dvec3(0.0, -dice.between(2.0, 20.0), 0.0);
        let drive = if dice.unit() < 0.5 { DVec3::ZERO } else { dice.point(3.0) };
        let friction = if dice.unit() < 0.5 { 0.0 } else { dice.unit() };
        let mut pushed = PushedBodies::new(gravity).unwrap().with_friction(friction).unwrap();
        let mut world = World::new();
        let share = |dice: &mut Dice| [0.0, 1.0, dice.unit()][(dice.unit() * 3.0) as usize];
        let floor = [
            (dvec3(6.0, 1.0, 6.0), dvec3(0.0, -1.0, 0.0), 0.0),
            (dvec3(1.0, 40.0, 6.0), dvec3(5.0, 39.0, 0.0), 0.0),
            (dvec3(1.0, 40.0, 6.0), dvec3(-5.0, 39.0, 0.0), 0.0),
            (dvec3(6.0, 40.0, 1.0), dvec3(0.0, 39.0, 5.0), 0.0),
            (dvec3(6.0, 40.0, 1.0), dvec3(0.0, 39.0, -5.0), 0.0),
            (dvec3(4.0, 1.0, 4.0), dvec3(dice.between(-6.0, 6.0), -1.0, 0.0), dice.between(-0.8, 0.8)),
        ];
        let mut walls = Vec::new();
        for (half, at, tilt) in floor {
            let body = Body::kinematic(Cuboid::new(half).unwrap());
            let own = rotation_about(DVec3::Z, tilt);
            walls.push(world.add(bouncy(body.at((turn * at, turn * own)), share(dice))));
        }
        // A body meets another that has not moved yet as one at rest in the world: so for several there is a
        // law in the frame of the world only.
        let count = if drive == DVec3::ZERO { 1 + (dice.unit() * 8.0) as u32 } else { 1 };
        let hurried = if dice.unit() < 0.5 { 0.0 } else { 5.0 };
        let ids: Vec<BodyId> = (0..count)
            .map(|i| {
                let size = dvec3(dice.between(0.2, 0.7), dice.between(0.2, 0.6), dice.between(0.2, 0.7));
                let mass = dice.between(1.0, 50.0);
                let solid = match (dice.unit() * 4.0) as u32 {
                    0 => Body::dynamic(Sphere::new(size.x).unwrap(), mass),
                    1 => Body::dynamic(Ellipsoid::new(size).unwrap(), mass),
                    2 => Body::dynamic(Capsule::new(size.x, size.y).unwrap(), mass),
                    _ => Body::dynamic(Cuboid::new(size).unwrap(), mass),
                };
                let aside = dice.point(1.5) * dvec3(1.0, 0.0, 1.0) * dice.unit().round();
                let at = aside + DVec3::Y * (4.0 + 2.5 * f64::from(i));
                let id = world.add(bouncy(solid.unwrap().at((turn * at, turn)), share(dice)));
                pushed.add(&world, id).unwrap();
                pushed.push(&world, id, (drive + dice.point(hurried)) * mass);
                id
            })
            .collect();
        Self { world, pushed, gravity, drive, walls, ids }
    }

    fn advance(&mut self, seconds: f64) {
        let Self { world, pushed, drive, walls, .. } = self;
        pushed.advance(world, seconds, |moves| {
            walls.iter().for_each(|wall| moves.drive(*wall, *drive, DVec3::ZERO).unwrap());
        });
    }

    fn energies(&self, way: DVec3) -> Vec<f64> {
        let Self { world, pushed, gravity, drive, ids, .. } = self;
        ids.iter().map(|id| energy(world, pushed, *id, *gravity, [*drive, way])).collect()
    }
}

/// Crates of restitution 1 that fell on each other once flew higher from bounce to bounce: one that meets
/// another in its flight was thrown by a body without end of mass, and gravity was misplaced in the tick of a
/// bounce.
#[test]
fn pushed_bodies_never_have_more_energy_than_at_the_start() {
    let mut dice = Dice(5);
    let (mut lost, mut kept) = (0, 0);
    for round in 0..160 {
        let mut pit = Pit::thrown(&mut dice);
        let hz = [20.0, 30.0, 60.0, 120.0, 240.0][(dice.unit() * 5.0) as usize];
        let first: f64 = pit.energies(DVec3::ZERO).iter().sum();
        let mut last = first;
        for tick in 1..=(hz * 6.0) as u32 {
            pit.advance(1.0 / hz);
            last = pit.energies(pit.drive * f64::from(tick) / hz).iter().sum();
            assert!(last <= first + 1e-9 * first.abs(), "{last} of {first} in tick {tick} of round {round}");
        }
        lost += u32::from(last < 0.5 * first);
        kept += u32::from(last > 0.75 * first);
    }
    assert!(lost > 20 && kept > 5, "{lost} {kept}");
}

/// It once took the velocity of the lift twice, its own after the landing and that of its support, and
/// hopped.
#[test]
fn a_body_that_lands_on_a_lift_moves_as_fast_as_that() {
    let mut dice = Dice(6);
    for round in 0..40 {
        let hz = dice.between(20.0, 240.0);
        let drive = dvec3(dice.between(-3.0, 3.0), dice.between(-3.0, 3.0), dice.between(-3.0, 3.0));
        let gravity = dvec3(0.0, -9.81, 0.0);
        let mut world = World::new();
        let lift = world.add(Body::kinematic(Cuboid::new(dvec3(9.0, 0.25, 9.0)).unwrap()));
        let cube = Body::dynamic(Cuboid::new(DVec3::splat(0.5)).unwrap(), 20.0).unwrap();
        let id = world.add(cube.at(dvec3(0.0, dice.between(1.0, 3.0), 0.0)));
        let mut pushed =
            PushedBodies::new(gravity).unwrap().with_friction(0.5 * dice.unit().round()).unwrap();
        pushed.add(&world, id).unwrap();
        // It flies beside the lift as fast as that.
        pushed.push(&world, id, drive * 20.0);
        let mut advance = |world: &mut World| {
            pushed.advance(world, 1.0 / hz, |moves| moves.drive(lift, drive, DVec3::ZERO)).unwrap();
            let apart = |id: BodyId| world.body(id).unwrap().pose().position();
            (apart(id) - apart(lift), pushed.velocity(id).unwrap())
        };
        for _ in 0..(2.0 * hz) as u32 {
            advance(&mut world);
        }
        let (start, _) = advance(&mut world);
        for _ in 0..(2.0 * hz) as u32 {
            let (apart, velocity) = advance(&mut world);
            assert!((apart - start).length() < 1e-3, "round {round}: {apart} {start}");
            assert!((velocity - drive).length() < 1e-9, "round {round}: {velocity} {drive}");
        }
        assert!((start - DVec3::Y * 0.75).length() < 1e-2, "round {round}: {start}");
    }
}
