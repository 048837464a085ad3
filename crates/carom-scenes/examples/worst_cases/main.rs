//! The slowest tick, cast, slide and query that a search can find.
//!
//! ```text
//! cargo run --release -p carom-scenes --example worst_cases -- --minutes 60
//! cargo run --release -p carom-scenes --example worst_cases -- --minutes 9 --only tick --family hills
//! cargo run --release -p carom-scenes --example worst_cases -- --replay "tick hills 0123…"
//! cargo run --release -p carom-scenes --example worst_cases -- --named
//! cargo run --release -p carom-scenes --example worst_cases -- --digest 1000
//! ```
//!
//! For each query and each family of worlds it takes random cases, then climbs from the slowest of them:
//! a change is kept where the case becomes slower, and is so when it is measured again. It starts again where
//! it gets no further. Times are processor time of the thread, the least of several runs, with the data in
//! the caches; those of ticks start from a copy of the character. Every answer is judged. Exit code 1 where
//! one breaks a law; each is printed with the text that replays it.
#![forbid(unsafe_code)]

mod clock;
mod measure;
mod search;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use carom_scenes::Random;
use carom_scenes::worst::{Case, Family, Levels, NAMED, Problem, Query};
use clap::Parser;

use crate::measure::{Measured, measure};
use crate::search::Search;

#[derive(Parser)]
#[command(about = "Searches for the slowest tick, cast, slide and query")]
struct Arguments {
    /// Minutes in all, shared evenly by the queries and families.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Only this query: tick, cast, slide, contacts, overlaps or closest.
    #[arg(long)]
    only: Option<String>,
    /// Only this family of worlds.
    #[arg(long)]
    family: Option<String>,
    /// The seed of the search. Times decide what it keeps, so it does not repeat to the bit.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Measures this case and prints its numbers.
    #[arg(long)]
    replay: Option<String>,
    /// With --replay: asks this often, for a profiler.
    #[arg(long, requires = "replay")]
    repeat: Option<u64>,
    /// Measures the cases that have names.
    #[arg(long)]
    named: bool,
    /// Prints a hash of the answers to this many random cases of each query and family. Two builds that
    /// print the same gave the same bits.
    #[arg(long)]
    digest: Option<u32>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let levels = Levels::new();
    if let Some(text) = &arguments.replay {
        return replay(&levels, text, arguments.repeat);
    }
    if arguments.named {
        return named(&levels);
    }
    let is_wanted = |wanted: &Option<String>, name| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let queries = Query::ALL.into_iter().filter(|query| is_wanted(&arguments.only, query.name()));
    let pairs: Vec<(Query, Family)> = queries
        .flat_map(|query| Family::ALL.map(|family| (query, family)))
        .filter(|(query, family)| family.has(*query) && is_wanted(&arguments.family, family.name()))
        .collect();
    if let Some(count) = arguments.digest {
        for (query, family) in pairs {
            let hash = digest(&levels, query, family, count);
            println!("{:8} {:28} {hash:016x}", query.name(), family.name());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let share = Duration::from_secs_f64(60.0 * arguments.minutes.max(0.0))
        .checked_div(pairs.len() as u32)
        .context("no such query or family")?;
    heading();
    let mut faults = 0;
    for (number, (query, family)) in (0..).zip(pairs) {
        let random = Random::scattered(arguments.seed << 8 | number);
        let mut search = Search::new(&levels, query, family, random);
        search.run(Instant::now() + share);
        row(family.name(), &search.best(), search.median());
        println!("    {} cases, --replay \"{}\"", search.count(), search.best().case);
        println!("    {}", Problem::new(&levels, &search.best().case));
        for fault in search.faults().iter().take(5) {
            println!("    FAULT {fault}");
        }
        faults += search.faults().len();
    }
    if faults > 0 {
        println!("{faults} faults");
    }
    Ok(ExitCode::from(u8::from(faults > 0)))
}

/// FNV-1a over the text of the answers.
fn digest(levels: &Levels, query: Query, family: Family, count: u32) -> u64 {
    let mut random = Random::scattered(u64::from(count));
    (0..count).fold(0xCBF2_9CE4_8422_2325, |hash, _| {
        let problem = Problem::new(levels, &Case::random(query, family, &mut random));
        let text = problem.ask(|ask| ask().to_string());
        text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
    })
}

fn heading() {
    println!(
        "{:8} {:28} {:>11} {:>11} {:>10} {:>7} {:>6}",
        "query", "case", "time, µs", "first, µs", "median, µs", "ratio", "count"
    );
}

/// A line of the table. The count is that of sweeps, or of parts.
fn row(name: &str, measured: &Measured, median: f64) {
    let Measured { case, least, first, count, .. } = measured;
    println!(
        "{:8} {name:28} {:>11.2} {:>11.2} {:>10.2} {:>7.1} {count:>6}",
        case.query.name(),
        1e6 * least,
        1e6 * first,
        1e6 * median,
        least / median,
    );
}

fn replay(levels: &Levels, text: &str, repeat: Option<u64>) -> Result<ExitCode> {
    let case: Case = text.parse()?;
    let problem = Problem::new(levels, &case);
    println!("{problem}");
    let measured = measure(levels, &case, 50);
    heading();
    row(case.family.name(), &measured, measured.least);
    for _ in 0..repeat.unwrap_or(0) {
        problem.ask(|ask| std::hint::black_box(ask()).count());
    }
    if let Some(fault) = &measured.fault {
        println!("FAULT {fault}");
    }
    Ok(ExitCode::from(u8::from(measured.fault.is_some())))
}

/// The table of the cases that have names, each beside random cases of its query and family.
fn named(levels: &Levels) -> Result<ExitCode> {
    heading();
    let mut is_faulty = false;
    for named in NAMED {
        let case: Case = named.case.parse()?;
        let mut others = Search::new(levels, case.query, case.family, Random::scattered(1));
        others.sample(Instant::now() + Duration::from_secs(30));
        let measured = measure(levels, &case, 100);
        row(named.name, &measured, others.median());
        if let Some(fault) = &measured.fault {
            println!("    FAULT {fault}");
            is_faulty = true;
        }
    }
    Ok(ExitCode::from(u8::from(is_faulty)))
}
