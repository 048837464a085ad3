//! 50,000 boxes, a tenth of which moves in each step: Carom's tree and octree, and the tree of `parry3d` on
//! the same work.
//!
//! `cargo bench -p carom-scenes --bench broad_phase`. One thread. An iteration is one step: 5,000 boxes move,
//! and all pairs are listed (Carom: what entered, stayed and left; parry: which boxes each of the moved ones
//! overlaps, and no more).

use carom::broad_phase::{BoxIndex, BoxTree, BroadPhase, Octree};
use carom_scenes::workload::Crowd;
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

const BOXES: usize = 50_000;

fn ours<I: BoxIndex>(criterion: &mut Criterion, name: &str) {
    let mut crowd = Crowd::new(BOXES);
    let mut phase = BroadPhase::<I>::indexed(0.2);
    let keys: Vec<_> =
        crowd.bounds().map(|bounds| phase.add(carom::broad_phase::Entry::collider(bounds))).collect();
    println!("{name}: {} pairs", phase.update().entered.len());
    let mut step = 0;
    criterion.benchmark_group("broad phase, 50,000 boxes").sample_size(20).bench_function(name, |bencher| {
        bencher.iter(|| {
            for (number, bounds) in crowd.step(step) {
                phase.set_bounds(keys[number], bounds);
            }
            step += 1;
            let events = phase.update();
            events.entered.len() + events.stayed.len() + events.left.len()
        });
    });
}

fn parry(criterion: &mut Criterion) {
    let theirs = |bounds: &carom::shape::Aabb| {
        ParryAabb::new(bounds.min().to_array().into(), bounds.max().to_array().into())
    };
    let mut crowd = Crowd::new(BOXES);
    let boxes: Vec<ParryAabb> = crowd.bounds().map(|bounds| theirs(&bounds)).collect();
    let mut tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut step = 0;
    criterion.benchmark_group("broad phase, 50,000 boxes").sample_size(20).bench_function(
        "parry3d",
        |bencher| {
            bencher.iter(|| {
                let moved = crowd.step(step);
                for (number, bounds) in &moved {
                    tree.insert_or_update_partially(theirs(bounds), *number as u32, 0.0);
                }
                tree.refit_without_opt();
                step += 1;
                moved
                    .iter()
                    .map(|(number, bounds)| {
                        tree.intersect_aabb(&theirs(bounds)).filter(|&other| other != *number as u32).count()
                    })
                    .sum::<usize>()
            });
        },
    );
}

fn broad_phase(criterion: &mut Criterion) {
    ours::<BoxTree>(criterion, "tree");
    ours::<Octree>(criterion, "loose octree");
    parry(criterion);
}

criterion_group!(benches, broad_phase);
criterion_main!(benches);
