//! The command line.

use std::path::PathBuf;

use anyhow::{Context, Result};
use carom_formats::{LoadOptions, RawLevel, Up};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Moves things through game worlds: exact collision, and response that feels right.
#[derive(Debug, Parser)]
#[command(name = "carom", version, about, max_term_width = 100)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Inspect(InspectArgs),
    Cast(CastArgs),
    Walk(WalkArgs),
}

/// Which level, and how its numbers are meant.
#[derive(Debug, Args)]
pub(crate) struct LevelArgs {
    /// A .glb, .gltf, .obj, .stl or .ply file.
    pub(crate) level: PathBuf,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y).
    #[arg(long, value_enum, default_value_t = UpArg::Y)]
    pub(crate) up: UpArg,
    /// Metres per unit of the file.
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    pub(crate) scale: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum UpArg {
    Y,
    Z,
}

impl From<UpArg> for Up {
    fn from(up: UpArg) -> Self {
        match up {
            UpArg::Y => Self::Y,
            UpArg::Z => Self::Z,
        }
    }
}

impl LevelArgs {
    pub(crate) fn load(&self) -> Result<RawLevel> {
        let options = LoadOptions { up: self.up.into(), scale: self.scale, ..LoadOptions::default() };
        carom_formats::load(&self.level, &options)
            .with_context(|| format!("cannot load the level {}", self.level.display()))
    }
}

/// Counts what a level is made of and what is wrong with it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  carom inspect castle.glb
  carom inspect castle.obj --up z --scale 0.01 --json")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Prints one line of JSON instead of a report for people.
    #[arg(long)]
    pub(crate) json: bool,
    /// Open edges nearer than this that do not meet are a seam, in metres; a millionth of the largest side unless given.
    #[arg(long, value_name = "M")]
    pub(crate) seam: Option<f64>,
}

/// Answers casts through a level: one JSON query a line in, one answer a line out.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  echo '{"shape":{"sphere":{"radius":0.5}},"from":[0,2,0],"translation":[0,-4,0]}' | carom cast castle.glb
  carom cast castle.glb --in queries.jsonl --out answers.jsonl --threads 2

A query has "shape", "from" (the centre) and "translation". Shapes, in metres, each with an optional
"rotation" [x, y, z, w] but the sphere and the point:
  "point"
  {"sphere":{"radius":0.5}}
  {"ellipsoid":{"radii":[0.4,0.9,0.4]}}
  {"capsule":{"radius":0.3,"half_height":0.6}}      its axis is y
  {"cuboid":{"half_extents":[0.3,0.9,0.3]}}

Exit code 1: at least one query was in error; the others are answered all the same."#)]
pub(crate) struct CastArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Reads the queries from here; from standard input unless given.
    #[arg(long = "in", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Writes the answers here; to standard output unless given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How many threads to use; all cores unless given. The answers are the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Runs a scene and prints one line per tick and a summary; without a scene, a tour of the built-in courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom walk                          an ellipsoid tours the built-in courtyard
  carom walk scene.json
  carom walk scene.json --trace --out ticks.jsonl

A small scene; fall.json, groove.json and walls.json in crates/carom-cli/scenes are more:
  {"ticks":120,
   "bodies":[{"name":"floor","box":{"half_extents":[9,1,9]},"position":[0,-1,0]}],
   "characters":[{"name":"hero","shape":{"ellipsoid":{"radii":[0.4,0.9,0.4]}},"position":[0,3,0],
                  "input":[{"from":1,"until":2,"move":[4,0,0]}]}]}
Unless given: up [0,1,0], gravity 9.81 against up, dt 1/60, ticks 300.

The summary's state_hash is FNV-1a (64 bits) over the little-endian bytes of each character's position and
velocity after the last tick: runs with the same hash ended in the same state, to the bit."#)]
pub(crate) struct WalkArgs {
    /// The scene, in JSON.
    pub(crate) scene: Option<PathBuf>,
    /// Writes the lines here; to standard output unless given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Adds to each character what it touched and how often it was swept.
    #[arg(long)]
    pub(crate) trace: bool,
}
