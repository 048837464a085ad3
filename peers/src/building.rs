//! W7: how long a level takes to be built on one thread, and how many bytes it holds.

use carom_scenes::workload::Terrain;

use crate::Options;
use crate::engines::builders;
use crate::rounds::{Contestant, Times};
use crate::table::{Subject, Table};

/// Builds both terrains.
pub fn run(options: &Options, table: &mut Table) {
    if !options.wants(&["W7"]) {
        return;
    }
    for (quads, variant) in [(512, "terrain 512"), (1024, "terrain 1024")] {
        let terrain = Terrain::new(quads);
        let mesh = terrain.mesh();
        let builders = builders();
        let mut contestants: Vec<Contestant> = builders
            .iter()
            .map(|builder| Contestant {
                engine: builder.engine,
                setup: builder.setup,
                run: Box::new(|| (builder.time)(mesh)),
            })
            .collect();
        let times = Times::measure(&mut contestants, options.rounds);
        drop(contestants);
        for (i, builder) in builders.iter().enumerate() {
            let subject = Subject { workload: "W7", variant, engine: builder.engine, setup: builder.setup };
            let bytes = (builder.weigh)(mesh) as f64 / mesh.triangles.len() as f64;
            table.add(
                &subject,
                &[
                    ("time", times.median(i) * 1e3, "ms"),
                    ("carom / this", times.ratio(0, i), ""),
                    ("memory", bytes, "B/triangle"),
                ],
            );
        }
    }
}
