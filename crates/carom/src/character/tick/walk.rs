//! On the ground: the ground carries, the desired velocity walks, steps are climbed, and the character snaps
//! down to the ground.
//!
//! Source: `docs/steps.md`, `docs/movers.md`. A tick among turning bodies is cut into parts, so that their
//! motion beyond a straight line is small against the mover's radius. Cost: one to three sweeps per part, and
//! one for the snap. It never gives up: the report says what could not be done.

use glam::DVec3;

use super::Tick;
use crate::character::report::{Ground, Obstacle, Outcome, Push};
use crate::character::stack::Flags;
use crate::character::support::Steepest;
use crate::character::support::is_apart;
use crate::num::bound::reach;
use crate::num::ops;
use crate::respond::{Bend, Climbing, FLING, SlideEnd, SlideResult, SweepHit};
use crate::shape::Aabb;
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{Body, BodyId, Moment, Neighborhood, SweepExtent};

/// No tick is cut into more parts than this.
const PARTS: u32 = 64;

/// No part of a tick takes more slides than this; a slide among moving bodies that runs out of sweeps is
/// continued.
const SLIDES: u32 = 4;

/// The result of a walk.
pub(super) struct Gone {
    /// The rest of the desired velocity at the end, relative to the ground, in m/s.
    pub(super) velocity: DVec3,
    /// Its translation besides being carried.
    pub(super) own: DVec3,
    pub(super) is_bent: bool,
    /// Its first turn, if it met no moving body; the share is of the walk.
    pub(super) bent: Option<Bend>,
}

impl Gone {
    const NOWHERE: Self = Self { velocity: DVec3::ZERO, own: DVec3::ZERO, is_bent: false, bent: None };
}

impl<'a, T: Trace<Obstacle>> Tick<'a, T> {
    /// On the ground: the ground carries, the desired velocity walks, both while the bodies around move; then
    /// steps and snap.
    pub(super) fn walk(&mut self, ground: Ground) {
        let up = self.settings.up;
        let desired_velocity = self
            .input
            .desired_velocity
            .map_or(DVec3::ZERO, |desired_velocity| desired_velocity - up * desired_velocity.dot(up));
        let friction = self.ground_friction(ground);
        let idle = desired_velocity == DVec3::ZERO;
        let slips = idle && friction == 0.0;
        let own = if slips {
            let own = self.state.velocity - self.state.inherited;
            (own + self.settings.gravity * (0.5 * self.dt)) * self.dt
        } else if idle {
            DVec3::ZERO
        } else {
            let (around, ground_rules, at) = (self.around([0.0, 1.0]), self.ground_rules, self.at);
            let mut steepest = Steepest::default();
            self.look(at, 0.0).distinct(|touch| {
                steepest.add(ground_rules.rise(&around, touch, Moment { at, time: 0.0 }, desired_velocity));
            });
            ground_rules.along_ground(desired_velocity, steepest.rise()) * (self.dt * self.rest)
        };
        let mut velocity = own / self.dt;
        let start = self.at;
        let mut walked = Gone::NOWHERE;
        let is_driven = || self.carried != DVec3::ZERO || !self.nothing_moves_at(self.at);
        if !idle || slips || self.is_crowded() || is_driven() {
            self.trace.event(&Event::Stage(Stage::Walk));
            let Some(gone) = self.go(0.0, own, true) else { return };
            velocity = gone.velocity;
            walked = gone;
            self.state.flags.set(Flags::STOPPED, walked.is_bent);
        } else {
            self.trace.event(&Event::Decided(Decision::Holds));
        }
        if slips {
            let with_rest = velocity + self.settings.gravity * (0.5 * self.dt);
            velocity = self.constrained(with_rest, 0.0, false);
        }
        if !idle
            && self.step_height() > 0.0
            && !self.report.crushed()
            && let Some(climbed) = self.climb(own, &walked)
        {
            self.report.stepped = climbed.rise;
            velocity = if climbed.is_whole { desired_velocity } else { self.level_velocity(start) };
        }
        self.turn(ground);
        let moved = self.at != start;
        self.stand_or_leave(velocity, moved);
    }

    /// The velocity of its own motion from a place in this tick, without its part along up.
    fn level_velocity(&self, from: DVec3) -> DVec3 {
        let velocity = (self.at - from) / self.dt - self.carried;
        velocity - self.settings.up * velocity.dot(self.settings.up)
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.sides().iter().any(|side| side.presses(self.at))
    }

    pub(super) fn ground_friction(&self, ground: Ground) -> f64 {
        let of_surface = match ground.obstacle {
            Obstacle::Body(part) => {
                self.world.surface(part.body, part.part).and_then(|surface| surface.friction)
            }
            Obstacle::Character(_) => None,
        };
        of_surface.unwrap_or(self.settings.friction)
    }

    /// The platform's turn about `up`.
    pub(super) fn turn(&mut self, ground: Ground) {
        let id = ground.obstacle.body().or(self.ridden().body);
        if let Some(body) = id.and_then(|id| self.world.body(id)) {
            self.state.yaw += body.turn_about(self.settings.up);
        }
    }

    /// At the end of a walk: down to the ground if it is near, else into the air.
    pub(super) fn stand_or_leave(&mut self, velocity: DVec3, moved: bool) {
        if let Some(ahead) = self.ahead {
            if self.support_at(self.at, 1.0).is_none() {
                // Half way up a step whose nose is no ground: that is still climbing.
                self.ground = Some(ahead);
                return self.stand(velocity);
            }
            self.ahead = None;
        }
        if moved && self.snaps() {
            return self.stand(velocity);
        }
        if let Some(support) = self.support_at(self.at, 1.0) {
            self.ground = Some(support.ground);
            return self.stand(velocity);
        }
        if !moved && self.snaps() {
            return self.stand(velocity);
        }
        self.trace.event(&Event::Decided(Decision::LeavesGround));
        self.ground = None;
        self.leave_with(velocity);
        // The walk has used the motion; the rest is nothing compared with gravity.
        let (velocity, fall) = (self.state.velocity, self.settings.gravity * (0.5 * self.dt * self.dt));
        let landing = self.fall(fall, velocity, 0.0);
        self.land(velocity, landing);
    }

    /// How far down it snaps: out of a crush no farther than its own motion may be.
    pub(super) fn deepest_snap(&self) -> f64 {
        self.snap_distance().min(self.most)
    }

    /// Goes down to ground that is within the snap distance.
    pub(super) fn snaps(&mut self) -> bool {
        let (up, distance) = (self.settings.up, self.deepest_snap());
        self.trace.event(&Event::Stage(Stage::Snap));
        let from = self.at;
        // After most walks it is on the ground to within rounding, and needs no sweep down.
        if let Some(support) = self.support_at(from, 1.0).filter(|support| !is_apart(&support.contact, from))
        {
            self.ground = Some(support.ground);
            self.trace.event(&Event::Decided(Decision::Snaps(0.0)));
            return true;
        }
        let Some(SweepHit { fraction, .. }) = self.sweep_at_end(from, up * -distance) else { return false };
        let to = from - up * (distance * fraction);
        let Some(support) = self.support_at(to, 1.0) else { return false };
        self.at = to;
        self.ground = Some(support.ground);
        self.trace.event(&Event::Decided(Decision::Snaps(distance * fraction)));
        true
    }

    /// Stands at the end of the tick, having walked at a velocity relative to the ground.
    pub(super) fn stand(&mut self, velocity: DVec3) {
        if let Some(ground) = self.ground {
            self.trace.event(&Event::Decided(Decision::Stands(ground.normal)));
        }
        self.state.inherited = self.carried;
        self.state.velocity = velocity + self.carried;
        if !self.report.crushed() && self.is_free_at(self.at, 1.0) {
            self.keep_safe();
        }
    }

    /// Here it is free.
    pub(super) fn keep_safe(&mut self) {
        self.state.safe_place = self.at;
        self.state.flags.set(Flags::SAFE_PLACE, true);
    }

    /// Moves by `own`, besides being carried, from a share of the tick to its end, while the bodies around
    /// move. `None` if it was crushed.
    pub(super) fn go(&mut self, begin: f64, own: DVec3, walks: bool) -> Option<Gone> {
        let climbing = walks
            .then_some(Climbing { up: self.settings.up, least_upright: self.ground_rules.least_upright });
        let has_met = core::mem::replace(&mut self.has_met, false);
        let parts = self.parts(own);
        let is_carried = self.near.has_moving_bodies() && self.ground_body().is_some_and(Body::is_moving);
        let free = if parts == 1 || is_carried { None } else { self.go_free(begin, own, climbing) };
        let gone = free.or_else(|| {
            self.has_met = is_carried;
            self.go_in(parts, begin, own, climbing)
        });
        self.has_met |= has_met;
        gone
    }

    /// The same in one part, if it certainly meets no moving body on its way: then none makes a difference.
    /// Otherwise `None`, and it has gone nowhere.
    fn go_free(&mut self, begin: f64, own: DVec3, climbing: Option<Climbing>) -> Option<Gone> {
        let (start, outcome) = (self.at, self.report.outcome);
        if self.touches_moving(start, begin) {
            return None;
        }
        self.extent = SweepExtent::Wide;
        let gone = self.go_in(1, begin, own, climbing);
        self.extent = SweepExtent::Usual;
        if gone.is_none() {
            self.at = start;
            self.report.take_back(outcome);
        }
        gone
    }

    /// The same in equal parts.
    fn go_in(&mut self, parts: u32, begin: f64, own: DVec3, climbing: Option<Climbing>) -> Option<Gone> {
        let share = 1.0 / f64::from(parts);
        let may_move = self.near.has_moving_bodies();
        let is_try = self.extent == SweepExtent::Wide;
        let mut slid = SlideResult::new();
        let rest = 1.0 - begin;
        let whole = self.dt * rest;
        let mut gone = Gone { velocity: own / whole, ..Gone::NOWHERE };
        let mut pressed = 0.0f64;
        for part in 0..parts {
            let at = |part: u32| if part == parts { 1.0 } else { begin + rest * (f64::from(part) * share) };
            let (mut from, until) = (at(part), at(part + 1));
            let fitted = self.at;
            let (mut slides, mut by_core) = (1, false);
            loop {
                let span = [from, until];
                let share = if slides == 1 { share } else { (until - from) / rest };
                let seconds = whole * share;
                let carried = self.carried_in(span, seconds);
                let slide = self.slide(own * share + carried, climbing, 0.0);
                let start = self.at;
                let extent = if by_core { SweepExtent::Core } else { self.extent };
                self.slide_by(span, extent, &slide, &mut slid);
                self.at = slid.position;
                if is_try && self.has_met {
                    return None;
                }
                gone.own += slid.position - start - carried;
                gone.is_bent |= slid.bent.is_some();
                if slides == 1 && gone.bent.is_none() {
                    let left_in_part = |left: f64| 1.0 - (f64::from(part) + 1.0 - left) * share;
                    let in_walk = |left| if parts == 1 { left } else { left_in_part(left) };
                    gone.bent = slid.bent.map(|bend| Bend { remaining: in_walk(bend.remaining), ..bend });
                }
                gone.velocity = (slid.motion - carried) / seconds;
                self.push(&slid, own / whole, seconds);
                let fastest = slid.touches().map(|touch| touch.motion.length_squared()).fold(0.0, f64::max);
                pressed = pressed.max(ops::sqrt(fastest) / share);
                if slid.end != SlideEnd::TooManySweeps || !may_move || by_core {
                    break;
                }
                // The bodies move on, so the slide continues for the rest of the time; if it makes no
                // progress, moving bodies stop only its middle.
                let next = until - (until - from) * slid.remaining;
                if !self.has_met && self.is_left_alone(self.at, next) {
                    break;
                }
                if is_try {
                    return None;
                }
                // The rest of the ride is in the next slide.
                gone.own += carried * slid.remaining;
                slides += 1;
                by_core = slides > SLIDES || next <= from;
                from = next;
            }
            if slid.end == SlideEnd::Crushed {
                let time = until - (until - from) * slid.remaining;
                let pressing = slid.touches().filter(|touch| slid.pressing().any(|by| by == touch.key));
                self.note_squeeze(pressing, time);
                self.crush(slid.pressing(), time);
                return None;
            }
            if matches!(slid.end, SlideEnd::Blocked | SlideEnd::TooManySweeps) {
                self.report.outcome = Outcome::Blocked;
            }
            if may_move && (self.has_met || self.is_in_moving(self.at, until)) {
                if is_try {
                    return None;
                }
                let slid_to = self.at;
                if slid.end == SlideEnd::TooManySweeps
                    && !self.wait(fitted, [until - (until - from) * slid.remaining, until])
                {
                    return None;
                }
                if !self.settle(fitted, until) {
                    return None;
                }
                gone.own += self.at - slid_to;
                gone.is_bent |= self.at != slid_to;
            }
        }
        if self.leaps(own, pressed) {
            self.stay_crushed();
            return None;
        }
        // A place that it has passed is free only then, if bodies move there.
        gone.bent = gone.bent.filter(|bend| {
            let time = begin + rest * (1.0 - bend.remaining);
            !may_move || !self.has_met && self.is_left_alone(bend.position, time)
        });
        if !gone.is_bent {
            gone.velocity = own / whole;
            gone.own = own;
        }
        Some(gone)
    }

    /// The translation by the ground in a part of the tick.
    pub(super) fn carried_in(&self, span: [f64; 2], seconds: f64) -> DVec3 {
        let Some(ground) = self.ground else { return DVec3::ZERO };
        let pushed = if ground.obstacle.body().is_none() { self.pushed } else { DVec3::ZERO };
        let borne = (self.borne() + pushed) * (span[1] - span[0]);
        let Some(body) = self.ground_body() else { return borne };
        if ground.obstacle.body().is_none() {
            return body.displacement(self.at, span) + borne;
        }
        let run = body.surface_velocity();
        body.displacement(self.at, span) + (run - ground.normal * ground.normal.dot(run)) * seconds
    }

    /// The number of parts of the tick, so that the motion of turning bodies differs little from a straight
    /// one, relative to the size of the character. The end of each part removes the difference.
    pub(super) fn parts(&self, own: DVec3) -> u32 {
        if !self.near.has_moving_bodies() {
            return 1;
        }
        let way = own + self.carried * self.dt;
        let small = self.mover().smallest_radius() / 16.0;
        let bends = |id: BodyId, share: f64| {
            let body = self.world.body(id);
            body.map_or(0.0, |body| body.bend(self.mover(), self.at, way * share, [0.0, share]))
        };
        // A NaN gives the most parts.
        let is_small = |bend: f64| bend <= small;
        if self.near.movable_bodies().all(|id| is_small(bends(id, 1.0))) {
            return 1;
        }
        let carrier = self.carrier();
        let region = self.region(way);
        let is_near = |id: BodyId| {
            let is_met = |region: &Aabb| Neighborhood::may_meet(self.world, self.mover(), id, region);
            region.as_ref().is_none_or(is_met)
        };
        let others = self.near.movable_bodies().any(|id| Some(id) != carrier && is_near(id))
            || region.is_none_or(|region| self.near.has_fixed_within(self.world, self.mover(), &region));
        let counts = |id: &BodyId| if Some(*id) == carrier { others } else { is_near(*id) };
        let mut parts = 1;
        while parts < PARTS {
            let share = 1.0 / f64::from(parts);
            if self.near.movable_bodies().filter(counts).all(|id| is_small(bends(id, share))) {
                break;
            }
            parts *= 2;
        }
        parts
    }

    /// The region that its center stays in, wherever obstacles turn a motion of `way`, and however far the
    /// moving bodies push it that it may meet there; `None` beyond the range of f64.
    fn region(&self, way: DVec3) -> Option<Aabb> {
        let (at, mover) = (self.at, self.mover());
        let about = |far: f64| Aabb::new(at - DVec3::splat(far), at + DVec3::splat(far)).ok();
        let own = reach(way);
        let first = about(own)?;
        let pushed = self
            .near
            .movable_bodies()
            .filter(|id| Neighborhood::may_meet(self.world, mover, *id, &first))
            .filter_map(|id| self.world.body(id))
            .map(|body| body.farthest_way(at, own + reach(mover.half_extents())))
            .fold(0.0, f64::max);
        about(own + FLING * pushed)
    }

    /// Reports the pushes against bodies that can be pushed.
    pub(super) fn push(&mut self, slid: &SlideResult<Obstacle>, velocity: DVec3, seconds: f64) {
        for touch in slid.touches() {
            let Obstacle::Body(part) = touch.key else { continue };
            let Some(body) = self.world.body(part.body) else { continue };
            let Some(mass) = body.mass() else { continue };
            let normal = touch.contact.normal;
            let is_wall = normal.dot(self.settings.up) < self.ground_rules.least_upright;
            let relative = velocity - touch.motion / seconds;
            let approach = -normal.dot(relative);
            if is_wall && approach > 0.0 && touch.contact.gap <= self.ground_rules.contact_distance {
                let force = self.settings.push_force;
                let push = Push {
                    body: part.body,
                    point: touch.contact.point,
                    impulse: normal * -(mass * approach).min(force * seconds),
                    user_data: body.user_data(),
                };
                // However often it is met in a tick, it need not go faster than what pushes it.
                let speed = ops::sqrt(relative.length_squared());
                self.report.add_push(push, (mass * speed).min(force * self.dt));
            }
        }
    }
}
