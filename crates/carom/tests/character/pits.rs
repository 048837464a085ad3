//! Pits and wedges of steep faces: what several of them hold up together is ground.

use carom::character::Input;
use carom::num::ops;
use carom::{Body, Cuboid, Mesh, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, shapes};

/// The normals of faces of 50° to 85°: two opposite ones, or three to six all around.
pub(crate) fn any_faces(random: &mut Random) -> Vec<DVec3> {
    let count = 2 + random.below(5);
    let turn = random.between(0.0, core::f64::consts::TAU);
    let mut around: Vec<f64> = if count == 2 {
        vec![0.0, core::f64::consts::PI]
    } else {
        loop {
            let mut angles: Vec<f64> =
                (0..count).map(|_| random.between(0.0, core::f64::consts::TAU)).collect();
            angles.sort_by(f64::total_cmp);
            angles.push(angles[0] + core::f64::consts::TAU);
            if angles.windows(2).all(|pair| (0.05..2.9).contains(&(pair[1] - pair[0]))) {
                angles.pop();
                break angles;
            }
        }
    };
    around.iter_mut().for_each(|angle| *angle += turn);
    let normal = |angle: &f64| {
        let (sin, cos) = ops::sin_cos(random.between(50.0, 85.0).to_radians());
        let (across, along) = ops::sin_cos(*angle);
        dvec3(sin * along, cos, sin * across)
    };
    around.iter().map(normal).collect()
}

/// Faces through the origin, of boxes or of one mesh.
pub(crate) fn pit(faces: &[DVec3], of_boxes: bool) -> World {
    let mut world = World::new();
    let turns = faces.iter().map(|normal| DQuat::from_rotation_arc(DVec3::Y, *normal));
    if of_boxes {
        for turn in turns {
            let pose =
                Pose::at(turn * dvec3(0.0, -5.0, 0.0)).and_then(|pose| pose.with_rotation(turn)).unwrap();
            world.add(Body::fixed(Cuboid::new(dvec3(60.0, 5.0, 60.0)).unwrap()).at(pose));
        }
        return world;
    }
    let corners = [[-90.0, -60.0], [90.0, -60.0], [0.0, 120.0]];
    let vertices = turns
        .flat_map(|turn| corners.map(|[x, z]: [f64; 2]| (turn * dvec3(x, 0.0, z)).as_vec3().to_array()))
        .collect();
    let triangles = (0..faces.len() as u32).map(|face| [3 * face, 3 * face + 2, 3 * face + 1]).collect();
    world.add(Body::fixed(Mesh::from_triangles(vertices, triangles).unwrap()));
    world
}

#[test]
fn steep_faces_that_hold_it_up_together_are_ground_to_jump_from() {
    let mut random = Random(11);
    let mut held = Vec::new();
    for case in 0..1000 {
        let shape = shapes()[case % 5];
        let faces = any_faces(&mut random);
        let world = pit(&faces, case % 3 != 0);
        let steepest = faces.iter().map(|normal| normal.y).fold(1.0, f64::min);
        let rate = RATES[1 + random.below(4)];
        let start = dvec3(0.0, shape.half_height.max(shape.radius) * 1.1 / steepest + 0.2, 0.0);
        let mut hero = shape.hero().at(start).unwrap();
        for _ in 0..(3.0 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        let rest = hero.position();
        let stands = hero.ground().copied();
        hero.step(&world, Input::IDLE.jump(5.0), 1.0 / rate);
        let mut top = hero.position().y - rest.y;
        for _ in 0..(0.6 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
            top = top.max(hero.position().y - rest.y);
        }
        if stands.is_none() || top < 1.2 {
            held.push(format!(
                "{:?} {rate} Hz in {faces:?}: rests at {rest} on {stands:?}, jumps {top}",
                shape.mover
            ));
        }
    }
    assert!(held.is_empty(), "{} of 1000: {:#?}", held.len(), &held[..held.len().min(8)]);
}

/// A gully of two steep faces is ground where its line is no steeper than what can be walked on, and else is
/// slid down.
#[test]
fn a_gully_is_as_steep_as_its_line() {
    let mut random = Random(16);
    for case in 0..200 {
        let shape = shapes()[case % 5];
        let slope: f64 = random.between(35.0, 55.0);
        if (slope - 45.0).abs() < 0.1 {
            continue;
        }
        let (sin, cos) = ops::sin_cos(slope.to_radians());
        // Steep enough that either face alone is no ground.
        let lean = ops::rotation_about(dvec3(cos, sin, 0.0), random.between(0.9, 1.3));
        let level = dvec3(-sin, cos, 0.0);
        let world = pit(&[lean * level, lean.inverse() * level], case % 2 == 0);
        let mut hero = shape.hero().at(dvec3(0.0, 8.0, 0.0)).unwrap();
        let rate = RATES[1 + random.below(4)];
        for _ in 0..(3.0 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        let tell = || format!("{:?} {slope} {:?} {}", shape.mover, hero.ground(), hero.position());
        assert_eq!(hero.ground().is_some(), slope < 45.0, "{}", tell());
        if let Some(ground) = hero.ground() {
            assert!((ground.normal - level).length() < 1e-5, "{}", tell());
        }
    }
}
