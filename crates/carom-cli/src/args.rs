//! The command line.

use std::path::PathBuf;

use anyhow::{Context, Result};
use carom_formats::{LoadOptions, RawLevel, Up};
use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::DVec3;

use crate::explore::FailOn;

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
    Explore(ExploreArgs),
    Pool(PoolArgs),
    Bench(BenchArgs),
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
  carom walk                          a character tours the built-in courtyard
  carom walk scene.json
  carom walk scene.json --trace --out ticks.jsonl

A small scene; more are in crates/carom-cli/scenes: fall.json, groove.json, walls.json (bare sliding) and
ride.json (lifts, a turntable, a conveyor belt, a door, a crate):
  {"ticks":120,
   "bodies":[{"name":"floor","box":{"half_extents":[9,1,9]},"position":[0,-1,0]},
             {"name":"lift","box":{"half_extents":[1,0.1,1]},"position":[3,0,0],"linear":[0,0.5,0]}],
   "characters":[{"name":"hero","shape":{"ellipsoid":{"radii":[0.4,0.9,0.4]}},"position":[0,1,0],
                  "input":[{"from":0.5,"until":1.2,"move":[4,0,0]}]}]}
Unless given: up [0,1,0], gravity 9.81 against up, dt 1/60, ticks 300. All keys, their units and defaults:
docs/scene.md, and docs/scene.schema.json for editors.

"rule" is "character" (walks, climbs steps, rides and pushes) or "slide" (bare collide and slide, which bodies push
but nothing carries; it passes through characters). "dynamic" bodies are moved by pushes only: they slide without
turning, falling or friction.

The summary's state_hash is FNV-1a (64 bits) over the little-endian bytes of each character's position, velocity and
yaw after the last tick, then of each dynamic body's position: runs with the same hash ended in the same state, to
the bit."#)]
pub(crate) struct WalkArgs {
    /// The scene, in JSON.
    pub(crate) scene: Option<PathBuf>,
    /// Writes the lines here; to standard output unless given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Adds to each character what happened in the tick and why: sweeps, what held it, decisions, what it touches.
    #[arg(long)]
    pub(crate) trace: bool,
}

/// Walks a whole level with the real character and says where it breaks; without a level, the built-in courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom explore                                       the built-in courtyard, in which defects are planted
  carom explore castle.glb --out report               a map, a page and scenes that replay each finding
  carom explore castle.glb --spawn 0,1,0 --jump 0
  carom explore castle.glb --fail-on FALL_OUT,STUCK --baseline report.json

Errors: FALL_OUT (leaves the world), STUCK (no way to move on), TRAP (a region with no way back to a spawn),
START_OVERLAP (a spawn does not fit). Warnings: SNAG (stopped by less than a step where the floor goes on),
UNREACHED (walkable floor with headroom, never reached). Bodies that move are frozen.

Spawns not given are points of the level called spawn, player_start and the like, else the middle of the
largest floor. The same input gives the same report, at any number of threads, but for its seconds.
Exit code 1: there is a finding that --fail-on names and --baseline does not know."#)]
pub(crate) struct ExploreArgs {
    /// A .glb, .gltf, .obj, .stl or .ply file.
    pub(crate) level: Option<PathBuf>,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y).
    #[arg(long, value_enum, default_value_t = UpArg::Y)]
    pub(crate) up: UpArg,
    /// Metres per unit of the file.
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    pub(crate) scale: f64,
    /// Where the centre of the body starts, in metres; more than once for several.
    #[arg(long, value_name = "x,y,z", value_parser = point, allow_hyphen_values = true)]
    pub(crate) spawn: Vec<DVec3>,
    /// Writes report.json, report.html, map.png, picture/*.png and witness/*.json here.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The side of a cell of the grid, in metres; 1.25 of the smaller horizontal radius unless given.
    #[arg(long, value_name = "M")]
    pub(crate) cell: Option<f64>,
    /// The radii of the upright ellipsoid, in metres; .4,.9,.4 unless given.
    #[arg(long, value_name = "x,y,z", value_parser = point)]
    pub(crate) radii: Option<DVec3>,
    /// The speed of a jump; 4 unless given, 0: no jumping.
    #[arg(long, value_name = "M/S")]
    pub(crate) jump: Option<f64>,
    /// Unreached floor smaller than this is not reported, in m².
    #[arg(long, value_name = "M2", default_value_t = 1.0)]
    pub(crate) min_area: f64,
    /// How many threads to use; all cores unless given. The report is the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Findings that make the exit code 1: codes, or error, warning (those and errors), none.
    #[arg(long, value_name = "CODE,…", default_value = "error")]
    pub(crate) fail_on: FailOn,
    /// An earlier report.json: what it holds does not fail.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Goes on from this file if it is there, and writes it now and then and at the end.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Stops the flood after so many seconds, as Ctrl-C does at any time: the report is of what was walked until then.
    #[arg(long, value_name = "S")]
    pub(crate) stop_after: Option<f64>,
}

/// Measures this machine for a minute: casts, character ticks and the building of the tree; of the built-in courtyard without a level.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  carom bench
  carom bench castle.glb
  carom bench castle.obj --up z --scale 0.01 --seconds 10 --json

Casts of 5 m from near the surfaces; characters that walk about on the floors. No comparison with other engines.")]
pub(crate) struct BenchArgs {
    /// A .glb, .gltf, .obj, .stl or .ply file.
    pub(crate) level: Option<PathBuf>,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y).
    #[arg(long, value_enum, default_value_t = UpArg::Y)]
    pub(crate) up: UpArg,
    /// Metres per unit of the file.
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    pub(crate) scale: f64,
    /// How long to measure, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "S")]
    pub(crate) seconds: f64,
    /// Prints one line of JSON instead of a report for people.
    #[arg(long)]
    pub(crate) json: bool,
}

impl BenchArgs {
    /// The level, if one is named.
    pub(crate) fn level(&self) -> Option<LevelArgs> {
        self.level.clone().map(|level| LevelArgs { level, up: self.up, scale: self.scale })
    }
}

/// Runs balls from event to event and prints a summary; without a scene, a break on a pool table.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom pool --out break.html                         a 15-ball break, and a page that plays it
  carom pool --scene landslide --out landslide.html
  carom pool scene.json --events

A small scene:
  {"dimensions":2,"until":5.0,"restitution":1.0,
   "walls":[{"segment":[[0,0],[2,0]]},{"plane":{"point":[0,0,0],"normal":[0,1,0]}},
            {"arc":{"center":[1,0],"radius":1,"from_degrees":0,"to_degrees":180}}],
   "pockets":[{"position":[2,0],"radius":0.06}],
   "balls":[{"position":[0.5,0.5,0],"velocity":[1,0,0],"radius":0.028575,"mass":0.17}]}
Unless given: dimensions 2, until 10 (seconds), max_events 1000000, restitution 1; no gravity, no "friction":
{"sliding":0.2,"rolling":0.01}, no "periodic":[2,1,0] (sides that come round, from 0 on). In two dimensions z is 0 and may be left
out. In three, walls may be {"mesh":"terrain.obj"} too. All keys: docs/pool.md, and docs/pool.schema.json for editors.

An event has "kind" ball (two met), wall (a wall, or a body: then "body" is its name), pocket, rest or crushed (nowhere to go), and "balls". Energy is that of motion
and height, and on cloth of turning, of the balls on the table."#)]
pub(crate) struct PoolArgs {
    /// The scene, in JSON.
    #[arg(value_name = "SCENE", conflicts_with = "scene")]
    pub(crate) scene_file: Option<PathBuf>,
    /// Another scene that is built in.
    #[arg(long, value_enum)]
    pub(crate) scene: Option<PoolScene>,
    /// Writes a page that plays it here: one file that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Prints a line for each event.
    #[arg(long)]
    pub(crate) events: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PoolScene {
    /// Three cradles: as many balls go on as come in.
    Newton,
    /// 2,000 marbles down a terrain.
    Landslide,
    /// 500 marbles in a drum with baffles that turns.
    Drum,
}

/// Three numbers with commas between.
fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|x| x.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .map_err(|_| format!("{text:?} is no x,y,z: write three numbers, as in 0,1.5,-3"))?;
    match numbers[..] {
        [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err(format!("{text:?} is no x,y,z: write three finite numbers, as in 0,1.5,-3")),
    }
}
