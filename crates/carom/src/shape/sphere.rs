//! Sphere.
//!
//! Error: a few unit roundoffs of the lengths given. Overlaps say "apart" only where rounding cannot have
//! made it so.

use core::f64::consts::PI;

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, reach, unit};
use super::{Aabb, ConvexPolygon, Plane, ShapeError, Triangle, positive, ray};
use crate::num::ops;

/// All points within `radius` of its center. A circle is a sphere in a plane: keep z at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Sphere", into = "super::wire::Sphere"))]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere of this radius, in meters.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: positive(radius, "radius")? })
    }

    /// A sphere whose radius is known to be positive; one that overflowed ends at the largest finite number.
    pub(super) fn of(radius: f64) -> Self {
        Self { radius: radius.min(f64::MAX) }
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radius: self.radius * factor }
    }

    /// The radius, in meters.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius * self.radius * self.radius
    }

    /// The area of the surface, in square meters.
    pub fn surface_area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    /// The smallest box around the sphere, relative to its center. Exact.
    pub fn bounds(&self) -> Aabb {
        Aabb::symmetric(DVec3::splat(self.radius))
    }

    /// Whether the point lies in the sphere, surface included.
    pub fn contains(&self, p: DVec3) -> bool {
        p.length_squared() <= self.radius * self.radius
    }

    /// The point of the sphere nearest to `p`: `p` itself if it is inside.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        if self.contains(p) { p } else { self.closest_surface_point(p) }
    }

    /// The point of the surface nearest to `p`; the top, for the center.
    pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        self.support_point(p)
    }

    /// The distance of `p` from the surface, in meters; negative inside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        ops::sqrt(p.length_squared()) - self.radius
    }

    /// The point of the surface that is farthest along `direction`; the top, for a direction of no length.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        unit(direction).unwrap_or(DVec3::Y) * self.radius
    }

    /// The plane that touches the sphere below `p`, facing outward; `None` for the center, which is below no
    /// point.
    ///
    /// ```
    /// use carom::shape::Sphere;
    /// use glam::{DVec3, dvec3};
    /// let tangent = Sphere::new(2.0)?.tangent_plane_at(dvec3(0.0, 0.0, 2.0)).unwrap();
    /// assert_eq!((tangent.normal(), tangent.distance()), (DVec3::Z, 2.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn tangent_plane_at(&self, p: DVec3) -> Option<Plane> {
        Plane::at_distance(unit(p)?, self.radius).ok()
    }

    /// The fraction of `translation` after which a point from `from` is first in the sphere: 0 if it starts
    /// there.
    ///
    /// ```
    /// use carom::shape::Sphere;
    /// use glam::dvec3;
    /// let ball = Sphere::new(1.0)?;
    /// assert_eq!(ball.ray(dvec3(-3.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0)), Some(0.5));
    /// assert_eq!(ball.ray(dvec3(-3.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0)), None);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        ray::ball(from, translation, self.radius)
    }

    /// The fractions of `translation` at which the whole straight line enters and leaves the sphere; they may
    /// lie outside 0 … 1. None for a line that misses, or of no length.
    pub fn line(&self, from: DVec3, translation: DVec3) -> Option<[f64; 2]> {
        ray::ball_fractions(from, translation, self.radius)
    }

    /// Whether two spheres share a point, without a square root. `offset` leads from this center to the
    /// other. Touching counts.
    ///
    /// ```
    /// use carom::shape::Sphere;
    /// use glam::dvec3;
    /// let (cue, eight) = (Sphere::new(2.0)?, Sphere::new(3.0)?);
    /// assert!(cue.overlaps_sphere(&eight, dvec3(3.0, 4.0, 0.0)));
    /// assert!(!cue.overlaps_sphere(&eight, dvec3(3.0, 4.0, 0.1)));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn overlaps_sphere(&self, other: &Self, offset: DVec3) -> bool {
        let sum = self.radius + other.radius;
        // Two squares, a sum and a product: 4 roundings each side at most.
        offset.length_squared() <= sum * sum * (1.0 + 8.0 * UNIT_ROUNDOFF)
    }

    /// Whether the plane touches or cuts the sphere. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    pub fn overlaps_plane(&self, plane: &Plane, offset: DVec3) -> bool {
        plane.cuts(offset, self.radius)
    }

    /// Whether the sphere and the triangle share a point. `offset` leads from the center to the origin of its
    /// coordinates.
    pub fn overlaps_triangle(&self, triangle: &Triangle, offset: DVec3) -> bool {
        let nearest = triangle.closest_point(-offset).point + offset;
        self.reaches(nearest, triangle.extent() + reach(offset))
    }

    /// Whether the sphere and the polygon share a point. `offset` leads from the center to the origin of its
    /// coordinates.
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon, offset: DVec3) -> bool {
        let nearest = polygon.closest_point(-offset).point + offset;
        self.reaches(nearest, polygon.extent() + reach(offset))
    }

    /// Whether the sphere and the box share a point. `offset` leads from the center to the origin of the
    /// box's coordinates.
    pub fn overlaps_aabb(&self, aabb: &Aabb, offset: DVec3) -> bool {
        let nearest = aabb.closest_point(-offset) + offset;
        self.reaches(nearest, reach(offset))
    }

    /// Whether the sphere reaches a point that may be off by rounding of coordinates of this size.
    pub(super) fn reaches(&self, p: DVec3, size: f64) -> bool {
        let radius = self.radius + 16.0 * UNIT_ROUNDOFF * (size + self.radius);
        p.length_squared() <= radius * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn ball(radius: f64) -> Sphere {
        Sphere::new(radius).unwrap()
    }

    #[test]
    fn every_point_has_a_nearest_one_on_the_surface() {
        assert_eq!(ball(2.0).closest_surface_point(dvec3(0.0, 0.0, -1e-310)), dvec3(0.0, 0.0, -2.0));
        assert_eq!(ball(2.0).closest_surface_point(DVec3::ZERO), dvec3(0.0, 2.0, 0.0));
        assert_eq!(ball(2.0).closest_point(DVec3::X), DVec3::X);
        assert_eq!(ball(2.0).closest_point(DVec3::X * 9.0), DVec3::X * 2.0);
        assert_eq!(ball(2.0).signed_distance(dvec3(0.0, 3.0, 4.0)), 3.0);
    }

    #[test]
    fn touching_counts_as_overlapping() {
        let b = ball(1.0);
        assert!(b.overlaps_aabb(&Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap(), DVec3::X));
        assert!(!b.overlaps_aabb(&Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap(), DVec3::X * 1.0001));
        assert!(b.overlaps_plane(&Plane::new(DVec3::Y, DVec3::Y).unwrap(), DVec3::ZERO));
        assert!(!b.overlaps_plane(&Plane::new(DVec3::Y, DVec3::Y).unwrap(), DVec3::Y * 1e-14));
        let t = Triangle::new(dvec3(-1.0, 0.0, -1.0), dvec3(1.0, 0.0, -1.0), dvec3(0.0, 0.0, 1.0)).unwrap();
        assert!(b.overlaps_triangle(&t, DVec3::Y) && b.overlaps_triangle(&t, -DVec3::Y));
        assert!(!b.overlaps_triangle(&t, DVec3::Y * (1.0 + 1e-13)));
    }

    #[test]
    fn the_center_has_no_tangent_plane() {
        assert_eq!(ball(1.0).tangent_plane_at(DVec3::ZERO), None);
    }
}
