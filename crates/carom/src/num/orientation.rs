//! Exact predicates: on which side of a line or plane a point lies.
//!
//! Source: Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*
//! (1997), by the `robust` crate. Coordinates that come from f32 are multiples of 2⁻¹⁴⁹ below 2¹²⁸: no
//! product of three differences over- or underflows in f64, so the signs are exact for all of them.

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// On which side of the line through `a` and `b` the point `c` lies, all seen along an axis (0: x, 1: y, 2:
/// z) towards its origin: positive on the left, 0 on the line. Only the sign is exact.
pub(crate) fn side_of_line(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let seen = |p: DVec3| match axis {
        0 => Coord { x: p.y, y: p.z },
        1 => Coord { x: p.z, y: p.x },
        _ => Coord { x: p.x, y: p.y },
    };
    orient2d(seen(a), seen(b), seen(c))
}

/// On which side of the plane through `a`, `b` and `c` the point `d` lies: positive where the three are seen
/// counter-clockwise, 0 in the plane. Six times the volume between them, of exact sign.
pub(crate) fn side_of_plane(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    // The sign of `robust` is positive below the plane.
    -orient3d(a, b, c, d)
}

/// Whether three points are not collinear. Collinear points are collinear seen along every axis.
pub(crate) fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    (0..3).any(|axis| side_of_line(axis, a, b, c) != 0.0)
}

/// Whether `p` is a point of the segment between `a` and `b`.
pub(crate) fn is_on_segment(p: DVec3, a: DVec3, b: DVec3) -> bool {
    p.cmpge(a.min(b)).all() && p.cmple(a.max(b)).all() && !has_area([a, b, p])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point with f32 coordinates.
    fn point(x: f32, y: f32, z: f32) -> DVec3 {
        DVec3::new(x.into(), y.into(), z.into())
    }

    #[test]
    fn is_positive_where_the_corners_are_seen_counter_clockwise() {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        assert!(side_of_plane(o, x, y, z) > 0.0);
        assert!(side_of_plane(o, y, x, z) < 0.0);
        assert_eq!(side_of_plane(o, x, y, x + y), 0.0);
        assert!(side_of_line(0, o, y, z) > 0.0);
        assert!(side_of_line(1, o, z, x) > 0.0);
        assert!(side_of_line(2, o, x, y) > 0.0);
    }

    #[test]
    fn the_least_deviation_from_a_line_is_an_area() {
        let direction = point(0.1, 0.3, 0.7);
        // Multiples of a power of two are exact: these three are on a line.
        assert!(!has_area([direction, direction * 2.0, direction * -0.25]));
        let least = f64::from(f32::from_bits(1));
        let aside = [direction, direction * 2.0, DVec3::new(0.0, 0.0, least)];
        assert!(has_area(aside));
        let next = point(0.1f32.next_up() * 4.0, 0.3 * 4.0, 0.7 * 4.0);
        assert!(has_area([direction, direction * 2.0, next]));
        assert!(!has_area([direction; 3]));
        assert!(!has_area([direction, next, direction]));
    }

    #[test]
    fn is_exact_for_the_largest_and_the_smallest_numbers() {
        let [least, most] = [f32::from_bits(1), f32::MAX];
        assert!(has_area([point(0.0, 0.0, 0.0), point(least, 0.0, 0.0), point(0.0, least, 0.0)]));
        assert!(has_area([point(-most, 0.0, 0.0), point(most, 0.0, 0.0), point(0.0, least, 0.0)]));
        assert!(!has_area([point(-most, -most, most), point(most, most, -most), point(0.0, 0.0, 0.0)]));
        let corners = [point(-most, 0.0, 0.0), point(most, 0.0, 0.0), point(0.0, most, 0.0)];
        assert!(side_of_plane(corners[0], corners[1], corners[2], point(0.0, 0.0, least)) > 0.0);
    }

    #[test]
    fn a_point_of_a_segment_is_between_its_ends_and_on_its_line() {
        let [a, b] = [point(0.1, 0.2, 0.3), point(0.4, 0.8, 1.2)];
        assert!(is_on_segment(a, a, b) && is_on_segment(b, a, b));
        assert!(is_on_segment(a * 2.0, a, a * 4.0));
        assert!(!is_on_segment(a * 8.0, a, a * 4.0));
        assert!(!is_on_segment(point(0.2, 0.4, 0.6f32.next_up()), a, a * 4.0));
    }
}
