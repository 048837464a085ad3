//! The half axes of an ellipsoid that is given as the image of the unit ball under a matrix.
//!
//! Source: Hestenes (1958), the one-sided Jacobi method. The ball's image under a matrix is an ellipsoid;
//! rotating its columns into one another, two at a time, until all are orthogonal makes them its half axes.
//! Error: a few ulp of each axis's own length, small axes too. Cost: 3 to 6 rounds of 3 rotations. Gives up
//! after 16 rounds: the columns are then orthogonal to rounding.

use glam::{DMat3, DVec3};

use super::bound::UNIT_ROUNDOFF;
use super::ops::sqrt;

/// Convergence is quadratic once it has begun; 3×3 matrices settle within 6.
const ROUNDS: usize = 16;

/// The half axes of the ellipsoid that `matrix` makes of the unit ball, as columns, in no particular order.
pub fn half_axes(matrix: DMat3) -> DMat3 {
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    for _ in 0..ROUNDS {
        let mut settled = true;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            settled &= rotate(&mut columns, i, j);
        }
        if settled {
            break;
        }
    }
    DMat3::from_cols(columns[0], columns[1], columns[2])
}

/// Makes columns `i` and `j` orthogonal. True if they were already.
fn rotate(columns: &mut [DVec3; 3], i: usize, j: usize) -> bool {
    let (a, b) = (columns[i], columns[j]);
    let (aa, bb, ab) = (a.length_squared(), b.length_squared(), a.dot(b));
    if ab == 0.0 || ab * ab <= (4.0 * UNIT_ROUNDOFF) * (4.0 * UNIT_ROUNDOFF) * aa * bb {
        return true;
    }
    let cotangent = (bb - aa) / (2.0 * ab);
    let tangent = cotangent.signum() / (cotangent.abs() + sqrt(1.0 + cotangent * cotangent));
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    let sine = cosine * tangent;
    columns[i] = a * cosine - b * sine;
    columns[j] = a * sine + b * cosine;
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn the_axes_are_orthogonal_and_the_volume_stays() {
        let matrix = DMat3::from_cols(dvec3(3.0, 1.0, -0.5), dvec3(0.2, 1e-3, 0.7), dvec3(-1.0, 2.0, 4.0));
        let axes = half_axes(matrix);
        for (a, b) in [(axes.x_axis, axes.y_axis), (axes.x_axis, axes.z_axis), (axes.y_axis, axes.z_axis)] {
            assert!(a.dot(b).abs() <= 1e-15 * a.length() * b.length());
        }
        assert!((axes.determinant() / matrix.determinant() - 1.0).abs() < 1e-14);
        // The ellipsoid is the same: M·Mᵀ is.
        let (before, after) = (matrix * matrix.transpose(), axes * axes.transpose());
        assert!((before - after).to_cols_array().iter().all(|x| x.abs() < 1e-13));
    }

    #[test]
    fn what_is_orthogonal_already_is_left_alone() {
        let matrix = DMat3::from_diagonal(dvec3(1.0, 1e-6, 1e6));
        assert_eq!(half_axes(matrix), matrix);
    }
}
