//! The clock of each ball: its flight counts from its own last event.

use glam::DVec3;

use super::rules::BallMotion;
use super::state::BallHot;
use super::table::Table;
use crate::balls::events::pending::Pending;
use crate::balls::flight::{Flight, cloth};
use crate::balls::grid::cell::Cell;

impl Table {
    #[inline]
    pub(crate) fn cell(&self, i: usize) -> Cell {
        self.own[i].place.cell()
    }

    /// The ball's flight, from its own clock on.
    #[inline]
    pub(crate) fn flight(&self, i: usize) -> Flight {
        let BallHot { position, velocity, .. } = self.hot[i];
        let acceleration = if self.varied { self.accelerations[i] } else { DVec3::ZERO };
        Flight { position, velocity, acceleration }
    }

    /// The ball's flight from now on.
    #[inline]
    pub(crate) fn flight_now(&self, i: usize) -> Flight {
        let flight = self.flight(i);
        let passed = self.now - self.hot[i].time;
        Flight {
            position: flight.at(passed),
            velocity: flight.velocity + flight.acceleration * passed,
            ..flight
        }
    }

    /// Sets the ball's own clock to now.
    #[inline]
    pub(crate) fn sync_to_now(&mut self, i: usize) {
        let Flight { position, velocity, acceleration } = self.flight_now(i);
        if self.rules.cloth.is_some() {
            self.rolls[i] += cloth::rolled(self.own[i].motion, acceleration, self.now - self.hot[i].time);
        }
        let hot = &mut self.hot[i];
        (hot.position, hot.velocity, hot.time) = (position, velocity, self.now);
    }

    /// Its flight has changed: what was predicted with the old one is outdated.
    #[inline]
    pub(crate) fn changed(&mut self, i: usize) {
        self.changes += 1;
        self.own[i].changed = self.changes;
        self.hot[i].due = f64::INFINITY;
        self.own[i].what = Pending::Nothing;
        if self.rules.cloth.is_some() && self.own[i].motion != BallMotion::Pocketed {
            self.set_on_cloth(i);
        }
    }

    pub(crate) fn set_on_cloth(&mut self, i: usize) {
        if let Some(cloth) = &self.rules.cloth {
            let phase = cloth::phase(cloth, self.hot[i].velocity, self.rolls[i]);
            if phase.motion != BallMotion::Sliding {
                self.rolls[i] = self.hot[i].velocity;
            }
            self.own[i].motion = phase.motion;
            self.accelerations[i] = phase.acceleration;
            self.next[i].phase_ends = self.hot[i].time + phase.lasts;
        }
    }
}
