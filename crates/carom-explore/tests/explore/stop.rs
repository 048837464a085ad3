//! Whenever a stop comes, in whatever phase, the findings are there soon after.

use std::time::{Duration, Instant};

use carom::mesh::MeshData;
use carom_explore::{Code, Explorer, Level, Rules, Stage, Stop};
use carom_scenes::courtyard::courtyard_with_defects;
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::cases;

/// From a stop to the findings. One second is what judging may take; the rest is for a slow machine.
const SOON: Duration = Duration::from_secs(2);

/// A field of spikes: places in wedges, which are the dearest to leave.
fn spikes() -> Level {
    let mut random = Random::scattered(7);
    let mut builder = MeshBuilder::cuboid_between(dvec3(0.0, -1.0, 0.0), dvec3(40.0, 0.0, 40.0));
    for _ in 0..1500 {
        let [x, z] = [random.between(0.0, 40.0), random.between(0.0, 40.0)];
        let (foot, top) = (random.between(0.1, 0.5), random.between(0.3, 2.0));
        let corner = |i: usize| {
            let [i, j] = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]][i % 4];
            dvec3(x + i * foot, 0.0, z + j * foot)
        };
        for i in 0..4 {
            let peak = dvec3(x, top, z);
            builder.append(&MeshBuilder::quad([corner(i), corner(i + 1), peak, peak]));
        }
    }
    let points = builder.points().iter().map(|p| p.to_array().map(|x| x as f32));
    let triangles = builder.triangles().to_vec();
    Level::new("spikes", MeshData { vertices: points.collect(), triangles, ..MeshData::default() }).unwrap()
}

fn courtyard() -> (Level, Vec<DVec3>) {
    let broken = courtyard_with_defects();
    let data =
        MeshData { vertices: broken.mesh.vertices, triangles: broken.mesh.triangles, ..MeshData::default() };
    (Level::new("courtyard", data).unwrap(), broken.spawns.to_vec())
}

#[test]
fn a_stop_is_heard_in_every_phase() {
    let (yard, yard_spawns) = courtyard();
    let field = spikes();
    let rules = Rules::default();
    let mut random = Random::scattered(3);
    let mut cut_off = 0;
    for (level, spawns, longest) in [(&yard, yard_spawns.as_slice(), 6.0), (&field, &[], 12.0)] {
        for round in 0..cases() {
            let after = Duration::from_secs_f64(if round == 0 { 0.0 } else { random.between(0.0, longest) });
            let stop = Stop::after(after);
            let began = Instant::now();
            let mut explorer = Explorer::stoppable(level, &rules, spawns, stop).unwrap();
            while explorer.advance() == Stage::Flooding {}
            let findings = explorer.finish();
            let took = began.elapsed();
            assert!(took <= after + SOON, "{}: stopped after {after:?}, there after {took:?}", level.name);
            if !explorer.is_complete() {
                cut_off += 1;
                let unproved = |code| code == Code::Stuck || code == Code::Trap || code == Code::Unreached;
                let listed = findings.iter().find(|finding| finding.is_listed() && unproved(finding.code));
                assert!(listed.is_none(), "{}: {after:?}: {listed:?}", level.name);
            }
        }
    }
    assert!(cut_off >= 2, "nothing was cut off");
}
