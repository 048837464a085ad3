//! Adds Carom to an app.

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;
use bevy::transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};
use carom::glam::DVec3;
use carom::pushed::PushedBodies;

use crate::convert::wide;
use crate::interpolate::{interpolate_transforms, restore_transforms};
use crate::origin::shift_origin;
use crate::simulation::CaromWorld;
use crate::step::{step, write_bodies, write_characters, write_presses, write_sensors, write_touches};
use crate::sync_bodies::{on_add_controller, on_remove_collider, on_remove_part, sync_bodies};
use crate::sync_characters::{on_remove_controller, on_remove_shape, sync_characters};
use crate::{
    BodyPressed, CharacterController, CharacterCrushed, CharacterInput, CharacterReport, CharacterTouch,
    Collider, CollisionLayers, EntityRefused, RigidMotion, Sensor, SensorTouch, SensorVisitors, Surface,
    WorldOrigin,
};

/// A tick, in `FixedUpdate`, in this order. Steer characters and move followed bodies before `Prepare`. Read
/// reports and messages after `Report`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaromSystems {
    /// Components that changed change bodies and characters.
    Prepare,
    /// Everything moves.
    Step,
    /// Transforms, reports and messages are written.
    Report,
}

/// Adds [`CaromWorld`], [`WorldOrigin`], the messages and the systems of [`CaromSystems`]. It needs Bevy's
/// `TransformPlugin` and `TimePlugin`, which `DefaultPlugins` have. Ticks are those of `Time<Fixed>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromPlugin {
    /// The gravity of pushed bodies, in m/s². Characters have their own. Default: (0, −9.81, 0).
    pub gravity: Vec3,
    /// The friction of pushed bodies on surfaces that set none, at least 0. Default: 0.5.
    pub friction: f32,
    /// Whether `Transform` is interpolated between two ticks. Default: true. Without it, games with a low
    /// tick rate jerk visibly.
    pub interpolates: bool,
}

impl Default for CaromPlugin {
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, -9.81, 0.0), friction: 0.5, interpolates: true }
    }
}

fn has_child_colliders(children: Query<(), (With<Collider>, With<ChildOf>)>) -> bool {
    !children.is_empty()
}

impl Plugin for CaromPlugin {
    /// # Panics
    /// Gravity or friction that is not finite, friction below 0: an error of the program.
    fn build(&self, app: &mut App) {
        let pushed = PushedBodies::new(wide(self.gravity))
            .and_then(|pushed| pushed.with_friction(f64::from(self.friction)))
            .unwrap_or_else(|error| panic!("CaromPlugin: {error}"));
        app.init_resource::<WorldOrigin>();
        let mut carom = CaromWorld::new(pushed);
        // An origin that was there before the plugin is where the world begins, and nothing is moved for it.
        let origin = app.world().resource::<WorldOrigin>().0;
        carom.origin = DVec3::from_array(origin.to_array());
        carom.last_origin = carom.origin;
        app.insert_resource(carom)
            .add_message::<CharacterTouch>()
            .add_message::<SensorTouch>()
            .add_message::<CharacterCrushed>()
            .add_message::<BodyPressed>()
            .add_message::<EntityRefused>()
            .register_type::<Collider>()
            .register_type::<RigidMotion>()
            .register_type::<CharacterController>()
            .register_type::<CharacterInput>()
            .register_type::<CharacterReport>()
            .register_type::<CollisionLayers>()
            .register_type::<Sensor>()
            .register_type::<SensorVisitors>()
            .register_type::<Surface>()
            .register_type::<WorldOrigin>()
            .add_observer(on_remove_collider)
            .add_observer(on_remove_shape)
            .add_observer(on_add_controller)
            .add_observer(on_remove_controller)
            .add_observer(on_remove_part::<RigidMotion>)
            .add_observer(on_remove_part::<Sensor>)
            .add_observer(on_remove_part::<CollisionLayers>)
            .add_observer(on_remove_part::<Surface>)
            .add_observer(on_remove_part::<CharacterController>)
            .add_observer(on_remove_part::<ChildOf>)
            .configure_sets(
                FixedUpdate,
                (CaromSystems::Prepare, CaromSystems::Step, CaromSystems::Report).chain(),
            )
            .add_systems(
                FixedUpdate,
                (
                    (
                        shift_origin,
                        (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms)
                            .chain()
                            .run_if(has_child_colliders),
                        sync_bodies,
                        sync_characters,
                    )
                        .chain()
                        .in_set(CaromSystems::Prepare),
                    step.in_set(CaromSystems::Step),
                    (write_bodies, write_presses, write_characters, write_touches, write_sensors)
                        .chain()
                        .in_set(CaromSystems::Report),
                ),
            );
        #[cfg(feature = "scene")]
        app.register_type::<crate::MeshCollider>()
            .register_type::<crate::SceneColliders>()
            .add_systems(PreUpdate, crate::scene::collide_meshes.run_if(resource_exists::<Assets<Mesh>>));
        if self.interpolates {
            app.add_systems(FixedFirst, restore_transforms).add_systems(
                RunFixedMainLoop,
                interpolate_transforms.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
        }
    }
}
