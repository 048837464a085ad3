//! Levels in tiles: a folder with an index and a file for each square of the ground plan.
//!
//! ```text
//! world/world.json          what the level is, and its tiles with their hashes
//! world/tiles/3_-1.tile     the triangles that touch the square 3 along x and −1 along z, or its margin
//! ```
//!
//! Squares are seen from above, of `size` meters, counted from the origin; a tile has every triangle whose
//! bounds touch its square grown by `margin` on all sides, at every height. So what a body that is over the
//! square can touch is in one file, and a triangle near a border is in several. Vertices and triangles keep
//! the numbers that they have in the level: together the tiles are the level to the bit. Tiles without
//! triangles have no file.

mod cut;
mod error;
mod folder;
mod index;
mod record;
mod tile;
mod writer;

pub use cut::{TileName, cut};
pub use error::TileError;
pub use folder::TileFolder;
pub use index::{Grid, TileEntry, TiledLevel, Totals};
pub use tile::Tile;
pub use writer::TileWriter;
