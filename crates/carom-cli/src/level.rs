//! Which level a command is for, and how its numbers are meant.

use std::path::PathBuf;

use anyhow::{Context, Result};
use carom_formats::{LoadOptions, RawLevel, Structure, Up};
use clap::{Args, ValueEnum};
use glam::DVec3;

/// Which level, and how its numbers are meant.
#[derive(Debug, Args)]
pub(crate) struct LevelArgs {
    /// A .glb, .gltf, .obj, .stl, .ply, .bsp or .map file.
    pub(crate) level: PathBuf,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y). z for .bsp and .map, else y
    /// unless given.
    #[arg(long, value_enum)]
    pub(crate) up: Option<UpArg>,
    /// Meters per unit of the file; 1/32 for .bsp and .map, else 1 unless given.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
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
    fn options(&self) -> LoadOptions {
        LoadOptions { up: self.up.map(Up::from), scale: self.scale, ..LoadOptions::default() }
    }

    pub(crate) fn load(&self) -> Result<RawLevel> {
        let level = carom_formats::load(&self.level, &self.options())
            .with_context(|| format!("cannot load the level {}", self.level.display()))?;
        for warning in &level.warnings {
            eprintln!("carom: warning: {}: {warning}", self.level.display());
        }
        Ok(level)
    }

    /// What of it keeps the outside out.
    pub(crate) fn load_structure(&self) -> Result<Structure> {
        Structure::load(&self.level, &self.options())
            .with_context(|| format!("cannot make a solid of the level {}", self.level.display()))
    }
}

/// Three numbers with commas between.
pub(crate) fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|x| x.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .map_err(|_| format!("{text:?} is not x,y,z: write three numbers, as in 0,1.5,-3"))?;
    match numbers[..] {
        [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err(format!("{text:?} is not x,y,z: write three finite numbers, as in 0,1.5,-3")),
    }
}
