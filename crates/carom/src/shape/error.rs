//! Why shapes refuse their input, by name.

use glam::{DQuat, DVec3};
use thiserror::Error;

use super::rounding::UNIT_ROUNDOFF;
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
    /// Fewer than four different points.
    #[error("a convex hull needs at least 4 different points, not {0}")]
    TooFewPoints(usize),
    /// Points in one plane.
    #[error("the points are in one plane: a convex hull needs a volume")]
    FlatPoints,
    /// A patch of a degree other than 2 and 3.
    #[error("a patch is of degree 2 or 3, not {0}")]
    Degree(usize),
    /// A number of control points that makes no patch of these degrees, or no net of them.
    #[error("{found} control points do not form patches: {expected} would")]
    ControlPoints {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

/// The vector if it is finite, with −0 made 0: what is stored has one spelling.
pub(crate) fn finite(v: DVec3, what: &'static str) -> Result<DVec3, ShapeError> {
    if v.is_finite() { Ok(v + DVec3::ZERO) } else { Err(ShapeError::NotFinite(what)) }
}

pub(crate) fn positive(x: f64, what: &'static str) -> Result<f64, ShapeError> {
    if x > 0.0 && x.is_finite() { Ok(x) } else { Err(ShapeError::NotPositive(what)) }
}

/// The quaternion scaled to length one, unless it is so already to within rounding: one read back from the
/// wire keeps its bits.
pub(crate) fn unit_rotation(q: DQuat) -> Result<DQuat, ShapeError> {
    if !q.is_finite() {
        return Err(ShapeError::NotFinite("rotation"));
    }
    // Scaling leaves a length off by 4 unit roundoffs at most; its square, computed, is then off by 12.
    if (q.dot(q) - 1.0).abs() <= 16.0 * UNIT_ROUNDOFF {
        return Ok(q);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_scaled_once_is_not_scaled_again() {
        for i in 0..10_000 {
            let x = f64::from(i);
            let q =
                unit_rotation(DQuat::from_xyzw(x - 5000.5, 1e3 / (x + 0.1), x * x * 1e-5, 3.0 - x)).unwrap();
            let again = unit_rotation(q).unwrap();
            assert_eq!(q.to_array().map(f64::to_bits), again.to_array().map(f64::to_bits));
        }
    }

    #[test]
    fn what_has_no_direction_is_refused_by_name() {
        assert_eq!(unit_rotation(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Err(ShapeError::Zero("rotation")));
        let nan = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
        assert_eq!(unit_rotation(nan), Err(ShapeError::NotFinite("rotation")));
        let tiny = unit_rotation(DQuat::from_xyzw(0.0, 0.0, 5e-324, 0.0)).unwrap();
        assert_eq!(tiny, DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    }
}
