//! Writes a folder of tiles, one tile at a time. The index is written last, so a folder with an index is
//! complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::TileError;
use super::index::{TileEntry, TiledLevel, Totals};
use super::record::Index;
use super::tile::Tile;
use crate::checksum::Checksum;

/// The index of a folder of tiles.
pub(crate) const INDEX: &str = "world.json";
/// The file that tells the inside of a closed level.
pub(crate) const SOURCE: &str = "source";
/// Where the tiles are.
const TILES: &str = "tiles";

/// A folder that is being filled with tiles.
#[derive(Debug)]
pub struct TileWriter {
    folder: PathBuf,
    world: u64,
    level: TiledLevel,
    tiles: Vec<TileEntry>,
}

impl TileWriter {
    /// Whether a folder is free for tiles: not there, empty, or with tiles and nothing else.
    ///
    /// # Errors
    /// It holds something else, which is named; it cannot be read.
    pub fn check(folder: &Path) -> Result<(), TileError> {
        let occupied = |found: String| Err(TileError::Occupied { folder: folder.to_owned(), found });
        match fs::metadata(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Ok(metadata) if !metadata.is_dir() => return occupied("a file".to_owned()),
            _ => {}
        }
        for name in names(folder)? {
            let inner = folder.join(&name);
            match name.as_str() {
                TILES if inner.is_dir() => {
                    if let Some(other) = names(&inner)?.into_iter().find(|name| !is_tile(name)) {
                        return occupied(format!("{TILES}/{other}"));
                    }
                }
                INDEX | PART_OF_INDEX | SOURCE if inner.is_file() => {}
                _ => return occupied(name),
            }
        }
        // A world.json of something else is not overwritten.
        match fs::read(folder.join(INDEX)) {
            Ok(bytes) if !is_index(&bytes) => occupied(format!("a {INDEX} of something else")),
            _ => Ok(()),
        }
    }

    /// Makes the folder and removes the tiles that were in it. `world` is a number that the tiles of no other
    /// level have.
    ///
    /// # Errors
    /// Like [`Self::check`]; it cannot be written.
    pub fn create(folder: &Path, world: u64, level: TiledLevel) -> Result<Self, TileError> {
        Self::check(folder)?;
        let tiles = folder.join(TILES);
        fs::create_dir_all(&tiles).map_err(unwritable(&tiles))?;
        // First: without it the folder is no world.
        for name in [INDEX, PART_OF_INDEX, SOURCE] {
            remove(&folder.join(name))?;
        }
        for name in names(&tiles)? {
            remove(&tiles.join(name))?;
        }
        Ok(Self { folder: folder.to_owned(), world, level, tiles: Vec::new() })
    }

    /// Writes one tile. One without vertices has no file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&mut self, tile: &Tile) -> Result<(), TileError> {
        if tile.vertices.is_empty() {
            return Ok(());
        }
        let bytes = tile.to_bytes(self.world);
        let path = path_of(&self.folder, tile.at);
        fs::write(&path, &bytes).map_err(unwritable(&path))?;
        self.tiles.push(TileEntry {
            at: tile.at,
            triangles: tile.triangles.len() as u32,
            bounds: tile.finite_bounds(),
            hash: Checksum::of(&bytes).value(),
        });
        Ok(())
    }

    /// Writes a copy of the .bsp or .map file, which tells the inside of the level.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn put_source(&mut self, bytes: &[u8]) -> Result<(), TileError> {
        let path = self.folder.join(SOURCE);
        fs::write(&path, bytes).map_err(unwritable(&path))?;
        self.level.source = Some(Checksum::of(bytes).value());
        Ok(())
    }

    /// Writes the index; how many tiles there are.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self, totals: Totals) -> Result<usize, TileError> {
        self.tiles.sort_by_key(|tile| tile.at);
        let count = self.tiles.len();
        let index = Index { world: self.world, level: self.level, totals, tiles: self.tiles };
        let (path, part) = (self.folder.join(INDEX), self.folder.join(PART_OF_INDEX));
        let bytes = index.to_json().map_err(io::Error::from).map_err(unwritable(&path))?;
        fs::write(&part, bytes).and_then(|()| fs::rename(&part, &path)).map_err(unwritable(&path))?;
        Ok(count)
    }
}

/// The index until it is whole.
const PART_OF_INDEX: &str = "world.json.part";

/// The file of a tile.
pub(crate) fn path_of(folder: &Path, [x, z]: [i32; 2]) -> PathBuf {
    folder.join(TILES).join(format!("{x}_{z}.tile"))
}

fn is_tile(name: &str) -> bool {
    let square = name.strip_suffix(".tile").and_then(|name| name.split_once('_'));
    square.is_some_and(|(x, z)| x.parse::<i32>().is_ok() && z.parse::<i32>().is_ok())
}

fn is_index(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes).is_ok_and(|json| json["carom_tiles"].is_u64())
}

fn names(folder: &Path) -> Result<Vec<String>, TileError> {
    let read = || -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    };
    let mut names = read().map_err(|cause| TileError::Unreadable { file: folder.to_owned(), cause })?;
    names.sort();
    Ok(names)
}

fn remove(path: &Path) -> Result<(), TileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(path)(error)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> TileError {
    let file = path.to_owned();
    move |cause| TileError::Unwritable { file, cause }
}
