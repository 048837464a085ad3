//! Characters that stand on characters: the upper one gives way to the lower one, and moves with it.
//!
//! Source: `docs/crowds.md`. If one of two characters is on the head of the other, both know at the start of
//! the tick how far the lower one wants to go towards the upper one, and how far the upper one can get out of
//! its way. So both find the same plane, which moves by that much. In a stack of several, a push passes from
//! each to the next: [`link`] computes this once, before any of them moves. Error: none beyond rounding.
//! Cost: a contact for each pair near one that stands on a head, and two sweeps if the lower one pushes.
//! Gives up: if the upper one has no room, the lower one waits.

use alloc::vec::Vec;

use glam::DVec3;

use super::above::{Above, StackPush, free_share};
use super::character_obstacles::SeparatingPlane;
use super::nearby::Nearby;
use super::neighbor::Neighbor;
use super::settings::Riders;
use super::support::feet;
use crate::shape::Aabb;
use crate::world::{BodyId, World};

/// No stack is higher than this many characters; characters above that are not pushed or carried.
const LEVELS: usize = 64;

/// The booleans of a state, in one byte to save memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Flags(u8);

impl Flags {
    /// It rested on a character at the end.
    pub(super) const RESTS: u8 = 1;
    /// Another character, not on its head, stopped its walk.
    pub(super) const STOPPED: u8 = 2;
    /// Another was above it.
    pub(super) const BEARS: u8 = 4;
    /// The place where it last stood free is known.
    pub(super) const SAFE_PLACE: u8 = 8;
    /// It is crushed, and remembers how.
    pub(super) const SQUEEZED: u8 = 16;
    /// When it was crushed, it was inside a movable surface, as a passenger is in a cabin.
    pub(super) const WAS_ENCLOSED: u8 = 32;
    /// It ended half way up a step, on a nose that is no ground.
    pub(super) const CLIMBS: u8 = 64;
    /// It was crushed in the last tick.
    pub(super) const CRUSHED: u8 = 128;

    pub(super) fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn set(&mut self, flag: u8, to: bool) {
        self.0 = if to { self.0 | flag } else { self.0 & !flag };
    }
}

/// The body below the characters that one stands on, and their translation besides that of the body.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) body: Option<BodyId>,
    pub(super) borne: DVec3,
}

impl Below {
    pub(super) const NOTHING: Self = Self { body: None, borne: DVec3::ZERO };
}

/// How far up a character can go, at most its height.
fn rise(world: &World, of: &Neighbor) -> f64 {
    let up = of.stack.up;
    let height = 2.0 * feet(&of.mover, up);
    let most = height.min(of.stack.room.max(0.0));
    most * free_share(world, of, up * most)
}

impl Neighbor {
    /// How far up it can go before `upper`, above it, is stopped.
    pub(super) fn room_below(world: &World, above: &Above, upper: &Neighbor) -> f64 {
        // Two planes that leave it exactly its way leave no room for rounding.
        let kept = 0.125 * upper.stack.slack;
        let upright = above.toward.dot(upper.stack.up);
        ((above.gap + upper.leans_into(above)) / upright + rise(world, upper) - kept).max(0.0)
    }

    /// How far its own horizontal motion and its carrier move it against a character below: at most 0. This
    /// part of its motion cannot also lift it.
    pub(super) fn leans_into(&self, above: &Above) -> f64 {
        let (up, way) = (self.stack.up, self.translation + self.stack.borne);
        above.toward.dot(way - up * way.dot(up)).min(0.0)
    }

    /// Moves with the character that it stands on: with the carrier of that one, always up and down, and
    /// across if that one carries it.
    pub(super) fn ride(&mut self, world: &World, lower: &Neighbor) {
        let (up, ahead) = (self.stack.up, lower.stack.ahead);
        let taken = match lower.stack.riders {
            Riders::Carry => ahead,
            Riders::LeaveBehind => {
                let drift = lower.stack.drift;
                up * ahead.dot(up) + drift - up * drift.dot(up)
            }
        };
        self.stack.borne = lower.stack.borne + taken;
        self.carrier = lower.carrier;
        self.carried = lower
            .carrier
            .and_then(|id| world.body(id))
            .map_or(DVec3::ZERO, |body| body.displacement(self.position, [0.0, 1.0]));
    }

    /// Limits its room to rise by another character in the way that does not give way.
    pub(super) fn keep_below(&mut self, other: &Self) {
        if let Some(share) = SeparatingPlane::rise_below(self, other) {
            self.stack.room = self.stack.room.min((share - self.stack.slack).max(0.0));
        }
    }

    /// Applies the push of a character below it. Returns the motion besides being carried.
    pub(super) fn be_pushed(&mut self, world: &World, above: &Above, lower: &Self) -> DVec3 {
        let StackPush { extra, .. } = above.push(world, lower, self);
        self.stack.raised = self.stack.raised.max(extra.dot(self.stack.up));
        extra
    }
}

/// Passes the pushes of each character to those that stand on it, and their room back down, among all
/// characters that can meet in a tick. [`Crowd`](super::Crowd) does it; where characters are stepped one by
/// one with [`Character::step_among`](super::Character::step_among), call it once with all of them before the
/// first is stepped. Without it stacks of two do the same, but in a stack of three the lowest cannot lift
/// both.
pub fn link(world: &World, neighbors: &mut [Neighbor]) {
    if neighbors.iter().any(|one| one.stack.rests) {
        let places: Vec<Aabb> = neighbors.iter().map(Neighbor::place).collect();
        let mut nearby = Nearby::default();
        nearby.find(&places);
        link_nearby(world, neighbors, &nearby);
    }
}

/// Like [`link`], with the lists of neighbors from before any pushing or carrying: characters that are not in
/// them do not affect each other.
pub(super) fn link_nearby(world: &World, neighbors: &mut [Neighbor], nearby: &Nearby) {
    let mut pairs = Vec::new();
    for (upper, one) in neighbors.iter().enumerate().filter(|(_, one)| one.stack.rests) {
        for &lower in nearby.of(upper) {
            if let Some(above) = Above::of(&neighbors[lower as usize], one) {
                pairs.push((upper, lower as usize, above));
            }
        }
    }
    if pairs.is_empty() {
        return;
    }
    // The number of characters below each, in the highest stack that it stands on.
    let mut levels = alloc::vec![0usize; neighbors.len()];
    for _ in 0..LEVELS {
        let mut rose = false;
        for &(upper, lower, _) in &pairs {
            if levels[upper] <= levels[lower] {
                levels[upper] = levels[lower] + 1;
                rose = true;
            }
        }
        if !rose {
            break;
        }
    }
    pairs.sort_by_key(|&(upper, lower, _)| (levels[upper], upper, lower));
    for &(upper, lower, _) in &pairs {
        if neighbors[upper].stack.stands_on == Some(neighbors[lower].number) {
            let below = neighbors[lower];
            neighbors[upper].ride(world, &below);
        }
    }
    for number in 0..neighbors.len() {
        let mut one = neighbors[number];
        if one.stack.rests {
            nearby.of(number).iter().for_each(|other| one.keep_below(&neighbors[*other as usize]));
            neighbors[number] = one;
        }
    }
    for &(upper, lower, above) in pairs.iter().rev() {
        let room = Neighbor::room_below(world, &above, &neighbors[upper]);
        neighbors[lower].stack.room = neighbors[lower].stack.room.min(room);
    }
    for &(upper, lower, above) in &pairs {
        let below = neighbors[lower];
        neighbors[upper].be_pushed(world, &above, &below);
    }
}
