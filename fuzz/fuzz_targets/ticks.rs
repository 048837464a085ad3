//! A character among boxes that stand, slide and turn: once free it is inside nothing at the end of a tick,
//! unless the report says so, and every number stays finite.
#![no_main]

use carom::character::{Character, Input, Outcome, Settings};
use carom::shape::{Cuboid, Mover};
use carom::world::{Body, Layers, Pose, World};
use carom_fuzz::Draws;
use glam::DVec3;

/// How deep it is in anything, beyond what the numbers are good for.
fn depth(world: &World, shape: &Mover, at: DVec3) -> f64 {
    let mut deepest = 0.0f64;
    world.contacts(shape, at, 0.0, Layers::ALL, |near| {
        deepest = deepest.max(-near.contact.gap - 4.0 * near.contact.rounding);
    });
    deepest
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut draws = Draws::new(bytes);
    let mut world = World::new();
    let mut driven = Vec::new();
    let floor = Cuboid::new(DVec3::new(20.0, 1.0, 20.0)).expect("its sizes are positive");
    world.add(Body::fixed(floor).at(Pose::at(-DVec3::Y).expect("it is finite")));
    for _ in 0..draws.below(8) {
        let sizes = draws.vector(0.95) + DVec3::splat(1.05);
        let cuboid = Cuboid::new(sizes).expect("its sizes are positive");
        let pose = Pose::at(draws.grid(4)).and_then(|pose| pose.with_rotation(draws.rotation()));
        let pose = pose.expect("it is finite, and turned by a unit quaternion");
        if draws.below(2) == 0 {
            world.add(Body::fixed(cuboid).at(pose));
        } else {
            driven.push((world.add(Body::kinematic(cuboid).at(pose)), draws.vector(5.0), draws.vector(5.0)));
        }
    }
    let shape = draws.mover();
    let Ok(hero) = Character::new(shape, Settings::default()) else { return };
    let mut hero = hero.at(draws.grid(4) + DVec3::Y * 2.0).expect("it is finite");
    let dt = [1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0][draws.below(3)];
    let mut was_free = false;
    for tick in 0..60 {
        world.advance(dt, |moves| {
            for (body, linear, angular) in &mut driven {
                if tick % 20 == 19 {
                    (*linear, *angular) = (draws.vector(5.0), draws.vector(5.0));
                }
                moves.drive(*body, *linear, *angular).expect("it is kinematic, and near");
            }
        });
        let mut input = Input::walk(draws.vector(8.0));
        if draws.below(8) == 0 {
            input = input.jump(5.0);
        }
        let report = hero.step(&world, input, dt);
        assert!(report.position.is_finite() && report.velocity.is_finite(), "tick {tick}: {report:?}");
        let depth = depth(&world, &hero.shape(), report.position);
        let says_so = report.crushed() || report.outcome != Outcome::Moved;
        assert!(!was_free || depth <= 0.0 || says_so, "tick {tick}: {depth} m inside, {report:?}");
        // A body that it overlaps and could not leave may become free later.
        was_free = depth <= 0.0 && !report.crushed();
    }
});
