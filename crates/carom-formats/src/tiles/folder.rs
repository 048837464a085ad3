//! Reads a folder of tiles: one tile at a time, or all of it as a level.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::TileError;
use super::index::{TileEntry, TiledLevel, Totals, extents};
use super::record::{Index, name_of};
use super::tile::{Tile, world_of};
use super::writer::{INDEX, SOURCE, path_of};
use crate::checksum::{Checksum, checksum};
use crate::error::{LoadError, Resource};
use crate::extents::Extents;
use crate::level::{RawLevel, Skipped};
use crate::options::LoadOptions;
use crate::read_file::read_file;
use crate::source::Source;

/// A folder of tiles, of which the index is read.
#[derive(Debug)]
pub struct TileFolder {
    path: PathBuf,
    index: Index,
}

/// The index of a world of a million tiles has no more bytes.
const LARGEST_INDEX: u64 = 1 << 30;
/// A tile has no more bytes.
const LARGEST_TILE: u64 = 4 << 30;

impl TileFolder {
    /// Reads the index.
    ///
    /// # Errors
    /// None there, or one that is damaged or of another version.
    pub fn open(path: &Path) -> Result<Self, TileError> {
        let file = path.join(INDEX);
        if !file.exists() {
            return Err(TileError::NoIndex(path.to_owned()));
        }
        let bytes = read_file(&file, LARGEST_INDEX).map_err(|error| unreadable(&file, error))?;
        Ok(Self { path: path.to_owned(), index: Index::from_json(&file, &bytes)? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All but the triangles.
    pub fn level(&self) -> &TiledLevel {
        &self.index.level
    }

    /// How many vertices and triangles the level has, its bounds and its hash.
    pub fn totals(&self) -> &Totals {
        &self.index.totals
    }

    /// The tiles, sorted by their squares. A square that is not among them has no triangles.
    pub fn tiles(&self) -> &[TileEntry] {
        &self.index.tiles
    }

    /// The least and the greatest coordinates of its triangles, in meters.
    pub fn bounds(&self) -> Extents {
        extents(self.index.totals.bounds)
    }

    /// Whether options fit to the axis and the scale that the level was read with.
    ///
    /// # Errors
    /// They say otherwise.
    pub fn fits(&self, options: &LoadOptions) -> Result<(), TileError> {
        let TiledLevel { up, scale, .. } = self.index.level;
        if options.up.is_none_or(|given| given == up) && options.scale.is_none_or(|given| given == scale) {
            return Ok(());
        }
        Err(TileError::Frame { folder: self.path.clone(), up: name_of(up), scale })
    }

    /// The file of a closed .bsp or .map.
    ///
    /// # Errors
    /// The copy of it is missing or has changed.
    pub fn source(&self) -> Result<Option<Source>, TileError> {
        let Some(expected) = self.index.level.source else { return Ok(None) };
        let file = self.path.join(SOURCE);
        let bytes = read_file(&file, LARGEST_TILE).map_err(|error| unreadable(&file, error))?;
        let found = Checksum::of(&bytes).value();
        if found != expected {
            return Err(TileError::ChangedSource { file, found, expected });
        }
        let TiledLevel { format, up, scale, .. } = *self.level();
        Ok(Some(Source { bytes, format, up, scale }))
    }

    /// Reads a tile.
    ///
    /// # Errors
    /// It is missing, changed or of another world.
    pub fn tile(&self, entry: &TileEntry) -> Result<Tile, TileError> {
        let (file, bytes) = self.bytes(entry)?;
        let changed = || self.changed(entry, &file, Checksum::of(&bytes).value());
        let (_, tile) = Tile::from_bytes(&bytes).ok_or_else(changed)?;
        let is_right = tile.at == entry.at && tile.triangles.len() == entry.triangles as usize;
        if is_right { Ok(tile) } else { Err(changed()) }
    }

    /// Whether a tile is there and as it was written.
    ///
    /// # Errors
    /// It is missing, changed or of another world.
    pub fn check(&self, entry: &TileEntry) -> Result<(), TileError> {
        self.bytes(entry).map(drop)
    }

    fn bytes(&self, entry: &TileEntry) -> Result<(PathBuf, Vec<u8>), TileError> {
        let file = path_of(&self.path, entry.at);
        if matches!(fs::metadata(&file), Err(error) if error.kind() == io::ErrorKind::NotFound) {
            return Err(TileError::Missing { at: entry.at, file });
        }
        let bytes = read_file(&file, LARGEST_TILE).map_err(|error| unreadable(&file, error))?;
        let hash = Checksum::of(&bytes).value();
        if hash == entry.hash {
            return Ok((file, bytes));
        }
        let expected = self.index.world;
        match world_of(&bytes) {
            Some(found) if found != expected => {
                Err(TileError::OtherWorld { at: entry.at, file, found, expected })
            }
            _ => Err(self.changed(entry, &file, hash)),
        }
    }

    fn changed(&self, entry: &TileEntry, file: &Path, found: u64) -> TileError {
        TileError::Changed { at: entry.at, file: file.to_owned(), found, expected: entry.hash }
    }

    /// All of the level, to the bit as it was cut but for what a level in tiles does not keep: nodes,
    /// patches, what was skipped, and the file of a level that is not closed.
    ///
    /// # Errors
    /// Like [`Self::tile`]; more than the limits allow; tiles that together are another level.
    pub(crate) fn whole(&self, options: &LoadOptions) -> Result<RawLevel, LoadError> {
        self.fits(options)?;
        let Index { level, totals, tiles, .. } = &self.index;
        let limited = |count: u32, limit: usize, resource| {
            let limit_reached = count as usize > limit;
            if limit_reached { Err(LoadError::OverLimit { resource, limit: limit as u64 }) } else { Ok(()) }
        };
        limited(totals.vertices, options.limits.vertices, Resource::Vertices)?;
        limited(totals.triangles, options.limits.triangles, Resource::Triangles)?;
        let Lists { vertices, triangles, surface_ids } = self.lists(tiles)?;
        Ok(RawLevel {
            format: level.format,
            up: level.up,
            scale: level.scale,
            vertices,
            triangles,
            surfaces: level.surfaces.clone(),
            colors: level.colors.clone(),
            surface_ids,
            skies: level.skies.clone(),
            patches: Vec::new(),
            landmarks: level.landmarks.clone(),
            volumes: level.volumes.clone(),
            motions: Vec::new(),
            nodes: Vec::new(),
            skipped: Skipped::default(),
            warnings: Vec::new(),
            own: Vec::new(),
            source: self.source()?,
        })
    }

    fn lists(&self, tiles: &[TileEntry]) -> Result<Lists, TileError> {
        let totals = &self.index.totals;
        let wrong = |what: String| TileError::NotTheLevel { folder: self.path.clone(), what };
        // Not before there are as many in the tiles: an index alone does not fill the memory.
        let in_tiles: u64 = tiles.iter().map(|tile| u64::from(tile.triangles)).sum();
        if in_tiles < u64::from(totals.triangles) {
            return Err(wrong(format!("they have {in_tiles} triangles, and it has {}", totals.triangles)));
        }
        let mut vertices = vec![[f32::NAN; 3]; totals.vertices as usize];
        let mut triangles = vec![[u32::MAX; 3]; totals.triangles as usize];
        let mut surface_ids = Vec::new();
        for entry in tiles {
            let tile = self.tile(entry)?;
            for (number, vertex) in tile.vertex_numbers.iter().zip(&tile.vertices) {
                let slot = vertices.get_mut(*number as usize);
                *slot.ok_or_else(|| wrong(format!("it has no vertex {number}")))? = *vertex;
            }
            if !tile.surface_ids.is_empty() {
                surface_ids.resize(triangles.len(), 0);
            }
            for (i, (number, corners)) in tile.triangle_numbers.iter().zip(&tile.triangles).enumerate() {
                let slot = triangles.get_mut(*number as usize);
                let slot = slot.ok_or_else(|| wrong(format!("it has no triangle {number}")))?;
                *slot = corners.map(|corner| tile.vertex_numbers[corner as usize]);
                if let Some(id) = tile.surface_ids.get(i) {
                    surface_ids[*number as usize] = *id;
                }
            }
        }
        let found = checksum(&vertices, &triangles);
        if found != totals.hash {
            return Err(wrong(format!("their hash is {found:016x}, and its hash {:016x}", totals.hash)));
        }
        Ok(Lists { vertices, triangles, surface_ids })
    }
}

/// The lists of a level, put together from its tiles.
struct Lists {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    surface_ids: Vec<u16>,
}

fn unreadable(file: &Path, error: LoadError) -> TileError {
    let cause = match error {
        LoadError::Unreadable { cause } => cause,
        other => io::Error::other(other.to_string()),
    };
    TileError::Unreadable { file: file.to_owned(), cause }
}
