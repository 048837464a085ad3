//! The arguments of `carom explore`.

use std::path::PathBuf;

use clap::Args;
use glam::DVec3;

use super::crew::CrewArgs;
use super::fail_on::FailOn;
use crate::level::{UpArg, point};

/// Walks a whole level with the real character and reports where it breaks. Default: the built-in
/// courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom explore                           the built-in courtyard, with defects
  carom explore castle.glb --out report   a page, a map, a replay per finding
  carom explore castle.glb --spawn 0,1,0 --jump 0
  carom explore world --spawn-local 4     four processes, the same report
  carom explore castle.glb --fail-on FALL_OUT,STUCK --baseline report.json

Errors: FALL_OUT (leaves the world), STUCK (cannot move on), TRAP (a region
without a way back to a spawn), START_OVERLAP (a spawn does not fit).
Warnings: SNAG (stopped by something lower than a step, although the floor
continues), UNREACHED (walkable floor with headroom that was never reached).
Lifts and doors move if the level is a scene, or a glTF file with animations.

Without --spawn, the spawns are points of the level with names such as spawn or
player_start, or else the middle of the largest floor. The same input gives the
same report at any number of threads, except for its times. Exit code 1: there
is a finding that --fail-on names and --baseline does not know."#)]
pub(crate) struct ExploreArgs {
    /// A .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map or .zip file; or the .json of a scene, whose
    /// bodies with keyframes move; or a folder that `carom tile` wrote.
    pub(crate) level: Option<PathBuf>,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y). Default: the axis that an .fbx
    /// file states, z for .bsp and .map, else y.
    #[arg(long, value_enum, requires = "level")]
    pub(crate) up: Option<UpArg>,
    /// Meters per unit of the file. Default: the unit that an .fbx file states, 1/32 for .bsp and .map, else
    /// 1.
    #[arg(long, value_name = "S", allow_negative_numbers = true, requires = "level")]
    pub(crate) scale: Option<f64>,
    /// Keeps the nodes of a glTF file where they are stored, without playing its animations.
    #[arg(long, requires = "level")]
    pub(crate) still: bool,
    /// The body, spawns, volumes and open doors of the game, in JSON; flags override it.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The body of an engine or a game: quake, quake2, quake3, goldsrc, source, unreal, unity, godot,
    /// minecraft. A .bsp or .map file at its usual scale uses the body of its game by default.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// Chooses one of the bodies of --rules.
    #[arg(long, value_name = "NAME")]
    pub(crate) body: Option<String>,
    /// Where the center of the body starts, in meters. Repeat it for several spawns.
    #[arg(long, value_name = "x,y,z", value_parser = point, allow_hyphen_values = true)]
    pub(crate) spawn: Vec<DVec3>,
    /// Writes report.json, report.html, findings.glb, map.png, picture/*.png and witness/*.json here.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The side of a cell of the grid, in meters. Default: 1.25 times the smaller horizontal radius.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) cell: Option<f64>,
    /// The radii of the upright ellipsoid, in meters. Default: .4,.9,.4.
    #[arg(long, value_name = "x,y,z", value_parser = point, allow_hyphen_values = true)]
    pub(crate) radii: Option<DVec3>,
    /// The speed of a jump, in m/s. Default: 4. With 0 the body does not jump.
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    pub(crate) jump: Option<f64>,
    /// Does not report unreached floor smaller than this, in m².
    #[arg(long, value_name = "M2", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) min_area: f64,
    /// The number of threads. Default: all cores. It does not change the report.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// For a level in tiles: keeps at most about this many MiB of them in memory, in addition to those in
    /// use.
    #[arg(long, value_name = "MIB", default_value_t = 256, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) tile_memory: u16,
    /// Findings that make the exit code 1: codes, or error, warning (includes errors), none.
    #[arg(long, value_name = "CODE,…", default_value = "error")]
    pub(crate) fail_on: FailOn,
    /// An earlier report.json. Findings that it contains do not fail.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Writes the findings here as SARIF 2.1.0, for code scanning.
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Writes the findings here as JUnit XML, with a test for each code.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Continues from this file if it exists, and saves to it regularly and at the end.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Stops after this many seconds, as Ctrl-C does at any time. The report covers what was walked until
    /// then.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) stop_after: Option<f64>,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
}
