//! The effect of an event.
//!
//! Source: `docs/balls.md`, "Coming to rest". Impulses act along the line of centers or the wall's normal.
//! `rebound` has the speed after a contact, `rest` the slow contacts that end in rest. Contacts in such quick
//! succession that a ball hardly moves are handled all at once (`settle`, `press`). Without loss, touching
//! balls move on together after a thousand of them: then there is no room to bounce.

use glam::DVec3;

use crate::balls::events::pending::Pending;
use crate::balls::events::rebound::{Impact, TINY, comes_to_a_stand, is_level, share_paid};
use crate::balls::events::rest::WAKING;
use crate::balls::rules::{BallMotion, Dimensions, EventKind};
use crate::balls::table::Table;
use crate::num::bound::{length_and_direction, reach};
use crate::num::ops::sqrt;

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
                self.own[i].motion = BallMotion::Pocketed;
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
                if self.own[i].motion == BallMotion::Rolling {
                    self.hot[i].velocity = DVec3::ZERO;
                    self.rolls[i] = DVec3::ZERO;
                } else {
                    // The slip that is left is rounding.
                    self.rolls[i] = self.hot[i].velocity;
                }
                self.changed(i);
                self.predict(i);
                (self.own[i].motion == BallMotion::Resting).then_some(EventKind::Rest { ball, body: None })
            }
        }
    }

    fn rest_event(&self, i: usize) -> EventKind {
        EventKind::Rest { ball: self.own[i].outer as usize, body: self.rests_on(i) }
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
        let impact = Impact {
            approach,
            pull,
            since: self.now - self.own[i].last,
            radius,
            speed: reach(velocity) + reach(ground),
            scale: reach(velocity) + reach(ground),
        };
        let is_jammed = self.is_jammed(i, &impact);
        let rebound = self.rebound(self.rules.wall_restitution, impact);
        self.own[i].last = self.now;
        let heavy = self.rules.gravity != DVec3::ZERO;
        let at_rest = velocity == DVec3::ZERO
            || (pull > 0.0 && reach(velocity) <= TINY * self.rest_speed(radius, pull));
        if heavy && !runs && at_rest && (is_level(acceleration, normal) || self.is_held(i)) {
            self.rest(i);
            return true;
        }
        self.hot[i].velocity = if is_jammed {
            self.roll_along(i, ground);
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
        if self.collapses && self.is_squeezed(i, &impact) && self.move_together(i, off.running(runs)) {
            return false;
        }
        if runs {
            self.settling[i].count = 0;
        } else if heavy {
            if rebound.raised && comes_to_a_stand(velocity, approach, acceleration, normal) {
                // No motion is left: it rests at once.
                self.hot[i].velocity = DVec3::ZERO;
            } else if self.settle(i, rebound.slow, impact.pull > 0.0, None) && self.stay(i) {
                return true;
            }
        }
        self.changed(i);
        self.predict(i);
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
        let impact = Impact {
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
            let gentle = WAKING * self.rest_speed(impact.radius, weight);
            let resting = [i, j].map(|k| self.own[k].motion == BallMotion::Resting);
            if approach <= gentle && resting[0] != resting[1] {
                let (ball, ground, normal) = if resting[1] { (i, j, normal) } else { (j, i, -normal) };
                self.bounce_on(ball, ground, normal, impact);
                return;
            }
            for k in [i, j] {
                if self.own[k].motion == BallMotion::Resting {
                    self.wake(k);
                }
            }
        }
        let lossless = self.rules.restitution >= 1.0;
        let (m, n) = (self.masses.of(i), self.masses.of(j));
        let is_jammed = self.is_jammed(i, &impact) | self.is_jammed(j, &impact);
        if self.collapses {
            let squeezed = [self.is_squeezed(i, &impact), self.is_squeezed(j, &impact)];
            if (squeezed[0] && self.move_together(i, None)) || (squeezed[1] && self.move_together(j, None)) {
                return;
            }
        }
        let rebound = self.rebound(self.rules.restitution, impact);
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
            for k in [i, j] {
                self.hot[k].velocity = together;
                self.roll_along(k, together);
            }
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

    /// A ball on cloth rolls with this velocity from now on: turning otherwise would press it against what it
    /// touches.
    fn roll_along(&mut self, i: usize, velocity: DVec3) {
        if self.rules.cloth.is_some() {
            self.rolls[i] = velocity;
        }
    }

    /// A gentle contact with a ball that rests: it holds as the ground does.
    fn bounce_on(&mut self, i: usize, ground: usize, normal: DVec3, impact: Impact) {
        let pull = -self.flight(i).acceleration.dot(normal);
        let impact = Impact { pull, ..impact };
        let rebound = self.rebound(self.rules.restitution, impact);
        let velocity = self.hot[i].velocity;
        let along = velocity.dot(normal);
        let paid = share_paid(velocity - normal * along, impact.approach, rebound.speed);
        self.hot[i].velocity =
            velocity + normal * (rebound.speed - along) - (velocity - normal * along) * paid;
        if self.collapses && self.is_squeezed(i, &impact) && self.move_together(i, None) {
            return;
        }
        if self.settle(i, rebound.slow, pull > 0.0, Some(ground)) && self.stay(i) {
            return;
        }
        self.changed(i);
        self.predict(i);
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
