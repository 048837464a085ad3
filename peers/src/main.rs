//! Carom beside the libraries that a user might pick instead: the same work, in one process, in turns.
//!
//! `cargo run --release --manifest-path peers/Cargo.toml -- --help`. The workloads are in
//! `carom_scenes::workload`; how each library is asked, with which of its settings, in the first lines of its
//! file in `engines`; how answers are judged, in `judge`.

mod bodies;
mod building;
mod casts;
mod characters;
mod engines;
mod judge;
mod memory;
mod pairs;
mod rounds;
mod table;
mod targets;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

use table::Table;

/// Measures Carom beside other collision libraries.
#[derive(Parser)]
#[command(version, about)]
pub struct Options {
    /// Only these workloads
    ///
    /// W1: terrain, W2: city, W3: short casts, W4: rays, W5: characters, W6: two meshes, W7: building, W8: a
    /// large ball, W9: casts among bodies, W10: characters on bodies, W11: driven boxes, W12: instances, W13:
    /// closest, overlaps, contacts and all hits
    #[arg(long, value_delimiter = ',', value_parser = ["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W12", "W13"])]
    only: Vec<String>,
    /// How often everyone does the work; medians are over these
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many casts a workload has; a tenth of them at the blob
    #[arg(long, default_value_t = 100_000)]
    casts: usize,
    /// How many characters walk
    #[arg(long, default_value_t = 1000)]
    walkers: usize,
    /// How many poses meshes are compared with each other in
    #[arg(long, default_value_t = 1000)]
    poses: usize,
    /// Where to write all numbers
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

impl Options {
    /// Whether any of these workloads was asked for.
    fn wants(&self, workloads: &[&str]) -> bool {
        self.only.is_empty() || workloads.iter().any(|name| self.only.iter().any(|only| only == name))
    }

    /// How many balls to walk beside the casts: at the blob a plain grid is slow.
    fn walked(&self, most: usize, workload: &str) -> usize {
        most.min(self.casts) / if workload == "W8" { 40 } else { 1 }
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut table = Table::default();
    casts::run(&options, &mut table);
    characters::run(&options, &mut table);
    pairs::run(&options, &mut table);
    building::run(&options, &mut table);
    bodies::run(&options, &mut table);
    targets::print(&table);
    if let Some(path) = &options.csv {
        table.write(path)?;
    }
    Ok(())
}
