//! Cuboid of any orientation (an oriented box).
//!
//! Everything is asked in the cuboid's own axes, where it is a plain box.
//! Error: 64 unit roundoffs of the lengths given, for the turn there and back; a few, if it is not turned.
//! Overlaps say "apart" only where rounding cannot have made it so.

use glam::{DMat3, DQuat, DVec3};

use super::rounding::{TURN, UNIT_ROUNDOFF, reach, transposed_mul};
use super::separating_axis::{Turned, box_and_outline_apart, boxes_apart};
use super::{Aabb, Convex, ConvexPolygon, Plane, ShapeError, Sphere, Triangle, positive, unit_rotation};

/// A box with three half extents along its own axes, and turned.
#[doc(alias = "Obb")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Cuboid", into = "super::wire::Cuboid"))]
pub struct Cuboid {
    half_extents: DVec3,
    rotation: DQuat,
}

impl Cuboid {
    /// A cuboid with these half extents, in meters, along x, y and z.
    ///
    /// # Errors
    /// A half extent that is not finite and greater than 0.
    pub fn new(half_extents: DVec3) -> Result<Self, ShapeError> {
        positive(half_extents.x, "half_extents.x")?;
        positive(half_extents.y, "half_extents.y")?;
        positive(half_extents.z, "half_extents.z")?;
        Ok(Self { half_extents, rotation: DQuat::IDENTITY })
    }

    /// The same cuboid turned to `rotation`, which is scaled to length one.
    ///
    /// # Errors
    /// A quaternion that is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The three half extents, in meters, along the cuboid's own axes.
    pub fn half_extents(&self) -> DVec3 {
        self.half_extents
    }

    /// From the cuboid's own axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The cuboid's own axes as columns.
    pub fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { half_extents: self.half_extents * factor, ..*self }
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        8.0 * self.half_extents.x * self.half_extents.y * self.half_extents.z
    }

    /// The area of all six faces, in square meters.
    pub fn surface_area(&self) -> f64 {
        let h = self.half_extents;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }

    /// The eight corners, relative to the center. Bit 0 of the index is set for the upper x of the cuboid's
    /// own axes, bit 1 for y, bit 2 for z.
    pub fn corners(&self) -> [DVec3; 8] {
        let axes = self.axes();
        self.own().corners().map(|corner| axes * corner)
    }

    /// The box around the cuboid, relative to its center; it covers the exact cuboid, and is larger by at
    /// most 128 unit roundoffs of the sum of its half extents if the cuboid is turned.
    pub fn bounds(&self) -> Aabb {
        if self.rotation == DQuat::IDENTITY {
            return self.own();
        }
        let axes = self.axes();
        let h = self.half_extents;
        let half = axes.x_axis.abs() * h.x + axes.y_axis.abs() * h.y + axes.z_axis.abs() * h.z;
        Aabb::symmetric(half + DVec3::splat(TURN * reach(h)))
    }

    /// Whether the point lies in the cuboid, faces included.
    pub fn contains(&self, p: DVec3) -> bool {
        self.own().contains(transposed_mul(&self.axes(), p))
    }

    /// The point of the cuboid nearest to `p`: `p` itself if it is inside.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        if self.contains(p) { p } else { self.closest_surface_point(p) }
    }

    /// The point of the surface nearest to `p`. Of faces equally near from inside: x before y before z, lower
    /// before upper.
    pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        let axes = self.axes();
        axes * self.own().closest_surface_point(transposed_mul(&axes, p))
    }

    /// The distance of `p` from the surface, in meters; negative inside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        self.own().signed_distance(transposed_mul(&self.axes(), p))
    }

    /// The corner farthest along `direction`; the upper one on axes along which the direction has no part.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        let axes = self.axes();
        axes * self.own().support_point(transposed_mul(&axes, direction))
    }

    /// The fraction of `translation` after which a point from `from` is first in the cuboid: 0 if it starts
    /// there.
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        let axes = self.axes();
        self.own().ray(transposed_mul(&axes, from), transposed_mul(&axes, translation))
    }

    /// Whether the cuboid and the sphere share a point. `offset` leads from this center to the other.
    pub fn overlaps_sphere(&self, sphere: &Sphere, offset: DVec3) -> bool {
        let center = transposed_mul(&self.axes(), offset);
        let nearest = self.own().closest_point(center);
        // 16 unit roundoffs are allowed for a size; the offset is turned to within 64.
        sphere.reaches(center - nearest, 4.0 * reach(offset))
    }

    /// Whether two cuboids share a point, by 15 separating axes. `offset` leads from this center to the
    /// other.
    ///
    /// ```
    /// use carom::shape::Cuboid;
    /// use glam::{DQuat, DVec3};
    /// let cube = Cuboid::new(DVec3::ONE)?;
    /// let on_edge = cube.with_rotation(DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0 + 2f64.sqrt()))?;
    /// assert!(cube.overlaps_cuboid(&on_edge, DVec3::X * 2.41));
    /// assert!(!cube.overlaps_cuboid(&on_edge, DVec3::X * 2.42));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn overlaps_cuboid(&self, other: &Self, offset: DVec3) -> bool {
        !boxes_apart(&self.turned(), &other.turned(), offset)
    }

    /// Whether the cuboid and the box share a point. `offset` leads from the center to the origin of the
    /// box's coordinates.
    pub fn overlaps_aabb(&self, aabb: &Aabb, offset: DVec3) -> bool {
        // The half extents are rounded outward: the exact box is covered.
        let other = Turned { half: aabb.half_extents(), axes: DMat3::IDENTITY };
        !boxes_apart(&self.turned(), &other, offset + aabb.center())
    }

    /// Whether the plane touches or cuts the cuboid. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    pub fn overlaps_plane(&self, plane: &Plane, offset: DVec3) -> bool {
        let normal = transposed_mul(&self.axes(), plane.normal()).abs();
        plane.cuts(offset, normal.dot(self.half_extents) + 2.0 * TURN * reach(self.half_extents))
    }

    /// Whether the cuboid and the triangle share a point, by 13 separating axes. `offset` leads from the
    /// center to the origin of the triangle's coordinates.
    pub fn overlaps_triangle(&self, triangle: &Triangle, offset: DVec3) -> bool {
        let axes = self.axes();
        let corners = triangle.corners().map(|corner| transposed_mul(&axes, corner + offset));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let error = TURN * (triangle.extent() + reach(offset));
        !box_and_outline_apart(self.half_extents, 3, |i| corners[i], normal, error)
    }

    /// Whether the cuboid and the polygon share a point, exactly: by all of its separating axes. `offset`
    /// leads from the center to the origin of the polygon's coordinates.
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon, offset: DVec3) -> bool {
        let axes = self.axes();
        let vertices = polygon.vertices();
        let corner = |i: usize| transposed_mul(&axes, vertices[i] + offset);
        let normal = transposed_mul(&axes, polygon.normal());
        let error = TURN * (polygon.extent() + reach(offset));
        !box_and_outline_apart(self.half_extents, vertices.len(), corner, normal, error)
    }

    /// The cuboid in its own axes.
    fn own(&self) -> Aabb {
        Aabb::symmetric(self.half_extents)
    }

    fn turned(&self) -> Turned {
        Turned { half: self.half_extents, axes: self.axes() }
    }
}

/// A cuboid with its axes at hand, for many questions: its answers are the same to the bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnedCuboid {
    own: Aabb,
    axes: DMat3,
    reach: f64,
}

impl From<&Cuboid> for TurnedCuboid {
    fn from(cuboid: &Cuboid) -> Self {
        Self { own: cuboid.own(), axes: cuboid.axes(), reach: Convex::reach(cuboid) }
    }
}

impl Convex for TurnedCuboid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.axes * self.own.support_point(transposed_mul(&self.axes, direction))
    }

    fn reach(&self) -> f64 {
        self.reach
    }
}

impl Aabb {
    /// Whether the box and the triangle share a point, by 13 separating axes.
    pub fn overlaps_triangle(&self, triangle: &Triangle) -> bool {
        let [a, b, c] = triangle.corners();
        self.overlaps_aabb(&triangle.bounds()) && self.meets(&[a, b, c], (b - a).cross(c - a))
    }

    /// Whether the box and the polygon share a point, exactly: by all of its separating axes.
    ///
    /// ```
    /// use carom::shape::{Aabb, ConvexPolygon};
    /// use glam::{DVec3, dvec3};
    /// let ramp = ConvexPolygon::new(vec![
    ///     dvec3(4.0, 0.0, 0.0), dvec3(4.0, 0.0, 4.0), dvec3(0.0, 4.0, 4.0), dvec3(0.0, 4.0, 0.0),
    /// ])?;
    /// let below = Aabb::new(dvec3(0.0, 0.0, 1.0), dvec3(1.9, 1.9, 2.0))?;
    /// assert!(below.overlaps_aabb(&ramp.bounds()) && !below.overlaps_polygon(&ramp));
    /// assert!(below.grown(0.1).overlaps_polygon(&ramp));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon) -> bool {
        self.overlaps_aabb(&polygon.bounds()) && self.meets(polygon.vertices(), polygon.normal())
    }

    fn meets(&self, corners: &[DVec3], normal: DVec3) -> bool {
        let (center, half) = (self.center(), self.half_extents());
        // The middle is rounded, and so is what is seen from it.
        let error = 2.0 * UNIT_ROUNDOFF * corners.iter().fold(reach(center), |size, &c| size.max(reach(c)));
        !box_and_outline_apart(half, corners.len(), |i| corners[i] - center, normal, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use glam::dvec3;

    fn cube() -> Cuboid {
        Cuboid::new(DVec3::ONE).unwrap()
    }

    #[test]
    fn boxes_that_touch_by_a_face_an_edge_or_a_corner_overlap() {
        for offset in [dvec3(2.0, 0.5, -0.5), dvec3(2.0, 2.0, 0.0), dvec3(2.0, -2.0, 2.0)] {
            assert!(cube().overlaps_cuboid(&cube(), offset));
            assert!(!cube().overlaps_cuboid(&cube(), offset * (1.0 + 1e-12)));
        }
    }

    #[test]
    fn only_a_cross_product_of_edges_tells_two_crossed_bars_apart() {
        // Two bars, each on edge, crossing at a right angle: their edges face each other.
        let bar = Cuboid::new(dvec3(10.0, 1.0, 1.0)).unwrap();
        let quarter = core::f64::consts::FRAC_PI_4;
        let along_x = bar.with_rotation(rotation_about(DVec3::X, quarter)).unwrap();
        let along_z = bar
            .with_rotation(rotation_about(DVec3::Z, quarter) * rotation_about(DVec3::Y, 2.0 * quarter))
            .unwrap();
        let tip = along_x.support_point(DVec3::Y).y + along_z.support_point(-DVec3::Y).y.abs();
        assert!(!along_x.overlaps_cuboid(&along_z, DVec3::Y * (tip * 1.001)));
        assert!(along_x.overlaps_cuboid(&along_z, DVec3::Y * (tip * 0.999)));
    }

    #[test]
    fn a_triangle_that_cuts_a_corner_off_overlaps_and_one_beyond_it_does_not() {
        let plane = |d: f64| Triangle::new(DVec3::X * d, DVec3::Y * d, DVec3::Z * d).unwrap();
        assert!(cube().overlaps_triangle(&plane(3.0), DVec3::ZERO));
        assert!(!cube().overlaps_triangle(&plane(3.0 + 1e-12), DVec3::ZERO));
        let unit = Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap();
        assert!(unit.overlaps_triangle(&plane(3.0)) && !unit.overlaps_triangle(&plane(3.0 + 1e-12)));
    }

    #[test]
    fn an_edge_that_passes_beside_an_edge_of_the_box_is_apart() {
        // The box of the triangle overlaps and the face of the triangle points elsewhere: an edge product
        // decides.
        let t = Triangle::new(dvec3(2.1, 0.0, -9.0), dvec3(0.0, 2.1, 9.0), dvec3(9.0, 9.0, 0.0)).unwrap();
        assert!(!cube().overlaps_triangle(&t, DVec3::ZERO));
        assert!(cube().overlaps_triangle(&t, dvec3(-0.1, -0.1, 0.0)));
    }

    #[test]
    fn a_triangle_without_area_overlaps_as_the_segment_that_it_is() {
        let line = Triangle::new(dvec3(0.9, 0.9, -5.0), dvec3(0.9, 0.9, 5.0), dvec3(0.9, 0.9, 2.0)).unwrap();
        assert!(cube().overlaps_triangle(&line, DVec3::ZERO));
        assert!(!cube().overlaps_triangle(&line, DVec3::X * 0.2));
    }

    #[test]
    fn asking_in_own_axes_gives_world_answers() {
        let turned = Cuboid::new(dvec3(1.0, 2.0, 3.0))
            .unwrap()
            .with_rotation(rotation_about(DVec3::Z, core::f64::consts::FRAC_PI_2))
            .unwrap();
        assert!((turned.signed_distance(dvec3(5.0, 0.0, 0.0)) - 3.0).abs() < 1e-14);
        assert!((turned.closest_point(dvec3(5.0, 0.5, 9.0)) - dvec3(2.0, 0.5, 3.0)).length_squared() < 1e-28);
        assert!((turned.ray(dvec3(0.0, 5.0, 0.0), dvec3(0.0, -8.0, 0.0)).unwrap() - 0.5).abs() < 1e-15);
        assert!(turned.overlaps_sphere(&Sphere::new(1.0).unwrap(), dvec3(3.0, 0.0, 0.0)));
        assert!(!turned.overlaps_sphere(&Sphere::new(1.0).unwrap(), dvec3(3.0 + 1e-12, 0.0, 0.0)));
    }

    #[test]
    fn a_plane_overlaps_from_either_side() {
        let plane = Plane::new(DVec3::splat(1.0), DVec3::ONE).unwrap();
        assert!(
            cube().overlaps_plane(&plane, DVec3::ZERO)
                && cube().overlaps_plane(&plane.flipped(), DVec3::ZERO)
        );
        assert!(!cube().overlaps_plane(&plane, DVec3::splat(1e-10)));
    }
}
