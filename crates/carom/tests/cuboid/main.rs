//! The cuboid kernels: against exact arithmetic, and by the laws that hold for every contact.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod dyadic;
mod exact;
mod laws;
mod scenes;
mod solids;
