//! The characters of the contest: their sizes, their controllers, and the time that each controller takes.

use std::time::{Duration, Instant};

use bevy::prelude::*;

/// 1/64 s, exactly.
pub(crate) const TICK: Duration = Duration::from_micros(15_625);
/// Half the height of a character without its caps, and its radius, in meters.
pub(crate) const HALF_HEIGHT: f32 = 0.55;
pub(crate) const RADIUS: f32 = 0.35;

/// Which controller moves a character.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controller {
    Carom,
    Avian,
    Rapier,
}

pub(crate) const CONTROLLERS: [Controller; 3] = [Controller::Carom, Controller::Avian, Controller::Rapier];

/// A character: its number, where it began, and where it wants to go in this tick, in m/s.
#[derive(Component)]
pub(crate) struct Walker {
    pub(crate) number: usize,
    pub(crate) start: Vec3,
    pub(crate) before: Vec3,
    pub(crate) wish: Vec3,
}

/// The time that each controller has spent.
#[derive(Resource, Default)]
pub(crate) struct Clock {
    pub(crate) began: Option<Instant>,
    pub(crate) spent: [Duration; 3],
}

impl Clock {
    pub(crate) fn begin(&mut self) {
        self.began = Some(Instant::now());
    }

    pub(crate) fn end(&mut self, controller: Controller) {
        self.spent[controller as usize] += self.began.take().map_or(Duration::ZERO, |began| began.elapsed());
    }
}
