//! Jams: a pushed body that a moving one presses, and that has no room.
//!
//! Idea: it stays where it is, or with its support, and moves only across the direction of the press. So it
//! never comes out on the far side of the press, is not carried away inside, and is free when the press goes
//! back. It gets out at the speed of the press, or of a fall by its own smallest radius: it does not leap.
//! Cost: one way out of an overlap.

use glam::DVec3;

use super::others::{Others, Press, SLANT};
use crate::num::bound::reach;
use crate::respond::depenetrate_across;
use crate::world::Moment;

/// A body that was in a moving one at the start of the tick, and a motion that the slide found for it.
pub(super) struct Jam {
    /// The press at the end of the last tick.
    pub(super) began: Option<Press>,
    /// The press that the motion ends in.
    pub(super) ends: Option<Press>,
    pub(super) motion: DVec3,
    /// The desired motion.
    pub(super) translation: DVec3,
    /// How far it may get out in this tick, in meters.
    pub(super) way_out: f64,
    pub(super) contact_distance: f64,
}

impl Jam {
    /// The press, if the motion stays in it, leaps, or leads through it.
    pub(super) fn press(&self) -> Option<Press> {
        let is_jammed = self.ends.is_some_and(|press| press.depth > self.contact_distance)
            || reach(self.motion) > SLANT * (self.way_out + reach(self.translation))
            || self.began.is_some_and(|press| self.motion.dot(press.normal) < -self.contact_distance);
        self.ends.or(self.began).filter(|_| is_jammed)
    }

    /// The place where the body ends that was at `at` and is carried by `carry`, in meters.
    pub(super) fn end(&self, others: &Others<'_>, at: DVec3, carry: DVec3, press: Press) -> DVec3 {
        let carried = at + carry;
        let from = if others.depth(carried) < others.depth(at) { carried } else { at };
        let start = Moment { at: from, time: 1.0 };
        let out = depenetrate_across(others, start, Some(press.normal));
        if !out.free {
            return from;
        }
        let way = reach(out.position - from);
        if way > self.way_out { from.lerp(out.position, self.way_out / way) } else { out.position }
    }
}
