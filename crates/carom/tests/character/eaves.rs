//! No character stands on a hidden surface: the inside of a bottom face, from beside the lowest edge of a
//! wall or a roof; and the top of a block, from beside the wall that stands on it.

use carom::character::Input;
use carom::mesh::{Mesh, MeshData};
use carom::num::ops;
use carom::shape::ConvexHull;
use carom::world::Collider;
use carom::{Body, Cuboid, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};

/// A direction in the plane of x and y, at an angle to x.
fn way(angle: f64) -> DVec3 {
    let (sin, cos) = ops::sin_cos(angle);
    dvec3(cos, sin, 0.0)
}

/// A prism along z whose lowest edge is the z axis: faces from there at these angles.
fn prism(side: f64, bottom: f64, is_hull: bool) -> Collider {
    let far = [DVec3::ZERO, way(side) * 3.0, way(bottom) * 3.0];
    let corners = [-4.0, 4.0].map(|z| far.map(|p| p + DVec3::Z * z));
    if is_hull {
        return ConvexHull::new(corners.as_flattened()).unwrap().into();
    }
    let vertices = corners.as_flattened().iter().map(|p| p.to_array().map(|x| x as f32)).collect();
    let triangles =
        vec![[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [0, 2, 5], [0, 5, 3], [1, 4, 5], [1, 5, 2]];
    Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }).unwrap().into()
}

/// A hero beside the lowest edge of a prism with a steep side, which it touches in a direction between those
/// of the two faces: how many of its ticks in a second are on the ground.
fn ticks_on_the_ground(random: &mut Random) -> usize {
    let Shape { mover, .. } = shapes()[random.below(5)];
    let side = if random.below(3) == 0 { 90.0 } else { random.between(50.0, 90.0) }.to_radians();
    let bottom = match random.below(3) {
        0 => 0.0,
        _ => random.between(-40.0, 40.0).min(side.to_degrees() - 20.0).to_radians(),
    };
    let frame = Frame::any(random);
    let pose = Pose::at(frame.origin)
        .and_then(|pose| pose.with_rotation(ops::rotation_about(DVec3::Y, frame.angle)))
        .unwrap();
    let mut world = World::new();
    world.add(Body::fixed(prism(side, bottom, random.below(3) == 0)).at(pose));
    // Outward of the side, turned towards outward of the bottom as long as it has anything of up.
    let [upper, level] = [side + core::f64::consts::FRAC_PI_2, core::f64::consts::PI];
    let share = random.number();
    let normal = way(level + (upper - level) * share * share);
    let mut hero = Shape { mover, radius: 0.0, half_height: 0.0 }.hero();
    let gap = random.number() * hero.skin();
    let beside = normal * gap - mover.support_point(-normal) + DVec3::Z * random.between(-2.0, 2.0);
    hero = hero.at(frame.place(beside)).unwrap();
    let wish = match random.below(2) {
        0 => Input::IDLE,
        _ => Input::walk(frame.way(dvec3(random.between(0.0, 4.0), 0.0, random.between(-2.0, 2.0)))),
    };
    let rate = RATES[random.below(6)];
    (0..rate as usize).filter(|_| hero.step(&world, wish, 1.0 / rate).ground.is_some()).count()
}

#[test]
fn the_inside_of_a_bottom_face_supports_no_character() {
    let mut held = Vec::new();
    for seed in 1..=600 {
        let ticks = ticks_on_the_ground(&mut Random(seed * 0x9E37_79B9));
        if ticks > 0 {
            held.push((seed, ticks));
        }
    }
    assert!(held.is_empty(), "{} of 600 stood on it: {held:?}", held.len());
}

/// A box as a cuboid, as a hull or as a mesh.
fn block(half: DVec3, kind: usize) -> Collider {
    let corners = [-1.0, 1.0]
        .map(|z| [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| dvec3(x, y, z) * half));
    match kind {
        0 => Cuboid::new(half).unwrap().into(),
        1 => ConvexHull::new(corners.as_flattened()).unwrap().into(),
        _ => {
            let vertices = corners.as_flattened().iter().map(|p| p.to_array().map(|x| x as f32)).collect();
            let sides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
            let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
            Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }).unwrap().into()
        }
    }
}

/// A hero that falls along a wall of two blocks on each other, flush to the last bits: how many of its ticks
/// in half a second are on the ground.
fn ticks_on_a_seam(random: &mut Random) -> usize {
    let Shape { mover, half_height, radius } = shapes()[random.below(5)];
    let frame = Frame::any(random);
    let pose = |at: DVec3| {
        Pose::at(frame.place(at))
            .and_then(|pose| pose.with_rotation(ops::rotation_about(DVec3::Y, frame.angle)))
            .unwrap()
    };
    let mut world = World::new();
    let off = [0.0, 1e-12, 1e-7][random.below(3)] * random.between(-1.0, 1.0);
    let [lower, upper] = [dvec3(1.0, 4.0, 5.0), dvec3(1.0, 3.0, 5.0)];
    world.add(Body::fixed(block(lower, random.below(3))).at(pose(dvec3(1.0, -4.0, 0.0))));
    world.add(Body::fixed(block(upper, random.below(3))).at(pose(dvec3(1.0 + off, 3.0, 0.0))));
    let mut hero = Shape { mover, radius, half_height }.hero();
    // The widest of the shape's lower part beside the seam, or a little above.
    let beside = -radius - hero.skin() - off.abs() - random.number() * 1e-5;
    let height = half_height - radius + random.between(-0.002, 0.03);
    hero = hero.at(frame.place(dvec3(beside, height, random.between(-2.0, 2.0)))).unwrap();
    let wish = match random.below(2) {
        0 => Input::IDLE,
        _ => Input::walk(frame.way(dvec3(random.between(0.0, 4.0), 0.0, random.between(-2.0, 2.0)))),
    };
    let rate = RATES[random.below(6)];
    (0..rate as usize / 2).filter(|_| hero.step(&world, wish, 1.0 / rate).ground.is_some()).count()
}

#[test]
fn a_seam_in_a_wall_supports_no_character() {
    let mut held = Vec::new();
    for seed in 1..=600 {
        let ticks = ticks_on_a_seam(&mut Random(seed * 0x9E37_79B9));
        if ticks > 0 {
            held.push((seed, ticks));
        }
    }
    assert!(held.is_empty(), "{} of 600 stood on it: {held:?}", held.len());
}
