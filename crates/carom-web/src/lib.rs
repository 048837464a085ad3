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

mod answer;
mod character;
mod error;
#[cfg(feature = "explore")]
mod explore;
mod keyframes;
mod level;
mod shape;
mod table;
mod trace;
mod world;

pub use character::RawCrowd;
#[cfg(feature = "explore")]
pub use explore::{RawExploration, presets};
pub use keyframes::RawKeyframes;
pub use level::{RawFiles, RawMesh};
pub use shape::RawShape;
pub use table::RawTable;
pub use world::RawWorld;
