//! Queries about a body that a walk left where it was: whether a jump clears the obstacle, whether a player
//! would notice, whether the floor continues beyond.

use carom::Cast;
use carom::character::Input;
use carom::num::ops;
use glam::DVec3;

use crate::flood::places::Hold;
use crate::walk::Walker;
use crate::walk::action::DIRECTIONS;
use crate::walk::state::WalkState;
use crate::walk::trip::{End, Trip};

/// A walk that hangs is tried again from this far back, in meters,
const BACK: f64 = 0.2;
/// and from this far beside that.
const BESIDE: [f64; 5] = [0.0, 0.05, -0.05, 0.1, -0.1];

/// A contact this far above a step, in meters, is not part of the step,
const HIGH: f64 = 0.01;
/// and stops a walk if its normal points against that by this much.
const AGAINST: f64 = 0.01;

impl Walker<'_> {
    /// Whether a body that is stopped gets on by holding its desired velocity, or by turning a little, from
    /// where it began, from where it hangs, or from a little back and beside that, where there is room: then
    /// no player notices.
    pub(crate) fn is_freed(&self, state: &mut WalkState, [began, hangs]: [DVec3; 2], direction: u16) -> bool {
        let heading = self.headings[usize::from(direction % DIRECTIONS)];
        let side = DVec3::new(-heading.z, 0.0, heading.x);
        let is_free = |from: DVec3, translation: DVec3| {
            let cast = Cast::new(self.grown, from, translation).ok();
            cast.is_some_and(|cast| self.level.meet(&cast).is_none())
        };
        let mut starts = vec![began, hangs];
        let back = heading * -BACK;
        if is_free(hangs, back) {
            let beside = BESIDE.into_iter().map(|by| side * by);
            starts.extend(
                beside
                    .filter(|translation| is_free(hangs + back, *translation))
                    .map(|translation| hangs + back + translation),
            );
        }
        let turns = [0.0, 2.5, -2.5, 5.0, -5.0, 7.5, -7.5, 10.0, -10.0];
        turns.into_iter().any(|degrees| {
            // Straight on it is waited for; a second spent along the obstacle is felt.
            let seconds = if degrees == 0.0 { 2.0 } else { 1.0 };
            let ticks = (seconds / self.rules.dt).ceil().clamp(1.0, 4000.0) as u32;
            let (sin, cos) = ops::sin_cos(f64::to_radians(degrees));
            let turned =
                DVec3::new(heading.x * cos - heading.z * sin, 0.0, heading.x * sin + heading.z * cos);
            starts.iter().any(|start| {
                self.put(state, *start);
                let mut far = 0.0f64;
                for _ in 0..ticks {
                    let report = self.tick(state, Input::walk(turned * self.rules.speed), &mut |_| ());
                    far = far.max((report.position - hangs).dot(heading));
                }
                far > self.cell
            })
        })
    }

    /// Whether the way of a jump is not closed by something higher than it leads: up first, then on by a
    /// cell.
    pub(crate) fn may_jump_over(&self, at: DVec3, direction: u16) -> bool {
        let rise = DVec3::Y * self.rules.jump_reach();
        let cast = |from: DVec3, translation: DVec3| {
            Cast::new(self.grown, from, translation)
                .ok()
                .and_then(|cast| self.level.meet(&cast))
                .map(|met| met.hit)
        };
        let up = cast(at, rise).map_or(1.0, |hit| hit.fraction);
        let raised = at + rise * up;
        // The least that is worth a jump: in sight above the edge.
        let on = self.headings[usize::from(direction)] * (0.5 * self.cell);
        cast(raised, on).is_none_or(|hit| hit.fraction > 0.25)
    }

    /// Whether a walk in the air came down again less than a cell ahead, and no farther from the height where
    /// it began than a step.
    pub(crate) fn gets_nowhere(&self, from: DVec3, trip: &Trip, direction: u16) -> bool {
        let translation = trip.position - from;
        matches!(trip.end, End::At(Hold::Ground | Hold::Edge))
            && trip.ticks >= self.patience
            && translation.dot(self.headings[usize::from(direction)]) < self.cell
            && translation.y.abs() <= self.rules.settings.step_height
    }

    /// How far a body that is raised by a step goes on to pass anything that low.
    pub(crate) fn over_step(&self) -> f64 {
        2.0 * (self.cell + self.rules.settings.step_height)
    }

    /// Whether a body that is stopped at a place would pass if it were raised by a step, and the floor goes
    /// on beyond: raised so the path is free, for as far as anything that low is deep, and there it stands
    /// again on one surface that is flat enough, not wedged between several. And what stops it is that low.
    pub(crate) fn is_snag(&self, state: &mut WalkState, at: DVec3, direction: u16) -> bool {
        let step = self.rules.settings.step_height;
        // A moving body may get out of the way: that is not tested here.
        if step == 0.0 || self.level.movers().is_near(at, self.reach) {
            return false;
        }
        let heading = self.headings[usize::from(direction)];
        let cast = |from: DVec3, translation: DVec3| {
            Cast::new(self.grown, from, translation)
                .ok()
                .and_then(|cast| self.level.meet(&cast))
                .map(|met| met.hit)
        };
        let rise = DVec3::Y * step;
        let on = heading * self.over_step();
        if cast(at, rise).is_some() || cast(at + rise, on).is_some() {
            return false;
        }
        let above = at + rise + on;
        let Some(down) = cast(above, -2.0 * rise) else { return false };
        if down.normal.y < ops::cos(self.rules.settings.max_slope) {
            return false;
        }
        let there = above - 2.0 * rise * down.fraction;
        self.put(state, there);
        let report = self.tick(state, Input::walk(DVec3::ZERO), &mut |_| ());
        if report.ground.is_none() || (report.position - there).length() >= self.cell {
            return false;
        }
        // A short slow-down is no snag, and neither is what stops the body higher than a step: a gap narrower
        // than it. Asked last, as it costs most.
        let ticks = (0.5 / self.rules.dt).ceil().clamp(1.0, 1000.0) as u32;
        self.put(state, at);
        let mut is_high = false;
        for _ in 0..ticks {
            let report = self.tick(state, Input::walk(heading * self.rules.speed), &mut |_| ());
            let top = report.position.y - self.rules.radii.y + step + HIGH;
            is_high = report.touched().any(|met| met.point.y > top && met.normal.dot(heading) < -AGAINST);
        }
        !is_high && (state.hero.position() - at).dot(heading) <= self.cell
    }
}
