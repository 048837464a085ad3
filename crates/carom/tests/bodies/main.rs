//! Worlds of many bodies that come, move and go.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod brute_force;
mod closest;
