//! Rims: the edge of a cylinder or of the base of a cone is stood on as that of a block.

use carom::character::Input;
use carom::num::ops;
use carom::shape::{Cone, Cylinder};
use carom::world::Collider;
use carom::{Body, Cuboid, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};

/// Whether a hero that falls onto the edge of a body, its axis `offset` outside, holds on to it.
fn holds(shape: Shape, ledge: &Body, (frame, start): (&Frame, DVec3), rate: f64) -> bool {
    let mut world = World::new();
    world.add(ledge.clone());
    let mut hero = shape.hero().at(frame.place(start)).unwrap();
    (0..(0.8 * rate) as u32).for_each(|_| {
        hero.step(&world, Input::IDLE, 1.0 / rate);
    });
    hero.ground().is_some()
}

#[test]
fn who_falls_onto_a_rim_holds_or_slips_as_on_the_edge_of_a_block() {
    let mut random = Random(1_204);
    let mut held = [0; 2];
    for case in 0..150 {
        let shape = shapes()[case % 5];
        let frame = Frame::any(&mut random);
        let radius = random.between(0.1, 1.0);
        let body = |collider: Collider, at: DVec3, turn: DQuat| {
            let rotation = ops::rotation_about(DVec3::Y, frame.angle) * turn;
            let pose = Pose::at(frame.place(at)).and_then(|pose| pose.with_rotation(rotation)).unwrap();
            Body::fixed(collider).at(pose)
        };
        let block = body(
            Cuboid::new(dvec3(radius, 1.0, radius)).unwrap().into(),
            dvec3(radius, -1.0, 0.0),
            DQuat::IDENTITY,
        );
        let round = if case % 2 == 0 {
            body(Cylinder::new(radius, 1.0).unwrap().into(), dvec3(radius, -1.0, 0.0), DQuat::IDENTITY)
        } else {
            // On its head: the base is the top.
            let turn = ops::rotation_about(DVec3::Z, core::f64::consts::PI);
            body(Cone::new(radius, 1.0).unwrap().into(), dvec3(radius, -1.0, 0.0), turn)
        };
        // Not on the very limit, which rounding decides.
        let offset = shape.radius * (random.below(24) as f64 + 0.37) / 24.0;
        let start = dvec3(-offset, shape.feet() + random.between(0.05, 1.0), 0.0);
        let rate = RATES[random.below(6)];
        let [on_rim, on_edge] = [&round, &block].map(|ledge| holds(shape, ledge, (&frame, start), rate));
        let tell = || format!("case {case}: {shape:?} {rate} Hz radius {radius} offset {offset}");
        assert_eq!(on_rim, on_edge, "{}", tell());
        held[usize::from(on_rim)] += 1;
    }
    assert!(held.iter().all(|count| *count > 5), "{held:?}");
}
