//! Triangle.
//!
//! Error: nearest points as in `outline`; the normal to a few unit roundoffs over the sine of the widest
//! angle, and never so that the plane leaves the corners by more than rounding. The order of the corners
//! changes no bit of a nearest point.

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, extent};
use super::{Aabb, Plane, Segment, SegmentPoint, ShapeError, SurfacePoint, finite, outline, ray};
use crate::num::ops;
use crate::num::point_order::lower;

/// Three corners. Counter-clockwise as seen from its front. One without area is legal: it acts as the segment
/// or point that it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Triangle", into = "super::wire::Triangle"))]
pub struct Triangle {
    corners: [DVec3; 3],
}

impl Triangle {
    /// The triangle with these corners, in meters.
    ///
    /// # Errors
    /// A corner that is not finite.
    pub fn new(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { corners: [finite(a, "a")?, finite(b, "b")?, finite(c, "c")?] })
    }

    /// A triangle whose corners are known to be finite.
    pub(super) fn of(corners: [DVec3; 3]) -> Self {
        Self { corners }
    }

    /// The three corners, in meters.
    pub fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { corners: self.corners.map(|v| v * factor) }
    }

    /// Edge `i` runs from corner `i` to the next.
    pub fn edges(&self) -> [Segment; 3] {
        let [a, b, c] = self.corners;
        [Segment::between(a, b), Segment::between(b, c), Segment::between(c, a)]
    }

    /// The smallest box around the triangle.
    pub fn bounds(&self) -> Aabb {
        outline::bounds(&self.corners)
    }

    /// The largest sum of absolute coordinates of a corner.
    pub(super) fn extent(&self) -> f64 {
        extent(&self.corners)
    }

    /// The cross product of two edges: along the normal, twice the area long. None where rounding has eaten
    /// it, that is below 16 unit roundoffs of the product of the two shorter edges.
    ///
    /// Of the three corners the one opposite the longest edge loses least. The part that rounding still put
    /// along that edge is taken out: the plane may then only roll about the longest edge, and the third
    /// corner is too near to it to be left behind.
    pub(super) fn area_vector(&self) -> Option<DVec3> {
        let [a, b, c] = self.corners;
        let opposite = [(c - b).length_squared(), (a - c).length_squared(), (b - a).length_squared()];
        let mut apex = 0;
        for i in 1..3 {
            let tied = opposite[i] == opposite[apex] && lower(self.corners[i], self.corners[apex]);
            if opposite[i] > opposite[apex] || tied {
                apex = i;
            }
        }
        let first = self.corners[(apex + 1) % 3] - self.corners[apex];
        let second = self.corners[(apex + 2) % 3] - self.corners[apex];
        let cross = first.cross(second);
        let least = 16.0 * UNIT_ROUNDOFF;
        if cross.length_squared() <= least * least * (first.length_squared() * second.length_squared()) {
            return None;
        }
        let long = second - first;
        Some(cross - long * (cross.dot(long) / long.length_squared()))
    }

    /// The unit normal, towards the side from which the corners run counter-clockwise. None for a triangle
    /// without area: one whose sine of the widest angle is at most 16 unit roundoffs.
    pub fn normal(&self) -> Option<DVec3> {
        self.area_vector().map(|n| n / ops::sqrt(n.length_squared()))
    }

    /// The plane of the triangle, facing along its normal.
    pub fn plane(&self) -> Option<Plane> {
        Plane::new(self.corners[0], self.normal()?).ok()
    }

    /// The area, in square meters.
    pub fn area(&self) -> f64 {
        self.area_vector().map_or(0.0, |n| 0.5 * ops::sqrt(n.length_squared()))
    }

    /// The corner farthest along `direction`; of several equally far, the highest in lexicographic order.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        outline::support(&self.corners, direction)
    }

    /// The point of the triangle nearest to `p`, and the part of it where that lies.
    ///
    /// ```
    /// use carom::shape::{Region, Triangle};
    /// use glam::{DVec3, dvec3};
    /// let t = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
    /// let above = t.closest_point(dvec3(1.0, 1.0, 5.0));
    /// assert_eq!((above.point, above.region), (dvec3(1.0, 1.0, 0.0), Region::Face));
    /// let beside = t.closest_point(dvec3(2.0, -1.0, 0.0));
    /// assert_eq!((beside.point, beside.region), (dvec3(2.0, 0.0, 0.0), Region::Edge(0)));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_point(&self, p: DVec3) -> SurfacePoint {
        outline::closest(&self.corners, self.area_vector(), p)
    }

    /// The distance of `p` from the triangle, in meters.
    pub fn distance(&self, p: DVec3) -> f64 {
        ops::sqrt((self.closest_point(p).point - p).length_squared())
    }

    /// The points in which a segment and the triangle come nearest to each other; the same point where they
    /// cross.
    pub fn closest_points_to_segment(&self, segment: &Segment) -> (SegmentPoint, SurfacePoint) {
        outline::closest_points_to_segment(&self.corners, self.area_vector(), segment)
    }

    /// The weights of the three corners that give the foot of `p` on the triangle's plane; their sum is 1.
    /// Inside the triangle none is negative. None for a triangle without area.
    pub fn barycentric(&self, p: DVec3) -> Option<DVec3> {
        let normal = self.area_vector()?;
        let [a, b, c] = self.corners.map(|corner| corner - p);
        let area_squared = normal.length_squared();
        let weight = |from: DVec3, to: DVec3| normal.dot(from.cross(to)) / area_squared;
        let weights = DVec3::new(weight(b, c), weight(c, a), weight(a, b));
        Some(weights / (weights.x + weights.y + weights.z))
    }

    /// Whether the foot of `p` on the triangle's plane lies in the triangle, edges included to within
    /// rounding. Of a triangle without area: whether `p` lies on the segment or point that it is.
    ///
    /// By the signs of the barycentric coordinates. The sum of the angles to the corners, which old articles
    /// compare with a full turn, needs three arc cosines: other bits on other machines, half of the digits
    /// lost near the edges where the cosine is flat, and a tolerance that has no reason.
    ///
    /// ```
    /// use carom::shape::Triangle;
    /// use glam::{DVec3, dvec3};
    /// let t = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
    /// assert!(t.contains_point(dvec3(1.0, 1.0, 0.0)));
    /// assert!(t.contains_point(dvec3(2.0, 2.0, 0.0)));
    /// assert!(!t.contains_point(dvec3(2.0, 2.1, 0.0)));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn contains_point(&self, p: DVec3) -> bool {
        match self.area_vector() {
            Some(normal) => outline::contains_foot(&self.corners, normal, p),
            None => {
                let rounding = 8.0 * UNIT_ROUNDOFF * self.extent();
                (outline::closest_on_ring(&self.corners, p).1) <= rounding * rounding
            }
        }
    }

    /// Whether the plane touches or cuts the triangle, to within rounding.
    pub fn overlaps_plane(&self, plane: &Plane) -> bool {
        plane.cuts_hull_of(&self.corners)
    }

    /// The fraction of `translation` after which a point from `from` passes through the triangle, from either
    /// side.
    ///
    /// No ray slips between two triangles that share an edge. One in the plane of the triangle passes through
    /// nothing.
    ///
    /// ```
    /// use carom::shape::Triangle;
    /// use glam::{DVec3, dvec3};
    /// let t = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
    /// assert_eq!(t.ray(dvec3(1.0, 1.0, 1.0), dvec3(0.0, 0.0, -4.0)), Some(0.25));
    /// assert_eq!(t.ray(dvec3(3.0, 3.0, 1.0), dvec3(0.0, 0.0, -4.0)), None);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        ray::outline(&self.corners, self.area_vector()?, from, translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Region;
    use glam::dvec3;

    fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Triangle {
        Triangle::new(a, b, c).unwrap()
    }

    #[test]
    fn a_triangle_without_area_is_its_segment_or_point() {
        let line = triangle(DVec3::ZERO, DVec3::X, DVec3::X * 3.0);
        assert_eq!((line.normal(), line.plane(), line.area()), (None, None, 0.0));
        assert_eq!(line.closest_point(dvec3(2.0, 5.0, 0.0)).point, dvec3(2.0, 0.0, 0.0));
        assert!(line.contains_point(DVec3::X * 2.0) && !line.contains_point(dvec3(2.0, 1e-9, 0.0)));
        let doubled = triangle(DVec3::ONE, DVec3::ONE, DVec3::ZERO);
        assert_eq!(doubled.closest_point(dvec3(0.5, 0.5, 0.5)).point, DVec3::splat(0.5));
        let point = triangle(DVec3::ONE, DVec3::ONE, DVec3::ONE);
        assert_eq!(point.closest_point(DVec3::ZERO).point, DVec3::ONE);
        assert_eq!(point.normal(), None);
    }

    #[test]
    fn corners_edges_and_the_face_are_distinguished() {
        let t = triangle(DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0);
        assert_eq!(t.closest_point(dvec3(-1.0, -1.0, 2.0)).region, Region::Vertex(0));
        assert_eq!(t.closest_point(dvec3(9.0, -1.0, 2.0)).region, Region::Vertex(1));
        assert_eq!(t.closest_point(dvec3(3.0, 3.0, 2.0)).region, Region::Edge(1));
        assert_eq!(t.closest_point(dvec3(-1.0, 2.0, 2.0)).region, Region::Edge(2));
        assert_eq!(t.closest_point(dvec3(1.0, 1.0, -2.0)).region, Region::Face);
    }

    #[test]
    fn a_sliver_keeps_its_plane_through_all_corners() {
        let t = triangle(DVec3::ZERO, dvec3(10.0, 1.0, 3.0), dvec3(7.0, 0.7 + 3e-13, 2.1));
        let n = t.normal().unwrap();
        assert!(t.corners().iter().all(|&corner| n.dot(corner).abs() < 1e-14));
    }

    #[test]
    fn a_sliver_of_ten_meters_does_not_lose_its_nearest_point() {
        // Region walks are off by 0.67 m here: their normal is all rounding.
        let t = triangle(DVec3::ZERO, DVec3::X * 10.0, dvec3(5.0, 1e-7, 0.0));
        let p = dvec3(3.0, 2.0, 1.0);
        let expected = ops::sqrt((dvec3(3.0, 0.0, 0.0) - p).length_squared());
        assert!((t.distance(p) - expected).abs() < 2e-7);
    }

    #[test]
    fn barycentric_weights_give_the_foot_back() {
        let t = triangle(dvec3(1.0, 2.0, 3.0), dvec3(-4.0, 0.5, 2.0), dvec3(2.0, 2.0, -6.0));
        let [a, b, c] = t.corners();
        let p = a * 0.25 + b * 0.25 + c * 0.5 + t.normal().unwrap() * 3.0;
        let weights = t.barycentric(p).unwrap();
        assert!((weights - dvec3(0.25, 0.25, 0.5)).length_squared() < 1e-30);
    }

    #[test]
    fn a_segment_through_the_face_touches_it() {
        let t = triangle(DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0);
        let s = Segment::new(dvec3(1.0, 1.0, 1.0), dvec3(1.0, 1.0, -3.0)).unwrap();
        let (on_segment, on_face) = t.closest_points_to_segment(&s);
        assert_eq!((on_segment.along, on_segment.point), (0.25, dvec3(1.0, 1.0, 0.0)));
        assert_eq!((on_face.point, on_face.region), (dvec3(1.0, 1.0, 0.0), Region::Face));
        let s = Segment::new(dvec3(-1.0, 2.0, -3.0), dvec3(-1.0, 2.0, 3.0)).unwrap();
        let (on_segment, on_edge) = t.closest_points_to_segment(&s);
        assert_eq!((on_segment.along, on_edge.region), (0.5, Region::Edge(2)));
    }
}
