//! Laws of what games ask of a world: exits of rays, one hit a body, the deepest first, characters as
//! targets, bodies that are pushed.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::Mesh;
use carom::character::{Character, Input, Settings, Targets};
use carom::mesh::Surface;
use carom::num::ops::rotation_about;
use carom::pushed::{PushedBodies, PushedError};
use carom::shape::{
    Aabb, Capsule, ConvexHull, Cuboid, Ellipsoid, Mover, Sphere, convex_distance, convex_hull,
};
use carom::world::{Body, BodyId, Cast, Collider, Layers, World};
use glam::{DVec3, dvec3};

use dice::Dice;

mod dice;

const DOWN: DVec3 = DVec3::new(0.0, -9.81, 0.0);
const TICK: f64 = 1.0 / 60.0;

/// A ray through solids, a hull and a closed mesh has an exit for every entry, behind it, on the far side.
#[test]
fn a_ray_that_enters_leaves() {
    let mut dice = Dice(1);
    let corners = Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap().corners();
    let mesh = Mesh::from_triangles(
        corners.map(|corner| corner.as_vec3().to_array()).to_vec(),
        convex_hull(&corners).unwrap(),
    )
    .unwrap();
    let mut world = World::new();
    let turn = rotation_about(dvec3(1.0, 2.0, 0.5).normalize(), 0.7);
    world.add(Body::fixed(Sphere::new(1.0).unwrap()).at(dvec3(-8.0, 0.0, 0.0)));
    world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()).at((dvec3(-4.0, 0.0, 0.0), turn)));
    world.add(Body::fixed(ConvexHull::new(&corners).unwrap()).at((dvec3(0.0, 0.0, 0.0), turn)));
    world.add(Body::fixed(mesh).at((dvec3(4.0, 0.0, 0.0), turn)));
    world.add(Body::fixed(Capsule::new(0.5, 0.5).unwrap()).at(dvec3(8.0, 0.0, 0.0)));
    let mut counted = 0;
    for _ in 0..3000 {
        let from = dvec3(-20.0, dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        let way = dvec3(20.0, dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)) - from;
        let cast = Cast::new(Mover::Point, from, way).unwrap();
        let entries = world.cast_bodies(&cast);
        let exits = world.ray_exits(from, way, Layers::ALL).unwrap();
        // Through the very edge of two faces a ray may meet both.
        let mut bodies: Vec<BodyId> = exits.iter().map(|exit| exit.body).collect();
        bodies.dedup();
        assert_eq!(bodies, entries.iter().map(|entry| entry.body).collect::<Vec<_>>());
        for (entry, exit) in entries.iter().zip(&exits).filter(|_| exits.len() == entries.len()) {
            assert!(entry.fraction < exit.fraction && exit.normal.dot(way) > 0.0);
            let at = from + way * exit.fraction;
            assert!((exit.point - at).length() < 1e-9);
            // Halfway it is inside: the solids say so.
            let middle = from + way * (0.5 * (entry.fraction + exit.fraction));
            if !matches!(world.body(entry.body).unwrap().collider(), carom::world::Collider::Mesh(_)) {
                assert_eq!(world.deepest(Mover::Point, middle, Layers::ALL).unwrap().len(), 1);
            }
            counted += 1;
        }
    }
    assert!(counted > 3000, "{counted}");
    // From inside there is an exit and no entry.
    let exits = world.ray_exits(dvec3(-8.0, 0.0, 0.0), DVec3::Y * 5.0, Layers::ALL).unwrap();
    assert!(exits.len() == 1 && (exits[0].fraction - 0.2).abs() < 1e-12);
    assert!(world.ray_exits(DVec3::NAN, DVec3::X, Layers::ALL).is_err());
}

#[test]
fn one_hit_a_body_and_the_deepest_first() {
    let mut dice = Dice(2);
    for _ in 0..200 {
        let mut world = World::new();
        for i in 0..8u64 {
            let floor: Vec<DVec3> = (0..12).map(|_| dice.point(1.5)).collect();
            let body = Body::fixed(ConvexHull::new(&floor).unwrap()).at(dice.point(3.0));
            world.add(body.with_user_data(100 + i));
        }
        let mover = Sphere::new(0.5).unwrap();
        let cast = Cast::new(mover, dice.point(6.0), dice.point(12.0)).unwrap();
        let (all, once) = (world.cast_all(&cast), world.cast_bodies(&cast));
        let mut seen: Vec<BodyId> = Vec::new();
        let expected: Vec<_> = all
            .iter()
            .filter(|hit| {
                let is_new = !seen.contains(&hit.body);
                seen.push(hit.body);
                is_new
            })
            .copied()
            .collect();
        assert_eq!(once, expected);
        assert!(once.iter().all(|hit| hit.user_data == 100 + u64::from(hit.body.index())));
        assert_eq!(once.first().copied(), world.cast(&cast));
        let at = dice.point(3.0);
        let deepest = world.deepest(mover, at, Layers::ALL).unwrap();
        assert!(deepest.windows(2).all(|pair| pair[0].contact.gap <= pair[1].contact.gap));
        let mut least = [0.0f64; 8];
        world.contacts(&mover.into(), at, 0.0, Layers::ALL, |near| {
            let least = &mut least[near.part.body.index() as usize];
            *least = least.min(near.contact.gap);
        });
        assert_eq!(deepest.len(), least.iter().filter(|gap| **gap < 0.0).count());
        for near in deepest {
            assert_eq!(near.contact.gap, least[near.part.body.index() as usize]);
            assert_eq!(near.user_data, 100 + u64::from(near.part.body.index()));
        }
    }
}

/// Characters come, move, crouch, change layers and go: what is found is what asking each finds.
#[test]
fn targets_are_the_characters_as_they_are() {
    const RED: Layers = Layers::one(5);
    let mut dice = Dice(3);
    let mut targets = Targets::new();
    let (mut shots, mut near) = (0, 0);
    for round in 0..300 {
        let count = (dice.unit() * 12.0) as u64;
        let characters: Vec<Character> = (0..count)
            .map(|i| {
                let size = dice.between(0.2, 0.5);
                let shape: Mover = if dice.unit() < 0.5 {
                    Capsule::new(size, 0.5).unwrap().into()
                } else {
                    Ellipsoid::new(dvec3(size, 0.9, size)).unwrap().into()
                };
                let layers = if dice.unit() < 0.5 { RED } else { Layers::SOLID };
                let hero = Character::new(shape, Settings::default()).unwrap().on(layers);
                hero.at(dice.point(4.0)).unwrap().with_user_data(round * 1000 + i)
            })
            .collect();
        targets.update(&characters);
        for layers in [RED, Layers::ALL] {
            let from = dice.point(6.0);
            let aim = characters.first().map_or(from, |one| one.position() + dice.point(0.5));
            let way = (aim - from) * 2.0;
            let asked = || characters.iter().enumerate().filter(|(_, one)| one.layers().meets(layers));
            let first = asked()
                .filter_map(|(i, one)| Some((one.shape().ray(from - one.position(), way)?, i)))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let is_inside = asked().any(|(_, one)| one.shape().contains(from - one.position()));
            let cast = Cast::new(Mover::Point, from, way).unwrap().filter(layers);
            let hit = targets.cast(&cast);
            if !is_inside {
                assert_eq!(hit.map(|hit| hit.character as usize), first.map(|(_, i)| i), "round {round}");
            }
            if let Some(hit) = hit {
                assert_eq!(hit.user_data, round * 1000 + u64::from(hit.character));
                assert!(
                    targets
                        .cast_past(&cast, hit.character)
                        .is_none_or(|next| next.character != hit.character)
                );
                assert_eq!(targets.cast_all(&cast)[0], hit);
                shots += 1;
            }
            let mover = Mover::from(Sphere::new(0.6).unwrap());
            let distance =
                |one: &Character| convex_distance(&mover, one.shape(), one.position() - aim).distance;
            let nearest = asked().map(|(_, one)| distance(one)).fold(f64::INFINITY, f64::min);
            let found = targets.closest(mover, aim, 100.0, layers).unwrap();
            assert!(
                (found.map_or(f64::INFINITY, |found| found.distance) - nearest).abs() < 1e-9
                    || nearest.is_infinite()
            );
            let overlapped: Vec<u32> =
                asked().filter(|(_, one)| distance(one) == 0.0).map(|(i, _)| i as u32).collect();
            let found = targets.overlaps(mover, aim, layers).unwrap();
            assert!(found.iter().all(|one| one.user_data == characters[one.character as usize].user_data()));
            let found: Vec<u32> = found.iter().map(|one| one.character).collect();
            assert_eq!(found, overlapped, "round {round}");
            near += overlapped.len();
            let contacts = targets.contacts(mover, aim, 0.0, layers).unwrap();
            assert!(contacts.len() >= overlapped.len());
        }
    }
    assert!(shots > 50 && near > 10, "{shots} {near}");
}

/// A floor whose top is at 0.
fn yard() -> World {
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(50.0, 1.0, 50.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    world
}

fn crate_at(world: &mut World, place: DVec3) -> BodyId {
    let cube = Cuboid::new(DVec3::splat(0.5)).unwrap();
    world.add(Body::dynamic(cube, 20.0).unwrap().at(place))
}

fn place(world: &World, id: BodyId) -> DVec3 {
    world.body(id).unwrap().pose().position()
}

#[test]
fn crates_fall_stack_and_come_to_rest_to_the_bit() {
    let mut world = yard();
    let ids = [5.0, 1.0, 3.0].map(|height| crate_at(&mut world, dvec3(0.1 * height, height, 0.0)));
    let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.5).unwrap();
    ids.iter().for_each(|id| pushed.add(&world, *id).unwrap());
    for _ in 0..180 {
        pushed.advance(&mut world, TICK, |_| ());
    }
    let heights = ids.map(|id| place(&world, id).y);
    for (height, expected) in heights.iter().zip([2.5, 0.5, 1.5]) {
        assert!((height - expected).abs() < 1e-3, "{heights:?}");
    }
    let bits = |world: &World| ids.map(|id| place(world, id).to_array().map(f64::to_bits));
    let kept = bits(&world);
    for _ in 0..60 {
        pushed.advance(&mut world, TICK, |_| ());
        assert!(ids.iter().all(|id| pushed.velocity(*id) == Some(DVec3::ZERO)));
        assert_eq!(bits(&world), kept);
    }
}

#[test]
fn a_lift_carries_a_crate_up_down_and_across() {
    let mut world = yard();
    let lift = Cuboid::new(dvec3(2.0, 0.25, 2.0)).unwrap();
    let lift = world.add(Body::kinematic(lift).at(dvec3(0.0, 0.25, 0.0)));
    let id = crate_at(&mut world, dvec3(0.5, 1.0, 0.0));
    let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.6).unwrap();
    pushed.add(&world, id).unwrap();
    let ride = |world: &mut World, pushed: &mut PushedBodies, velocity: DVec3, ticks: u32| {
        for _ in 0..ticks {
            pushed.advance(world, TICK, |moves| moves.drive(lift, velocity, DVec3::ZERO)).unwrap();
            let apart = place(world, id) - place(world, lift);
            assert!((apart.y - 0.75).abs() < 2e-3, "{apart}");
        }
        place(world, id) - place(world, lift)
    };
    let start = ride(&mut world, &mut pushed, DVec3::ZERO, 60);
    let up = ride(&mut world, &mut pushed, DVec3::Y * 1.5, 60);
    let across = ride(&mut world, &mut pushed, dvec3(1.0, 0.0, 0.5), 60);
    let down = ride(&mut world, &mut pushed, DVec3::Y * -1.0, 60);
    for apart in [up, across, down] {
        assert!((apart - start).length() < 5e-3, "{start} {up} {across} {down}");
    }
    let velocity = pushed.velocity(id).unwrap();
    assert!((velocity - DVec3::Y * -1.0).length() < 1e-6, "{velocity}");
}

/// Bodies other than its own that end deeper in a pushed body than rounding.
fn inside(world: &World, id: BodyId) -> Vec<(BodyId, f64)> {
    let Some(body) = world.body(id) else { return Vec::new() };
    let mover = match body.collider() {
        Collider::Sphere(sphere) => Mover::from(*sphere),
        Collider::Ellipsoid(ellipsoid) => Mover::from(*ellipsoid),
        Collider::Capsule(capsule) => Mover::from(*capsule),
        Collider::Cuboid(cuboid) => Mover::from(*cuboid),
        other => panic!("{other:?} is not pushed"),
    };
    let deep = world.deepest(mover, body.pose().position(), Layers::ALL).unwrap();
    deep.iter()
        .filter(|near| near.part.body != id && near.contact.gap < -1e-6)
        .map(|near| (near.part.body, near.contact.gap))
        .collect()
}

/// Bodies on a lift wait for each other, the lowest first: the stack above once held the lowest, and the lift
/// went through it.
#[test]
fn a_lift_raises_a_stack_and_brings_it_down() {
    for height in 1..=6 {
        let mut world = yard();
        let lift = Cuboid::new(dvec3(2.0, 0.25, 2.0)).unwrap();
        let lift = world.add(Body::kinematic(lift).at(dvec3(0.0, 0.25, 0.0)));
        let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.6).unwrap();
        let ids: Vec<BodyId> = (0..height)
            .map(|i| crate_at(&mut world, dvec3(0.1 * f64::from(i % 2), 1.05 + 1.01 * f64::from(i), 0.0)))
            .collect();
        ids.iter().for_each(|id| pushed.add(&world, *id).unwrap());
        for (ticks, velocity) in [
            (60, DVec3::ZERO),
            (90, DVec3::Y * 3.0),
            (60, dvec3(1.0, 1.0, 0.5)),
            (60, DVec3::ZERO),
            (60, DVec3::Y * -2.0),
        ] {
            for _ in 0..ticks {
                pushed.advance(&mut world, TICK, |moves| moves.drive(lift, velocity, DVec3::ZERO)).unwrap();
                for (level, id) in (0..).zip(&ids) {
                    assert_eq!(inside(&world, *id), [], "{level} of {height}");
                    let above = place(&world, *id).y - place(&world, lift).y;
                    let slack = 0.06 + 0.02 * f64::from(level);
                    assert!((above - 0.75 - f64::from(level)).abs() < slack, "{above}: {level} of {height}");
                }
            }
        }
    }
}

/// A wall that is driven pushes what is before it, however many there are; where the last has no room, the
/// wall ends in the first, and none in another.
#[test]
fn a_wall_pushes_a_row_until_it_has_no_room() {
    for count in 1..=4 {
        let mut world = yard();
        let wall = Cuboid::new(dvec3(0.25, 1.0, 2.0)).unwrap();
        let wall = world.add(Body::kinematic(wall).at(dvec3(-1.0, 1.0, 0.0)));
        world.add(Body::fixed(Cuboid::new(dvec3(0.5, 3.0, 6.0)).unwrap()).at(dvec3(12.5, 2.0, 0.0)));
        let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.5).unwrap();
        let ids: Vec<BodyId> = (0..count)
            .map(|i| {
                // The farthest is the lowest, so it would go first.
                let half = 0.6 - 0.05 * f64::from(i);
                let cube = Cuboid::new(DVec3::splat(half)).unwrap();
                let at = dvec3(0.5 + 1.5 * f64::from(i), half + 0.01, 0.0);
                world.add(Body::dynamic(cube, 20.0).unwrap().at(at))
            })
            .collect();
        ids.iter().for_each(|id| pushed.add(&world, *id).unwrap());
        let last = *ids.last().unwrap();
        for tick in 0..480 {
            let velocity = DVec3::X * if tick < 30 { 0.0 } else { 2.0 };
            pushed.advance(&mut world, TICK, |moves| moves.drive(wall, velocity, DVec3::ZERO)).unwrap();
            let has_room = place(&world, last).x < 11.0;
            for (number, id) in ids.iter().enumerate() {
                let met = inside(&world, *id);
                assert!(
                    met.is_empty() || !has_room && met.iter().all(|(other, _)| *other == wall),
                    "{number} of {count} in tick {tick}: {met:?}"
                );
            }
        }
        assert!(place(&world, last).x > 11.0, "{}", place(&world, last));
    }
}

/// Columns of solids of all kinds that fall and bounce, on lifts that go up and down under the open sky.
#[test]
fn nothing_ends_in_a_pushed_body_that_has_room() {
    let mut dice = Dice(41);
    let mut rode = 0;
    for _ in 0..12 {
        let mut world = yard();
        let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(dice.unit()).unwrap();
        let mut lifts = Vec::new();
        let mut ids = Vec::new();
        for column in 0..3 {
            let middle = dvec3(10.0 * f64::from(column), 0.0, 0.0);
            if dice.unit() < 0.7 {
                let half = dvec3(2.0, dice.between(0.1, 0.3), 2.0);
                let lift = Body::kinematic(Cuboid::new(half).unwrap()).at(middle + DVec3::Y * half.y);
                lifts.push((
                    world.add(lift),
                    middle.x,
                    half.y,
                    dice.between(0.2, 1.5),
                    dice.between(0.2, 0.8),
                ));
            }
            let count = 1 + (dice.unit() * 6.0) as u32;
            for level in 0..count {
                let size = dvec3(dice.between(0.2, 0.7), dice.between(0.2, 0.6), dice.between(0.2, 0.7));
                let solid = match (dice.unit() * 4.0) as u32 {
                    0 => Body::dynamic(Sphere::new(size.x).unwrap(), 5.0),
                    1 => Body::dynamic(Ellipsoid::new(size).unwrap(), 5.0),
                    2 => Body::dynamic(Capsule::new(size.x, size.y).unwrap(), 5.0),
                    _ => Body::dynamic(Cuboid::new(size).unwrap(), 5.0),
                };
                let aside =
                    if dice.unit() < 0.5 { DVec3::ZERO } else { dice.point(0.3) * dvec3(1.0, 0.0, 1.0) };
                let surface = Surface { restitution: 0.8 * dice.unit().round(), ..Surface::default() };
                let at = middle + aside + DVec3::Y * (2.0 + 3.0 * f64::from(level));
                ids.push(world.add(solid.unwrap().at(at).with_surface(surface)));
            }
        }
        ids.iter().for_each(|id| pushed.add(&world, *id).unwrap());
        for tick in 1..=300 {
            let seconds = f64::from(tick) * TICK;
            pushed.advance(&mut world, TICK, |moves| {
                for (lift, x, rest, height, rate) in &lifts {
                    let up = height * (1.0 - carom::num::ops::cos(6.0 * rate * seconds));
                    moves.move_to(*lift, dvec3(*x, rest + up, 0.0)).unwrap();
                }
            });
            for id in &ids {
                // A lift that comes down on one that fell off leaves it no room.
                let is_below = |other: BodyId| place(&world, *id).y < place(&world, other).y;
                let is_lift = |other: BodyId| lifts.iter().any(|(lift, ..)| *lift == other);
                let mut met = inside(&world, *id);
                met.retain(|(other, _)| !(is_lift(*other) && is_below(*other)));
                assert_eq!(met, [], "{id:?} in tick {tick}");
                rode += u32::from(pushed.velocity(*id).unwrap().y > 0.1);
            }
        }
    }
    assert!(rode > 500, "{rode}");
}

#[test]
fn friction_holds_on_a_slope_or_does_not() {
    let slope = rotation_about(DVec3::Z, 30f64.to_radians());
    let ends = [0.2, 0.8].map(|coefficient| {
        let mut world = World::new();
        let plank = Cuboid::new(dvec3(20.0, 1.0, 5.0)).unwrap();
        world.add(Body::fixed(plank).at((DVec3::ZERO, slope)));
        let ball = Sphere::new(0.5).unwrap();
        let id = world.add(Body::dynamic(ball, 5.0).unwrap().at(slope * dvec3(10.0, 1.501, 0.0)));
        let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(coefficient).unwrap();
        pushed.add(&world, id).unwrap();
        let from = place(&world, id);
        for _ in 0..60 {
            pushed.advance(&mut world, TICK, |_| ());
        }
        (place(&world, id) - from).length()
    });
    // g (sin 30° − μ cos 30°) t² / 2 = 1.6 m, less the first ticks.
    assert!((ends[0] - 1.6).abs() < 0.1 && ends[1] < 0.01, "{ends:?}");
}

#[test]
fn a_ball_bounces_by_the_restitution_of_the_floor() {
    let mut world = World::new();
    let floor = Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0));
    world.add(floor.with_surface(Surface { restitution: 0.5, ..Surface::default() }));
    let id = world.add(Body::dynamic(Sphere::new(0.25).unwrap(), 1.0).unwrap().at(dvec3(0.0, 4.25, 0.0)));
    let mut pushed = PushedBodies::new(DOWN).unwrap();
    pushed.add(&world, id).unwrap();
    let heights: Vec<f64> = (0..400)
        .map(|_| {
            pushed.advance(&mut world, TICK, |_| ());
            place(&world, id).y - 0.25
        })
        .collect();
    let touch = heights.iter().position(|height| *height < 0.1).unwrap();
    let rebound = heights[touch..touch + 60].iter().copied().fold(0.0, f64::max);
    assert!((rebound - 1.0).abs() < 0.15, "{rebound}");
    assert!(heights.iter().all(|height| *height > -1e-6));
    assert_eq!(pushed.velocity(id), Some(DVec3::ZERO));
}

/// A yard full of crates that are pushed about: nothing gets into anything, and a kept state continues to the
/// same bits.
#[test]
fn crates_stay_out_of_each_other_and_roll_back_to_the_bit() {
    let mut dice = Dice(9);
    let mut world = yard();
    for side in [-1.0, 1.0] {
        let wall = Cuboid::new(dvec3(0.5, 3.0, 6.0)).unwrap();
        world.add(Body::fixed(wall).at(dvec3(side * 6.0, 2.0, 0.0)));
        world.add(
            Body::fixed(wall)
                .at((dvec3(0.0, 2.0, side * 6.0), rotation_about(DVec3::Y, std::f64::consts::FRAC_PI_2))),
        );
    }
    let ids: Vec<BodyId> = (0..10)
        .map(|i| {
            let spot = dvec3(
                f64::from(i % 4) * 2.4 - 3.6,
                1.0 + f64::from(i / 4) * 1.6,
                f64::from(i % 3) * 2.0 - 2.0,
            );
            crate_at(&mut world, spot)
        })
        .collect();
    let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.3).unwrap();
    ids.iter().for_each(|id| pushed.add(&world, *id).unwrap());
    let script: Vec<Vec<(BodyId, DVec3)>> = (0..240)
        .map(|_| {
            let one = ids[(dice.unit() * 10.0) as usize];
            if dice.unit() < 0.3 { vec![(one, dice.point(150.0))] } else { Vec::new() }
        })
        .collect();
    let solid = Mover::from(Cuboid::new(DVec3::splat(0.4999)).unwrap());
    let run = |world: &mut World, pushed: &mut PushedBodies, ticks: std::ops::Range<usize>| {
        let mut bits = Vec::new();
        for tick in ticks {
            for (id, impulse) in &script[tick] {
                pushed.push(world, *id, *impulse);
            }
            pushed.advance(world, TICK, |_| ());
            for id in &ids {
                let at = place(world, *id);
                assert!(at.is_finite() && at.abs().max_element() < 20.0, "{at} in tick {tick}");
                let met = world.overlaps(solid, at, Layers::ALL).unwrap();
                assert!(met.iter().all(|overlap| overlap.body == *id), "{id:?} is in {met:?} in tick {tick}");
                bits.push(at.to_array().map(f64::to_bits));
            }
        }
        bits
    };
    run(&mut world, &mut pushed, 0..120);
    let kept = pushed.state(&world);
    let first = run(&mut world, &mut pushed, 120..240);
    pushed.restore(&mut world, &kept);
    assert_eq!(run(&mut world, &mut pushed, 120..240), first);
}

#[test]
fn a_hero_pushes_a_crate_to_the_wall() {
    let mut world = yard();
    world.add(Body::fixed(Cuboid::new(dvec3(0.5, 3.0, 6.0)).unwrap()).at(dvec3(6.0, 2.0, 0.0)));
    let id = crate_at(&mut world, dvec3(2.0, 0.5, 0.0));
    let mut pushed = PushedBodies::new(DOWN).unwrap().with_friction(0.1).unwrap();
    pushed.add(&world, id).unwrap();
    let hero = Character::new(Capsule::new(0.3, 0.6).unwrap(), Settings::default()).unwrap();
    let mut hero = hero.at(dvec3(0.0, 0.95, 0.0)).unwrap();
    for _ in 0..600 {
        pushed.advance(&mut world, TICK, |_| ());
        let report = hero.step(&world, Input::walk(dvec3(2.0, 0.0, 0.0)), TICK);
        pushed.push_all(&world, report.pushes());
        assert!(!report.crushed());
    }
    let at = place(&world, id);
    assert!((at.x - 5.0).abs() < 5e-3 && (at.y - 0.5).abs() < 1e-3, "{at}");
    assert!((hero.position().x - 4.2).abs() < 1e-2, "{}", hero.position());
}

#[test]
fn what_cannot_be_pushed_is_refused_by_name() {
    let mut world = yard();
    let mut pushed = PushedBodies::new(DOWN).unwrap();
    let floor = world.bodies().next().unwrap().0;
    assert_eq!(pushed.add(&world, floor), Err(PushedError::NotDynamic));
    let mesh =
        Mesh::from_triangles(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], vec![[0, 1, 2]]).unwrap();
    let mesh = world.add(Body::dynamic(mesh, 1.0).unwrap());
    assert_eq!(pushed.add(&world, mesh), Err(PushedError::NotSolid));
    let id = crate_at(&mut world, DVec3::Y);
    pushed.add(&world, id).unwrap();
    assert_eq!(pushed.add(&world, id), Err(PushedError::Twice));
    pushed.push(&world, id, DVec3::NAN);
    assert_eq!(pushed.velocity(id), Some(DVec3::ZERO));
    world.remove(id);
    assert_eq!(pushed.add(&world, id), Err(PushedError::NoSuchBody));
    pushed.advance(&mut world, TICK, |_| ());
    assert_eq!(pushed.velocity(id), None);
    assert!(
        PushedBodies::new(DVec3::NAN).is_err()
            && PushedBodies::new(DOWN).unwrap().with_friction(-1.0).is_err()
    );
}
