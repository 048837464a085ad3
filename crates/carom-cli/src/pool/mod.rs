//! `carom pool`: balls from event to event; without a scene, a break on a pool table.

mod args;
mod bodies;
mod lines;
mod page;
mod record;
mod run;
mod scene;
mod setup;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use carom::balls::{Setup, Table};
use carom_scenes::balls;
use glam::DVec3;
use indicatif::{ProgressBar, ProgressStyle};

use crate::json;
use crate::outcome::Outcome;
use crate::output;
pub(crate) use args::PoolArgs;
use args::PoolScene;
use bodies::{Drive, NamedBody, TableMotion};
use lines::Lines;
use record::Record;
use run::Run;

pub(crate) fn run(arguments: &PoolArgs) -> Result<Outcome> {
    let run = match (&arguments.scene_file, arguments.scene) {
        (Some(path), _) => load(path)?,
        (None, None) => built_in("break", balls::pool_break(), balls::POOL_SECONDS),
        (None, Some(PoolScene::Newton)) => built_in("newton", balls::newton(), balls::NEWTON_SECONDS),
        (None, Some(PoolScene::Landslide)) => {
            built_in("landslide", balls::landslide(), balls::LANDSLIDE_SECONDS)
        }
        (None, Some(PoolScene::Drum)) => {
            let scene = balls::drum();
            let motion = TableMotion::Driven { linear: DVec3::ZERO, angular: scene.angular };
            let body = NamedBody { name: "drum".to_owned(), id: scene.body, motion };
            Run { bodies: vec![body], ..built_in("drum", scene.setup, balls::DRUM_SECONDS) }
        }
    };
    let refused = || match &arguments.scene_file {
        Some(path) => format!("cannot use the scene {}", path.display()),
        None => format!("cannot set up {}", run.name),
    };
    // Two copies: the page shows what the table does not give back.
    let mut table = Table::new(run.setup.clone()).with_context(refused)?;
    let mut drive = Drive::start(&run.bodies, &mut table);
    let inputs: Vec<&Path> = run.inputs.iter().map(PathBuf::as_path).collect();
    let page = arguments.out.as_deref().map(|path| output::open(Some(path), &inputs)).transpose()?;
    let mut record = page.is_some().then(|| Record::new(&table, &run.bodies, run.until));
    let mut out = output::open(None, &[])?;
    let progress = progress_bar(run.until, arguments.events);
    let mut lines = Lines::new(&table, &run);
    while lines.count() < run.max_events {
        // The table is stopped where the page wants to know, which changes nothing that happens on it.
        let sampled = record.as_ref().map_or(run.until, Record::next_sample);
        let until = sampled.min(drive.next_change());
        let Some(event) = table.next_event(until) else {
            if until >= run.until {
                break;
            }
            if let Some(record) = record.as_mut().filter(|_| sampled <= until) {
                record.sample(&table);
            }
            drive.change(&mut table);
            continue;
        };
        let line = lines.add(&event);
        if arguments.events {
            lines::write(&mut out, &line)?;
        }
        if let Some(record) = &mut record {
            record.event(&table, &line);
        }
        if lines.count().is_multiple_of(1024) {
            progress.set_position((table.time() * 1000.0) as u64);
            progress.set_message(format!("{} events", lines.count()));
        }
    }
    progress.finish_and_clear();
    lines.write_summary(&mut out, &table)?;
    out.flush()?;
    if let (Some(file), Some(mut record)) = (page, record) {
        record.end(&table);
        let path = arguments.out.as_deref().unwrap_or(Path::new(""));
        let mut file = file;
        file.write_all(page::page(&run, &table, &record).as_bytes())
            .and_then(|()| file.flush())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Outcome::Fine)
}

fn load(path: &Path) -> Result<Run> {
    let text = std::fs::read(path).with_context(|| format!("cannot read the scene {}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut run = json::read(&text)
        .and_then(|spec| setup::build(spec, folder))
        .with_context(|| format!("cannot use the scene {}", path.display()))?;
    run.name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    run.inputs.push(path.to_owned());
    Ok(run)
}

fn built_in(name: &str, setup: Setup, until: f64) -> Run {
    Run { setup, name: name.to_owned(), until, max_events: u64::MAX, bodies: Vec::new(), inputs: Vec::new() }
}

/// Shown on a terminal that is not busy with the events themselves.
fn progress_bar(until: f64, events: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || (events && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ms of the scene, {msg}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new((until * 1000.0) as u64).with_style(style)
}
