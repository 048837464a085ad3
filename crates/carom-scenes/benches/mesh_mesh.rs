//! W6 of the comparison with other engines: two balls of 81,920 triangles with waves on them, in 1000 poses.
//!
//! `cargo bench -p carom-scenes --bench mesh_mesh`. One thread. An iteration answers all poses; criterion's
//! `elem/s` are poses.

use std::hint::black_box;
use std::ops::ControlFlow;

use carom::Pose;
use carom::mesh_pair::{Counters, MeshPair, MeshVolume, TriangleTree};
use carom::tree::{BoundingSphere, Obb, PackedAabb, Settings};
use carom_scenes::workload::{BLOB_SEEDS, blob, blob_poses};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const POSES: usize = 1000;

fn run<V: MeshVolume>(criterion: &mut Criterion, name: &str) {
    let settings = Settings { max_leaf_items: 2, ..Settings::DEFAULT };
    let [first, second] = BLOB_SEEDS.map(|seed| {
        TriangleTree::<V>::of(blob(seed).into_mesh().expect("generated meshes are finite"), &settings)
    });
    let poses: Vec<Pose> = blob_poses(POSES)
        .into_iter()
        .map(|pose| {
            Pose::at(pose.translation).and_then(|at| at.with_rotation(pose.rotation)).expect("finite")
        })
        .collect();
    let pair = |pose: &Pose| MeshPair::new(&first, Pose::IDENTITY, &second, *pose);
    let mut counters = Counters::default();
    let mut found = 0;
    for pose in &poses {
        let _ = pair(pose).visit(&mut counters, |_| {
            found += 1;
            ControlFlow::<()>::Continue(())
        });
    }
    println!("{name}: {found} pairs, per pose all pairs {counters:?} / {POSES}");
    let mut counters = Counters::default();
    for pose in &poses {
        let _ = pair(pose).visit(&mut counters, ControlFlow::Break);
    }
    println!("{name}: per pose boolean {counters:?} / {POSES}");

    let mut group = criterion.benchmark_group(format!("W6 {name}"));
    group.throughput(Throughput::Elements(POSES as u64)).sample_size(10);
    group.bench_function("boolean", |bencher| {
        bencher.iter(|| poses.iter().filter(|pose| pair(black_box(pose)).overlaps()).count());
    });
    group.bench_function("all pairs", |bencher| {
        bencher.iter(|| poses.iter().map(|pose| pair(black_box(pose)).pairs().len()).sum::<usize>());
    });
    group.finish();
}

fn mesh_mesh(criterion: &mut Criterion) {
    run::<Obb>(criterion, "oriented boxes");
    run::<PackedAabb>(criterion, "boxes along the axes");
    run::<BoundingSphere>(criterion, "spheres");
}

criterion_group!(benches, mesh_mesh);
criterion_main!(benches);
