//! Carom in Bevy: characters that walk, climb, ride and push, casts and sensors, exact and the same to the
//! bit in every run.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_carom::prelude::*;
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn((Collider::cuboid(20.0, 0.5, 20.0), Transform::from_xyz(0.0, -0.5, 0.0)));
//!     commands.spawn((
//!         Collider::capsule(0.35, 0.55),
//!         CharacterController::default(),
//!         Transform::from_xyz(0.0, 1.0, 0.0),
//!     ));
//! }
//!
//! fn steer(mut players: Query<&mut CharacterInput>) {
//!     for mut input in &mut players {
//!         input.desired_velocity = Some(Vec3::X * 4.0);
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, TransformPlugin, CaromPlugin::default()))
//!     .add_systems(Startup, spawn)
//!     .add_systems(FixedUpdate, steer.before(CaromSystems::Prepare));
//! app.update();
//! ```
//!
//! An entity with a [`Collider`] is a body: fixed, or moved by its [`RigidMotion`], or a [`Sensor`]. With a
//! [`CharacterController`] it is a character, which reads its [`CharacterInput`] and writes its
//! [`CharacterReport`]. A tick of `FixedUpdate` has three sets in order, [`CaromSystems`]. Transforms are f32
//! and stay small: [`WorldOrigin`] says where they are in Carom's world of f64.
//!
//! With the features `avian` and `rapier`, `AvianColliders` and `RapierColliders` give the colliders of these
//! engines a [`Collider`], so that characters walk among their bodies.
#![forbid(unsafe_code)]

#[cfg(feature = "avian")]
mod avian;
mod body_recipe;
mod character;
mod collider;
mod convert;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod engine;
#[cfg(feature = "gizmos")]
mod gizmos;
mod interpolate;
mod layers;
mod link;
mod messages;
mod motion;
mod origin;
mod plugin;
mod query;
#[cfg(feature = "rapier")]
mod rapier;
mod rollback;
#[cfg(feature = "scene")]
mod scene;
mod sensor;
mod shared;
mod simulation;
mod step;
mod surface;
mod sync_bodies;
mod sync_characters;

pub use carom;

#[cfg(feature = "avian")]
pub use avian::AvianColliders;
pub use character::{CharacterController, CharacterInput, CharacterReport, Standing};
pub use collider::{Collider, ColliderError, SharedCompound};
#[cfg(feature = "gizmos")]
pub use gizmos::{CaromGizmos, CaromGizmosPlugin};
pub use layers::CollisionLayers;
pub use messages::{BodyPressed, CharacterCrushed, CharacterTouch, EntityRefused, SensorTouch, TouchPhase};
pub use motion::{MotionPath, PathPoint, RigidMotion};
pub use origin::WorldOrigin;
pub use plugin::{CaromPlugin, CaromSystems};
pub use query::{CastFilter, CastHit};
#[cfg(feature = "rapier")]
pub use rapier::RapierColliders;
pub use rollback::CaromState;
#[cfg(feature = "scene")]
pub use scene::{MeshCollider, MeshShape, SceneColliders};
pub use sensor::{Sensor, SensorVisitors};
pub use shared::{SharedHeightField, SharedHull, SharedMesh};
pub use simulation::CaromWorld;
pub use surface::Surface;

/// The imports of a game.
pub mod prelude {
    #[cfg(feature = "avian")]
    pub use crate::AvianColliders;
    #[cfg(feature = "rapier")]
    pub use crate::RapierColliders;
    pub use crate::{
        BodyPressed, CaromPlugin, CaromState, CaromSystems, CaromWorld, CastFilter, CastHit,
        CharacterController, CharacterCrushed, CharacterInput, CharacterReport, CharacterTouch, Collider,
        CollisionLayers, EntityRefused, MotionPath, PathPoint, RigidMotion, Sensor, SensorTouch,
        SensorVisitors, Standing, Surface, TouchPhase, WorldOrigin,
    };
    #[cfg(feature = "gizmos")]
    pub use crate::{CaromGizmos, CaromGizmosPlugin};
    #[cfg(feature = "scene")]
    pub use crate::{MeshCollider, MeshShape, SceneColliders};
}
