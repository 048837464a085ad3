//! Capsule.
//!
//! Everything is the segment between the centers of the caps, grown by the radius.
//! Error: a few unit roundoffs of the lengths given. Overlaps say "apart" only where rounding cannot have
//! made it so.

use core::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::rounding::{TURN, reach, sum_up, unit};
use super::{
    Aabb, ConvexPolygon, Cuboid, Plane, Segment, ShapeError, Sphere, Triangle, convex_overlap, positive, ray,
    unit_rotation,
};

/// All points within `radius` of a segment: a cylinder with round caps. Its own axis is y.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Capsule", into = "super::wire::Capsule"))]
pub struct Capsule {
    radius: f64,
    half_height: f64,
    rotation: DQuat,
}

impl Capsule {
    /// A capsule along y: radius, and half the height of the cylinder without its caps, in meters.
    ///
    /// # Errors
    /// A radius that is not finite and greater than 0, a half height that is not finite and at least 0.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        positive(radius, "radius")?;
        if !(half_height >= 0.0 && half_height.is_finite()) {
            return Err(ShapeError::Negative("half_height"));
        }
        // −0 becomes 0.
        Ok(Self { radius, half_height: half_height + 0.0, rotation: DQuat::IDENTITY })
    }

    /// The same capsule turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The radius, in meters.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the height of the cylinder, without the caps, in meters.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// From the capsule's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// From the center to the center of the upper cap.
    pub fn half_axis(&self) -> DVec3 {
        let own = DVec3::new(0.0, self.half_height, 0.0);
        // Most stand upright, and are asked often.
        if self.rotation == DQuat::IDENTITY { own } else { self.rotation * own }
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { radius: self.radius * factor, half_height: self.half_height * factor, ..*self }
    }

    /// The segment between the centers of the caps, lower first, relative to the capsule's center.
    pub fn axis(&self) -> Segment {
        let half = self.half_axis();
        Segment::between(-half, half)
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        PI * self.radius * self.radius * (4.0 / 3.0 * self.radius + 2.0 * self.half_height)
    }

    /// The area of the surface, in square meters.
    pub fn surface_area(&self) -> f64 {
        4.0 * PI * self.radius * (self.radius + self.half_height)
    }

    /// The box around the capsule, relative to its center; it covers the exact capsule, and is larger by at
    /// most 128 unit roundoffs of its height if the capsule is turned.
    pub fn bounds(&self) -> Aabb {
        if self.rotation == DQuat::IDENTITY {
            return Aabb::symmetric(DVec3::new(
                self.radius,
                sum_up(self.half_height, self.radius),
                self.radius,
            ));
        }
        let outward = TURN * self.half_height;
        let half = self.half_axis().abs().map(|along| sum_up(along + outward, self.radius));
        Aabb::symmetric(half)
    }

    /// Whether the point lies in the capsule, surface included.
    pub fn contains(&self, p: DVec3) -> bool {
        (p - self.axis().closest_point(p).point).length_squared() <= self.radius * self.radius
    }

    /// The point of the capsule nearest to `p`: `p` itself if it is inside.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        if self.contains(p) { p } else { self.closest_surface_point(p) }
    }

    /// The point of the surface nearest to `p`; for a point on the axis between the caps, one beside the
    /// axis.
    pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        let core = self.axis().closest_point(p).point;
        // On the axis every direction across is as near; the capsule's own x is one.
        core + unit(p - core).unwrap_or_else(|| self.rotation * DVec3::X) * self.radius
    }

    /// The distance of `p` from the surface, in meters; negative inside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        self.axis().distance(p) - self.radius
    }

    /// The point of the surface that is farthest along `direction`; along +y for a zero direction.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        let direction = unit(direction).unwrap_or(DVec3::Y);
        self.axis().support_point(direction) + direction * self.radius
    }

    /// How far the capsule reaches to both sides along a unit direction.
    fn extent_along(&self, direction: DVec3) -> f64 {
        self.half_axis().dot(direction).abs() + self.radius + TURN * self.half_height
    }

    /// The fraction of `translation` after which a point from `from` is first in the capsule: 0 if it starts
    /// there.
    ///
    /// ```
    /// use carom::shape::Capsule;
    /// use glam::dvec3;
    /// let post = Capsule::new(1.0, 2.0)?;
    /// assert_eq!(post.ray(dvec3(-3.0, 1.5, 0.0), dvec3(4.0, 0.0, 0.0)), Some(0.5));
    /// assert_eq!(post.ray(dvec3(0.0, 7.0, 0.0), dvec3(0.0, -8.0, 0.0)), Some(0.5));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        if self.contains(from) {
            return Some(0.0);
        }
        let half = self.half_axis();
        let mut first = [-half, half]
            .into_iter()
            .filter_map(|cap| ray::ball(from - cap, translation, self.radius))
            .fold(f64::INFINITY, f64::min);
        let squared = half.length_squared();
        if squared > 0.0 {
            // Across the axis the cylinder is a circle.
            let across = from - half * (from.dot(half) / squared);
            let translation_across = translation - half * (translation.dot(half) / squared);
            if let Some([enter, _]) = ray::ball_fractions(across, translation_across, self.radius) {
                let along = (from + translation * enter).dot(half);
                if enter >= 0.0 && along.abs() <= squared {
                    first = first.min(enter);
                }
            }
        }
        (first <= 1.0).then_some(first)
    }

    /// Whether the capsule and the sphere share a point. `offset` leads from this center to the other.
    pub fn overlaps_sphere(&self, sphere: &Sphere, offset: DVec3) -> bool {
        let nearest = self.axis().closest_point(offset).point;
        self.grown(sphere.radius()).reaches(nearest - offset, self.axis_size() + reach(offset))
    }

    /// Whether two capsules share a point. `offset` leads from this center to the other.
    pub fn overlaps_capsule(&self, other: &Self, offset: DVec3) -> bool {
        let half = other.half_axis();
        let (near, far) = self.axis().closest_points(&Segment::between(offset - half, offset + half));
        let size = self.axis_size() + other.axis_size() + reach(offset);
        self.grown(other.radius).reaches(near.point - far.point, size)
    }

    /// Whether the plane touches or cuts the capsule. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    pub fn overlaps_plane(&self, plane: &Plane, offset: DVec3) -> bool {
        plane.cuts(offset, self.extent_along(plane.normal()))
    }

    /// Whether the capsule and the triangle share a point. `offset` leads from the center to the origin of
    /// its coordinates.
    pub fn overlaps_triangle(&self, triangle: &Triangle, offset: DVec3) -> bool {
        let (on_axis, on_triangle) = triangle.closest_points_to_segment(&self.axis_seen_from(offset));
        let size = self.axis_size() + triangle.extent() + reach(offset);
        self.grown(0.0).reaches(on_axis.point - on_triangle.point, size)
    }

    /// Whether the capsule and the polygon share a point. `offset` leads from the center to the origin of its
    /// coordinates.
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon, offset: DVec3) -> bool {
        let (on_axis, on_polygon) = polygon.closest_points_to_segment(&self.axis_seen_from(offset));
        let size = self.axis_size() + polygon.extent() + reach(offset);
        self.grown(0.0).reaches(on_axis.point - on_polygon.point, size)
    }

    /// Whether the capsule and the box share a point. `offset` leads from the center to the origin of the
    /// box's coordinates.
    pub fn overlaps_aabb(&self, aabb: &Aabb, offset: DVec3) -> bool {
        convex_overlap(self, aabb, offset)
    }

    /// Whether the capsule and the cuboid share a point. `offset` leads from this center to the other.
    pub fn overlaps_cuboid(&self, cuboid: &Cuboid, offset: DVec3) -> bool {
        convex_overlap(self, cuboid, offset)
    }

    /// The ball that the axis carries, with the other's radius added.
    fn grown(&self, by: f64) -> Sphere {
        Sphere::of(self.radius + by)
    }

    /// The share of the axis in the size that rounding is measured by: `reaches` allows 16 unit roundoffs of
    /// it, the axis is turned to within [`TURN`], 64.
    fn axis_size(&self) -> f64 {
        4.0 * self.half_height
    }

    fn axis_seen_from(&self, offset: DVec3) -> Segment {
        let half = self.half_axis();
        Segment::between(-offset - half, half - offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn upright() -> Capsule {
        Capsule::new(0.5, 1.0).unwrap()
    }

    #[test]
    fn distance_is_that_of_the_axis_less_the_radius() {
        assert_eq!(upright().signed_distance(dvec3(3.5, 0.25, 0.0)), 3.0);
        assert_eq!(upright().signed_distance(dvec3(0.0, 4.0, 0.0)), 2.5);
        assert_eq!(upright().signed_distance(DVec3::ZERO), -0.5);
        assert!(
            upright().contains(dvec3(0.0, 1.5, 0.0)) && !upright().contains(dvec3(0.0, 1.5 + 1e-15, 0.0))
        );
    }

    #[test]
    fn a_point_of_the_axis_has_a_nearest_surface_point_beside_it() {
        let p = upright().closest_surface_point(dvec3(0.0, 0.5, 0.0));
        assert_eq!(p, dvec3(0.5, 0.5, 0.0));
        let ball = Capsule::new(2.0, 0.0).unwrap();
        assert!((ball.closest_surface_point(DVec3::ZERO).length_squared() - 4.0).abs() < 1e-15);
    }

    #[test]
    fn a_capsule_without_height_is_a_sphere() {
        let (capsule, sphere) = (Capsule::new(0.7, 0.0).unwrap(), Sphere::new(0.7).unwrap());
        assert_eq!(capsule.bounds(), sphere.bounds());
        let (from, to) = (dvec3(-3.0, 0.2, 0.1), dvec3(6.0, 0.0, 0.0));
        assert_eq!(capsule.ray(from, to), sphere.ray(from, to));
        assert!((capsule.volume() - sphere.volume()).abs() < 1e-15);
    }

    #[test]
    fn a_ray_meets_the_cap_that_lies_before_the_cylinder() {
        assert_eq!(upright().ray(dvec3(0.0, 3.5, 0.0), dvec3(0.0, -4.0, 0.0)), Some(0.5));
        assert_eq!(upright().ray(dvec3(0.0, 0.5, 0.0), DVec3::X), Some(0.0));
        assert_eq!(upright().ray(dvec3(2.5, 2.0, 0.0), dvec3(-4.0, 0.0, 0.0)), None);
        assert_eq!(upright().ray(dvec3(2.5, 0.5, 0.0), dvec3(4.0, 0.0, 0.0)), None);
    }

    #[test]
    fn touching_counts_as_overlapping() {
        let c = upright();
        assert!(c.overlaps_sphere(&Sphere::new(0.5).unwrap(), dvec3(1.0, 0.5, 0.0)));
        assert!(!c.overlaps_sphere(&Sphere::new(0.5).unwrap(), dvec3(1.001, 0.5, 0.0)));
        assert!(c.overlaps_capsule(&c, dvec3(1.0, 1.5, 0.0)) && c.overlaps_capsule(&c, dvec3(0.0, 3.0, 0.0)));
        assert!(!c.overlaps_capsule(&c, dvec3(0.0, 3.0 + 1e-13, 0.0)));
        assert!(c.overlaps_plane(&Plane::new(DVec3::ZERO, DVec3::Y).unwrap(), dvec3(0.0, -1.5, 0.0)));
        assert!(!c.overlaps_plane(&Plane::new(DVec3::ZERO, DVec3::Y).unwrap(), dvec3(0.0, -1.6, 0.0)));
        let floor =
            Triangle::new(dvec3(-5.0, 0.0, -5.0), dvec3(5.0, 0.0, -5.0), dvec3(0.0, 0.0, 5.0)).unwrap();
        assert!(
            c.overlaps_triangle(&floor, dvec3(0.0, -1.5, 0.0)) && c.overlaps_triangle(&floor, DVec3::ZERO)
        );
        assert!(!c.overlaps_triangle(&floor, dvec3(0.0, -1.5 - 1e-13, 0.0)));
    }
}
