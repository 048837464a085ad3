//! The parts of a level that keep the outside out, as a tree of solid and empty leaves.

use std::path::Path;

use carom::bsp::{Bsp, Cells};
use glam::DVec3;

use crate::error::LoadError;
use crate::file::{parse_beside, read_level, unpacked};
use crate::format::Format;
use crate::gltf::Neighbors;
use crate::level::Landmark;
use crate::options::LoadOptions;
use crate::quake;
use crate::source::Source;
use crate::up::Up;

/// Portals narrower than this, in units, are cracks: brushes that meet at an angle leave some. Compilers of
/// Quake look past portals with less than three edges longer than this.
pub const NARROW: f64 = 0.2;

/// The solid of a level that keeps the outside out, and points that are meant to be inside.
///
/// - .map: the solid brushes of the world that are not detail, and sky: what compilers close a level with.
/// - .bsp: the tree that the compiler has left.
/// - all others: what a closed mesh encloses.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The solid. Of .bsp and .map files in the frame of the file, else in that of the level.
    pub bsp: Bsp,
    /// Points that are meant to be inside, in the same frame: entities with a place and no model; landmarks
    /// that are named as spawns.
    pub starts: Vec<Landmark>,
    /// The format of the file.
    pub format: Format,
    up: Up,
    scale: f64,
}

impl Structure {
    /// Reads a level file; its extension names the format.
    ///
    /// # Errors
    /// Like [`crate::load`]; [`LoadError::NoMesh`] and [`LoadError::NoSolid`] for triangles that enclose
    /// nothing.
    pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        read_level(path.as_ref(), options, |bytes, format, neighbors| {
            Self::parse_beside(bytes, format, options, neighbors)
        })
    }

    /// Reads a level from bytes.
    ///
    /// # Errors
    /// Like [`Self::load`].
    pub fn parse(bytes: &[u8], format: Format, options: &LoadOptions) -> Result<Self, LoadError> {
        options.validate()?;
        Self::parse_beside(bytes, format, options, Neighbors::None)
    }

    fn parse_beside(
        bytes: &[u8],
        format: Format,
        options: &LoadOptions,
        neighbors: Neighbors<'_>,
    ) -> Result<Self, LoadError> {
        if format == Format::Zip {
            return unpacked(bytes, options, |bytes, format, beside| {
                Self::parse_beside(bytes, format, options, beside)
            });
        }
        let (bsp, starts) = match format {
            Format::Bsp => quake::bsp_structure(bytes)?,
            Format::Map => quake::map_structure(bytes, options)?,
            _ => {
                let level = parse_beside(bytes, format, options, neighbors)?;
                let starts = level.landmarks.iter().filter(|place| place.is_spawn()).cloned().collect();
                let (up, scale) = (level.up, level.scale);
                return Ok(Self { bsp: Bsp::of_mesh(&level.into_mesh()?)?, starts, format, up, scale });
            }
        };
        let up = options.up.unwrap_or(format.up());
        Ok(Self { bsp, starts, format, up, scale: options.scale.unwrap_or(format.scale()) })
    }

    /// The space inside; `None` if a way leads out of it, or no point is in it. Of .bsp and .map files.
    pub fn interior(self) -> Option<Interior> {
        let cells = Cells::of(&self.bsp);
        let leaves: Vec<u32> = self.starts.iter().map(|start| self.bsp.leaf_at(start.position)).collect();
        let reached =
            cells.flood_through(&leaves, |portal| cells.width(&cells.portals()[portal as usize]) >= NARROW);
        let leads_out = cells.cells().any(|leaf| reached.reaches(leaf) && cells.is_outside(leaf));
        let is_inside: Vec<bool> =
            (0..self.bsp.leaf_count() as u32).map(|leaf| reached.reaches(leaf)).collect();
        let is_closed = self.is_of_the_file() && !leads_out && is_inside.contains(&true);
        is_closed.then_some(Interior { structure: self, is_inside })
    }

    /// Whether the tree is in the frame of the file.
    fn is_of_the_file(&self) -> bool {
        matches!(self.format, Format::Bsp | Format::Map)
    }

    /// Meters per unit of the tree.
    pub fn scale(&self) -> f64 {
        if self.is_of_the_file() { self.scale } else { 1.0 }
    }

    /// A point of the tree in the level: in meters and with y up.
    pub fn to_level(&self, point: DVec3) -> DVec3 {
        if self.is_of_the_file() { self.up.apply(point) * self.scale } else { point }
    }

    /// A point of the level in the tree.
    pub fn from_level(&self, point: DVec3) -> DVec3 {
        if self.is_of_the_file() { self.up.undo(point / self.scale) } else { point }
    }

    /// A point of the tree in the file.
    pub fn to_file(&self, point: DVec3) -> DVec3 {
        if self.is_of_the_file() { point } else { self.up.undo(point / self.scale) }
    }
}

impl Source {
    /// The space inside the level; `None` if a way leads out of it, no point is in it, or it cannot be built
    /// as a tree. Cost: a [`Bsp`] and its cells.
    pub fn interior(&self) -> Option<Interior> {
        let options = LoadOptions { up: Some(self.up), scale: Some(self.scale), ..LoadOptions::default() };
        Structure::parse(&self.bytes, self.format, &options).ok()?.interior()
    }
}

/// The space inside a closed level: all that is connected with the points of its entities.
#[derive(Clone, Debug)]
pub struct Interior {
    structure: Structure,
    /// Of each leaf.
    is_inside: Vec<bool>,
}

impl Interior {
    /// Whether a point of the level is there, in meters and with y up.
    pub fn contains(&self, point: DVec3) -> bool {
        let leaf = self.structure.bsp.leaf_at(self.structure.from_level(point));
        self.is_inside[leaf as usize]
    }
}
