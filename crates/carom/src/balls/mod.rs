//! Balls: circles and spheres, event by event.
//!
//! There are functions of two balls ([`overlap`], [`moving_resting`], [`moving_moving`], [`respond`]). On a
//! [`Table`] many balls fly, bounce, roll and come to rest, from each exact contact to the next.
//! [`keep_apart`] keeps moving bodies apart for one tick by the spheres around them. `docs/balls.md` has the
//! derivations.
//!
//! ```text
//! Ball, Wall, Pocket, World ──Rules──▶ Table ──▶ predict: cells ─▶ pair roots, wall roots, facet roots
//!                                        ▲                  │
//!                                        └── respond ◀── queue: the earliest ──▶ Event
//! ```
//!
//! In two dimensions `z` is 0, and nothing else differs: one kernel serves circles and spheres.

mod apart;
mod check;
mod clock;
mod commands;
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
pub use rules::{BallMotion, Cloth, Dimensions, Event, EventKind, Rules, Setup};
pub use table::{BallState, Table};
