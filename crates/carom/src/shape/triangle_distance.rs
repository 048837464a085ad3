//! How far two triangles are apart, and where.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 5.1.10: the nearest points of two triangles that share
//! none are an edge and an edge, or a corner and a face. Whether they share one is decided exactly
//! (`triangle_triangle`). Error: a few dozen unit roundoffs of the sizes and the distance. Cost: 9 pairs of
//! segments and 6 corners.

use glam::DVec3;

use super::triangle_triangle::triangles_meet;
use super::{Segment, Triangle};
use crate::num::ops::sqrt;

/// The nearest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleDistance {
    /// In meters; 0 only where the triangles share a point, or are so near that a square underflows.
    pub distance: f64,
    /// On the first. Where they share a point, both are nearly one of those that they share.
    pub point: DVec3,
    /// On the other.
    pub other_point: DVec3,
}

impl Triangle {
    /// How far this triangle is from another, and where they are nearest.
    ///
    /// ```
    /// use carom::shape::Triangle;
    /// use glam::{DVec3, dvec3};
    /// let floor = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
    /// let thorn = Triangle::new(dvec3(1.0, 1.0, 0.5), dvec3(1.0, 2.0, 5.0), dvec3(2.0, 1.0, 5.0))?;
    /// let gap = floor.distance_to_triangle(&thorn);
    /// assert_eq!((gap.distance, gap.point), (0.5, dvec3(1.0, 1.0, 0.0)));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn distance_to_triangle(&self, other: &Self) -> TriangleDistance {
        let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
        let mut offer = |a: DVec3, b: DVec3| {
            let square = (a - b).length_squared();
            if square < best.0 {
                best = (square, a, b);
            }
        };
        for edge in &self.edges() {
            for other in &other.edges() {
                let (a, b) = edge.closest_points(other);
                offer(a.point, b.point);
            }
        }
        for corner in self.corners() {
            offer(corner, other.closest_point(corner).point);
        }
        for corner in other.corners() {
            offer(self.closest_point(corner).point, corner);
        }
        let (square, point, other_point) = best;
        if triangles_meet(&self.corners(), &other.corners()) {
            let [point, other_point] = self.crossing(other).unwrap_or([point, other_point]);
            return TriangleDistance { distance: 0.0, point, other_point };
        }
        TriangleDistance { distance: sqrt(square), point, other_point }
    }

    /// Where an edge of one passes through the other.
    fn crossing(&self, other: &Self) -> Option<[DVec3; 2]> {
        let through = |edge: &Segment, face: &Self| {
            let (a, b) = face.closest_points_to_segment(edge);
            ((a.point - b.point).length_squared(), a.point, b.point)
        };
        let ours = self.edges().map(|edge| through(&edge, other));
        let theirs = other.edges().map(|edge| through(&edge, self)).map(|(square, a, b)| (square, b, a));
        ours.into_iter().chain(theirs).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, a, b)| [a, b])
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;
    use crate::shape::convex_distance;

    fn triangle(n: &[f64]) -> Triangle {
        Triangle::new(dvec3(n[0], n[1], n[2]), dvec3(n[3], n[4], n[5]), dvec3(n[6], n[7], n[8])).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn is_what_the_distance_of_convex_shapes_is(
            a in prop::array::uniform9(-1.0..1.0f64), b in prop::array::uniform9(-1.0..1.0f64), far in 0.0..3.0f64,
        ) {
            let (a, b) = (triangle(&a), triangle(&b));
            let moved = Triangle::new(b.corners()[0] + far, b.corners()[1] + far, b.corners()[2] + far).unwrap();
            let expected = convex_distance(&a, &moved, DVec3::ZERO);
            let found = a.distance_to_triangle(&moved);
            prop_assert!(found.distance >= expected.lower - 1e-12 && found.distance <= expected.upper + 1e-12);
            prop_assert!(((found.point - found.other_point).length() - found.distance).abs() < 1e-9);
            prop_assert!(a.distance(found.point) < 1e-9 && moved.distance(found.other_point) < 1e-9);
        }
    }
}
