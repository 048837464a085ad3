//! Slides that run out of sweeps: inside a round tunnel of many flat faces, each of which takes one.

use carom::character::{Character, Input, Outcome, Settings};
use carom::num::ops;
use carom::respond::{Obstacles, Slide, SlideEnd, collide_and_slide};
use carom::world::BodyId;
use carom::{Body, Layers, Mesh, Sphere, World, WorldObstacles};
use glam::{DVec3, dvec3};

use crate::random::Random;

const RADIUS: f64 = 0.3;

/// A tunnel along z, open at both ends, with its faces inwards.
fn tunnel(faces: u32, radius: f64) -> World {
    let corner = |face: u32, end: f64| {
        let turn = core::f64::consts::TAU * f64::from(face % faces) / f64::from(faces);
        let (sin, cos) = ops::sin_cos(turn);
        (dvec3(cos * radius, sin * radius, end)).as_vec3().to_array()
    };
    let corners = (0..faces).flat_map(|face| [corner(face, -20.0), corner(face, 20.0)]).collect();
    let triangles = (0..faces).flat_map(|face| {
        let [a, b] = [2 * face, 2 * face + 1];
        let [c, d] = [2 * ((face + 1) % faces), 2 * ((face + 1) % faces) + 1];
        [[a, b, c], [c, b, d]]
    });
    let mut world = World::new();
    world.add(Body::kinematic(Mesh::from_triangles(corners, triangles.collect()).unwrap()));
    world
}

/// How deep a ball is in anything at the end of the tick, without a skin.
fn depth(world: &World, radius: f64, at: DVec3) -> f64 {
    let mut depth = 0.0f64;
    WorldObstacles::new(world, Sphere::new(radius).unwrap(), Layers::ALL).contacts(
        at,
        1.0,
        0.0,
        &mut |touch| depth = depth.max(-touch.contact.gap),
    );
    depth
}

#[test]
fn a_slide_that_runs_out_of_sweeps_stays_at_its_last_contact() {
    let world = tunnel(96, 2.0);
    let around = WorldObstacles::new(&world, Sphere::new(RADIUS).unwrap(), Layers::ALL);
    let slide = Slide::new(dvec3(0.0, -1.6, 0.0), dvec3(8.0, 0.0, 0.0)).with_contact_distance(1e-4);
    let slid = collide_and_slide(&around, &slide);
    assert_eq!((slid.end, slid.sweeps), (SlideEnd::TooManySweeps, Slide::SWEEPS));
    assert!(slid.remaining > 0.0 && depth(&world, RADIUS, slid.position) <= 1e-12);
}

/// The same in a tick, in a tunnel at rest and in one that comes along or turns: the slide is continued, and
/// the tick ends in nothing.
#[test]
fn a_tick_that_runs_out_of_sweeps_ends_in_nothing_or_says_so() {
    let mut random = Random(8);
    // Ticks that stopped for want of sweeps, and ticks that had used up four slides of them.
    let (mut out, mut long) = (0, 0);
    for _ in 0..400 {
        let faces = 64 + random.below(2000) as u32;
        let mut world = tunnel(faces, 2.0);
        let id: BodyId = world.bodies().next().unwrap().0;
        let gravity = DVec3::ZERO;
        let ball = Character::new(Sphere::new(RADIUS).unwrap(), Settings { gravity, ..Settings::default() });
        let mut ball = ball.unwrap().at(random.direction().with_z(0.0)).unwrap();
        let speed = random.between(20.0, 200.0);
        let way = random.direction().with_z(0.0).normalize_or(DVec3::X);
        let velocity =
            if random.below(3) == 0 { DVec3::ZERO } else { random.direction() * random.between(0.1, 9.0) };
        let spin =
            if random.below(4) > 0 { DVec3::ZERO } else { random.direction() * random.between(0.1, 9.0) };
        for _ in 0..4 {
            world.advance(1.0 / 30.0, |moves| {
                let _ = moves.drive(id, velocity, spin);
            });
            let report = ball.step(&world, Input::walk(way * speed), 1.0 / 30.0);
            let deep = depth(&world, RADIUS, report.position);
            assert!(deep <= 1e-12 || report.crushed(), "{deep:e} {report:?}");
            out += u32::from(report.outcome == Outcome::Blocked && report.sweeps >= Slide::SWEEPS);
            long += u32::from(report.sweeps > 4 * Slide::SWEEPS);
        }
    }
    assert!(out > 20 && long > 20, "{out} {long}");
}
