//! How long a tree over a terrain of half a million triangles takes to build, and a walk through it.

use std::hint::black_box;

use carom::num::ops;
use carom::sweep::Path;
use carom::tree::{PackedAabb, Settings, SweptBox, Tree, Volume};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Vec3, dvec3, vec3};

/// Quads along one side.
const SIDE: u32 = 512;

fn height(x: f64, z: f64) -> f64 {
    3.0 * ops::sin(0.021 * x + 0.3) * ops::cos(0.017 * z) + 1.5 * ops::sin(0.11 * x - 0.09 * z + 2.0)
}

/// The bounds of two triangles to each square meter of hilly ground.
fn terrain() -> Vec<PackedAabb> {
    let corner = |x: u32, z: u32| {
        // Rough by a quarter of a meter, as if at random.
        let rough = f64::from((x * 7919 + z * 104_729) % 1000) * 5e-4 - 0.25;
        vec3(x as f32, (height(x.into(), z.into()) + rough) as f32, z as f32)
    };
    let bounds = |a: Vec3, b: Vec3, c: Vec3| {
        PackedAabb::new(a.min(b).min(c), a.max(b).max(c)).expect("heights are finite")
    };
    (0..SIDE * SIDE)
        .flat_map(|quad| {
            let (x, z) = (quad % SIDE, quad / SIDE);
            let (a, b, c, d) = (corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1));
            [bounds(a, c, d), bounds(a, d, b)]
        })
        .collect()
}

fn build(volumes: &[PackedAabb]) -> Tree<PackedAabb> {
    Tree::build(volumes.len() as u32, |item| volumes[item as usize], &Settings::default())
}

/// Ways of 1 to 10 m, most of them downward, from 2 m above the ground.
fn paths() -> Vec<Path> {
    let mut state = 0x51EE9_u64;
    let mut unit = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    };
    let path = |_| {
        let (x, z) = (16.0 + 480.0 * unit(), 16.0 + 480.0 * unit());
        let direction = dvec3(unit() - 0.5, unit() - 0.65, unit() - 0.5).normalize();
        Path::new(dvec3(x, height(x, z) + 2.0, z), direction * (1.0 + 9.0 * unit())).expect("finite")
    };
    (0..10_000).map(path).collect()
}

fn builds(c: &mut Criterion) {
    let volumes = terrain();
    let mut group = c.benchmark_group("build");
    group.sample_size(20).throughput(Throughput::Elements(volumes.len() as u64));
    #[cfg(feature = "parallel")]
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(format!("{threads} threads"), |b| b.iter(|| pool.install(|| build(&volumes))));
    }
    #[cfg(not(feature = "parallel"))]
    group.bench_function("serial", |b| b.iter(|| build(&volumes)));
    let mut tree = build(&volumes);
    println!("{:?}", tree.statistics());
    group.bench_function("refit", |b| b.iter(|| tree.refit(|item| volumes[item as usize])));
    group.finish();
}

fn walks(c: &mut Criterion) {
    let volumes = terrain();
    let tree = build(&volumes);
    let paths = paths();
    let mut group = c.benchmark_group("sweep");
    group.throughput(Throughput::Elements(paths.len() as u64));
    for (name, half) in [("sphere of 0.5 m", 0.5), ("ray", 0.0)] {
        let swept: Vec<SweptBox> =
            paths.iter().map(|path| SweptBox::new(path, DVec3::splat(half)).expect("0 or more")).collect();
        // Nothing stops the mover: the whole path is walked.
        group.bench_function(format!("{name}, all the way"), |b| {
            b.iter(|| {
                let whole = |swept: &SweptBox| {
                    tree.sweep(swept, 1.0, |item, best| {
                        black_box(item);
                        best
                    })
                };
                swept.iter().map(whole).sum::<f64>()
            });
        });
        // The bounds of the first triangle do.
        group.bench_function(format!("{name}, to the first box"), |b| {
            b.iter(|| {
                let first = |swept: &SweptBox| {
                    tree.sweep(swept, 1.0, |item, best| best.min(volumes[item as usize].entry(swept)))
                };
                swept.iter().map(first).sum::<f64>()
            });
        });
    }
    group.finish();
    c.bench_function("nearest of half a million", |b| {
        b.iter(|| {
            let nearest = |path: &Path| {
                tree.nearest(path.from(), f64::INFINITY, |item, best| {
                    best.min(volumes[item as usize].distance_squared(path.from()))
                })
            };
            paths.iter().map(nearest).sum::<f64>()
        });
    });
}

criterion_group!(benches, builds, walks);
criterion_main!(benches);
