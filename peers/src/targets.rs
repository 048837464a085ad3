//! The goals of Carom beside the others, and whether they are met.

use crate::casts::SORTED;
use crate::table::Table;

/// A ratio that is to be no larger than a limit.
struct Target {
    workload: &'static str,
    variant: &'static str,
    /// The library that it is measured against, by the beginning of its name; empty: the best of all others.
    engine: &'static str,
    /// How it is set up, by the end of the words for it.
    setup: &'static str,
    metric: &'static str,
    limit: f64,
}

const fn target(workload: &'static str, variant: &'static str, engine: &'static str, limit: f64) -> Target {
    Target { workload, variant, engine, setup: "", metric: "carom / this", limit }
}

/// The same by `World::cast_many`.
const fn together(workload: &'static str, variant: &'static str, limit: f64) -> Target {
    Target { metric: "carom's batch / this", ..target(workload, variant, "PhysX", limit) }
}

const TARGETS: [Target; 24] = [
    target("W1", "terrain, sphere", "PhysX", 0.5),
    target("W2", "city, sphere", "PhysX", 0.5),
    target("W3", "terrain, sphere", "PhysX", 0.5),
    target("W3", "city, sphere", "PhysX", 0.5),
    together("W1", "terrain, sphere", 0.5),
    together("W2", "city, sphere", 0.5),
    together("W3", "terrain, sphere", 0.5),
    together("W3", "city, sphere", 0.5),
    target("W1", "terrain, capsule", "PhysX", 0.7),
    target("W2", "city, capsule", "PhysX", 0.7),
    target("W3", "terrain, capsule", "PhysX", 0.7),
    target("W3", "city, capsule", "PhysX", 0.7),
    target("W4", "terrain, ray", "Embree", 1.2),
    target("W4", "city, ray", "Embree", 1.2),
    Target { metric: "carom's sphere / this", ..target("W4", "terrain, ray", "", 1.5) },
    Target { metric: "carom's sphere / this", ..target("W4", "city, ray", "", 1.5) },
    target("W8", "blob, sphere", "PhysX", 0.1),
    target("W8", "blob, free starts, sphere", "PhysX", 0.1),
    target("W5", "terrain", "PhysX", 0.5),
    target("W5", "city", "PhysX", 0.5),
    target("W6", "boolean", "FCL", 0.5),
    target("W6", "all pairs", "FCL", 0.5),
    Target { setup: "medium", ..target("W7", "terrain 512", "obvhs", 1.0) },
    Target { setup: "medium", ..target("W7", "terrain 1024", "obvhs", 1.0) },
];

/// Says of each target that was measured whether it is hit, by the setup of the other library that is the
/// hardest to beat.
pub fn print(table: &Table) {
    println!("\nTargets: Carom's time / the other's");
    for target in &TARGETS {
        let found = table.find(target.workload, target.variant, target.engine, target.metric);
        let worst = found
            .into_iter()
            .filter(|row| row.engine != "carom" && row.setup.ends_with(target.setup))
            .filter(|row| row.setup != SORTED)
            .max_by(|a, b| a.value.total_cmp(&b.value));
        let Target { workload, variant, limit, metric, .. } = target;
        match worst {
            Some(row) => {
                let met = if row.value <= *limit { "met" } else { "MISSED" };
                let (engine, setup, value) = (row.engine, row.setup, row.value);
                println!(
                    "{workload:3} {variant:26} {value:6.2} of {limit:4}  {met:6}  {metric}: {engine} {setup}"
                );
            }
            None => println!("{workload:3} {variant:26} {:>6} of {limit:4}  not measured", "–"),
        }
    }
}
