//! How cost grows with the level and with the crowd: builds, memory, casts and ticks on hills of 1,000 to 10
//! million triangles.
//!
//! ```text
//! cargo bench -p carom-scenes --bench scaling                            (up to a million triangles; prints)
//! cargo bench -p carom-scenes --bench scaling -- --largest 10000000 --out ../../docs/figures      (also scaling.csv and scaling.svg)
//! ```
//!
//! Cargo starts it in the folder of its package, which is where the folder is looked for.
//!
//! Times of one thread are those that it spent on a processor, where the system says so (Unix), so that what
//! else runs counts for little; times of all threads are those of the clock on the wall. Of several runs the
//! fastest counts, of ticks the median.
#![allow(missing_docs, reason = "a program")]

#[path = "../../examples/worst_cases/clock.rs"]
mod clock;
mod figure;
mod measure;
mod time;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Parser;

/// Measures how cost grows with the level and with the crowd.
#[derive(Parser)]
struct Arguments {
    /// No level with more triangles than this; 10 million take about 3 GB.
    #[arg(long, default_value_t = 1_000_000)]
    largest: usize,
    /// The folder to write scaling.csv and scaling.svg to.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

/// One measured number.
pub(crate) struct Figure {
    pub(crate) what: &'static str,
    pub(crate) triangles: usize,
    /// 0 where there are none.
    pub(crate) characters: usize,
    /// 0 where it is of no thread.
    pub(crate) threads: usize,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(folder) = &arguments.out {
        // Before the minutes that it takes.
        let here = std::env::current_dir()?;
        ensure!(folder.is_dir(), "no folder {} in {}", folder.display(), here.display());
    }
    let mut figures = Vec::new();
    for about in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] {
        if about <= arguments.largest {
            measure::level(about, &mut figures)?;
        }
    }
    let mut table = String::from("what,triangles,characters,threads,value,unit\n");
    for Figure { what, triangles, characters, threads, value, unit } in &figures {
        let none = |number: usize| if number == 0 { String::new() } else { number.to_string() };
        let (characters, threads) = (none(*characters), none(*threads));
        writeln!(table, "{what},{triangles},{characters},{threads},{value:.4e},{unit}")?;
    }
    if let Some(folder) = arguments.out {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("scaling.csv", &table)?;
        write("scaling.svg", &figure::draw(&figures))?;
    }
    Ok(())
}
