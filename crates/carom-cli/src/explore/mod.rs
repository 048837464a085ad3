//! `carom explore`: walks a whole level with the real character and reports where it breaks.

mod args;
mod bodies;
mod command;
mod constant_motion;
mod crew;
mod drive;
mod fail_on;
mod files;
mod folder;
mod game;
mod moving;
mod rules;
mod scene;
mod summary;

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use carom::mesh::MeshData;
use carom_explore::{FileFrame, Finding, LeftOut, Level, Spill, Stop, Task, Volumes, junit, rank, sarif};
use carom_formats::{Animations, Format, LoadOptions, MovingPart, RawLevel, Source, TileFolder, Up};
use carom_scenes::courtyard::{BrokenCourtyard, courtyard_with_defects};
use glam::DVec3;

use crate::outcome::Outcome;
use crate::output;
use crate::parts::{is_called, leave_out};
use crate::past::{self, Past, PastFinding, Seen};
pub(crate) use args::ExploreArgs;
use bodies::First;
use crew::Together;
use drive::Start;
pub(crate) use fail_on::FailOn;
use files::Written;
use folder::Folder;
pub(crate) use game::preset_of;
use rules::Game;
use summary::Judged;

/// Each list of an exploration keeps this many bytes in memory: the rest is in temporary files.
const MOST_OF_LIST: usize = 16 << 20;

pub(crate) fn run(arguments: &ExploreArgs) -> Result<Outcome> {
    if let Some(seconds) = arguments.stop_after {
        ensure!(seconds >= 0.0, "--stop-after {seconds}: must be at least 0 seconds");
    }
    let stop = match arguments.stop_after {
        Some(seconds) => Stop::after(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        None => Stop::new(),
    };
    let mut clock = drive::Clock::start();
    // Without signals Ctrl-C ends the program at once, as it does when it is pressed twice.
    let (asked, pressed) = (stop.clone(), AtomicBool::new(false));
    let _ = ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        asked.set();
    });
    let past = arguments.baseline.as_deref().map(|path| Past::read(path, "baseline")).transpose()?;
    if let Some(past) = &past {
        let name = arguments.level.as_deref().map_or("courtyard".into(), name_of);
        ensure!(
            past.level == name,
            "the baseline is a report of {:?}, not of {name:?}: use a report of this level",
            past.level
        );
    }
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(usize::from(threads));
    }
    let pool = pool.build().context("cannot start the threads")?;
    let together = Together::gather(&arguments.crew)?;
    let prepared = outputs(arguments, together.leads()).and_then(|folder| Ok((folder, stage(arguments)?)));
    if let Err(error) = &prepared {
        together.refuse(error);
    }
    let (folder, Staged { game, level, spawns, is_whole }) = prepared?;
    let rules = game.rules;
    let cannot = || format!("cannot explore {}", level.name);
    let start = Start { task: Task { level: &level, rules: &rules }, spawns: &spawns };
    if !together.leads() {
        return follow(together, start, &stop).with_context(cannot);
    }
    if let Some(past) = &past {
        past.compare_settings(rules.cell(), (rules.radii + DVec3::ZERO).to_array());
    }
    let explored = pool.install(|| drive::explore(arguments, start, together, &stop, &mut clock));
    // First: without its tiles all else that is reported of a level is wrong.
    let unread = || level.fault().map_or(Ok(()), Err);
    unread().with_context(cannot)?;
    let (explorer, mut findings) = explored.with_context(cannot)?;
    let mut bodies = Vec::new();
    if !game.others.is_empty() {
        clock.enter("bodies");
        let first = First { explorer: &explorer, name: &game.name };
        (bodies, clock.more_ticks) =
            pool.install(|| bodies::explore(first, &game.others, &level, &stop, &mut findings))?;
    }
    unread().with_context(cannot)?;
    findings.retain(|finding| !level.volumes.ignores(finding.position));
    rank(&mut findings);
    let knowledge = past.as_ref().map(Past::knowledge);
    let known: Option<Vec<bool>> = knowledge.as_ref().map(|knowledge| {
        findings.iter().map(|finding| knowledge.holds(&seen(finding, rules.cell()))).collect()
    });
    let gone = past.as_ref().map_or(Vec::new(), |past| gone(past, &findings, rules.cell()));
    let is_new: Vec<bool> = match &known {
        Some(known) => known.iter().map(|known| !known).collect(),
        None => vec![true; findings.len()],
    };
    // Before anything is written: so this is not lost if writing fails.
    let mut out = output::open(None, &[])?;
    let cost = clock.cost(&explorer);
    let text =
        summary::of(arguments, &explorer, &bodies, Judged { findings: &findings, is_new: &is_new }, &cost)?;
    out.write_all(text.as_bytes())?;
    if let Some(past) = &past {
        writeln!(out, "{}", summary::change(&explorer, past, &is_new, gone.len()))?;
    }
    if std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        out.write_all(summary::annotations(arguments, &findings, &is_new).as_bytes())?;
    }
    out.flush()?;
    drop(out);
    clock.enter("write");
    let known = known.as_deref();
    if let Some(folder) = &folder {
        let written = Written {
            arguments,
            explorer: &explorer,
            findings: &findings,
            known,
            gone: &gone,
            bodies: &bodies,
            is_whole,
        };
        pool.install(|| files::write(&written, folder, || clock.cost(&explorer)))?;
    }
    let file =
        arguments.level.as_ref().map_or("courtyard".to_owned(), |path| path.to_string_lossy().into_owned());
    if let Some(path) = &arguments.sarif {
        folder::put(path, sarif(&level, &file, &findings, known).as_bytes())?;
    }
    if let Some(path) = &arguments.junit {
        folder::put(path, junit(&level, &findings, known, clock.cost(&explorer).seconds).as_bytes())?;
    }
    unread().with_context(cannot)?;
    let fails = findings
        .iter()
        .zip(&is_new)
        .any(|(finding, new)| *new && finding.is_listed() && arguments.fail_on.includes(finding.code));
    Ok(if fails { Outcome::FoundWrong } else { Outcome::Fine })
}

/// A level that is ready to be explored, and the rules for it.
struct Staged {
    game: Game,
    level: Level,
    spawns: Vec<DVec3>,
    /// Whether nothing of the file was left out.
    is_whole: bool,
}

fn stage(arguments: &ExploreArgs) -> Result<Staged> {
    let mut game = rules::read(arguments)?;
    let (level, own_spawns, is_whole) = match &arguments.level {
        Some(path) if scene::is_scene(path) => {
            ensure!(
                arguments.up.is_none()
                    && arguments.scale.is_none()
                    && game.open.is_empty()
                    && !arguments.still,
                "--up, --scale, --still and \"open\" are for level files: a scene has them in its bodies"
            );
            let staged = scene::load(path, &name_of(path), &game.volumes)?;
            if let Some(gravity) = staged.gravity.filter(|_| arguments.rules.is_none()) {
                game.rules.settings.gravity = gravity;
            }
            if !staged.frozen.is_empty() {
                let names = staged.frozen.join(", ");
                eprintln!("note: planes and bodies that only pushes move are at rest here: {names}");
            }
            (staged.level, staged.spawns, false)
        }
        Some(path) => {
            let (level, is_whole) = load(arguments, path, &game)?;
            (level, Vec::new(), is_whole)
        }
        None => {
            let (level, spawns) = built_in(&game)?;
            (level, spawns, true)
        }
    };
    let level = level.with_spill(Spill::new(tempfile::tempfile, MOST_OF_LIST));
    let spawns = if game.spawns.is_empty() { own_spawns } else { game.spawns.clone() };
    Ok(Staged { game, level, spawns, is_whole })
}

/// The folder of the report, where one is written, and whether the other files can be.
fn outputs(arguments: &ExploreArgs, leads: bool) -> Result<Option<Folder>> {
    if !leads {
        return Ok(None);
    }
    let ExploreArgs { level, rules, baseline, sarif, junit, checkpoint, .. } = arguments;
    let inputs: Vec<&Path> = [level, rules, baseline].into_iter().flatten().map(PathBuf::as_path).collect();
    let files = [("--sarif", sarif), ("--junit", junit), ("--checkpoint", checkpoint)];
    let files: Vec<(&str, &Path)> =
        files.iter().filter_map(|(flag, path)| Some((*flag, path.as_deref()?))).collect();
    for (number, (flag, path)) in files.iter().enumerate() {
        output::spare(flag, path, &inputs)?;
        folder::writable(path)?;
        let twice = files[..number].iter().find(|(_, other)| folder::is_same(path, other));
        ensure!(
            twice.is_none(),
            "{flag} and {} name the same file: name two files",
            twice.map_or("", |(flag, _)| flag)
        );
    }
    for (flag, path, mark) in [("--sarif", sarif, "sarif"), ("--junit", junit, "<testsuite")] {
        if let Some(path) = path {
            folder::ours(flag, path, mark)?;
        }
    }
    arguments.out.as_deref().map(Folder::open).transpose()
}

/// Works for another process, which writes the report.
fn follow(mut together: Together, start: Start<'_>, stop: &Stop) -> Result<Outcome> {
    let Start { task: Task { level, rules }, spawns } = start;
    together.agree(level, rules, spawns)?;
    let done = together.follow(level, rules, stop);
    level.fault().map_or(Ok(()), Err)?;
    done?;
    Ok(Outcome::Fine)
}

/// A finding, to be compared with those of an earlier report.
fn seen(finding: &Finding, cell: f64) -> Seen<'_> {
    Seen {
        code: finding.code.name(),
        cause: finding.cause,
        position: finding.position.to_array(),
        area: finding.area.unwrap_or(0.0),
        cells: &finding.extent.cells,
        cell,
    }
}

/// Ids of the listed findings of an earlier report that are there no more.
fn gone(past: &Past, findings: &[Finding], cell: f64) -> Vec<String> {
    let is_there = |old: &PastFinding| {
        findings.iter().any(|finding| past::overlap(&seen(finding, cell), &old.seen(past.cell())))
    };
    past.findings
        .iter()
        .filter(|old| old.folded.is_none() && !is_there(old))
        .map(|old| old.id.clone())
        .collect()
}

/// The name of a level in reports.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}

/// The level in a folder of tiles, which are read when they are needed; `None` where parts of it are left
/// out: then the rest has other numbers.
fn tiled(path: &Path, options: &LoadOptions, arguments: &ExploreArgs, game: &Game) -> Result<Option<Level>> {
    let cannot = || format!("cannot explore the level {}", path.display());
    let folder = TileFolder::open(path).with_context(cannot)?;
    folder.fits(options).with_context(cannot)?;
    let about = folder.level();
    let is_left_out = |name: &String| game::MOVING.iter().any(|pattern| is_called(name, pattern));
    let leaves_out =
        matches!(about.format, Format::Bsp | Format::Map) && about.surfaces.iter().any(is_left_out);
    if leaves_out || !game.open.is_empty() {
        return Ok(None);
    }
    let memory = usize::from(arguments.tile_memory) << 20;
    let mut level = Level::tiled(name_of(path), folder, memory).with_context(cannot)?;
    let volumes = level.volumes.list().iter().chain(&game.volumes);
    level.volumes = Volumes::new(volumes.cloned().collect());
    Ok(Some(level))
}

/// The level, and whether nothing of the file was left out.
fn load(arguments: &ExploreArgs, path: &Path, game: &Game) -> Result<(Level, bool)> {
    let animations = if arguments.still { Animations::Ignored } else { Animations::Played };
    let (up, scale) = (arguments.up.map(Up::from), arguments.scale);
    let options = LoadOptions { up, scale, animations, ..LoadOptions::default() };
    if path.is_dir()
        && let Some(level) = tiled(path, &options, arguments, game)?
    {
        return Ok((level, true));
    }
    let mut raw = carom_formats::load(path, &options).context("cannot load the level")?;
    let before = raw.triangles.len();
    // A level that cannot be built as a tree has floor outside in its coverage, and is explored all the same.
    let interior = raw.source.as_ref().and_then(Source::interior);
    let mut parts = raw.take_moving();
    let animated = !parts.is_empty();
    if matches!(raw.format, Format::Gltf | Format::Glb) {
        for warning in &raw.warnings {
            eprintln!("carom: warning: {}: {warning}", path.display());
        }
    }
    ensure!(
        parts.is_empty() || !raw.triangles.is_empty(),
        "cannot explore the level {}: all of it moves, and there is no floor that stays; --still explores it at \
         rest",
        path.display()
    );
    let names = if game.open.is_empty() && matches!(raw.format, Format::Bsp | Format::Map) {
        let moving = game::MOVING.into_iter().filter(|pattern| leave_out(&mut raw, pattern));
        moving.map(str::to_owned).collect()
    } else {
        open_doors(&mut raw, &mut parts, &game.open)?
    };
    let is_whole = raw.triangles.len() == before;
    let mut volumes = std::mem::take(&mut raw.volumes);
    volumes.extend(game.volumes.iter().cloned());
    let (surfaces, colors, skies) = (raw.surfaces.clone(), raw.colors.clone(), raw.skies.clone());
    let frame = FileFrame { is_z_up: raw.up == Up::Z, scale: raw.scale };
    let landmarks = raw.landmarks.clone();
    let mut level = Level::new(name_of(path), raw.into_mesh_data())
        .with_context(|| format!("cannot explore the level {}", path.display()))?
        .with_landmarks(landmarks)
        .with_surfaces(surfaces)
        .with_colors(colors)
        .with_skies(skies)
        .with_interior(interior)
        .with_moving(moving::of_parts(&parts)?)?;
    if !level.moving().is_empty() {
        let names: Vec<&str> = level.moving().iter().map(|moving| moving.name.as_str()).collect();
        eprintln!("note: the file's animations move {}; --still keeps them at rest", listed(&names));
    }
    level.volumes = Volumes::new(volumes);
    level.frame = frame;
    level.left_out = LeftOut { names, animated };
    Ok((level, is_whole))
}

/// Some names, and the number of others.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let said = names.iter().take(MOST).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MOST);
    if more > 0 { format!("{said} and {more} more") } else { said }
}

/// Leaves out the parts with these names: doors that are open. Returns the names of those that do not move.
fn open_doors(raw: &mut RawLevel, moving: &mut Vec<MovingPart>, patterns: &[String]) -> Result<Vec<String>> {
    let mut left_out = Vec::new();
    for pattern in patterns {
        let before = moving.len();
        moving.retain(|part| {
            !is_called(&part.name, pattern) && !part.surfaces.iter().any(|name| is_called(name, pattern))
        });
        let stays = leave_out(raw, pattern);
        left_out.extend(stays.then(|| pattern.clone()));
        ensure!(
            stays || moving.len() < before,
            "\"open\": nothing in the level is called {pattern:?}; its objects are {}",
            listed(&raw.surfaces.iter().map(String::as_str).collect::<Vec<_>>())
        );
    }
    Ok(left_out)
}

/// The courtyard with a defect of every kind.
fn built_in(game: &Game) -> Result<(Level, Vec<DVec3>)> {
    let BrokenCourtyard { mesh, spawns, .. } = courtyard_with_defects();
    let data = MeshData { vertices: mesh.vertices, triangles: mesh.triangles, ..MeshData::default() };
    ensure!(game.open.is_empty(), "\"open\": the built-in courtyard has no named objects");
    let mut level = Level::new("courtyard", data)?;
    level.volumes = Volumes::new(game.volumes.clone());
    Ok((level, spawns.to_vec()))
}
