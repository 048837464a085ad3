//! In the air: taking off, flying, landing.
//!
//! Source: `docs/steps.md`. Gravity is by the trapezoid rule, which is exact for a parabola: a jump is as high at any tick rate. Cost: one
//! sweep across `up` and one along it, or one of both. Gives up: never.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use crate::character::report::Obstacle;
use crate::character::settings::{GravityPass, PlatformVelocity};
use crate::character::{Input, Settings, State};
use crate::num::bound::APPROACH;
use crate::respond::{ContactPlane, Motion, Slid, Slide, friction, nearest_feasible};
use crate::trace::{Decision, Event, Stage, Trace};

/// The velocity in the air that a wish makes of the one there is.
pub(super) fn flight(state: &State, settings: &Settings, input: Input) -> DVec3 {
    let (up, velocity) = (settings.up, state.velocity);
    let Some(wish) = input.wish else { return velocity };
    if settings.gravity == DVec3::ZERO {
        return velocity + (wish - velocity) * settings.air_control;
    }
    let level = |v: DVec3| v - up * v.dot(up);
    let (now, goal) = (level(velocity), level(wish) + level(state.inherited));
    let level = if settings.air_control == 1.0 { goal } else { now + (goal - now) * settings.air_control };
    level + up * velocity.dot(up)
}

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Takes off, if that is wanted.
    pub(super) fn jumps(&mut self) -> bool {
        let Some(speed) = self.input.jump else { return false };
        let up = self.settings.up;
        let own = match self.input.wish {
            Some(wish) => wish - up * wish.dot(up),
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
        let up = self.settings.up;
        self.state.velocity = flight(self.state, self.settings, self.input);
        let velocity = self.state.velocity;
        let way = velocity * self.dt + self.settings.gravity * (0.5 * self.dt * self.dt);
        let flies = self.settings.gravity == DVec3::ZERO;
        self.trace.event(&Event::Stage(Stage::Walk));
        if flies || self.settings.gravity_pass == GravityPass::Combined {
            let Some(walked) = self.go(way, false) else { return };
            let slid = if flies { walked.velocity } else { velocity };
            return self.land(slid + self.settings.gravity * self.dt);
        }
        let start = self.at;
        let Some(walked) = self.go(way - up * way.dot(up), true) else { return };
        // What bodies on their way have lifted it by is part of its own rise.
        let lifted = if self.near.has_moving_bodies() { (self.at - start).dot(up) } else { 0.0 };
        self.fall(up * (way.dot(up) - lifted));
        let wanted = velocity - up * velocity.dot(up);
        // What stopped the first motion stopped it in its own directions only.
        let level = if walked.is_bent { walked.velocity - up * walked.velocity.dot(up) } else { wanted };
        self.land(level + up * velocity.dot(up) + self.settings.gravity * self.dt);
    }

    /// Falls or rises, among bodies at their ends.
    pub(super) fn fall(&mut self, way: DVec3) {
        if way == DVec3::ZERO {
            return;
        }
        self.trace.event(&Event::Stage(Stage::Fall));
        let slide = self.slide(way, None, self.settings.friction);
        let mut slid = Slid::new();
        self.slide_in([1.0, 1.0], &slide, &mut slid);
        self.at = slid.position;
    }

    /// The end of a tick in the air: the velocity that contacts leave, and whether it stands.
    pub(super) fn land(&mut self, velocity: DVec3) {
        let velocity = self.constrained(velocity, self.settings.friction);
        let flies = self.settings.gravity == DVec3::ZERO;
        let support = if flies { None } else { self.support_for(self.at, 1.0, Some(velocity)) };
        self.state.velocity = velocity;
        self.ground = support.map(|support| support.ground);
        if let Some(support) = support {
            self.trace.event(&Event::Decided(Decision::Stands(support.ground.normal)));
            self.state.inherited = self.ground_velocity();
            if !self.report.crushed() && self.is_free_at(self.at, 1.0) {
                self.state.last_safe = Some(self.at);
            }
        }
    }

    /// The velocity nearest to one that what is touched at the end allows, slowed by friction.
    pub(super) fn constrained(&mut self, velocity: DVec3, default_friction: f64) -> DVec3 {
        let (up, least_upright, dt) = (self.settings.up, self.stance.least_upright, self.dt);
        let contacts = self.look(self.at, 1.0);
        let mut planes = ArrayVec::<ContactPlane, { Slide::TOUCHES }>::new();
        // The ends of bodies are at rest: their rates are those of the whole tick.
        for touch in contacts.iter() {
            let normal = touch.contact.normal;
            planes.push(ContactPlane { normal, bound: normal.dot(touch.motion) / dt });
        }
        let Ok(Motion::Feasible { velocity: found, planes: held }) = nearest_feasible(velocity, &planes)
        else {
            return DVec3::ZERO;
        };
        let rough = held.as_slice().iter().filter_map(|plane| contacts.iter().nth(*plane)).fold(
            None,
            |most: Option<(f64, DVec3)>, touch| {
                let coefficient = touch.friction.unwrap_or(default_friction);
                // Ground that can be walked on does not brake: whoever lands runs on.
                let walkable = touch.contact.normal.dot(up) >= least_upright;
                let more = !walkable && coefficient > most.map_or(0.0, |(most, _)| most);
                if more { Some((coefficient, touch.surface_motion() / dt)) } else { most }
            },
        );
        match rough {
            Some((coefficient, surface)) => {
                friction(velocity - surface, found - surface, coefficient) + surface
            }
            None => found,
        }
    }
}
