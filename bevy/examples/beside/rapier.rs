//! Rapier's `KinematicCharacterController`, as its example `character_controller3.rs` uses it, and with its
//! defaults.

use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy_rapier3d::plugin::systems::update_character_controls;
use bevy_rapier3d::prelude::*;

use crate::contest::{Clock, Controller, HALF_HEIGHT, RADIUS, TICK, Walker};
use crate::level::Piece;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FixedUpdateOfRapier;

/// The velocity along y, in m/s.
#[derive(Component, Default)]
struct Falling(f32);

pub(crate) fn add(app: &mut App) {
    app.insert_resource(TimestepMode::Fixed { dt: TICK.as_secs_f32(), substeps: 1 })
        .init_schedule(FixedUpdateOfRapier)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_schedule(FixedUpdateOfRapier))
        .add_systems(
            FixedUpdateOfRapier,
            (walk, begin).chain().before(PhysicsSet::SyncBackend).before(update_character_controls),
        )
        .add_systems(
            FixedUpdateOfRapier,
            end.after(update_character_controls).before(RapierTransformPropagateSet),
        );
}

pub(crate) fn level_body(piece: &Piece) -> impl Bundle {
    let collider = match piece {
        Piece::Mesh(vertices, triangles) => {
            Collider::trimesh(vertices.clone(), triangles.clone()).expect("a mesh")
        }
        Piece::Cuboid(half) => Collider::cuboid(half.x, half.y, half.z),
    };
    (collider, RigidBody::Fixed)
}

/// The settings of rapier's controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settings {
    /// Those of its example, with steps of 40 cm as Carom has them, and snapped to the ground, as it is by
    /// default.
    Example,
    /// The same, with steps that need be no more than 20 cm deep.
    Narrow,
    /// Its defaults: without steps.
    Defaults,
}

pub(crate) fn character(settings: Settings) -> impl Bundle {
    let min_width = match settings {
        Settings::Narrow => CharacterLength::Absolute(0.2),
        _ => CharacterLength::Relative(0.5),
    };
    let max_height = CharacterLength::Absolute(0.4);
    let example = KinematicCharacterController {
        offset: CharacterLength::Absolute(0.01),
        autostep: Some(CharacterAutostep { max_height, min_width, include_dynamic_bodies: false }),
        max_slope_climb_angle: 45.0_f32.to_radians(),
        min_slope_slide_angle: 30.0_f32.to_radians(),
        ..default()
    };
    let controller = if settings == Settings::Defaults { default() } else { example };
    let body = (RigidBody::KinematicPositionBased, Collider::capsule_y(HALF_HEIGHT, RADIUS));
    (controller, body, Falling::default())
}

fn walk(
    mut walkers: Query<(
        &Walker,
        &mut KinematicCharacterController,
        Option<&KinematicCharacterControllerOutput>,
        &mut Falling,
    )>,
) {
    let seconds = TICK.as_secs_f32();
    for (walker, mut controller, output, mut falling) in &mut walkers {
        if output.is_some_and(|output| output.grounded) {
            falling.0 = 0.0;
        }
        falling.0 -= 9.81 * seconds;
        controller.translation = Some((walker.wish + Vec3::Y * falling.0) * seconds);
    }
}

fn begin(mut clock: ResMut<Clock>) {
    clock.begin();
}

fn end(mut clock: ResMut<Clock>) {
    clock.end(Controller::Rapier);
}
