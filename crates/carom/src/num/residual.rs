//! The distance of a point from a plane, computed with twice the digits.
//!
//! Source: Ogita, Rump & Oishi, *Accurate Sum and Dot Product* (2005); products are split as by Dekker (1971)
//! and Veltkamp. Each product and each sum keeps the part that rounding cut off, and all those parts are
//! added at the end. Error: half an ulp of the result, plus 2⁻¹⁰¹ of the largest term. Cost: about 90
//! additions and multiplications. Holds while no term exceeds 2⁹⁹⁵: callers rescale first.

use glam::DVec3;

use super::exact_pair::{two_product, two_sum};

/// `bound − normal · v`: positive where `v` is short of the plane, in the unit of `bound` and `v`.
pub fn residual(bound: f64, normal: DVec3, v: DVec3) -> f64 {
    let mut sum = bound;
    let mut cut_off = 0.0;
    for (n, v) in [(normal.x, v.x), (normal.y, v.y), (normal.z, v.z)] {
        let (product, product_error) = two_product(-n, v);
        let (next, sum_error) = two_sum(sum, product);
        sum = next;
        cut_off += product_error + sum_error;
    }
    sum + cut_off
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn keeps_the_digits_that_a_plain_dot_product_loses() {
        // (1 + u)(1 − u) = 1 − u², and the residual is u².
        let u = f64::EPSILON;
        let (n, v) = (dvec3(1.0 + u, 3.0, 0.0), dvec3(1.0 - u, 1.0, 7.0));
        assert_eq!(residual(4.0, n, v), u * u);
        assert_eq!(4.0 - n.dot(v), 0.0);
    }

    #[test]
    fn is_the_plain_difference_where_nothing_is_cut_off() {
        assert_eq!(residual(0.5, dvec3(0.0, 1.0, 0.0), dvec3(3.0, -2.0, 1.0)), 2.5);
    }
}
