//! `carom bench`: how fast this machine is on a level, in a minute.

mod args;
mod measure;
mod stage;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use carom_scenes::courtyard::courtyard;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::output;
pub(crate) use args::BenchArgs;
use measure::{Rate, rates_of};
use stage::Stage;

/// The measurements.
#[derive(Serialize)]
struct Figures {
    level: String,
    triangles: u32,
    vertices: usize,
    size: [f64; 3],
    threads: usize,
    build_seconds: f64,
    casts_per_second: Vec<Named>,
    casts_per_second_all_threads: f64,
    ticks_per_second: f64,
    ticks_per_second_all_threads: f64,
    characters: usize,
}

#[derive(Serialize)]
struct Named {
    shape: &'static str,
    per_second: f64,
}

pub(crate) fn run(arguments: &BenchArgs) -> Result<Outcome> {
    let seconds = arguments.seconds;
    ensure!(
        seconds.is_finite() && (0.0..=86_400.0).contains(&seconds),
        "--seconds is {seconds}: give a number from 0 to 86400"
    );
    let (name, mesh) = match arguments.level() {
        Some(level) => {
            let name = level.level.display().to_string();
            let mesh =
                level.load()?.into_mesh().with_context(|| format!("cannot measure the level {name}"))?;
            (name, mesh)
        }
        None => {
            let mesh = courtyard().mesh.into_mesh().context("cannot build the courtyard")?;
            ("the built-in courtyard".to_owned(), mesh)
        }
    };
    ensure!(
        mesh.triangle_count() > 0,
        "the level {name} has no triangles: there is nothing to measure; carom inspect says what is in it"
    );
    let progress = progress_bar();
    let show_step = |step: &'static str| {
        progress.set_message(step);
        progress.inc(1);
    };
    // Nine measurements share the time.
    let share = Duration::from_secs_f64(seconds / 9.0);

    show_step("building");
    let build_seconds = measure::build(&mesh, share);
    let size = mesh.bounds().map_or([0.0; 3], |bounds| output::numbers(bounds.max() - bounds.min()));
    let (triangles, vertices) = (mesh.triangle_count(), mesh.vertices().len());
    let stage = Stage::new(mesh)?;
    let mut casts_per_second = Vec::new();
    for (shape, casts) in stage.casts()? {
        show_step(shape);
        casts_per_second.push(Named { shape, per_second: measure::casts(stage.world(), &casts, share) });
    }
    show_step("casts on all threads");
    let casts_per_second_all_threads = measure::casts_together(stage.world(), &stage.casts()?[1].1, share);
    show_step("characters");
    let Rate { one_by_one, together } = rates_of(&stage, share)?;
    progress.finish_and_clear();

    let figures = Figures {
        level: name,
        triangles,
        vertices,
        size,
        threads: rayon::current_num_threads(),
        build_seconds,
        casts_per_second,
        casts_per_second_all_threads,
        ticks_per_second: one_by_one,
        ticks_per_second_all_threads: together,
        characters: stage.starts().len(),
    };
    let mut out = output::open(None, &[])?;
    if arguments.json {
        serde_json::to_writer(&mut out, &figures)?;
        writeln!(out)?;
    } else {
        print(&figures, &mut out)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn print(figures: &Figures, out: &mut dyn Write) -> io::Result<()> {
    let [x, y, z] = figures.size;
    let rate = output::per_second;
    writeln!(out, "{}, on this machine with {} threads\n", figures.level, figures.threads)?;
    writeln!(
        out,
        "  level        {} triangles, {} vertices, {x:.0} × {z:.0} × {y:.1} m",
        figures.triangles, figures.vertices
    )?;
    writeln!(out, "  tree         built in {:.1} ms", figures.build_seconds * 1e3)?;
    for Named { shape, per_second } in &figures.casts_per_second {
        writeln!(out, "  {:12} {} casts/s on one thread", shape, rate(*per_second))?;
    }
    writeln!(out, "  sphere       {} casts/s on all threads", rate(figures.casts_per_second_all_threads))?;
    if figures.characters == 0 {
        writeln!(out, "  characters   none: no floor has room for one")?;
    } else {
        writeln!(
            out,
            "  characters   {} ticks/s one by one on one thread, {} together on all threads, {} characters",
            rate(figures.ticks_per_second),
            rate(figures.ticks_per_second_all_threads),
            figures.characters
        )?;
    }
    writeln!(
        out,
        "\nThese are medians. They vary with the load of the machine: compare ratios, on a quiet one."
    )
}

fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {bar:30} {msg}, {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(8).with_style(style)
}
