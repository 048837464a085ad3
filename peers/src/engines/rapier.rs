//! rapier3d's `KinematicCharacterController` in single precision, against one fixed `TriMesh` collider.
//!
//! Its user keeps the vertical speed, as in its own examples: gravity adds to it, and standing on ground ends
//! it. Snap and offset are its defaults, relative to the height: 0.36 m and 18 mm. With steps:
//! `CharacterAutostep` up to 0.4 m, at least a radius wide.

use std::hint::black_box;

use carom_scenes::SceneMesh;
use carom_scenes::workload::{WALKER_HALF_HEIGHT, WALKER_RADIUS, Walker};
use glam::DVec3;
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::math::Pose;
use rapier3d::prelude::*;

const DT: f32 = 1.0 / 60.0;

struct Body {
    at: Vector,
    fall: f32,
}

/// A level and the characters in it.
pub struct Characters {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    controller: KinematicCharacterController,
    capsule: Capsule,
    characters: Vec<Body>,
    setup: &'static str,
}

impl Characters {
    /// As it comes: ground and snap.
    pub fn without_steps(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        Self::new(mesh, walkers, KinematicCharacterController::default(), "ground, snap")
    }

    /// With steps as high as Carom's.
    pub fn with_steps(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        let autostep = CharacterAutostep {
            max_height: CharacterLength::Absolute(0.4),
            min_width: CharacterLength::Absolute(WALKER_RADIUS as f32),
            include_dynamic_bodies: false,
        };
        let controller = KinematicCharacterController {
            autostep: Some(autostep),
            ..KinematicCharacterController::default()
        };
        Self::new(mesh, walkers, controller, "ground, steps, snap")
    }

    fn new(
        mesh: &SceneMesh,
        walkers: &[Walker],
        controller: KinematicCharacterController,
        setup: &'static str,
    ) -> Self {
        let vertices = mesh.vertices.iter().map(|&v| Vector::from(v)).collect();
        let level = ColliderBuilder::trimesh(vertices, mesh.triangles.clone());
        let mut colliders = ColliderSet::new();
        let handle = colliders.insert(level.expect("generated meshes have triangles"));
        let mut broad_phase = BroadPhaseBvh::new();
        broad_phase.set_aabb(&IntegrationParameters::default(), handle, colliders[handle].compute_aabb());
        let characters =
            walkers.iter().map(|walker| Body { at: super::parry::vector(walker.start), fall: 0.0 }).collect();
        Self {
            bodies: RigidBodySet::new(),
            colliders,
            broad_phase,
            narrow_phase: NarrowPhase::new(),
            controller,
            capsule: Capsule::new_y(WALKER_HALF_HEIGHT as f32, WALKER_RADIUS as f32),
            characters,
            setup,
        }
    }
}

impl super::Crowd for Characters {
    fn engine(&self) -> &'static str {
        "rapier3d 0.36"
    }

    fn setup(&self) -> &'static str {
        self.setup
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        let queries = self.broad_phase.as_query_pipeline(
            self.narrow_phase.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        for (character, desired_velocity) in self.characters.iter_mut().zip(desired_velocities) {
            character.fall -= 9.81 * DT;
            let path = (super::parry::vector(*desired_velocity) + Vector::Y * character.fall) * DT;
            let at = Pose::from_translation(character.at);
            let moved = self.controller.move_shape(DT, &queries, &self.capsule, &at, black_box(path), |_| {});
            character.at += moved.translation;
            if moved.grounded {
                character.fall = 0.0;
            }
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        self.characters
            .iter()
            .map(|character| DVec3::from_array(character.at.to_array().map(f64::from)))
            .collect()
    }
}
