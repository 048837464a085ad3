//! What an event does.
//!
//! Source: `docs/balls.md`, "Coming to rest". Impulses act along the line of centres or the wall's normal. A bounce lower than a share of
//! the radius is made that high and no lower, so that there are finitely many in any time; who has had sixteen such in a row and got
//! nowhere rests, and holds others as the ground does, until something faster meets it or what it lies on goes away. Without
//! gravity, a contact so soon after the last that the ball has hardly moved loses nothing (Luding, `McNamara` 1998).

use alloc::vec::Vec;

use glam::DVec3;

use super::predict::What;
use super::rules::{Dimensions, EventKind, Motion};
use super::table::{Settling, Table};
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, length_and_direction, reach};
use crate::num::ops::sqrt;

/// So many slow contacts in a row, without getting anywhere, are rest.
const SLOW_CONTACTS: u8 = 16;
/// How far is nowhere, in bounces that count as none.
const NOWHERE: f64 = 8.0;
/// A bounce that was raised comes down as fast as it went up but for rounding, and must be known again: half as fast again still counts.
const RAISED: f64 = 1.5;
/// So many times as fast as a bounce that counts as none must be what wakes a ball: two or three such in a row do not.
const WAKING: f64 = 4.0;
/// Where nothing is lost, a bounce is raised only if it is this share of one that counts as none: or its events would pile up.
const TINY: f64 = 1.0 / 1024.0;

/// So many contacts of a ball between a body that comes and something else are too many.
const SQUEEZES: u8 = 64;

/// How a contact ends.
#[derive(Clone, Copy, Debug)]
struct Rebound {
    speed: f64,
    slow: bool,
    /// It would have been slower, and too slow to count.
    raised: bool,
}

impl Table {
    /// Lets the ball's event happen; answers if it is worth a report.
    pub(crate) fn happen(&mut self, i: usize) -> Option<EventKind> {
        if self.next[i].crosses < self.times[i] {
            self.cross(i);
            return None;
        }
        let ball = self.outer[i] as usize;
        match self.next[i].what {
            What::Nothing | What::Look => {
                self.predict(i);
                None
            }
            What::Pair { other, version } => {
                let j = other as usize;
                if self.versions[j] != version {
                    self.outdated += 1;
                    self.predict(i);
                    return None;
                }
                self.collide(i, j);
                let (a, b) = (ball, self.outer[j] as usize);
                Some(EventKind::Balls([a.min(b), a.max(b)]))
            }
            What::Wall(wall) => {
                let rests = self.bounce(i, self.next[i].normal, None);
                let wall = wall as usize;
                Some(if rests { EventKind::Rest { ball } } else { EventKind::Wall { ball, wall } })
            }
            What::Facet(number) => {
                let (body, part) = (self.facets.get(number).body, self.facets.get(number).part);
                let rests = self.bounce(i, self.next[i].normal, None);
                Some(if rests { EventKind::Rest { ball } } else { EventKind::Obstacle { ball, body, part } })
            }
            What::Moving([number, facet]) => {
                let body = &self.moving.0[number as usize];
                let (id, part) = (body.id, body.part(facet));
                let rests = self.bounce(i, self.next[i].normal, Some(number as usize));
                Some(if rests {
                    EventKind::Rest { ball }
                } else {
                    EventKind::Obstacle { ball, body: id, part }
                })
            }
            What::Pocket(pocket) => {
                self.bring(i);
                self.motions[i] = Motion::Pocketed;
                self.hot[i].velocity = DVec3::ZERO;
                self.accelerations[i] = DVec3::ZERO;
                self.rolls[i] = DVec3::ZERO;
                self.changed(i);
                self.cells.remove(i);
                self.predict(i);
                self.wake_those_on(i);
                Some(EventKind::Pocket { ball, pocket: pocket as usize })
            }
            What::Phase => {
                self.bring(i);
                if self.motions[i] == Motion::Rolling {
                    self.hot[i].velocity = DVec3::ZERO;
                    self.rolls[i] = DVec3::ZERO;
                } else {
                    // What it slips now is rounding.
                    self.rolls[i] = self.hot[i].velocity;
                }
                self.changed(i);
                self.predict(i);
                (self.motions[i] == Motion::Resting).then_some(EventKind::Rest { ball })
            }
        }
    }

    /// The speed at which a ball of this radius bounces as high as counts as none, against this acceleration.
    fn hop(&self, radius: f64, acceleration: f64) -> f64 {
        if acceleration > 0.0 { sqrt(2.0 * acceleration * self.rules.rest_share * radius) } else { 0.0 }
    }

    /// With which speed a contact ends that began with `approach`; `pull` is the acceleration into it, `since` the time without one.
    fn rebound(&self, restitution: f64, contact: Contact) -> Rebound {
        let Contact { approach, pull, since, radius, speed } = contact;
        let hop = self.hop(radius, pull);
        let lossy = restitution < 1.0;
        let slow = approach < hop * if lossy { RAISED } else { TINY };
        let soon = lossy && approach * since < self.rules.rest_share * radius;
        let back = if slow {
            hop
        } else if (soon && pull <= 0.0) || !lossy {
            approach
        } else {
            (restitution * approach).max(hop)
        };
        let raised = lossy && pull > 0.0 && restitution * approach < hop;
        // Never slower than can be told from sliding along: or rounding would have it meet the same thing again at once.
        Rebound { speed: back.max(APPROACH * speed), slow: slow || soon, raised }
    }

    /// Off a wall or a facet, of a body that moves if `by` says so. Says whether it comes to rest there.
    fn bounce(&mut self, i: usize, normal: DVec3, by: Option<usize>) -> bool {
        self.bring(i);
        let (mut ground, mut runs) = (DVec3::ZERO, false);
        if let Some(number) = by {
            let body = &self.moving.0[number];
            ground = body.velocity_at(self.now, self.hot[i].position, normal, self.hot[i].radius);
            if self.rules.dimensions == Dimensions::Two {
                ground.z = 0.0;
            }
            runs = body.moves();
            self.wake(i);
        }
        let settling = self.settling[i];
        let (velocity, radius) = (self.hot[i].velocity, self.hot[i].radius);
        let acceleration = self.flight(i).acceleration;
        let along = (velocity - ground).dot(normal);
        let approach = if along < 0.0 { -along } else { 0.0 };
        let contact = Contact {
            approach,
            pull: -acceleration.dot(normal),
            since: self.now - settling.last,
            radius,
            speed: reach(velocity) + reach(ground),
        };
        let rebound = self.rebound(self.rules.wall_restitution, contact);
        self.settling[i].last = self.now;
        let heavy = self.rules.gravity != DVec3::ZERO;
        if heavy && !runs && stands(velocity, acceleration, normal) {
            self.rest(i);
            return true;
        }
        self.hot[i].velocity = velocity + normal * (rebound.speed - along);
        if runs {
            self.squeeze(i, &contact, ground.dot(normal));
        } else if heavy {
            if rebound.raised && comes_to_a_stand(velocity, approach, acceleration, normal) {
                // Nothing is left that would take it anywhere: it stands, and rests at once.
                self.hot[i].velocity = DVec3::ZERO;
            } else if self.settle(i, rebound.slow, contact.pull > 0.0, None) && self.stay(i) {
                return true;
            }
        }
        self.changed(i);
        self.predict(i);
        false
    }

    /// Between a body that comes and something that does not give way there are ever more contacts in ever less time. When so many of
    /// them came so soon after another that the ball had hardly moved, it stops, and bodies that move go through it for
    /// as long as they need.
    fn squeeze(&mut self, i: usize, contact: &Contact, speed: f64) {
        let settling = &mut self.settling[i];
        settling.count = 0;
        if contact.approach * contact.since >= self.rules.rest_share * contact.radius {
            settling.squeezed = 0;
            return;
        }
        settling.squeezed = settling.squeezed.saturating_add(1);
        if settling.squeezed >= SQUEEZES && speed > 0.0 {
            settling.squeezed = 0;
            settling.crushed_until = self.now + 2.5 * contact.radius / speed;
            self.hot[i].velocity = DVec3::ZERO;
        }
    }

    /// A ball that gets nowhere against what is fixed: it rests if anything of that held it against gravity. One that is wedged between
    /// things beside or above it loses its motion and falls out. Says whether it rests.
    fn stay(&mut self, i: usize) -> bool {
        if self.settling[i].held {
            self.rest(i);
            return true;
        }
        self.hot[i].velocity = DVec3::ZERO;
        self.settling[i].count = 0;
        false
    }

    fn collide(&mut self, i: usize, j: usize) {
        self.bring(i);
        self.bring(j);
        let offset = self.offset(i, j);
        let (distance, normal) = length_and_direction(offset);
        let velocity = self.hot[i].velocity - self.hot[j].velocity;
        let along = velocity.dot(normal);
        let approach = if along < 0.0 { -along } else { 0.0 };
        let (a, b) = (self.flight(i).acceleration, self.flight(j).acceleration);
        let last = self.settling[i].last.max(self.settling[j].last);
        let contact = Contact {
            approach,
            pull: -(a - b).dot(normal),
            since: self.now - last,
            radius: self.hot[i].radius.min(self.hot[j].radius),
            speed: reach(velocity),
        };
        self.settling[i].last = self.now;
        self.settling[j].last = self.now;
        if self.rules.gravity != DVec3::ZERO {
            let weight = sqrt(self.rules.gravity.length_squared());
            let gentle = WAKING * self.hop(contact.radius, weight);
            let resting = [i, j].map(|k| self.motions[k] == Motion::Resting);
            if approach <= gentle && resting[0] != resting[1] {
                let (ball, ground, normal) = if resting[1] { (i, j, normal) } else { (j, i, -normal) };
                self.bounce_on(ball, ground, normal, contact);
                return;
            }
            for k in [i, j] {
                if self.motions[k] == Motion::Resting {
                    self.wake(k);
                }
            }
        }
        let lossless = self.rules.restitution >= 1.0;
        let (m, n) = (self.masses[i], self.masses[j]);
        let rebound = self.rebound(self.rules.restitution, contact);
        let push = if lossless && rebound.speed <= approach {
            // Along the offset as it is, over its square: no unit normal whose length is off by a rounding, so energy does not drift.
            offset * (-2.0 * velocity.dot(offset) / offset.length_squared() / (m + n))
        } else {
            normal * ((rebound.speed - along) / (m + n))
        };
        let push = if distance > 0.0 { push } else { DVec3::ZERO };
        self.hot[i].velocity += push * n;
        self.hot[j].velocity -= push * m;
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
        let rebound = self.rebound(self.rules.restitution, Contact { pull, ..contact });
        let velocity = self.hot[i].velocity;
        self.hot[i].velocity = velocity + normal * (rebound.speed - velocity.dot(normal));
        if self.settle(i, rebound.slow, pull > 0.0, Some(ground)) && self.stay(i) {
            return;
        }
        self.changed(i);
        self.predict(i);
    }

    /// Counts slow contacts. Says whether the ball has had enough of them and got nowhere.
    fn settle(&mut self, i: usize, slow: bool, held: bool, by: Option<usize>) -> bool {
        let Settling { last, .. } = self.settling[i];
        if !slow {
            self.settling[i] = Settling { last, ..Settling::NOT };
            return false;
        }
        let position = self.hot[i].position;
        let nowhere = NOWHERE * self.rules.rest_share * self.hot[i].radius;
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

    fn rest(&mut self, i: usize) {
        self.hot[i].velocity = DVec3::ZERO;
        self.accelerations[i] = DVec3::ZERO;
        self.motions[i] = Motion::Resting;
        self.changed(i);
        self.predict(i);
    }

    /// A ball that rested flies again, and so do those that it held. Who wakes a ball predicts it.
    pub(crate) fn wake(&mut self, i: usize) {
        if self.rules.gravity == DVec3::ZERO || self.motions[i] != Motion::Resting {
            return;
        }
        self.rouse(i);
        self.wake_those_on(i);
    }

    pub(crate) fn rouse(&mut self, i: usize) {
        self.bring(i);
        self.motions[i] = Motion::Free;
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
            self.cells.beside(self.cells.cell(holder), None, |beside| {
                held.extend(self.cells.members(beside.head).filter(|&k| {
                    self.motions[k] == Motion::Resting && self.settling[k].supports.contains(&(holder as u32))
                }));
            });
            // Lists have no order of their own.
            held.sort_unstable();
            for k in held {
                if self.motions[k] == Motion::Resting {
                    self.rouse(k);
                    woken.push(k);
                    holders.push(k);
                }
            }
        }
        for k in woken {
            self.predict(k);
        }
    }

    /// From the second to the first, the short way round.
    fn offset(&self, i: usize, j: usize) -> DVec3 {
        let mut shift = DVec3::ZERO;
        let (p, q) = (self.hot[i].position, self.hot[j].position);
        for axis in 0..3 {
            let side = self.rules.periodic[axis];
            if side > 0.0 {
                let apart = p[axis] - q[axis];
                if apart > 0.5 * side {
                    shift[axis] = side;
                } else if apart < -0.5 * side {
                    shift[axis] = -side;
                }
            }
        }
        p - q - shift
    }
}

/// What a contact depends on.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// The speed along the normal, into it.
    approach: f64,
    /// The acceleration along the normal, into it.
    pull: f64,
    /// The time without one.
    since: f64,
    radius: f64,
    /// All of the speed.
    speed: f64,
}

/// Whether a ball without motion stands on a surface that is level, to rounding: it rests at once.
fn stands(velocity: DVec3, acceleration: DVec3, normal: DVec3) -> bool {
    velocity == DVec3::ZERO && is_level(acceleration, normal)
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
