//! Overlaps with bodies: deep starts, bodies that move into the character, crushing, and getting free again.
//!
//! Source: `docs/movers.md`. A tick ends outside of everything, or reports what it overlaps. Cost: one
//! contact query at the end of each part of a tick among moving bodies; with overlaps, a few rounds of
//! planes; if those fail, a search. Gives up: without a free place the character stays, and reports so.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::{SIDES, Tick};
use crate::character::character_obstacles::CharacterObstacles;
use crate::character::report::{Obstacle, Outcome};
use crate::character::stack::Flags;
use crate::character::support::is_overlap;
use crate::num::bound::reach;
use crate::num::ops;
use crate::respond::{
    Blockers, Obstacles, Slide, SweepHit, Way, WorldObstacles, depenetrate, depenetrate_across, way_along,
};
use crate::shape::Mover;
use crate::sweep::Path;
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{BodyId, Moment, SweepExtent};

/// Walking speed, in m/s: by default it escapes from a crush at least this fast.
const WALK: f64 = 1.5;

/// It leaves an overlap of its skin by planes, if the distance is at most this many times the depth: for two
/// planes it is √2, for three √3.
const DIRECT: f64 = 2.0;

/// How many times as long as the shortest way out one by the nearer sides may be.
const DETOUR: f64 = 2.0;

/// Ways that differ by no more than this share count as equally long: the error of a search.
const SAME: f64 = 1e-6;

/// A search for a place looks no farther than this many times the size of the body. Out of a crush, a
/// character without a desired velocity slips out only where that is nearer than its smallest diameter; else
/// it stays where it fitted last.
const FAR: f64 = 8.0;

/// The most directions of a search: up, against gravity, normals and the 26 of a cube.
const DIRECTIONS: usize = 2 + NORMALS + 26;
const NORMALS: usize = 16;

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Moves out of overlaps at the start, or back to the last free place if there is no way out. False if it
    /// can only stay.
    pub(super) fn free(&mut self) -> bool {
        self.trace.event(&Event::Stage(Stage::Depenetrate));
        let from = self.at;
        let is_free = self.is_free_at(from, 0.0);
        if self.state.flags.has(Flags::CRUSHED) || self.state.squeeze().is_some() {
            self.most = self.escape_speed(from) * self.dt;
        }
        if self.state.squeeze().is_some() {
            if !self.behind(0.0).is_empty() {
                return false;
            }
            if !is_free && let Some(axis) = self.squeeze_axis(0.0) {
                return self.escape(axis);
            }
        }
        if is_free {
            self.state.set_squeeze(None);
            return true;
        }
        let depth = self.deepest(from, 0.0);
        let far = FAR * reach(self.mover().half_extents());
        let out = self.place([0.0, 0.0], |place| depenetrate(place, from));
        let way = out.position - from;
        let is_direct = depth <= self.skin() && reach(way) <= DIRECT * depth;
        if out.free && is_direct && self.is_open(from, way, 0.0) || !out.free && depth <= 0.5 * self.skin() {
            self.at = out.position;
            return true;
        }
        let planes = Some(way).filter(|way| out.free && self.is_open(from, *way, 0.0));
        if self.overlaps_characters(from) {
            // Beyond those that it has sides against there may be others.
            let knows_all = self.sides().len() < SIDES;
            let is_short =
                |way: &DVec3| knows_all && self.most == f64::INFINITY && reach(*way) <= DIRECT * depth;
            return match planes.filter(is_short) {
                Some(way) => {
                    self.at = from + way;
                    true
                }
                None => self.part_from_characters(),
            };
        }
        let searched = self.nearest_way(from, None, far, &[]);
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let shorter = |a: DVec3, b: DVec3| if length(b) < length(a) * (1.0 - SAME) { b } else { a };
        if let Some(way) = searched.into_iter().chain(planes).reduce(shorter) {
            self.at = from + way;
            return true;
        }
        // In a solid whose surface is a mesh there may be no room for it: then it leaves the solid.
        let filled = self.world.filled_around(from, 0.0, self.settings.collides_with);
        if !filled.is_empty()
            && let Some(way) = self.nearest_way(from, None, far, &filled)
        {
            self.at = from + way;
            return true;
        }
        for by in out.pressing() {
            self.report.add_crushing(by);
        }
        let safe = self.state.safe_place;
        if self.state.flags.has(Flags::SAFE_PLACE) && self.is_free_at(safe, 0.0) {
            self.at = safe;
            self.report.outcome = Outcome::Recovered;
            self.trace.event(&Event::Decided(Decision::Recovers));
            return true;
        }
        false
    }

    /// Moves out of the bodies that have crushed it, across the axis of the squeeze and no faster than the
    /// escape speed. False if it is not out.
    fn escape(&mut self, axis: DVec3) -> bool {
        let from = self.at;
        let near = match self.input.desired_velocity {
            Some(desired_velocity) if desired_velocity != DVec3::ZERO => {
                FAR * reach(self.mover().half_extents())
            }
            _ => 2.0 * self.mover().smallest_radius(),
        };
        let across = self
            .place([0.0, 0.0], |place| depenetrate_across(place, Moment { at: from, time: 0.0 }, Some(axis)));
        let way = Some(across.position - from)
            .filter(|way| across.free && reach(*way) <= near && self.is_open(from, *way, 0.0))
            .or_else(|| self.nearest_way(from, Some(axis), near, &[]));
        let Some(way) = way else { return false };
        let (length, most) = (ops::sqrt(way.length_squared()), self.most);
        if length <= most {
            self.at = from + way;
            self.rest = if length > 0.0 { 1.0 - length / most } else { 1.0 };
            self.escaped = length;
            self.state.set_squeeze(None);
            return true;
        }
        let step = way * (most / length);
        let hit = self.place([0.0, 0.0], |place| place.sweep(from, step, [0.0, 0.0]));
        self.at = from + step * hit.map_or(1.0, |hit| hit.fraction);
        false
    }

    /// Whether it has got farther out of a crush than the escape, its own motion in the rest of the tick, its
    /// carrier and a push of at most `pressed` allow: squeezed out between two bodies that come together, it
    /// would leap.
    pub(super) fn leaps(&self, own: DVec3, pressed: f64) -> bool {
        if self.most == f64::INFINITY {
            return false;
        }
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let way = self.at - self.state.previous - self.carried * self.dt;
        length(way) > self.most.max(self.escaped + length(own)) + pressed + self.skin()
    }

    /// Stays crushed where the tick began, because it would be pressed out in a leap.
    pub(super) fn stay_crushed(&mut self) {
        let from = self.state.previous;
        self.at = from;
        self.note_overlap(from, 1.0);
        let pressing = self.overlapped(from, 1.0);
        self.crush(pressing.into_iter(), 0.0);
    }

    pub(super) fn escape_speed(&mut self, at: DVec3) -> f64 {
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

    /// Whether the center moves along a path without entering anything: it leaves each overlapped part by the
    /// nearer side.
    fn is_open(&self, from: DVec3, way: DVec3, time: f64) -> bool {
        self.center_stops(from, way, time).is_none()
    }

    /// The share of a path at which the center enters something.
    fn center_stops(&self, from: DVec3, way: DVec3, time: f64) -> Option<f64> {
        let center = WorldObstacles::new(self.world, Mover::Point, self.settings.collides_with)
            .during([time, time], 0.0);
        center.sweep(from, way, [0.0, 0.0]).map(|hit| hit.fraction)
    }

    /// The share of a path at which the center enters a solid that it does not start in, or passes through a
    /// surface of another body than these.
    fn center_enters(&self, from: DVec3, way: DVec3, leaves: &[BodyId]) -> Option<f64> {
        let path = Path::new(from, way);
        path.map_or(Some(0.0), |path| self.world.leads_into(&path, 0.0, self.settings.collides_with, leaves))
    }

    /// The shortest way to a place where it fits, along its contact normals and directions all around, on
    /// which its center leaves everything by the nearer side; or one by other sides, if that is less than
    /// half as long. Across an axis, if there is one. Surfaces of bodies to leave do not count as sides.
    fn nearest_way(
        &mut self,
        from: DVec3,
        axis: Option<DVec3>,
        mut most: f64,
        leaves: &[BodyId],
    ) -> Option<DVec3> {
        let mut directions = ArrayVec::<DVec3, DIRECTIONS>::new();
        let up = self.ground_rules.up;
        let down = self.settings.gravity.normalize_or_zero();
        let mut offer = |direction: DVec3| {
            let direction = direction - axis.map_or(DVec3::ZERO, |axis| axis * axis.dot(direction));
            // A direction that is almost along the axis leads nowhere.
            if direction.length_squared() > 1e-4 && !directions.is_full() {
                directions.push(direction.normalize_or_zero());
            }
        };
        // Of equal ways the first counts: against gravity, and upwards.
        offer(-down);
        offer(up);
        let touched = self.look(from, 0.0);
        touched
            .iter()
            .filter(|touch| is_overlap(touch, from))
            .take(NORMALS)
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
        let size = |v: DVec3| ops::sqrt(v.length_squared());
        let (mut open, mut any): (Option<DVec3>, Option<DVec3>) = (None, None);
        let mut least = most;
        let mut blockers = self.place([0.0, 0.0], |place| Blockers::of(place, from));
        let mut refused = ArrayVec::<DVec3, DIRECTIONS>::new();
        for direction in directions {
            // The same again, where a way has to be no longer: normals of coplanar faces.
            if refused.contains(&direction) {
                continue;
            }
            // A way with its end behind a surface is neither open nor one by other sides.
            let useless = |far: f64| {
                let way = direction * far;
                let enters =
                    || if axis.is_some() { Some(0.0) } else { self.center_enters(from, way, leaves) };
                let stops = self.center_stops(from, way, 0.0).and_then(|stops| Some(enters()?.max(stops)));
                stops.map_or(f64::INFINITY, |stops| stops * far * (1.0 + SAME))
            };
            let way = Way { from, direction, most, stride };
            let found = self.place([0.0, 0.0], |place| way_along(place, way, &mut blockers, useless));
            let Some(length) = found else {
                refused.push(direction);
                continue;
            };
            let way = direction * length;
            if (open.is_none() || length < most * (1.0 - SAME)) && self.is_open(from, way, 0.0) {
                // Of two sides that are equally near the first counts.
                let is_tie = |any: &DVec3| (size(*any) - length).abs() <= SAME * length;
                open = any.filter(is_tie).or(Some(way));
                most = length;
            } else if axis.is_none()
                && (any.is_none() || length < least * (1.0 - SAME))
                && self.center_enters(from, way, leaves).is_none()
            {
                any = Some(way);
            } else {
                refused.push(direction);
                continue;
            }
            least = least.min(length);
            // Inside several bodies at once the sides may contradict each other: then the shortest way
            // counts.
            most = most.min(DETOUR * least);
        }
        open.filter(|way| any.is_none_or(|any| size(*way) <= DETOUR * size(any))).or(any)
    }

    /// Lets the bodies around move on in a part of the tick in which no slide made progress: it moves with
    /// its carrier, or stays. If a body hits its middle, it is crushed, and the result is false.
    pub(super) fn wait(&mut self, fitted: DVec3, span: [f64; 2]) -> bool {
        let from = self.at;
        let carried = self.carried_in(span, self.dt * (span[1] - span[0]));
        let mut hit = None;
        for way in [carried, DVec3::ZERO] {
            self.report.sweeps += 1;
            let place = CharacterObstacles {
                around: self.around(span).with_extent(SweepExtent::Core),
                sides: self.sides(),
                span,
                known: None,
                passes_riders: false,
            };
            hit = place.sweep(from, way, [0.0, 1.0]);
            self.trace.event(&Event::Sweep { from, translation: way, hit });
            // A character beside another is not crushed by it.
            let is_free = hit.is_none_or(|hit: SweepHit<_>| hit.key.body().is_none() && way == DVec3::ZERO);
            if is_free {
                self.at = from + way;
                return true;
            }
        }
        self.at = fitted;
        self.note_overlap(from, span[0]);
        self.crush(hit.map(|hit| hit.key).into_iter(), span[0]);
        false
    }

    /// Moves out of overlaps that moving bodies, mainly turning ones, have made by a share of the tick: the
    /// difference of their motion from the straight one that is swept. If that fails, it returns to where it
    /// last fitted, crushed, and the result is false.
    pub(super) fn settle(&mut self, fitted: DVec3, time: f64) -> bool {
        let at = self.at;
        let Err(pressing) = self.get_out(time) else { return true };
        let pressing: ArrayVec<Obstacle, { Slide::TOUCHES }> =
            pressing.into_iter().flatten().chain(self.overlapped(at, time)).take(Slide::TOUCHES).collect();
        self.note_overlap(at, time);
        self.at = fitted;
        self.crush(pressing.into_iter(), time);
        false
    }

    /// Moves out of its overlaps at a share of the tick by the least motion; or returns the obstacles that
    /// leave no way out.
    pub(super) fn get_out(&mut self, time: f64) -> Result<(), [Option<Obstacle>; 4]> {
        let at = self.at;
        if self.is_free_at(at, time) {
            return Ok(());
        }
        let depth = self.deepest(at, time);
        let out = self.place([time, time], |place| depenetrate(place, at));
        let way = out.position - at;
        // An overlap within the skin is allowed: the next tick removes it.
        if out.depth <= 0.5 * self.skin() && reach(way) <= 4.0 * depth && self.is_open(at, way, time) {
            self.at = out.position;
            return Ok(());
        }
        let mut pressing = [None; 4];
        pressing.iter_mut().zip(out.pressing()).for_each(|(place, by)| *place = Some(by));
        Err(pressing)
    }

    /// The overlaps at a place and a share of the tick.
    pub(super) fn overlapped(&mut self, at: DVec3, time: f64) -> ArrayVec<Obstacle, { Slide::TOUCHES }> {
        self.look(at, time).iter().filter(|touch| is_overlap(touch, at)).map(|touch| touch.key).collect()
    }

    /// The depth of its deepest overlap, in meters.
    fn deepest(&mut self, at: DVec3, time: f64) -> f64 {
        self.look(at, time).iter().fold(0.0, |most, touch| most.max(-touch.contact.gap))
    }
}
