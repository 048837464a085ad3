//! Stairs and ramps that unreached floor has of its own: narrow strips that lead down from level floor and
//! end in the air, or with treads down to other level floor. Tops of walls and roofs have smooth slopes
//! between level parts, but no treads.
//!
//! Around each sample the floor is fitted with a plane, by least squares. Neighbors that fall alike are one
//! slope, however it turns: a spiral stair is as long as its height by its grade, and as wide as its area by
//! its length. The faces of roofs and hills are as wide as they are long, or floor continues along them.

use std::collections::BTreeSet;

use carom::num::ops;
use rayon::prelude::*;

use crate::findings::unreached::judge::{Judge, STOREY, few};

/// A plane is fitted to the floor this far around, in meters.
const WINDOW: f64 = 1.0;
/// A ramp falls at least this much for each meter: one for wheelchairs falls more.
const GENTLE: f64 = 0.05;
/// The floor of a slope is no farther from the plane than this, in meters, as a root of the mean square,
const ROUGH: f64 = 0.16;
/// and more than half of one with treads is at least this far from it.
const TREADS: f64 = 0.025;
/// Neighbors on one slope fall in directions with at least this cosine between them.
const ALIKE: f64 = 0.5;
/// The least height or length and the largest width of a stair or a ramp, in meters.
const HIGH: f64 = 0.6;
const LONG: f64 = 2.5;
const WIDE: f64 = 4.0;
/// Its ends are at most this share of its height away from its top and its bottom.
const END: f64 = 0.3;
/// At least this share of it is in the middle half of its height: a single step has nothing there.
const MIDDLE: f64 = 0.2;
/// Floor continues along at most this share of its two sides.
const OPEN: f64 = 0.2;
/// The level floor at its end has at least this area, in m².
const LANDING: f64 = 4.0;
/// Reached floor is no farther from it than this, in meters, seen from above.
const NEAR: f64 = 6.0;
/// The heights of a roof over a ramp or a stair that was reached differ from it by less than this share of
/// its own.
const PARALLEL: f64 = 0.5;

/// How floor falls.
#[derive(Clone, Copy)]
struct Fall {
    /// For each meter along x and z, in meters.
    way: [f64; 2],
    /// How far it is from a plane, in meters, as a root of the mean square.
    rough: f64,
}

impl Judge<'_, '_> {
    /// Whether stairs or a ramp lead down from level floor of this part, near reached floor. The country
    /// around or beside a fenced level, which is larger than that, may have any: but a body that is put there
    /// does not fall into the level.
    pub(super) fn has_stairs(&self, part: &[u32]) -> bool {
        if self.is_rim(part) {
            return false;
        }
        let falls: Vec<Option<Fall>> = part
            .par_iter()
            .map(|at| if self.evidence.stop.is_set() { None } else { self.fall(*at) })
            .collect();
        let fall = |at: u32| part.binary_search(&at).ok().map(|i| falls[i]);
        let is_level = |at: u32| fall(at).is_some_and(|fall| fall.is_none());
        let mut seen = BTreeSet::new();
        for first in part.iter().copied().filter(|at| !is_level(*at)) {
            if self.evidence.stop.is_set() {
                return false;
            }
            if !seen.insert(first) {
                continue;
            }
            let mut slope = vec![first];
            let mut next = 0;
            while let Some(at) = slope.get(next).copied() {
                next += 1;
                let Some(Some(Fall { way: [x, z], .. })) = fall(at) else { continue };
                self.floor.around(at, |other| {
                    let Some(Some(Fall { way: [i, j], .. })) = fall(other) else { return };
                    let lengths = ops::sqrt((x * x + z * z) * (i * i + j * j));
                    if x * i + z * j >= ALIKE * lengths && seen.insert(other) {
                        slope.push(other);
                    }
                });
            }
            slope.sort_unstable();
            if self.is_stair(&slope, &fall) {
                return self.drops(part) || part.len() <= self.reached.len() && !self.is_all_around(part);
            }
        }
        false
    }

    /// Whether this slope is a stair or a ramp by its size, its sides and its ends.
    fn is_stair(&self, slope: &[u32], fall: &impl Fn(u32) -> Option<Option<Fall>>) -> bool {
        let (cell, step) = (self.floor.cell(), self.evidence.walker.rules.settings.step_height);
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) =
            slope.iter().map(|at| self.height(*at)).fold(none, |(low, high), y| (low.min(y), high.max(y)));
        let falls = || slope.iter().filter_map(|at| fall(*at).flatten());
        let grades = falls().map(|Fall { way: [x, z], .. }| ops::sqrt(x * x + z * z));
        let grade = grades.sum::<f64>() / slope.len() as f64;
        // Where a smooth slope begins and ends, it is bent.
        let has_treads = 2 * falls().filter(|fall| fall.rough >= TREADS).count() > slope.len();
        let rise = high - low;
        let length = rise / grade;
        let width = self.floor.area(slope.len()) / length;
        if rise < HIGH && length < LONG || width > WIDE.min(2.0 * length) {
            return false;
        }
        let shares = || slope.iter().map(|at| (self.height(*at) - low) / rise);
        let middle = shares().filter(|share| (0.25..=0.75).contains(share)).count();
        if (middle as f64) < MIDDLE * slope.len() as f64 {
            return false;
        }
        let (mut above, mut below, mut beside) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (at, share) in slope.iter().zip(shares()) {
            self.floor.around(*at, |other| {
                let is_flush = (self.height(other) - self.height(*at)).abs() <= step;
                if is_flush && fall(other).is_some() && slope.binary_search(&other).is_err() {
                    let side = match share {
                        share if share > 1.0 - END => &mut above,
                        share if share < END => &mut below,
                        _ => &mut beside,
                    };
                    side.insert(other);
                }
            });
        }
        beside.len() as f64 * cell <= OPEN * 2.0 * length
            && self.is_landing(&above, slope, fall)
            && (has_treads || !self.is_landing(&below, slope, fall) && !self.is_over_a_slope(slope, rise))
            && self.is_near_reached(slope)
    }

    /// Whether level floor that is as wide as it is deep begins at one of these samples, off the slope.
    fn is_landing(
        &self,
        starts: &BTreeSet<u32>,
        slope: &[u32],
        fall: &impl Fn(u32) -> Option<Option<Fall>>,
    ) -> bool {
        let least = (LANDING / self.floor.area(1)).ceil() as usize;
        let step = self.evidence.walker.rules.settings.step_height;
        let mut seen: BTreeSet<u32> = starts.clone();
        let mut list: Vec<u32> = starts.iter().copied().collect();
        let (mut level, mut has_middle) = (0, false);
        let mut next = 0;
        while let Some(at) = list.get(next).copied() {
            next += 1;
            level += 1;
            let mut beside = 0;
            self.floor.near(at, 1, |other| {
                beside += usize::from((self.height(other) - self.height(at)).abs() <= self.floor.rise);
            });
            has_middle |= beside >= 8;
            if level >= least && has_middle {
                return true;
            }
            self.floor.around(at, |other| {
                let is_flush = (self.height(other) - self.height(at)).abs() <= step;
                let is_level = fall(other).is_some_and(|fall| fall.is_none());
                if is_flush && is_level && slope.binary_search(&other).is_err() && seen.insert(other) {
                    list.push(other);
                }
            });
        }
        false
    }

    /// Whether reached floor is near some of it.
    fn is_near_reached(&self, slope: &[u32]) -> bool {
        let cells = (NEAR / self.floor.cell()).ceil() as i32;
        few(slope).iter().any(|at| {
            let mut is_near = false;
            self.floor.near(*at, cells, |other| {
                let sample = &self.floor.samples.get(other);
                is_near |= sample.is_reached && (sample.height - self.height(*at)).abs() <= STOREY;
            });
            is_near
        })
    }

    /// Whether it is the roof of a ramp or a stair that was reached: that falls as much below it.
    fn is_over_a_slope(&self, slope: &[u32], rise: f64) -> bool {
        let drops: Vec<f64> = slope
            .iter()
            .filter_map(|at| {
                let below = self.floor.below(*at)?;
                self.floor.samples.is_reached(below).then(|| self.height(*at) - self.height(below))
            })
            .collect();
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = drops.iter().fold(none, |(low, high), y| (low.min(*y), high.max(*y)));
        2 * drops.len() > slope.len() && high - low < PARALLEL * rise
    }

    /// How the floor around a sample falls; `None` where it is level or rough.
    fn fall(&self, at: u32) -> Option<Fall> {
        let cell = self.floor.cell();
        let reach = (WINDOW / cell).ceil() as i32;
        let [x, z] = self.floor.samples.get(at).column;
        let mut list = vec![at];
        let mut next = 0;
        while let Some(from) = list.get(next).copied() {
            next += 1;
            self.floor.around(from, |other| {
                let sample = &self.floor.samples.get(other);
                let [i, j] = [sample.column[0] - x, sample.column[1] - z];
                if !sample.is_reached && i * i + j * j <= reach * reach && !list.contains(&other) {
                    list.push(other);
                }
            });
        }
        let count = list.len() as f64;
        let points = || {
            list.iter().map(|other| {
                let sample = &self.floor.samples.get(*other);
                let [i, j] =
                    [sample.column[0] - x, sample.column[1] - z].map(|cells| f64::from(cells) * cell);
                [i, j, sample.height]
            })
        };
        let sum = points().fold([0.0; 3], |sum, p| [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]]);
        let mean = sum.map(|x| x / count);
        // A strip that is one cell wide says nothing about its other direction: there it is taken as level.
        let mut products = [0.25 * cell * cell, 0.0, 0.25 * cell * cell, 0.0, 0.0];
        for p in points() {
            let [i, j, y] = [p[0] - mean[0], p[1] - mean[1], p[2] - mean[2]];
            for (product, add) in products.iter_mut().zip([i * i, i * j, j * j, i * y, j * y]) {
                *product += add;
            }
        }
        let [xx, xz, zz, xy, zy] = products;
        let determinant = xx * zz - xz * xz;
        let slope = [(xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant];
        let squares = points().map(|p| {
            let away = p[2] - mean[2] - slope[0] * (p[0] - mean[0]) - slope[1] * (p[1] - mean[1]);
            away * away
        });
        let rough = ops::sqrt(squares.sum::<f64>() / count);
        let grade = ops::sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
        (rough <= ROUGH && grade >= GENTLE).then_some(Fall { way: slope.map(|x| -x), rough })
    }
}
