//! Numbers: the contact root, error bounds, and the one door to libm.

pub mod ops;
