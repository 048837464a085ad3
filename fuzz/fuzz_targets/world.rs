//! Bodies that come, move and go: casts, contacts and closest points answer as if every body were asked.
#![no_main]

use carom::mesh::{Mesh, MeshData};
use carom::shape::Mover;
use carom::world::{Body, BodyId, Cast, Collider, Layers, Pose, World};
use carom_fuzz::Draws;

fn body(draws: &mut Draws<'_>) -> Body {
    if draws.below(4) == 0 {
        let vertices = (0..4).map(|_| draws.grid(2).as_vec3().to_array()).collect();
        let triangles = vec![[0, 1, 2], [1, 3, 2]];
        if let Ok(mesh) = Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }) {
            return Body::kinematic(mesh);
        }
    }
    match draws.mover() {
        Mover::Sphere(sphere) => Body::kinematic(sphere),
        Mover::Ellipsoid(ellipsoid) => Body::kinematic(ellipsoid),
        Mover::Capsule(capsule) => Body::kinematic(capsule),
        Mover::Cuboid(cuboid) => Body::kinematic(cuboid),
        Mover::Point => unreachable!("no point is drawn"),
    }
}

fn pose(draws: &mut Draws<'_>) -> Pose {
    let far = if draws.below(8) == 0 { 1e6 } else { 1.0 };
    let at = Pose::at(draws.grid(6) * far).expect("it is finite");
    at.with_rotation(draws.rotation()).expect("it is a unit quaternion")
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut draws = Draws::new(bytes);
    let mut world = World::new();
    let mut ids: Vec<BodyId> = Vec::new();
    while !draws.is_empty() {
        match draws.below(6) {
            0..2 => {
                let body = body(&mut draws);
                ids.push(world.add(body.at(pose(&mut draws))));
            }
            2 if !ids.is_empty() => {
                let id = ids.swap_remove(draws.below(ids.len()));
                assert!(world.remove(id).is_some() && world.remove(id).is_none());
            }
            3 if !ids.is_empty() => {
                let id = ids[draws.below(ids.len())];
                world.set_pose(id, pose(&mut draws)).expect("it is in the world");
            }
            4 if !ids.is_empty() => {
                let id = ids[draws.below(ids.len())];
                let (linear, angular) = (draws.vector(30.0), draws.vector(20.0));
                world.advance(1.0 / 60.0, |moves| {
                    // Far from the origin it may be refused, by name.
                    let _ = moves.drive(id, linear, angular);
                });
            }
            _ => {
                let mover = if draws.below(4) == 0 { Mover::Point } else { draws.mover() };
                let (from, translation) = (draws.grid(8), draws.vector(20.0));
                let cast = Cast::new(mover, from, translation).expect("all is finite");
                // A mesh has two parts, a solid one.
                let parts = |id: BodyId| {
                    let is_mesh = matches!(world.body(id).map(Body::collider), Some(Collider::Mesh(_)));
                    0..if is_mesh { 2u32 } else { 1 }
                };
                assert_eq!(world.cast(&cast), world.cast_among(&cast, parts));
                assert_eq!(world.cast_all(&cast), world.cast_all_among(&cast, parts));
                let mut near = 0;
                world.contacts(&mover, from, 0.5, Layers::ALL, |_| near += 1);
                let overlapped = world.overlaps(mover, from, Layers::ALL).expect("it is finite");
                assert!(near >= overlapped.len());
            }
        }
    }
});
