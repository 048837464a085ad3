//! `carom cast`: queries in, answers out, line for line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use carom::sweep::Feature;
use carom::world::{Body, CastHit, Collider, World};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{self, BYTE_ORDER_MARK};
use crate::level::{LevelArgs, PatchArgs};
use crate::outcome::Outcome;
use crate::output::{self, numbers};
use crate::query::Query;

/// Casts shapes through a level. Reads one JSON query per line and writes one answer per line.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  echo '{"shape":"point","from":[0,2,0],"translation":[0,-4,0]}' \
    | carom cast castle.glb
  carom cast castle.glb --in queries.jsonl --out answers.jsonl --threads 2

A query has "shape", "from" (the center), "translation", and optionally an "id"
of any kind, which its answer repeats. Shapes, in meters (all but the sphere and
the point may have a "rotation" [x, y, z, w]):
  "point"
  {"sphere":{"radius":0.5}}
  {"ellipsoid":{"radii":[0.4,0.9,0.4]}}
  {"capsule":{"radius":0.3,"half_height":0.6}}      its axis is y
  {"cuboid":{"half_extents":[0.3,0.9,0.3]}}

Curved patches of .bsp and .map files stay curved: an answer then names the
"patch" instead of the "triangle".

Blank lines are skipped. Exit code 1: at least one query had an error; all
others are still answered."#)]
pub(crate) struct CastArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    #[command(flatten)]
    pub(crate) patches: PatchArgs,
    /// Reads the queries from here. Default: standard input.
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Writes the answers here. Default: standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The number of threads. Default: all cores. It does not change the answers.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// The number of lines that are read, answered and written together.
const CHUNK: usize = 8192;

/// A query is a few hundred bytes; a longer line is refused without reading it whole.
const LONGEST_LINE: usize = 1 << 20;

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Hit(Option<HitLine>),
    Error(String),
}

/// An answer, with the id of its query.
#[derive(Serialize)]
struct AnswerLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: Answer,
}

/// The id alone, even of a query that is wrong otherwise.
#[derive(Deserialize)]
struct IdOnly {
    id: Option<Value>,
}

#[derive(Serialize)]
struct HitLine {
    fraction: f64,
    point: [f64; 3],
    normal: [f64; 3],
    #[serde(flatten)]
    part: PartLine,
    feature: &'static str,
    start_overlap: bool,
}

/// The hit part: a triangle, or a patch that stays curved.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum PartLine {
    Triangle(u32),
    Patch(u32),
}

impl PartLine {
    fn of(world: &World, hit: &CastHit) -> Self {
        match world.body(hit.body).map(Body::collider) {
            Some(Collider::Patches(set)) => Self::Patch(set.patch_of(hit.part).unwrap_or_default()),
            _ => Self::Triangle(hit.part),
        }
    }
}

pub(crate) fn run(arguments: &CastArgs) -> Result<Outcome> {
    let mut level = arguments.level.load_with_patches(&arguments.patches)?;
    let patches = std::mem::take(&mut level.patches);
    let mesh = level
        .into_mesh()
        .with_context(|| format!("cannot cast through the level {}", arguments.level.level.display()))?;
    let mut input = open_input(arguments.input.as_deref())?;
    if input.fill_buf().context("cannot read the queries")?.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build()
        .context("cannot start the threads")?;
    let mut world = World::new();
    pool.install(|| {
        world.add(Body::fixed(mesh));
        if !patches.is_empty() {
            world.add(Body::fixed(patches));
        }
    });
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
        let answers: Vec<AnswerLine> =
            pool.install(|| lines.par_iter().map(|line| answer(&world, line)).collect());
        for answer in &answers {
            if matches!(answer.answer, Answer::Error(_)) {
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

/// Up to `count` lines that are not blank. A line that cannot be read becomes an error in its place.
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
            // The rest of the line is skipped in pieces.
            let mut rest = Vec::new();
            while io::Read::take(&mut *input, limit).read_until(b'\n', &mut rest)? > 0
                && rest.last() != Some(&b'\n')
            {
                rest.clear();
            }
            lines.push(Err(format!("the line is longer than {LONGEST_LINE} bytes: no query is")));
            continue;
        }
        if !line.trim_ascii().is_empty() {
            lines.push(Ok(line));
        }
    }
    Ok(lines)
}

fn answer(world: &World, line: &Result<Vec<u8>, String>) -> AnswerLine {
    let line = match line {
        Ok(line) => line,
        Err(error) => return AnswerLine { id: None, answer: Answer::Error(error.clone()) },
    };
    let query: Query = match json::read_line(line) {
        Ok(query) => query,
        Err(error) => {
            let id = json::read_line::<IdOnly>(line).ok().and_then(|only| only.id);
            return AnswerLine { id, answer: Answer::Error(error) };
        }
    };
    let answer = match query.cast() {
        Ok(cast) => Answer::Hit(world.cast(&cast).map(|hit| HitLine::of(world, &hit))),
        Err(error) => Answer::Error(error.to_string()),
    };
    AnswerLine { id: query.id, answer }
}

impl HitLine {
    fn of(world: &World, hit: &CastHit) -> Self {
        Self {
            fraction: hit.fraction,
            point: numbers(hit.point),
            normal: numbers(hit.normal),
            part: PartLine::of(world, hit),
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
