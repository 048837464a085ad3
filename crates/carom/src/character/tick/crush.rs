//! Crushing: where the character stays, what it moves with, what it reports, and what it remembers.
//!
//! Source: `docs/movers.md`. It stays where it last fitted, seen from its carrier, unless the carrier presses
//! it. A mesh is a surface and may pass over it: while it is inside a mesh that it was not in before, it is
//! crushed. Cost: nothing until it is crushed; then a contact query, and six casts for each mesh whose bounds
//! contain its center.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use crate::character::report::{Obstacle, Outcome, Report};
use crate::character::squeeze::Squeeze;
use crate::character::stack::Flags;
use crate::character::support::{blur, is_overlap};
use crate::respond::{Obstacles, Slide, SurfaceContact, WorldObstacles};
use crate::shape::Mover;
use crate::trace::{Decision, Event, Trace};
use crate::world::{BodyId, Part};

/// A contact faces along the axis of a squeeze, or against it, from this cosine on.
const FACING: f64 = 0.5;

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Crushed, or in an overlap without a way out: it stays, and reports the obstacles.
    pub(super) fn stay(&mut self) {
        let at = self.at;
        let axis = self.squeeze_axis(0.0).unwrap_or(DVec3::ZERO);
        // Contacts that it overlaps, and those behind it.
        let presses = |touch: &&SurfaceContact<Obstacle>| {
            is_overlap(touch, at) || touch.contact.normal.dot(axis) < -FACING
        };
        let behind = self.behind(0.0);
        let by: ArrayVec<Obstacle, { Slide::TOUCHES }> =
            self.look(at, 0.0).iter().filter(presses).map(|touch| touch.key).collect();
        // Its former ground carries it, not a body that has passed over it since.
        let ground = self.ground;
        self.crush(by.into_iter().chain(behind), 0.0);
        self.ground = ground;
        self.report_overlaps();
    }

    /// Pressed from all sides from a share of the tick on: it stays, and reports the obstacles.
    pub(super) fn crush(&mut self, pressing: impl Iterator<Item = Obstacle>, time: f64) {
        for by in pressing {
            self.report.add_crushing(by);
        }
        self.ride(time);
        self.report.outcome = Outcome::Crushed;
        self.state.velocity = DVec3::ZERO;
        self.state.inherited = DVec3::ZERO;
        let support = self.support_at(self.at, 1.0);
        self.ground = support.map(|support| support.ground);
        self.trace.event(&Event::Decided(Decision::IsCrushed));
    }

    /// Moves with its carrier from a share of the tick on, if everything else that presses it moves more with
    /// the carrier than it stays at rest, and nothing new is in the way. So a character crushed in a train
    /// stays in the train, and one crushed between a lift and a ceiling stays below the ceiling.
    fn ride(&mut self, time: f64) {
        let Some(body) = self.ground_body().filter(|body| body.is_moving()) else { return };
        let (from, carrier) = (self.at, self.carrier());
        let way = body.displacement(from, [time, 1.0]);
        let to = from + way;
        let known: ArrayVec<Obstacle, { Slide::TOUCHES }> = self.overlapped(from, time);
        let (world, report) = (self.world, &*self.report);
        let pressing: ArrayVec<BodyId, { Slide::TOUCHES + Report::CRUSHED_BY }> = known
            .iter()
            .copied()
            .chain(report.crushed_by().map(|by| by.obstacle))
            .filter_map(Obstacle::body)
            .filter(|id| Some(*id) != carrier)
            .collect();
        let goes_along = |id: &BodyId| {
            let body = world.body(*id).filter(|body| body.is_moving());
            let goes = body.map_or(DVec3::ZERO, |body| body.displacement(from, [time, 1.0]));
            goes.dot(way) > 0.5 * way.length_squared()
        };
        if way == DVec3::ZERO || !pressing.iter().all(goes_along) {
            return;
        }
        let presses = |id: Option<BodyId>| id == carrier || id.is_some_and(|id| pressing.contains(&id));
        let is_new = self.overlapped(to, 1.0).iter().any(|by| !presses(by.body()));
        let center = WorldObstacles::new(self.world, Mover::Point, self.settings.collides_with)
            .during([time, 1.0], 0.0)
            .carried_by(carrier);
        let hit = center.sweep(from, way, [0.0, 1.0]);
        if !is_new && hit.is_none_or(|hit| presses(Some(hit.key.body))) {
            self.at = to;
        }
    }

    /// Stores the direction from the obstacle that presses most by its motion.
    pub(super) fn note_squeeze(
        &mut self,
        pressing: impl Iterator<Item = SurfaceContact<Obstacle>>,
        time: f64,
    ) {
        let press = |touch: &SurfaceContact<Obstacle>| touch.contact.normal.dot(touch.motion).abs();
        let most = pressing.reduce(|most, touch| if press(&touch) > press(&most) { touch } else { most });
        let most = most.filter(|touch| press(touch) > 0.0);
        let Some((touch, by)) = most.and_then(|touch| Some((touch, touch.key.body()?))) else { return };
        if let Some(body) = self.world.body(by) {
            if self.state.squeeze().is_none() {
                let was_enclosed = !self.enclosing(self.state.previous, 0.0).is_empty();
                self.state.flags.set(Flags::WAS_ENCLOSED, was_enclosed);
            }
            let axis = body.pose_at(time).rotation().conjugate() * touch.contact.normal;
            self.state.set_squeeze(Some(Squeeze::along(axis, by)));
        }
    }

    /// The direction from the obstacle that presses it, which turns with it; `None` if the obstacle is gone.
    pub(super) fn squeeze_axis(&self, time: f64) -> Option<DVec3> {
        let squeeze = self.state.squeeze()?;
        Some(self.world.body(squeeze.by)?.pose_at(time).rotation() * squeeze.axis())
    }

    /// Obstacles that have passed over its center since it was crushed: it is on their far side, or in their
    /// hollow.
    pub(super) fn behind(&mut self, time: f64) -> Vec<Obstacle> {
        let Some(squeeze) = self.state.squeeze() else { return Vec::new() };
        let at = self.at;
        let mut passed =
            if self.state.flags.has(Flags::WAS_ENCLOSED) { Vec::new() } else { self.enclosing(at, time) };
        if let Some(axis) = self.squeeze_axis(time) {
            let touched = self.look(at, time).iter();
            let pressing =
                touched.filter(|touch| touch.key.body() == Some(squeeze.by) && is_overlap(touch, at));
            let (mut before, mut behind) = (false, None);
            for touch in pressing {
                let facing = touch.contact.normal.dot(axis);
                before |= facing > FACING;
                behind = behind.or(Some(touch.key).filter(|_| facing < -FACING));
            }
            passed.extend(behind.filter(|_| !before));
        }
        passed
    }

    /// The bodies and characters that it overlaps at the end, however many parts of each.
    fn all_overlapped(&self, at: DVec3, is_in: impl Fn(&SurfaceContact<Obstacle>) -> bool) -> Vec<Obstacle> {
        let mut found = Vec::new();
        self.place([0.0, 1.0], |place| {
            place.contacts(at, 1.0, 0.0, &mut |touch| {
                if is_in(&touch) {
                    found.push(touch.key);
                }
            });
        });
        found.sort_unstable();
        found.dedup_by_key(|by| by.body().ok_or(*by));
        found
    }

    fn enclosing(&self, at: DVec3, time: f64) -> Vec<Obstacle> {
        let found = self.world.enclosing(at, time, self.settings.collides_with);
        found.into_iter().map(|body| Obstacle::Body(Part { body, part: 0 })).collect()
    }

    /// The same for the obstacles that are overlapped at a place.
    pub(super) fn note_overlap(&mut self, at: DVec3, time: f64) {
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
        self.note_squeeze(touches.into_iter(), time);
    }

    /// It is crushed by everything that the body without its skin overlaps at the end.
    pub(super) fn report_overlaps(&mut self) {
        let (at, deep) = (self.at, -0.5 * self.skin());
        let behind = self.behind(1.0);
        let touched = self.look(at, 1.0);
        let is_in =
            |touch: &SurfaceContact<Obstacle>| touch.contact.gap < deep.min(-blur(touch.contact.point, at));
        if behind.is_empty() && !touched.iter().next().is_some_and(is_in) {
            return;
        }
        let by: ArrayVec<Obstacle, { Slide::TOUCHES }> =
            touched.iter().filter(|touch| is_in(touch)).map(|touch| touch.key).collect();
        // Many parts of one body may have left no room for another.
        let rest = if touched.is_whole() { Vec::new() } else { self.all_overlapped(at, is_in) };
        self.report.add_crushing_first(by.into_iter().chain(rest).chain(behind));
        if self.state.squeeze().is_none() {
            self.note_overlap(at, 1.0);
        }
        if self.report.outcome != Outcome::Crushed {
            self.report.outcome = Outcome::Crushed;
            self.trace.event(&Event::Decided(Decision::IsCrushed));
        }
    }
}
