//! Who stands on whom: the upper one gives way to the lower, and goes along.
//!
//! Source: `docs/crowds.md`. Of two characters, one on the head of the other, both know at the start of the
//! tick how far the lower wants to go towards the upper, and how far the upper can get out of its way; so
//! both find the same plane, which moves by that much. In a stack of several a push passes from each to the
//! next: [`link`] tells them once, before any of them moves. Error: none beyond rounding. Cost: a contact for
//! each pair near one that stands on a head, two sweeps where the lower one pushes. Gives up: where the upper
//! one has no room, the lower one waits.

use alloc::vec::Vec;

use glam::DVec3;

use super::character_obstacles::{Neighbor, SeparatingPlane};
use super::nearby::Nearby;
use super::settings::Riders;
use super::support::{LEVEL, feet};
use crate::num::bound::{STANDOFF, reach};
use crate::num::ops;
use crate::respond::{Obstacles, WorldObstacles};
use crate::shape::Aabb;
use crate::sweep::Path;
use crate::world::{Layers, World, solids_contact};

/// No stack is higher than this many characters; beyond it nobody is pushed or carried.
const LEVELS: usize = 64;

/// By how many times its slack the upper stays clear of where the lower goes: so much that the lower, when it
/// has gone there, does not touch it.
const CLEAR: f64 = 1.125;

/// What a state says with yes or no: in a byte, as there are few to spare.
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
    /// A surface that may move had it inside when it was crushed, as a cabin has who rides in it.
    pub(super) const WAS_ENCLOSED: u8 = 32;
    /// It ended half way up a step, on a nose that is no ground.
    pub(super) const CLIMBS: u8 = 64;

    pub(super) fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn set(&mut self, flag: u8, to: bool) {
        self.0 = if to { self.0 | flag } else { self.0 & !flag };
    }
}

/// What a character is to those that it stands on, and to those that stand on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StackLink {
    pub(super) up: DVec3,
    pub(super) least_upright: f64,
    pub(super) layers: Layers,
    /// What it keeps clear of what is above it: a share of the skin.
    pub(super) slack: f64,
    /// The number of the character that it stands on.
    pub(super) stands_on: Option<u32>,
    /// Whether it rests on a character, by a foot at least.
    pub(super) rests: bool,
    pub(super) riders: Riders,
    /// How far it goes if nothing unusual happens, apart from what carries it.
    pub(super) ahead: DVec3,
    /// How far the characters that it stands on take it along, apart from the body that carries all of them.
    pub(super) borne: DVec3,
    /// How far up those that it stands on push it.
    pub(super) raised: f64,
    /// How far up it can go before those on its head have no room; infinite if there are none.
    pub(super) room: f64,
}

/// One character above another that can push it up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    /// The unit normal of the plane between them, from the lower to the upper.
    pub(super) toward: DVec3,
    /// How far the two are apart.
    pub(super) gap: f64,
}

impl Above {
    /// How `upper` stands above `lower`; `None` if it does not, or does not rest on anybody. It depends on
    /// the two alone, to the bit.
    pub(super) fn of(lower: &Neighbor, upper: &Neighbor) -> Option<Self> {
        let Neighbor { stack: StackLink { up, least_upright, rests, .. }, .. } = *upper;
        let between = upper.position - lower.position;
        if !rests || between.dot(up) <= 0.0 || !lower.is_near(upper) {
            return None;
        }
        let at = Path::new(upper.position, DVec3::ZERO).ok()?;
        let contact = solids_contact(&upper.mover, &at, &lower.mover, lower.position)?;
        let gap = contact.gap - 2.0 * STANDOFF * contact.rounding;
        let is_above = contact.normal.dot(up) >= least_upright.max(LEVEL);
        // Two that are upside down to each other stand on nobody.
        let is_upright = contact.normal.dot(lower.stack.up) > LEVEL;
        // In contact it may be off by rounding; deeper in each other, both give way.
        let is_apart = gap >= -upper.stack.slack;
        (is_above && is_upright && is_apart).then_some(Self { toward: contact.normal, gap })
    }

    /// How far the plane between the two goes in the tick, and how the upper goes along with it.
    pub(super) fn push(&self, world: &World, lower: &Neighbor, upper: &Neighbor) -> Push {
        let carried = if lower.shares_carrier(upper) { DVec3::ZERO } else { lower.carried };
        let below = lower.stack;
        // One that is pushed up does not fall meanwhile.
        let own = self.toward.dot(below.ahead).max(if below.raised > 0.0 { 0.0 } else { f64::NEG_INFINITY });
        let way = own + self.toward.dot(below.borne + below.up * below.raised + carried);
        let wanted = way.max(0.0) + CLEAR * upper.stack.slack.max(below.slack);
        let StackLink { up, room, borne, .. } = upper.stack;
        // Where there is room for both, half of what is left is for what the lower does beyond that.
        let theirs = -self.toward.dot(upper.translation + borne);
        let spare = (self.gap - wanted - theirs.max(0.0)).max(0.0);
        let wanted = wanted + 0.5 * spare;
        let need = wanted - self.gap;
        let is_alone = room == f64::INFINITY;
        let upright = self.toward.dot(up);
        let (risen, across) = (borne.dot(up), borne - up * borne.dot(up));
        // Among others it may be stopped on its way across.
        let by_itself = self.toward.dot(across).min(if is_alone { f64::INFINITY } else { 0.0 });
        let rise = ((need - by_itself) / upright).max(0.0);
        let rising = |rise: f64| up * (rise - risen).max(0.0);
        if need <= 0.0 {
            return Push { travel: wanted, extra: rising(rise.min(room)) };
        }
        if rise <= room && free_share(world, upper, across + up * rise) >= 1.0 {
            return Push { travel: wanted, extra: rising(rise) };
        }
        let most = (need / upright).min(room.max(0.0));
        let most = most * free_share(world, upper, up * most);
        let upwards = Push { travel: self.gap + (upright * most).min(need), extra: rising(most) };
        // Under a ceiling aside, but no faster than the lower one comes.
        let level = self.toward - up * upright;
        let slant = ops::sqrt(level.length_squared());
        let fastest = reach(lower.stack.ahead) + reach(lower.carried) + reach(lower.stack.borne);
        if is_alone && need <= slant * fastest {
            let aside = level * (need / (slant * slant));
            let share = free_share(world, upper, aside);
            if need * share > upright * most {
                return Push { travel: self.gap + need * share, extra: aside * share };
            }
        }
        upwards
    }
}

/// What the lower of two does to the upper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// How far the plane goes, from the skin of the lower towards the upper.
    pub(super) travel: f64,
    /// How far the upper goes, beyond how far it is borne.
    pub(super) extra: DVec3,
}

/// The share of a way that is free for a character among the bodies of this tick.
fn free_share(world: &World, of: &Neighbor, way: DVec3) -> f64 {
    if way == DVec3::ZERO {
        return 1.0;
    }
    let around = WorldObstacles::new(world, of.mover, of.stack.layers).during([0.0, 1.0], 1.0);
    let Some((share, _)) = around.sweep(of.position, way, [0.0, 1.0]) else { return 1.0 };
    (share - of.stack.slack / ops::sqrt(way.length_squared())).max(0.0)
}

/// How far up a character can go, at most by its height.
fn rise(world: &World, of: &Neighbor) -> f64 {
    let up = of.stack.up;
    let height = 2.0 * feet(&of.mover, up);
    let most = height.min(of.stack.room.max(0.0));
    most * free_share(world, of, up * most)
}

impl Neighbor {
    /// How far up it can go before `upper`, above it, is stopped.
    pub(super) fn room_below(world: &World, above: &Above, upper: &Neighbor) -> f64 {
        // Between two planes that leave it exactly its way there is none for rounding.
        let kept = 0.125 * upper.stack.slack;
        (above.gap / above.toward.dot(upper.stack.up) + rise(world, upper) - kept).max(0.0)
    }

    /// Goes along with the character below that it stands on: up and down with any, across with one that
    /// carries.
    pub(super) fn ride(&mut self, world: &World, lower: &Neighbor) {
        let (up, whole) = (self.stack.up, lower.stack.borne + lower.stack.ahead);
        if lower.stack.riders == Riders::LeaveBehind {
            self.stack.borne = up * whole.dot(up);
            return;
        }
        self.stack.borne = whole;
        self.carrier = lower.carrier;
        self.carried = lower
            .carrier
            .and_then(|id| world.body(id))
            .map_or(DVec3::ZERO, |body| body.displacement(self.position, [0.0, 1.0]));
    }

    /// Has no room to rise where another character that does not give way is in the way.
    pub(super) fn keep_below(&mut self, other: &Self) {
        if let Some(share) = SeparatingPlane::rise_below(self, other) {
            self.stack.room = self.stack.room.min((share - self.stack.slack).max(0.0));
        }
    }

    /// Is pushed by a character below it; by how much beyond how far it is borne.
    pub(super) fn be_pushed(&mut self, world: &World, above: &Above, lower: &Self) -> DVec3 {
        let Push { extra, .. } = above.push(world, lower, self);
        self.stack.raised = self.stack.raised.max(extra.dot(self.stack.up));
        extra
    }
}

/// Passes on, among all characters that can meet in a tick, what each does to those that stand on it, and how
/// much room those have. [`Crowd`](super::Crowd) does it; where characters are stepped one by one with
/// [`Character::step_among`](super::Character::step_among), call it once with all of them before the first is
/// stepped. Without it stacks of two do the same, but in a stack of three the lowest cannot lift both.
pub fn link(world: &World, neighbors: &mut [Neighbor]) {
    if neighbors.iter().any(|one| one.stack.rests) {
        let places: Vec<Aabb> = neighbors.iter().map(Neighbor::place).collect();
        let mut nearby = Nearby::default();
        nearby.find(&places);
        link_nearby(world, neighbors, &nearby);
    }
}

/// As [`link`], with the lists of who is near whom before anybody is pushed or carried: characters that are
/// not in them do nothing to each other.
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
    // How many are below each, in the highest stack that it stands on.
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
