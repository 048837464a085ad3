//! How two triangles meet at an edge.
//!
//! Flat means that neither far corner is out of the other triangle's plane by more than a few roundings of
//! the coordinates, and that the two lie on opposite sides of the edge. Everything is decided from positions
//! put in order by value, in f64, and where its error bound does not suffice exactly; so corner order,
//! triangle order and sides agree. Cost: two cross products; about one predicate of Shewchuk's where the
//! triangles are flat. Never gives up.

use core::mem::swap;

use glam::DVec3;

use crate::num::orientation::{side_of_line, side_of_plane};

/// How far a corner may be out of the other triangle's plane, as a share of the largest coordinate: 16 ulp. A
/// rotation and a translation in f64 (a rounded rotation, 3 products, 3 sums) leave each of the four corners
/// about 4 ulp of the largest coordinate from where it should be. It shows in f32 only where a coordinate
/// should be 0 and is not: elsewhere an ulp of f32 is 2²⁹ of these.
const FLAT: f64 = 16.0 * f64::EPSILON;

/// The volume below is off by less than this times the sum of its terms' sizes: differences, products and
/// sums round 8 times, by half an ulp each.
const ROUNDING: f64 = 5.0 * f64::EPSILON;

/// The direction of the second of two triangles at their common edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// It continues the first in its plane.
    Flat,
    /// It lies in the plane of the first, on the same side of the edge.
    Back,
    /// Its far corner is where the first triangle, as given, is seen counter-clockwise.
    Front,
    /// Its far corner is where the first triangle, as given, is seen clockwise.
    Behind,
}

impl Fold {
    /// The same seen from the other side of the first triangle.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Front => Self::Behind,
            Self::Behind => Self::Front,
            flat => flat,
        }
    }
}

/// How the triangle `a b d` meets the triangle `a b c`. Both have area.
pub(super) fn fold(mut a: DVec3, mut b: DVec3, mut c: DVec3, mut d: DVec3) -> Fold {
    let mut reversed = false;
    for (low, high) in [(&mut a, &mut b), (&mut c, &mut d)] {
        if high.to_array() < low.to_array() {
            swap(low, high);
            reversed = !reversed;
        }
    }
    let fold = fold_in_order(a, b, c, d);
    if reversed { fold.reversed() } else { fold }
}

fn fold_in_order(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Fold {
    let edge = b - a;
    let [to_c, to_d] = [c - a, d - a];
    let [normal_c, normal_d] = [edge.cross(to_c), edge.cross(to_d)];
    // Of two planes the one that the smaller triangle gives is the stricter measure.
    let c_is_smaller = normal_c.length_squared() <= normal_d.length_squared();
    let (larger, smaller) = if c_is_smaller { (normal_d, normal_c) } else { (normal_c, normal_d) };

    let size = a.abs().max(b.abs()).max(c.abs()).max(d.abs()).max_element();
    let tolerated = FLAT * size * crate::num::ops::sqrt(smaller.length_squared());
    let (mut volume, error) = if c_is_smaller {
        (normal_c.dot(to_d), ROUNDING * sum_of_sizes(edge, to_c, to_d))
    } else {
        (-normal_d.dot(to_c), ROUNDING * sum_of_sizes(edge, to_d, to_c))
    };
    if volume.abs() + error > tolerated && volume.abs() - error <= tolerated {
        volume = side_of_plane(a, b, c, d);
    }
    if volume > tolerated {
        return Fold::Front;
    }
    if volume < -tolerated {
        return Fold::Behind;
    }
    let axis = widest_axis(larger);
    if side_of_line(axis, a, b, c) * side_of_line(axis, a, b, d) < 0.0 { Fold::Flat } else { Fold::Back }
}

/// The volume (edge × p) · q with every term made positive.
fn sum_of_sizes(edge: DVec3, p: DVec3, q: DVec3) -> f64 {
    let [e, p, q] = [edge.abs(), p.abs(), q.abs()];
    q.x * (e.y * p.z + e.z * p.y) + q.y * (e.z * p.x + e.x * p.z) + q.z * (e.x * p.y + e.y * p.x)
}

fn widest_axis(normal: DVec3) -> usize {
    let size = normal.abs();
    if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: DVec3 = DVec3::ZERO;
    const B: DVec3 = DVec3::X;
    const C: DVec3 = DVec3::Y;

    #[test]
    fn front_is_where_the_first_is_seen_counter_clockwise() {
        assert_eq!(fold(A, B, C, DVec3::new(0.5, -1.0, 0.0)), Fold::Flat);
        assert_eq!(fold(A, B, C, DVec3::new(0.5, 1.0, 0.0)), Fold::Back);
        assert_eq!(fold(A, B, C, C), Fold::Back);
        for y in [-1.0, 0.0, 1.0] {
            assert_eq!(fold(A, B, C, DVec3::new(0.5, y, 0.1)), Fold::Front);
            assert_eq!(fold(A, B, C, DVec3::new(0.5, y, -0.1)), Fold::Behind);
        }
    }

    #[test]
    fn what_rounding_in_f64_leaves_is_flat_and_what_f32_can_tell_is_not() {
        let d = |z: f64| DVec3::new(0.5, -1.0, z);
        assert_eq!(fold(A, B, C, d(f64::from(6e-17f32))), Fold::Flat);
        assert_eq!(fold(A, B, C, d(8.0 * f64::EPSILON)), Fold::Flat);
        assert_eq!(fold(A, B, C, d(32.0 * f64::EPSILON)), Fold::Front);
        let high = |z: f32| fold(A + DVec3::Z, B + DVec3::Z, C + DVec3::Z, d(z.into()));
        assert_eq!(high(1.0), Fold::Flat);
        assert_eq!(high(1f32.next_up()), Fold::Front);
        assert_eq!(high(1f32.next_down()), Fold::Behind);
    }

    #[test]
    fn slivers_are_decided_exactly() {
        // A plane of f32 coordinates in general position: p + i q + j r with small whole i, j is exact.
        let [p, q, r] = [[0.5, 0.25, 3.0], [1.0, 0.125, 0.375], [0.0625, 2.0, 1.0]].map(DVec3::from_array);
        let at = |i: i32, j: i32| p + q * f64::from(i) + r * f64::from(j);
        assert_eq!(fold(at(-4000, 0), at(4000, 0), at(3999, 1), at(-3999, -1)), Fold::Flat);
        assert_eq!(fold(at(-4000, 0), at(4000, 0), at(3999, 1), at(-3999, 1)), Fold::Back);
        let raised =
            DVec3::new(at(-3999, -1).x, at(-3999, -1).y, f64::from((at(-3999, -1).z as f32).next_up()));
        assert_ne!(fold(at(-4000, 0), at(4000, 0), at(3999, 1), raised), Fold::Flat);
    }

    fn small() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-3..4i8).prop_map(|p| DVec3::from_array(p.map(f64::from)))
    }

    proptest! {
        #[test]
        fn neither_the_order_of_the_ends_nor_that_of_the_triangles_matters(
            a in small(), b in small(), c in small(), d in small(),
        ) {
            prop_assume!(crate::num::orientation::has_area([a, b, c]) && crate::num::orientation::has_area([a, b, d]));
            let seen = fold(a, b, c, d);
            prop_assert_eq!(fold(b, a, c, d), seen.reversed());
            prop_assert_eq!(fold(a, b, d, c), seen.reversed());
            // Integers this small are exact in f64: no tolerance can blur them.
            let volume = (b - a).cross(c - a).dot(d - a);
            let expected = if volume > 0.0 {
                Fold::Front
            } else if volume < 0.0 {
                Fold::Behind
            } else if (b - a).cross(c - a).dot((b - a).cross(d - a)) < 0.0 {
                Fold::Flat
            } else {
                Fold::Back
            };
            prop_assert_eq!(seen, expected);
        }

        #[test]
        fn scales_with_the_scene(
            corners in prop::array::uniform12(-100.0..100.0f32), flat in 0..3u8, power in -60..60i32,
        ) {
            let corner = |i: usize| DVec3::new(corners[i].into(), corners[i + 1].into(), corners[i + 2].into());
            let [a, b, c, mut d] = [corner(0), corner(3), corner(6), corner(9)];
            prop_assume!(crate::num::orientation::has_area([a, b, c]) && crate::num::orientation::has_area([a, b, d]));
            if flat == 0 {
                d = a + b - c;
            }
            let factor = f64::from_bits(((1023 + power) as u64) << 52);
            prop_assert_eq!(fold(a, b, c, d), fold(a * factor, b * factor, c * factor, d * factor));
        }
    }
}
