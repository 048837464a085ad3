//! Bodies from the colliders of rapier.

// Each engine has its own version of parry.
#[allow(clippy::duplicate_mod)]
#[path = "parry_shapes.rs"]
mod parry_shapes;

use bevy::prelude::*;
use bevy_rapier3d::geometry::get_snapped_scale;
use bevy_rapier3d::parry;
use bevy_rapier3d::prelude as rapier;

use crate::engine::{Engine, EngineBody, build};
use crate::{Collider, CollisionLayers};

/// Gives every entity with a collider of rapier a [`Collider`] of the same shape, at the scale that rapier
/// gives it, with the same groups as layers, and a [`Sensor`](crate::Sensor) for a sensor. Add it beside
/// [`CaromPlugin`](crate::CaromPlugin) and `RapierPhysicsPlugin`.
///
/// - Fixed bodies and colliders without a body are fixed. Kinematic and dynamic ones get
///   [`RigidMotion::Follow`](crate::RigidMotion): they carry and push characters, and nothing pushes back.
/// - Children belong to the nearest rigid body among their ancestors.
/// - It follows changes of colliders, bodies, groups, sensors and scales, and what is disabled or removed.
/// - An entity with a `Collider` of its own, and the colliders of characters and of their children, are left
///   alone. A `RigidMotion`, a `Sensor` or `CollisionLayers` of its own stay.
/// - A shape that Carom does not have is named by [`EntityRefused`](crate::EntityRefused): round shapes,
///   segments, polylines, voxels.
///
/// Rapier moves bodies in `PostUpdate`, once per frame, so bodies are up to a frame and a tick behind. With
/// `RapierPhysicsPlugin::in_schedule(FixedPreUpdate)` and `TimestepMode::Fixed` they are where rapier puts
/// them in the same tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RapierColliders {
    /// Whether dynamic bodies are followed. Otherwise characters do not meet them. Default: true.
    pub follows_dynamic: bool,
}

impl Default for RapierColliders {
    fn default() -> Self {
        Self { follows_dynamic: true }
    }
}

impl Plugin for RapierColliders {
    fn build(&self, app: &mut App) {
        build::<Rapier>(app, self.follows_dynamic);
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Rapier;

impl Engine for Rapier {
    const NAME: &'static str = "rapier";
    type Collider = rapier::Collider;
    type Body = rapier::RigidBody;
    type Layers = rapier::CollisionGroups;
    type Sensor = rapier::Sensor;
    type ColliderDisabled = rapier::ColliderDisabled;
    type BodyDisabled = rapier::RigidBodyDisabled;
    type ScaleRule = rapier::ColliderScale;
    type Shape = parry::shape::SharedShape;

    fn body(body: &rapier::RigidBody) -> EngineBody {
        match body {
            rapier::RigidBody::Fixed => EngineBody::Static,
            rapier::RigidBody::KinematicPositionBased | rapier::RigidBody::KinematicVelocityBased => {
                EngineBody::Kinematic
            }
            rapier::RigidBody::Dynamic => EngineBody::Dynamic,
        }
    }

    fn layers(groups: &rapier::CollisionGroups) -> CollisionLayers {
        CollisionLayers::new(groups.memberships.bits(), groups.filters.bits())
    }

    fn scale(rule: Option<&rapier::ColliderScale>, of_transform: Vec3) -> Vec3 {
        match rule {
            None => of_transform,
            Some(rapier::ColliderScale::Relative(scale)) => *scale * of_transform,
            Some(rapier::ColliderScale::Absolute(scale)) => *scale,
        }
    }

    fn scaled(collider: &rapier::Collider, scale: Vec3) -> Option<Self::Shape> {
        let mut collider = collider.clone();
        // As many subdivisions as rapier takes, unless its configuration says otherwise.
        collider.set_scale(scale, 10);
        (collider.scale() == get_snapped_scale(scale)).then_some(collider.raw)
    }

    fn address(shape: &Self::Shape) -> usize {
        core::ptr::from_ref(&*shape.0).cast::<()>().addr()
    }

    fn translate(shape: &Self::Shape) -> Result<Collider, String> {
        parry_shapes::translate(shape)
    }
}
