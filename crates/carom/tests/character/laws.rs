//! What holds in any scene.

use carom::character::{Character, Input, Outcome, Settings};
use carom::respond::Obstacles;
use carom::world::Neighbourhood;
use carom::{Body, Cuboid, Ellipsoid, Layers, Mesh, Pose, Surroundings, World};
use glam::{DVec3, dvec3};
use proptest::prelude::*;

use crate::{DT, floor, hero, slab};

/// Boxes here and there on a floor, turned about `up`; in the given order.
fn rubble(boxes: &[([f64; 3], [f64; 3], f64)]) -> World {
    let mut world = floor();
    for (at, half, turn) in boxes {
        let pose = Pose::at(DVec3::from_array(*at))
            .and_then(|pose| pose.with_rotation(carom::num::ops::rotation_about(dvec3(0.3, 1.0, 0.2), *turn)))
            .unwrap();
        world.add(Body::fixed(Cuboid::new(DVec3::from_array(*half)).unwrap()).at(pose));
    }
    world
}

fn any_boxes() -> impl Strategy<Value = Vec<([f64; 3], [f64; 3], f64)>> {
    let at = [-4.0..4.0f64, 0.0..2.0f64, -4.0..4.0f64];
    let half = [0.1..1.0f64, 0.1..0.8f64, 0.1..1.0f64];
    prop::collection::vec((at, half, 0.0..3.0f64), 0..12)
}

fn any_inputs() -> impl Strategy<Value = Vec<Input>> {
    let wish = prop::option::weighted(0.8, [-6.0..6.0f64, -1.0..1.0f64, -6.0..6.0f64]);
    let jump = prop::option::weighted(0.1, 2.0..6.0f64);
    let held = (wish, jump).prop_map(|(wish, jump)| {
        let input = Input { wish: wish.map(DVec3::from_array), jump };
        [input; 8]
    });
    prop::collection::vec(held, 1..12).prop_map(|held| held.concat())
}

fn depth(world: &World, character: &Character) -> f64 {
    let grown = character.shape().grown(character.skin()).unwrap();
    let mut depth = 0.0f64;
    Surroundings::new(world, grown, Layers::ALL)
        .contacts(character.position(), 1.0, 0.0, &mut |touch| depth = depth.max(-touch.contact.gap));
    depth
}

/// A character in a place where it is free, if there is one near.
fn placed(world: &World) -> Option<Character> {
    let shape = Ellipsoid::new(dvec3(0.35, 0.9, 0.35)).unwrap();
    let hero = Character::new(shape, Settings::default()).unwrap();
    (0..40)
        .map(|i| hero.at(dvec3(f64::from(i % 5) - 2.0, 0.95 + f64::from(i / 5) * 0.5, 0.1)).unwrap())
        .find(|hero| depth(world, hero) == 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_is_ever_overlapped(boxes in any_boxes(), inputs in any_inputs()) {
        let world = rubble(&boxes);
        let Some(mut hero) = placed(&world) else { return Ok(()) };
        for input in inputs {
            let report = hero.step(&world, input, DT);
            prop_assert!(matches!(report.outcome, Outcome::Moved | Outcome::Blocked), "{report:?}");
            prop_assert!(depth(&world, &hero) <= 1e-12, "{:e} {report:?}", depth(&world, &hero));
            prop_assert!(hero.position().y > 0.89);
        }
    }

    #[test]
    fn the_order_of_bodies_changes_no_bit(boxes in any_boxes(), inputs in any_inputs()) {
        let forward = rubble(&boxes);
        let backward = rubble(&boxes.iter().rev().copied().collect::<Vec<_>>());
        let Some(mut a) = placed(&forward) else { return Ok(()) };
        let mut b = a;
        for input in inputs {
            a.step(&forward, input, DT);
            b.step(&backward, input, DT);
            prop_assert_eq!(a.position(), b.position());
            prop_assert_eq!(a.velocity(), b.velocity());
        }
    }

    #[test]
    fn a_copy_goes_on_to_the_same_bits(boxes in any_boxes(), inputs in any_inputs()) {
        let world = rubble(&boxes);
        let Some(mut hero) = placed(&world) else { return Ok(()) };
        let mut saved = Vec::new();
        for input in &inputs {
            saved.push(hero.state());
            hero.step(&world, *input, DT);
        }
        let window = 8.min(inputs.len());
        let mut again = hero;
        again.restore(saved[inputs.len() - window]);
        for input in &inputs[inputs.len() - window..] {
            again.step(&world, *input, DT);
        }
        prop_assert_eq!(again.state(), hero.state());
    }

    #[test]
    fn a_slide_makes_no_speed(boxes in any_boxes(), inputs in any_inputs()) {
        let world = rubble(&boxes);
        let Some(hero) = placed(&world) else { return Ok(()) };
        let settings = Settings { gravity: DVec3::ZERO, step_height: 0.0, ..*hero.settings() };
        let mut hero = Character::new(*hero.shape(), settings).unwrap().at(hero.position()).unwrap();
        for input in inputs {
            let before = hero.position();
            let most = input.wish.map_or(hero.velocity().length(), DVec3::length);
            hero.step(&world, input, DT);
            prop_assert!((hero.position() - before).length() <= most * DT * (1.0 + 1e-12) + 1e-14);
            prop_assert!(hero.velocity().length() <= most * (1.0 + 1e-12));
        }
    }

    #[test]
    fn what_was_gathered_answers_as_the_world_does(boxes in any_boxes(), place in [-2.0..2.0f64, 0.5..2.0f64, -2.0..2.0f64], way in [-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64]) {
        let mut world = rubble(&boxes);
        let spinner = slab(&mut world, dvec3(1.0, 1.0, 1.0), dvec3(1.0, 0.1, 0.3));
        let tiles = Mesh::from_triangles(
            vec![[-3.0, 0.2, -3.0], [3.0, 0.4, -3.0], [0.0, 0.3, 3.0], [0.0, 2.0, 0.0]],
            vec![[0, 1, 2], [0, 1, 3], [1, 2, 3]],
        ).unwrap();
        let plate = world.add(Body::kinematic(tiles));
        world.advance(DT, |moves| {
            moves.drive(spinner, dvec3(1.0, 0.0, 0.0), dvec3(0.0, 5.0, 1.0));
            moves.drive(plate, dvec3(0.0, 1.0, 0.0), dvec3(0.0, 1.0, 0.0));
        });
        let mover = Ellipsoid::new(dvec3(0.35, 0.9, 0.35)).unwrap().into();
        let (place, way) = (DVec3::from_array(place), DVec3::from_array(way));
        let mut near = Neighbourhood::new();
        let centers = carom::shape::Aabb::new(place.min(place + way), place.max(place + way)).unwrap();
        world.gather(&mover, &centers.grown(0.2), Layers::ALL, &mut near);
        let whole = Surroundings::new(&world, mover, Layers::ALL).during([0.0, 1.0], DT);
        let gathered = whole.within(&near);
        for times in [[0.0, 1.0], [0.25, 0.75], [1.0, 1.0]] {
            prop_assert_eq!(whole.sweep(place, way, times), gathered.sweep(place, way, times));
            let list = |around: Surroundings<'_>| {
                let mut found = Vec::new();
                around.contacts(place, times[0], 0.1, &mut |touch| found.push(touch));
                found.sort_by_key(|touch| touch.key);
                found
            };
            prop_assert_eq!(list(whole), list(gathered));
        }
    }

    #[test]
    fn what_serves_many_ticks_of_a_still_world_changes_no_bit(boxes in any_boxes(), turns in proptest::collection::vec(0.0..6.3f64, 6)) {
        let world = rubble(&boxes);
        let mut near = Neighbourhood::in_still_world(0.5);
        let mut one = hero(dvec3(0.0, 4.0, 0.0));
        let mut other = one;
        for tick in 0..90 {
            let angle = turns[tick / 15];
            let input = Input::walk(dvec3(carom::num::ops::cos(angle), 0.0, carom::num::ops::sin(angle)) * 5.0);
            let input = if tick % 40 == 30 { input.jump(4.0) } else { input };
            one.step(&world, input, DT);
            other.step_with(&world, &[], (input, DT), &mut near, &mut ());
            prop_assert_eq!(one, other);
        }
    }
}

#[test]
fn standing_still_is_standing_still_to_the_bit() {
    let mut world = floor();
    let pose = Pose::at(dvec3(0.0, -0.2, 0.0))
        .and_then(|pose| pose.with_rotation(carom::num::ops::rotation_about(DVec3::Z, 0.6)))
        .unwrap();
    world.add(Body::fixed(Cuboid::new(dvec3(5.0, 0.3, 5.0)).unwrap()).at(pose));
    let mut hero = hero(dvec3(0.5, 1.5, 0.0));
    for _ in 0..120 {
        hero.step(&world, Input::IDLE, DT);
    }
    assert!(hero.ground().is_some_and(|ground| ground.normal.x != 0.0));
    let rest = hero.position();
    for _ in 0..36_000 {
        hero.step(&world, Input::IDLE, DT);
        assert_eq!(hero.position(), rest);
    }
}

#[cfg(feature = "serde")]
#[test]
fn the_state_survives_the_wire() {
    let world = floor();
    let mut hero = hero(dvec3(0.5, 0.1, 0.0));
    for _ in 0..30 {
        hero.step(&world, Input::walk(dvec3(1.0, 0.0, 2.0)), DT);
    }
    let text = serde_json::to_string(&hero).unwrap();
    let back: Character = serde_json::from_str(&text).unwrap();
    assert_eq!(back, hero);
}
