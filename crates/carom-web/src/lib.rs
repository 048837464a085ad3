//! The WebAssembly half of the npm package `carom`: flat functions of numbers, with an answer buffer per
//! object.
//!
//! ```text
//! index.js (vectors, names, disposal) ──numbers──▶ these classes ──▶ carom
//!                                     ◀──answers── a Float64Array over the object's own buffer
//! ```
//!
//! A call with an answer of several numbers writes them to a buffer that JavaScript reads in place
//! (`answers()` is its address), so a tick or a cast allocates nothing on the JavaScript side. The order of
//! the numbers is given where they are written. Users call the classes of `web/package/src/index.js`; this
//! crate's names, in `Raw…`, never reach them.
#![deny(unsafe_code)]

#[cfg(feature = "world")]
mod answer;
#[cfg(feature = "world")]
mod character;
mod error;
#[cfg(feature = "explore")]
mod explore;
#[cfg(feature = "world")]
mod keyframes;
#[cfg(feature = "levels")]
mod level;
#[cfg(feature = "world")]
mod mesh;
#[cfg(any(feature = "world", feature = "explore"))]
mod shape;
#[cfg(feature = "world")]
mod table;
#[cfg(feature = "world")]
mod trace;
#[cfg(any(feature = "world", feature = "levels"))]
mod triangles;
#[cfg(feature = "world")]
mod world;

#[cfg(feature = "world")]
pub use character::RawCrowd;
#[cfg(feature = "explore")]
pub use explore::{RawExploration, presets};
#[cfg(feature = "world")]
pub use keyframes::RawKeyframes;
#[cfg(feature = "levels")]
pub use level::{RawFiles, RawLevel};
#[cfg(feature = "world")]
pub use mesh::RawMesh;
#[cfg(any(feature = "world", feature = "explore"))]
pub use shape::RawShape;
#[cfg(feature = "world")]
pub use table::RawTable;
#[cfg(feature = "world")]
pub use world::RawWorld;
