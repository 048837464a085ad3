//! The pose of a body: position, rotation and scale; and the map into its own frame and back.

use alloc::borrow::Cow;

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::shape::{Aabb, Mover, ShapeError, finite, positive, unit_rotation};
use crate::sweep::Path;

/// Position in meters, rotation, and one scale for all axes.
///
/// [`Pose::at`] checks its numbers at once. The conversions (from `DVec3`, `(DVec3, DQuat)` and the same in
/// f32) accept any numbers. The world checks them when the body is added or moved:
///
/// ```
/// use carom::{Body, Cuboid, World, glam::{DQuat, dvec3}};
/// let mut world = World::new();
/// let cube = Cuboid::new(dvec3(0.5, 0.5, 0.5))?;
/// world.add(Body::fixed(cube).at(dvec3(0.0, 3.0, 0.0)));
/// world.add(Body::fixed(cube).at((dvec3(2.0, 3.0, 0.0), DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0))));
/// assert!(world.try_add(Body::fixed(cube).at(dvec3(f64::NAN, 0.0, 0.0))).is_err());
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "WirePose"))]
pub struct Pose {
    position: DVec3,
    rotation: DQuat,
    scale: f64,
}

impl Pose {
    /// At the origin, not turned, at scale 1.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: 1.0 };

    /// At a position, not turned, at scale 1.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn at(position: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { position: finite(position, "position")?, ..Self::IDENTITY })
    }

    /// At a position, in meters, not turned, at scale 1. Accepts any numbers: [`Pose::is_finite`] checks
    /// them.
    pub fn from_translation(position: DVec3) -> Self {
        Self { position: position + DVec3::ZERO, ..Self::IDENTITY }
    }

    /// Whether all of its numbers are finite. A world refuses other poses.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// The same pose with another rotation, which is scaled to length one.
    ///
    /// # Errors
    /// The quaternion is not finite, or zero.
    pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
        Ok(Self { rotation: unit_rotation(rotation)?, ..self })
    }

    /// The same pose with another scale for all axes.
    ///
    /// # Errors
    /// The scale is not finite and greater than 0.
    pub fn with_scale(self, scale: f64) -> Result<Self, ShapeError> {
        Ok(Self { scale: positive(scale, "scale")?, ..self })
    }

    /// The pose in the world of something that has the pose `own` in the frame of this pose. If one of the
    /// two is at the origin, not turned and at scale 1, no bit of the other changes.
    #[must_use]
    pub fn compose(&self, own: &Self) -> Self {
        if *self == Self::IDENTITY {
            return *own;
        }
        if *own == Self::IDENTITY {
            return *self;
        }
        let rotation = self.rotation * own.rotation;
        Self {
            position: self.position + self.rotation * (own.position * self.scale),
            rotation: unit_rotation(rotation).unwrap_or(rotation),
            scale: self.scale * own.scale,
        }
    }

    /// The position of the body's origin, in meters.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The rotation from the body's axes to the world's.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The scale of all axes.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

impl From<DVec3> for Pose {
    fn from(position: DVec3) -> Self {
        Self::from_translation(position)
    }
}

/// The rotation is scaled to length one; a zero quaternion becomes NaN, which a world refuses.
impl From<(DVec3, DQuat)> for Pose {
    fn from((position, rotation): (DVec3, DQuat)) -> Self {
        let rotation =
            unit_rotation(rotation).unwrap_or(DQuat::from_xyzw(f64::NAN, f64::NAN, f64::NAN, f64::NAN));
        Self { rotation, ..Self::from_translation(position) }
    }
}

impl From<Vec3> for Pose {
    fn from(position: Vec3) -> Self {
        position.as_dvec3().into()
    }
}

impl From<(Vec3, Quat)> for Pose {
    fn from((position, rotation): (Vec3, Quat)) -> Self {
        (position.as_dvec3(), rotation.as_dquat()).into()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A pose as it is deserialized: with the checks of [`Pose::at`] and the other constructors.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct WirePose {
    position: DVec3,
    rotation: DQuat,
    scale: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<WirePose> for Pose {
    type Error = ShapeError;

    fn try_from(raw: WirePose) -> Result<Self, ShapeError> {
        Self::at(raw.position)?.with_rotation(raw.rotation)?.with_scale(raw.scale)
    }
}

/// The frame of a collider: the pose of its body, and the origin of its f32 numbers.
///
/// Movers are brought into it, never the triangles out of it: the corners stay exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    axes: DMat3,
    rotation: DQuat,
    position: DVec3,
    scale: f64,
    origin: DVec3,
    at_rest: bool,
    /// The error of the mover's path before the map, in meters.
    error: f64,
}

impl Frame {
    #[inline]
    pub(crate) fn new(pose: &Pose, origin: DVec3) -> Self {
        let at_rest = *pose == Pose::IDENTITY && origin == DVec3::ZERO;
        Self {
            // These turn nothing in the frame of the world.
            axes: if at_rest { DMat3::IDENTITY } else { DMat3::from_quat(pose.rotation) },
            rotation: pose.rotation,
            position: pose.position,
            scale: pose.scale,
            origin,
            at_rest,
            error: 0.0,
        }
    }

    /// Whether it is the world's own.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    /// Where it is.
    pub(crate) fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation, scale: self.scale }
    }

    /// The same frame for a path that is off by this many meters before the map.
    #[inline]
    pub(crate) fn off_by(mut self, error: f64) -> Self {
        self.error = error;
        self
    }

    /// The frame of a piece of the body, given its pose in the body. If the path of the mover was brought
    /// into the frame of the body first, the position of the piece there is rounded separately from that in
    /// the world.
    pub(crate) fn of_piece(&self, own: &Pose, origin: DVec3) -> Self {
        let rounded = 8.0 * UNIT_ROUNDOFF * self.scale * (reach(own.position) + reach(origin) * own.scale);
        let error = if self.error > 0.0 { self.error + rounded } else { 0.0 };
        Self::new(&self.pose().compose(own), origin).off_by(error)
    }

    pub(crate) fn point_to_local(&self, point: DVec3) -> DVec3 {
        if self.at_rest {
            return point;
        }
        self.axes.transpose() * (point - self.position) / self.scale - self.origin
    }

    pub(crate) fn vector_to_local(&self, vector: DVec3) -> DVec3 {
        if self.at_rest { vector } else { self.axes.transpose() * vector / self.scale }
    }

    #[inline]
    pub(crate) fn point_to_world(&self, point: DVec3) -> DVec3 {
        if self.at_rest {
            return point;
        }
        self.position + self.axes * ((point + self.origin) * self.scale)
    }

    /// The direction of the world's x, in meters for each length of this frame.
    pub(crate) fn x_axis(&self) -> DVec3 {
        if self.at_rest { DVec3::X } else { self.axes.row(0) * self.scale }
    }

    /// The error of the world's x of a place in this frame, and of places no farther from it than `size`, in
    /// meters.
    pub(crate) fn rounding_of_x(&self, place: DVec3, size: f64) -> f64 {
        let lengths = reach(place) + reach(self.origin) + size;
        16.0 * UNIT_ROUNDOFF * (lengths * self.scale + reach(self.position))
    }

    #[inline]
    pub(crate) fn normal_to_world(&self, normal: DVec3) -> DVec3 {
        if self.at_rest { normal } else { self.axes * normal }
    }

    /// The way in this frame; `None` where it leaves the range of f64.
    #[inline]
    pub(crate) fn path_to_local(&self, path: &Path) -> Option<Path> {
        if self.at_rest {
            return Some(*path);
        }
        Path::new(self.point_to_local(path.from()), self.vector_to_local(path.translation())).ok()
    }

    /// The box in this frame around a box of the world; `None` if that leaves the range of f64.
    pub(crate) fn area_to_local(&self, area: &Aabb) -> Option<Aabb> {
        if self.at_rest {
            return Some(*area);
        }
        self.box_around(area, |corner| self.point_to_local(corner))
    }

    /// The box in the world around a box of this frame; `None` if that leaves the range of f64.
    pub(crate) fn area_to_world(&self, area: &Aabb) -> Option<Aabb> {
        self.box_around(area, |corner| self.point_to_world(corner))
    }

    /// The box around the corners of another. In a frame that is not turned, two corners are enough.
    fn box_around(&self, area: &Aabb, seen: impl Fn(DVec3) -> DVec3) -> Option<Aabb> {
        if self.rotation == DQuat::IDENTITY {
            Aabb::enclosing([area.min(), area.max()].map(seen))
        } else {
            Aabb::enclosing(area.corners().map(seen))
        }
    }

    /// The mover in this frame; `None` where its size leaves the range of f64.
    #[inline]
    pub(crate) fn mover_to_local<'a>(&self, mover: &'a Mover) -> Option<Cow<'a, Mover>> {
        if self.at_rest {
            return Some(Cow::Borrowed(mover));
        }
        let turned = |mover: Mover| mover.turned(self.rotation.conjugate());
        mover.scaled(1.0 / self.scale).and_then(turned).map(Cow::Owned).ok()
    }

    /// The length of one unit of this frame, in meters.
    #[inline]
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The error of a place of the world in this frame, in its lengths: three roundings of each product and
    /// sum, in the difference to the position, the turn, the division and the difference to the origin.
    #[inline]
    pub(crate) fn rounding(&self, path: &Path) -> f64 {
        if self.at_rest {
            return self.error;
        }
        let world = reach(path.from()) + reach(path.translation()) + reach(self.position);
        8.0 * UNIT_ROUNDOFF * (world / self.scale + reach(self.origin)) + self.error / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use glam::dvec3;

    #[test]
    fn there_and_back_is_within_the_rounding_bound() {
        let pose = Pose::at(dvec3(1e4, -2e4, 3e4))
            .and_then(|pose| pose.with_rotation(rotation_about(dvec3(1.0, 2.0, 3.0), 0.7)))
            .and_then(|pose| pose.with_scale(0.3))
            .unwrap();
        let frame = Frame::new(&pose, dvec3(5.0, 6.0, 7.0));
        let path = Path::new(dvec3(1.1e4, -2.2e4, 2.9e4), dvec3(3.0, 4.0, 5.0)).unwrap();
        let local = frame.path_to_local(&path).unwrap();
        let bound = frame.rounding(&path) * frame.scale() * 2.0;
        assert!((frame.point_to_world(local.from()) - path.from()).length() < bound);
        assert!(frame.point_to_world(DVec3::ZERO) != DVec3::ZERO);
    }

    #[test]
    fn conversions_keep_good_numbers_and_show_bad_ones() {
        let place = dvec3(1.0, -0.0, 3.0);
        assert_eq!(Pose::from(place), Pose::at(place).unwrap());
        let turn = rotation_about(DVec3::Y, 0.5);
        assert_eq!(Pose::from((place, turn)).rotation(), turn);
        assert!((Pose::from((place, turn * 4.0)).rotation().dot(turn) - 1.0).abs() < 1e-15);
        assert_eq!(Pose::from(place.as_vec3()).position(), place);
        assert!(!Pose::from(DVec3::NAN).is_finite());
        assert!(!Pose::from((place, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))).is_finite());
    }

    #[test]
    fn a_body_at_rest_at_the_origin_changes_no_bit() {
        let frame = Frame::new(&Pose::IDENTITY, DVec3::ZERO);
        let path = Path::new(dvec3(0.1, -0.0, 1e300), dvec3(-0.0, 3.0, 0.7)).unwrap();
        assert_eq!(frame.path_to_local(&path), Some(path));
        assert_eq!(frame.rounding(&path), 0.0);
    }
}
