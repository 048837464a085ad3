//! Convex polygon.
//!
//! Source: the normal by Newell's sum, relative to one corner. The checks are pairwise, corner against edge:
//! a star, an outline that runs round twice and one that is convex only corner by corner are all refused.
//! Error: a corner may be off by [`SLOP`] of the largest coordinate, which is what rounding and one cut
//! leave; nearest points are off by that and what `outline` says. Cost: checking n corners takes n² products,
//! every query n.

use alloc::vec::Vec;

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, extent, largest, unit, unit_scale};
use super::{Aabb, Plane, Segment, SegmentPoint, ShapeError, SurfacePoint, finite, outline, ray};
use crate::num::ops;
use crate::num::point_order::lower;

/// The error of a corner, relative to the largest coordinate: 1 unit roundoff for being rounded, 8 for being
/// turned, and 230 for being cut by a plane that meets its edge at 1° or more (1 / sin 1° × 4). Rounded up to
/// a power of two.
const SLOP: f64 = 256.0 * UNIT_ROUNDOFF;

/// A flat convex outline of three or more corners, counter-clockwise as seen from its front. Corners in line
/// are legal.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::wire::ConvexPolygon", into = "super::wire::ConvexPolygon")
)]
pub struct ConvexPolygon {
    vertices: Vec<DVec3>,
    normal: DVec3,
}

impl ConvexPolygon {
    /// The polygon with these corners in order, in meters.
    ///
    /// Corners may be off the plane and the convex outline by 256 unit roundoffs (3 × 10⁻¹⁴) of the largest
    /// coordinate.
    ///
    /// # Errors
    /// Fewer than three corners, a corner that is not finite, corners off one plane, an outline that turns
    /// inward or runs round more than once, no area.
    pub fn new(mut vertices: Vec<DVec3>) -> Result<Self, ShapeError> {
        if vertices.len() < 3 {
            return Err(ShapeError::TooFewVertices(vertices.len()));
        }
        for vertex in &mut vertices {
            *vertex = finite(*vertex, "vertex")?;
        }
        let largest = vertices.iter().fold(0.0f64, |most, &v| most.max(largest(v)));
        // Checked at a size near 1: the squares of coordinates of any size stay in range, and a power of two
        // rounds nothing.
        let scale = unit_scale(largest);
        let scaled: Vec<DVec3> = vertices.iter().map(|&v| v * scale).collect();
        let slop = SLOP * (largest * scale);
        let newell = newell(&scaled);
        let normal = unit(newell).ok_or(ShapeError::NoArea)?;
        // Twice the area: if no higher than the slop over its whole outline, which side is which is rounding.
        let outline: f64 = outline::edges(&scaled).map(|(_, a, b)| length(b - a)).sum();
        if length(newell) <= slop * outline {
            return Err(ShapeError::NoArea);
        }
        check_flat(&scaled, normal, slop)?;
        check_convex(&scaled, normal, slop)?;
        Ok(Self { vertices, normal })
    }

    /// The corners, in meters.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The unit normal, towards the side from which the corners run counter-clockwise.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { vertices: self.vertices.iter().map(|v| *v * factor).collect(), ..*self }
    }

    /// The plane of the polygon, facing along its normal: midway between the corners that lie farthest to
    /// either side.
    pub fn plane(&self) -> Plane {
        let (low, high) = self.vertices.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            // An eighth of it: three coordinates near the end of the range would overflow, their sum and
            // twice that.
            let distance = self.normal.dot(v * 0.125);
            (low.min(distance), high.max(distance))
        });
        Plane::of_unit(self.normal, 4.0 * (low + high))
    }

    /// Edge `i` runs from corner `i` to the next.
    pub fn edges(&self) -> impl Iterator<Item = Segment> {
        outline::edges(&self.vertices).map(|(_, a, b)| Segment::between(a, b))
    }

    /// The area, in square meters.
    pub fn area(&self) -> f64 {
        0.5 * length(newell(&self.vertices))
    }

    /// The smallest box around the polygon.
    pub fn bounds(&self) -> Aabb {
        outline::bounds(&self.vertices)
    }

    /// The largest sum of absolute coordinates of a corner.
    pub(super) fn extent(&self) -> f64 {
        extent(&self.vertices)
    }

    /// The corner farthest along `direction`; of several equally far, the highest in lexicographic order.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        outline::support(&self.vertices, direction)
    }

    /// The point of the polygon nearest to `p`, and the part of it where that lies.
    pub fn closest_point(&self, p: DVec3) -> SurfacePoint {
        outline::closest(&self.vertices, Some(self.normal), p)
    }

    /// The point of the outline nearest to `p`, even if `p` is above the face.
    ///
    /// ```
    /// use carom::shape::{ConvexPolygon, Region};
    /// use glam::dvec3;
    /// let tile = ConvexPolygon::new(vec![
    ///     dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0), dvec3(4.0, 4.0, 0.0), dvec3(0.0, 4.0, 0.0),
    /// ])?;
    /// let p = dvec3(3.0, 2.0, 7.0);
    /// assert_eq!(tile.closest_point(p).point, dvec3(3.0, 2.0, 0.0));
    /// let rim = tile.closest_perimeter_point(p);
    /// assert_eq!((rim.point, rim.region), (dvec3(4.0, 2.0, 0.0), Region::Edge(1)));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_perimeter_point(&self, p: DVec3) -> SurfacePoint {
        outline::closest_on_ring(&self.vertices, p).0
    }

    /// The distance of `p` from the polygon, in meters.
    pub fn distance(&self, p: DVec3) -> f64 {
        length(self.closest_point(p).point - p)
    }

    /// The points in which a segment and the polygon come nearest to each other; the same point where they
    /// cross.
    pub fn closest_points_to_segment(&self, segment: &Segment) -> (SegmentPoint, SurfacePoint) {
        outline::closest_points_to_segment(&self.vertices, Some(self.normal), segment)
    }

    /// Whether the foot of `p` on the polygon's plane lies in the polygon, its outline included to within
    /// rounding.
    pub fn contains_point(&self, p: DVec3) -> bool {
        outline::contains_foot(&self.vertices, self.normal, p)
    }

    /// Whether the plane touches or cuts the polygon, to within rounding.
    pub fn overlaps_plane(&self, plane: &Plane) -> bool {
        plane.cuts_hull_of(&self.vertices)
    }

    /// The fraction of `translation` after which a point from `from` passes through the polygon, from either
    /// side. A line in the plane of the polygon passes through nothing.
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        ray::outline(&self.vertices, self.normal, from, translation)
    }
}

fn length(v: DVec3) -> f64 {
    ops::sqrt(v.length_squared())
}

/// Newell's sum: along the normal, twice the area long. It begins at the lowest corner, so that where the
/// outline is taken up changes no bit, and is relative to it, so that a place far from the origin costs no
/// digits.
///
/// The sum of a thin polygon carries the rounding of its length. Freed of any part along a longest chord the
/// plane can only roll about that chord, and no corner is so far from it that this lifts it by more than
/// rounding.
fn newell(vertices: &[DVec3]) -> DVec3 {
    let start = (0..vertices.len()).fold(0, |low, i| if lower(vertices[i], vertices[low]) { i } else { low });
    let corner = |i: usize| vertices[(start + i) % vertices.len()] - vertices[start];
    let sum = (1..vertices.len() - 1).fold(DVec3::ZERO, |sum, i| sum + corner(i).cross(corner(i + 1)));
    // From the corner farthest from the first to the one farthest from that: at least a third of the longest
    // there is.
    let farthest = |from: DVec3| {
        vertices.iter().fold(DVec3::ZERO, |chord, &v| {
            if (v - from).length_squared() > chord.length_squared() { v - from } else { chord }
        })
    };
    let chord = farthest(vertices[start] + farthest(vertices[start]));
    let squared = chord.length_squared();
    if squared > 0.0 { sum - chord * (sum.dot(chord) / squared) } else { sum }
}

/// Every corner within the slop of the plane midway between the farthest.
fn check_flat(vertices: &[DVec3], normal: DVec3, slop: f64) -> Result<(), ShapeError> {
    let heights = || vertices.iter().map(|&v| normal.dot(v - vertices[0]));
    let (low, high) = heights().fold((0.0f64, 0.0f64), |(low, high), h| (low.min(h), high.max(h)));
    let middle = 0.5 * (low + high);
    match heights().position(|h| (h - middle).abs() > slop) {
        Some(i) => Err(ShapeError::NotPlanar(i)),
        None => Ok(()),
    }
}

/// Every corner on the inner side of every edge, and the corners in order about the first one.
fn check_convex(vertices: &[DVec3], normal: DVec3, slop: f64) -> Result<(), ShapeError> {
    // Twice the area of a, b, v. Corners that move by the slop each change it by this much at most.
    let turns_inward = |a: DVec3, b: DVec3, v: DVec3| {
        let area = normal.dot((b - a).cross(v - a));
        area < -slop * (length(b - a) + 2.0 * length(v - a))
    };
    for (i, a, b) in outline::edges(vertices) {
        if vertices.iter().any(|&v| turns_inward(a, b, v)) {
            return Err(ShapeError::NotConvex((i + 1) % vertices.len()));
        }
    }
    for i in 1..vertices.len() {
        if let Some(j) =
            (i + 1..vertices.len()).find(|&j| turns_inward(vertices[0], vertices[i], vertices[j]))
        {
            return Err(ShapeError::NotConvex(j));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Region;
    use alloc::vec;
    use glam::{DQuat, dvec3};

    fn ring(points: &[(f64, f64)]) -> Vec<DVec3> {
        points.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect()
    }

    #[test]
    fn a_square_faces_the_way_its_corners_turn() {
        let square = ConvexPolygon::new(ring(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])).unwrap();
        assert_eq!((square.normal(), square.area()), (DVec3::Z, 4.0));
        let turned = ConvexPolygon::new(ring(&[(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)])).unwrap();
        assert_eq!(turned.normal(), -DVec3::Z);
    }

    #[test]
    fn corners_in_line_and_doubled_corners_are_legal() {
        let points = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (0.0, 1.0)];
        let polygon = ConvexPolygon::new(ring(&points)).unwrap();
        assert_eq!(polygon.closest_perimeter_point(dvec3(1.5, -1.0, 0.0)).region, Region::Edge(1));
        assert!(
            polygon.contains_point(dvec3(0.0, 1.5, 3.0)) && !polygon.contains_point(dvec3(-1e-9, 1.5, 3.0))
        );
    }

    #[test]
    fn what_is_not_a_convex_polygon_is_refused_by_name() {
        assert_eq!(ConvexPolygon::new(vec![DVec3::ZERO; 2]), Err(ShapeError::TooFewVertices(2)));
        assert_eq!(ConvexPolygon::new(vec![DVec3::ZERO; 5]), Err(ShapeError::NoArea));
        assert_eq!(ConvexPolygon::new(ring(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)])), Err(ShapeError::NoArea));
        let nan = vec![DVec3::ZERO, DVec3::X, DVec3::NAN];
        assert_eq!(ConvexPolygon::new(nan), Err(ShapeError::NotFinite("vertex")));
        let dent = ring(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 1.0)]);
        assert!(matches!(ConvexPolygon::new(dent), Err(ShapeError::NotConvex(_))));
        let mut bent = ring(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
        bent[2].z = 1e-9;
        assert!(matches!(ConvexPolygon::new(bent), Err(ShapeError::NotPlanar(_))));
    }

    #[test]
    fn a_star_and_an_outline_run_twice_are_refused() {
        let star: Vec<DVec3> = (0..5)
            .map(|i| {
                let (y, x) = ops::sin_cos(f64::from(2 * i % 5) * core::f64::consts::TAU / 5.0);
                dvec3(x, y, 0.0)
            })
            .collect();
        assert!(matches!(ConvexPolygon::new(star), Err(ShapeError::NotConvex(_))));
        let twice = ring(&[(0.0, 0.0), (2.0, 0.0), (1.0, 2.0), (0.0, 0.0), (2.0, 0.0), (1.0, 2.0)]);
        assert!(matches!(ConvexPolygon::new(twice), Err(ShapeError::NotConvex(_))));
    }

    #[test]
    fn a_polygon_turned_anywhere_in_the_world_still_passes() {
        for i in 0..200 {
            let turn =
                ops::rotation_about(dvec3(1.0, f64::from(i), -2.0), f64::from(i) * 0.1) * DQuat::IDENTITY;
            let shift = dvec3(1e3, -1e4, 10.0) * f64::from(i % 7);
            let n = 3 + i % 30;
            let corners = (0..n)
                .map(|k| {
                    let (y, x) = ops::sin_cos(f64::from(k) * core::f64::consts::TAU / f64::from(n));
                    turn * dvec3(x * 3.0, 0.0, -y) + shift
                })
                .collect();
            let polygon = ConvexPolygon::new(corners).unwrap();
            assert!((polygon.normal() - turn * DVec3::Y).length_squared() < 1e-20);
            assert!((polygon.plane().signed_distance(shift)).abs() < 1e-10);
        }
    }

    #[test]
    fn where_the_outline_is_taken_up_changes_no_bit() {
        let corners: Vec<DVec3> = ring(&[(0.1, 0.2), (2.3, 0.1), (3.1, 1.7), (1.9, 2.9)])
            .iter()
            .map(|v| dvec3(v.x, v.y, 0.0))
            .collect();
        let first = ConvexPolygon::new(corners.clone()).unwrap();
        for k in 1..4 {
            let mut turned = corners.clone();
            turned.rotate_left(k);
            let other = ConvexPolygon::new(turned).unwrap();
            assert_eq!((first.normal(), first.area()), (other.normal(), other.area()));
            let p = dvec3(2.0, 7.0, 1.0);
            assert_eq!(first.closest_point(p).point, other.closest_point(p).point);
        }
    }
}
