//! Lips: an edge that rises from a slope by next to nothing stops no character, whichever way the slope
//! falls.

use carom::character::{Character, Crowd, Input, Settings};
use carom::num::ops;
use carom::{Body, Cuboid, Ellipsoid, Pose, Sphere, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};

/// The least heights of lips, in meters; up to ten times that.
const LIPS: [f64; 7] = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];

/// The round shapes, and two boxes.
fn any_shape(random: &mut Random) -> Shape {
    let boxes = [dvec3(0.4, 0.9, 0.4), dvec3(0.5, 0.875, 0.5)].map(|half| Shape {
        mover: Cuboid::new(half).unwrap().into(),
        radius: half.x,
        half_height: half.y,
    });
    match random.below(4) {
        kind @ (0 | 1) => boxes[kind],
        _ => shapes()[random.below(5)],
    }
}

/// Two slabs of a slope, the second a lip of 1e-9 to 1e-2 m higher, its border in any direction; half of them
/// have a wall beside the way, that the hero walks into as well; every other wall leans, either way.
#[test]
fn a_lip_on_a_slope_stops_nobody() {
    let mut random = Random(3_108);
    let (mut stood, mut held) = (0, Vec::new());
    for _ in 0..1000 {
        let shape = any_shape(&mut random);
        let frame = Frame::any(&mut random);
        let steepness = random.between(0.0, 40.0_f64.to_radians());
        let lip = LIPS[random.below(LIPS.len())] * random.between(1.0, 10.0);
        let border = random.between(0.0, core::f64::consts::TAU);
        let slope = ops::rotation_about(DVec3::Z, -steepness);
        let across = slope * ops::rotation_about(DVec3::Y, border);
        let mut world = World::new();
        let mut slab = |half: DVec3, center: DVec3, turn: DQuat| {
            let turn = ops::rotation_about(DVec3::Y, frame.angle) * turn;
            let pose = Pose::at(frame.place(center)).and_then(|pose| pose.with_rotation(turn)).unwrap();
            world.add(Body::fixed(Cuboid::new(half).unwrap()).at(pose));
        };
        slab(dvec3(40.0, 1.0, 40.0), across * dvec3(0.0, -1.0, 0.0), across);
        slab(dvec3(20.0, 1.0, 40.0), across * dvec3(20.0, lip - 1.0, 0.0), across);
        let has_wall = random.below(2) == 0;
        let mut lean = 0.0;
        let normal = slope * DVec3::Y;
        let mut hero = Character::new(shape.mover, Settings::default()).unwrap();
        let feet = -shape.mover.support_point(-normal).dot(normal) + hero.skin();
        let start = across * dvec3(-2.5, feet + 0.01, 0.0);
        if has_wall {
            let ahead = across * DVec3::X;
            let along = dvec3(ahead.x, 0.0, ahead.z);
            let upright = DQuat::from_rotation_arc(DVec3::X, along / along.length());
            if random.below(2) == 0 {
                lean = random.between(-0.6, 0.6);
            }
            let wall = upright * ops::rotation_about(DVec3::X, lean);
            slab(dvec3(40.0, 40.0, 1.0), start + wall * dvec3(0.0, 0.0, 3.0), wall);
        }
        hero = hero.at(frame.place(start)).unwrap();
        let rate = RATES[random.below(6)];
        for _ in 0..(0.3 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        if hero.ground().is_none() {
            continue;
        }
        stood += 1;
        let turn = if has_wall { random.between(-1.0, -0.1) } else { random.between(-1.0, 1.0) };
        let way = across * ops::rotation_about(DVec3::Y, turn) * DVec3::X;
        let level = dvec3(way.x, 0.0, way.z);
        let desired_velocity = frame.way(level / level.length()) * 4.0;
        let passed = (0..(4.0 * rate) as u32).any(|_| {
            hero.step(&world, Input::walk(desired_velocity), 1.0 / rate);
            (across.inverse() * frame.own(hero.position())).x > 1.5
        });
        if !passed {
            held.push(format!(
                "{:?} {rate} Hz, slope {:.1}°, lip {lip:.1e}, border {:.0}°, turn {turn:.2}, wall {has_wall}, leaning by {lean:.2}, at {:?}",
                shape.mover,
                steepness.to_degrees(),
                border.to_degrees(),
                across.inverse() * frame.own(hero.position())
            ));
        }
    }
    assert!(stood > 800, "{stood}");
    assert!(held.is_empty(), "{} of {stood}: {:#?}", held.len(), &held[..held.len().min(20)]);
}

/// A strip that rises from a slope by next to nothing, at the edge of a drop that it does not snap down: it
/// walks over the edge as it would without the strip.
#[test]
fn a_lip_before_a_drop_stops_nobody() {
    let mut random = Random(10_086);
    let mut held = Vec::new();
    for case in 0..300 {
        let shape = any_shape(&mut random);
        let steepness = random.between(0.0, 40.0_f64.to_radians());
        let lip = LIPS[random.below(LIPS.len())] * random.between(1.0, 10.0);
        let width = random.between(0.005, 0.3);
        let slope = ops::rotation_about(DVec3::Z, -steepness);
        let mut world = World::new();
        let mut slab = |low: DVec3, high: DVec3| {
            let pose = Pose::at(slope * ((low + high) * 0.5)).and_then(|pose| pose.with_rotation(slope));
            world.add(Body::fixed(Cuboid::new((high - low) * 0.5).unwrap()).at(pose.unwrap()));
        };
        slab(dvec3(-40.0, -1.0, -40.0), dvec3(0.0, 0.0, 40.0));
        slab(dvec3(-0.5, -1.0, -40.0), dvec3(width, lip, 40.0));
        let mut hero = Character::new(shape.mover, Settings::default()).unwrap();
        let normal = slope * DVec3::Y;
        let feet = -shape.mover.support_point(-normal).dot(normal) + hero.skin();
        hero = hero.at(slope * dvec3(-2.5, feet + 0.01, 0.0)).unwrap();
        let rate = RATES[random.below(6)];
        let speed = random.between(1.0, 5.0);
        let turn = ops::rotation_about(DVec3::Y, random.between(-0.8, 0.8));
        let wish = Input::walk(turn * DVec3::X * speed);
        let is_off = (0..((1.0 + 6.0 / speed) * rate) as u32).any(|_| {
            hero.step(&world, wish, 1.0 / rate);
            hero.position().x > 0.5 + shape.radius
        });
        if !is_off {
            held.push(format!(
                "case {case} {:?} {rate} Hz lip {lip:e} width {width} {steepness}",
                shape.mover
            ));
        }
    }
    assert!(held.is_empty(), "{} of 300: {:#?}", held.len(), &held[..held.len().min(8)]);
}

/// On the edge of a lift, its way up barred by another on it: a step beside the edge led down along it, 17 cm
/// back in one tick.
#[test]
fn no_step_leads_back_from_the_edge_of_a_lift() {
    let mut random = Random(75);
    for case in 0..200 {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        let top = random.between(0.1, 0.4);
        let slab = Cuboid::new(dvec3(1.0, 0.1, 1.0)).unwrap();
        let lift = world.add(Body::kinematic(slab).at(dvec3(1.0, top - 0.1, 0.0)));
        let mover = Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap();
        let hero = Character::new(mover, Settings::default()).unwrap();
        // Its axis outside the edge, its side on it.
        let outside = random.between(0.1, 0.35);
        let share = outside / (0.4 + hero.skin());
        let high = top + (0.9 + hero.skin()) * ops::sqrt(1.0 - share * share);
        let hero = hero.at(dvec3(-outside, high.max(0.9 + hero.skin()), 0.0)).unwrap();
        let other = Character::new(Sphere::new(0.5).unwrap(), Settings::default()).unwrap();
        let angle = random.between(0.2, 1.2);
        let aside = dvec3(ops::cos(angle), 0.0, ops::sin(angle)) * random.between(0.88, 0.92);
        let other = other.at(dvec3(-outside, top + 0.501, 0.0) + aside).unwrap();
        let mut crowd = Crowd::new();
        let mut cast = [hero, other];
        let rate = RATES[random.below(6)];
        let inputs = [Input::walk(DVec3::X * random.between(2.0, 6.0)), Input::IDLE];
        let speed = random.between(0.0, 1.0);
        for tick in 0..(0.3 * rate) as u32 {
            let drive = DVec3::Y * speed;
            world.advance(1.0 / rate, |moves| moves.drive(lift, drive, DVec3::ZERO)).unwrap();
            let before = cast[0].position();
            crowd.step_all(&world, &mut cast, &inputs, 1.0 / rate);
            let back = before.x - cast[0].position().x;
            // Another pushes it aside, by what the tick allows.
            assert!(back < 0.02, "case {case} tick {tick} of {rate} Hz: {back} m back from {before}");
        }
    }
}

/// A wall along z that a hero of half a width of 0.4 m has at its left, of panels that stand out by at most
/// `lip`, and a floor far below or under its feet.
fn panels(frame: &Frame, random: &mut Random, lip: f64, floor: f64) -> World {
    let mut world = World::new();
    frame.block(&mut world, dvec3(-9.0, floor - 1.0, -9.0), dvec3(9.0, floor, 40.0));
    let mut low = -3.0;
    while low < 30.0 {
        let high = low + random.between(0.1, 2.0);
        let mut bottom = floor - 0.5;
        while bottom < 3.0 {
            let top = bottom + random.between(0.1, 2.0);
            let out = lip * [0.0, 0.5, 1.0][random.below(3)];
            frame.block(&mut world, dvec3(-1.0, bottom, low), dvec3(out, top, high));
            bottom = top;
        }
        low = high;
    }
    world
}

/// The faces of a wall in a real level are flush but for the rounding of their corners. A box that slid along
/// one was held by the next, which stood out by 10⁻⁷ m.
#[test]
fn a_wall_that_is_flush_but_for_rounding_stops_no_box() {
    let mut random = Random(11_291);
    let mut held = Vec::new();
    for case in 0..400 {
        let frame = Frame::any(&mut random);
        let turn = ops::rotation_about(DVec3::Y, frame.angle);
        let shape = Cuboid::new(dvec3(0.4, 0.9, 0.4)).unwrap().with_rotation(turn).unwrap();
        let hero = Character::new(shape, Settings::default()).unwrap();
        // Panels count as flush within the distance of contacts, a quarter of the skin.
        let lip = hero.skin() * 0.2 * [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0][random.below(7)];
        let is_fall = random.below(2) == 0;
        let floor = if is_fall { -40.0 } else { 0.0 };
        let seed = random.0;
        let rate = RATES[random.below(6)];
        let press = [0.0, 0.0, 0.3, 0.8][random.below(4)];
        let along = if is_fall { [0.0, 3.0][random.below(2)] } else { 3.0 };
        let wish = Input::walk(frame.way(dvec3(-press * 3.0, 0.0, along)));
        let start = frame.place(dvec3(0.4 + hero.skin(), 0.9 + hero.skin(), 0.0));
        let ends = [0.0, lip].map(|lip| {
            let world = panels(&frame, &mut Random(seed), lip, floor);
            let mut hero = hero.at(start).unwrap();
            for _ in 0..(1.5 * rate) as u32 {
                hero.step(&world, wish, 1.0 / rate);
            }
            frame.own(hero.position())
        });
        let [free, lipped] = ends;
        let is_held = (free - lipped).length() > 0.02 * (free - frame.own(start)).length();
        if is_held {
            held.push(format!(
                "case {case} {rate} Hz lip {lip:.1e} fall {is_fall} press {press}: {free} {lipped}"
            ));
        }
    }
    assert!(held.is_empty(), "{} of 400: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// A pillar that stands out by more than the distance of contacts is in the way.
#[test]
fn a_pillar_that_stands_out_stops_a_box() {
    let shape = Cuboid::new(dvec3(0.4, 0.9, 0.4)).unwrap();
    let hero = Character::new(shape, Settings::default()).unwrap();
    let frame = Frame { angle: 0.0, origin: DVec3::ZERO };
    for (share, passes) in [(0.2, true), (0.3, false), (1.0, false), (100.0, false)] {
        let mut world = panels(&frame, &mut Random(1), 0.0, 0.0);
        frame.block(&mut world, dvec3(-1.0, -1.0, 2.0), dvec3(hero.skin() * share, 3.0, 3.0));
        let mut hero = hero.at(dvec3(0.4 + hero.skin(), 0.9 + hero.skin(), 0.0)).unwrap();
        for _ in 0..120 {
            hero.step(&world, Input::walk(DVec3::Z * 3.0), 1.0 / 60.0);
        }
        assert_eq!(hero.position().z > 4.0, passes, "{share} of the skin: {}", hero.position());
    }
}
