//! Curved patches: sweeps beside subdivision from both sides, contacts beside dense points, and motion over
//! smooth surfaces.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its scene has failed")]

mod bodies;
mod brackets;
mod dice;
mod features;
mod judge;
mod motion;
mod near;
mod rays;
mod sweeps;
