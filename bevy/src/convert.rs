//! Converts between Bevy's f32 and Carom's f64. Bevy 0.19 has another version of glam than Carom, so vectors
//! cross as arrays.

use bevy::math::{Quat, Vec3};
use bevy::transform::components::Transform;
use carom::glam::{DQuat, DVec3};
use carom::world::Pose;

/// The vector in f64. Exact.
pub(crate) fn wide(v: Vec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(f64::from))
}

/// The nearest vector of f32.
pub(crate) fn narrow(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| x as f32))
}

/// The rotation in f64, not normalized. Exact.
pub(crate) fn wide_rotation(q: Quat) -> DQuat {
    DQuat::from_array(q.to_array().map(f64::from))
}

/// The nearest rotation of f32.
pub(crate) fn narrow_rotation(q: DQuat) -> Quat {
    Quat::from_array(q.to_array().map(|x| x as f32))
}

/// Where a transform is in Carom's world. Its scale is not part of it: colliders are scaled.
pub(crate) fn pose(transform: &Transform, origin: DVec3) -> Pose {
    (origin + wide(transform.translation), wide_rotation(transform.rotation)).into()
}

/// The transform of a pose about an origin, with this scale.
pub(crate) fn transform(pose: &Pose, origin: DVec3, scale: Vec3) -> Transform {
    Transform {
        translation: narrow(pose.position() - origin),
        rotation: narrow_rotation(pose.rotation()),
        scale,
    }
}
