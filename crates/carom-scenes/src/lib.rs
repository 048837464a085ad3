//! Worlds for Carom, made by program: what its tests, benchmarks, examples and command run in.
//!
//! One source of truth. A scene that a test relies on, a figure shows and a benchmark measures is the same
//! triangles, to the bit, on every machine: everything is worked out in f64 from `+ − × ÷ √` and
//! `carom::num::ops`, and rounded to f32 once.
//!
//! ```text
//! Random ─▶ workload   terrain, city, blobs and the questions put to them: what Carom is measured with
//!           golden     floors, stairs, pipes, creases: small scenes that each show one law, and reports from elsewhere
//!           courtyard  the level that the command has built in
//!           balls      a pool table, cradles, a landslide, gases
//!           machines   bodies that translate, turn and swing among characters, and a judge
//!           yards      players and what they push among walls, lifts and doors, and a judge
//!           tables     random tables of balls, struck from time to time, and a judge
//!           held       random worlds, a player at a keyboard, and a judge of keys that do nothing
//!           worst      questions that a search has made as slow as it could, and the laws of their answers
//! CAROM_DATA ─▶ real   levels that nobody here made, for tests that want them
//! MeshBuilder (f64, posed) ─▶ SceneMesh (f32, rounded once) ─▶ Census (is it closed?)
//! ```
//!
//! y is up, lengths are in meters, triangles are counter-clockwise as seen from the front.
#![forbid(unsafe_code)]

pub mod balls;
pub mod census;
pub mod courtyard;
pub mod fingerprint;
pub mod golden;
pub mod held;
pub mod machines;
pub mod real;
pub mod tables;
pub mod workload;
pub mod worst;
pub mod yards;

mod mesh_builder;
mod placed_box;
mod random;
mod scene_mesh;
mod sphere_cast;

pub use mesh_builder::MeshBuilder;
pub use placed_box::PlacedBox;
pub use random::Random;
pub use scene_mesh::{MeshSection, SceneMesh};
pub use sphere_cast::SphereCast;
