//! The arguments of `carom bench`.

use std::path::PathBuf;

use clap::Args;

use crate::level::{LevelArgs, UpArg};

/// Measures casts, character ticks and tree builds on this machine, for a minute. Default level: the built-in
/// courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom bench
  carom bench castle.glb
  carom bench castle.obj --up z --scale 0.01 --seconds 10 --json

It casts 5 m from near the surfaces, and lets characters walk on the floors. It
does not compare with other engines."#)]
pub(crate) struct BenchArgs {
    /// A .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map or .zip file.
    pub(crate) level: Option<PathBuf>,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y). Default: the axis that an .fbx
    /// file states, z for .bsp and .map, else y.
    #[arg(long, value_enum, requires = "level")]
    pub(crate) up: Option<UpArg>,
    /// Meters per unit of the file. Default: the unit that an .fbx file states, 1/32 for .bsp and .map, else
    /// 1.
    #[arg(long, value_name = "S", allow_negative_numbers = true, requires = "level")]
    pub(crate) scale: Option<f64>,
    /// The time to measure, in seconds.
    #[arg(long, default_value_t = 60.0, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// Prints one line of JSON instead of readable text.
    #[arg(long)]
    pub(crate) json: bool,
}

impl BenchArgs {
    /// The level, if one is named.
    pub(crate) fn level(&self) -> Option<LevelArgs> {
        self.level.clone().map(|level| LevelArgs { level, up: self.up, scale: self.scale })
    }
}
