//! The evidence of unreached floor, and the looks around that its signs have in common.

use std::collections::{BTreeMap, BTreeSet};

use carom_formats::VolumeKind;
use glam::DVec3;

use crate::findings::evidence::Evidence;
use crate::floor::Floor;

/// A slab between two floors is no thicker than this, in meters.
pub(super) const SLAB: f64 = 0.6;
/// A floor is no higher above the next one below it than this, in meters.
pub(super) const STOREY: f64 = 5.0;
/// Behind a teleporter is no farther from it than this, in meters.
const BEHIND: f64 = 3.0;
/// Of level floor at least this share is as high.
const LEVEL: f64 = 0.85;
/// At most this many samples of a piece are tested.
const LOOKED_AT: usize = 48;

pub(super) struct Judge<'a, 'b> {
    pub(super) evidence: &'a Evidence<'b>,
    pub(super) floor: &'a Floor,
    /// All unreached parts, of any size.
    pub(super) parts: Vec<Vec<u32>>,
    /// The part of a sample.
    pub(super) part_of: BTreeMap<u32, u32>,
    /// All samples that were reached.
    pub(super) reached: Vec<u32>,
}

impl Judge<'_, '_> {
    pub(super) fn height(&self, at: u32) -> f64 {
        self.floor.samples.get(at).height
    }

    /// Where a ray first hits: how far, and whether a front shows there. Sky is nothing.
    pub(super) fn ray(&self, from: DVec3, translation: DVec3) -> Option<(f64, bool)> {
        let level = self.evidence.walker.level;
        let met = level.ray(from, translation).filter(|met| !level.is_sky(met.surface_id))?;
        let is_front = met.is_front(translation)
            || level.sides(from, translation).is_some_and(|(_, sides)| sides.is_sheet);
        Some((met.hit.fraction * carom::num::ops::sqrt(translation.length_squared()), is_front))
    }

    /// Whether most of these samples are on surfaces that are never drawn.
    pub(super) fn is_never_drawn(&self, part: &[u32]) -> bool {
        let level = self.evidence.walker.level;
        let half = self.evidence.walker.rules.radii.y;
        let few = few(part);
        let is_bare = |at: &&u32| {
            let met = level.ray(self.above(**at, 0.1), DVec3::NEG_Y * half);
            met.is_some_and(|met| level.is_never_drawn(met.surface_id))
        };
        2 * few.iter().filter(is_bare).count() > few.len()
    }

    /// Whether all of it is close to one teleporter, which takes players away before they get there.
    pub(super) fn is_behind_a_teleporter(&self, part: &[u32]) -> bool {
        let volumes = self.evidence.walker.level.volumes.list().iter();
        let mut teleporters = volumes.filter(|volume| matches!(volume.kind, VolumeKind::Teleport { .. }));
        teleporters.any(|volume| {
            volume.pieces.iter().any(|piece| {
                part.iter().all(|at| {
                    let middle = self.above(*at, 0.5);
                    piece.planes().iter().all(|side| side.normal.dot(middle) - side.offset <= BEHIND)
                })
            })
        })
    }

    /// The point above a sample by a share of the body's height.
    pub(super) fn above(&self, at: u32, share: f64) -> DVec3 {
        self.evidence.above(at, share)
    }

    pub(super) fn far(&self) -> f64 {
        self.evidence.walker.level.bounds().size().max_element() + 1.0
    }

    /// Just above what a body steps over: lower than the sills of windows.
    pub(super) fn above_step(&self, at: u32) -> DVec3 {
        let rules = self.evidence.walker.rules;
        let height = (1.25 * rules.settings.step_height).max(0.25 * rules.radii.y);
        self.floor.point(&self.floor.samples.get(at)) + DVec3::Y * height
    }

    /// Some of these samples, evenly chosen, that are as high but for a step, if nearly all are: tables and
    /// chests stand on level floor, and belong to it.
    pub(super) fn level(&self, part: &[u32]) -> Option<Vec<u32>> {
        let mut heights: Vec<f64> = part.iter().map(|at| self.height(*at)).collect();
        heights.sort_unstable_by(f64::total_cmp);
        let step = self.evidence.walker.rules.settings.step_height;
        let most = ((LEVEL * heights.len() as f64).ceil() as usize).max(1);
        let low = heights.windows(most).find(|window| window[most - 1] - window[0] <= step)?[0];
        let is_level = |at: &u32| (low..=low + step).contains(&self.height(*at));
        Some(few(&part.iter().copied().filter(is_level).collect::<Vec<_>>()))
    }

    /// Whether a body that is put there can walk out, and lands on reached floor at most a storey below.
    pub(super) fn drops(&self, part: &[u32]) -> bool {
        let rules = self.evidence.walker.rules;
        let reach = 2.0 * self.floor.cell() + rules.radii.x;
        part.iter().filter(|at| self.floor.sides(**at) < 4).any(|at| {
            axes().into_iter().any(|[x, z]| {
                let translation = DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach;
                let is_free = |share: &f64| self.ray(self.above(*at, *share), translation).is_none();
                let beyond = self.above(*at, 0.5) + translation;
                let deep = STOREY + beyond.y - self.height(*at);
                [0.25, 0.5, 0.9].iter().all(is_free)
                    && self.ray(beyond, DVec3::NEG_Y * deep).is_some_and(|(far, _)| {
                        let foot = beyond - DVec3::Y * far;
                        foot.y < self.height(*at) - rules.settings.step_height
                            && self.floor.is_reached_at(foot)
                    })
            })
        })
    }

    /// The sides where a part ends: the sample, and the way out. The top of a railing or a low wall at its
    /// rim is not floor of it: there the floor before it ends.
    pub(super) fn ends(&self, part: &[u32]) -> Vec<(u32, [i32; 2])> {
        let column = |at: &u32| self.floor.samples.get(*at).column;
        let tops = self.tops(part);
        let floor: Vec<u32> = part.iter().copied().filter(|at| !tops.contains(at)).collect();
        let columns: BTreeSet<[i32; 2]> = floor.iter().map(column).collect();
        let tops: BTreeSet<[i32; 2]> = tops.iter().map(column).collect();
        let mut ends = Vec::new();
        for at in &floor {
            let [i, j] = column(at);
            let is_inner = self.floor.sides(*at) == 4;
            ends.extend(axes().into_iter().filter_map(|way @ [x, z]| {
                let next = [i + x, j + z];
                let mut on = std::iter::successors(Some(next), |[i, j]| Some([i + x, j + z]));
                // A top with floor beyond it does not stand at the rim.
                let beyond = on.find(|at| !tops.contains(at))?;
                let may_end = !is_inner || beyond != next;
                (may_end && !columns.contains(&beyond)).then_some((*at, way))
            }));
        }
        ends
    }

    /// The samples on things that are narrower than the body and stand on the floor beside them.
    fn tops(&self, part: &[u32]) -> BTreeSet<u32> {
        let Evidence { walker, .. } = self.evidence;
        let is_narrow = |at: u32| !self.floor.is_broad(walker.level, walker.rules, at);
        let step = walker.rules.settings.step_height;
        let is_above = |at: &u32| {
            let mut is_above = false;
            self.floor.around(*at, |other| is_above |= self.height(*at) - self.height(other) > step);
            is_above && is_narrow(*at)
        };
        let mut list: Vec<u32> = part.iter().copied().filter(is_above).collect();
        let mut tops: BTreeSet<u32> = list.iter().copied().collect();
        // Along them, also where no floor is beside them.
        while let Some(at) = list.pop() {
            self.floor.around(at, |other| {
                let is_flush = (self.height(at) - self.height(other)).abs() <= step;
                if is_flush && !tops.contains(&other) && is_narrow(other) {
                    tops.insert(other);
                    list.push(other);
                }
            });
        }
        tops
    }

    /// Whether a body that is put there can walk out over nothing.
    pub(super) fn leaks(&self, part: &[u32]) -> bool {
        let reach = 2.0 * self.floor.cell();
        part.iter().filter(|at| self.floor.sides(**at) < 4).any(|at| {
            let from = self.above_step(*at);
            axes().into_iter().any(|[x, z]| {
                let translation = DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach;
                self.ray(from, translation).is_none()
                    && self.evidence.walker.level.is_over_nothing(from + translation)
            })
        })
    }
}

/// Some samples of a piece, evenly chosen.
pub(super) fn few(part: &[u32]) -> Vec<u32> {
    part.iter().step_by(part.len().div_ceil(LOOKED_AT).max(1)).copied().collect()
}

pub(super) fn axes() -> [[i32; 2]; 4] {
    [[1, 0], [-1, 0], [0, 1], [0, -1]]
}
