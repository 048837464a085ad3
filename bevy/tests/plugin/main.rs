//! The plugin in a headless app: what a game sees of it.
#![allow(missing_docs, clippy::unwrap_used)]

mod bodies;
mod characters;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod engines;
mod laws;
mod refusals;
#[cfg(feature = "scene")]
mod scene;
mod sensors;
mod strangers;
#[cfg(feature = "serde")]
mod wire;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_carom::prelude::*;

/// 1/64 s, exactly.
pub const TICK: Duration = Duration::from_micros(15_625);

/// An app in which every update is a tick, but for the first, and transforms show the last.
pub fn app() -> App {
    app_at(WorldOrigin::default())
}

/// The same at an origin.
pub fn app_at(origin: WorldOrigin) -> App {
    app_with(CaromPlugin { interpolates: false, ..default() }, origin, TICK, |_| {})
}

/// An app beside something else.
#[cfg(any(feature = "avian", feature = "rapier"))]
pub fn app_beside(add: impl FnOnce(&mut App)) -> App {
    app_with(CaromPlugin { interpolates: false, ..default() }, WorldOrigin::default(), TICK, add)
}

/// An app that shows what is between ticks, with this much time between updates.
pub fn app_with_frames(frame: Duration) -> App {
    app_with(CaromPlugin::default(), WorldOrigin::default(), frame, |_| {})
}

/// An app beside something else that shows what is between ticks.
#[cfg(any(feature = "avian", feature = "rapier"))]
pub fn app_with_frames_beside(frame: Duration, add: impl FnOnce(&mut App)) -> App {
    app_with(CaromPlugin::default(), WorldOrigin::default(), frame, add)
}

fn app_with(plugin: CaromPlugin, origin: WorldOrigin, frame: Duration, add: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.insert_resource(origin)
        .add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    add(&mut app);
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// This many updates.
pub fn run(app: &mut App, updates: usize) {
    for _ in 0..updates {
        app.update();
    }
}

/// A floor of 40 × 40 m with its top at 0.
pub fn floor(app: &mut App) -> Entity {
    app.world_mut().spawn((Collider::cuboid(20.0, 0.5, 20.0), Transform::from_xyz(0.0, -0.5, 0.0))).id()
}

/// A person of 1.8 m with its center there.
pub fn hero(app: &mut App, x: f32, y: f32, z: f32) -> Entity {
    let parts = (Collider::capsule(0.35, 0.55), CharacterController::default(), Transform::from_xyz(x, y, z));
    app.world_mut().spawn(parts).id()
}

/// Sets the desired velocity of a character from now on.
pub fn want(app: &mut App, hero: Entity, velocity: Vec3) {
    app.world_mut().get_mut::<CharacterInput>(hero).unwrap().desired_velocity = Some(velocity);
}

/// Where an entity is drawn.
pub fn at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).unwrap().translation
}

/// The report of the last tick.
pub fn report(app: &App, hero: Entity) -> CharacterReport {
    *app.world().get::<CharacterReport>(hero).unwrap()
}

/// The ground of a character.
pub fn ground(app: &App, hero: Entity) -> Option<Entity> {
    report(app, hero).ground.map(|ground| ground.entity)
}

/// The messages of the last two updates.
pub fn messages<M: Message + Clone>(app: &App) -> Vec<M> {
    app.world().resource::<Messages<M>>().iter_current_update_messages().cloned().collect()
}
