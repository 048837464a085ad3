//! Ellipsoid of any orientation.
//!
//! `A = diag(1/r)·Rᵀ` maps the ellipsoid to the unit ball. Points and ways go there by A and come back by its
//! inverse; normals come back by the inverse transpose. Scaling a unit normal by the radii, as old articles
//! do, gives another vector. Error: 64 unit roundoffs of the lengths given, for the turn there and back;
//! overlaps that are asked in the unit ball allow for as much over the smallest radius, and say "apart" only
//! where rounding cannot have made it so.

use core::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::rounding::{TURN, direction_or_up, reach, transposed_mul, unit};
use super::{
    Aabb, Capsule, ConvexPolygon, Cuboid, Plane, ShapeError, Sphere, Triangle, convex_overlap,
    ellipsoid_distance, outline, positive, ray, unit_rotation,
};
use crate::num::ops;

/// A ball stretched by three radii along its own axes, and turned.
///
/// The radii should be within a factor of 2¹⁰⁰ of each other: beyond that their squares leave the range of
/// f64.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Ellipsoid", into = "super::wire::Ellipsoid"))]
pub struct Ellipsoid {
    radii: DVec3,
    rotation: DQuat,
}

/// The two points of an ellipsoid where its surface is parallel to a plane, relative to its center, in
/// meters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtremePoints {
    /// The one on the side of the plane: what touches first when the ellipsoid moves towards it.
    pub nearest: DVec3,
    /// The opposite one.
    pub farthest: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid with these radii, in meters, along x, y and z.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0.
    pub fn new(radii: DVec3) -> Result<Self, ShapeError> {
        positive(radii.x, "radii.x")?;
        positive(radii.y, "radii.y")?;
        positive(radii.z, "radii.z")?;
        Ok(Self { radii, rotation: DQuat::IDENTITY })
    }

    /// The same ellipsoid turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The three radii, in meters, along the ellipsoid's own axes.
    pub fn radii(&self) -> DVec3 {
        self.radii
    }

    /// From the ellipsoid's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The ellipsoid's own axes as columns.
    pub fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radii: self.radii * factor, ..*self }
    }

    /// The matrix that takes the ellipsoid to the unit ball: diag(1/r)·Rᵀ.
    ///
    /// ```
    /// use carom::shape::Ellipsoid;
    /// use glam::dvec3;
    /// let body = Ellipsoid::new(dvec3(0.5, 1.0, 0.25))?;
    /// assert_eq!(body.to_unit() * dvec3(0.5, 1.0, 0.25), dvec3(1.0, 1.0, 1.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn to_unit(&self) -> DMat3 {
        let axes = self.axes();
        DMat3::from_cols(axes.x_axis / self.radii.x, axes.y_axis / self.radii.y, axes.z_axis / self.radii.z)
            .transpose()
    }

    /// The matrix that takes the unit ball to the ellipsoid: R·diag(r).
    pub fn from_unit(&self) -> DMat3 {
        let axes = self.axes();
        DMat3::from_cols(axes.x_axis * self.radii.x, axes.y_axis * self.radii.y, axes.z_axis * self.radii.z)
    }

    /// The radius of the largest ball that rolls everywhere inside: the least radius of curvature.
    pub(crate) fn rolling_radius(&self) -> f64 {
        let least = self.radii.min_element();
        least * (least / self.radii.max_element())
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radii.x * self.radii.y * self.radii.z
    }

    /// The box around the ellipsoid, relative to its center; it covers the exact ellipsoid, and is larger by
    /// at most 128 unit roundoffs of the sum of its radii if the ellipsoid is turned.
    pub fn bounds(&self) -> Aabb {
        if self.rotation == DQuat::IDENTITY {
            return Aabb::symmetric(self.radii);
        }
        // The extent along a world axis is the length of that row of R·diag(r).
        let rows = self.from_unit().transpose();
        let length = |row: DVec3| ops::sqrt(row.length_squared());
        let half = DVec3::new(length(rows.x_axis), length(rows.y_axis), length(rows.z_axis));
        Aabb::symmetric(half + DVec3::splat(TURN * reach(self.radii)))
    }

    /// Whether the point lies in the ellipsoid, surface included.
    pub fn contains(&self, p: DVec3) -> bool {
        (transposed_mul(&self.axes(), p) / self.radii).length_squared() <= 1.0
    }

    /// The point of the ellipsoid nearest to `p`: `p` itself if it is inside.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        if self.contains(p) { p } else { self.closest_surface_point(p) }
    }

    /// The point of the surface nearest to `p`, from outside or inside. Of points equally near (for `p` on a
    /// plane of symmetry), the one on the upper side of the ellipsoid's own axes.
    ///
    /// Its distance is the least to within 16 unit roundoffs of the larger of the largest radius and the
    /// distance of `p` from the center, and it lies on the surface to the same bound; within 128 for an
    /// ellipsoid that is turned.
    ///
    /// ```
    /// use carom::shape::Ellipsoid;
    /// use glam::dvec3;
    /// let egg = Ellipsoid::new(dvec3(1.0, 2.0, 1.0))?;
    /// assert_eq!(egg.closest_surface_point(dvec3(0.0, 5.0, 0.0)), dvec3(0.0, 2.0, 0.0));
    /// assert_eq!(egg.closest_surface_point(dvec3(0.5, 0.0, 0.0)), dvec3(1.0, 0.0, 0.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        let axes = self.axes();
        axes * ellipsoid_distance::closest_on_ellipsoid(self.radii, transposed_mul(&axes, p))
    }

    /// The distance of `p` from the surface, in meters; negative inside. Error as for
    /// [`Self::closest_surface_point`].
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        let own = transposed_mul(&self.axes(), p);
        let distance =
            ops::sqrt((ellipsoid_distance::closest_on_ellipsoid(self.radii, own) - own).length_squared());
        if (own / self.radii).length_squared() < 1.0 { -distance } else { distance }
    }

    /// The point of the surface that is farthest along `direction`; that along +y for a direction of no
    /// length.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        let axes = self.axes();
        let own = transposed_mul(&axes, direction_or_up(direction)) * self.radii;
        // Where the gradient points along the direction: the unit ball's support point, stretched twice.
        axes * (unit(own).unwrap_or(DVec3::Y) * self.radii)
    }

    /// The unit normal of the surface below `p`, a point on or near it: by the inverse transpose of the map
    /// from the unit ball. None for the center.
    pub fn normal_at(&self, p: DVec3) -> Option<DVec3> {
        let axes = self.axes();
        let on_ball = unit(transposed_mul(&axes, p) / self.radii)?;
        unit(axes * (on_ball / self.radii))
    }

    /// The plane that touches the surface below `p`, a point on or near it, facing outward. Below means along
    /// the straight line to the center. None for the center.
    ///
    /// ```
    /// use carom::shape::Ellipsoid;
    /// use glam::{DVec3, dvec3};
    /// let egg = Ellipsoid::new(dvec3(1.0, 2.0, 1.0))?;
    /// let tangent = egg.tangent_plane_at(dvec3(0.0, 2.0, 0.0)).unwrap();
    /// assert_eq!((tangent.normal(), tangent.distance()), (DVec3::Y, 2.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn tangent_plane_at(&self, p: DVec3) -> Option<Plane> {
        let axes = self.axes();
        let on_ball = unit(transposed_mul(&axes, p) / self.radii)?;
        let normal = unit(axes * (on_ball / self.radii))?;
        // Its distance is what the ellipsoid reaches along the normal.
        Some(Plane::of_unit(normal, self.extent_along(normal)))
    }

    /// Where the gradient of the ellipsoid is parallel to the plane's normal: the point nearest to the plane
    /// (or deepest beyond it), and the one opposite. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    ///
    /// ```
    /// use carom::shape::{Ellipsoid, Plane};
    /// use glam::{DVec3, dvec3};
    /// let egg = Ellipsoid::new(dvec3(1.0, 2.0, 1.0))?;
    /// let floor = Plane::new(DVec3::ZERO, DVec3::Y)?;
    /// let points = egg.extreme_points_towards(&floor, dvec3(0.0, -5.0, 0.0));
    /// assert_eq!(points.nearest, dvec3(0.0, -2.0, 0.0));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn extreme_points_towards(&self, plane: &Plane, offset: DVec3) -> ExtremePoints {
        let along = self.support_point(plane.normal());
        // The center is on the front if the plane's origin and distance lie behind it.
        if plane.signed_distance(-offset) >= 0.0 {
            ExtremePoints { nearest: -along, farthest: along }
        } else {
            ExtremePoints { nearest: along, farthest: -along }
        }
    }

    /// How far the ellipsoid reaches to both sides along a unit direction.
    fn extent_along(&self, direction: DVec3) -> f64 {
        ops::sqrt((transposed_mul(&self.axes(), direction) * self.radii).length_squared())
    }

    /// The fraction of `translation` after which a point from `from` is first in the ellipsoid: 0 if it
    /// starts there.
    ///
    /// ```
    /// use carom::shape::Ellipsoid;
    /// use glam::dvec3;
    /// let egg = Ellipsoid::new(dvec3(1.0, 2.0, 1.0))?;
    /// assert_eq!(egg.ray(dvec3(0.0, 4.0, 0.0), dvec3(0.0, -8.0, 0.0)), Some(0.25));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        let (from, translation) = self.line_in_ball(from, translation);
        ray::ball(from, translation, 1.0)
    }

    /// The fractions of `translation` at which the whole straight line enters and leaves the ellipsoid; they
    /// may lie outside 0 … 1. None for a line that misses, or of no length.
    pub fn line(&self, from: DVec3, translation: DVec3) -> Option<[f64; 2]> {
        let (from, translation) = self.line_in_ball(from, translation);
        ray::ball_fractions(from, translation, 1.0)
    }

    fn line_in_ball(&self, from: DVec3, translation: DVec3) -> (DVec3, DVec3) {
        let axes = self.axes();
        (transposed_mul(&axes, from) / self.radii, transposed_mul(&axes, translation) / self.radii)
    }

    /// Whether the ellipsoid and the sphere share a point. `offset` leads from this center to the other.
    pub fn overlaps_sphere(&self, sphere: &Sphere, offset: DVec3) -> bool {
        let slack = 4.0 * TURN * (reach(offset) + self.radii.max_element() + sphere.radius());
        self.signed_distance(offset) <= sphere.radius() + slack
    }

    /// Whether the ellipsoid and the capsule share a point. `offset` leads from this center to the other.
    pub fn overlaps_capsule(&self, capsule: &Capsule, offset: DVec3) -> bool {
        convex_overlap(self, capsule, offset)
    }

    /// Whether the ellipsoid and the cuboid share a point. `offset` leads from this center to the other.
    pub fn overlaps_cuboid(&self, cuboid: &Cuboid, offset: DVec3) -> bool {
        convex_overlap(self, cuboid, offset)
    }

    /// Whether two ellipsoids share a point. `offset` leads from this center to the other.
    pub fn overlaps_ellipsoid(&self, other: &Self, offset: DVec3) -> bool {
        convex_overlap(self, other, offset)
    }

    /// Whether the ellipsoid and the box share a point. `offset` leads from the center to the origin of the
    /// box's coordinates.
    pub fn overlaps_aabb(&self, aabb: &Aabb, offset: DVec3) -> bool {
        convex_overlap(self, aabb, offset)
    }

    /// Whether the plane touches or cuts the ellipsoid. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    pub fn overlaps_plane(&self, plane: &Plane, offset: DVec3) -> bool {
        plane.cuts(offset, self.extent_along(plane.normal()) + 2.0 * TURN * reach(self.radii))
    }

    /// Whether the ellipsoid and the triangle share a point. `offset` leads from the center to the origin of
    /// its coordinates.
    pub fn overlaps_triangle(&self, triangle: &Triangle, offset: DVec3) -> bool {
        let axes = self.axes();
        let corners = triangle.corners().map(|c| transposed_mul(&axes, c + offset) / self.radii);
        let nearest = Triangle::of(corners).closest_point(DVec3::ZERO).point;
        self.reaches_in_ball(nearest, triangle.extent() + reach(offset))
    }

    /// Whether the ellipsoid and the polygon share a point. `offset` leads from the center to the origin of
    /// its coordinates.
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon, offset: DVec3) -> bool {
        let axes = self.axes();
        let corners: alloc::vec::Vec<DVec3> =
            polygon.vertices().iter().map(|&v| transposed_mul(&axes, v + offset) / self.radii).collect();
        // A normal goes by the inverse transpose, here of diag(1/r)·Rᵀ.
        let normal = transposed_mul(&axes, polygon.normal()) * self.radii;
        let nearest = outline::closest(&corners, Some(normal), DVec3::ZERO).point;
        self.reaches_in_ball(nearest, polygon.extent() + reach(offset))
    }

    /// Whether the unit ball reaches a point that came from coordinates of this size.
    fn reaches_in_ball(&self, p: DVec3, size: f64) -> bool {
        let slack = 4.0 * TURN * (1.0 + size / self.radii.min_element());
        p.length_squared() <= (1.0 + slack) * (1.0 + slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use glam::dvec3;

    fn turned() -> Ellipsoid {
        Ellipsoid::new(dvec3(0.4, 0.9, 0.6))
            .unwrap()
            .with_rotation(rotation_about(dvec3(1.0, 2.0, -1.0), 0.8))
            .unwrap()
    }

    #[test]
    fn the_maps_to_and_from_the_unit_ball_undo_each_other() {
        let round = turned().to_unit() * turned().from_unit();
        assert!((round - DMat3::IDENTITY).to_cols_array().iter().all(|e| e.abs() < 1e-15));
    }

    #[test]
    fn the_support_point_lies_on_the_surface_with_the_normal_asked_for() {
        for direction in [dvec3(1.0, 0.2, -3.0), dvec3(0.0, 1e-200, 0.0), dvec3(-1e200, 1e200, 3e199)] {
            let p = turned().support_point(direction);
            assert!(((turned().to_unit() * p).length_squared() - 1.0).abs() < 1e-14);
            let normal = turned().normal_at(p).unwrap();
            assert!((normal - unit(direction).unwrap()).length_squared() < 1e-28);
        }
    }

    #[test]
    fn the_tangent_plane_touches_in_one_point() {
        let e = turned();
        let p = e.support_point(dvec3(0.3, -0.5, 0.2));
        let plane = e.tangent_plane_at(p).unwrap();
        assert!(plane.signed_distance(p).abs() < 1e-15);
        assert!(e.overlaps_plane(&plane, DVec3::ZERO));
        assert!(!e.overlaps_plane(&plane, plane.normal() * 1e-12));
        assert_eq!(e.tangent_plane_at(DVec3::ZERO), None);
    }

    #[test]
    fn the_nearest_point_to_a_plane_lies_on_its_side() {
        let e = turned();
        let plane = Plane::new(DVec3::ZERO, dvec3(1.0, 1.0, 0.0)).unwrap();
        for offset in [dvec3(3.0, 3.0, 3.0), dvec3(-3.0, -2.0, 1.0)] {
            let points = e.extreme_points_towards(&plane, offset);
            let near = plane.signed_distance(points.nearest - offset).abs();
            let far = plane.signed_distance(points.farthest - offset).abs();
            assert!(near < far && (points.nearest + points.farthest) == DVec3::ZERO);
        }
    }

    #[test]
    fn a_triangle_that_the_support_point_touches_overlaps() {
        let e = turned();
        let p = e.support_point(dvec3(0.2, -0.9, 0.3));
        let n = e.normal_at(p).unwrap();
        let (u, v) = n.any_orthonormal_pair();
        let t = Triangle::new(p + u * 3.0 - v, p - u * 3.0 - v, p + v * 5.0).unwrap();
        assert!(e.overlaps_triangle(&t, DVec3::ZERO) && !e.overlaps_triangle(&t, n * 1e-12));
        let square = ConvexPolygon::new(alloc::vec![p + u + v, p - u + v, p - u - v, p + u - v]).unwrap();
        assert!(e.overlaps_polygon(&square, DVec3::ZERO) && !e.overlaps_polygon(&square, n * 1e-12));
        assert!(e.overlaps_polygon(&square, n * -0.3));
    }

    #[test]
    fn a_ray_enters_and_leaves_through_the_surface() {
        let (from, to) = (dvec3(-3.0, 0.1, 0.2), dvec3(6.0, 0.1, -0.3));
        let [enter, leave] = turned().line(from, to).unwrap();
        assert_eq!(turned().ray(from, to), Some(enter));
        for fraction in [enter, leave] {
            assert!(turned().signed_distance(from + to * fraction).abs() < 1e-14);
        }
    }

    #[test]
    fn touching_a_sphere_counts_as_overlapping() {
        let egg = Ellipsoid::new(dvec3(1.0, 2.0, 3.0)).unwrap();
        let ball = Sphere::new(0.5).unwrap();
        assert!(egg.overlaps_sphere(&ball, DVec3::Y * 2.5) && egg.overlaps_sphere(&ball, DVec3::Z));
        assert!(!egg.overlaps_sphere(&ball, DVec3::Y * 2.500001));
    }
}
