//! Floor as wide as the body, and what is narrower: the tops of walls, railings and posts.

use carom::num::ops;
use glam::DVec3;

use crate::floor::{Floor, WIDE};
use crate::level::Level;
use crate::rules::Rules;

/// A spot that is as wide as the body is looked for this far from a sample, in radii, along both axes.
const SHIFTS: [f64; 5] = [0.0, -0.5, 0.5, -1.0, 1.0];

/// A point of the ground and how it falls there, for each meter along x and z.
#[derive(Clone, Copy)]
struct Ground {
    at: DVec3,
    grade: [f64; 2],
}

impl Floor {
    /// Whether the floor of a sample is as wide as the body somewhere near, all of it on one slope but for a
    /// step. The top of a railing is not, however close the floor below it is.
    pub(crate) fn is_broad(&self, level: &Level, rules: &Rules, sample: u32) -> bool {
        let step = rules.same_height();
        // The ground at a point beside another, if it continues there.
        let beside = |from: Ground, offset: DVec3| {
            let [x, z] = from.grade;
            let above = from.at + offset + DVec3::Y * (step - x * offset.x - z * offset.z);
            let met = level.ray(above, DVec3::NEG_Y * (2.0 * step))?;
            let normal = met.hit.normal;
            let at = above - DVec3::Y * (2.0 * step * met.hit.fraction);
            Some(Ground { at, grade: [normal.x / normal.y, normal.z / normal.y] })
                .filter(|_| normal.y >= ops::cos(rules.settings.max_slope) - 1e-6)
        };
        let here = Ground { at: self.point(&self.samples.get(sample)), grade: [0.0; 2] };
        let Some(here) = beside(here, DVec3::ZERO) else { return false };
        let [x, z] = [rules.radii.x, rules.radii.z];
        let is_wide = |middle: Ground| {
            (0..8).all(|i| {
                let (sin, cos) = ops::sin_cos(core::f64::consts::FRAC_PI_4 * f64::from(i));
                beside(middle, DVec3::new(x * cos, 0.0, z * sin) * WIDE).is_some()
            })
        };
        let mut middles = SHIFTS.iter().flat_map(|i| SHIFTS.map(|k| DVec3::new(x * i, 0.0, z * k)));
        middles.any(|offset| beside(here, offset).is_some_and(is_wide))
    }
}
