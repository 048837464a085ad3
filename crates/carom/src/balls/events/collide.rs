//! The effect of an event.
//!
//! Source: `docs/balls.md`, "Coming to rest". Impulses act along the line of centers or the wall's normal. A
//! bounce lower than a share of the radius is raised to that height, so there are finitely many in any time;
//! the motion across the normal pays for it, as far as there is any. A ball that has had sixteen such bounces
//! in a row and got nowhere rests, and supports others as the ground does, until something faster hits it or
//! its support moves away. Contacts in such quick succession that a ball hardly moves are handled all at once
//! (`settle`, `press`). Without loss, touching balls move on together after a thousand of them: then there is
//! no room to bounce.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::events::pending::Pending;
use crate::balls::rules::{Dimensions, EventKind, Motion};
use crate::balls::state::Settling;
use crate::balls::table::Table;
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, length_and_direction, reach};
use crate::num::ops::sqrt;

/// Slow contacts in a row, without getting anywhere, that count as rest.
const SLOW_CONTACTS: u8 = 16;
/// The distance that counts as getting nowhere, in heights of the lowest bounce.
const NOWHERE: f64 = 8.0;
/// A bounce that was raised comes down as fast as it went up but for rounding, and must be recognized: half
/// as fast again still counts.
const RAISED: f64 = 1.5;
/// A ball wakes another only if it is this many times as fast as the lowest bounce: two or three such in a
/// row do not.
pub(crate) const WAKING: f64 = 4.0;
/// Where nothing is lost, a bounce is raised only if it is this share of the lowest one: or its
/// events would pile up.
const TINY: f64 = 1.0 / 1024.0;

/// The limit of contacts of a ball whose average gap is below the lowest bounce: under gravity, and without.
/// So a rack that is struck transmits the blow at once, and loses the right amount of energy.
const SQUEEZES: [u8; 2] = [16, 64];

/// Two contacts are in no time if a ball goes less than this share of its radius between them, 2⁻³².
const IN_NO_TIME: f64 = 1.0 / (1u64 << 32) as f64;
/// After this many contacts in a row in no time, touching balls move on together.
const JAMMED: u16 = 1024;

/// How a contact ends.
#[derive(Clone, Copy, Debug)]
struct Rebound {
    speed: f64,
    slow: bool,
    /// It would have been slower, and too slow to count.
    raised: bool,
}

impl Table {
    /// Processes the ball's event. Returns it if it is to be reported.
    pub(crate) fn process_event(&mut self, i: usize) -> Option<EventKind> {
        if self.own[i].crosses < self.hot[i].due {
            self.cross(i);
            return None;
        }
        let ball = self.own[i].outer as usize;
        match self.own[i].what {
            Pending::Nothing | Pending::Look => {
                self.predict(i);
                None
            }
            Pending::Pair(other) => {
                let j = other as usize;
                if self.own[j].changed > self.own[i].asked {
                    self.outdated += 1;
                    self.predict(i);
                    return None;
                }
                self.collide(i, j);
                let (a, b) = (ball, self.own[j].outer as usize);
                Some(EventKind::Balls([a.min(b), a.max(b)]))
            }
            Pending::Wall(wall) => {
                let rests = self.bounce(i, self.next[i].normal, Off::Wall(wall));
                let wall = wall as usize;
                Some(if rests { self.rest_event(i) } else { EventKind::Wall { ball, wall } })
            }
            Pending::Facet(number) => {
                let (body, part) = (self.facets.get(number).body, self.facets.get(number).part);
                let rests = self.bounce(i, self.next[i].normal, Off::Fixed);
                Some(if rests { self.rest_event(i) } else { EventKind::Obstacle { ball, body, part } })
            }
            Pending::Moving(number) => {
                let body = &self.moving.0[number as usize];
                let (id, part) = (body.id, body.part(self.next[i].facet));
                let rests = self.bounce(i, self.next[i].normal, Off::Moving(number));
                Some(if rests { self.rest_event(i) } else { EventKind::Obstacle { ball, body: id, part } })
            }
            Pending::Pocket(pocket) => {
                self.sync_to_now(i);
                self.own[i].motion = Motion::Pocketed;
                self.hot[i].velocity = DVec3::ZERO;
                self.accelerations[i] = DVec3::ZERO;
                self.rolls[i] = DVec3::ZERO;
                self.changed(i);
                self.cells.remove(i, self.cell(i));
                self.lookahead.forget_lists(self.cell(i), self.cells.counts());
                self.predict(i);
                self.wake_those_on(i);
                Some(EventKind::Pocket { ball, pocket: pocket as usize })
            }
            Pending::Phase => {
                self.sync_to_now(i);
                if self.own[i].motion == Motion::Rolling {
                    self.hot[i].velocity = DVec3::ZERO;
                    self.rolls[i] = DVec3::ZERO;
                } else {
                    // The slip that is left is rounding.
                    self.rolls[i] = self.hot[i].velocity;
                }
                self.changed(i);
                self.predict(i);
                (self.own[i].motion == Motion::Resting).then_some(EventKind::Rest { ball, body: None })
            }
        }
    }

    fn rest_event(&self, i: usize) -> EventKind {
        EventKind::Rest { ball: self.own[i].outer as usize, body: self.rests_on(i) }
    }

    /// The speed at which a ball of this radius reaches the height of the lowest bounce, against this
    /// acceleration.
    pub(crate) fn rest_speed(&self, radius: f64, acceleration: f64) -> f64 {
        if acceleration > 0.0 { sqrt(2.0 * acceleration * self.rules.rest_share * radius) } else { 0.0 }
    }

    /// Whether a ball hardly moved since its last contact, where nothing is lost; counts how many in a row.
    fn is_jammed(&mut self, i: usize, contact: &Contact) -> bool {
        let own = &mut self.own[i];
        let in_no_time = contact.speed * contact.since < IN_NO_TIME * contact.radius;
        own.jammed = if in_no_time && !self.is_lossy { own.jammed.saturating_add(1) } else { 0 };
        own.jammed >= JAMMED
    }

    /// The speed after a contact.
    fn rebound(&self, restitution: f64, contact: Contact) -> Rebound {
        let Contact { approach, pull, radius, since, scale, .. } = contact;
        let rest_speed = self.rest_speed(radius, pull);
        let lossy = restitution < 1.0;
        let slow = approach < rest_speed * if lossy { RAISED } else { TINY };
        let heavy = self.rules.gravity != DVec3::ZERO;
        let back = if slow {
            rest_speed
        } else if !lossy {
            approach
        } else {
            (restitution * approach).max(rest_speed)
        };
        let raised = lossy && pull > 0.0 && restitution * approach < rest_speed;
        let soon = lossy && heavy && approach * since < self.rules.rest_share * radius;
        // Never so slow that it looks like sliding along: or rounding would have it meet the same thing
        // again at once.
        Rebound { speed: back.max(APPROACH * scale), slow: slow || soon, raised }
    }

    /// Bounces off a wall or a facet. Returns whether the ball comes to rest there.
    fn bounce(&mut self, i: usize, normal: DVec3, off: Off) -> bool {
        self.sync_to_now(i);
        let (mut ground, mut runs) = (DVec3::ZERO, false);
        if let Off::Moving(number) = off {
            let body = &self.moving.0[number as usize];
            ground = body.velocity_at(self.now, self.hot[i].position, normal, self.radii.of(i));
            if self.rules.dimensions == Dimensions::Two {
                ground.z = 0.0;
            }
            runs = body.moves();
            self.wake(i);
        }
        let (velocity, radius) = (self.hot[i].velocity, self.radii.of(i));
        let acceleration = self.flight(i).acceleration;
        let along = (velocity - ground).dot(normal);
        let approach = if along < 0.0 { -along } else { 0.0 };
        let bend = match off {
            Off::Wall(wall) => self.walls[wall as usize].bend(self.hot[i].position, normal, radius),
            Off::Fixed | Off::Moving(_) => 0.0,
        };
        let aside = velocity - ground - normal * along;
        let pull = match off {
            Off::Moving(number) if runs => {
                self.moving.0[number as usize].pull(self.now, &self.flight(i), normal, radius)
            }
            // Along the inside of an arc it is pressed into it by its own speed.
            _ => -acceleration.dot(normal) + bend * aside.length_squared(),
        };
        let contact = Contact {
            approach,
            pull,
            since: self.now - self.own[i].last,
            radius,
            speed: reach(velocity) + reach(ground),
            scale: reach(velocity) + reach(ground),
        };
        let is_jammed = self.is_jammed(i, &contact);
        let rebound = self.rebound(self.rules.wall_restitution, contact);
        self.own[i].last = self.now;
        let heavy = self.rules.gravity != DVec3::ZERO;
        let at_rest = velocity == DVec3::ZERO
            || (pull > 0.0 && reach(velocity) <= TINY * self.rest_speed(radius, pull));
        if heavy && !runs && at_rest && (is_level(acceleration, normal) || self.is_held(i)) {
            self.rest(i);
            return true;
        }
        self.hot[i].velocity = if is_jammed {
            ground
        } else if bend > 0.0 && rebound.slow && aside.length_squared() > rebound.speed * rebound.speed {
            // It is turned away from the arc, not pushed: nothing is won or lost.
            let total = aside.length_squared() + along * along - rebound.speed * rebound.speed;
            ground + normal * rebound.speed + aside * sqrt(total / aside.length_squared())
        } else if runs {
            velocity + normal * (rebound.speed - along)
        } else {
            velocity + normal * (rebound.speed - along) - aside * share_paid(aside, approach, rebound.speed)
        };
        if self.collapses && self.is_squeezed(i, &contact) && self.move_together(i, off.running(runs)) {
            return false;
        }
        if runs {
            self.settling[i].count = 0;
        } else if heavy {
            if rebound.raised && comes_to_a_stand(velocity, approach, acceleration, normal) {
                // No motion is left: it rests at once.
                self.hot[i].velocity = DVec3::ZERO;
            } else if self.settle(i, rebound.slow, contact.pull > 0.0, None) && self.stay(i) {
                return true;
            }
        }
        self.changed(i);
        self.predict(i);
        false
    }

    /// Counts contacts and the gaps before them. Says whether the last ones came so soon after each other
    /// that the ball hardly moved between.
    /// Contacts are counted from here on, or the next one decides whether the ball is squeezed still.
    pub(crate) fn looks_again(&mut self, i: usize, soon: bool) {
        let most = SQUEEZES[usize::from(self.rules.gravity == DVec3::ZERO)];
        (self.settling[i].squeezed, self.settling[i].gaps) = (if soon { most - 1 } else { 0 }, 0.0);
    }

    fn is_squeezed(&mut self, i: usize, contact: &Contact) -> bool {
        let most = SQUEEZES[usize::from(self.rules.gravity == DVec3::ZERO)];
        let settling = &mut self.settling[i];
        let gap = contact.approach * contact.since;
        settling.gaps += if gap < contact.radius { gap } else { contact.radius };
        settling.squeezed += 1;
        if settling.squeezed < most {
            return false;
        }
        let too_many = settling.gaps < f64::from(most) * self.rules.rest_share * contact.radius;
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

    fn collide(&mut self, i: usize, j: usize) {
        self.sync_to_now(i);
        self.sync_to_now(j);
        let offset = self.offset(i, j);
        let (distance, normal) = length_and_direction(offset);
        let velocity = self.hot[i].velocity - self.hot[j].velocity;
        let along = velocity.dot(normal);
        let approach = if along < 0.0 { -along } else { 0.0 };
        let (a, b) = (self.flight(i).acceleration, self.flight(j).acceleration);
        let last = self.own[i].last.max(self.own[j].last);
        let contact = Contact {
            approach,
            pull: -(a - b).dot(normal),
            since: self.now - last,
            radius: self.radii.of(i).min(self.radii.of(j)),
            speed: reach(velocity),
            scale: reach(self.hot[i].velocity) + reach(self.hot[j].velocity),
        };
        self.own[i].last = self.now;
        self.own[j].last = self.now;
        if self.rules.gravity != DVec3::ZERO {
            let weight = sqrt(self.rules.gravity.length_squared());
            let gentle = WAKING * self.rest_speed(contact.radius, weight);
            let resting = [i, j].map(|k| self.own[k].motion == Motion::Resting);
            if approach <= gentle && resting[0] != resting[1] {
                let (ball, ground, normal) = if resting[1] { (i, j, normal) } else { (j, i, -normal) };
                self.bounce_on(ball, ground, normal, contact);
                return;
            }
            for k in [i, j] {
                if self.own[k].motion == Motion::Resting {
                    self.wake(k);
                }
            }
        }
        let lossless = self.rules.restitution >= 1.0;
        let (m, n) = (self.masses.of(i), self.masses.of(j));
        let is_jammed = self.is_jammed(i, &contact) | self.is_jammed(j, &contact);
        if self.collapses {
            let squeezed = [self.is_squeezed(i, &contact), self.is_squeezed(j, &contact)];
            if (squeezed[0] && self.move_together(i, None)) || (squeezed[1] && self.move_together(j, None)) {
                return;
            }
        }
        let rebound = self.rebound(self.rules.restitution, contact);
        let push = if lossless && rebound.speed <= approach {
            // Along the offset as it is, over its square: no unit normal whose length is off by a rounding,
            // so energy does not drift.
            offset * (-2.0 * velocity.dot(offset) / offset.length_squared() / (m + n))
        } else {
            normal * ((rebound.speed - along) / (m + n))
        };
        let aside = velocity - normal * along;
        let push = push - aside * (share_paid(aside, approach, rebound.speed) / (m + n));
        let push = if distance > 0.0 { push } else { DVec3::ZERO };
        if is_jammed {
            let together = (self.hot[i].velocity * m + self.hot[j].velocity * n) / (m + n);
            self.hot[i].velocity = together;
            self.hot[j].velocity = together;
        } else {
            self.hot[i].velocity += push * n;
            self.hot[j].velocity -= push * m;
        }
        if self.rules.gravity != DVec3::ZERO {
            self.settle(i, rebound.slow, false, Some(j));
            self.settle(j, rebound.slow, false, Some(i));
        }
        self.changed(i);
        self.changed(j);
        self.predict(i);
        self.predict(j);
    }

    /// A gentle contact with a ball that rests: it holds as the ground does.
    fn bounce_on(&mut self, i: usize, ground: usize, normal: DVec3, contact: Contact) {
        let pull = -self.flight(i).acceleration.dot(normal);
        let contact = Contact { pull, ..contact };
        let rebound = self.rebound(self.rules.restitution, contact);
        let velocity = self.hot[i].velocity;
        let along = velocity.dot(normal);
        let paid = share_paid(velocity - normal * along, contact.approach, rebound.speed);
        self.hot[i].velocity =
            velocity + normal * (rebound.speed - along) - (velocity - normal * along) * paid;
        if self.collapses && self.is_squeezed(i, &contact) && self.move_together(i, None) {
            return;
        }
        if self.settle(i, rebound.slow, pull > 0.0, Some(ground)) && self.stay(i) {
            return;
        }
        self.changed(i);
        self.predict(i);
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
        self.own[i].motion = Motion::Resting;
        self.changed(i);
        self.predict(i);
    }

    /// A ball that rested flies again, and so do those that it held. The caller predicts its events.
    pub(crate) fn wake(&mut self, i: usize) {
        if self.rules.gravity == DVec3::ZERO || self.own[i].motion != Motion::Resting {
            return;
        }
        self.wake_one(i);
        self.wake_those_on(i);
    }

    pub(crate) fn wake_one(&mut self, i: usize) {
        self.sync_to_now(i);
        self.own[i].motion = Motion::Free;
        self.accelerations[i] = self.rules.gravity;
        self.settling[i].count = 0;
        self.settling[i].held = false;
        self.changed(i);
    }

    fn wake_those_on(&mut self, i: usize) {
        if self.rules.gravity == DVec3::ZERO {
            return;
        }
        let mut woken = Vec::new();
        let mut holders = alloc::vec![i];
        while let Some(holder) = holders.pop() {
            let mut held = Vec::new();
            self.cells.visit_beside(self.cell(holder), |k, _| {
                if self.own[k].motion == Motion::Resting
                    && self.settling[k].supports.contains(&(holder as u32))
                {
                    held.push(k);
                }
            });
            // Lists have no order of their own.
            held.sort_unstable_by_key(|&k| self.queue.rank(k));
            for k in held {
                if self.own[k].motion == Motion::Resting {
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

/// The obstacle that a ball bounces off: a wall by its number, a facet that stands, or one of a body that may
/// move, by its number among those.
#[derive(Clone, Copy, Debug)]
enum Off {
    Wall(u32),
    Fixed,
    Moving(u32),
}

impl Off {
    /// The number of the body, if it runs.
    fn running(self, runs: bool) -> Option<u32> {
        match self {
            Self::Moving(number) if runs => Some(number),
            _ => None,
        }
    }
}

/// The quantities that decide how a contact bounces.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// The speed along the normal, into it.
    approach: f64,
    /// The acceleration along the normal, into it.
    pull: f64,
    /// The time without one.
    since: f64,
    radius: f64,
    /// The speed of the one seen from the other.
    speed: f64,
    /// The speeds of both: what they differ by is accurate to a few roundings of that.
    scale: f64,
}

/// The share of a motion aside that pays for a bounce which is faster than the approach: all of it, if that
/// is too little.
fn share_paid(aside: DVec3, approach: f64, back: f64) -> f64 {
    let (own, gained) = (aside.length_squared(), back * back - approach * approach);
    if gained <= 0.0 {
        0.0
    } else if own <= gained {
        1.0
    } else {
        // 1 − √(1 − x), without the difference of what is nearly equal.
        let share = gained / own;
        share / (1.0 + sqrt(1.0 - share))
    }
}

/// Whether a ball that came straight down, to rounding, is on a surface that is level.
fn comes_to_a_stand(velocity: DVec3, approach: f64, acceleration: DVec3, normal: DVec3) -> bool {
    reach(velocity + normal * approach) <= 16.0 * UNIT_ROUNDOFF * approach && is_level(acceleration, normal)
}

fn is_level(acceleration: DVec3, normal: DVec3) -> bool {
    let down = -acceleration.dot(normal);
    let aside = acceleration + normal * down;
    down > 0.0 && reach(aside) <= 16.0 * UNIT_ROUNDOFF * reach(acceleration)
}
