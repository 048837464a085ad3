//! The events of the sensors of a scene.

use carom::character::{Character, Obstacle};
use carom::sensor::{SensorEvent, SensorEventKind, Sensors, TickPath, Visitor};
use carom::world::{Part, World};
use serde::Serialize;

use super::names::Names;
use super::trace::Listener;

/// The sensors of a scene, and their visitors.
#[derive(Debug)]
pub(crate) struct Sensing {
    sensors: Sensors,
    paths: Vec<TickPath>,
    events: Vec<SensorEvent>,
}

/// One report of a sensor in a tick.
#[derive(Serialize)]
pub(crate) struct SensorLine<'a> {
    sensor: &'a str,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
    /// The share of the tick.
    fraction: f64,
}

impl Sensing {
    /// Before the first tick: what is in a sensor then is reported as entering in the first tick.
    pub(crate) fn new(characters: &[Character]) -> Self {
        Self { sensors: Sensors::new(), paths: vec![TickPath::new(); characters.len()], events: Vec::new() }
    }

    /// After a tick.
    pub(crate) fn update(&mut self, world: &World, characters: &[Character], heard: &[Listener]) {
        for ((path, listener), character) in self.paths.iter_mut().zip(heard).zip(characters) {
            // One that was put elsewhere after the tick did not go there.
            if character.position() == character.previous_position() {
                path.clear();
            } else {
                path.clone_from(listener.path());
            }
        }
        self.events.clear();
        self.events.extend(self.sensors.update(world, characters, &self.paths));
    }

    /// The reports of the last tick.
    pub(crate) fn lines<'a>(&self, names: &Names<'a>) -> Vec<SensorLine<'a>> {
        let body = |id| names.of(Obstacle::Body(Part { body: id, part: 0 }));
        let line = |event: &SensorEvent| SensorLine {
            sensor: body(event.sensor),
            event: match event.kind {
                SensorEventKind::Entered => "entered",
                SensorEventKind::Stayed => "stayed",
                SensorEventKind::Left => "left",
            },
            character: match event.visitor {
                Visitor::Character(number) => Some(names.of(Obstacle::Character(number))),
                Visitor::Body(_) => None,
            },
            body: match event.visitor {
                Visitor::Body(id) => Some(body(id)),
                Visitor::Character(_) => None,
            },
            fraction: event.time,
        };
        self.events.iter().map(line).collect()
    }
}
