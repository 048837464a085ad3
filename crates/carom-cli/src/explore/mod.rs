//! `carom explore`: walks a whole level with the real character and says where it breaks.

mod baseline;
mod fail_on;
mod files;
mod summary;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use carom::mesh::MeshData;
use carom_explore::{Cost, Explorer, Finding, Landmark, Level, Rules, Stage};
use carom_formats::LoadOptions;
use carom_scenes::courtyard::{BrokenCourtyard, courtyard_with_defects};
use glam::DVec3;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Outcome;
use crate::args::ExploreArgs;
use crate::output;
pub(crate) use fail_on::FailOn;

/// Whether Ctrl-C was pressed: then the flood ends, with a report of what was walked until then.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// How often a checkpoint is written.
const KEEP: Duration = Duration::from_secs(30);

pub(crate) fn run(arguments: &ExploreArgs) -> Result<Outcome> {
    let known = arguments.baseline.as_deref().map(baseline::read).transpose()?.unwrap_or_default();
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(usize::from(threads));
    }
    let pool = pool.build().context("cannot start the threads")?;
    let (level, spawns) = match &arguments.level {
        Some(path) => (load(arguments, path)?, arguments.spawn.clone()),
        None => {
            let (level, spawns) = built_in()?;
            (level, if arguments.spawn.is_empty() { spawns } else { arguments.spawn.clone() })
        }
    };
    let usual = Rules::default();
    let rules = Rules {
        radii: arguments.radii.unwrap_or(usual.radii),
        jump: arguments.jump.unwrap_or(usual.jump),
        cell: arguments.cell,
        min_area: arguments.min_area,
        ..usual
    };
    // Where there are no signals there is no stop by them. Who presses twice wants out.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let explored = pool.install(|| explore(arguments, &level, &rules, &spawns));
    let (explorer, findings, cost) = explored.with_context(|| format!("cannot explore {}", level.name))?;
    if let Some(folder) = &arguments.out {
        pool.install(|| files::write(arguments, folder, &explorer, &findings, cost))?;
    }
    let is_new: Vec<bool> = findings.iter().map(|finding| !known.holds(finding)).collect();
    let mut out = output::open(None, &[])?;
    out.write_all(summary::of(arguments, &explorer, &findings, &is_new, cost)?.as_bytes())?;
    out.flush()?;
    let fails =
        findings.iter().zip(&is_new).any(|(finding, new)| *new && arguments.fail_on.includes(finding.code));
    Ok(if fails { Outcome::FoundWrong } else { Outcome::Fine })
}

fn load(arguments: &ExploreArgs, path: &Path) -> Result<Level> {
    let options = LoadOptions { up: arguments.up.into(), scale: arguments.scale, ..LoadOptions::default() };
    let raw = carom_formats::load(path, &options)
        .with_context(|| format!("cannot load the level {}", path.display()))?;
    let landmarks: Vec<Landmark> = raw
        .places
        .iter()
        .map(|place| Landmark { name: place.name.clone(), position: place.position })
        .collect();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let level = Level::new(name, raw.into_mesh_data())
        .with_context(|| format!("cannot explore the level {}", path.display()))?;
    Ok(level.with_landmarks(landmarks))
}

/// The courtyard with a defect of every kind.
fn built_in() -> Result<(Level, Vec<DVec3>)> {
    let BrokenCourtyard { mesh, spawns, .. } = courtyard_with_defects();
    let data = MeshData { vertices: mesh.vertices, triangles: mesh.triangles, ..MeshData::default() };
    Ok((Level::new("courtyard", data)?, spawns.to_vec()))
}

type Explored<'a> = (Explorer<'a>, Vec<Finding>, Cost);

fn explore<'a>(
    arguments: &ExploreArgs,
    level: &'a Level,
    rules: &'a Rules,
    spawns: &[DVec3],
) -> Result<Explored<'a>> {
    let started = Instant::now();
    let spinner = waiting("looking for floor and spawns");
    let kept = arguments.checkpoint.as_deref().filter(|path| path.exists());
    let mut explorer = match kept {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            Explorer::resume(level, rules, spawns, &bytes).with_context(|| path.display().to_string())?
        }
        None => Explorer::new(level, rules, spawns)?,
    };
    spinner.finish_and_clear();
    let bar = progress_bar(explorer.progress().expected as u64);
    let before = explorer.progress();
    let flooding = Instant::now();
    let mut last_kept = flooding;
    while explorer.advance() == Stage::Flooding {
        let now = explorer.progress();
        let seconds = flooding.elapsed().as_secs_f64().max(1e-9);
        bar.set_length(now.expected.max(now.places) as u64);
        bar.set_position(now.done as u64);
        let rate = |of: f64| of / seconds;
        bar.set_message(format!(
            "{:.0} places/s, {:.0} m²/s",
            rate((now.done - before.done) as f64),
            rate(now.area - before.area)
        ));
        if last_kept.elapsed() >= KEEP {
            keep(arguments, &explorer)?;
            last_kept = Instant::now();
        }
        let is_late = arguments.stop_after.is_some_and(|limit| seconds >= limit);
        if is_late || STOPPED.load(Ordering::Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    keep(arguments, &explorer)?;
    let progress = explorer.progress();
    let seconds = started.elapsed().as_secs_f64();
    let m2_per_s = (progress.area - before.area) / seconds.max(1e-9);
    let spinner = waiting("looking again where there is doubt");
    let findings = explorer.finish();
    spinner.finish_and_clear();
    let cost = Cost { seconds, ticks: explorer.progress().ticks, m2_per_s };
    Ok((explorer, findings, cost))
}

/// Writes the checkpoint, if one is wanted: whole, or not at all.
fn keep(arguments: &ExploreArgs, explorer: &Explorer<'_>) -> Result<()> {
    let Some(path) = &arguments.checkpoint else { return Ok(()) };
    let mut beside = path.clone().into_os_string();
    beside.push(".part");
    std::fs::write(&beside, explorer.checkpoint())
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("cannot write the checkpoint {}", path.display()))
}

fn waiting(what: &'static str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn progress_bar(expected: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} places, {msg}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(expected).with_style(style)
}
