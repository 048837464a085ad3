//! The cuboid kernels: against exact arithmetic, and by the laws that hold for every contact.
#![allow(clippy::unwrap_used, reason = "these are tests, their helpers included")]

mod dyadic;
mod exact;
mod laws;
mod scenes;
mod solids;
