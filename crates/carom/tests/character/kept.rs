//! Data kept from tick to tick changes no answer, whatever happens to the world in between.

use carom::character::{Character, Crowd, Input, Report, Settings, TickInput};
use carom::num::ops;
use carom::world::{BodyId, Neighborhood};
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mesh, Mover, Pose, Sphere, World};
use glam::{DVec3, dvec3};

use crate::DT;
use crate::random::Random;

/// Somewhere in the world of a test.
fn place(random: &mut Random) -> DVec3 {
    dvec3(random.between(-6.0, 6.0), random.between(0.0, 1.5), random.between(-6.0, 6.0))
}

/// Rolling ground, 24 m each way, in triangles of half a meter.
fn hills() -> Mesh {
    let side = 49u32;
    let height = |i: u32, j: u32| 0.3 * ops::sin(f64::from(i) * 0.7) * ops::cos(f64::from(j) * 0.4);
    let corner = |k: u32| {
        let (i, j) = (k % side, k / side);
        [0.5 * i as f32 - 12.0, height(i, j) as f32, 0.5 * j as f32 - 12.0]
    };
    let quads = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| j * side + i));
    let triangles = quads.flat_map(|a| [[a, a + side, a + side + 1], [a, a + side + 1, a + 1]]).collect();
    Mesh::from_triangles((0..side * side).map(corner).collect(), triangles).unwrap()
}

/// A box of twelve triangles.
fn crate_of_triangles(half: f64) -> Mesh {
    let corners = (0..8).map(|corner: u32| {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { -half } else { half };
        dvec3(sign(0), sign(1), sign(2)).as_vec3().to_array()
    });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh::from_triangles(corners.collect(), triangles).unwrap()
}

/// Does something to the world: now and then nothing for a while, so that there is something to be kept.
fn change(world: &mut World, bodies: &mut Vec<BodyId>, random: &mut Random) {
    let at = place(random);
    change_at(at, world, bodies, random);
}

/// The same, with new places of bodies at one place.
fn change_at(at: DVec3, world: &mut World, bodies: &mut Vec<BodyId>, random: &mut Random) {
    let at = Pose::at(at).unwrap();
    let picked = (random.number() * bodies.len() as f64) as usize;
    match (random.number() * 40.0) as u32 {
        0 => bodies.push(world.add(Body::kinematic(crate_of_triangles(0.4)).at(at))),
        1 => bodies.push(world.add(Body::kinematic(Cuboid::new(dvec3(0.5, 0.3, 0.7)).unwrap()).at(at))),
        2 if !bodies.is_empty() => {
            world.remove(bodies.swap_remove(picked));
        }
        3 if !bodies.is_empty() => {
            world.set_pose(bodies[picked], at).unwrap();
        }
        4..=6 if !bodies.is_empty() => {
            let speed =
                dvec3(random.between(-1.0, 1.0), random.between(-0.5, 0.5), random.between(-1.0, 1.0));
            world.advance(DT, |moves| {
                moves.drive(bodies[picked], speed, DVec3::Y * random.between(-1.0, 1.0)).unwrap();
            });
            return;
        }
        // Everything stays as it is, and no clone of it is another.
        7 => *world = world.clone(),
        _ => {}
    }
    if (random.number() * 3.0) as u32 == 0 {
        world.advance(DT, |_| ());
    }
}

fn movers() -> [Mover; 4] {
    [
        Capsule::new(0.3, 0.6).unwrap().into(),
        Sphere::new(0.4).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).unwrap().into(),
    ]
}

fn turning(random: &mut Random, tick: u32, before: Input) -> Input {
    if !tick.is_multiple_of(12) {
        return Input { jump: None, ..before };
    }
    let (sin, cos) = ops::sin_cos(random.between(0.0, 6.3));
    let input = Input::walk(dvec3(cos, 0.0, sin) * random.between(0.0, 5.0));
    if random.number() < 0.2 { input.jump(random.between(1.0, 5.0)) } else { input }
}

#[test]
fn what_is_kept_notices_every_change_of_the_world() {
    let (mut moved, mut stood) = (0, 0);
    for (seed, mover) in (1..=12).flat_map(|seed| movers().map(|mover| (seed, mover))) {
        let mut random = Random(seed * 0x9E37_79B9);
        let (mut world, mut bodies) = (World::new(), Vec::new());
        // In the world's own axes, and turned.
        let turn = ops::rotation_about(DVec3::Y, if seed % 3 == 0 { 0.4 } else { 0.0 });
        world.add(Body::fixed(hills()).at(Pose::IDENTITY.with_rotation(turn).unwrap()));
        let one = Character::new(mover, Settings::default()).unwrap();
        let mut hero = one.at(place(&mut random) + DVec3::Y * 1.2).unwrap();
        let mut kept = Neighborhood::new();
        let mut input = Input::IDLE;
        for tick in 0..400 {
            change(&mut world, &mut bodies, &mut random);
            if random.number() < 0.005 {
                hero.teleport(place(&mut random) + DVec3::Y * 1.2).unwrap();
            }
            input = turning(&mut random, tick, input);
            let mut fresh = hero;
            let expected = fresh.step(&world, input, DT);
            let report = hero.step_with(&world, TickInput::new(input, DT), &mut kept, &mut ());
            assert_eq!((report, hero), (expected, fresh), "{mover:?}, seed {seed}, tick {tick}");
            moved += u32::from(bodies.iter().any(|id| world.body(*id).is_some_and(Body::is_moving)));
            stood += u32::from(report.ground.is_some());
        }
    }
    assert!(moved > 1000 && stood > 5000, "{moved} {stood}");
}

/// Contacts that stay are kept while bodies around move, until one of them comes near: by its own motion, or
/// because it is put there.
#[test]
fn what_one_touches_that_stays_is_kept_until_something_comes_near() {
    let (mut moved, mut touched, mut shoved) = (0, 0, 0);
    for (seed, mover) in (1..=16).flat_map(|seed| movers().map(|mover| (seed, mover))) {
        let mut random = Random(seed * 0x51_7CC1);
        let (mut world, mut bodies) = (World::new(), Vec::new());
        let floor = if seed % 2 == 0 {
            Body::fixed(hills())
        } else {
            Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0))
        };
        world.add(floor);
        let one = Character::new(mover, Settings::default()).unwrap();
        let mut hero = one.at(dvec3(0.2, 1.2, 0.1)).unwrap();
        let mut kept = Neighborhood::new();
        for tick in 0..400 {
            let beside =
                dvec3(random.between(-2.0, 2.0), random.between(-1.0, 1.0), random.between(-2.0, 2.0));
            let at = hero.position() + beside;
            change_at(at, &mut world, &mut bodies, &mut random);
            let mut fresh = hero;
            let expected = fresh.step(&world, Input::IDLE, DT);
            let report = hero.step_with(&world, TickInput::new(Input::IDLE, DT), &mut kept, &mut ());
            assert_eq!((report, hero), (expected, fresh), "{mover:?}, seed {seed}, tick {tick}");
            moved += u32::from(bodies.iter().any(|id| world.body(*id).is_some_and(Body::is_moving)));
            touched += u32::from(report.touched().count() > 1);
            shoved += u32::from(report.position != hero.previous_position());
        }
    }
    assert!(moved > 1000 && touched > 500 && shoved > 500, "{moved} {touched} {shoved}");
}

#[test]
fn a_crowd_keeps_nothing_that_another_place_in_the_list_could_mistake() {
    let mut random = Random(0xC0DE);
    let (mut world, mut bodies) = (World::new(), Vec::new());
    world.add(Body::fixed(hills()));
    let mut all: Vec<Character> = (0..24)
        .map(|i| {
            let one = Character::new(movers()[i % 4], Settings::default()).unwrap();
            one.at(place(&mut random) + DVec3::Y * 1.2).unwrap()
        })
        .collect();
    let mut inputs = vec![Input::IDLE; all.len()];
    let mut crowd = Crowd::new();
    for tick in 0..200 {
        change(&mut world, &mut bodies, &mut random);
        inputs.iter_mut().for_each(|input| *input = turning(&mut random, tick, *input));
        // Now and then they change places, and some are not moved.
        let picked = (random.number() * 24.0) as usize;
        if tick % 5 == 0 {
            all.rotate_left(picked);
        }
        let count = if tick % 11 == 0 { picked } else { all.len() };
        let mut fresh = all.clone();
        let expected: Vec<Report> =
            Crowd::new().step_all(&world, &mut fresh[..count], &inputs[..count], DT).to_vec();
        let reports = crowd.step_all(&world, &mut all[..count], &inputs[..count], DT);
        assert_eq!(reports, expected, "tick {tick}");
        assert_eq!(all, fresh, "tick {tick}");
    }
}

/// Fixed bodies come, go and are put elsewhere under a character that keeps what it has gathered.
#[test]
fn fixed_bodies_that_come_go_and_change_place_are_noticed() {
    let mut random = Random(29);
    let mut changes = 0;
    for _ in 0..40 {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(dvec3(0.0, -3.0, 0.0)));
        let mut steps: Vec<BodyId> = Vec::new();
        let mut kept =
            Character::new(Sphere::new(0.4).unwrap(), Settings::default()).unwrap().at(DVec3::Y).unwrap();
        let mut near = Neighborhood::new();
        for tick in 0..60 {
            if tick % 5 == 0 {
                let at = kept.position() + dvec3(random.between(-0.5, 0.5), -0.8, random.between(-0.5, 0.5));
                match (random.below(3), steps.pop()) {
                    (0, Some(step)) => {
                        world.remove(step).unwrap();
                    }
                    (1, Some(step)) => {
                        world.set_pose(step, at).unwrap();
                        steps.push(step);
                    }
                    (_, step) => {
                        steps.extend(step);
                        let slab = Cuboid::new(dvec3(0.6, 0.2, 0.6)).unwrap();
                        steps.push(world.add(Body::fixed(slab).at(at)));
                    }
                }
                changes += 1;
            }
            let mut fresh = kept;
            let input = TickInput::new(Input::walk(DVec3::X), DT);
            kept.step_with(&world, input, &mut near, &mut ());
            fresh.step(&world, Input::walk(DVec3::X), DT);
            assert_eq!(kept, fresh, "tick {tick}");
        }
    }
    assert_eq!(changes, 480);
}
