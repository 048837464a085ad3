//! Pushed bodies that a press leaves no room: they are named, and get out without a leap.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::num::ops::sqrt;
use carom::pushed::{PressedBody, PushedBodies};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, BodyId, Layers, World};
use glam::{DVec3, dvec3};

use dice::Dice;

mod dice;

const GRAVITY: f64 = 9.81;

/// A press above, or beside, a pushed body that stands on a floor and in front of a wall.
struct Jam {
    world: World,
    pushed: PushedBodies,
    id: BodyId,
    mover: Mover,
    press: BodyId,
    /// The velocity of the press on its way into the body, in m/s.
    velocity: DVec3,
}

impl Jam {
    fn thrown(dice: &mut Dice) -> Self {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        let size = dvec3(dice.between(0.2, 0.7), dice.between(0.2, 0.7), dice.between(0.2, 0.7));
        let mass = dice.between(1.0, 50.0);
        let (mover, half): (Mover, DVec3) = match (dice.unit() * 4.0) as u32 {
            0 => (Sphere::new(size.x).unwrap().into(), DVec3::splat(size.x)),
            1 => (Ellipsoid::new(size).unwrap().into(), size),
            2 => (Capsule::new(size.x, size.y).unwrap().into(), dvec3(size.x, size.x + size.y, size.x)),
            _ => (Cuboid::new(size).unwrap().into(), size),
        };
        let body = match mover {
            Mover::Sphere(sphere) => Body::dynamic(sphere, mass),
            Mover::Ellipsoid(ellipsoid) => Body::dynamic(ellipsoid, mass),
            Mover::Capsule(capsule) => Body::dynamic(capsule, mass),
            Mover::Cuboid(cuboid) => Body::dynamic(cuboid, mass),
            Mover::Point => unreachable!(),
        };
        let id = world.add(body.unwrap().at(dvec3(0.0, half.y, 0.0)));
        let speed = dice.between(0.2, 3.0);
        let far = dice.between(0.0, 0.2);
        let slab = Cuboid::new(dvec3(2.0, 2.0, 2.0)).unwrap();
        // Half of them press only a part of it, so that it may get out beside.
        let aside = if dice.unit() < 0.5 { 0.0 } else { 2.0 + half.z * dice.between(-0.5, 0.9) };
        let (at, velocity) = if dice.unit() < 0.5 {
            (dvec3(0.0, 2.0 * half.y + 2.0 + far, aside), DVec3::Y * -speed)
        } else {
            world.add(Body::fixed(slab).at(dvec3(half.x + 2.0, 2.0, 0.0)));
            (dvec3(-half.x - 2.0 - far, 2.0, aside), DVec3::X * speed)
        };
        let press = world.add(Body::kinematic(slab).at(at));
        let mut pushed = PushedBodies::new(dvec3(0.0, -GRAVITY, 0.0)).unwrap();
        pushed.add(&world, id).unwrap();
        Self { world, pushed, id, mover, press, velocity }
    }

    fn at(&self) -> DVec3 {
        self.world.body(self.id).unwrap().pose().position()
    }

    /// The depth of the pushed body in the press, in meters.
    fn depth(&self) -> f64 {
        let found = self.world.deepest(self.mover, self.at(), Layers::ALL).unwrap();
        let in_press = found.iter().filter(|one| one.part.body == self.press);
        in_press.map(|one| -one.contact.gap).fold(0.0, f64::max)
    }
}

#[test]
fn a_body_without_room_is_named_and_does_not_leap() {
    let mut dice = Dice(41);
    let mut jammed = 0;
    for case in 0..300 {
        let mut jam = Jam::thrown(&mut dice);
        let rate = [20.0, 30.0, 60.0, 144.0, 240.0][(dice.unit() * 5.0) as usize];
        let (dt, seconds) = (1.0 / rate, dice.between(0.1, 1.5));
        let falls = sqrt(2.0 * GRAVITY * jam.mover.smallest_radius());
        let fastest = falls.max(sqrt(jam.velocity.length_squared()));
        let mut was_jammed = false;
        for tick in 0..(6.0 * rate) as u32 {
            // In, and out again at the same speed.
            let time = f64::from(tick) * dt;
            let velocity = if time < seconds { jam.velocity } else { -jam.velocity };
            let (before, press, began) = (jam.at(), jam.press, jam.depth());
            let moved =
                jam.pushed.advance(&mut jam.world, dt, |moves| moves.drive(press, velocity, DVec3::ZERO));
            moved.unwrap();
            let (depth, way) = (jam.depth(), sqrt((jam.at() - before).length_squared()));
            let context = || format!("case {case} tick {tick} of {rate} Hz: {:?}, depth {depth}", jam.mover);
            let named: Vec<_> = jam.pushed.pressed().collect();
            if depth > 1e-9 {
                was_jammed = true;
                assert_eq!(named, [PressedBody { body: jam.id, by: jam.press }], "{}", context());
            } else {
                assert!(named.is_empty() || depth > 0.0, "{}", context());
            }
            // A slanting contact may squeeze it out faster than the press moves.
            let most = 4.0 * (fastest + GRAVITY * time) * dt;
            assert!(began == 0.0 || way <= most, "{}: {way} m", context());
        }
        jammed += u32::from(was_jammed);
        assert!(jam.depth() <= 1e-9, "case {case} ends {} m deep: {:?}", jam.depth(), jam.mover);
    }
    assert!(jammed > 100, "{jammed}");
}

#[test]
fn a_door_that_turns_ends_in_no_body_that_has_room() {
    let mut dice = Dice(43);
    let mut met = 0;
    for case in 0..300 {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(90.0, 1.0, 90.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        let door = Cuboid::new(dvec3(dice.between(0.5, 2.0), 1.0, dice.between(0.05, 0.3))).unwrap();
        let door = world.add(Body::kinematic(door).at(dvec3(0.0, 1.05, 0.0)));
        let friction = dice.unit().round() * dice.unit();
        let mut pushed =
            PushedBodies::new(dvec3(0.0, -GRAVITY, 0.0)).unwrap().with_friction(friction).unwrap();
        let mut ids = Vec::new();
        for _ in 0..3 {
            let size = dvec3(dice.between(0.2, 0.6), dice.between(0.2, 0.6), dice.between(0.2, 0.6));
            let (mover, height): (Mover, f64) = match (dice.unit() * 3.0) as u32 {
                0 => (Sphere::new(size.x).unwrap().into(), size.x),
                1 => (Capsule::new(size.x, size.y).unwrap().into(), size.x + size.y),
                _ => (Cuboid::new(size).unwrap().into(), size.y),
            };
            let at = dvec3(dice.between(-2.5, 2.5), height + 1e-3, dice.between(-2.5, 2.5));
            if !world.overlaps(mover, at, Layers::ALL).unwrap().is_empty() {
                continue;
            }
            let body = match mover {
                Mover::Sphere(sphere) => Body::dynamic(sphere, 9.0),
                Mover::Capsule(capsule) => Body::dynamic(capsule, 9.0),
                Mover::Cuboid(cuboid) => Body::dynamic(cuboid, 9.0),
                _ => unreachable!(),
            };
            let id = world.add(body.unwrap().at(at));
            pushed.add(&world, id).unwrap();
            ids.push((id, mover));
        }
        let rate = [20.0, 30.0, 60.0, 144.0, 240.0][(dice.unit() * 5.0) as usize];
        let linear = dice.point(1.0) * dvec3(1.0, 0.0, 1.0);
        let angular = DVec3::Y * dice.between(-6.0, 6.0);
        for tick in 0..(2.0 * rate) as u32 {
            pushed.advance(&mut world, 1.0 / rate, |moves| moves.drive(door, linear, angular)).unwrap();
            for (id, mover) in &ids {
                let at = world.body(*id).unwrap().pose().position();
                let found = world.deepest(*mover, at, Layers::ALL).unwrap();
                let others = found.iter().filter(|one| one.part.body != *id);
                let depth = others.map(|one| -one.contact.gap).fold(0.0, f64::max);
                let is_named = pushed.pressed().any(|pressed| pressed.body == *id);
                met += u32::from(pushed.velocity(*id).unwrap().x != 0.0);
                assert!(
                    depth <= 1e-9 || is_named,
                    "case {case} tick {tick} of {rate} Hz: {mover:?} {depth} m deep"
                );
                // One door and a floor leave room everywhere.
                assert!(ids.len() > 1 || depth <= 1e-9, "case {case} tick {tick}: {depth} m deep");
            }
        }
    }
    assert!(met > 1000, "{met}");
}
