//! In the air: taking off, flying, landing.
//!
//! Source: `docs/steps.md`. Gravity uses the trapezoid rule, which is exact for a parabola: a jump is equally
//! high at any tick rate. Cost: one sweep perpendicular to `up` and one along it, or one of both. It never
//! gives up.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use super::walk::Gone;
use crate::character::report::{Obstacle, Outcome};
use crate::character::settings::{GravityPass, PlatformVelocity};
use crate::character::support::Support;
use crate::num::bound::{APPROACH, reach};
use crate::respond::{
    Bend, ContactPlane, NearestMotion, Obstacles, Slide, SlideEnd, SlideResult, SurfaceContact, SweepHit,
    friction, nearest_feasible,
};
use crate::shape::Aabb;
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{Moment, SweepExtent};

/// A fall that covers no more than this share of its path makes no progress.
const NO_WAY: f64 = 1e-4;

/// A path beside a turning body is halved down to this share of the tick.
const SHORTEST: f64 = 1.0 / 64.0;

/// The place at which a fall began, and the outcome of the tick until then.
#[derive(Clone, Copy, Debug)]
struct FallStart {
    place: DVec3,
    outcome: Outcome,
}

/// The ground that a fall ended on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    support: Support,
    /// The share of the tick at which it landed.
    time: f64,
}

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Takes off, if the input or the state says so.
    pub(super) fn jumps(&mut self) -> bool {
        let Some(speed) = self.input.jump else { return false };
        let up = self.settings.up;
        let own = match self.input.desired_velocity {
            Some(desired_velocity) => desired_velocity - up * desired_velocity.dot(up),
            None => {
                let own = self.state.velocity - self.state.inherited;
                own - up * own.dot(up)
            }
        };
        self.leave_with(own + up * speed);
        self.trace.event(&Event::Decided(Decision::Jumps(speed)));
        true
    }

    /// Leaves the ground at a velocity relative to it.
    pub(super) fn leave_with(&mut self, own: DVec3) {
        let kept = match self.settings.platform_velocity {
            PlatformVelocity::Inherit => self.carried,
            PlatformVelocity::Drop => DVec3::ZERO,
        };
        self.state.velocity = own + kept;
        self.state.inherited = kept;
    }

    /// Whether the ground falls away faster than the character falls, by more than it snaps.
    pub(super) fn ground_falls_away(&mut self) -> bool {
        let up = self.settings.up;
        let ballistic = self.state.inherited + self.settings.gravity * (0.5 * self.dt);
        let (free, ground) = (up.dot(ballistic) * self.dt, up.dot(self.carried) * self.dt);
        let rounding = APPROACH * (free.abs() + ground.abs());
        if free - ground <= self.snap_distance() + rounding {
            return false;
        }
        self.carried = self.state.inherited;
        let own = self.state.velocity - self.state.inherited;
        self.leave_with(own);
        self.trace.event(&Event::Decided(Decision::LeavesGround));
        true
    }

    /// In the air: across `up` while the bodies around move, then along it.
    pub(super) fn fly(&mut self) {
        self.state.velocity = self.steered();
        let velocity = self.state.velocity;
        let way = velocity * (self.dt * self.rest) + self.settings.gravity * (0.5 * self.dt * self.dt);
        let flies = self.settings.gravity == DVec3::ZERO;
        self.trace.event(&Event::Stage(Stage::Walk));
        let start = FallStart { place: self.at, outcome: self.report.outcome };
        if flies || self.settings.gravity_pass == GravityPass::Combined {
            let Some(walked) = self.go(0.0, way, false) else { return };
            if flies {
                return self.land(walked.velocity, None);
            }
            if walked.is_bent && self.lands_on_its_way(start, way) {
                return;
            }
            if way.dot(self.settings.up) < 0.0 && self.climbs_in_air(0.0, way, velocity, &walked) {
                return;
            }
            let is_held = walked.velocity == DVec3::ZERO;
            let rests = if is_held { self.rests(start.place, way, 0.0) } else { None };
            let unpressed = self.unpressed(velocity);
            return self.land(unpressed, rests);
        }
        // If nothing moves, the path across and then down crushes nothing: it is computed only if it counts.
        let is_still = !self.near.has_moving_bodies() && self.sides().is_empty();
        if is_still && self.lands_on_its_way(start, way) {
            return;
        }
        let Some((level, landing)) = self.fly_from(0.0, way, velocity) else { return };
        if !is_still && self.lands_on_its_way(start, way) {
            return;
        }
        self.land(level + self.settings.up * velocity.dot(self.settings.up), landing);
    }

    /// Moves, from a share of the tick to its end, across `up` and then along it. Returns the remaining
    /// horizontal part of `velocity`, and the landing. `None` if it was crushed, or stands on a step.
    fn fly_from(&mut self, begin: f64, way: DVec3, velocity: DVec3) -> Option<(DVec3, Option<Landing>)> {
        let (up, start) = (self.settings.up, self.at);
        let across = way - up * way.dot(up);
        let walked = self.go(begin, across, true)?;
        if way.dot(up) < 0.0 && self.climbs_in_air(begin, across, velocity, &walked) {
            return None;
        }
        // Lifts by moving bodies are part of its own rise.
        let lifted = if self.has_met { (self.at - start).dot(up) } else { 0.0 };
        let landing = self.fall(up * (way.dot(up) - lifted), velocity, begin);
        // The first motion was stopped only in its own directions.
        let bent = walked.is_bent;
        let level = if bent {
            walked.velocity - up * walked.velocity.dot(up)
        } else {
            velocity - up * velocity.dot(up)
        };
        Some((level, landing))
    }

    /// Climbs the low obstacle that stopped a motion of `own` in the air, from a share of the tick to its
    /// end. If there was a step, it stands there at the end of the tick.
    fn climbs_in_air(&mut self, begin: f64, own: DVec3, velocity: DVec3, walked: &Gone) -> bool {
        if !self.settings.air_steps || self.step_height() <= 0.0 || self.report.crushed() {
            return false;
        }
        let from = self.at - walked.own;
        let Some(climbed) = self.climb(own, walked) else { return false };
        self.report.stepped = climbed.rise;
        let made = (self.at - from) / (self.dt * (1.0 - begin));
        let velocity = if climbed.is_whole { velocity } else { made };
        self.stand_or_leave(velocity - self.settings.up * velocity.dot(self.settings.up), true);
        true
    }

    /// Whether a fall that is not straight down, or meets moving bodies, hits an edge on its straight path
    /// that the path across and then down has treated differently. Then it lands there, or continues from
    /// there, and the tick is done: nothing is left of the other path.
    fn lands_on_its_way(&mut self, start: FallStart, way: DVec3) -> bool {
        let (up, velocity) = (self.settings.up, self.state.velocity);
        let has_parts = |area: Aabb| self.near.has_parts_in(self.world, &area);
        if way.dot(up) >= 0.0 || !self.mostly.is_some_and(has_parts) {
            return false;
        }
        let may_move = self.near.has_moving_bodies();
        let is_split = self.settings.gravity_pass == GravityPass::Separate;
        // Then the fall itself is the straight path, unless bodies move there.
        let is_fall = is_split && way - up * way.dot(up) == DVec3::ZERO;
        if is_fall && !may_move {
            return false;
        }
        let Some((place, time)) = self.meets_straight(start.place, way) else { return false };
        let moves = may_move && (self.has_met || self.touches_moving(place, time));
        if is_fall && !moves {
            return false;
        }
        let falling = velocity + self.settings.gravity * (self.dt * time);
        let support = self.support_for(place, time, Some(falling));
        let (ground_rules, rest) = (self.ground_rules, 1.0 - time);
        // A single motion slides past an obstacle, on a face as on an edge; two motions stop at it.
        let is_plain = is_split
            && !moves
            && !self
                .look(place, time)
                .iter()
                .any(|touch| touch.contact.normal.dot(up) < ground_rules.least_upright);
        if is_plain || rest <= 0.0 {
            return false;
        }
        let Some(support) = support else {
            // From the start, among bodies at rest, that is the same path across and then down.
            if !is_split || time == 0.0 && !moves {
                return false;
            }
            self.at = place;
            self.report.take_back(start.outcome);
            if let Some((level, landing)) = self.fly_from(time, way * rest, velocity) {
                self.land(level + up * velocity.dot(up), landing);
            }
            return true;
        };
        // The rest of the tick is walked.
        self.at = place;
        self.report.take_back(start.outcome);
        self.ground = Some(support.ground);
        self.carried = self.ground_velocity();
        let desired_velocity = self
            .input
            .desired_velocity
            .map_or(DVec3::ZERO, |desired_velocity| desired_velocity - up * desired_velocity.dot(up));
        if let Some(gone) = self.go(time, desired_velocity * (self.dt * rest), true) {
            self.stand_or_leave(gone.velocity, true);
        }
        true
    }

    /// The place and time of the first hit on the straight path of a whole tick.
    fn meets_straight(&mut self, start: DVec3, way: DVec3) -> Option<(DVec3, f64)> {
        let time = self.first_hit(start, way, [0.0, 1.0])?;
        let place = start + way * time;
        if !self.is_in_moving(place, time) {
            return Some((place, time));
        }
        let ended = core::mem::replace(&mut self.at, place);
        let is_out = self.get_out(time).is_ok();
        let place = core::mem::replace(&mut self.at, ended);
        is_out.then_some((place, time))
    }

    /// The share of the tick at which the whole mover first hits something on the straight path of the tick,
    /// between two shares. Beside a body that turns, it halves the path where it may meet that body, until
    /// the path bends so little that its edges are where they seem to be.
    fn first_hit(&mut self, start: DVec3, way: DVec3, [begin, end]: [f64; 2]) -> Option<f64> {
        let (from, translation) = (start + way * begin, way * (end - begin));
        let in_tick = |hit: SweepHit<Obstacle>| begin + hit.fraction * (end - begin);
        let hit = self.sweep_straight(SweepExtent::Wide, from, translation, [begin, end])?;
        if !self.moves(hit.key) {
            return Some(in_tick(hit));
        }
        let bend = self
            .near
            .movable_bodies()
            .filter_map(|id| self.world.body(id))
            .map(|body| body.bend(self.mover(), from, translation, [begin, end]))
            .fold(0.0, f64::max);
        if bend == 0.0 {
            return Some(in_tick(hit));
        }
        if 4.0 * bend <= self.ground_rules.contact_distance || end - begin <= SHORTEST {
            return self.sweep_straight(SweepExtent::Usual, from, translation, [begin, end]).map(in_tick);
        }
        let middle = 0.5 * (begin + end);
        self.first_hit(start, way, [begin, middle]).or_else(|| self.first_hit(start, way, [middle, end]))
    }

    fn sweep_straight(
        &mut self,
        extent: SweepExtent,
        from: DVec3,
        translation: DVec3,
        times: [f64; 2],
    ) -> Option<SweepHit<Obstacle>> {
        self.report.sweeps += 1;
        self.extent = extent;
        let hit = self.place([0.0, 1.0], |place| place.sweep(from, translation, times));
        self.extent = SweepExtent::Usual;
        self.trace.event(&Event::Sweep { from, translation, hit });
        hit
    }

    /// Falls or rises from a share of the tick to its end, among bodies at their ends. Ground stops a fall
    /// where the feet meet it, not where the tick ends: else the rate would decide whether a character stands
    /// on an edge or rolls off it.
    pub(super) fn fall(&mut self, way: DVec3, velocity: DVec3, begin: f64) -> Option<Landing> {
        if way == DVec3::ZERO {
            return None;
        }
        self.trace.event(&Event::Stage(Stage::Fall));
        let slide = self.slide(way, None, self.settings.friction);
        let mut slid = SlideResult::new();
        self.slide_in([1.0, 1.0], &slide, &mut slid);
        let from = core::mem::replace(&mut self.at, slid.position);
        if slid.end == SlideEnd::TooManySweeps {
            // Among bodies at rest it stays at the last contact: it overlaps nothing there.
            self.report.outcome = Outcome::Blocked;
        }
        if way.dot(self.settings.up) >= 0.0 {
            return None;
        }
        let landing = slid.bends().iter().find_map(|&Bend { position: place, remaining }| {
            let time = 1.0 - remaining * (1.0 - begin);
            let support =
                self.support_for(place, 1.0, Some(velocity + self.settings.gravity * (self.dt * time)))?;
            self.at = place;
            Some(Landing { support, time })
        });
        // A fall that used up its sweeps may still be free.
        let is_held = slid.end == SlideEnd::Blocked;
        landing.or_else(|| if is_held { self.rests(from, way, begin) } else { None })
    }

    /// The support of a fall that began at `from` and made no progress: a surface that stops it at once in
    /// every tick supports it, ground or not.
    fn rests(&mut self, from: DVec3, way: DVec3, begin: f64) -> Option<Landing> {
        let makes_way = |to: DVec3, way: DVec3| reach(to - from) > NO_WAY * reach(way);
        if way.dot(self.settings.up) >= 0.0 || makes_way(self.at, way) {
            return None;
        }
        let (around, ground_rules) = (self.around([0.0, 1.0]), self.ground_rules);
        let support = ground_rules.last_support(&around, self.look(self.at, 1.0))?;
        // In a short tick rounding may stop a slow fall: then a fall as long as the skin decides.
        let least = ground_rules.up * -self.skin();
        if reach(way) < reach(least) {
            let slide = self.slide(least, None, self.settings.friction);
            let mut slid = SlideResult::new();
            self.slide_in([1.0, 1.0], &slide, &mut slid);
            if slid.end != SlideEnd::Blocked || makes_way(slid.position, least) {
                return None;
            }
        }
        Some(Landing { support, time: begin })
    }

    /// The end of a tick in the air that began with a velocity: applies gravity and contacts, and decides
    /// whether it stands.
    pub(super) fn land(&mut self, velocity: DVec3, landing: Option<Landing>) {
        let time = landing.map_or(1.0, |landing| landing.time);
        let velocity = velocity + self.settings.gravity * (self.dt * time);
        let velocity = self.constrained(velocity, self.settings.friction, landing.is_some());
        let flies = self.settings.gravity == DVec3::ZERO;
        let support = match landing {
            Some(landing) => Some(landing.support),
            None if flies => None,
            None => self.support_for(self.at, 1.0, Some(velocity)),
        };
        self.state.velocity = velocity;
        self.ground = support.map(|support| support.ground);
        if let Some(support) = support {
            self.trace.event(&Event::Decided(Decision::Stands(support.ground.normal)));
            self.state.inherited = self.ground_velocity();
            if !self.report.crushed() && self.is_free_at(self.at, 1.0) {
                self.keep_safe();
            }
        }
    }

    /// The velocity nearest to the given one that the contacts at the end allow, slowed by friction. A
    /// character that lands on an edge continues along its surface; its own roundness does not turn it aside.
    pub(super) fn constrained(&mut self, velocity: DVec3, default_friction: f64, lands: bool) -> DVec3 {
        let (up, ground_rules, dt) = (self.settings.up, self.ground_rules, self.dt);
        let (around, end) = (self.around([0.0, 1.0]), Moment::at_end(self.at));
        let contacts = self.look(self.at, 1.0);
        let mut planes = ArrayVec::<ContactPlane, { Slide::TOUCHES }>::new();
        let mut touches = ArrayVec::<&SurfaceContact<Obstacle>, { Slide::TOUCHES }>::new();
        // The ends of bodies are at rest: their rates are those of the whole tick.
        for touch in contacts.iter().filter(|touch| !ground_rules.is_lip(&around, contacts, touch, end)) {
            let walked = if lands { ground_rules.walked(&around, touch, end) } else { None };
            let normal = walked.unwrap_or(touch.contact.normal);
            planes.push(ContactPlane { normal, bound: normal.dot(touch.motion) / dt });
            touches.push(touch);
        }
        let Ok(NearestMotion::Feasible { velocity: found, planes: held }) =
            nearest_feasible(velocity, &planes)
        else {
            return DVec3::ZERO;
        };
        let touched = |plane: &usize| (touches[*plane], planes[*plane].normal);
        let rough =
            held.as_slice().iter().map(touched).fold(None, |most: Option<(f64, DVec3)>, (touch, normal)| {
                let coefficient = touch.friction.unwrap_or(default_friction);
                // Walkable ground does not brake: a character that lands keeps running.
                let walkable = normal.dot(up) >= ground_rules.least_upright;
                let more = !walkable && coefficient > most.map_or(0.0, |(most, _)| most);
                if more { Some((coefficient, touch.surface_motion() / dt)) } else { most }
            });
        match rough {
            Some((coefficient, surface)) => {
                friction(velocity - surface, found - surface, coefficient) + surface
            }
            None => found,
        }
    }
}
