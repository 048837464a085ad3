//! Rest: contacts that are too slow or follow each other too fast, and balls that stop and wake.
//!
//! A ball that has had sixteen slow contacts in a row and got nowhere rests, and supports others as the
//! ground does, until something faster hits it or its support moves away.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::events::rebound::Impact;
use crate::balls::rules::BallMotion;
use crate::balls::state::Settling;
use crate::balls::table::Table;

/// Slow contacts in a row, without getting anywhere, that count as rest.
const SLOW_CONTACTS: u8 = 16;
/// The distance that counts as getting nowhere, in heights of the lowest bounce.
const NOWHERE: f64 = 8.0;
/// A ball wakes another only if it is this many times as fast as the lowest bounce: two or three such in a
/// row do not.
pub(crate) const WAKING: f64 = 4.0;

/// The limit of contacts of a ball whose average gap is below the lowest bounce: under gravity, and without.
/// So a rack that is struck transmits the blow at once, and loses the right amount of energy.
const SQUEEZES: [u8; 2] = [16, 64];

/// Two contacts are in no time if a ball goes less than this share of its radius between them, 2⁻³².
const IN_NO_TIME: f64 = 1.0 / (1u64 << 32) as f64;
/// After this many contacts in a row in no time, touching balls move on together.
const JAMMED: u16 = 1024;

impl Table {
    /// Whether a ball hardly moved since its last contact, where nothing is lost; counts how many in a row.
    pub(crate) fn is_jammed(&mut self, i: usize, impact: &Impact) -> bool {
        let own = &mut self.own[i];
        let in_no_time = impact.speed * impact.since < IN_NO_TIME * impact.radius;
        own.jammed = if in_no_time && !self.is_lossy { own.jammed.saturating_add(1) } else { 0 };
        own.jammed >= JAMMED
    }

    /// Contacts are counted from here on, or the next one decides whether the ball is squeezed still.
    pub(crate) fn looks_again(&mut self, i: usize, soon: bool) {
        let most = SQUEEZES[usize::from(self.rules.gravity == DVec3::ZERO)];
        (self.settling[i].squeezed, self.settling[i].gaps) = (if soon { most - 1 } else { 0 }, 0.0);
    }

    /// Counts contacts and the gaps before them. Says whether the last ones came so soon after each other
    /// that the ball hardly moved between.
    pub(crate) fn is_squeezed(&mut self, i: usize, impact: &Impact) -> bool {
        let most = SQUEEZES[usize::from(self.rules.gravity == DVec3::ZERO)];
        let settling = &mut self.settling[i];
        let gap = impact.approach * impact.since;
        settling.gaps += if gap < impact.radius { gap } else { impact.radius };
        settling.squeezed += 1;
        if settling.squeezed < most {
            return false;
        }
        let too_many = settling.gaps < f64::from(most) * self.rules.rest_share * impact.radius;
        (settling.squeezed, settling.gaps) = (0, 0.0);
        too_many
    }

    /// A ball that gets nowhere against what is fixed: it rests if anything of that held it against gravity.
    /// One that is wedged between things beside or above it loses its motion and falls out. Says whether it
    /// rests.
    pub(crate) fn stay(&mut self, i: usize) -> bool {
        if self.settling[i].held {
            self.rest(i);
            return true;
        }
        self.hot[i].velocity = DVec3::ZERO;
        self.settling[i].count = 0;
        false
    }

    /// Counts slow contacts. Returns whether the ball has had enough of them without getting anywhere.
    pub(crate) fn settle(&mut self, i: usize, slow: bool, held: bool, by: Option<usize>) -> bool {
        if !slow {
            let settling = &mut self.settling[i];
            (settling.count, settling.held, settling.supports) = (0, false, Settling::NOT.supports);
            return false;
        }
        let position = self.hot[i].position;
        let nowhere = NOWHERE * self.rules.rest_share * self.radii.of(i);
        let settling = &mut self.settling[i];
        if settling.count == 0 {
            settling.place = position;
        }
        if let Some(by) = by
            && !settling.supports.contains(&(by as u32))
        {
            settling.supports.rotate_right(1);
            settling.supports[0] = by as u32;
        }
        settling.count = settling.count.saturating_add(1);
        settling.held |= held;
        if settling.count < SLOW_CONTACTS {
            return false;
        }
        if (position - settling.place).length_squared() > nowhere * nowhere {
            settling.count = 1;
            settling.place = position;
            settling.held = held;
            return false;
        }
        true
    }

    pub(crate) fn rest(&mut self, i: usize) {
        self.hot[i].velocity = DVec3::ZERO;
        self.accelerations[i] = DVec3::ZERO;
        self.rolls[i] = DVec3::ZERO;
        self.own[i].motion = BallMotion::Resting;
        self.changed(i);
        self.predict(i);
    }

    /// A ball that rested flies again, and so do those that it held. The caller predicts its events.
    pub(crate) fn wake(&mut self, i: usize) {
        if self.rules.gravity == DVec3::ZERO || self.own[i].motion != BallMotion::Resting {
            return;
        }
        self.wake_one(i);
        self.wake_those_on(i);
    }

    pub(crate) fn wake_one(&mut self, i: usize) {
        self.sync_to_now(i);
        self.own[i].motion = BallMotion::Free;
        self.accelerations[i] = self.rules.gravity;
        self.settling[i].count = 0;
        self.settling[i].held = false;
        self.changed(i);
    }

    pub(crate) fn wake_those_on(&mut self, i: usize) {
        if self.rules.gravity == DVec3::ZERO {
            return;
        }
        let mut woken = Vec::new();
        let mut holders = alloc::vec![i];
        while let Some(holder) = holders.pop() {
            let mut held = Vec::new();
            self.cells.visit_beside(self.cell(holder), |k, _| {
                if self.own[k].motion == BallMotion::Resting
                    && self.settling[k].supports.contains(&(holder as u32))
                {
                    held.push(k);
                }
            });
            // Lists have no order of their own.
            held.sort_unstable_by_key(|&k| self.queue.rank(k));
            for k in held {
                if self.own[k].motion == BallMotion::Resting {
                    self.wake_one(k);
                    woken.push(k);
                    holders.push(k);
                }
            }
        }
        for k in woken {
            self.predict(k);
        }
    }
}
