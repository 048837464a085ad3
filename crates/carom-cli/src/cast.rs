//! `carom cast`: queries in, answers out, line for line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use carom::sweep::Feature;
use carom::world::{Body, CastHit, World};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;

use crate::Outcome;
use crate::args::CastArgs;
use crate::output::{self, numbers};
use crate::query::Query;

/// So many lines are read, answered together and written before the next are read.
const CHUNK: usize = 8192;

/// A query is a few hundred bytes; a line longer than this is none, and is not kept in memory whole.
const LONGEST_LINE: usize = 1 << 20;

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Hit(Option<HitLine>),
    Error(String),
}

#[derive(Serialize)]
struct HitLine {
    fraction: f64,
    point: [f64; 3],
    normal: [f64; 3],
    triangle: u32,
    feature: &'static str,
    start_overlap: bool,
}

pub(crate) fn run(arguments: &CastArgs) -> Result<Outcome> {
    let level = arguments.level.load()?;
    let mesh = level
        .into_mesh()
        .with_context(|| format!("cannot cast through the level {}", arguments.level.level.display()))?;
    let mut input = open_input(arguments.input.as_deref())?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build()
        .context("cannot start the threads")?;
    let mut world = World::new();
    pool.install(|| world.add(Body::fixed(mesh)));
    let inputs: Vec<&Path> =
        arguments.input.as_deref().into_iter().chain([arguments.level.level.as_path()]).collect();
    let mut out = output::open(arguments.out.as_deref(), &inputs)?;

    let progress = progress_bar();
    let mut outcome = Outcome::Fine;
    loop {
        let lines = read_lines(&mut input, CHUNK)?;
        if lines.is_empty() {
            break;
        }
        let answers: Vec<Answer> =
            pool.install(|| lines.par_iter().map(|line| answer(&world, line)).collect());
        for answer in &answers {
            if matches!(answer, Answer::Error(_)) {
                outcome = Outcome::FoundWrong;
            }
            serde_json::to_writer(&mut out, answer)?;
            writeln!(out)?;
        }
        progress.inc(answers.len() as u64);
    }
    out.flush()?;
    progress.finish_and_clear();
    Ok(outcome)
}

fn open_input(path: Option<&Path>) -> Result<Box<dyn BufRead>> {
    Ok(match path {
        Some(path) => {
            let file =
                File::open(path).with_context(|| format!("cannot read the queries {}", path.display()))?;
            Box::new(BufReader::new(file))
        }
        None => Box::new(BufReader::new(io::stdin())),
    })
}

/// Up to `count` lines; what is wrong with a line is said in its place.
fn read_lines(input: &mut dyn BufRead, count: usize) -> Result<Vec<Result<Vec<u8>, String>>> {
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        let read = io::Read::take(&mut *input, limit)
            .read_until(b'\n', &mut line)
            .context("cannot read the queries")?;
        if read == 0 {
            break;
        }
        if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
            // The rest of it goes by in pieces.
            let mut rest = Vec::new();
            while io::Read::take(&mut *input, limit).read_until(b'\n', &mut rest)? > 0
                && rest.last() != Some(&b'\n')
            {
                rest.clear();
            }
            lines.push(Err(format!("the line is longer than {LONGEST_LINE} bytes: no query is")));
            continue;
        }
        lines.push(Ok(line));
    }
    Ok(lines)
}

fn answer(world: &World, line: &Result<Vec<u8>, String>) -> Answer {
    let line = match line {
        Ok(line) => line,
        Err(error) => return Answer::Error(error.clone()),
    };
    if line.trim_ascii().is_empty() {
        return Answer::Error("the line is empty: expected a query".to_owned());
    }
    let cast = match serde_json::from_slice::<Query>(line) {
        Ok(query) => query.cast(),
        Err(error) => return Answer::Error(error.to_string()),
    };
    match cast {
        Ok(cast) => Answer::Hit(world.cast(&cast).map(|hit| HitLine::of(&hit))),
        Err(error) => Answer::Error(error.to_string()),
    }
}

impl HitLine {
    fn of(hit: &CastHit) -> Self {
        Self {
            fraction: hit.fraction,
            point: numbers(hit.point),
            normal: numbers(hit.normal),
            triangle: hit.part,
            feature: match hit.feature {
                Feature::Face => "face",
                Feature::Edge(_) => "edge",
                Feature::Vertex(_) => "vertex",
            },
            start_overlap: hit.start_overlap,
        }
    }
}

fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {human_pos} casts, {per_sec}, {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::no_length().with_style(style)
}
