//! The scene suite: what players forgive least, row by row.
//!
//! The rows are those of reports against other engines (S1 … S10) and of the field (E1 … E9). Each is a file
//! in `crates/carom-scenes/scenes`, run by the `carom` command as it is, mirrored, turned by 37° about up,
//! and moved by 10 km along all axes, with the shape of the file and with an ellipsoid of the same extents;
//! what comes out is judged here.
#![allow(clippy::unwrap_used, reason = "a scene that cannot go on has failed")]

mod articles;
mod casts;
mod crowds;
mod floors;
mod frame;
mod orders;
mod overlaps;
mod platforms;
mod play;
#[cfg(test)]
mod slopes;
mod stage;
mod stairs;
mod walls;
