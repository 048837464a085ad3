//! `carom explore`: walks a whole level with the real character and says where it breaks.

mod args;
mod baseline;
mod drive;
mod fail_on;
mod files;
mod summary;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use carom::mesh::MeshData;
use carom_explore::{Landmark, Level, Rules, Stop};
use carom_formats::LoadOptions;
use carom_scenes::courtyard::{BrokenCourtyard, courtyard_with_defects};
use glam::DVec3;

use crate::outcome::Outcome;
use crate::output;
pub(crate) use args::ExploreArgs;

pub(crate) fn run(arguments: &ExploreArgs) -> Result<Outcome> {
    if let Some(seconds) = arguments.stop_after {
        ensure!(seconds >= 0.0, "--stop-after {seconds}: must be at least 0 seconds");
    }
    let stop = match arguments.stop_after {
        Some(seconds) => Stop::after(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        None => Stop::new(),
    };
    let mut clock = drive::Clock::start();
    // Where there are no signals there is no stop by them. Pressed twice it ends at once.
    let (asked, pressed) = (stop.clone(), AtomicBool::new(false));
    let _ = ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        asked.set();
    });
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
    let (explorer, findings) = pool
        .install(|| drive::explore(arguments, &level, (&rules, &spawns), &stop, &mut clock))
        .with_context(|| format!("cannot explore {}", level.name))?;
    let mut cost = clock.cost(&explorer);
    if let Some(folder) = &arguments.out {
        clock.enter("write");
        pool.install(|| files::write(arguments, folder, &explorer, &findings, &cost))?;
        cost = clock.cost(&explorer);
        files::renew(folder, &explorer, &findings, &cost)?;
    }
    let is_new: Vec<bool> = findings.iter().map(|finding| !known.holds(finding)).collect();
    let mut out = output::open(None, &[])?;
    out.write_all(summary::of(arguments, &explorer, &findings, &is_new, &cost)?.as_bytes())?;
    out.flush()?;
    let fails = findings
        .iter()
        .zip(&is_new)
        .any(|(finding, new)| *new && finding.is_listed() && arguments.fail_on.includes(finding.code));
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
