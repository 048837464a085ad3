//! Plane.
//!
//! Error: distances to 4 unit roundoffs of the point's and the plane's distance from the origin. Cost: a dot
//! product.

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, extent, reach, unit};
use super::{ShapeError, finite};

/// All points x with normal · x = distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Plane", into = "super::wire::Plane"))]
pub struct Plane {
    normal: DVec3,
    distance: f64,
}

impl Plane {
    /// The plane through `point` facing along `normal`, which is scaled to length one.
    ///
    /// # Errors
    /// A point or a normal that is not finite; a normal of no length.
    pub fn new(point: DVec3, normal: DVec3) -> Result<Self, ShapeError> {
        let point = finite(point, "point")?;
        let normal = unit_normal(normal)?;
        Self::at_distance(normal, normal.dot(point))
    }

    /// The plane that faces along `normal`, which is scaled to length one, `distance` meters from the origin
    /// that way.
    ///
    /// # Errors
    /// A normal or a distance that is not finite; a normal of no length.
    pub fn at_distance(normal: DVec3, distance: f64) -> Result<Self, ShapeError> {
        let normal = unit_normal(normal)?;
        if !distance.is_finite() {
            return Err(ShapeError::NotFinite("distance"));
        }
        // −0 becomes 0.
        Ok(Self { normal, distance: distance + 0.0 })
    }

    /// A plane whose normal is known to be unit. A distance beyond the range of f64 ends at the largest
    /// finite number.
    pub(super) fn of_unit(normal: DVec3, distance: f64) -> Self {
        Self { normal, distance: distance.clamp(-f64::MAX, f64::MAX) + 0.0 }
    }

    /// The unit normal.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The distance of the plane from the origin along its normal, in meters.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { distance: self.distance * factor, ..*self }
    }

    /// The same plane facing the other way.
    pub fn flipped(&self) -> Self {
        Self { normal: DVec3::ZERO - self.normal, distance: 0.0 - self.distance }
    }

    /// The distance of `p` from the plane, in meters; positive on the side that it faces.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.distance
    }

    /// The point of the plane nearest to `p`.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        p - self.normal * self.signed_distance(p)
    }

    /// The fraction of `translation` after which a point from `from` is on the plane, from either side: 0 if
    /// it starts there.
    ///
    /// ```
    /// use carom::shape::Plane;
    /// use glam::{DVec3, dvec3};
    /// let floor = Plane::new(DVec3::ZERO, DVec3::Y)?;
    /// assert_eq!(floor.ray(dvec3(0.0, 1.0, 0.0), dvec3(8.0, -4.0, 0.0)), Some(0.25));
    /// assert_eq!(floor.ray(dvec3(0.0, 1.0, 0.0), dvec3(8.0, 4.0, 0.0)), None);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        let height = self.signed_distance(from);
        if height == 0.0 {
            return Some(0.0);
        }
        let fraction = height / -self.normal.dot(translation);
        (0.0..=1.0).contains(&fraction).then_some(fraction)
    }

    /// Whether a solid touches or is cut by the plane. `offset` leads from the solid's center to the origin
    /// of the plane's coordinates; `extent` is how far the solid reaches to both sides along the normal.
    pub(super) fn cuts(&self, offset: DVec3, extent: f64) -> bool {
        let slack = 4.0 * UNIT_ROUNDOFF * (reach(offset) + self.distance.abs());
        (self.normal.dot(offset) + self.distance).abs() <= extent + slack
    }

    /// Whether the plane touches or cuts the convex hull of some corners, to within rounding.
    pub(super) fn cuts_hull_of(&self, corners: &[DVec3]) -> bool {
        let slack = 8.0 * UNIT_ROUNDOFF * (extent(corners) + self.distance.abs());
        let heights = || corners.iter().map(|&corner| self.signed_distance(corner));
        heights().any(|height| height <= slack) && heights().any(|height| height >= -slack)
    }
}

/// Scaled to length one, unless it is so already to within rounding: a plane read back from the wire keeps
/// its bits.
fn unit_normal(normal: DVec3) -> Result<DVec3, ShapeError> {
    let normal = finite(normal, "normal")?;
    if (normal.length_squared() - 1.0).abs() <= 16.0 * UNIT_ROUNDOFF {
        return Ok(normal);
    }
    unit(normal).ok_or(ShapeError::Zero("normal"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn a_normal_of_any_size_will_do_but_none() {
        let plane = Plane::new(dvec3(0.0, 2.0, 0.0), dvec3(0.0, 1e-300, 0.0)).unwrap();
        assert_eq!((plane.normal(), plane.distance()), (DVec3::Y, 2.0));
        assert_eq!(Plane::new(DVec3::ZERO, DVec3::ZERO), Err(ShapeError::Zero("normal")));
        assert_eq!(Plane::new(DVec3::ZERO, DVec3::INFINITY), Err(ShapeError::NotFinite("normal")));
        assert_eq!(Plane::at_distance(DVec3::Y, f64::NAN), Err(ShapeError::NotFinite("distance")));
    }

    #[test]
    fn the_nearest_point_lies_on_the_plane() {
        let plane = Plane::new(dvec3(3.0, 1.0, 2.0), dvec3(1.0, 2.0, -0.5)).unwrap();
        let p = dvec3(-7.0, 4.0, 9.0);
        let foot = plane.closest_point(p);
        assert!(plane.signed_distance(foot).abs() < 1e-14);
        assert!((foot - p).cross(plane.normal()).length_squared() < 1e-28);
        assert!((plane.flipped().signed_distance(p) + plane.signed_distance(p)).abs() == 0.0);
    }

    #[test]
    fn a_ray_along_the_plane_meets_it_only_if_it_starts_there() {
        let floor = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
        assert_eq!(floor.ray(DVec3::Y, DVec3::X), None);
        assert_eq!(floor.ray(DVec3::Z, DVec3::X), Some(0.0));
        assert_eq!(floor.ray(-DVec3::Y, DVec3::Y), Some(1.0));
    }
}
