//! Balls: circles and spheres, event by event.
//!
//! Functions of two balls ([`overlap`], [`moving_resting`], [`moving_moving`], [`respond`]); the [`Table`],
//! on which many fly, bounce, roll and come to rest, from each exact contact to the next; [`keep_apart`],
//! which keeps moving bodies apart for one tick by the spheres around them. The derivations are in
//! `docs/balls.md`.
//!
//! ```text
//! Ball, Wall, Pocket, World ──Rules──▶ Table ──▶ predict: cells ─▶ pair roots, wall roots, facet roots
//!                                        ▲                  │
//!                                        └── respond ◀── queue: the earliest ──▶ Event
//! ```
//!
//! `z` is 0 in two dimensions and nothing else is different: one kernel serves circles and spheres.

mod apart;
mod check;
mod error;
mod events;
mod flight;
mod grid;
mod lookahead;
mod pair;
mod rules;
mod state;
mod table;

pub use apart::{Walker, keep_apart};
pub use error::TableError;
pub use flight::wall::{Pocket, Wall};
pub use pair::{Ball, moving_moving, moving_resting, overlap, respond};
pub use rules::{Cloth, Dimensions, Event, EventKind, Motion, Rules, Setup};
pub use table::{BallState, Table};
