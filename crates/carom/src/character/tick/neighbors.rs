//! The characters beside, below and above in a tick.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::{SIDES, Tick};
use crate::character::Character;
use crate::character::above::Above;
use crate::character::character_obstacles::SeparatingPlane;
use crate::character::neighbor::Neighbor;
use crate::character::report::{Obstacle, Rider};
use crate::character::stack::{Below, Flags};
use crate::num::bound::reach;
use crate::trace::Trace;
use crate::world::Layers;

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Finds the sides to keep to; if there are too many, those of the nearest characters.
    pub(super) fn keep_sides(&mut self, number: u32, neighbors: &[Neighbor]) {
        let state = *self.state;
        self.state.flags.set(Flags::BEARS, false);
        if neighbors.is_empty() {
            return;
        }
        let character = Character { state, settings: *self.settings, layers: Layers::SOLID, user_data: 0 };
        let mut own = character.neighbor(number, self.world, self.input, self.dt);
        if own.stack.rests || neighbors.iter().any(|other| other.stack.rests) {
            self.find_stack(&mut own, neighbors);
        }
        self.below = Below { body: own.carrier, borne: own.stack.borne };
        let mut gaps = ArrayVec::<f64, SIDES>::new();
        for side in neighbors.iter().filter_map(|other| SeparatingPlane::between(self.world, &own, other)) {
            let gap = side.gap(self.at);
            let at = gaps.partition_point(|other| *other <= gap);
            if at < SIDES {
                if gaps.is_full() {
                    gaps.pop();
                    self.sides.pop();
                }
                gaps.insert(at, gap);
                self.sides.insert(at, side);
            }
        }
        self.report.neighbors = self.sides.len() as u32;
    }

    /// The character that it stands on and those that stand on it: the same as
    /// [`link`](crate::character::stack::link) finds for the same neighbors.
    fn find_stack(&mut self, own: &mut Neighbor, neighbors: &[Neighbor]) {
        let below = |own: &Neighbor, other: &Neighbor| Above::of(other, own);
        for other in neighbors {
            if own.stack.stands_on == Some(other.number) && below(own, other).is_some() {
                own.ride(self.world, other);
            }
        }
        if own.stack.rests {
            neighbors.iter().for_each(|other| own.keep_below(other));
        }
        for other in neighbors {
            if let Some(above) = Above::of(own, other) {
                self.state.flags.set(Flags::BEARS, true);
                own.stack.room = own.stack.room.min(Neighbor::room_below(self.world, &above, other));
                let stands_here = |number: u32| !neighbors.iter().any(|one| one.number == number);
                if other.stack.stands_on.is_some_and(stands_here) {
                    self.report.add_rider(Rider { character: other.number, user_data: other.user_data });
                }
            }
        }
        for other in neighbors {
            if let Some(above) = below(own, other) {
                let extra = own.be_pushed(self.world, &above, other);
                let (up, pushed) = (own.stack.up, self.pushed);
                let level = |v: DVec3| v - up * v.dot(up);
                let aside = if reach(level(extra)) > reach(level(pushed)) { extra } else { pushed };
                self.pushed = level(aside) + up * extra.dot(up).max(pushed.dot(up));
            }
        }
    }

    /// Below it while it stands on a character.
    pub(super) fn ridden(&self) -> Below {
        let stands_on_character = self.ground.is_some_and(|ground| ground.obstacle.body().is_none());
        if stands_on_character { self.below } else { Below::NOTHING }
    }

    /// The translation by the characters below in this tick.
    pub(super) fn borne(&self) -> DVec3 {
        self.ridden().borne
    }
}
