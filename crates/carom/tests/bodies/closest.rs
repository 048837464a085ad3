//! Law: what is closest in a mesh of many triangles is what asking each of them gives, bit for bit, whatever
//! the size of the scene.

use carom::glam::{DVec3, Vec3};
use carom::mesh::Mesh;
use carom::world::{Body, Layers, Pose, World};

use super::brute_force::{Random, any_mover};

/// A sheet of hills, shards strewn about it, slivers, and triangles that are segments or points.
fn mesh(random: &mut Random, size: f64) -> Mesh {
    const SIDE: u32 = 16;
    let mut vertices: Vec<[f32; 3]> = Vec::new();
    let mut put = |place: DVec3| {
        vertices.push((place * size).as_vec3().to_array());
        vertices.len() as u32 - 1
    };
    let mut triangles = Vec::new();
    for i in 0..=SIDE * (SIDE + 1) + SIDE {
        let (x, z) = (f64::from(i % (SIDE + 1)), f64::from(i / (SIDE + 1)));
        put(DVec3::new(x, if random.below(3) == 0 { random.number() } else { 0.0 }, z) / f64::from(SIDE));
    }
    for i in 0..SIDE * SIDE {
        let a = i / SIDE * (SIDE + 1) + i % SIDE;
        triangles.extend([[a, a + SIDE + 1, a + 1], [a + 1, a + SIDE + 1, a + SIDE + 2]]);
    }
    for _ in 0..60 {
        let at = random.vector(1.0);
        let a = put(at);
        let b = put(at + random.vector(0.2));
        let c = match random.below(4) {
            0 => b,
            1 => put(at + random.vector(1e-9)),
            _ => put(at + random.vector(0.2)),
        };
        triangles.push(if random.below(10) == 0 { [a, a, a] } else { [a, b, c] });
    }
    Mesh::from_triangles(vertices, triangles).unwrap()
}

#[test]
fn what_is_closest_in_a_mesh_is_that_of_asking_every_triangle() {
    let mut random = Random(0xC105);
    let mut found_at_all = 0;
    for size in [1.0, 300.0, 1e-3, 1e6, 1e-12, 1e-20, 1e14, 1e30] {
        for turn in 0..4 {
            let mesh = mesh(&mut random, size);
            let corners: Vec<DVec3> = mesh.vertices().iter().map(|v| Vec3::from(*v).as_dvec3()).collect();
            let mut world = World::new();
            let mut pose = Pose::at(random.vector(size)).unwrap().with_rotation(random.rotation()).unwrap();
            if turn == 0 {
                pose = Pose::IDENTITY;
            } else if turn > 1 {
                pose = pose.with_scale(0.2 + 3.0 * random.number()).unwrap();
            }
            let id = world.add(Body::fixed(mesh).at(pose));
            let local = |place: DVec3| pose.position() + pose.rotation() * place * pose.scale();
            assert!(world.body(id).is_some());
            for _ in 0..60 {
                let share = [0.3, 0.01, 1e-6][random.below(3)];
                let mover = any_mover(&mut random, size * share);
                let near = local(corners[random.below(corners.len())]);
                let at = match random.below(4) {
                    0 => near,
                    1 => near + random.vector(size * 1e-4),
                    2 => random.vector(size * 1e3),
                    _ => random.vector(2.0 * size),
                };
                let distance = if random.below(2) == 0 { f64::INFINITY } else { random.number() * size };
                let found = world.closest(mover, at, distance, Layers::ALL).unwrap();
                let expected = world.closest_among_all(mover, at, distance, Layers::ALL).unwrap();
                assert_eq!(
                    format!("{found:?}"),
                    format!("{expected:?}"),
                    "{mover:?} at {at} within {distance} of a mesh of {size}"
                );
                found_at_all += usize::from(found.is_some());
            }
        }
    }
    assert!(found_at_all > 1000, "{found_at_all}");
}
