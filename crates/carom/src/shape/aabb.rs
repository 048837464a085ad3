//! Axis-aligned box.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 5.1.3 (closest point by clamping) and 5.3.3 (ray by
//! slabs). Error: clamping, containing and overlapping are exact; distances and fractions to a few ulp. Cost:
//! a dozen comparisons.

use glam::DVec3;

use super::ray::slabs;
use super::rounding::{direction_or_up, sum_down_each, sum_up_each};
use super::{Plane, ShapeError, finite};
use crate::num::ops;

/// An axis-aligned box of its frame, faces included.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Aabb", into = "super::wire::Aabb"))]
pub struct Aabb {
    min: DVec3,
    max: DVec3,
}

impl Aabb {
    /// The box between two corners, in meters.
    ///
    /// # Errors
    /// A corner that is not finite, or a `min` above `max` on any axis.
    pub fn new(min: DVec3, max: DVec3) -> Result<Self, ShapeError> {
        let (min, max) = (finite(min, "min")?, finite(max, "max")?);
        if min.cmple(max).all() { Ok(Self { min, max }) } else { Err(ShapeError::MinAboveMax) }
    }

    /// The smallest box around some points; `None` if there are none or one of them is not finite.
    pub fn enclosing(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = finite(points.next()?, "point").ok()?;
        points.try_fold(Self { min: first, max: first }, |bounds, p| {
            let p = finite(p, "point").ok()?;
            Some(Self { min: bounds.min.min(p), max: bounds.max.max(p) })
        })
    }

    /// The box between two corners that are known to be finite and in order.
    pub(super) fn spanning(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// The box about the origin that reaches `half` to both sides.
    pub(super) fn symmetric(half: DVec3) -> Self {
        Self { min: -half, max: half }
    }

    /// The lower corner.
    pub fn min(&self) -> DVec3 {
        self.min
    }

    /// The upper corner.
    pub fn max(&self) -> DVec3 {
        self.max
    }

    /// The middle, to half an ulp.
    pub fn center(&self) -> DVec3 {
        // Halved first: the sum of two large corners would overflow.
        self.min * 0.5 + self.max * 0.5
    }

    /// Half the size, rounded outward: the box from `center − half_extents` to `center + half_extents` covers
    /// this one.
    pub fn half_extents(&self) -> DVec3 {
        let center = self.center();
        sum_up_each(self.max, -center).max(sum_up_each(center, -self.min))
    }

    /// The eight corners. Bit 0 of the index is set for the upper x, bit 1 for y, bit 2 for z.
    pub fn corners(&self) -> [DVec3; 8] {
        core::array::from_fn(|i| {
            DVec3::new(
                if i & 1 == 0 { self.min.x } else { self.max.x },
                if i & 2 == 0 { self.min.y } else { self.max.y },
                if i & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        let size = self.max - self.min;
        size.x * size.y * size.z
    }

    /// The area of all six faces, in square meters.
    pub fn surface_area(&self) -> f64 {
        let size = self.max - self.min;
        2.0 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The intersection of both boxes; a face, an edge or a corner where they only touch.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        self.overlaps_aabb(other).then(|| Self { min: self.min.max(other.min), max: self.max.min(other.max) })
    }

    /// The box moved by `offset`, rounded outward. If it would leave the range of f64, it ends at the largest
    /// finite number.
    pub fn translated(&self, offset: DVec3) -> Self {
        Self { min: sum_down_each(self.min, offset), max: sum_up_each(self.max, offset) }
    }

    /// The box with every face moved outward by `margin` meters, rounded outward. A negative margin counts as
    /// 0.
    pub fn grown(&self, margin: f64) -> Self {
        let margin = DVec3::splat(margin.max(0.0));
        Self { min: sum_down_each(self.min, -margin), max: sum_up_each(self.max, margin) }
    }

    /// The box that covers this one along the whole `translation`, rounded outward.
    pub fn swept(&self, translation: DVec3) -> Self {
        Self {
            min: sum_down_each(self.min, translation.min(DVec3::ZERO)),
            max: sum_up_each(self.max, translation.max(DVec3::ZERO)),
        }
    }

    /// Whether the point lies in the box, faces included.
    pub fn contains(&self, p: DVec3) -> bool {
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }

    /// Whether this box contains the whole other box.
    pub fn contains_aabb(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Whether two boxes share a point. Exact; touching counts.
    pub fn overlaps_aabb(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether the plane touches or cuts the box, to within rounding.
    pub fn overlaps_plane(&self, plane: &Plane) -> bool {
        // The lowest and the highest corner say it for all.
        plane.cuts_hull_of(&[self.support_point(-plane.normal()), self.support_point(plane.normal())])
    }

    /// The point of the box nearest to `p`: `p` itself if it is inside.
    ///
    /// ```
    /// use carom::shape::Aabb;
    /// use glam::{DVec3, dvec3};
    /// let crate_ = Aabb::new(DVec3::ZERO, dvec3(1.0, 2.0, 3.0))?;
    /// assert_eq!(crate_.closest_point(dvec3(5.0, 1.0, -1.0)), dvec3(1.0, 1.0, 0.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        p.max(self.min).min(self.max)
    }

    /// The point of the surface nearest to `p`. Among equally near faces from inside: x before y before z,
    /// lower before upper.
    pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        if !self.contains(p) {
            return self.closest_point(p);
        }
        let (low, high) = (p - self.min, self.max - p);
        let mut point = p;
        let least = low.min_element().min(high.min_element());
        for axis in 0..3 {
            if low[axis] == least {
                point[axis] = self.min[axis];
                return point;
            }
            if high[axis] == least {
                point[axis] = self.max[axis];
                return point;
            }
        }
        point
    }

    /// The distance of `p` from the surface, in meters; negative inside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        let beyond = (self.min - p).max(p - self.max);
        let deepest = beyond.max_element();
        if deepest <= 0.0 { deepest } else { ops::sqrt(beyond.max(DVec3::ZERO).length_squared()) }
    }

    /// The corner farthest along `direction`; the upper one on axes along which the direction has no
    /// component.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction_or_up(direction).cmplt(DVec3::ZERO), self.min, self.max)
    }

    /// The fraction of `translation` after which a point from `from` is first in the box: 0 if it starts
    /// there.
    ///
    /// ```
    /// use carom::shape::Aabb;
    /// use glam::{DVec3, dvec3};
    /// let crate_ = Aabb::new(DVec3::ZERO, DVec3::ONE)?;
    /// assert_eq!(crate_.ray(dvec3(-1.0, 0.5, 0.5), dvec3(4.0, 0.0, 0.0)), Some(0.25));
    /// assert_eq!(crate_.ray(dvec3(-1.0, 0.5, 0.5), dvec3(0.5, 0.0, 0.0)), None);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        slabs(self.min - from, self.max - from, translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn unit_box() -> Aabb {
        Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap()
    }

    #[test]
    fn touching_boxes_overlap_in_what_they_share() {
        let other = unit_box().translated(DVec3::X);
        assert!(unit_box().overlaps_aabb(&other));
        let shared = unit_box().intersection(&other).unwrap();
        assert_eq!((shared.min(), shared.max()), (DVec3::X, DVec3::ONE));
        assert_eq!(unit_box().intersection(&unit_box().translated(DVec3::X * (1.0 + f64::EPSILON))), None);
    }

    #[test]
    fn center_and_half_extents_cover_the_box() {
        let b = Aabb::new(dvec3(0.1, -3.7, 1e-20), dvec3(0.3, 1e9, 1.0)).unwrap();
        let (c, h) = (b.center(), b.half_extents());
        assert!((c - h).cmple(b.min()).all() && (c + h).cmpge(b.max()).all());
    }

    #[test]
    fn distance_is_negative_inside_and_zero_on_a_face() {
        assert_eq!(unit_box().signed_distance(DVec3::splat(0.5)), -0.5);
        assert_eq!(unit_box().signed_distance(dvec3(0.5, 1.0, 0.5)), 0.0);
        assert_eq!(unit_box().signed_distance(dvec3(4.0, 5.0, 0.5)), 5.0);
        assert_eq!(unit_box().closest_surface_point(dvec3(0.5, 0.75, 0.5)), dvec3(0.5, 1.0, 0.5));
    }

    #[test]
    fn a_ray_that_starts_inside_is_there_at_once_and_one_along_a_face_touches() {
        assert_eq!(unit_box().ray(DVec3::splat(0.5), DVec3::X), Some(0.0));
        assert_eq!(unit_box().ray(dvec3(-1.0, 1.0, 0.5), DVec3::X * 2.0), Some(0.5));
        assert_eq!(unit_box().ray(dvec3(-1.0, 1.5, 0.5), DVec3::X * 2.0), None);
        assert_eq!(unit_box().ray(dvec3(2.0, 0.5, 0.5), DVec3::X), None);
    }

    #[test]
    fn a_plane_that_touches_a_corner_overlaps() {
        let plane = |d: f64| Plane::new(DVec3::splat(d), DVec3::ONE).unwrap();
        assert!(unit_box().overlaps_plane(&plane(1.0)) && unit_box().overlaps_plane(&plane(0.0)));
        assert!(!unit_box().overlaps_plane(&plane(1.0001)) && !unit_box().overlaps_plane(&plane(-0.0001)));
    }

    #[test]
    fn what_surrounds_points_refuses_none_and_nan() {
        assert_eq!(Aabb::enclosing([]), None);
        assert_eq!(Aabb::enclosing([DVec3::ZERO, DVec3::NAN]), None);
        assert_eq!(Aabb::enclosing([DVec3::ONE, DVec3::ZERO]), Some(unit_box()));
    }
}
