//! A convex outline for the cuboid kernels: in canonical order, with a normal that is good for slivers, and
//! clipped by a box to find the point of contact.
//!
//! Sources: Sutherland and Hodgman, *Reentrant polygon clipping* (1974); sums and products with their
//! rounding as in `num::exact_pair`. Error: the normal's direction to 32 roundings; the clipped corners to
//! one of their coordinates. Never fails.

use glam::DVec3;

use crate::num::exact_pair::two_product;
use crate::shape::{Convex, convex_distance};
use crate::sweep::cuboid::separating_axis::{greater, lesser};

/// The order in which corners are read: from the lowest by value, towards its lower neighbor. So the answer
/// does not depend on the corner a caller begins with, nor on the path round.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct CornerOrder {
    start: usize,
    count: usize,
    backwards: bool,
}

impl CornerOrder {
    #[inline(always)]
    pub(in crate::sweep) fn of(corners: &[DVec3]) -> Self {
        let count = corners.len();
        let mut order = Self { start: 0, count, backwards: false };
        let mut doubled = false;
        for (index, corner) in corners.iter().enumerate().skip(1) {
            let lowest = &corners[order.start];
            if is_lower(corner, lowest) {
                order.start = index;
                doubled = false;
            } else if corner == lowest {
                doubled = true;
            }
        }
        if count > 2 {
            let (next, previous) = (&corners[order.index(1)], &corners[order.index(count - 1)]);
            order.backwards = is_lower(previous, next);
            doubled |= next == previous;
        }
        if doubled { Self::of_doubled(corners) } else { order }
    }

    /// The lowest corner alone does not fix the order: the lowest whole sequence does.
    #[cold]
    fn of_doubled(corners: &[DVec3]) -> Self {
        let count = corners.len();
        let mut best = Self { start: 0, count, backwards: false };
        for start in 0..count {
            for backwards in [false, true] {
                let order = Self { start, count, backwards };
                let differing = (0..count)
                    .map(|k| (&corners[order.index(k)], &corners[best.index(k)]))
                    .find(|(ours, others)| ours != others);
                if differing.is_some_and(|(ours, others)| is_lower(ours, others)) {
                    best = order;
                }
            }
        }
        best
    }

    /// The caller's number of the k-th corner; k may run to twice the count.
    #[inline(always)]
    pub(in crate::sweep) fn index(&self, k: usize) -> usize {
        let k = if k >= self.count { k - self.count } else { k };
        let index = if self.backwards { self.start + self.count - k } else { self.start + k };
        if index >= self.count { index - self.count } else { index }
    }

    /// The caller's number of the edge from the k-th corner to the next: the one of its two ends that the
    /// caller meets first.
    pub(in crate::sweep) fn edge(&self, k: usize) -> u32 {
        self.index(if self.backwards { k + 1 } else { k }) as u32
    }
}

/// By x, then y, then z.
#[inline(always)]
fn is_lower(a: &DVec3, b: &DVec3) -> bool {
    a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)))
}

/// A normal of the outline's plane, with twice the area as its length; zero without area. The corners are
/// given in their order.
#[inline(always)]
pub(in crate::sweep) fn normal(corner: impl Fn(usize) -> DVec3, count: usize) -> DVec3 {
    // The triangles of a convex outline face one way: nothing cancels in their sum.
    (2..count).map(|k| cross([corner(0), corner(k - 1), corner(k)])).sum()
}

/// The cross product of the edges from the first corner, its direction to within 32 roundings.
#[inline(always)]
fn cross(corners: [DVec3; 3]) -> DVec3 {
    let (a, b) = (corners[1] - corners[0], corners[2] - corners[0]);
    let rough = a.cross(b);
    // The rounding of edges and products, 6u·|a||b|, against a sine of a quarter.
    if rough.length_squared() >= 0.0625 * a.length_squared() * b.length_squared() {
        return rough;
    }
    sliver_cross(corners)
}

/// The rough one with the rounding errors of edges and products added back: good for slivers down to a height
/// of 8 roundings.
#[cold]
fn sliver_cross([origin, near, far]: [DVec3; 3]) -> DVec3 {
    let (a, b) = (near - origin, far - origin);
    let (a_rest, b_rest) = (rest_of_difference(near, origin, a), rest_of_difference(far, origin, b));
    let main = DVec3::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    );
    main + (a.cross(b_rest) + a_rest.cross(b))
}

/// The rounding error of `difference` = x − y.
fn rest_of_difference(x: DVec3, y: DVec3, difference: DVec3) -> DVec3 {
    let subtracted = x - difference;
    (x - (difference + subtracted)) + (subtracted - y)
}

/// ab − cd.
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (ab, ab_rest) = two_product(a, b);
    let (cd, cd_rest) = two_product(c, d);
    (ab - cd) + (ab_rest - cd_rest)
}

/// Cutting by a box adds at most one corner a face.
pub(in crate::sweep) const CUTS: usize = 6;

/// The box between `center − half` and `center + half`.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct Window {
    pub(in crate::sweep) center: DVec3,
    pub(in crate::sweep) half: DVec3,
}

impl Window {
    /// The mean corner of the part of a flat convex outline that lies in the box; `None` if it misses it.
    ///
    /// `corners` holds the outline in its first `count` places; it and `spare` have room for [`CUTS`] more.
    pub(in crate::sweep) fn middle_of(
        &self,
        corners: &mut [DVec3],
        mut count: usize,
        spare: &mut [DVec3],
    ) -> Option<DVec3> {
        let (mut here, mut there) = (corners, spare);
        let mut extent = extent_of(&here[..count]);
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let face = Face { axis, sign, at: self.center[axis] + sign * self.half[axis] };
                let [least, most] = face.range(&extent);
                if most <= 0.0 {
                    continue;
                }
                if least > 0.0 {
                    return None;
                }
                count = face.cut(&here[..count], there);
                core::mem::swap(&mut here, &mut there);
                extent = extent_of(&here[..count]);
            }
        }
        let sum: DVec3 = here[..count].iter().sum();
        Some(sum / count as f64)
    }

    /// The point nearest to the box of the convex hull of some corners.
    #[cold]
    pub(in crate::sweep) fn nearest_of(&self, count: usize, corner: impl Fn(usize) -> DVec3) -> DVec3 {
        convex_distance(self, &Corners { count, corner }, DVec3::ZERO).other_point
    }
}

impl Convex for Window {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.center + self.half.copysign(direction)
    }

    fn reach(&self) -> f64 {
        (self.center.abs() + self.half).length()
    }
}

/// The convex hull of some corners, at least one.
struct Corners<F> {
    count: usize,
    corner: F,
}

impl<F: Fn(usize) -> DVec3> Convex for Corners<F> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let farther = |a: DVec3, b: DVec3| if b.dot(direction) > a.dot(direction) { b } else { a };
        (1..self.count).map(&self.corner).fold((self.corner)(0), farther)
    }

    fn reach(&self) -> f64 {
        (0..self.count).map(|k| (self.corner)(k).length()).fold(0.0, greater)
    }
}

/// The least and the greatest of each coordinate.
#[inline(always)]
fn extent_of(corners: &[DVec3]) -> [DVec3; 2] {
    corners.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], corner| {
        [
            DVec3::new(lesser(low.x, corner.x), lesser(low.y, corner.y), lesser(low.z, corner.z)),
            DVec3::new(greater(high.x, corner.x), greater(high.y, corner.y), greater(high.z, corner.z)),
        ]
    })
}

/// One face of a window.
struct Face {
    axis: usize,
    sign: f64,
    at: f64,
}

impl Face {
    #[inline(always)]
    fn outside(&self, corner: DVec3) -> f64 {
        self.sign * (corner[self.axis] - self.at)
    }

    /// How far outside the corners are, at least and at most.
    #[inline(always)]
    fn range(&self, [low, high]: &[DVec3; 2]) -> [f64; 2] {
        let (low, high) = (self.outside(*low), self.outside(*high));
        if self.sign > 0.0 { [low, high] } else { [high, low] }
    }

    /// Keeps the part inside. Returns the number of its corners.
    fn cut(&self, corners: &[DVec3], kept: &mut [DVec3]) -> usize {
        let mut keep = Keep { kept, count: 0 };
        for (k, &corner) in corners.iter().enumerate() {
            let next = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
            let (here, there) = (self.outside(corner), self.outside(next));
            if here <= 0.0 {
                keep.push(corner);
                if there > 0.0 {
                    keep.push(self.crossing(corner, here, next, there));
                }
            } else if there <= 0.0 {
                keep.push(self.crossing(next, there, corner, here));
            }
        }
        let Keep { kept, count } = keep;
        if count > 1 && kept[count - 1] == kept[0] { count - 1 } else { count }
    }

    fn crossing(&self, inner: DVec3, depth: f64, outer: DVec3, height: f64) -> DVec3 {
        let mut crossing = inner + (outer - inner) * (depth / (depth - height));
        crossing[self.axis] = self.at;
        crossing
    }
}

/// The corners that are left.
struct Keep<'a> {
    kept: &'a mut [DVec3],
    count: usize,
}

impl Keep<'_> {
    #[inline(always)]
    fn push(&mut self, corner: DVec3) {
        // A segment is traversed there and back: its new end would count twice.
        if self.count == 0 || self.kept[self.count - 1] != corner {
            self.kept[self.count] = corner;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;

    use super::*;

    const SQUARE: [DVec3; 4] =
        [dvec3(1.0, 0.0, 1.0), dvec3(1.0, 0.0, -1.0), dvec3(-1.0, 0.0, -1.0), dvec3(-1.0, 0.0, 1.0)];

    fn read(corners: &[DVec3]) -> Vec<DVec3> {
        let order = CornerOrder::of(corners);
        (0..corners.len()).map(|k| corners[order.index(k)]).collect()
    }

    #[test]
    fn the_order_does_not_depend_on_the_beginning_nor_on_the_way_round() {
        let doubled = [SQUARE[0], SQUARE[1], SQUARE[2], SQUARE[2], SQUARE[3]];
        let point = [SQUARE[0]; 3];
        for outline in [&SQUARE[..], &SQUARE[..3], &doubled, &point, &SQUARE[..2], &SQUARE[..1]] {
            let mut corners = outline.to_vec();
            let first = read(&corners);
            assert!(first.iter().all(|corner| !is_lower(corner, &first[0])), "begins with the lowest");
            for turn in 0..2 * corners.len() {
                corners.rotate_left(1);
                if turn == corners.len() {
                    corners.reverse();
                }
                assert_eq!(read(&corners), first);
            }
        }
    }

    #[test]
    fn an_edge_keeps_the_number_its_caller_knows() {
        for backwards in [false, true] {
            let mut corners = SQUARE.to_vec();
            if backwards {
                corners.reverse();
            }
            let order = CornerOrder::of(&corners);
            for k in 0..4 {
                let number = order.edge(k) as usize;
                let (ours, callers) =
                    ([order.index(k), order.index(k + 1)], [number, (number + 1) % corners.len()]);
                assert!(ours == callers || ours == [callers[1], callers[0]]);
            }
        }
    }

    #[test]
    fn a_sliver_has_the_normal_of_whole_numbers() {
        // Heights down to about 2⁻⁴⁷ of the length; exact in 128 bits.
        let mut state = 7u64;
        let mut random = |below: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % below
        };
        for round in 0..500 {
            let far = [0, 1, 2].map(|_| random(1 << 31) << 16 | 1);
            let origin = [0, 1, 2].map(|_| random(1 << 20));
            let share = 1 + random(1 << 10);
            let near = [0, 1, 2].map(|k| (far[k] >> 10) * share + random(1 << (1 + round % 12)));
            let wide = |v: [i64; 3]| v.map(i128::from);
            let (a, b) = (wide(near), wide(far));
            let exact = [1, 2, 0].map(|k| {
                let l = (k + 1) % 3;
                (a[k] * b[l] - a[l] * b[k]) as f64
            });
            // Shifted: the corners' differences have to be exact only as integers.
            let place = |v: [i64; 3]| DVec3::from_array([0, 1, 2].map(|k| (v[k] + origin[k]) as f64));
            let corners = [place([0; 3]), place(near), place(far)];
            let cross = normal(|k| corners[k], 3);
            let exact = DVec3::from_array([exact[0], exact[1], exact[2]]);
            let off = cross.cross(exact).length() / (cross.length() * exact.length());
            assert!(off < 32.0 * f64::EPSILON, "{off:e} off: {corners:?}");
        }
    }

    #[test]
    fn an_outline_without_area_has_no_normal() {
        let (a, b) = (dvec3(0.1, 0.2, 0.3), dvec3(1.3, -0.7, 2.9));
        for corners in [[a, a, a], [a, b, b], [a, b, a], [a * 0.5, a, a * 2.0]] {
            assert_eq!(normal(|k| corners[k], 3), DVec3::ZERO);
        }
    }

    fn middle(window: &Window, outline: &[DVec3]) -> Option<DVec3> {
        let mut corners = outline.to_vec();
        corners.resize(outline.len() + CUTS, DVec3::ZERO);
        let mut spare = corners.clone();
        window.middle_of(&mut corners, outline.len(), &mut spare)
    }

    #[test]
    fn the_middle_is_that_of_the_part_in_the_box() {
        let window = Window { center: dvec3(1.0, 0.25, 0.0), half: dvec3(0.5, 0.5, 3.0) };
        assert_eq!(middle(&window, &SQUARE), Some(dvec3(0.75, 0.0, 0.0)));
        // A segment, and a point.
        assert_eq!(
            middle(&window, &[dvec3(0.0, 0.0, 2.0), dvec3(4.0, 0.0, 2.0)]),
            Some(dvec3(1.0, 0.0, 2.0))
        );
        assert_eq!(middle(&window, &[dvec3(1.0, 0.5, 1.0)]), Some(dvec3(1.0, 0.5, 1.0)));
        // A whole box within the outline: its section.
        let wide = SQUARE.map(|corner| corner * 100.0);
        assert_eq!(middle(&window, &wide), Some(dvec3(1.0, 0.0, 0.0)));
        // Cut by five faces at once.
        let tilted = [dvec3(-9.0, -9.0, 0.0), dvec3(9.0, 9.0, 1.0), dvec3(9.0, 9.0, -1.0)];
        let cut = middle(&window, &tilted).unwrap();
        assert!((cut - window.center).abs().cmple(window.half).all() && (cut.x - cut.y).abs() < 1e-15);
    }

    #[test]
    fn an_outline_that_misses_the_box_has_a_point_nearest_to_it() {
        let window = Window { center: dvec3(1.0, 0.0, 0.0), half: dvec3(0.5, 0.5, 0.5) };
        let nearest = |outline: &[DVec3], expected: DVec3| {
            assert_eq!(middle(&window, outline), None);
            let point = window.nearest_of(outline.len(), |k| outline[k]);
            assert!(point.abs_diff_eq(expected, 1e-12), "{point} instead of {expected}");
        };
        let beside = SQUARE.map(|corner| corner + dvec3(4.0, 0.25, 2.0));
        nearest(&beside, dvec3(3.0, 0.25, 1.0));
        nearest(&[dvec3(9.0, 9.0, 9.0)], dvec3(9.0, 9.0, 9.0));
        // Past an edge of the box, in the direction (1, 1, 0).
        nearest(&[dvec3(-7.5, 10.5, 0.25), dvec3(12.5, -9.5, 0.25)], dvec3(2.0, 1.0, 0.25));
    }
}
