//! Edges: a character that stands on one may walk on from it.

use carom::World;
use carom::character::Input;
use carom::num::ops;
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};

/// E13: a ledge with its top at 0, a second one a little behind its edge and up to a step higher.
#[test]
fn a_character_on_the_edge_of_a_ledge_gets_on_from_it() {
    let mut random = Random(13);
    let (mut stood, mut held) = (0, Vec::new());
    for _ in 0..4000 {
        let shape = shapes()[random.below(5)];
        let frame = Frame::any(&mut random);
        let (depth, height) = (random.between(0.05, 0.45), random.between(0.1, 0.399));
        let mut world = World::new();
        frame.block(&mut world, dvec3(-9.0, -9.0, -9.0), dvec3(9.0, -6.0, 9.0));
        frame.block(&mut world, dvec3(0.0, -6.0, -9.0), dvec3(9.0, 0.0, 9.0));
        frame.block(&mut world, dvec3(depth, -6.0, -9.0), dvec3(9.0, height, 9.0));
        let Shape { mover, radius, .. } = shape;
        let feet = shape.feet();
        let offset = random.between(0.02, 0.98) * radius;
        let start = dvec3(-offset, feet + random.between(0.0, 0.3), 0.0);
        if depth + offset < radius + 1e-3 && start.y < height + feet {
            // It would begin inside the second.
            continue;
        }
        let mut hero = shape.hero().at(frame.place(start)).unwrap();
        let rate = RATES[random.below(6)];
        for _ in 0..(0.6 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        let low = frame.own(hero.position()).y - feet;
        if hero.ground().is_none() || !(-0.4..0.01).contains(&low) {
            continue;
        }
        stood += 1;
        let turn = random.between(-0.6, 0.6);
        let desired_velocity =
            frame.way(ops::rotation_about(DVec3::Y, turn) * DVec3::X) * random.between(0.5, 5.0);
        let arrived = (0..(2.0 * rate) as u32).any(|_| {
            hero.step(&world, Input::walk(desired_velocity), 1.0 / rate);
            let at = frame.own(hero.position());
            at.x > depth && (at.y - feet - height).abs() < 1e-6
        });
        if !arrived {
            held.push(format!("{mover:?} {rate} Hz depth {depth:.3} height {height:.3} offset {offset:.3} turn {turn:.2} wish {:.2} at {:?}", desired_velocity.length(), frame.own(hero.position())));
        }
    }
    assert!(stood > 1000, "{stood}");
    assert!(held.is_empty(), "{} of {stood}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// The same on a grid: a hero that has dropped onto the first edge, and a second one almost a step higher.
#[test]
fn who_has_dropped_onto_an_edge_gets_on_from_it_in_every_combination() {
    let (mut stood, mut held) = (0, Vec::new());
    for shape in shapes() {
        for rate in RATES {
            for depth in [0.1, 0.2, 0.3] {
                for height in [0.3, 0.35, 0.39] {
                    for offset in [0.1, 0.3, 0.5, 0.7, 0.9].map(|share| share * shape.radius) {
                        let mut world = World::new();
                        let frame = Frame { angle: 0.0, origin: DVec3::ZERO };
                        frame.block(&mut world, dvec3(-9.0, -9.0, -9.0), dvec3(9.0, -6.0, 9.0));
                        frame.block(&mut world, dvec3(0.0, -6.0, -9.0), dvec3(9.0, 0.0, 9.0));
                        frame.block(&mut world, dvec3(depth, -6.0, -9.0), dvec3(9.0, height, 9.0));
                        let feet = shape.feet();
                        if depth + offset < shape.radius + 1e-3 {
                            // It would begin inside the second.
                            continue;
                        }
                        let mut hero = shape.hero().at(dvec3(-offset, feet + 0.2, 0.0)).unwrap();
                        for _ in 0..(0.6 * rate) as u32 {
                            hero.step(&world, Input::IDLE, 1.0 / rate);
                        }
                        if hero.ground().is_none() || hero.position().y - feet < -0.4 {
                            continue;
                        }
                        stood += 1;
                        let arrived = (0..(2.0 * rate) as u32).any(|_| {
                            hero.step(&world, Input::walk(DVec3::X * 2.0), 1.0 / rate);
                            hero.position().x > depth && (hero.position().y - feet - height).abs() < 1e-6
                        });
                        if !arrived {
                            held.push(format!("{:?} {rate} Hz {depth} {height} {offset:.2}", shape.mover));
                        }
                    }
                }
            }
        }
    }
    assert!(stood >= 422, "{stood}");
    assert!(held.is_empty(), "{} of {stood}: {:#?}", held.len(), &held[..held.len().min(12)]);
}
