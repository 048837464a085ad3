//! Ground that falls away is left with the velocity that it gave, and numbers out of range are refused
//! wherever they are.

use carom::character::{Character, Input, Outcome, Settings};
use carom::{Sphere, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::{capsule, feet_at, floor, slab};

/// A platform that goes at a constant velocity drops all at once. By more than the character falls and snaps
/// in that tick, it is left; by less, it carries on.
#[test]
fn ground_that_drops_by_more_than_the_snap_is_left() {
    let mut random = Random(41);
    let (mut left, mut kept) = (0, 0);
    for _ in 0..400 {
        let dt = [1.0 / 20.0, 1.0 / 60.0, 1.0 / 240.0][random.below(3)];
        let snap = [0.05, 0.2][random.below(2)];
        let settings = Settings { snap_distance: Some(snap), ..Settings::default() };
        let gravity = settings.gravity.y;
        let mut world = World::new();
        let platform = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(20.0, 1.0, 20.0));
        let mut rider = Character::new(capsule(), settings).unwrap().at(feet_at(DVec3::ZERO)).unwrap();
        // Upwards more slowly than by what it snaps, so that it stays on.
        let velocity = dvec3(random.between(-3.0, 3.0), random.between(0.0, 1.0), random.between(-3.0, 3.0));
        let mut drive = |velocity: DVec3, rider: &mut Character| {
            world.advance(dt, |moves| moves.drive(platform, velocity, DVec3::ZERO)).unwrap();
            rider.step(&world, Input::IDLE, dt)
        };
        for _ in 0..6 {
            assert!(drive(velocity, &mut rider).ground.is_some());
        }
        let start = rider.position();
        // Its fall is half of what the velocity at the end of the tick makes.
        let falls = velocity.y * dt + 0.5 * gravity * dt * dt;
        let beyond = random.between(-0.8, 0.8) * snap.min(0.05);
        let drop = velocity.with_y((falls - snap - beyond) / dt);
        let report = drive(drop, &mut rider);
        if beyond.abs() < 1e-6 {
            continue;
        }
        assert_eq!(report.ground.is_none(), beyond > 0.0, "{dt} {snap} {velocity} by {beyond}");
        if beyond > 0.0 {
            left += 1;
            let free = start + velocity * dt + DVec3::Y * (0.5 * gravity * dt * dt);
            assert!(rider.position().abs_diff_eq(free, 1e-9), "{} {free}", rider.position());
            let own = velocity + DVec3::Y * (gravity * dt);
            assert!(rider.velocity().abs_diff_eq(own, 1e-9), "{} {own}", rider.velocity());
        } else {
            kept += 1;
            assert!(rider.position().abs_diff_eq(start + drop * dt, 1e-9));
        }
    }
    assert!(left > 100 && kept > 100, "{left} {kept}");
}

#[test]
fn a_number_out_of_range_is_refused_wherever_it_is() {
    let world = floor();
    let shape = Sphere::new(0.5).unwrap();
    let plain = Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 3.0, 0.0)).unwrap();
    let heavy = Settings { gravity: DVec3::Y * -1e200, ..Settings::default() };
    let heavy = Character::new(shape, heavy).unwrap().at(dvec3(0.0, 3.0, 0.0)).unwrap();
    let mut fast = plain;
    fast.set_velocity(DVec3::X * 1e200).unwrap();
    for (mut hero, input) in [
        (plain, Input::walk(DVec3::X * 1e200)),
        (plain, Input::IDLE.jump(1e200)),
        (plain, Input::IDLE.jump(-1e200)),
        (heavy, Input::IDLE),
        (fast, Input::IDLE),
        (fast, Input::walk(DVec3::X)),
    ] {
        let before = hero.state();
        let report = hero.step(&world, input, 1.0 / 60.0);
        assert_eq!(report.outcome, Outcome::Refused, "{input:?}");
        assert_eq!(hero.state(), before, "{input:?}");
    }
    let mut hero = plain;
    assert_ne!(hero.step(&world, Input::walk(DVec3::X).jump(1.0), 1.0 / 60.0).outcome, Outcome::Refused);
}
