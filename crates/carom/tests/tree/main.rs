//! Trees against brute force and against exact arithmetic.
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

mod build;
mod exact;
mod scenes;
mod walks;
mod wide;
