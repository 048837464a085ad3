//! `carom tile`: cuts a level into tiles, for worlds larger than memory.

mod terrain;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use carom_formats::{Grid, TileFolder, TileName, TileWriter, cut};
use clap::Args;

use crate::explore::preset_of;
use crate::level::LevelArgs;
use crate::outcome::Outcome;
use crate::output;

/// Cuts a level into tiles, a folder that explore, walk and the other commands accept as a level.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  carom tile castle.glb --out world
  carom tile castle.glb --size 64 --out world && carom explore world
  carom tile terrain:4000 --out hills      4 km by 4 km of generated hills

A tile is a square of the ground plan with every triangle that touches it or
its margin. Triangles keep their numbers in the level, so answers and reports
name the same ones. --out must be new, empty, or contain only tiles, which are
replaced.")]
pub(crate) struct TileArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The folder for the tiles.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The side of a tile, in meters.
    #[arg(long, value_name = "M", default_value_t = 128.0, allow_negative_numbers = true)]
    size: f64,
    /// How far beyond its square a tile has triangles, in meters. Default: 8, or the size if that is less.
    /// That is enough for bodies of about 2 m.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    margin: Option<f64>,
}

/// The margin of tiles, in meters, unless another is given.
const MARGIN: f64 = 8.0;

pub(crate) fn run(arguments: &TileArgs) -> Result<Outcome> {
    let TileArgs { level: level_args, out, size, .. } = arguments;
    let path = &level_args.level;
    let grid = Grid::new(*size, arguments.margin.unwrap_or(MARGIN.min(*size)))?;
    ensure!(
        !is_within(path, out),
        "--out {} holds the level {} itself: name another folder",
        out.display(),
        path.display()
    );
    // Before a large level is read.
    TileWriter::check(out)?;
    let cannot = || format!("cannot cut {}", path.display());
    let count = match terrain::quads(path)? {
        Some(quads) => {
            ensure!(
                level_args.up.is_none() && level_args.scale.is_none(),
                "--up and --scale are for files: terrain has y up and is in meters"
            );
            terrain::write(quads, grid, out).with_context(cannot)?
        }
        None => {
            let level = level_args.load()?;
            let preset = preset_of(path).filter(|_| level_args.scale.is_none());
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            cut(&level, TileName { level: &name, preset }, grid, out).with_context(cannot)?
        }
    };
    let totals = *TileFolder::open(out)?.totals();
    let mut to = output::open(None, &[])?;
    let tiles = if count == 1 { "tile" } else { "tiles" };
    writeln!(
        to,
        "{}: {count} {tiles} of {} m with a margin of {} m, {} triangles",
        out.display(),
        grid.size,
        grid.margin,
        totals.triangles
    )?;
    to.flush()?;
    Ok(Outcome::Fine)
}

/// Whether a path is a folder, or something in it.
fn is_within(path: &Path, folder: &Path) -> bool {
    matches!((path.canonicalize(), folder.canonicalize()), (Ok(path), Ok(folder)) if path.starts_with(&folder))
}
