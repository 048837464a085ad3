//! Whether two triangles share a point, decided without any error.
//!
//! Source: Guigue, Devillers, *Fast and robust triangle–triangle overlap test using orientation predicates*
//! (2003), where no corner lies in the plane of the other triangle. All else (a corner, an edge or all of a
//! triangle in the plane of the other; triangles without area) is decided by its definition: two triangles
//! share a point if an edge of one shares a point with the other, or one lies in the plane and inside of the
//! other. Error: none. A sign is taken from f64 where a bound proves it and from Shewchuk's exact predicate
//! where not. That holds for coordinates of 10⁻⁹⁰ to 10⁹⁰ and 0; beyond, products of three leave the range of
//! f64. Cost: about 60 multiplications for two that are apart by a plane, as many again for two that are not.

use glam::DVec3;

use super::Triangle;
use crate::num::bound::UNIT_ROUNDOFF;
use crate::num::orientation::{has_area, is_on_segment, side_of_line, side_of_plane};

impl Triangle {
    /// Whether the two triangles share a point, exactly. Touching counts: a shared corner, corners on edges
    /// and faces, edges that cross, coplanar triangles that touch. A triangle without area is the segment or
    /// point that it is.
    ///
    /// Exact for coordinates of 10⁻⁹⁰ to 10⁹⁰ and 0.
    ///
    /// ```
    /// use carom::shape::Triangle;
    /// use glam::{DVec3, dvec3};
    /// let floor = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
    /// let thorn = |z| Triangle::new(dvec3(1.0, 1.0, z), dvec3(1.0, 2.0, 5.0), dvec3(2.0, 1.0, 5.0));
    /// assert!(floor.overlaps_triangle(&thorn(0.0)?));
    /// assert!(!floor.overlaps_triangle(&thorn(1e-300)?));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn overlaps_triangle(&self, other: &Self) -> bool {
        triangles_meet(&self.corners(), &other.corners())
    }
}

/// More than what the determinant of three differences is off by, relative to the sum of the absolute values
/// of its terms: Shewchuk's first bound is (7 + 56u)u.
const FILTER: f64 = 8.0 * UNIT_ROUNDOFF;

/// A triangle as others are compared with its plane.
struct TrianglePlane<'a> {
    corners: &'a [DVec3; 3],
    normal: DVec3,
    /// The same with absolute values throughout.
    magnitude: DVec3,
}

impl<'a> TrianglePlane<'a> {
    #[inline(always)]
    fn new(corners: &'a [DVec3; 3]) -> Self {
        let (u, v) = (corners[1] - corners[0], corners[2] - corners[0]);
        let (s, t) = (u.abs(), v.abs());
        Self {
            corners,
            normal: u.cross(v),
            magnitude: DVec3::new(s.y * t.z + s.z * t.y, s.z * t.x + s.x * t.z, s.x * t.y + s.y * t.x),
        }
    }

    /// Something of the sign of the side on which a point lies: positive in front, 0 in the plane.
    ///
    /// The differences here are to the first corner of the plane, not to the point as Shewchuk has them; the
    /// bound is the same: every difference is off by u, every product of three by three more, and two sums
    /// follow.
    #[inline(always)]
    fn of(&self, p: DVec3) -> f64 {
        let from = p - self.corners[0];
        let side = self.normal.dot(from);
        if side.abs() > FILTER * self.magnitude.dot(from.abs()) {
            return side;
        }
        let [a, b, c] = *self.corners;
        side_of_plane(a, b, c, p)
    }
}

/// Something of the sign of the side of the plane through three points on which a fourth lies.
#[inline(always)]
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let (u, v, w) = (b - a, c - a, d - a);
    let (s, t) = (u.abs(), v.abs());
    let normal = u.cross(v);
    let magnitude = DVec3::new(s.y * t.z + s.z * t.y, s.z * t.x + s.x * t.z, s.x * t.y + s.y * t.x);
    let side = normal.dot(w);
    if side.abs() > FILTER * magnitude.dot(w.abs()) { side } else { side_of_plane(a, b, c, d) }
}

/// Whether two triangles share a point.
#[inline]
pub(crate) fn triangles_meet(first: &[DVec3; 3], second: &[DVec3; 3]) -> bool {
    let plane = TrianglePlane::new(second);
    let of_first = first.map(|p| plane.of(p));
    if on_one_side(&of_first) {
        return false;
    }
    let plane = TrianglePlane::new(first);
    let of_second = second.map(|p| plane.of(p));
    if on_one_side(&of_second) {
        return false;
    }
    if of_first.iter().chain(&of_second).any(|&side| side == 0.0) {
        return touch_or_meet(first, second);
    }
    // The line of both planes crosses each triangle in an interval; both intervals begin at the corner's two
    // edges.
    let [a, b, c] = lone_first(first, &of_first);
    let [p, q, r] = lone_first(second, &of_second);
    // Seen from their lone corners, both turned to lie in front of the other.
    let in_front = |sides: &[f64; 3]| sides[lone(sides)] > 0.0;
    let (q, r) = if in_front(&of_first) { (q, r) } else { (r, q) };
    let (b, c) = if in_front(&of_second) { (b, c) } else { (c, b) };
    side(a, b, p, q) <= 0.0 && side(a, c, r, p) <= 0.0
}

/// Whether all three are strictly on the same side.
#[inline(always)]
fn on_one_side(sides: &[f64; 3]) -> bool {
    (sides[0] > 0.0 && sides[1] > 0.0 && sides[2] > 0.0)
        || (sides[0] < 0.0 && sides[1] < 0.0 && sides[2] < 0.0)
}

/// Which corner is alone on its side; `None` of the sides is 0 and not all are the same.
#[inline(always)]
fn lone(sides: &[f64; 3]) -> usize {
    let above = sides.map(|side| side > 0.0);
    if above[1] == above[2] {
        0
    } else if above[0] == above[2] {
        1
    } else {
        2
    }
}

/// The corners in their order, from the one that is alone on its side.
#[inline(always)]
fn lone_first(corners: &[DVec3; 3], sides: &[f64; 3]) -> [DVec3; 3] {
    let i = lone(sides);
    [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]]
}

/// By definition, for everything that touches a plane or has no area.
#[cold]
fn touch_or_meet(first: &[DVec3; 3], second: &[DVec3; 3]) -> bool {
    let edges = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(first).iter().any(|edge| segment_meets(edge, second))
        || edges(second).iter().any(|edge| segment_meets(edge, first))
}

/// Whether a segment, which may be a point, and a triangle share a point.
fn segment_meets(&[p, q]: &[DVec3; 2], triangle: &[DVec3; 3]) -> bool {
    let &[a, b, c] = triangle;
    let sides = [[a, b], [b, c], [c, a]];
    if !has_area(*triangle) {
        return sides.iter().any(|edge| segments_meet(&[p, q], edge));
    }
    let (from, to) = (side_of_plane(a, b, c, p), side_of_plane(a, b, c, q));
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) {
        return false;
    }
    if from == 0.0 && to == 0.0 {
        return contains_coplanar(triangle, p) || sides.iter().any(|edge| segments_meet(&[p, q], edge));
    }
    // The line crosses the plane in one point; on which side of each edge that is, the volumes say.
    let around = sides.map(|[from, to]| side_of_plane(p, q, from, to));
    around.iter().all(|&side| side >= 0.0) || around.iter().all(|&side| side <= 0.0)
}

/// Whether a point of its plane lies in a triangle with area, edges included.
fn contains_coplanar(triangle: &[DVec3; 3], p: DVec3) -> bool {
    let &[a, b, c] = triangle;
    // Seen along an axis along which the triangle has an area.
    (0..3).find(|&axis| side_of_line(axis, a, b, c) != 0.0).is_some_and(|axis| {
        let around = [side_of_line(axis, a, b, p), side_of_line(axis, b, c, p), side_of_line(axis, c, a, p)];
        around.iter().all(|&side| side >= 0.0) || around.iter().all(|&side| side <= 0.0)
    })
}

/// Whether two segments share a point; either may be a point.
fn segments_meet(&[p, q]: &[DVec3; 2], &[a, b]: &[DVec3; 2]) -> bool {
    if is_on_segment(p, a, b) || is_on_segment(q, a, b) || is_on_segment(a, p, q) || is_on_segment(b, p, q) {
        return true;
    }
    // The rest crosses inside both: in one plane, and on strictly different sides of each other as seen along
    // some axis.
    if side_of_plane(p, q, a, b) != 0.0 {
        return false;
    }
    (0..3).any(|axis| {
        let sides = [
            side_of_line(axis, a, b, p),
            side_of_line(axis, a, b, q),
            side_of_line(axis, p, q, a),
            side_of_line(axis, p, q, b),
        ];
        let differ = |a: f64, b: f64| (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0);
        differ(sides[0], sides[1]) && differ(sides[2], sides[3])
    })
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use alloc::vec::Vec;

    use super::*;

    /// On a grid.
    #[derive(Clone, Copy, PartialEq)]
    struct GridPoint([i64; 3]);

    impl GridPoint {
        fn minus(self, other: Self) -> Self {
            Self(core::array::from_fn(|i| self.0[i] - other.0[i]))
        }

        fn dot(self, other: Self) -> i64 {
            (0..3).map(|i| self.0[i] * other.0[i]).sum()
        }

        fn cross(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            Self(core::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]))
        }

        fn point(self) -> DVec3 {
            DVec3::from_array(self.0.map(|x| x as f64))
        }
    }

    /// Two hulls of few points are apart only if they are so along a normal of three points, along what is
    /// perpendicular to such a normal and a difference (all points in one plane), or along a difference (all
    /// on one line). In exact integers.
    fn exactly_meet(first: &[GridPoint; 3], second: &[GridPoint; 3]) -> bool {
        let points: Vec<GridPoint> = first.iter().chain(second).copied().collect();
        let differences: Vec<GridPoint> = (0..6)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| points[i].minus(points[j]))
            .collect();
        let apart = |axis: GridPoint| {
            let low = |t: &[GridPoint; 3]| t.iter().map(|p| p.dot(axis)).min();
            let high = |t: &[GridPoint; 3]| t.iter().map(|p| p.dot(axis)).max();
            low(first) > high(second) || low(second) > high(first)
        };
        !differences.iter().any(|&u| {
            apart(u)
                || differences.iter().any(|&v| {
                    let normal = u.cross(v);
                    normal != GridPoint([0; 3])
                        && (apart(normal) || differences.iter().any(|&w| apart(normal.cross(w))))
                })
        })
    }

    fn on_grid(numbers: [i8; 18]) -> [[GridPoint; 3]; 2] {
        let p = |i: usize| GridPoint([0, 1, 2].map(|k| numbers[i + k].into()));
        [[p(0), p(3), p(6)], [p(9), p(12), p(15)]]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// On a coarse grid, where everything touches, is coplanar or has no area; scaled by a number that is
        /// no power of two.
        #[test]
        fn meet_only_if_they_exactly_do(numbers in prop::collection::vec(-3..4i8, 18)) {
            let grid = on_grid(numbers.try_into().unwrap());
            let [first, second] = grid.map(|t| t.map(GridPoint::point));
            let expected = exactly_meet(&grid[0], &grid[1]);
            prop_assert_eq!(triangles_meet(&first, &second), expected);
            prop_assert_eq!(touch_or_meet(&first, &second), expected);
        }

        /// A corner nearly in the plane of the other, and edges that nearly cross, in any unit along any
        /// axis: where f64 cannot decide, it does not.
        #[test]
        fn what_touches_but_for_rounding_is_decided_exactly(
            numbers in prop::array::uniform12(-1.0..1.0f64), shares in prop::array::uniform3(0.05..0.45f64),
            axis in 0..3usize, exponent in -40..40i64,
        ) {
            let unit = f64::from_bits(((1023 + exponent) as u64) << 52);
            let turn = |v: DVec3| DVec3::from_array([0, 1, 2].map(|i| v[(i + axis) % 3])) * unit;
            let p = |i: usize| turn(dvec3(numbers[i], numbers[i + 1], numbers[i + 2]));
            let first = [p(0), p(3), p(6)];
            let foot = first[0] + (first[1] - first[0]) * shares[0] + (first[2] - first[0]) * shares[1];
            let normal = (first[1] - first[0]).cross(first[2] - first[0]);
            let above = |by: DVec3| foot + normal / unit + 0.2 * by;
            let thorn = [foot, above(p(9)), above(p(6))];
            // Its third corner lies so that an edge passes by an edge of the first.
            let on_edge = first[0] + (first[1] - first[0]) * shares[2];
            let passing = [p(9), p(9) + (on_edge - p(9)) * 2.0, p(9) + normal / unit];
            for second in [thorn, passing] {
                let expected = touch_or_meet(&first, &second);
                prop_assert_eq!(triangles_meet(&first, &second), expected);
                prop_assert_eq!(triangles_meet(&second, &first), expected);
            }
        }

        /// Away from every special case, in all orders of corners and triangles.
        #[test]
        fn order_does_not_matter(numbers in prop::array::uniform18(-1.0..1.0f64)) {
            let p = |i: usize| dvec3(numbers[i], numbers[i + 1], numbers[i + 2]);
            let (first, second) = ([p(0), p(3), p(6)], [p(9), p(12), p(15)]);
            let expected = touch_or_meet(&first, &second);
            for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                let turned = [first[i], first[j], first[k]];
                prop_assert_eq!(triangles_meet(&turned, &second), expected);
                prop_assert_eq!(triangles_meet(&second, &turned), expected);
            }
        }
    }

    #[test]
    fn touching_counts_to_the_last_bit() {
        let floor = [DVec3::ZERO, dvec3(3.0, 0.0, 0.0), dvec3(0.0, 3.0, 0.0)];
        let above = |z: f64| [dvec3(0.7, 0.7, z), dvec3(0.7, 2.0, 1.0), dvec3(2.0, 0.7, 1.0)];
        assert!(triangles_meet(&floor, &above(0.0)) && !triangles_meet(&floor, &above(f64::MIN_POSITIVE)));
        // On the long edge, where 0.1 + 0.2 is not 0.3.
        let on_edge = |x: f64| [dvec3(x, 3.0 - x, 0.0), dvec3(5.0, 5.0, 0.0), dvec3(5.0, 4.0, 1.0)];
        assert!(
            triangles_meet(&floor, &on_edge(1.5))
                && !triangles_meet(&floor, &on_edge(1.5).map(|p| p * (1.0 + 1e-15)))
        );
    }
}
