//! Numbers: the contact root, rounding bounds, and the only calls to libm.

pub mod bound;
pub mod contact;
pub(crate) mod exact_pair;
pub mod ops;
pub(crate) mod orientation;
pub mod orthogonal;
pub(crate) mod point_order;
pub(crate) mod polynomial;
#[cfg(test)]
pub(crate) mod random;
pub mod residual;
pub mod turn;
