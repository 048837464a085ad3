//! The cuboid kernels: against exact arithmetic, and by the laws that hold for every contact.
#![allow(clippy::unwrap_used, reason = "these are tests, their helpers included")]

mod contacts;
mod dyadic;
mod exact;
mod extremes;
mod frames;
mod same_bits;
mod scenes;
mod setup;
mod solids;
mod touching;
