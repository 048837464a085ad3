//! The effect of rounding on a shape, and how to stay on the safe side.
//!
//! Every bound is a multiple of the unit roundoff times a length of the problem: a scene scaled by 2ᵏ keeps
//! its answers.

use glam::{DMat3, DVec3};

pub(crate) use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::exact_pair::two_sum;
use crate::num::ops;

/// The error of a turned coordinate, relative to the sum of the absolute coordinates before the turn.
///
/// A rotation that counts as unit is off by 10 roundoffs at most (see `unit_rotation`), an entry of its
/// matrix therefore by 4 × 10, and by 5 of its own; the dot product adds 3. Rounded up to a power of two.
pub(crate) const TURN: f64 = 64.0 * UNIT_ROUNDOFF;

/// The largest absolute coordinate.
#[inline(always)]
pub(crate) fn largest(v: DVec3) -> f64 {
    v.abs().max_element()
}

/// The largest sum of absolute coordinates of a corner.
pub(super) fn extent(corners: &[DVec3]) -> f64 {
    corners.iter().fold(0.0, |extent, &corner| reach(corner).max(extent))
}

/// The power of two that brings a positive length to 1 … 2; at the ends of the range, as near as a normal
/// number can.
#[inline]
pub(crate) fn unit_scale(length: f64) -> f64 {
    let biased = (length.to_bits() >> 52) & 0x7ff;
    if length == 0.0 {
        return 1.0;
    }
    // Biased exponent e stands for 2^(e − 1023); its reciprocal has the biased exponent 2046 − e.
    f64::from_bits((2046 - biased.clamp(1, 2045)) << 52)
}

/// The direction of a vector of any size but zero, scaled to length one.
#[inline]
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let largest = largest(v);
    if largest == 0.0 {
        return None;
    }
    // Scaled first: squares of very small or large numbers would leave the range of f64. Twice, as the
    // smallest are subnormal.
    let v = v * unit_scale(largest);
    let v = v * unit_scale(self::largest(v));
    let length_squared = v.length_squared();
    Some(if length_squared == 1.0 { v } else { v / ops::sqrt(length_squared) })
}

/// The direction at a size whose squares stay in range; straight up for a direction of no length.
#[inline]
pub(crate) fn direction_or_up(direction: DVec3) -> DVec3 {
    let largest = largest(direction);
    if largest > 0.0 { direction * unit_scale(largest) } else { DVec3::Y }
}

/// The product of the transposed matrix and the vector: a world vector in a shape's own axes.
#[inline(always)]
pub(crate) fn transposed_mul(m: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(m.x_axis.dot(v), m.y_axis.dot(v), m.z_axis.dot(v))
}

/// The smallest f64 that is not below a + b; the largest finite one if the sum overflows.
#[inline]
pub(crate) fn sum_up(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    if error > 0.0 { sum.next_up() } else { sum }.min(f64::MAX)
}

/// [`sum_up`] for each coordinate.
#[inline]
pub(crate) fn sum_up_each(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(sum_up(a.x, b.x), sum_up(a.y, b.y), sum_up(a.z, b.z))
}

/// The same downward: the largest f64 that is not above each sum.
#[inline]
pub(crate) fn sum_down_each(a: DVec3, b: DVec3) -> DVec3 {
    -sum_up_each(-a, -b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_rounded_outward_only_if_it_was_rounded() {
        assert_eq!(sum_up(1.0, 2.0), 3.0);
        let sum_down = |a: f64, b: f64| sum_down_each(DVec3::splat(a), DVec3::splat(b)).x;
        assert_eq!(sum_down(1.0, 2.0), 3.0);
        let tiny = f64::EPSILON / 8.0;
        assert_eq!(sum_up(1.0, tiny), 1.0 + f64::EPSILON);
        assert_eq!(sum_down(1.0, tiny), 1.0);
        assert_eq!(sum_up(-1.0, -tiny), -1.0);
        assert_eq!(sum_up(f64::MAX, f64::MAX), f64::MAX);
        assert_eq!(sum_down(-f64::MAX, -f64::MAX), -f64::MAX);
    }

    #[test]
    fn a_direction_of_any_size_has_length_one() {
        for size in [5e-324, 1e-310, 1e-200, 1.0, 1e200, f64::MAX] {
            let v = unit(DVec3::new(size, -size, size)).unwrap();
            assert!((v.length_squared() - 1.0).abs() < 8.0 * UNIT_ROUNDOFF, "{size}");
        }
        assert_eq!(unit(DVec3::ZERO), None);
    }

    #[test]
    fn the_scale_is_a_power_of_two_that_brings_a_length_near_one() {
        for length in [f64::MIN_POSITIVE, 1e-30, 0.75, 1.0, 1.9, 2.0, 1e30, 1e300] {
            let scaled = length * unit_scale(length);
            assert!((1.0..2.0).contains(&scaled), "{length}");
        }
        assert!(f64::MAX * unit_scale(f64::MAX) < 4.0);
    }
}
