//! Laws that hold in any scene.

use core::ops::Range;

use carom::character::{Character, Input, Obstacle, Outcome, Settings, TickInput};
use carom::respond::Obstacles;
use carom::world::{BodyId, Neighborhood};
use carom::{Body, Cuboid, Ellipsoid, Layers, Mesh, Pose, World, WorldObstacles};
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

/// The same of triangles.
fn triangulated(boxes: &[([f64; 3], [f64; 3], f64)]) -> World {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let level = ([0.0, -1.0, 0.0], [50.0, 1.0, 50.0], 0.0);
    for (at, half, turn) in boxes.iter().chain([&level]) {
        let axis = if *turn == 0.0 { DVec3::Y } else { dvec3(0.3, 1.0, 0.2) };
        let rotation = carom::num::ops::rotation_about(axis, *turn);
        let first = corners.len() as u32;
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let own = dvec3(sign(0), sign(1), sign(2)) * DVec3::from_array(*half);
            corners.push((DVec3::from_array(*at) + rotation * own).as_vec3().to_array());
        }
        for [a, b, c, d] in
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        {
            triangles.extend([[a, b, c], [a, c, d]].map(|face| face.map(|corner| corner + first)));
        }
    }
    let mut world = World::new();
    world.add(Body::fixed(Mesh::from_triangles(corners, triangles).unwrap()));
    world
}

fn any_boxes() -> impl Strategy<Value = Vec<([f64; 3], [f64; 3], f64)>> {
    let at = [-4.0..4.0f64, 0.0..2.0f64, -4.0..4.0f64];
    let half = [0.1..1.0f64, 0.1..0.8f64, 0.1..1.0f64];
    prop::collection::vec((at, half, 0.0..3.0f64), 0..12)
}

fn any_inputs(held_for: Range<usize>) -> impl Strategy<Value = Vec<Input>> {
    let desired_velocity = prop::option::weighted(0.8, [-6.0..6.0f64, -1.0..1.0f64, -6.0..6.0f64]);
    let jump = prop::option::weighted(0.1, 2.0..6.0f64);
    let held = (desired_velocity, jump).prop_map(|(desired_velocity, jump)| {
        let input = Input { desired_velocity: desired_velocity.map(DVec3::from_array), jump };
        [input; 8]
    });
    prop::collection::vec(held, held_for).prop_map(|held| held.concat())
}

fn depth(world: &World, character: &Character) -> f64 {
    let grown = character.shape().grown(character.skin()).unwrap();
    let mut depth = 0.0f64;
    WorldObstacles::new(world, grown, Layers::ALL)
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
    fn nothing_is_ever_overlapped(boxes in any_boxes(), inputs in any_inputs(1..12)) {
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
    fn the_order_of_bodies_changes_no_bit(boxes in any_boxes(), inputs in any_inputs(1..12)) {
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
    fn a_slide_makes_no_speed(boxes in any_boxes(), inputs in any_inputs(1..12)) {
        let world = rubble(&boxes);
        let Some(hero) = placed(&world) else { return Ok(()) };
        let settings = Settings { gravity: DVec3::ZERO, step_height: 0.0, ..*hero.settings() };
        let mut hero = Character::new(*hero.shape(), settings).unwrap().at(hero.position()).unwrap();
        for input in inputs {
            let before = hero.position();
            let most = input.desired_velocity.map_or(hero.velocity().length(), DVec3::length);
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
            moves.drive(spinner, dvec3(1.0, 0.0, 0.0), dvec3(0.0, 5.0, 1.0)).unwrap();
            moves.drive(plate, dvec3(0.0, 1.0, 0.0), dvec3(0.0, 1.0, 0.0)).unwrap();
        });
        let mover = Ellipsoid::new(dvec3(0.35, 0.9, 0.35)).unwrap().into();
        let (place, way) = (DVec3::from_array(place), DVec3::from_array(way));
        let mut near = Neighborhood::new();
        let centers = carom::shape::Aabb::new(place.min(place + way), place.max(place + way)).unwrap();
        world.gather(&mover, &centers.grown(0.2), Layers::ALL, &mut near);
        let whole = WorldObstacles::new(&world, mover, Layers::ALL).during([0.0, 1.0], DT);
        let gathered = whole.within(&near);
        for times in [[0.0, 1.0], [0.25, 0.75], [1.0, 1.0]] {
            prop_assert_eq!(whole.sweep(place, way, times), gathered.sweep(place, way, times));
            let list = |around: WorldObstacles<'_>| {
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
        let mut near = Neighborhood::in_still_world(0.5);
        let mut one = hero(dvec3(0.0, 4.0, 0.0));
        let mut other = one;
        for tick in 0..90 {
            let angle = turns[tick / 15];
            let input = Input::walk(dvec3(carom::num::ops::cos(angle), 0.0, carom::num::ops::sin(angle)) * 5.0);
            let input = if tick % 40 == 30 { input.jump(4.0) } else { input };
            one.step(&world, input, DT);
            other.step_with(&world, TickInput::new(input, DT), &mut near, &mut ());
            prop_assert_eq!(one, other);
        }
    }
}

/// A tick of a world in which a lift goes up and down and a plate turns.
fn moving_tick(world: &mut World, bodies: [BodyId; 2], tick: usize, hero: &mut Character, input: Input) {
    world.advance(DT, |moves| {
        let speed = if (tick / 20).is_multiple_of(2) { 1.5 } else { -1.5 };
        moves.drive(bodies[0], DVec3::Y * speed, DVec3::ZERO).unwrap();
        moves.drive(bodies[1], DVec3::ZERO, dvec3(0.0, 2.0, 0.3)).unwrap();
    });
    hero.step(world, input, DT);
}

/// Plays, saves eight ticks before the end, and plays the last eight ticks again.
fn replays(boxes: &[([f64; 3], [f64; 3], f64)], inputs: &[Input]) -> Result<(), TestCaseError> {
    const WINDOW: usize = 8;
    let mut world = triangulated(boxes);
    let Some(mut hero) = placed(&world) else { return Ok(()) };
    let bodies = [
        slab(&mut world, dvec3(1.5, -0.3, 0.0), dvec3(1.0, 0.3, 1.0)),
        slab(&mut world, dvec3(-1.5, 0.2, 0.0), dvec3(1.0, 0.1, 0.4)),
    ];
    let (before, window) = inputs.split_at(inputs.len() - WINDOW);
    let play = |world: &mut World, hero: &mut Character, first: usize, inputs: &[Input]| {
        for (tick, input) in (first..).zip(inputs) {
            moving_tick(world, bodies, tick, hero, *input);
        }
    };
    play(&mut world, &mut hero, 0, before);
    let (mut world_again, mut again, saved) = (world.clone(), hero, hero.state());
    play(&mut world, &mut hero, before.len(), window);
    // The ticks in between must leave no trace.
    again.step(&world_again, Input::walk(dvec3(3.0, 0.0, -2.0)).jump(3.0), DT);
    again.restore(saved);
    play(&mut world_again, &mut again, before.len(), window);
    // The text tells 0 from -0.
    prop_assert_eq!(format!("{:?}", again.state()), format!("{:?}", hero.state()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn eight_ticks_again_from_a_saved_state_are_the_same_bits(boxes in any_boxes(), inputs in any_inputs(1..5)) {
        replays(&boxes, &inputs)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    #[ignore = "minutes: ten thousand states"]
    fn eight_ticks_again_from_ten_thousand_saved_states(boxes in any_boxes(), inputs in any_inputs(1..5)) {
        replays(&boxes, &inputs)?;
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
    use carom::character::Report;

    let world = floor();
    let mut hero = hero(dvec3(0.5, 0.1, 0.0));
    for _ in 0..30 {
        hero.step(&world, Input::walk(dvec3(1.0, 0.0, 2.0)), DT);
    }
    let text = serde_json::to_string(&hero).unwrap();
    let back: Character = serde_json::from_str(&text).unwrap();
    assert_eq!(back, hero);
    let report = hero.step(&world, Input::walk(DVec3::X), DT);
    assert!(report.touched().next().is_some());
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report, "{text}");
    let touches = serde_json::to_value(report).unwrap()["touched"][0].clone();
    let mut longer = serde_json::to_value(report).unwrap();
    longer["touched"] = vec![touches; Report::TOUCHED + 1].into();
    assert!(serde_json::from_value::<Report>(longer).unwrap_err().to_string().contains("invalid length 9"));
}

#[test]
fn a_report_reads_aloud() {
    let world = floor();
    let mut hero = hero(dvec3(0.5, 0.1, 0.0));
    let report = (0..30).map(|_| hero.step(&world, Input::IDLE, DT)).last().unwrap();
    let ground = report.ground.unwrap().obstacle;
    assert_eq!(format!("{} on {ground}", report.outcome), "moved on body 0, part 0");
    assert_eq!(format!("[{:>9}] {}", Outcome::Crushed, Obstacle::Character(3)), "[  crushed] character 3");
}
