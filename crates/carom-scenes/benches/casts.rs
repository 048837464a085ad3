//! W1 to W4 and W8 of the comparison with other engines: casts through generated worlds.
//!
//! `cargo bench -p carom-scenes --bench casts`. One thread. An iteration answers the whole batch; criterion's
//! `elem/s` are casts.

use std::hint::black_box;

use carom::shape::{Capsule, Ellipsoid, Mover, ShapeError, Sphere};
use carom::world::{Batch, Body, Cast, World};
use carom_scenes::workload::{
    BLOB_SEEDS, City, Proximity, Terrain, blob, casts_at_blob, casts_in_city, casts_over_terrain, short_casts,
};
use carom_scenes::{SceneMesh, SphereCast};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::dvec3;

/// Casts of each workload: the first of the 100,000 that PEERS names.
const COUNT: usize = 20_000;

fn world(mesh: &SceneMesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(mesh.clone().into_mesh().expect("generated meshes are finite")));
    world
}

fn batch(mover: impl Fn(&SphereCast) -> Result<Mover, ShapeError>, casts: &[SphereCast]) -> Vec<Cast> {
    casts
        .iter()
        .map(|cast| {
            mover(cast)
                .and_then(|mover| Cast::new(mover, cast.from, cast.translation))
                .expect("generated casts are finite")
        })
        .collect()
}

fn run(criterion: &mut Criterion, workload: &str, world: &World, casts: &[SphereCast]) {
    let mut group = criterion.benchmark_group(workload);
    group.throughput(Throughput::Elements(casts.len() as u64)).sample_size(10);
    let movers: [(&str, Vec<Cast>); 4] = [
        ("sphere", batch(|cast| Ok(Sphere::new(cast.radius)?.into()), casts)),
        ("capsule", batch(|cast| Ok(Capsule::new(cast.radius, cast.radius)?.into()), casts)),
        ("ellipsoid", batch(|cast| Ok(Ellipsoid::new(dvec3(0.8, 1.8, 0.8) * cast.radius)?.into()), casts)),
        ("ray", batch(|_| Ok(Mover::Point), casts)),
    ];
    for (name, casts) in &movers {
        group.bench_function(*name, |bencher| {
            bencher.iter(|| casts.iter().filter(|cast| world.cast(black_box(cast)).is_some()).count());
        });
    }
    // All at once, sorted by `cast_many`: on one thread, as the others.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread can be had");
    let (_, casts) = &movers[0];
    let mut batch = Batch::new();
    group.bench_function("sphere, at once", |bencher| {
        bencher.iter(|| {
            let answers = one.install(|| world.cast_many(black_box(casts), &mut batch));
            answers.iter().flatten().count()
        });
    });
    group.finish();
}

fn casts(criterion: &mut Criterion) {
    let terrain = Terrain::new(512);
    let ground = world(terrain.mesh());
    let near = Proximity::new(terrain.mesh(), 2.0);
    run(criterion, "W1 terrain", &ground, &casts_over_terrain(&terrain, COUNT, near.up_to(1.0)));
    run(criterion, "W3 terrain, short", &ground, &short_casts(terrain.mesh(), 0x53EE9, COUNT));

    let city = City::new(City::BOXES);
    let town = world(city.mesh());
    let near = Proximity::new(city.mesh(), 2.0);
    run(criterion, "W2 city", &town, &casts_in_city(&city, COUNT, near.up_to(1.0)));
    run(criterion, "W3 city, short", &town, &short_casts(city.mesh(), 0x53EEA, COUNT));

    let ball = blob(BLOB_SEEDS[0]);
    run(criterion, "W8 blob, large mover", &world(&ball), &casts_at_blob(COUNT / 10));
}

criterion_group!(benches, casts);
criterion_main!(benches);
