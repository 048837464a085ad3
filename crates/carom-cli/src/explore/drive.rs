//! Drives an exploration from the floor to the findings: checkpoints, progress, and the time that each phase
//! takes.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use carom_explore::{Cost, Explorer, Finding, Phase, Progress, Stage, Stop, Task};
use glam::DVec3;
use indicatif::{ProgressBar, ProgressStyle};

use super::args::ExploreArgs;
use super::crew::Together;

/// How often a checkpoint is written.
const KEEP: Duration = Duration::from_secs(30);
/// The interval between lines of progress, where no bar can be shown.
const SAY: Duration = Duration::from_secs(10);
/// Of a level with more places than this, the first note comes before its floor is looked for.
const MANY: f64 = 2e6;
/// After this long, the speed of a flood is known well enough to estimate its end,
const MEASURE: f64 = 3.0;
/// and a note tells a guess longer than this, in seconds.
const LONG: f64 = 120.0;
/// The advice of both notes.
const SHORTEN: &str = "check --scale, choose a larger --cell, or end early with --stop-after SECONDS, which writes a partial \
                       report (with --checkpoint FILE it can be continued)";

/// The cost of each phase, and regular lines about it.
pub(crate) struct Clock {
    started: Instant,
    entered: Instant,
    phase: &'static str,
    phases: Vec<Phase>,
    /// Floor walked before this run, in m².
    walked: f64,
    /// Ticks of other bodies.
    pub(crate) more_ticks: u64,
    line: Arc<Mutex<String>>,
    /// Dropped at the end, which ends the thread that prints.
    _alive: Sender<()>,
}

impl Clock {
    /// Begins with loading.
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        let line = Arc::new(Mutex::new("load".to_owned()));
        let (alive, ended) = channel::<()>();
        if !io::stderr().is_terminal() {
            let line = Arc::clone(&line);
            std::thread::spawn(move || {
                // Nothing is ever sent: it ends when the sender is gone.
                while ended.recv_timeout(SAY) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    let line = line.lock().unwrap_or_else(PoisonError::into_inner);
                    eprintln!("{:.0} s: {line}", now.elapsed().as_secs_f64());
                }
            });
        }
        Self {
            started: now,
            entered: now,
            phase: "load",
            phases: Vec::new(),
            walked: 0.0,
            more_ticks: 0,
            line,
            _alive: alive,
        }
    }

    /// Ends a phase and begins another.
    pub(crate) fn enter(&mut self, phase: &'static str) {
        let now = Instant::now();
        let seconds = (now - self.entered).as_secs_f64();
        self.phases.push(Phase { name: self.phase, seconds });
        (self.entered, self.phase) = (now, phase);
        self.say(phase.to_owned());
    }

    fn say(&self, line: String) {
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    /// The cost so far.
    pub(crate) fn cost(&self, explorer: &Explorer<'_>) -> Cost {
        let progress = explorer.progress();
        let mut phases = self.phases.clone();
        phases.push(Phase { name: self.phase, seconds: self.entered.elapsed().as_secs_f64() });
        let seconds = self.started.elapsed().as_secs_f64();
        let m2_per_s = (progress.area - self.walked) / seconds.max(1e-9);
        Cost { seconds, phases, ticks: progress.ticks + self.more_ticks, m2_per_s }
    }
}

/// The level and the spawns of an exploration.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) task: Task<'a>,
    pub(crate) spawns: &'a [DVec3],
}

/// Floods and judges, until the end or a stop.
pub(crate) fn explore<'a>(
    arguments: &ExploreArgs,
    start: Start<'a>,
    mut together: Together,
    stop: &Stop,
    clock: &mut Clock,
) -> Result<(Explorer<'a>, Vec<Finding>)> {
    clock.enter("floor");
    tell_of_size(start.task);
    let spinner = waiting("looking for floor and spawns");
    let mut explorer = match begin(arguments, start, stop) {
        Ok(explorer) => explorer,
        Err(error) => {
            together.refuse(&error);
            return Err(error);
        }
    };
    let Start { task: task @ Task { level, rules }, spawns } = start;
    together.agree(level, rules, spawns)?;
    spinner.finish_and_clear();
    for warning in explorer.warnings() {
        eprintln!("carom: warning: {}: {}", warning.code, warning.message);
    }
    clock.enter("flood");
    let before = explorer.progress();
    clock.walked = before.area;
    let mut meter = Meter::new(arguments, before, clock);
    let watch =
        Box::new(|explorer: &Explorer<'_>| meter.read(explorer).map_err(|error| format!("{error:#}")));
    let flooded = together.flood(&mut explorer, task, stop, watch);
    if flooded.is_err() && level.fault().is_none() {
        // The flood up to the loss of a worker is complete.
        keep(arguments, &explorer)?;
    }
    if flooded?.is_none() {
        while explorer.advance() == Stage::Flooding {
            meter.read(&explorer)?;
        }
    }
    meter.bar.finish_and_clear();
    keep(arguments, &explorer)?;
    clock.enter("judge");
    let spinner = waiting("looking again where there is doubt");
    let findings = explorer.finish();
    spinner.finish_and_clear();
    Ok((explorer, findings))
}

/// Tells how many places a large level has, before they are looked for.
fn tell_of_size(Task { level, rules }: Task<'_>) {
    let many = |places: &f64| *places > MANY && places.is_finite() && rules.check().is_ok();
    let Some(places) = carom_explore::about_places(level, rules).filter(many) else { return };
    let size = level.bounds().size();
    eprintln!(
        "note: the level is {:.0} × {:.0} m and has room for up to {:.1} million places at a cell of {} m: {SHORTEN}",
        size.x,
        size.z,
        places / 1e6,
        (1e4 * rules.cell()).round() / 1e4
    );
}

/// A duration in words, rounded.
fn about(seconds: f64) -> String {
    let (number, unit) = match seconds {
        _ if seconds < 90.0 => (seconds, "s"),
        _ if seconds < 5400.0 => (seconds / 60.0, "min"),
        _ => (seconds / 3600.0, "h"),
    };
    format!("about {number:.0} {unit}")
}

/// From the spawns, or from a checkpoint on.
fn begin<'a>(
    arguments: &ExploreArgs,
    Start { task: Task { level, rules }, spawns }: Start<'a>,
    stop: &Stop,
) -> Result<Explorer<'a>> {
    match arguments.checkpoint.as_deref().filter(|path| path.exists()) {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Explorer::resume_stoppable(level, rules, spawns, file, stop.clone())
                .with_context(|| path.display().to_string())
        }
        None => Ok(Explorer::stoppable(level, rules, spawns, stop.clone())?),
    }
}

/// Shows how far a flood is, batch after batch, and keeps checkpoints.
struct Meter<'c> {
    arguments: &'c ExploreArgs,
    clock: &'c Clock,
    before: Progress,
    flooding: Instant,
    last_kept: Instant,
    /// Whether the end was guessed at.
    is_guessed: bool,
    bar: ProgressBar,
}

impl<'c> Meter<'c> {
    fn new(arguments: &'c ExploreArgs, before: Progress, clock: &'c Clock) -> Self {
        let now = Instant::now();
        let bar = progress_bar(before.expected as u64);
        Self { arguments, clock, before, flooding: now, last_kept: now, is_guessed: false, bar }
    }

    fn read(&mut self, explorer: &Explorer<'_>) -> Result<()> {
        let now = explorer.progress();
        let seconds = self.flooding.elapsed().as_secs_f64().max(1e-9);
        let expected = now.expected.max(now.places);
        self.bar.set_length(expected as u64);
        self.bar.set_position(now.done as u64);
        let rate = |of: f64| of / seconds;
        let places = rate((now.done - self.before.done) as f64);
        let rates = format!("{places:.0} places/s, {:.0} m²/s", rate(now.area - self.before.area));
        let remaining = (expected - now.done) as f64 / places.max(1e-9);
        let left = about(remaining);
        self.clock.say(format!("flood, {} of about {expected} places, {rates}, {left} left", now.done));
        if seconds >= MEASURE && !std::mem::replace(&mut self.is_guessed, true) && remaining > LONG {
            let known = expected - now.done;
            self.bar.suspend(|| {
                eprintln!(
                    "note: the {known} places that are left take {left} at {places:.0} places/s, and steep ground has more: {SHORTEN}"
                );
            });
        }
        self.bar.set_message(rates);
        if self.last_kept.elapsed() >= KEEP {
            keep(self.arguments, explorer)?;
            self.last_kept = Instant::now();
        }
        Ok(())
    }
}

/// Writes the checkpoint, if requested: completely, or not at all.
fn keep(arguments: &ExploreArgs, explorer: &Explorer<'_>) -> Result<()> {
    let Some(path) = &arguments.checkpoint else { return Ok(()) };
    // A stop before the first place may have cut the choice of spawns short: there is nothing to continue
    // from.
    if explorer.progress().done == 0 {
        return Ok(());
    }
    let mut beside = path.clone().into_os_string();
    beside.push(".part");
    File::create(&beside)
        .and_then(|file| explorer.checkpoint(&mut BufWriter::new(file)))
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
