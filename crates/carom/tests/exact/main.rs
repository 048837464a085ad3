//! The sweep kernels against exact geometry.
//!
//! Every f64 is a fraction with a power of two below: distances of such points are found without any
//! rounding, and each answer of a kernel is judged by what it promises, not by what another program in
//! floating point says.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod case;
mod dice;
mod distance;
mod generate;
mod judge;
mod kernels;
mod numbers;
mod polygons;
mod problem;
mod reference;
