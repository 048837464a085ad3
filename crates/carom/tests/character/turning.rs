//! E11: doors that turn beside characters of every shape. The judge is closed form and knows nothing of the
//! crate's own contacts.

use carom::character::{Character, Input, Outcome, Settings};
use carom::num::ops;
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mesh, Mover, Pose, Sphere, World};
use glam::{DQuat, DVec3, dvec3};

use super::slab;
use crate::random::Random;
use crate::stage::RATES;

/// How deep a ball about `center` is in a box of these half sides at a pose.
fn ball_in_box(center: DVec3, radius: f64, half: DVec3, (position, rotation): (DVec3, DQuat)) -> f64 {
    let at = rotation.conjugate() * (center - position);
    radius - (at.abs() - half).max(DVec3::ZERO).length()
}

/// The deepest of the balls that a shape holds: of a capsule along its axis, of an ellipsoid those that lie
/// in it on its long axis.
fn depth(shape: &Mover, at: DVec3, half: DVec3, pose: (DVec3, DQuat)) -> f64 {
    let along = |reach: f64, radius: &dyn Fn(f64) -> f64| {
        (0..=400).fold(f64::NEG_INFINITY, |deepest: f64, i| {
            let y = reach * (f64::from(i) / 200.0 - 1.0);
            deepest.max(ball_in_box(at + DVec3::Y * y, radius(y), half, pose))
        })
    };
    match shape {
        Mover::Sphere(sphere) => ball_in_box(at, sphere.radius(), half, pose),
        Mover::Capsule(capsule) => along(capsule.half_height(), &|_| capsule.radius()),
        Mover::Ellipsoid(ellipsoid) => {
            let (a, b) = (ellipsoid.radii().x, ellipsoid.radii().y);
            // The largest ball about y on the axis that lies inside: a√(1 − y²/(b² − a²)).
            let focus = b * b - a * a;
            let reach = ops::sqrt(focus) * (ops::sqrt(focus) / b);
            along(reach, &|y| a * ops::sqrt((1.0 - y * y / focus).max(0.0)))
        }
        _ => unreachable!("no other shape is asked"),
    }
}

#[test]
fn a_turning_door_pushes_a_hero_and_is_never_in_it() {
    let half = dvec3(1.5, 1.0, 0.1);
    let shapes: [Mover; 3] = [
        Capsule::new(0.3, 0.6).unwrap().into(),
        Sphere::new(0.5).unwrap().into(),
        Ellipsoid::new(dvec3(0.3, 0.9, 0.3)).unwrap().into(),
    ];
    let mut pushed = 0;
    for shape in shapes {
        for rate in [-0.5, 1.0, -2.0, 4.0, -20.0] {
            for place in 0..20 {
                let mut world = World::new();
                slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(20.0, 1.0, 20.0));
                let door = world.add(
                    Body::kinematic(Cuboid::new(half).unwrap()).at(Pose::at(dvec3(0.0, 1.05, 0.0)).unwrap()),
                );
                let tall = shape.bounds().half_extents().y;
                let at = dvec3(0.1 * f64::from(place), tall + 0.05, 0.65 + 0.01 * f64::from(place % 7));
                let mut hero = Character::new(shape, Settings::default()).unwrap().at(at).unwrap();
                for tick in 0..90 {
                    world.advance(1.0 / 60.0, |moves| {
                        moves.drive(door, DVec3::ZERO, dvec3(0.0, rate, 0.0)).unwrap();
                    });
                    let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
                    let pose = world.body(door).unwrap().pose();
                    let deep = depth(&shape, hero.position(), half, (pose.position(), pose.rotation()));
                    assert!(
                        deep <= 1e-9,
                        "{shape:?} at {at}, {rate} rad/s, tick {tick}: {deep:e}, {report:?}"
                    );
                }
                pushed += u32::from((hero.position() - at).length() > 0.2);
            }
        }
    }
    assert!(pushed > 150, "{pushed}");
}

#[test]
fn a_hero_crushed_under_a_lift_stays_below_it_and_is_free_when_it_rises() {
    let mut world = World::new();
    slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(20.0, 1.0, 20.0));
    let lift = slab(&mut world, dvec3(0.0, 3.0, 0.0), dvec3(1.5, 0.1, 1.5));
    let shape = Capsule::new(0.3, 0.6).unwrap();
    let mut hero = Character::new(shape, Settings::default()).unwrap().at(dvec3(0.2, 0.91, 0.1)).unwrap();
    let mut crushed = 0;
    for tick in 0..360 {
        let speed = if tick < 170 { -1.0 } else { 1.0 };
        world.advance(1.0 / 60.0, |moves| {
            moves.drive(lift, DVec3::Y * speed, DVec3::ZERO).unwrap();
        });
        let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
        crushed += u32::from(report.crushed());
        assert!(hero.position().y < 1.0, "{tick}: {report:?}");
        assert!((hero.position() - hero.previous_position()).length() < 0.03, "{tick}: {report:?}");
    }
    assert!(crushed > 40, "{crushed}");
    assert!(!hero.step(&world, Input::IDLE, 1.0 / 60.0).crushed());
    let from = hero.position();
    for _ in 0..30 {
        hero.step(&world, Input::walk(DVec3::X * 2.0), 1.0 / 60.0);
    }
    assert!((hero.position().x - from.x - 1.0).abs() < 1e-6);
}

#[test]
fn out_of_a_crush_nobody_leaps() {
    for thickness in [0.05, 0.1, 0.25, 0.5] {
        for aside in [0.0, 0.3, 0.8] {
            let mut world = World::new();
            slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(20.0, 1.0, 20.0));
            let half = dvec3(thickness, 1.0, 1.0);
            let left = slab(&mut world, dvec3(-1.0 - thickness, 1.05, 0.0), half);
            let right = slab(&mut world, dvec3(1.0 + thickness, 1.05, 0.0), half);
            let shape = Capsule::new(0.3, 0.6).unwrap();
            let mut hero =
                Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 0.91, aside)).unwrap();
            let mut crushed = false;
            for tick in 0..240 {
                let speed = if tick < 60 { 1.0 } else { 0.0 };
                world.advance(1.0 / 60.0, |moves| {
                    moves.drive(left, DVec3::X * speed, DVec3::ZERO).unwrap();
                    moves.drive(right, DVec3::NEG_X * speed, DVec3::ZERO).unwrap();
                });
                let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
                crushed |= report.crushed();
                let went = (hero.position() - hero.previous_position()).length();
                assert!(went <= 1.5 / 60.0 + 1e-3, "{thickness} {aside}, tick {tick}: {went}, {report:?}");
            }
            assert!(crushed, "{thickness} {aside}");
        }
    }
}

#[test]
fn a_tick_too_long_for_numbers_is_refused_and_changes_nothing() {
    let mut world = World::new();
    slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(20.0, 1.0, 20.0));
    for dt in [1e5, 1e8, 1e30, 1e160, 1e300, f64::MAX] {
        let shape = Sphere::new(0.5).unwrap();
        let mut hero = Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 3.0, 0.0)).unwrap();
        hero.step(&world, Input::IDLE, 1.0 / 60.0);
        let (at, velocity) = (hero.position(), hero.velocity());
        let report = hero.step(&world, Input::walk(DVec3::X), dt);
        assert_eq!(report.outcome, Outcome::Refused);
        assert_eq!((hero.position(), hero.velocity()), (at, velocity));
    }
}

#[test]
fn a_center_on_a_face_is_on_the_outside() {
    use carom::Cast;
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()));
    let sideways = ops::rotation_about(DVec3::X, core::f64::consts::FRAC_PI_2);
    let shapes: [Mover; 4] = [
        Sphere::new(0.5).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.5, 0.3)).unwrap().into(),
        Capsule::new(0.3, 0.5).unwrap().with_rotation(sideways).unwrap().into(),
        Mover::Point,
    ];
    for shape in shapes {
        for i in 0..60 {
            let at = dvec3(0.03 * f64::from(i) - 0.9, 1.0, 0.77 * (f64::from(i * 7 % 60) / 30.0 - 1.0));
            let cast = |way: DVec3| world.cast(&Cast::new(shape, at, way).unwrap());
            let hit = cast(dvec3(0.0, -3.0, 0.0)).unwrap();
            assert_eq!(hit.fraction, 0.0, "{shape:?} at {at}");
            assert!(cast(dvec3(0.0, 3.0, 0.0)).is_none(), "{shape:?} at {at}");
            if shape == Mover::Point {
                continue;
            }
            world.contacts(&shape, at, 0.0, carom::Layers::ALL, |near| {
                assert!(near.contact.gap < 0.0, "{shape:?} at {at}: {near:?}");
                assert!(near.contact.normal.y > 1.0 - 1e-12, "{shape:?} at {at}: {near:?}");
            });
        }
    }
}

#[test]
fn a_hero_whose_center_is_on_a_thin_floor_ends_on_top() {
    let shapes: [Mover; 4] = [
        Sphere::new(0.4).unwrap().into(),
        Capsule::new(0.4, 0.4).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.8, 0.4)).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).unwrap().into(),
    ];
    for shape in shapes {
        for height in [0.0, 0.001, 0.05, 0.2, -0.02, -0.05] {
            let mut world = World::new();
            slab(&mut world, dvec3(0.0, -0.05, 0.0), dvec3(20.0, 0.05, 20.0));
            let at = dvec3(0.1, height, 0.2);
            let mut hero = Character::new(shape, Settings::default()).unwrap().at(at).unwrap();
            for _ in 0..60 {
                hero.step(&world, Input::IDLE, 1.0 / 60.0);
            }
            let stands = shape.bounds().half_extents().y;
            assert!((hero.position().y - stands).abs() < 2e-3, "{shape:?} at {height}: {}", hero.position());
            assert!(hero.ground().is_some());
        }
    }
}

#[test]
fn a_cast_of_any_size_that_starts_inside_says_so() {
    use carom::Cast;
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()));
    for radius in [1.0, 1e6, 1e12, 1e20, 1e30, 1e60] {
        let sphere = Sphere::new(radius).unwrap();
        let cast = Cast::new(sphere, dvec3(0.0, 1.5, 0.0), dvec3(0.0, -1.0, 0.0)).unwrap();
        let hit = world.cast(&cast).unwrap();
        assert!(hit.fraction == 0.0 && hit.start_overlap, "{radius:e}: {hit:?}");
    }
}

#[test]
fn a_hero_crushed_by_the_door_of_a_train_stays_in_the_train() {
    let train = dvec3(10.0, 0.0, 0.0);
    for turn in [0.0, 0.4] {
        let mut world = World::new();
        slab(&mut world, dvec3(0.0, -5.0, 0.0), dvec3(99.0, 1.0, 99.0));
        let floor = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(3.0, 1.0, 3.0));
        let wall = slab(&mut world, dvec3(-1.1, 1.05, 0.0), dvec3(0.1, 1.0, 2.0));
        let door = slab(&mut world, dvec3(1.1, 1.05, 0.0), dvec3(0.1, 1.0, 2.0));
        let shape = Capsule::new(0.3, 0.6).unwrap();
        let mut hero = Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 0.91, 0.0)).unwrap();
        let turn = DVec3::Y * turn;
        let (mut crushed, mut seen) = (0, DVec3::ZERO);
        for tick in 0..240u32 {
            let closing = match tick {
                0..80 => -1.2,
                120..200 => 1.2,
                _ => 0.0,
            };
            // All turn about the middle of the train.
            let middle = world.body(floor).unwrap().pose().position();
            let parts = [(floor, 0.0), (wall, 0.0), (door, closing)].map(|(id, own)| {
                let at = world.body(id).unwrap().pose();
                let arm = at.position() - middle;
                (id, train + turn.cross(arm) + at.rotation() * DVec3::X * own)
            });
            world.advance(1.0 / 60.0, |moves| {
                for (id, velocity) in parts {
                    moves.drive(id, velocity, turn).unwrap();
                }
            });
            let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
            let pose = world.body(floor).unwrap().pose();
            let now = pose.rotation().conjugate() * (hero.position() - pose.position());
            if report.crushed() {
                crushed += 1;
                assert!((now - seen).length() < 0.03, "tick {tick}: from {seen} to {now}, {report:?}");
            }
            seen = now;
        }
        assert!(crushed > 30, "{crushed}");
        assert!(seen.x.abs() < 0.9 && seen.z.abs() < 0.5 && seen.y > 0.0, "{seen}");
        assert!(!hero.step(&world, Input::IDLE, 1.0 / 60.0).crushed());
    }
}

#[test]
fn a_hero_crushed_between_a_lift_and_a_ceiling_stays_below_the_ceiling() {
    let mut world = World::new();
    let lift = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(3.0, 1.0, 3.0));
    slab(&mut world, dvec3(0.0, 3.5, 0.0), dvec3(3.0, 0.5, 3.0));
    let shape = Capsule::new(0.3, 0.6).unwrap();
    let mut hero = Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 0.91, 0.0)).unwrap();
    let mut crushed = 0;
    for tick in 0..240 {
        let speed = if tick < 90 {
            1.0
        } else if tick < 120 {
            0.0
        } else {
            -1.0
        };
        world.advance(1.0 / 60.0, |moves| {
            moves.drive(lift, DVec3::Y * speed, DVec3::ZERO).unwrap();
        });
        let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
        crushed += u32::from(report.crushed());
        assert!(hero.position().y < 2.1 + 1e-6, "tick {tick}: {report:?}");
    }
    assert!(crushed > 20, "{crushed}");
    let bottom = world.body(lift).unwrap().pose().position().y + 1.0;
    let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
    assert!(!report.crushed() && report.ground.is_some(), "{report:?}");
    assert!((hero.position().y - bottom - 0.9).abs() < 2e-3, "{} over {bottom}", hero.position());
}

/// A hero inside a container that moves, between its wall and a pillar that stays. One of the two has to give
/// way: the wall passes over the hero, which stays where it fitted last.
#[test]
fn a_hero_that_a_container_leaves_behind_is_reported_and_is_free_where_it_fitted_last() {
    let mut world = World::new();
    let pillar = Body::fixed(Cuboid::new(dvec3(0.5, 2.0, 2.0)).unwrap());
    world.add(pillar.at(Pose::at(dvec3(-1.5, 0.0, 0.0)).unwrap()));
    let corner = |i: u8| {
        [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { [4.0, 2.5, 2.5][axis] } else { -[4.0, 2.5, 2.5][axis] })
    };
    // Faces look inwards.
    let faces = [[0, 1, 2], [1, 3, 2], [4, 6, 5], [5, 6, 7], [0, 4, 1], [1, 4, 5]];
    let others = [[2, 3, 6], [3, 7, 6], [0, 2, 4], [2, 6, 4], [1, 5, 3], [3, 5, 7]];
    let triangles = faces.into_iter().chain(others).collect();
    let mesh = Mesh::from_triangles((0..8).map(corner).collect(), triangles).unwrap();
    let container = world.add(Body::kinematic(mesh));
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let at = dvec3(-0.5, 0.1, 0.2);
    let mut hero = Character::new(Sphere::new(0.3).unwrap(), settings).unwrap().at(at).unwrap();
    let (mut fitted, mut crushed, mut left) = (None, 0, false);
    for tick in 0..240 {
        world
            .advance(1.0 / 60.0, |moves| moves.drive(container, dvec3(-2.0, 0.0, 0.0), DVec3::ZERO))
            .unwrap();
        let report = hero.step(&world, Input::IDLE, 1.0 / 60.0);
        let wall = 4.0 - (tick + 1) as f64 / 30.0;
        let is_in_wall = (report.position.x - wall).abs() < 0.3 - 1e-6;
        let names = report.crushed_by().any(|by| by.obstacle.body() == Some(container));
        assert!(!is_in_wall || names, "tick {tick}: {report:?}");
        left |= report.position.x > wall && is_in_wall;
        crushed += u32::from(report.crushed());
        if report.crushed() {
            let place = *fitted.get_or_insert(report.position);
            assert!((report.position - place).length() < 1e-9, "tick {tick}: {report:?}");
        }
        // Its skin is there to be used up.
        assert!(report.position.x > -0.7 - 1e-9, "tick {tick}: {report:?}");
    }
    assert!(left && crushed > 5, "{crushed}");
    let report = hero.step(&world, Input::walk(DVec3::X), 1.0 / 60.0);
    assert!(!report.crushed() && (hero.position() - fitted.unwrap()).length() > 0.01, "{report:?}");
}

/// On the rim of a beam that turns, slides run out of sweeps, and each next one goes on with the rest of the
/// ride. A step once made up for all of these rides: over a meter in a tick.
#[test]
fn a_step_from_the_rim_of_a_beam_that_turns_is_no_leap() {
    let mut random = Random(76);
    let mut rides = 0;
    for case in 0..4000 {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(20.0, 1.0, 20.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        let half = dvec3(1.3, 0.8, random.between(0.05, 0.2));
        let beam = world.add(Body::kinematic(Cuboid::new(half).unwrap()).at(dvec3(0.0, 0.05, 0.0)));
        let radii = dvec3(0.4, [0.45, 0.9][random.below(2)], 0.4);
        let mover: Mover = match random.below(3) {
            0 => Sphere::new(0.5).unwrap().into(),
            1 => Capsule::new(0.3, 0.6).unwrap().into(),
            _ => Ellipsoid::new(radii).unwrap().into(),
        };
        let feet = -mover.support_point(DVec3::NEG_Y).y;
        let at = dvec3(random.between(-1.4, 1.4), 0.85 + feet + 0.01, random.between(-0.4, 0.4));
        let mut hero = Character::new(mover, Settings::default()).unwrap().at(at).unwrap();
        let rate = RATES[random.below(6)];
        let dt = 1.0 / rate;
        let (linear, turn) = (random.direction() * dvec3(1.0, 0.0, 1.0), random.between(-4.0, 4.0));
        let (speed, angle) = ([0.0, 2.0, 4.0][random.below(3)], random.between(0.0, 6.0));
        let wish = dvec3(ops::cos(angle), 0.0, ops::sin(angle)) * speed;
        for tick in 0..rate as u32 {
            world.advance(dt, |moves| moves.drive(beam, linear, DVec3::Y * turn)).unwrap();
            let (before, was_grounded) = (hero.position(), hero.ground().is_some());
            let report = hero.step(&world, Input::walk(wish), dt);
            if !was_grounded || report.ground.is_none() {
                continue;
            }
            rides += 1;
            let pivot = world.body(beam).unwrap().pose().position();
            let arm = 0.5 + (hero.position() - pivot).length().max((before - pivot).length());
            let most = (speed + 1.0 + 1.5 * turn.abs() * arm) * dt + 0.03;
            let went = (hero.position() - before).with_y(0.0).length();
            assert!(went <= most, "case {case} tick {tick} of {rate} Hz: {went} m, not {most}: {mover:?}");
        }
    }
    assert!(rides > 1000, "{rides}");
}
