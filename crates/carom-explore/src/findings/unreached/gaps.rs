//! Floor across a gap: as high as reached floor, and in sight of it.

use glam::DVec3;

use crate::findings::unreached::judge::{Judge, axes};

/// A gap is no wider than this, in meters, or if it is over nothing, than this many times a leap.
const GAP: f64 = 4.0;
const LEAPS: f64 = 2.0;
/// Along a gap over floor, and along one over nothing, at least this much faces, in meters.
const FACING: f64 = 3.0;
const FACING_OVER_NOTHING: f64 = 1.0;

impl Judge<'_, '_> {
    /// Level with reached floor, in sight, with nothing but a gap between.
    pub(super) fn is_beyond_a_gap(&self, part: &[u32]) -> bool {
        if self.level(part).is_none() {
            return false;
        }
        let (cell, rules) = (self.floor.cell(), self.evidence.walker.rules);
        // Over a floor, something this far away may be the roof of another house.
        let over_floor = (GAP / cell).ceil() as i32;
        let reach = (GAP.max(LEAPS * rules.leap()) / cell).ceil() as i32;
        let (mut facing, mut over_nothing) = (0, 0);
        for at in part.iter().filter(|at| self.floor.sides(**at) < 4) {
            let from = self.above(*at, 0.5);
            // Of each gap, whether it is over nothing.
            let gaps = axes().into_iter().filter_map(|[x, z]| {
                let reached = (1..=reach).find(|k| {
                    self.floor
                        .at(*at, [x * k, z * k], rules.settings.step_height)
                        .is_some_and(|other| self.floor.samples.is_reached(other))
                });
                reached.and_then(|k| {
                    let translation = DVec3::new(f64::from(x), 0.0, f64::from(z)) * cell * f64::from(k);
                    let between = || (1..k).map(|i| from + translation * (f64::from(i) / f64::from(k)));
                    // Both ways: a solid is seen through from within.
                    let is_gap = k > 1
                        && self.ray(from, translation).is_none()
                        && self.ray(from + translation, -translation).is_none()
                        && between().any(|point| self.is_over_a_gap(*at, point));
                    let is_over_nothing = |point| self.evidence.walker.level.is_over_nothing(point);
                    is_gap
                        .then(|| between().any(is_over_nothing))
                        .filter(|nothing| *nothing || k <= over_floor)
                })
            });
            let gaps: Vec<bool> = gaps.collect();
            facing += u32::from(!gaps.is_empty());
            over_nothing += u32::from(gaps.contains(&true));
        }
        f64::from(facing) * cell >= FACING || f64::from(over_nothing) * cell >= FACING_OVER_NOTHING
    }

    /// Whether a point beside a sample is over something lower than a step below that, or over nothing: where
    /// the ground continues as high, there is no gap, and something else keeps bodies out.
    fn is_over_a_gap(&self, at: u32, point: DVec3) -> bool {
        let depth = point.y - self.height(at) + self.evidence.walker.rules.settings.step_height;
        self.ray(point, DVec3::NEG_Y * depth).is_none()
    }
}
