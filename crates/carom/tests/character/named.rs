//! The names in a report: everything that a character overlaps.

use carom::character::{Character, Input, Settings};
use carom::glam::{DVec3, dvec3};
use carom::mesh::Mesh;
use carom::{Body, Layers, Sphere, World};

use crate::random::Random;
use crate::{DT, slab};

/// A square of bumps whose triangles all have different normals, in the plane y = 0.
fn bumps(random: &mut Random) -> Mesh {
    const SIDE: u32 = 25;
    let vertices = (0..SIDE * SIDE)
        .map(|at| {
            let place = |step: u32| 0.1 * (step as f32 - 12.0);
            [place(at % SIDE), random.between(-0.02, 0.02) as f32, place(at / SIDE)]
        })
        .collect();
    let cells = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| row * SIDE + column));
    let triangles =
        cells.flat_map(|at| [[at, at + 1, at + SIDE], [at + 1, at + SIDE + 1, at + SIDE]]).collect();
    Mesh::from_triangles(vertices, triangles).unwrap()
}

/// Pressed into the floor by a plate of many triangles, and then by a block from the side, which goes in less
/// deep than any of them: the report names all three.
#[test]
fn what_it_overlaps_is_named_however_many_parts_another_body_has() {
    let mut judged = 0;
    for seed in 1..20 {
        let mut random = Random(seed);
        let mut world = World::new();
        slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(5.0, 1.0, 5.0));
        let plate = world.add(Body::kinematic(bumps(&mut random)).at(dvec3(0.0, 1.4, 0.0)));
        let side = random.between(0.0, 6.0);
        let way = dvec3(carom::num::ops::sin(side), 0.0, carom::num::ops::cos(side));
        let block = slab(&mut world, way * -1.6, dvec3(0.5, 0.5, 0.5));
        let shape = Sphere::new(0.5).unwrap();
        let mut hero =
            Character::new(shape, Settings::default()).unwrap().at(dvec3(0.0, 0.501, 0.0)).unwrap();
        for tick in 0..90 {
            world.advance(DT, |moves| {
                let down = if tick < 60 { -0.8 } else { 0.0 };
                moves.drive(plate, DVec3::Y * down, DVec3::ZERO).unwrap();
                moves.drive(block, way * random.between(0.0, 0.9), DVec3::ZERO).unwrap();
            });
            let report = hero.step(&world, Input::IDLE, DT);
            let mut parts = 0;
            world.contacts(hero.shape(), hero.position(), 0.0, Layers::ALL, |near| {
                parts += 1;
                let named = report.crushed_by().any(|by| by.obstacle.body() == Some(near.part.body));
                let is_deep = near.contact.gap < -1e-9;
                assert!(named || !is_deep, "seed {seed}, tick {tick}: {:?} {report:?}", near.part);
            });
            judged += u32::from(parts > 60 && report.crushed_by().count() > 1);
        }
    }
    assert!(judged > 50, "{judged}");
}
