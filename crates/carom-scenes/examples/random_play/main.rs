//! E10: characters that play at random over every level of the data folder, and what they must never do.
//!
//! ```text
//! CAROM_DATA=/data cargo run --release -p carom-scenes --example random_play -- --ticks 10000000
//! CAROM_DATA=/data cargo run --release -p carom-scenes --example random_play -- --level recast_nav/nav_test.obj --seed 17 --verbose
//! cargo run --release -p carom-scenes --example random_play -- --file maps/mine.bsp --up z --scale 0.03
//! cargo run --release -p carom-scenes --example random_play -- --machines --ticks 10000000
//! cargo run --release -p carom-scenes --example random_play -- --yards --ticks 10000000
//! cargo run --release -p carom-scenes --example random_play -- --tables --ticks 10000000
//! ```
//!
//! Random desired velocities, jumps, tick lengths, shapes and settings, in levels as they are, turned, and 10
//! km off. After each tick the character with its skin overlaps nothing, unless the report says so; no part
//! of its way crossed a triangle; and where it can't move, a fresh character put at the same place can't
//! either. To fall out of a level over an edge or through a hole is no fault: through a triangle is one. Exit
//! code 1 where there is a fault; each is printed with the seed that replays it.
#![forbid(unsafe_code)]

mod held;
mod judge;
mod levels;
mod play;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use carom::character::Obstacle;
use carom::trace::{Event, Trace};
use carom_formats::Up;
use carom_scenes::{machines, tables, yards};
use clap::Parser;
use rayon::prelude::*;

use crate::levels::Level;
use crate::play::{Counts, Run};

#[derive(Parser)]
#[command(about = "Plays at random over the levels of CAROM_DATA and says what goes wrong")]
struct Arguments {
    /// Ticks in all, shared evenly by the levels; with --tables, events.
    #[arg(long, default_value_t = 10_000_000)]
    ticks: u64,
    /// Only levels whose names contain this.
    #[arg(long, default_value = "")]
    level: String,
    /// Plays in these files, not in the levels of `CAROM_DATA`.
    #[arg(long = "file")]
    files: Vec<PathBuf>,
    /// With --file: which axis of the files is up, y or z.
    #[arg(long, default_value = "y", value_parser = up)]
    up: Up,
    /// With --file: meters per unit of the files.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Only the run of this seed.
    #[arg(long)]
    seed: Option<u64>,
    /// The seed of the first run.
    #[arg(long, default_value_t = 0)]
    first_seed: u64,
    /// Ticks of a run.
    #[arg(long, default_value_t = 2_000)]
    run: u64,
    /// Plays among machines, bodies that translate, turn and swing, and in no level.
    #[arg(long)]
    machines: bool,
    /// With --machines: 4 to 16 heroes close together in each world.
    #[arg(long)]
    crowds: bool,
    /// Plays in yards with bodies that are pushed, lifts and doors, and in no level.
    #[arg(long)]
    yards: bool,
    /// Plays tables of balls, and no characters.
    #[arg(long)]
    tables: bool,
    /// Plays with the keys of a keyboard, in random worlds and in the levels, and counts the keys that do
    /// nothing although the path is free.
    #[arg(long)]
    held: bool,
    /// Prints every tick of the run of --seed; of machines, every event; of keys, those of a tick more.
    #[arg(long, requires = "seed")]
    verbose: bool,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.machines {
        return Ok(play_among_machines(&arguments));
    }
    if arguments.yards {
        return Ok(play_in_yards(&arguments));
    }
    if arguments.tables {
        return Ok(play_tables(&arguments));
    }
    if arguments.held {
        return play_held(&arguments);
    }
    let Some(levels) = levels(&arguments)? else {
        println!("skipped: CAROM_DATA is not set");
        return Ok(ExitCode::SUCCESS);
    };
    let share = arguments.ticks / (levels.len() as u64).max(1);
    let seeds = match arguments.seed {
        Some(seed) => seed..seed + 1,
        None => arguments.first_seed..arguments.first_seed + share.div_ceil(arguments.run.max(1)),
    };
    println!(
        "{:42} {:>9} {:>9} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "level", "triangles", "ticks", "falls", "crushed", "pits", "snags", "stuck", "inside", "through"
    );
    let mut whole = Counts::default();
    for level in &levels {
        let runs: Vec<(Counts, Vec<String>)> = seeds
            .clone()
            .into_par_iter()
            .map(|seed| Run { level, seed, ticks: arguments.run, verbose: arguments.verbose }.play())
            .collect();
        let mut counts = Counts::default();
        for (run, _) in &runs {
            counts.add(run);
        }
        println!("{:42} {:>9} {counts}", level.name, level.triangles);
        for line in runs.iter().flat_map(|(_, lines)| lines).take(20) {
            println!("    {line}");
        }
        whole.add(&counts);
    }
    println!("{:42} {:>9} {whole}", "all", "");
    let found = whole.faults();
    if found > 0 {
        println!("{found} faults");
    }
    let ran = u8::from(found > 0);
    (whole.ticks > 0)
        .then_some(ExitCode::from(ran))
        .context("no level was played: none matches, or none has ground")
}

fn up(axis: &str) -> Result<Up> {
    match axis {
        "y" => Ok(Up::Y),
        "z" => Ok(Up::Z),
        _ => bail!("y or z is up"),
    }
}

/// The levels to play in; `None` where none are named and there is no data folder.
fn levels(arguments: &Arguments) -> Result<Option<Vec<Level>>> {
    let Arguments { files, up, scale, .. } = arguments;
    if !files.is_empty() {
        return files
            .iter()
            .map(|file| levels::load_file(file, *up, *scale))
            .collect::<Result<_>>()
            .map(Some);
    }
    let data = std::env::var_os("CAROM_DATA");
    data.map(|data| levels::load_all(data.as_ref(), &arguments.level)).transpose()
}

/// The law of keys: what is pressed moves the hero where the path is free. Half of the ticks in random
/// worlds, half in the levels.
fn play_held(arguments: &Arguments) -> Result<ExitCode> {
    let runs = |share: u64| {
        let first = arguments.seed.unwrap_or(arguments.first_seed);
        let count = if arguments.seed.is_some() { 1 } else { share.div_ceil(arguments.run.max(1)) };
        first..first + count
    };
    let how = (arguments.run, arguments.verbose);
    held::heading();
    let mut whole = carom_scenes::held::Counts::default();
    for worlds in held::RANDOM_WORLDS {
        if arguments.files.is_empty() && worlds.0.contains(arguments.level.as_str()) {
            whole.add(&held::in_random_worlds(worlds, runs(arguments.ticks / 4), how));
        }
    }
    match levels(arguments)? {
        Some(levels) => {
            let share = arguments.ticks / 2 / (levels.len() as u64).max(1);
            for level in &levels {
                whole.add(&held::in_level(level, runs(share), how));
            }
        }
        None => println!("levels skipped: CAROM_DATA is not set"),
    }
    held::row("all", &whole);
    Ok(ExitCode::from(u8::from(whole.faults() > 0)))
}

/// The law of pushed bodies: a tick ends inside nothing, or says what presses them.
fn play_in_yards(arguments: &Arguments) -> ExitCode {
    /// How long a yard is played in, in seconds.
    const SECONDS: f64 = 12.0;
    let mut whole = yards::Counts::default();
    let worlds = play_worlds(
        arguments,
        |seed| yards::play(seed, SECONDS),
        |counts| {
            whole.add(counts);
            whole.ticks
        },
    );
    let yards::Counts { ticks, pushed, pressed, inside, leaps, out } = whole;
    println!(
        "{ticks} ticks of players and {pushed} of pushed bodies in {worlds} yards: {pressed} pressed, {inside} inside, {leaps} leaps, {out} out"
    );
    ExitCode::from(u8::from(whole.faults() > 0))
}

/// The laws of balls: they overlap nothing, keep their energy, and play on to the same bits.
fn play_tables(arguments: &Arguments) -> ExitCode {
    /// Events of a table.
    const EVENTS: u64 = 20_000;
    let mut whole = tables::Counts::default();
    let worlds = play_worlds(
        arguments,
        |seed| tables::play(seed, EVENTS),
        |counts| {
            whole.add(counts);
            whole.events
        },
    );
    let tables::Counts { events, rests, crushed, commands, overlaps, energy, stalls, copies, .. } = whole;
    println!(
        "{events} events on {worlds} tables, {commands} commands, {rests} rests, {crushed} crushed: {overlaps} overlaps, {energy} changes of energy, {stalls} stalls, {copies} copies that differ"
    );
    ExitCode::from(u8::from(whole.faults() > 0))
}

/// Prints what happens in a tick.
struct Printer(u64);

impl Trace<Obstacle> for Printer {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        println!("{} {event:?}", self.0);
    }
}

/// Plays random worlds, one for each seed, until there are enough ticks, and shows the first faults. `count`
/// adds the counts of a world and returns the ticks so far. Returns the number of worlds.
fn play_worlds<C: Send>(
    arguments: &Arguments,
    play: impl Fn(u64) -> (C, Vec<String>) + Sync,
    mut count: impl FnMut(&C) -> u64,
) -> u64 {
    /// Worlds that are played at once, and faults that are shown.
    const BATCH: u64 = 256;
    const SHOWN: usize = 20;
    let first = arguments.seed.unwrap_or(arguments.first_seed);
    let batch = if arguments.seed.is_some() { 1 } else { BATCH };
    let (mut seed, mut ticks, mut shown) = (first, 0, 0);
    while ticks < arguments.ticks {
        let runs: Vec<_> = (seed..seed + batch).into_par_iter().map(&play).collect();
        for (counts, lines) in &runs {
            ticks = count(counts);
            if let Some(line) = lines.first().filter(|_| shown < SHOWN) {
                println!("    {line}");
                shown += 1;
            }
        }
        seed += batch;
        if arguments.seed.is_some() {
            break;
        }
    }
    seed - first
}

/// The law of bodies that move: a tick ends inside nothing, or says what crushes it.
fn play_among_machines(arguments: &Arguments) -> ExitCode {
    /// Ticks of a world with its heroes.
    const TICKS: u64 = 200;
    let play = |seed| {
        let run = machines::Run { seed, ticks: TICKS, is_crowd: arguments.crowds };
        if arguments.verbose { run.play_traced(&Printer) } else { run.play() }
    };
    let mut whole = machines::Counts::default();
    let worlds = play_worlds(arguments, play, |counts| {
        whole.add(counts);
        whole.ticks
    });
    let machines::Counts {
        ticks,
        crushed,
        reported,
        inside,
        through,
        in_another,
        pairs,
        pairs_reported,
        sweeps,
    } = whole;
    println!(
        "{ticks} ticks of {worlds} worlds, {sweeps} sweeps: {crushed} crushed, {reported} reported inside, {inside} inside, {through} through"
    );
    println!("{pairs} pairs of heroes: {pairs_reported} reported in each other, {in_another} in each other");
    ExitCode::from(u8::from(whole.faults() > 0))
}
