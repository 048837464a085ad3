//! In and out of what presses: deep starts, what bodies on their way come into, being crushed, and getting
//! free again.
//!
//! Source: `docs/movers.md`. A tick ends outside of everything or says what it is in. Cost: one look at the
//! contacts at the end of each part of a tick among bodies that move; where something is overlapped, a few
//! rounds of planes; where those lead nowhere, a search. Gives up: where no place is found it stays, and says
//! so.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use crate::character::report::{Obstacle, Outcome};
use crate::character::support::{blur, is_overlap};
use crate::num::bound::reach;
use crate::num::ops;
use crate::respond::{
    Obstacles, Slide, SurfaceContact, WorldObstacles, depenetrate, depenetrate_across, way_along,
};
use crate::shape::Mover;
use crate::trace::{Decision, Event, Stage, Trace};

/// A walk, in m/s: at least so fast it gets out of a crush by default.
const WALK: f64 = 1.5;

/// A way out by planes longer than so many times the depth is held against others: of two planes it is √2, of
/// three √3.
const DIRECT: f64 = 2.0;

/// A search for a place looks no farther than so many times the size of the body; out of a crush, who desired
/// velocities nothing slips out only where that is nearer than its smallest diameter, and else stays where it
/// fitted last.
const FAR: f64 = 8.0;

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Out of what is overlapped at the start, back to where it was free if there is no way out. False if it
    /// can only stay.
    pub(super) fn free(&mut self) -> bool {
        self.trace.event(&Event::Stage(Stage::Depenetrate));
        let from = self.at;
        if self.is_free_at(from, 0.0) {
            self.state.squeeze = [0; 3];
            return true;
        }
        let axis = DVec3::from(self.state.squeeze.map(f64::from)).normalize_or_zero();
        if axis != DVec3::ZERO {
            return self.escape(axis);
        }
        let depth = self.deepest(from, 0.0);
        let far = FAR * reach(self.mover().half_extents());
        let out = self.place([0.0, 0.0], |place| depenetrate(place, from));
        let way = out.position - from;
        let is_direct = out.free && reach(way) <= DIRECT * depth && self.is_open(from, way);
        if is_direct || !out.free && depth <= 0.5 * self.skin() {
            self.at = out.position;
            return true;
        }
        let planes = Some(way).filter(|way| out.free && self.is_open(from, *way));
        let searched = self.nearest_way(from, None, far);
        let shorter = |a: DVec3, b: DVec3| if reach(b) < reach(a) { b } else { a };
        if let Some(way) = planes.into_iter().chain(searched).reduce(shorter) {
            self.at = from + way;
            return true;
        }
        for by in out.pressing() {
            self.report.add_crushing(by);
        }
        if let Some(safe) = self.state.last_safe()
            && self.is_free_at(safe, 0.0)
        {
            self.at = safe;
            self.report.outcome = Outcome::Recovered;
            self.trace.event(&Event::Decided(Decision::Recovers));
            return true;
        }
        false
    }

    /// Out of what has crushed it, across the axis that it is squeezed along and no faster than it may. False
    /// if it is not out.
    fn escape(&mut self, axis: DVec3) -> bool {
        let from = self.at;
        let near = match self.input.desired_velocity {
            Some(desired_velocity) if desired_velocity != DVec3::ZERO => {
                FAR * reach(self.mover().half_extents())
            }
            _ => 2.0 * self.mover().smallest_radius(),
        };
        let across = self.place([0.0, 0.0], |place| depenetrate_across(place, from, Some(axis)));
        let way = Some(across.position - from)
            .filter(|way| across.free && reach(*way) <= near && self.is_open(from, *way))
            .or_else(|| self.nearest_way(from, Some(axis), near));
        let Some(way) = way else { return false };
        let (length, most) = (ops::sqrt(way.length_squared()), self.escape_speed(from) * self.dt);
        if length <= most {
            self.at = from + way;
            self.state.squeeze = [0; 3];
            return true;
        }
        let step = way * (most / length);
        let fraction =
            self.place([0.0, 0.0], |place| place.sweep(from, step, [0.0, 0.0])).map_or(1.0, |met| met.0);
        self.at = from + step * fraction;
        false
    }

    fn escape_speed(&mut self, at: DVec3) -> f64 {
        if let Some(speed) = self.settings.escape_speed {
            return speed;
        }
        let dt = self.dt;
        let fastest = self
            .look(at, 0.0)
            .iter()
            .filter(|touch| is_overlap(touch, at))
            .fold(0.0f64, |most, touch| most.max(reach(touch.motion)));
        (fastest / dt).max(WALK)
    }

    /// Whether the center gets along a way without entering anything: it leaves what it is in by the side
    /// that it is nearer to.
    fn is_open(&self, from: DVec3, way: DVec3) -> bool {
        let center = WorldObstacles::new(self.world, Mover::Point, self.settings.collides_with)
            .during([0.0, 0.0], 0.0);
        center.sweep(from, way, [0.0, 0.0]).is_none()
    }

    /// The shortest way to a place where it fits, along what it touches and all ways around; across an axis,
    /// if there is one.
    fn nearest_way(&mut self, from: DVec3, axis: Option<DVec3>, mut most: f64) -> Option<DVec3> {
        let mut directions = ArrayVec::<DVec3, 96>::new();
        let up = self.stance.up;
        let mut offer = |direction: DVec3| {
            let direction = direction - axis.map_or(DVec3::ZERO, |axis| axis * axis.dot(direction));
            // What is all but along the axis leads nowhere.
            if direction.length_squared() > 1e-4 && !directions.is_full() {
                directions.push(direction.normalize_or_zero());
            }
        };
        // Of equal ways the first counts: upwards.
        offer(up);
        let touched = self.look(from, 0.0);
        touched
            .iter()
            .filter(|touch| is_overlap(touch, from))
            .take(16)
            .for_each(|touch| offer(touch.contact.normal));
        let (side, front) = up.any_orthonormal_pair();
        for x in -1..=1i8 {
            for y in [1, 0, -1i8] {
                for z in -1..=1i8 {
                    offer(side * f64::from(x) + up * f64::from(y) + front * f64::from(z));
                }
            }
        }
        let stride = self.mover().smallest_radius();
        let mut best = None;
        for direction in directions {
            let found = self.place([0.0, 0.0], |place| way_along(place, from, direction, most, stride));
            if let Some(length) = found
                && length < most
                && self.is_open(from, direction * length)
            {
                most = length;
                best = Some(direction * length);
            }
        }
        best
    }

    /// Out of what bodies on their way, turning above all, have come into by a share of the tick: what their
    /// motion is beyond the straight one that is swept. Where that leads nowhere it goes back to where it
    /// last fitted, crushed; false then.
    pub(super) fn settle(&mut self, fitted: DVec3, time: f64) -> bool {
        let at = self.at;
        if self.is_free_at(at, time) {
            return true;
        }
        let depth = self.deepest(at, time);
        let out = self.place([time, time], |place| depenetrate(place, at));
        // The skin is there to be used up: the rest of it is got out of in the next tick.
        if out.depth <= 0.5 * self.skin() && reach(out.position - at) <= 4.0 * depth {
            self.at = out.position;
            return true;
        }
        let pressing: ArrayVec<Obstacle, 4> = out.pressing().collect();
        self.note_overlap(at, time);
        self.at = fitted;
        self.crush(pressing.into_iter());
        false
    }

    /// How deep it is in what it overlaps most, in meters.
    fn deepest(&mut self, at: DVec3, time: f64) -> f64 {
        self.look(at, time).iter().fold(0.0, |most, touch| most.max(-touch.contact.gap))
    }

    /// Crushed, or in what nothing leads out of: it stays, and says by what.
    pub(super) fn stay(&mut self) {
        let at = self.at;
        let axis = DVec3::from(self.state.squeeze.map(f64::from)).normalize_or_zero();
        // What it is in, and what is behind it.
        let presses = |touch: &&SurfaceContact<Obstacle>| {
            is_overlap(touch, at) || touch.contact.normal.dot(axis) < -0.5
        };
        let by: ArrayVec<Obstacle, { Slide::TOUCHES }> =
            self.look(at, 0.0).iter().filter(presses).map(|touch| touch.key).collect();
        self.crush(by.into_iter());
        self.tell_overlaps();
    }

    /// It is pressed from all sides: it stays, and says by what.
    pub(super) fn crush(&mut self, pressing: impl Iterator<Item = Obstacle>) {
        for by in pressing {
            self.report.add_crushing(by);
        }
        self.report.outcome = Outcome::Crushed;
        self.state.velocity = DVec3::ZERO;
        self.state.inherited = DVec3::ZERO;
        let support = self.support_at(self.at, 1.0);
        self.ground = support.map(|support| support.ground);
        self.trace.event(&Event::Decided(Decision::IsCrushed));
    }

    /// Keeps the direction from what presses most by its motion.
    pub(super) fn note_squeeze(&mut self, pressing: impl Iterator<Item = SurfaceContact<Obstacle>>) {
        let press = |touch: &SurfaceContact<Obstacle>| touch.contact.normal.dot(touch.motion).abs();
        let most = pressing.reduce(|most, touch| if press(&touch) > press(&most) { touch } else { most });
        if let Some(touch) = most.filter(|touch| press(touch) > 0.0) {
            self.state.squeeze = touch.contact.normal.to_array().map(|x| (x * 32767.0) as i16);
        }
    }

    /// The same of what is overlapped somewhere.
    fn note_overlap(&mut self, at: DVec3, time: f64) {
        let world = self.world;
        let touches: ArrayVec<SurfaceContact<Obstacle>, 8> = self
            .look(at, time)
            .iter()
            .filter(|touch| is_overlap(touch, at))
            .take(8)
            .map(|touch| {
                let body = touch.key.body().and_then(|id| world.body(id));
                let motion =
                    body.map_or(DVec3::ZERO, |body| body.displacement(touch.contact.point, [0.0, 1.0]));
                SurfaceContact { motion, ..*touch }
            })
            .collect();
        self.note_squeeze(touches.into_iter());
    }

    /// What the body without its skin is in at the end is what crushes it.
    pub(super) fn tell_overlaps(&mut self) {
        let (at, deep) = (self.at, -0.5 * self.skin());
        let touched = self.look(at, 1.0);
        if touched
            .iter()
            .next()
            .is_none_or(|touch| touch.contact.gap >= deep.min(-blur(touch.contact.point, at)))
        {
            return;
        }
        let by: ArrayVec<Obstacle, { Slide::TOUCHES }> =
            touched.iter().filter(|touch| touch.contact.gap < deep).map(|touch| touch.key).collect();
        for by in by {
            self.report.add_crushing(by);
        }
        if self.state.squeeze == [0; 3] {
            self.note_overlap(at, 1.0);
        }
        if self.report.outcome != Outcome::Crushed {
            self.report.outcome = Outcome::Crushed;
            self.trace.event(&Event::Decided(Decision::IsCrushed));
        }
    }
}
