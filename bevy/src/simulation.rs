//! The resource that holds Carom's world.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use carom::character::{Character, Crowd, Report, Targets};
use carom::glam::DVec3;
use carom::pushed::PushedBodies;
use carom::sensor::{Sensors, TickPath};
use carom::world::BodyId;
use carom::{Body, World};

/// Something that a character touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touching {
    pub(crate) other: Entity,
    pub(crate) point: DVec3,
    pub(crate) normal: DVec3,
}

/// A visitor in a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Presence {
    pub(crate) sensor: Entity,
    pub(crate) visitor: Entity,
}

/// Carom's world, its characters and what they know of each other. Ask it with
/// [`cast`](Self::cast), [`raycast`](Self::raycast) and the like, in Bevy's coordinates, or ask
/// [`world`](Self::world) itself, in Carom's.
#[derive(Resource)]
pub struct CaromWorld {
    pub(crate) world: World,
    /// By entity; only looked up in, never walked.
    pub(crate) bodies: EntityHashMap<BodyId>,
    pub(crate) places: EntityHashMap<u32>,
    /// Those of the characters, in their order.
    pub(crate) entities: Vec<Entity>,
    pub(crate) characters: Vec<Character>,
    pub(crate) inputs: Vec<carom::Input>,
    /// How far platforms had turned each before the tick.
    pub(crate) yaws: Vec<f64>,
    pub(crate) paths: Vec<TickPath>,
    pub(crate) touching: Vec<Vec<Touching>>,
    /// Characters whose entity or component has gone.
    pub(crate) gone: Vec<Entity>,
    /// Entities that a component was taken from.
    pub(crate) stripped: Vec<Entity>,
    pub(crate) crowd: Crowd,
    pub(crate) targets: Targets,
    pub(crate) pushed: PushedBodies,
    pub(crate) sensors: Sensors,
    pub(crate) sensor_count: usize,
    /// The visitors of each sensor.
    pub(crate) inside: Vec<Presence>,
    /// In seconds since the first tick.
    pub(crate) elapsed: f64,
    pub(crate) ticks: u64,
    pub(crate) origin: DVec3,
    /// The origin of the last tick: what the game has written since is about it.
    pub(crate) last_origin: DVec3,
    /// How much of what Carom holds was changed by the last tick's look at the components.
    pub(crate) synced: usize,
}

impl CaromWorld {
    pub(crate) fn new(pushed: PushedBodies) -> Self {
        Self {
            world: World::new(),
            bodies: EntityHashMap::default(),
            places: EntityHashMap::default(),
            entities: Vec::new(),
            characters: Vec::new(),
            inputs: Vec::new(),
            yaws: Vec::new(),
            paths: Vec::new(),
            touching: Vec::new(),
            gone: Vec::new(),
            stripped: Vec::new(),
            crowd: Crowd::new(),
            targets: Targets::new(),
            pushed,
            sensors: Sensors::new(),
            sensor_count: 0,
            inside: Vec::new(),
            elapsed: 0.0,
            ticks: 0,
            origin: DVec3::ZERO,
            last_origin: DVec3::ZERO,
            synced: 0,
        }
    }

    /// Carom's own world, in its coordinates: [`WorldOrigin`](crate::WorldOrigin) plus Bevy's. Bodies carry
    /// the bits of their entity as user data.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The body of an entity.
    pub fn body(&self, entity: Entity) -> Option<&Body> {
        self.world.body(*self.bodies.get(&entity)?)
    }

    /// The name of an entity's body in [`world`](Self::world).
    pub fn body_id(&self, entity: Entity) -> Option<BodyId> {
        self.bodies.get(&entity).copied()
    }

    /// The character of an entity.
    pub fn character(&self, entity: Entity) -> Option<&Character> {
        self.characters.get(*self.places.get(&entity)? as usize)
    }

    /// All that the last tick came to for a character, in Carom's coordinates.
    pub fn report(&self, entity: Entity) -> Option<&Report> {
        self.crowd.reports().get(*self.places.get(&entity)? as usize)
    }

    /// How fast a body goes that is pushed ([`RigidMotion::Pushed`](crate::RigidMotion)), in m/s.
    pub fn pushed_velocity(&self, entity: Entity) -> Option<DVec3> {
        self.pushed.velocity(*self.bodies.get(&entity)?)
    }

    /// Adds an impulse, in newton seconds, to a body that is pushed, from the next tick on.
    pub fn push(&mut self, entity: Entity, impulse: Vec3) {
        if let Some(id) = self.bodies.get(&entity) {
            self.pushed.push(&self.world, *id, crate::convert::wide(impulse));
        }
    }

    /// How many ticks there have been.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How many bodies and characters the last tick made, changed or put elsewhere because components had
    /// changed: 0 in a game in which nothing but characters and their like moves.
    pub fn synced(&self) -> usize {
        self.synced
    }

    /// Where an entity's body or character is.
    pub(crate) fn place_of(&self, entity: Entity) -> Option<DVec3> {
        let body = self.body(entity).map(|body| body.pose().position());
        body.or_else(|| self.character(entity).map(Character::position))
    }

    /// Takes the body of an entity out.
    pub(crate) fn remove_body(&mut self, entity: Entity) {
        if let Some(id) = self.bodies.remove(&entity) {
            let body = self.world.remove(id);
            self.sensor_count -= usize::from(body.is_some_and(|body| body.is_sensor()));
            self.sensors = Sensors::new();
            self.pushed.remove(id);
        }
    }

    /// Takes the characters out that have gone.
    pub(crate) fn remove_gone(&mut self) {
        if self.gone.is_empty() {
            return;
        }
        self.synced += self.gone.len();
        let Self { entities, gone, .. } = self;
        let stays: Vec<bool> = entities.iter().map(|entity| !gone.contains(entity)).collect();
        fn keep<T>(list: &mut Vec<T>, stays: &[bool]) {
            let mut stays = stays.iter();
            list.retain(|_| stays.next().copied().unwrap_or(true));
        }
        keep(&mut self.entities, &stays);
        keep(&mut self.characters, &stays);
        keep(&mut self.touching, &stays);
        self.gone.clear();
        self.places = self.entities.iter().zip(0..).map(|(entity, place)| (*entity, place)).collect();
        // They know characters by their places. The previous visitors are kept separately, by entity.
        self.sensors = Sensors::new();
    }
}
