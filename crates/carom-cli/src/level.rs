//! The level of a command, and how to read its numbers.

use std::path::PathBuf;

use anyhow::{Context, Result};
use carom_formats::{LoadOptions, Patches, RawLevel, Structure, Up};
use clap::{Args, ValueEnum};
use glam::DVec3;

/// Which level, and how its numbers are meant.
#[derive(Debug, Args)]
pub(crate) struct LevelArgs {
    /// A .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map or .zip file, or a folder that `carom tile` wrote.
    pub(crate) level: PathBuf,
    /// The axis that points up in the file; z maps (x, y, z) to (x, z, −y). Default: the axis that an .fbx
    /// file states, z for .bsp and .map, else y.
    #[arg(long, value_enum)]
    pub(crate) up: Option<UpArg>,
    /// Meters per unit of the file. Default: the unit that an .fbx file states, 1/32 for .bsp and .map, else
    /// 1.
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

/// How curved patches are loaded.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct PatchArgs {
    /// Turns the curved patches of .bsp and .map files into triangles that are no farther from them than
    /// this, in meters. By default they stay curved.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) tessellate: Option<f64>,
}

impl PatchArgs {
    /// The same options with patches as these arguments want them.
    pub(crate) fn options(&self, options: LoadOptions) -> LoadOptions {
        match self.tessellate {
            None => LoadOptions { patches: Patches::Curved, ..options },
            Some(tolerance) => LoadOptions { patches: Patches::Triangles, tolerance, ..options },
        }
    }
}

impl LevelArgs {
    fn options(&self, options: LoadOptions) -> LoadOptions {
        LoadOptions { up: self.up.map(Up::from), scale: self.scale, ..options }
    }

    /// The level as triangles.
    pub(crate) fn load(&self) -> Result<RawLevel> {
        self.load_with(LoadOptions::default())
    }

    /// The level as these arguments want its patches.
    pub(crate) fn load_with_patches(&self, patches: &PatchArgs) -> Result<RawLevel> {
        self.load_with(patches.options(LoadOptions::default()))
    }

    fn load_with(&self, options: LoadOptions) -> Result<RawLevel> {
        let level =
            carom_formats::load(&self.level, &self.options(options)).context("cannot load the level")?;
        for warning in &level.warnings {
            eprintln!("carom: warning: {}: {warning}", self.level.display());
        }
        Ok(level)
    }

    /// The part that keeps the outside out.
    pub(crate) fn load_structure(&self) -> Result<Structure> {
        Structure::load(&self.level, &self.options(LoadOptions::default()))
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
