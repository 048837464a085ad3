//! Level files to triangles: bytes → [`RawLevel`].
//!
//! ```text
//! .obj .stl .ply .fbx .bsp .map ┐
//! .gltf .glb (+ .bin, data:) ────┴─▶ f64 ─up, scale─▶ nearest f32 ─▶ RawLevel ─into_mesh─▶ carom::mesh::Mesh
//! ```
//!
//! Goals, in order: never panic, never hang, bounded memory; errors that say where and what to do; every
//! vertex rounded once; the triangles in the file's order; speed.
//!
//! Numbers are read in f64 (text as f64, f32 widened), glTF nodes are composed in f64, `up` and `scale` are
//! applied in f64, and only then everything is rounded to the nearest f32. NaN and infinities are kept: the
//! consumer refuses or counts them. A file without triangles is a level without triangles, not an error. A
//! file that is truncated or not of its format is an error. A .zip holds one such file.
//!
//! Features, all off by default: `draco` and `meshopt` read glTF with these compressions, `fbx` reads FBX
//! (and compiles C), `zip` reads archives, `png` reads grayscale pictures as heights. If a file needs a
//! feature that is off, the error names the feature.
//!
//! ```
//! use carom_formats::{Format, LoadOptions, parse};
//!
//! let level = parse(b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4", Format::Obj, &LoadOptions::default())?;
//! assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
//!
//! let error = parse(b"v 0 0 0\nf 1 1 9", Format::Obj, &LoadOptions::default()).unwrap_err();
//! assert_eq!(error.to_string(), "line 2: index 9 is out of range (vertices: 1): the file is damaged or truncated");
//! # Ok::<(), carom_formats::LoadError>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "zip")]
mod archive;
mod assembly;
mod byte_order_mark;
mod checksum;
mod error;
mod extents;
#[cfg(feature = "fbx")]
mod fbx;
mod file;
mod format;
mod gltf;
#[cfg(feature = "png")]
mod height_map;
mod level;
mod obj;
mod options;
mod ply;
mod quake;
mod read_file;
mod sky_shell;
mod source;
mod stl;
mod structure;
mod text;
mod tiles;
mod transform;
mod up;
mod volume;
mod volume_node;

pub use checksum::{LevelChecksum, bytes_checksum, checksum};
pub use error::{LoadError, Location, Resource};
pub use extents::Extents;
pub use file::{load, parse, parse_with};
pub use format::Format;
#[cfg(feature = "png")]
pub use height_map::{HeightMap, HeightMapError, height_map};
pub use level::{Landmark, LevelBody, MOST_WARNINGS, MovingPart, Node, NodeMotion, RawLevel, Skipped};
pub use options::{Animations, Limits, LoadOptions, Patches, Solids};
pub use quake::is_never_drawn;
pub use source::Source;
pub use structure::{Interior, NARROW, Structure};
pub use tiles::{
    Grid, Tile, TileEntry, TileError, TileFolder, TileName, TileWriter, TiledLevel, Totals, cut,
};
pub use up::Up;
pub use volume::{Convex, HalfSpace, Volume, VolumeKind};
