use carom::Pose;
use carom::broad_phase::*;
use carom::mesh_pair::*;
use carom_scenes::workload::*;
use parry3d_f64::bounding_volume::Aabb as P;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse::<f64>()
        .unwrap()
        * 1e-9
}
fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    if what != "broad" {
        let [a, b] = BLOB_SEEDS.map(|s| {
            let m = blob(s).into_mesh().unwrap();
            TriangleTree::new(m)
        });
        let poses: Vec<Pose> = blob_poses(1000)
            .iter()
            .map(|p| Pose::at(p.translation).unwrap().with_rotation(p.rotation).unwrap())
            .collect();
        for _ in 0..4 {
            let s = cpu();
            let n = poses.iter().filter(|p| MeshPair::new(&a, Pose::IDENTITY, &b, **p).overlaps()).count();
            let t = cpu() - s;
            let s = cpu();
            let m: usize =
                poses.iter().map(|p| MeshPair::new(&a, Pose::IDENTITY, &b, *p).pairs().len()).sum();
            let u = cpu() - s;
            println!("boolean {:.2} us ({n}), all pairs {:.2} us ({m})", t * 1e3, u * 1e3);
        }
    }
    if what != "mesh" {
        fn ours<I: BoxIndex>(name: &str) {
            let mut c = Crowd::new(50000);
            let mut ph = BroadPhase::<I>::new(0.2);
            let k: Vec<_> = c.bounds().map(|b| ph.add(Entry::collider(b))).collect();
            ph.update();
            let (mut set, mut up) = (0., 0.);
            let mut n = 0;
            for s in 0..200 {
                let m = c.step(s);
                let t = cpu();
                for (i, b) in m {
                    ph.set_bounds(k[i], b);
                }
                let u = cpu();
                let e = ph.update();
                n += e.stayed.len() + e.entered.len();
                up += cpu() - u;
                set += u - t;
            }
            println!(
                "{name}: set {:.3} ms update {:.3} ms  pairs {}",
                set * 1e3 / 200.,
                up * 1e3 / 200.,
                n / 200
            );
        }
        ours::<BoxTree>("tree");
        ours::<Octree>("octree");
        ours::<BoxTree>("tree");
        ours::<Octree>("octree");
        let th = |b: &carom::shape::Aabb| P::new(b.min().to_array().into(), b.max().to_array().into());
        let mut c = Crowd::new(50000);
        let bx: Vec<P> = c.bounds().map(|b| th(&b)).collect();
        let mut tr = Bvh::from_leaves(BvhBuildStrategy::Binned, &bx);
        let (mut set, mut up) = (0., 0.);
        let mut n = 0;
        for s in 0..200 {
            let m = c.step(s);
            let t = cpu();
            for (i, b) in &m {
                tr.insert_or_update_partially(th(b), *i as u32, 0.0);
            }
            tr.refit_without_opt();
            let u = cpu();
            n += m
                .iter()
                .map(|(i, b)| tr.intersect_aabb(&th(b)).filter(|&o| o != *i as u32).count())
                .sum::<usize>();
            up += cpu() - u;
            set += u - t;
        }
        println!(
            "parry: set+refit {:.3} ms query {:.3} ms found {}",
            set * 1e3 / 200.,
            up * 1e3 / 200.,
            n / 200
        );
    }
}
