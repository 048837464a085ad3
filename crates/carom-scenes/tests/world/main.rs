//! Worlds as a whole: trees against asking everything, laws, a second opinion, other people's reports, and
//! long walks.
//!
//! The scenes are those of this crate; real levels come from the folder that `CAROM_DATA` names, and are left
//! out with a word about it where that is not set. The ignored tests take minutes: `cargo test -p
//! carom-scenes --test world -- --ignored`.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod brute_force;
mod laws;
mod levels;
mod nonsense;
mod questions;
mod reported;
mod second_opinion;
mod soak;
