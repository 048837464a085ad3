//! Bodies from the colliders of avian.

// Each engine has its own version of parry.
#[allow(clippy::duplicate_mod)]
#[path = "parry_shapes.rs"]
mod parry_shapes;

use avian3d::parry;
use avian3d::prelude as avian;
use bevy::prelude::*;

use crate::engine::{Engine, EngineBody, build};
use crate::{Collider, CollisionLayers};

/// Gives every entity with a collider of avian a [`Collider`] of the same shape, at the scale that avian
/// gives it, with the same layers, and a [`Sensor`](crate::Sensor) for a sensor. Add it beside
/// [`CaromPlugin`](crate::CaromPlugin) and avian's `PhysicsPlugins`.
///
/// - Static bodies and colliders without a body are fixed. Kinematic and dynamic ones get
///   [`RigidMotion::Follow`](crate::RigidMotion): they carry and push characters, and nothing pushes back.
/// - Children belong to the nearest rigid body among their ancestors.
/// - It follows changes of colliders, bodies, layers, sensors and scales, and what is disabled or removed.
/// - An entity with a `Collider` of its own, and the colliders of characters and of their children, are left
///   alone. A `RigidMotion`, a `Sensor` or `CollisionLayers` of its own stay.
/// - A shape that Carom does not have is named by [`EntityRefused`](crate::EntityRefused): round shapes,
///   segments, polylines, voxels.
///
/// Bodies are one tick behind avian, which moves them in `FixedPostUpdate`, after Carom's tick. With
/// `PhysicsPlugins::new(FixedPreUpdate)` they are where avian puts them in the same tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvianColliders {
    /// Whether dynamic bodies are followed. Otherwise characters do not meet them. Default: true.
    pub follows_dynamic: bool,
}

impl Default for AvianColliders {
    fn default() -> Self {
        Self { follows_dynamic: true }
    }
}

impl Plugin for AvianColliders {
    fn build(&self, app: &mut App) {
        build::<Avian>(app, self.follows_dynamic);
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Avian;

/// Avian has no such component.
#[derive(Component)]
enum NoScaleRule {}

impl Engine for Avian {
    const NAME: &'static str = "avian";
    type Collider = avian::Collider;
    type Body = avian::RigidBody;
    type Layers = avian::CollisionLayers;
    type Sensor = avian::Sensor;
    type ColliderDisabled = avian::ColliderDisabled;
    type BodyDisabled = avian::RigidBodyDisabled;
    type ScaleRule = NoScaleRule;
    type Shape = parry::shape::SharedShape;

    fn body(body: &avian::RigidBody) -> EngineBody {
        match body {
            avian::RigidBody::Static => EngineBody::Static,
            avian::RigidBody::Kinematic => EngineBody::Kinematic,
            avian::RigidBody::Dynamic => EngineBody::Dynamic,
        }
    }

    fn layers(layers: &avian::CollisionLayers) -> CollisionLayers {
        CollisionLayers::new(layers.memberships.0, layers.filters.0)
    }

    fn scale(_: Option<&NoScaleRule>, of_transform: Vec3) -> Vec3 {
        of_transform
    }

    fn scaled(collider: &avian::Collider, scale: Vec3) -> Option<Self::Shape> {
        let mut collider = collider.clone();
        // As many subdivisions as avian takes.
        collider.set_scale(scale, 10);
        (collider.scale() == scale).then(|| collider.shape_scaled().clone())
    }

    fn address(shape: &Self::Shape) -> usize {
        core::ptr::from_ref(&*shape.0).cast::<()>().addr()
    }

    fn translate(shape: &Self::Shape) -> Result<Collider, String> {
        parry_shapes::translate(shape)
    }
}
