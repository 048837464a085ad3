//! The extent of a collider.

use glam::DVec3;

use crate::num::bound::reach;
use crate::shape::Aabb;
use crate::world::Pose;
use crate::world::body::collider::Collider;
use crate::world::body::pose::Frame;
use crate::world::body::solid::placed;
use crate::world::surface::Surfaces;

/// A box around a collider at this pose, in meters; `None` if that leaves the range of f64.
pub(in crate::world) fn bounds_at(collider: &Collider, pose: &Pose) -> Option<Aabb> {
    let own = match collider {
        Collider::Mesh(mesh) => mesh.mesh().bounds(),
        Collider::Polygons(set) => set.tree().bounds(),
        Collider::Patches(set) => set.tree().bounds(),
        Collider::Hull(hull) => Some(hull.hull().bounds()),
        Collider::HeightField(field) => Some(field.bounds()),
        Collider::Cylinder(it) => Some(it.bounds()),
        Collider::Cone(it) => Some(it.bounds()),
        Collider::Compound(compound) => {
            let mut boxes =
                compound.pieces().iter().map(|piece| bounds_at(&piece.collider, &pose.compose(&piece.pose)));
            let first = boxes.next()??;
            return boxes.try_fold(first, |all, piece| Some(all.union(&piece?)));
        }
        solid => {
            let center = pose.position();
            let bounds = placed(solid, pose)?.bounds();
            return Aabb::new(bounds.min() + center, bounds.max() + center).ok();
        }
    };
    // An empty collider is a point at the position of the body.
    let Some(own) = own else { return Aabb::new(pose.position(), pose.position()).ok() };
    Frame::new(pose, origin_of(collider)).area_to_world(&own)
}

/// The lengths that count in the rounding bounds of kernels, summed up, in meters: those of the bounds of a
/// collider at a pose, its place and its own numbers.
pub(in crate::world) fn lengths_of(collider: &Collider, pose: &Pose, bounds: &Aabb) -> f64 {
    let own = match collider {
        Collider::Mesh(mesh) => mesh.largest(),
        Collider::Polygons(set) => set.largest_coordinate(),
        Collider::Patches(set) => set.largest_coordinate(),
        Collider::Hull(hull) => hull.largest(),
        Collider::HeightField(field) => field.largest(),
        Collider::Cylinder(it) => it.frustum().largest(),
        Collider::Cone(it) => it.frustum().largest(),
        Collider::Compound(compound) => compound.lengths,
        _ => 0.0,
    };
    let own = (3.0 * own + reach(origin_of(collider))) * pose.scale();
    bounds.min().abs().max(bounds.max().abs()).element_sum() + reach(pose.position()) + own
}

/// The origin of the numbers of a collider.
pub(in crate::world) fn origin_of(collider: &Collider) -> DVec3 {
    match collider {
        Collider::Mesh(mesh) => mesh.mesh().origin(),
        _ => DVec3::ZERO,
    }
}
