//! The arguments of `carom bench`.

use std::path::PathBuf;

use clap::Args;

use crate::level::{LevelArgs, UpArg};

/// Measures this machine for a minute: casts, character ticks and the building of the tree; of the built-in
/// courtyard without a level.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom bench
  carom bench castle.glb
  carom bench castle.obj --up z --scale 0.01 --seconds 10 --json

Casts of 5 m from near the surfaces; characters that walk about on the floors.
No comparison with other engines."#)]
pub(crate) struct BenchArgs {
    /// A .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map or .zip file.
    pub(crate) level: Option<PathBuf>,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y). Unless given: what an .fbx
    /// states, z for .bsp and .map, else y.
    #[arg(long, value_enum)]
    pub(crate) up: Option<UpArg>,
    /// Meters per unit of the file. Unless given: what an .fbx states, 1/32 for .bsp and .map, else 1.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
    /// How long to measure, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "S", allow_negative_numbers = true)]
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
