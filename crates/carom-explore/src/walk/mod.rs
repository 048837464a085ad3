//! Moves one character through a level, action by action. Only [`carom::Character`] moves it, tick by tick.
//!
//! ```text
//! Walker (level, rules)  +  WalkState (character, world around it)
//!    act ──▶ air ──▶ tick ──▶ carom::Character::step        Trip: how the action went
//! ```

mod act;
pub(crate) mod action;
mod air;
pub(crate) mod mind;
mod play;
pub(crate) mod state;
mod tick;
pub(crate) mod trip;
mod walker;

pub(crate) use walker::Walker;
