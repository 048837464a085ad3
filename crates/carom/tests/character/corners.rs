//! Corners: a box that touches one only in a point or along an edge is not held by it.

use carom::character::{Character, Input, Settings};
use carom::mesh::{Mesh, MeshData};
use carom::num::ops;
use carom::{Body, Cuboid, World};
use glam::{DVec3, dvec3};

use crate::DT;
use crate::random::Random;

/// A box stands flush on the edge of a floor, flush beside a wall whose face is flush with that edge: its way
/// onto the floor is free.
#[test]
fn a_box_flush_with_the_corner_of_a_wall_walks_on_along_it() {
    let mut world = World::new();
    let faces = [
        // The top of the floor, its front, the side of the wall, its front.
        [[0, 0, 0], [0, 0, 8], [8, 0, 8], [8, 0, 0]],
        [[0, -1, 0], [0, 0, 0], [8, 0, 0], [8, -1, 0]],
        [[0, 4, 8], [0, 0, 8], [0, 0, 0], [0, 4, 0]],
        [[-2, 0, 0], [-2, 4, 0], [0, 4, 0], [0, 0, 0]],
    ];
    let vertices = faces.as_flattened().iter().map(|corner| corner.map(|i: i8| f32::from(i))).collect();
    let triangles =
        (0..4).flat_map(|face| [[0, 1, 2], [0, 2, 3]].map(|of: [u32; 3]| of.map(|i| 4 * face + i)));
    let data = MeshData { vertices, triangles: triangles.collect(), ..MeshData::default() };
    world.add(Body::fixed(Mesh::new(data).unwrap()));
    let half = dvec3(0.5, 0.875, 0.5);
    let skin = 5e-4;
    let settings = Settings { skin: Some(skin), ..Settings::default() };
    let mut random = Random(18);
    let (mut stood, mut held) = (0, Vec::new());
    for _ in 0..2000 {
        let flush = half + DVec3::splat(skin);
        let mut off = || random.between(0.0, 2e-13);
        let place = dvec3(flush.x + off(), flush.y + off(), -flush.z - off());
        let mut hero = Character::new(Cuboid::new(half).unwrap(), settings).unwrap().at(place).unwrap();
        hero.step(&world, Input::IDLE, DT);
        if hero.ground().is_none() {
            continue;
        }
        stood += 1;
        // Towards the wall either of its faces may hold it.
        let turn = random.between(0.0, 1.0) * random.below(2) as f64;
        let way = ops::rotation_about(DVec3::Y, turn) * DVec3::Z;
        let start = hero.position();
        for _ in 0..10 {
            hero.step(&world, Input::walk(way * 4.0), DT);
        }
        let gone = hero.position() - start;
        if gone.z < 0.3 * 4.0 * 10.0 * DT {
            held.push(format!("{place:?} {way:?} {gone:?}"));
        }
    }
    assert!(stood > 500, "{stood}");
    assert!(held.is_empty(), "{} of {stood}: {:#?}", held.len(), &held[..held.len().min(12)]);
}
