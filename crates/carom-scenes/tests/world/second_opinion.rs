//! A second opinion: parry3d in f64, on queries that are well-conditioned for both.
//!
//! Left out, because parry is known to err there: triangles much larger than the mover (its iteration stalls
//! and stops short by up to meters on a floor of 500 m, parry issue 429), starts in touch, and ways that only
//! graze, where a contact more or less is a matter of rounding. parry's own iterations end once two bounds
//! agree to a relative 1e-7 or so of the distance; hence the bound.

use carom::mesh::Mesh;
use carom::shape::{Capsule, Cuboid, Mover, Sphere};
use carom::world::{Body, Cast, Layers, World};
use carom_scenes::Random;
use carom_scenes::workload::Terrain;
use glam::{DVec3, dvec3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray, RayCast, ShapeCastOptions, ShapeCastStatus, cast_shapes};
use parry3d_f64::shape::{Ball, Capsule as ParryCapsule, Cuboid as ParryCuboid, Shape, TriMesh};

const TOLERANCE: f64 = 1e-6;

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn trimesh(mesh: &Mesh) -> TriMesh {
    let vertices =
        mesh.vertices().iter().map(|v| Vector::new(v[0].into(), v[1].into(), v[2].into())).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

/// The answer of parry: the fraction, `None` for a free path, and whether parry is sure.
fn parry(mesh: &TriMesh, mover: &Mover, from: DVec3, way: DVec3) -> (Option<f64>, bool) {
    let shape: Box<dyn Shape> = match mover {
        Mover::Point => {
            return (mesh.cast_local_ray(&Ray::new(vector(from), vector(way)), 1.0, false), true);
        }
        Mover::Sphere(sphere) => Box::new(Ball::new(sphere.radius())),
        Mover::Capsule(capsule) => {
            let end = capsule.rotation() * DVec3::Y * capsule.half_height();
            Box::new(ParryCapsule::new(vector(-end), vector(end), capsule.radius()))
        }
        Mover::Cuboid(cuboid) => Box::new(ParryCuboid::new(vector(cuboid.half_extents()))),
        Mover::Ellipsoid(_) => unreachable!("parry has none"),
    };
    let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
    let (at, rest) = (Pose::from_translation(vector(from)), Pose::from_translation(Vector::ZERO));
    let hit = cast_shapes(&at, vector(way), &*shape, &rest, Vector::ZERO, mesh, options).unwrap();
    (hit.map(|hit| hit.time_of_impact), hit.is_none_or(|hit| hit.status == ShapeCastStatus::Converged))
}

#[derive(Default, Debug)]
struct Tally {
    agreed: usize,
    free: usize,
    unsure: usize,
    worst: f64,
}

fn ask(world: &World, mesh: &TriMesh, mover: Mover, from: DVec3, way: DVec3, tally: &mut Tally) {
    if world.closest(mover, from, 1e-3, Layers::ALL).unwrap().is_some() {
        return;
    }
    let ours = world.cast(&Cast::new(mover, from, way).unwrap());
    let (theirs, sure) = parry(mesh, &mover, from, way);
    if !sure {
        tally.unsure += 1;
        return;
    }
    let grazing = |fraction: f64| {
        // How deep the mover comes if it continues where the other says that it stops or not: less than it
        // can tell.
        let deeper = from + way * (fraction + 1e-3).min(1.0);
        let mut deepest = 0.0f64;
        world.contacts(&mover, deeper, 0.0, Layers::ALL, |near| deepest = deepest.max(-near.contact.gap));
        deepest < 1e-5 * way.length()
    };
    match (ours, theirs) {
        (None, None) => tally.free += 1,
        (Some(hit), Some(time)) => {
            let apart = (hit.fraction - time).abs() * way.length() * -hit.normal.dot(way) / way.length();
            if apart > TOLERANCE {
                assert!(
                    grazing(hit.fraction.min(time)),
                    "{apart:e}: {mover:?} {from} {way}: {hit:?}, {time}"
                );
            } else {
                tally.worst = tally.worst.max(apart);
                tally.agreed += 1;
            }
        }
        (Some(hit), None) => assert!(grazing(hit.fraction), "{mover:?} {from} {way}: {hit:?}, parry none"),
        (None, Some(time)) => assert!(grazing(time), "{mover:?} {from} {way}: none, parry {time}"),
    }
}

fn mover(random: &mut Random, i: usize) -> Mover {
    match i % 4 {
        0 => Mover::Point,
        1 => Sphere::new(random.between(0.1, 0.8)).unwrap().into(),
        2 => {
            let mut half = || random.between(0.1, 0.6);
            // Upright: parry's pose would have to carry the rotation, and its lengths a rounding.
            Cuboid::new(dvec3(half(), half(), half())).unwrap().into()
        }
        _ => {
            let capsule = Capsule::new(random.between(0.1, 0.5), random.between(0.1, 0.8)).unwrap();
            capsule.with_rotation(random.rotation()).unwrap().into()
        }
    }
}

#[test]
fn parry_agrees_on_single_triangles() {
    let mut random = Random::scattered(81);
    let mut tally = Tally::default();
    for i in 0..6000 {
        let mut corner = || [(); 3].map(|()| random.between(-1.5, 1.5) as f32);
        let corners = [corner(), corner(), corner()];
        let mesh = Mesh::from_triangles(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let [a, b, c] = mesh.corners(0);
        // Not a sliver: at least a tenth as high as long.
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        if (b - a).cross(c - a).length() < 0.1 * longest * longest {
            continue;
        }
        let mover = mover(&mut random, i);
        let from = random.direction() * random.between(2.5, 4.0);
        let target = a + (b - a) * random.between(-0.2, 1.0) + (c - a) * random.between(-0.2, 0.7);
        let parry_mesh = trimesh(&mesh);
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        ask(&world, &parry_mesh, mover, from, (target - from) * 1.5, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.agreed > 2000 && tally.free > 100 && tally.unsure < 100);
}

#[test]
fn parry_agrees_on_a_terrain() {
    let terrain = Terrain::new(64);
    let mesh = terrain.mesh().clone().into_mesh().unwrap();
    let parry_mesh = trimesh(&mesh);
    let mut world = World::new();
    world.add(Body::fixed(mesh));
    let mut random = Random::scattered(82);
    let mut tally = Tally::default();
    for i in 0..6000 {
        let mover = mover(&mut random, i);
        let (x, z) = (random.between(8.0, 56.0), random.between(8.0, 56.0));
        let from = dvec3(x, terrain.surface(x, z) + random.between(1.0, 4.0), z);
        let way = (random.direction() - DVec3::Y * 0.3) * random.between(1.0, 8.0);
        ask(&world, &parry_mesh, mover, from, way, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.agreed > 2000 && tally.free > 500 && tally.unsure < 100);
}
