//! Rollback: everything that a tick changes, as a copy.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use carom::Character;
use carom::glam::DVec3;
use carom::pushed::PushedState;
use carom::sensor::Sensors;
use carom::world::Pose;

use crate::convert::narrow;
use crate::link::{BodyLink, CharacterLink};
use crate::simulation::{CaromWorld, Presence, Touching};
use crate::{CharacterController, RigidMotion};

/// Everything that a tick changes: a resource for rollback netcode, or a list of them for replays.
///
/// [`CaromState::save`] after a tick and [`CaromState::load`] before one; the same inputs then give the same
/// bits. It does not hold the game's own data: `CharacterInput`, velocities of
/// [`RigidMotion`](crate::RigidMotion), and which entities exist. Bodies and characters that were added since
/// stay as they are, and removed ones do not come back: a game that rolls back despawns late.
#[derive(Resource, Clone, Debug, Default)]
pub struct CaromState {
    characters: Vec<(Entity, Character, Vec<Touching>)>,
    bodies: Vec<(Entity, Pose, Transform)>,
    pushed: PushedState,
    sensors: Sensors,
    inside: Vec<Presence>,
    elapsed: f64,
    ticks: u64,
    /// Of the characters, so that sensors may know them by their places.
    entities: Vec<Entity>,
    origin: DVec3,
}

impl CaromState {
    /// A copy of the state after the last tick.
    pub fn save(world: &World) -> Self {
        let Some(carom) = world.get_resource::<CaromWorld>() else { return Self::default() };
        let with_touches = carom.entities.iter().zip(&carom.characters).zip(&carom.touching);
        let bodies = carom.world.bodies().filter_map(|(_, body)| {
            let entity = Entity::try_from_bits(body.user_data())?;
            world.get::<RigidMotion>(entity)?;
            Some((entity, *body.pose(), world.get::<BodyLink>(entity)?.placed))
        });
        Self {
            characters: with_touches
                .map(|((entity, it), touching)| (*entity, *it, touching.clone()))
                .collect(),
            bodies: bodies.collect(),
            pushed: carom.pushed.state(&carom.world),
            sensors: carom.sensors.clone(),
            inside: carom.inside.clone(),
            elapsed: carom.elapsed,
            ticks: carom.ticks,
            entities: carom.entities.clone(),
            origin: carom.origin,
        }
    }

    /// Goes back: the next tick is the one that came after [`CaromState::save`]. Transforms are written at
    /// once.
    pub fn load(&self, world: &mut World) {
        type Links<'w, 's> = (
            ResMut<'w, CaromWorld>,
            Query<'w, 's, (&'static mut Transform, &'static mut BodyLink), Without<CharacterController>>,
            Query<'w, 's, (&'static mut Transform, &'static mut CharacterLink), With<CharacterController>>,
        );
        if !world.contains_resource::<CaromWorld>() {
            return;
        }
        let mut state = SystemState::<Links>::new(world);
        let Ok((mut carom, mut bodies, mut characters)) = state.get_mut(world) else { return };
        let shift = narrow(self.origin - carom.origin);
        let CaromWorld { world: level, pushed, bodies: ids, .. } = &mut *carom;
        pushed.restore(level, &self.pushed);
        // Those that came since are pushed on, from rest.
        for id in level.bodies().filter(|(_, body)| body.mass().is_some()).map(|(id, _)| id) {
            // Those that were there are refused as known.
            let _ = pushed.add(level, id);
        }
        for (entity, pose, placed) in &self.bodies {
            let Some(id) = ids.get(entity) else { continue };
            // It was there, so it is finite.
            if level.set_pose(*id, *pose).is_err() {
                continue;
            }
            if let Ok((mut shown, mut link)) = bodies.get_mut(*entity) {
                let placed = Transform { translation: placed.translation + shift, ..*placed };
                if *shown != placed {
                    *shown = placed;
                }
                (link.placed, link.written) = (placed, placed);
            }
        }
        for (entity, character, touching) in &self.characters {
            let Some(place) = carom.places.get(entity).map(|place| *place as usize) else { continue };
            carom.characters[place] = *character;
            carom.touching[place].clone_from(touching);
            if let Ok((mut shown, mut link)) = characters.get_mut(*entity) {
                let position = narrow(character.position() - carom.origin);
                if shown.translation != position {
                    shown.translation = position;
                }
                link.written = position;
            }
        }
        carom.inside.clone_from(&self.inside);
        let is_same = carom.entities == self.entities;
        carom.sensors = if is_same { self.sensors.clone() } else { Sensors::new() };
        (carom.elapsed, carom.ticks) = (self.elapsed, self.ticks);
        let CaromWorld { targets, characters, .. } = &mut *carom;
        targets.update(characters);
    }

    /// How many ticks there had been.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }
}
