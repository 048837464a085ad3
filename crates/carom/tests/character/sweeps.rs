//! Slides that run out of sweeps: inside a round tunnel of many flat faces, each of which takes one.

use carom::character::{Character, Input, Outcome, Settings};
use carom::num::ops;
use carom::respond::{Obstacles, Slide, SlideEnd, collide_and_slide};
use carom::world::BodyId;
use carom::{Body, Cuboid, Layers, Mesh, Pose, Sphere, World, WorldObstacles};
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

/// The last resort: a ball beside a moving body that uses up the sweeps of all its slides waits where it is
/// for the rest of the tick. A body that hits it there crushes it.
#[test]
fn who_has_used_up_the_sweeps_of_all_slides_waits() {
    let mut random = Random(9);
    let (mut waited, mut crushed) = (0, 0);
    for case in 0..200 {
        let mut world = tunnel(1500 + random.below(1000) as u32, 2.0);
        let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
        let ball = Character::new(Sphere::new(RADIUS).unwrap(), settings).unwrap();
        let way = random.direction().with_z(0.0).normalize_or(DVec3::X);
        let at = random.direction().with_z(0.0);
        let mut ball = ball.at(at).unwrap();
        // A marble that it touches, and that goes away behind it.
        let apart = RADIUS + ball.skin() + 0.05 + 1e-6;
        let marble = Body::kinematic(Sphere::new(0.05).unwrap()).at(Pose::at(at - way * apart).unwrap());
        let marble = world.add(marble);
        // A slab that comes along the tunnel in the middle of the tick.
        let slab = Body::kinematic(Cuboid::new(dvec3(2.5, 2.5, 0.5)).unwrap());
        let slab = world.add(slab.at(Pose::at(DVec3::Z * -10.0).unwrap()));
        let has_slab = case % 2 == 0;
        world.advance(1.0 / 30.0, |moves| {
            moves.drive(marble, -way, DVec3::ZERO).unwrap();
            moves.drive(slab, DVec3::Z * if has_slab { 600.0 } else { 0.0 }, DVec3::ZERO).unwrap();
        });
        let report = ball.step(&world, Input::walk(way * random.between(150.0, 250.0)), 1.0 / 30.0);
        // Four slides, one by the middle of the ball, and the sweep of the one that waits.
        if report.sweeps <= 5 * Slide::SWEEPS {
            continue;
        }
        let deep = depth(&world, RADIUS, report.position);
        assert!(deep <= 1e-12 || report.crushed(), "{deep:e} {report:?}");
        assert_eq!(report.crushed(), has_slab, "{report:?}");
        if has_slab {
            crushed += 1;
            assert!(report.crushed_by().any(|by| by.obstacle.body() == Some(slab)), "{report:?}");
        } else {
            waited += 1;
            assert_eq!(report.outcome, Outcome::Blocked);
        }
    }
    assert!(waited > 50 && crushed > 50, "{waited} {crushed}");
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
