//! Colliders of physics engines in Carom's world. Each law is tested with each engine.

#[cfg(feature = "avian")]
mod avian;
mod bodies;
#[cfg(feature = "rapier")]
mod rapier;
mod shapes;

use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{app_beside, at, messages, run};

/// A shape that every engine has.
#[derive(Clone, Debug)]
enum Shape {
    Ball(f32),
    /// Its half extents.
    Cuboid(Vec3),
    /// Its ends and its radius.
    Capsule(Vec3, Vec3, f32),
    /// Its radius and half its height.
    Cylinder(f32, f32),
    /// Its radius and half its height.
    Cone(f32, f32),
    HalfSpace(Vec3),
    Hull(Vec<Vec3>),
    Mesh(Vec<Vec3>, Vec<[u32; 3]>),
    /// Rows along x of heights along z, and the size of the field.
    Field(Vec<Vec<f32>>, Vec3),
    Compound(Vec<(Vec3, Quat, Shape)>),
    /// The half extents of the box, and the radius of its edges.
    RoundCuboid(Vec3, f32),
    Segment(Vec3, Vec3),
}

/// How the engine moves a body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Static,
    /// At this velocity.
    Kinematic(Vec3),
    Dynamic,
}

/// When the engine moves bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// As by default: after Carom's tick.
    After,
    /// In `FixedPreUpdate`.
    Before,
}

/// An engine, as a game uses it.
trait Engine {
    type Collider: Component + Clone;

    fn add(app: &mut App, when: When);
    fn follow(app: &mut App, follows_dynamic: bool);
    fn collider(shape: &Shape) -> Self::Collider;
    fn body(kind: Kind, entity: &mut EntityWorldMut);
    fn make_sensor(entity: &mut EntityWorldMut);
    fn unmake_sensor(entity: &mut EntityWorldMut);
    fn set_layers(entity: &mut EntityWorldMut, memberships: u32);
    fn disable_collider(entity: &mut EntityWorldMut);
    fn enable_collider(entity: &mut EntityWorldMut);
    fn disable_body(entity: &mut EntityWorldMut);
    fn enable_body(entity: &mut EntityWorldMut);
    /// How far a ray of the engine's goes to a collider at a place.
    fn cast(collider: &Self::Collider, place: &Transform, from: Vec3, way: Vec3) -> Option<f32>;
    /// How far a point is from the surface of a collider at a place, by the engine.
    fn apart(collider: &Self::Collider, place: &Transform, point: Vec3) -> f32;
}

/// An app with an engine and its colliders.
fn beside<E: Engine>(when: When) -> App {
    app_beside(|app| {
        E::add(app, when);
        E::follow(app, true);
    })
}

fn spawn<E: Engine>(app: &mut App, kind: Kind, shape: &Shape, place: Transform) -> Entity {
    let mut entity = app.world_mut().spawn((E::collider(shape), place));
    E::body(kind, &mut entity);
    entity.id()
}

/// A floor of the engine's with its top at 0.
fn ground<E: Engine>(app: &mut App) -> Entity {
    spawn::<E>(
        app,
        Kind::Static,
        &Shape::Cuboid(Vec3::new(20.0, 0.5, 20.0)),
        Transform::from_xyz(0.0, -0.5, 0.0),
    )
}

/// Runs each test with each engine.
macro_rules! with_each_engine {
    ($($test:ident)*) => {
        #[cfg(feature = "avian")]
        mod avian {
            $(#[test] fn $test() { super::$test::<super::super::avian::Avian>(); })*
        }
        #[cfg(feature = "rapier")]
        mod rapier {
            $(#[test] fn $test() { super::$test::<super::super::rapier::Rapier>(); })*
        }
    };
}
use with_each_engine;
