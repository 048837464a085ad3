//! Errors of a folder of tiles.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why there are no tiles.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TileError {
    /// A folder without an index.
    #[error("{} has no world.json: name a folder that carom tile has written", .0.display())]
    NoIndex(PathBuf),
    /// An index that cannot be understood.
    #[error("{}: {message}", file.display())]
    Index {
        /// The index.
        file: PathBuf,
        /// The fault and the remedy.
        message: String,
    },
    /// A tile that the index names and the folder has not.
    #[error("tile {}, {} is missing: {} does not exist; copy it again, or cut the level again", at[0], at[1], file.display())]
    Missing {
        /// Which tile.
        at: [i32; 2],
        /// Its file.
        file: PathBuf,
    },
    /// A tile that is not as it was written.
    #[error(
        "tile {}, {} has changed: {} has the hash {found:016x}, and world.json says {expected:016x}; copy it again, or \
         cut the level again",
        at[0], at[1], file.display()
    )]
    Changed {
        /// Which tile.
        at: [i32; 2],
        /// Its file.
        file: PathBuf,
        /// The hash of its bytes.
        found: u64,
        /// The hash in the index.
        expected: u64,
    },
    /// A copy of the level's file that is not as it was written.
    #[error(
        "{} has changed: it has the hash {found:016x}, and world.json says {expected:016x}; copy it again, or cut the \
         level again",
        file.display()
    )]
    ChangedSource {
        /// The copy.
        file: PathBuf,
        /// The hash of its bytes.
        found: u64,
        /// The hash in the index.
        expected: u64,
    },
    /// A tile of another level, or of another cut of it.
    #[error(
        "tile {}, {} is of another world: {} belongs to {found:016x}, and world.json to {expected:016x}; copy the \
         tiles and the index of one world together",
        at[0], at[1], file.display()
    )]
    OtherWorld {
        /// Which tile.
        at: [i32; 2],
        /// Its file.
        file: PathBuf,
        /// The world that it says it is of.
        found: u64,
        /// The world of the index.
        expected: u64,
    },
    /// The tiles together are not the level that the index speaks of.
    #[error("the tiles of {} do not match its level: {what}; cut the level again", folder.display())]
    NotTheLevel {
        /// The folder.
        folder: PathBuf,
        /// The difference.
        what: String,
    },
    /// A file that cannot be read.
    #[error("{} cannot be read: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The operating system's message.
        cause: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {cause}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The operating system's message.
        cause: io::Error,
    },
    /// A folder for tiles that holds something else.
    #[error("{} contains {found}, which is not a tile: name a new or empty folder", folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// The first thing in it that is no part of a folder of tiles.
        found: String,
    },
    /// A size that makes no grid.
    #[error("tiles of {size} m with a margin of {margin} m: {reason}")]
    Size {
        /// Along the side of a tile.
        size: f64,
        /// Around it.
        margin: f64,
        /// The fault and the remedy.
        reason: String,
    },
    /// A level that has no triangles, or one that is not finite.
    #[error("{0}")]
    Level(String),
    /// The folder was read with another axis or scale than it was cut with.
    #[error("{}: the tiles are in meters with y up, of a level that was read with --up {up} --scale {scale}: leave out \
             --up and --scale", folder.display())]
    Frame {
        /// The folder.
        folder: PathBuf,
        /// The axis that points up in the file that was cut.
        up: &'static str,
        /// Meters per unit of that file.
        scale: f64,
    },
}
