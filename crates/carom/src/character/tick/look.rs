//! The queries of a tick: sweeps, slides, contacts, and the ground at a place.
//!
//! The contacts of the last query are kept, because most places are queried more than once.

use glam::DVec3;

use super::{Seen, Tick};
use crate::character::character_obstacles::{CharacterObstacles, Known, SeparatingPlane};
use crate::character::report::Obstacle;
use crate::character::support::{Contacts, Support, is_overlap};
use crate::num::bound::{APPROACH, reach};
use crate::respond::{Climbing, Obstacles, Slide, SlideResult, SurfaceContact, SweepHit, WorldObstacles};
use crate::trace::{Event, Trace};
use crate::world::{Body, BodyId, Moment, SweepExtent};

impl<'a, T: Trace<Obstacle>> Tick<'a, T> {
    pub(super) fn slide(&self, translation: DVec3, climbing: Option<Climbing>, friction: f64) -> Slide {
        Slide {
            from: self.at,
            translation,
            contact_distance: self.ground_rules.contact_distance,
            friction,
            bounce_above: f64::INFINITY,
            climbing,
        }
    }

    /// The slide among bodies at their final poses: its translation. Along a wall that is the motion itself:
    /// the difference of two places would be off its direction by their rounding, and a longer path that way
    /// would lead into the wall.
    pub(super) fn slide_at_end(&mut self, from: DVec3, translation: DVec3) -> DVec3 {
        let climbing = Climbing { up: self.settings.up, least_upright: self.ground_rules.least_upright };
        let slide = Slide { from, ..self.slide(translation, Some(climbing), 0.0) };
        let mut slid = SlideResult::new();
        self.slide_in([1.0, 1.0], &slide, &mut slid);
        let gone = slid.position - from;
        let is_straight = reach(gone - slid.motion) <= APPROACH * (reach(from) + reach(translation));
        if is_straight { slid.motion } else { gone }
    }

    pub(super) fn slide_in(&mut self, span: [f64; 2], slide: &Slide, slid: &mut SlideResult<Obstacle>) {
        self.slide_by(span, self.extent, slide, slid);
    }

    /// The same, where moving bodies hit this much of the mover.
    pub(super) fn slide_by(
        &mut self,
        span: [f64; 2],
        extent: SweepExtent,
        slide: &Slide,
        slid: &mut SlideResult<Obstacle>,
    ) {
        // A slide often begins at the last tested place.
        let known = self
            .seen_at
            .filter(|seen| self.seen.is_whole() && span == [0.0, 1.0] && seen.carrier == self.carrier());
        let known = known.map(|Seen { at, time, .. }| Known {
            contacts: &*self.seen,
            at,
            time,
            distance: self.ground_rules.contact_distance,
        });
        let around = self.around(span).with_extent(extent);
        let passes_riders = self.is_stepping;
        let place = CharacterObstacles { around, sides: self.sides, span, known, passes_riders };
        slid.run(&place, slide, self.trace);
        self.report.sweeps += slid.sweeps;
        self.has_met |= self.near.has_moving_bodies() && slid.touches().any(|touch| self.moves(touch.key));
    }

    /// Whether it is a body that moves in this tick.
    pub(super) fn moves(&self, obstacle: Obstacle) -> bool {
        let body = obstacle.body().and_then(|id| self.world.body(id));
        body.is_some_and(Body::is_moving)
    }

    pub(super) fn sweep_at_end(&mut self, from: DVec3, translation: DVec3) -> Option<SweepHit<Obstacle>> {
        self.report.sweeps += 1;
        let hit = self.place([1.0, 1.0], |place| place.sweep(from, translation, [0.0, 1.0]));
        self.trace.event(&Event::Sweep { from, translation, hit });
        hit
    }

    /// The fraction of a path that is free at the end of the tick.
    pub(super) fn free_fraction(&mut self, from: DVec3, translation: DVec3) -> f64 {
        self.sweep_at_end(from, translation).map_or(1.0, |hit| hit.fraction)
    }

    /// The contacts at a place and a share of the tick. The last result is reused.
    pub(super) fn look(&mut self, at: DVec3, time: f64) -> &Contacts {
        let carrier = self.carrier();
        let is_known = self.seen_at.is_some_and(|seen| {
            seen.at == at && seen.carrier == carrier && (seen.time == time || self.is_still_at(at))
        });
        if !is_known {
            let span = [0.0, 1.0];
            let place = CharacterObstacles {
                around: self.around(span),
                sides: self.sides,
                span,
                known: None,
                passes_riders: false,
            };
            self.seen.look(&place, at, time, self.ground_rules.contact_distance);
            self.seen_at = Some(Seen { at, time, carrier });
        }
        self.seen
    }

    /// Whether the contacts at a place are the same during the whole tick.
    pub(super) fn is_still_at(&self, at: DVec3) -> bool {
        self.sides.is_empty() && self.nothing_moves_at(at)
    }

    /// Whether no moving body comes near a place during the whole tick.
    pub(super) fn nothing_moves_at(&self, at: DVec3) -> bool {
        self.near.is_still_at(self.world, self.mover(), at, self.ground_rules.contact_distance)
    }

    /// Whether it touches a moving body at a place and a share of the tick.
    pub(super) fn touches_moving(&mut self, at: DVec3, time: f64) -> bool {
        if self.nothing_moves_at(at) {
            return false;
        }
        self.look(at, time);
        self.seen.iter().any(|touch| self.moves(touch.key))
    }

    /// The same for an overlap.
    pub(super) fn is_in_moving(&mut self, at: DVec3, time: f64) -> bool {
        if self.nothing_moves_at(at) {
            return false;
        }
        self.look(at, time);
        self.seen.iter().any(|touch| is_overlap(touch, at) && self.moves(touch.key))
    }

    /// Whether no moving body comes to a character that stays at a place from a share of the tick to its end.
    pub(super) fn is_left_alone(&mut self, at: DVec3, time: f64) -> bool {
        if self.nothing_moves_at(at) {
            return true;
        }
        self.report.sweeps += 1;
        let hit = self.place([time, 1.0], |place| place.sweep(at, DVec3::ZERO, [0.0, 1.0]));
        self.trace.event(&Event::Sweep { from: at, translation: DVec3::ZERO, hit });
        hit.is_none() && !self.is_in_moving(at, 1.0)
    }

    /// The ground of a character at a place.
    pub(super) fn support_at(&mut self, at: DVec3, time: f64) -> Option<Support> {
        self.support_for(at, time, None)
    }

    /// The surface that a character at a place would stand on: one that holds it alone.
    pub(super) fn surface_at(&mut self, at: DVec3, time: f64) -> Option<Support> {
        let (around, ground_rules) = (self.around([0.0, 1.0]), self.ground_rules);
        ground_rules.best_support(&around, self.look(at, time), Moment { at, time }, |_| true)
    }

    /// Like [`support_at`](Self::support_at) for a character with a velocity: a surface that it rises from
    /// does not hold it. On a floor that is not quite flat it may rise from one tile while it lies on the
    /// next.
    pub(super) fn support_for(&mut self, at: DVec3, time: f64, velocity: Option<DVec3>) -> Option<Support> {
        let (around, ground_rules, dt) = (self.around([0.0, 1.0]), self.ground_rules, self.dt);
        let contacts = self.look(at, time);
        let holds = |touch: &SurfaceContact<Obstacle>| {
            let Some(velocity) = velocity else { return true };
            let motion = touch.surface_motion() / dt;
            touch.contact.normal.dot(velocity - motion) <= APPROACH * (reach(velocity) + reach(motion))
        };
        ground_rules
            .best_support(&around, contacts, Moment { at, time }, holds)
            .or_else(|| ground_rules.joint_support(&around, contacts, Moment { at, time }, holds))
    }

    pub(super) fn is_free_at(&mut self, at: DVec3, time: f64) -> bool {
        !self.look(at, time).iter().any(|touch| is_overlap(touch, at))
    }

    pub(super) fn record(&mut self, event: &Event<'_, Obstacle>) {
        self.trace.event(event);
    }

    /// The carrier of the character: contacts with it move along.
    pub(super) fn carrier(&self) -> Option<BodyId> {
        self.ground.and_then(|ground| ground.obstacle.body())
    }

    pub(super) fn around(&self, span: [f64; 2]) -> WorldObstacles<'a> {
        let around = self.around.during(span, self.dt * (span[1] - span[0]));
        around.carried_by(self.carrier()).with_extent(self.extent)
    }

    pub(super) fn sides(&self) -> &[SeparatingPlane] {
        self.sides
    }

    pub(super) fn place<R>(&self, span: [f64; 2], ask: impl FnOnce(&CharacterObstacles<'_>) -> R) -> R {
        let (around, passes_riders) = (self.around(span), self.is_stepping);
        ask(&CharacterObstacles { around, sides: self.sides(), span, known: None, passes_riders })
    }
}
