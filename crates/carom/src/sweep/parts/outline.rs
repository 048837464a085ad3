//! Corners of a flat convex polygon in a canonical order, so that an answer does not depend on the order they
//! were given in.

use glam::{DMat3, DVec3};

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::num::point_order::lower;
use crate::sweep::Feature;

/// A flat convex ring of corners, relative to the start of the mover. One corner is a point, two are a
/// segment.
pub(crate) trait Outline {
    /// How many corners.
    fn len(&self) -> usize;
    /// Corner `i`, below `len`.
    fn at(&self, i: usize) -> DVec3;
    /// The corner after `i`, round the ring.
    #[inline(always)]
    fn next(&self, i: usize) -> usize {
        if i + 1 == self.len() { 0 } else { i + 1 }
    }
    /// How many edges: a segment has one, a point none.
    #[inline(always)]
    fn edges(&self) -> usize {
        match self.len() {
            0 | 1 => 0,
            2 => 1,
            n => n,
        }
    }
    /// The largest [`reach`] of a corner.
    #[inline(always)]
    fn extent(&self) -> f64 {
        let mut extent = 0.0f64;
        for i in 0..self.len() {
            extent = extent.max(reach(self.at(i)));
        }
        extent
    }
}

impl<const N: usize> Outline for [DVec3; N] {
    #[inline(always)]
    fn len(&self) -> usize {
        N
    }

    #[inline(always)]
    fn at(&self, i: usize) -> DVec3 {
        self[i]
    }
}

/// An outline moved by a vector.
pub(crate) struct Shifted<'a, O> {
    pub(crate) outline: &'a O,
    pub(crate) by: DVec3,
}

impl<O: Outline> Outline for Shifted<'_, O> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.outline.len()
    }

    #[inline(always)]
    fn at(&self, i: usize) -> DVec3 {
        self.outline.at(i) + self.by
    }
}

/// A polygon of any number of corners, relative to `from` and mapped by `map`, in canonical order.
pub(crate) struct Ring<'a> {
    vertices: &'a [DVec3],
    from: DVec3,
    map: DMat3,
    first: usize,
    reversed: bool,
}

impl<'a> Ring<'a> {
    pub(crate) fn new(vertices: &'a [DVec3], from: DVec3, map: DMat3) -> Self {
        let n = vertices.len();
        let mut first = 0;
        for i in 1..n {
            if lower(vertices[i], vertices[first]) {
                first = i;
            }
        }
        let after = vertices[(first + 1) % n];
        let before = vertices[(first + n - 1) % n];
        Self { vertices, from, map, first, reversed: lower(before, after) }
    }

    /// The same corners, mapped once more.
    pub(crate) fn mapped(&self, map: DMat3) -> Self {
        Self { map: map * self.map, ..*self }
    }

    /// Whether the corners run opposite to the caller's.
    pub(crate) fn is_reversed(&self) -> bool {
        self.reversed
    }

    fn index(&self, i: usize) -> usize {
        let n = self.vertices.len();
        if self.reversed { (self.first + n - i) % n } else { (self.first + i) % n }
    }

    /// The feature in the caller's numbering.
    pub(crate) fn original(&self, feature: Feature) -> Feature {
        match feature {
            Feature::Face => Feature::Face,
            Feature::Vertex(i) => Feature::Vertex(self.index(i as usize) as u32),
            Feature::Edge(i) => {
                // Run backwards, an edge is named by its other end.
                let i = i as usize;
                Feature::Edge(self.index(if self.reversed { self.next(i) } else { i }) as u32)
            }
        }
    }
}

impl Outline for Ring<'_> {
    fn len(&self) -> usize {
        self.vertices.len()
    }

    fn at(&self, i: usize) -> DVec3 {
        self.map * (self.vertices[self.index(i)] - self.from)
    }
}

/// The three corners from low to high, and the order that does it: `sorted[k] = corners[order[k]]`.
#[inline(always)]
pub(crate) fn sort_corners(corners: [DVec3; 3]) -> ([DVec3; 3], [u8; 3]) {
    let mut order = [0u8, 1, 2];
    let mut sorted = corners;
    if lower(sorted[1], sorted[0]) {
        sorted.swap(0, 1);
        order.swap(0, 1);
    }
    if lower(sorted[2], sorted[1]) {
        sorted.swap(1, 2);
        order.swap(1, 2);
        if lower(sorted[1], sorted[0]) {
            sorted.swap(0, 1);
            order.swap(0, 1);
        }
    }
    (sorted, order)
}

/// The six orders that [`sort_corners`] can return.
pub(crate) const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// Whether the sorted corners run opposite to the given ones.
#[inline(always)]
pub(crate) fn is_odd(order: [u8; 3]) -> bool {
    matches!(order, [0, 2, 1] | [1, 0, 2] | [2, 1, 0])
}

/// The feature of the sorted triangle in the numbering of the given one.
#[inline(always)]
pub(crate) fn unsort(feature: Feature, order: [u8; 3]) -> Feature {
    match feature {
        Feature::Face => Feature::Face,
        Feature::Vertex(i) => Feature::Vertex(u32::from(order[i as usize])),
        Feature::Edge(i) => {
            let (p, q) = (order[i as usize], order[(i as usize + 1) % 3]);
            // Of two neighboring corners the edge is named by the one that comes first round the ring.
            Feature::Edge(u32::from(if (p + 1) % 3 == q { p } else { q }))
        }
    }
}

/// The unit normal of a triangle, by the turn a → b → c; `None` where the area is lost in the rounding of its
/// own product.
///
/// `ab` and `ac` are the edges from the first corner. Error: a few unit roundoffs over the sine of the
/// corner's angle about the longest edge, where it does no harm (the plane stays within rounding of all three
/// corners), and a few about any other.
#[inline(always)]
pub(crate) fn triangle_normal(ab: DVec3, ac: DVec3) -> Option<DVec3> {
    let cross = ab.cross(ac);
    let area_squared = cross.length_squared();
    let sides = ab.length_squared() * ac.length_squared();
    if sides < TINY {
        return tiny_triangle_normal(ab, ac);
    }
    if area_squared <= (16.0 * UNIT_ROUNDOFF) * (16.0 * UNIT_ROUNDOFF) * sides {
        return None;
    }
    // Below a sine of 1/8 the product is off by more than 8 times what its own rounding is, and so is the
    // plane at the far end.
    if area_squared < sides * (1.0 / 64.0) {
        return Some(sliver_normal(ab, ac, cross));
    }
    Some(cross / sqrt(area_squared))
}

/// 2⁻⁸⁰⁰: from here down the products of four lengths begin to lose digits to underflow.
const TINY: f64 = {
    let step = 1.0 / (1u128 << 100) as f64;
    let four = step * step * step * step;
    four * four
};

/// The same for edges so short that their products underflow: each is brought near 1, which turns no normal.
#[cold]
fn tiny_triangle_normal(ab: DVec3, ac: DVec3) -> Option<DVec3> {
    let (b, c) = (ab.abs().max_element(), ac.abs().max_element());
    if b == 0.0 || c == 0.0 { None } else { triangle_normal(ab / b, ac / c) }
}

/// A sliver's product carries the rounding of its long sides. Freed of any part along the longest edge the
/// plane can only roll about that edge, and the third corner is too near to it for that to lift it.
#[cold]
fn sliver_normal(ab: DVec3, ac: DVec3, cross: DVec3) -> DVec3 {
    let bc = ac - ab;
    let (mut long, mut longest) = (ab, ab.length_squared());
    for edge in [ac, bc] {
        if edge.length_squared() > longest {
            (long, longest) = (edge, edge.length_squared());
        }
    }
    let straight = cross - long * (cross.dot(long) / longest);
    straight / sqrt(straight.length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn features_come_back_in_the_callers_numbering() {
        let corners = [dvec3(3.0, 0.0, 0.0), dvec3(1.0, 0.0, 5.0), dvec3(2.0, 4.0, 0.0)];
        for turn in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let given = turn.map(|i: usize| corners[i]);
            let (sorted, order) = sort_corners(given);
            assert_eq!(sorted, [corners[1], corners[2], corners[0]]);
            let ring = Ring::new(&given, DVec3::ZERO, DMat3::IDENTITY);
            for k in 0..3 {
                let Feature::Vertex(v) = unsort(Feature::Vertex(k), order) else { unreachable!() };
                assert_eq!(given[v as usize], sorted[k as usize]);
                let Feature::Edge(e) = unsort(Feature::Edge(k), order) else { unreachable!() };
                let ends = [given[e as usize], given[(e as usize + 1) % 3]];
                let expected = [sorted[k as usize], sorted[(k as usize + 1) % 3]];
                assert!(ends == expected || ends == [expected[1], expected[0]]);
                let Feature::Edge(e) = ring.original(Feature::Edge(k)) else { unreachable!() };
                let ends = [given[e as usize], given[(e as usize + 1) % 3]];
                let expected = [ring.at(k as usize), ring.at(ring.next(k as usize))];
                assert!(ends == expected || ends == [expected[1], expected[0]]);
            }
        }
    }

    #[test]
    fn a_triangle_too_small_for_squares_has_the_normal_of_a_large_one() {
        let (ab, ac) = (dvec3(3.0, 1.0, 0.5), dvec3(-1.0, 2.0, 0.25));
        let large = triangle_normal(ab, ac).unwrap();
        for scale in [1e-60, 1e-100, 1e-150, 1e-300] {
            let small = triangle_normal(ab * scale, ac * scale).unwrap();
            assert!((small - large).length() < 1e-15 && (small.length() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_sliver_keeps_its_plane_through_all_corners() {
        let (ab, ac) = (dvec3(10.0, 1.0, 3.0), dvec3(7.0, 0.7 + 3e-13, 2.1));
        let n = triangle_normal(ab, ac).unwrap();
        assert!(n.dot(ab).abs() < 1e-14 && n.dot(ac).abs() < 1e-14);
        assert_eq!(triangle_normal(ab, ab * 0.5), None);
        assert_eq!(triangle_normal(DVec3::ZERO, ab), None);
    }
}
