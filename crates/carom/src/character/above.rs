//! One character above another: whether it stands there, and how far the lower one pushes it.
//!
//! Source: `docs/crowds.md`. The result depends on the two alone, to the bit, so both compute the same. Cost:
//! a contact, and two sweeps of the upper one if the lower one pushes.

use glam::DVec3;

use super::neighbor::{Neighbor, StackLink};
use super::support::LEVEL;
use crate::num::bound::{STANDOFF, reach};
use crate::num::ops;
use crate::respond::{Obstacles, WorldObstacles};
use crate::world::World;

/// The distance that the upper keeps from the lower's end position, in multiples of its slack: enough that
/// the lower does not touch it there.
const CLEAR: f64 = 1.125;

/// If two overlap by no more than this share of the upper one's smallest radius, it is clear which is above.
const DEEPEST: f64 = 0.25;

/// One character above another that can push it up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    /// The unit normal of the plane between them, from the lower to the upper.
    pub(super) toward: DVec3,
    /// The distance between the two; negative in an overlap.
    pub(super) gap: f64,
}

impl Above {
    /// The relation of `upper` to `lower` below it; `None` if it is not above, or rests on no character. It
    /// depends on the two alone, to the bit.
    pub(super) fn of(lower: &Neighbor, upper: &Neighbor) -> Option<Self> {
        let Neighbor { stack: StackLink { up, least_upright, rests, .. }, .. } = *upper;
        let between = upper.position - lower.position;
        if !rests || between.dot(up) <= 0.0 || !lower.is_near(upper) {
            return None;
        }
        let contact = upper.contact(lower)?;
        let gap = contact.gap - 2.0 * STANDOFF * contact.rounding;
        let is_above = contact.normal.dot(up) >= least_upright.max(LEVEL);
        // Two that are upside down to each other do not stand on each other.
        let is_upright = contact.normal.dot(lower.stack.up) > LEVEL;
        // In a smaller overlap the upper moves out upwards; in a deeper one both give way.
        let is_apart = gap >= -DEEPEST * upper.mover.smallest_radius();
        (is_above && is_upright && is_apart).then_some(Self { toward: contact.normal, gap })
    }

    /// The motion of the plane between the two in the tick, and that of the upper with it.
    pub(super) fn push(&self, world: &World, lower: &Neighbor, upper: &Neighbor) -> StackPush {
        let carried = lower.carried - lower.carried_with(upper);
        let below = lower.stack;
        // A character that is pushed up does not fall meanwhile.
        let own = self.toward.dot(below.ahead).max(if below.raised > 0.0 { 0.0 } else { f64::NEG_INFINITY });
        let way = own + self.toward.dot(below.borne + below.up * below.raised + carried);
        let wanted = way.max(0.0) + CLEAR * upper.stack.slack.max(below.slack);
        let StackLink { up, room, borne, .. } = upper.stack;
        // If there is room for both, half of the rest is reserved for further motion of the lower.
        let theirs = -self.toward.dot(upper.translation + borne);
        let spare = (self.gap - wanted - theirs.max(0.0)).max(0.0);
        let wanted = wanted + 0.5 * spare;
        let need = wanted - self.gap;
        let is_alone = room == f64::INFINITY;
        let upright = self.toward.dot(up);
        let (risen, across) = (borne.dot(up), borne - up * borne.dot(up));
        // Among others it may be stopped on its path across.
        let by_itself = self.toward.dot(across).min(if is_alone { f64::INFINITY } else { 0.0 });
        let rise = ((need - by_itself) / upright).max(0.0);
        let rising = |rise: f64| up * (rise - risen).max(0.0);
        if need <= 0.0 {
            return StackPush { travel: wanted, extra: rising(rise.min(room)) };
        }
        // If it moves into the lower one, it also has to rise by that.
        let leans = upper.leans_into(self);
        let highest = ((need - by_itself.min(leans)) / upright).max(0.0);
        if highest <= room && free_share(world, upper, across + up * highest) >= 1.0 {
            return StackPush { travel: wanted, extra: rising(rise) };
        }
        let most = (need / upright).min(room.max(0.0));
        let most = most * free_share(world, upper, up * most);
        let upwards = StackPush {
            travel: (self.gap + (upright * most + leans).min(need)).max(0.0),
            extra: rising(most),
        };
        // Under a ceiling it moves to the side, but no faster than the lower one comes.
        let level = self.toward - up * upright;
        let slant = ops::sqrt(level.length_squared());
        let comes = |way: DVec3| reach(way - up * way.dot(up).min(0.0));
        let fastest = comes(lower.stack.ahead) + comes(lower.carried) + comes(lower.stack.borne);
        let missing = need - leans;
        if is_alone && missing <= slant * fastest {
            let aside = level * (missing / (slant * slant));
            let share = free_share(world, upper, aside);
            if missing * share > upright * most {
                let travel = (self.gap + missing * share + leans).max(0.0);
                return StackPush { travel, extra: aside * share };
            }
        }
        upwards
    }
}

/// The effect of the lower of two on the upper.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackPush {
    /// The motion of the plane, from the skin of the lower towards the upper.
    pub(super) travel: f64,
    /// The motion of the upper one, besides being carried.
    pub(super) extra: DVec3,
}

/// The share of a path that is free for a character among the bodies of this tick.
pub(super) fn free_share(world: &World, of: &Neighbor, way: DVec3) -> f64 {
    if way == DVec3::ZERO {
        return 1.0;
    }
    let around = WorldObstacles::new(world, of.mover, of.stack.layers).during([0.0, 1.0], 1.0);
    let Some(hit) = around.sweep(of.position, way, [0.0, 1.0]) else { return 1.0 };
    (hit.fraction - of.stack.slack / ops::sqrt(way.length_squared())).max(0.0)
}
