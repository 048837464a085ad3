//! What construction refuses, by name.

use glam::{DQuat, DVec3};
use thiserror::Error;

use crate::num::ops;

/// Why a shape cannot be built from these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A NaN or an infinity.
    #[error("{0} must be finite")]
    NotFinite(&'static str),
    /// Zero, negative, NaN or infinite where a length is needed.
    #[error("{0} must be finite and greater than 0")]
    NotPositive(&'static str),
    /// Negative, NaN or infinite where zero would do.
    #[error("{0} must be finite and at least 0")]
    Negative(&'static str),
    /// A direction or a quaternion of no length.
    #[error("{0} must not be zero")]
    Zero(&'static str),
    /// A lower corner above the upper one.
    #[error("min must not be greater than max")]
    MinAboveMax,
    /// Fewer than three corners.
    #[error("a polygon needs at least 3 vertices, not {0}")]
    TooFewVertices(usize),
    /// A corner off the plane of the others, beyond rounding.
    #[error("vertex {0} is not in the plane of the polygon")]
    NotPlanar(usize),
    /// A corner where the outline turns inward.
    #[error("the polygon is not convex at vertex {0}")]
    NotConvex(usize),
    /// All corners on one line.
    #[error("the polygon has no area")]
    NoArea,
}

pub(crate) fn finite(v: DVec3, what: &'static str) -> Result<DVec3, ShapeError> {
    if v.is_finite() { Ok(v) } else { Err(ShapeError::NotFinite(what)) }
}

pub(crate) fn positive(x: f64, what: &'static str) -> Result<f64, ShapeError> {
    if x > 0.0 && x.is_finite() { Ok(x) } else { Err(ShapeError::NotPositive(what)) }
}

/// The quaternion scaled to length one.
pub(crate) fn unit_rotation(q: DQuat) -> Result<DQuat, ShapeError> {
    if !q.is_finite() {
        return Err(ShapeError::NotFinite("rotation"));
    }
    // Scaled by its largest component first: a quaternion of any size has a direction.
    let largest = q.x.abs().max(q.y.abs()).max(q.z.abs()).max(q.w.abs());
    if largest == 0.0 {
        return Err(ShapeError::Zero("rotation"));
    }
    let q = q / largest;
    let length_squared = q.dot(q);
    Ok(if length_squared == 1.0 { q } else { q / ops::sqrt(length_squared) })
}
