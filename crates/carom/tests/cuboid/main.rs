//! The cuboid kernels: against exact arithmetic, and by the laws that hold for every contact.

mod dyadic;
mod exact;
mod laws;
mod scenes;
mod solids;
