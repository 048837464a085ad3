//! One mesh against another: counts on meshes that others made, brute force, and laws.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod brute_force;
mod counts;
mod files;
mod turning;
