//! Courses of platforms: things that are alike, each a jump above the one before. The lower ones were
//! reached; then one is missing, or too high.

use std::collections::{BTreeMap, BTreeSet};

use crate::findings::unreached::judge::Judge;

/// A platform of a course is no larger than this, in m².
const LARGEST: f64 = 12.0;
/// Platforms of one course differ in area by no more than this share: it is known in cells, and small ones
/// have 9 or 16.
const AS_LARGE: f64 = 0.5;
/// Its rises differ by no more than this share.
const ALIKE: f64 = 0.35;
/// At least this many of them were not reached.
const LEFT: usize = 3;
/// Where one is missing or too high, the rise is no more than this times that of the others.
const MISSING: f64 = 4.5;

/// A piece of floor that may be a platform.
struct Island {
    samples: Vec<u32>,
    /// The unreached part that it is.
    part: Option<u32>,
    height: f64,
    area: f64,
}

/// One island above another.
#[derive(Clone, Copy)]
struct Rise {
    to: usize,
    height: f64,
    /// How far away it is, in cells.
    cells: i32,
}

impl Judge<'_, '_> {
    /// Unreached parts that a course leads to: its platforms, the lowest first, and the floor at its end.
    pub(super) fn courses(&self) -> Vec<Vec<u32>> {
        if self.evidence.walker.rules.jump == 0.0 {
            return Vec::new();
        }
        let islands = self.islands();
        let up = self.rises_between(&islands);
        let from = |island: usize| up.get(&island).into_iter().flatten().copied();
        let are_alike = |a: f64, b: f64, share: f64| (a - b).abs() <= share * a.max(b);
        let are_like = |a: usize, b: usize| are_alike(islands[a].area, islands[b].area, AS_LARGE);
        let is_reached = |island: usize| islands[island].part.is_none();
        let reach = self.evidence.walker.rules.jump_reach();
        let is_jump = |rise: &Rise| rise.height <= reach && rise.cells <= self.leap();
        let mut taken = BTreeSet::new();
        let mut courses = Vec::new();
        // Two that were reached, one a jump above the other; and one of the rest above these.
        for (low, first) in up.keys().flat_map(|low| from(*low).map(move |rise| (*low, rise))) {
            let high = first.to;
            if !is_reached(low) || !is_reached(high) || !are_like(low, high) || !is_jump(&first) {
                continue;
            }
            let is_next = |rise: &Rise| !is_reached(rise.to) && are_like(high, rise.to);
            for missing in from(high).filter(is_next).filter(|rise| rise.height <= MISSING * first.height) {
                let mut course = vec![missing.to];
                while let Some(last) = course.last() {
                    let is_on = |rise: &Rise| {
                        is_jump(rise)
                            && are_alike(rise.height, first.height, ALIKE)
                            && !course.contains(&rise.to)
                    };
                    let Some(next) = from(*last).filter(is_next).find(is_on) else { break };
                    course.push(next.to);
                }
                if course.len() < LEFT {
                    continue;
                }
                let mut parts: Vec<u32> = course.iter().filter_map(|i| islands[*i].part).collect();
                // The floor at its end is of any size.
                let last = &islands[course[course.len() - 1]];
                for at in &last.samples {
                    self.floor.near(*at, self.leap(), |other| {
                        let rise = self.height(other) - last.height;
                        let part = self.part_of.get(&other).filter(|_| rise.abs() <= reach);
                        parts.extend(part.filter(|part| !parts.contains(part)));
                    });
                }
                parts.retain(|part| taken.insert(*part));
                if parts.len() >= LEFT {
                    courses.push(parts);
                }
            }
        }
        courses
    }

    /// How many cells a leap takes.
    fn leap(&self) -> i32 {
        (self.evidence.walker.rules.leap() / self.floor.cell()).ceil() as i32
    }

    /// All floor that may be platforms of a course.
    fn islands(&self) -> Vec<Island> {
        let floor = self.floor;
        let least = self.evidence.walker.rules.min_area;
        let is_island = |count: usize| (least..=LARGEST).contains(&floor.area(count));
        let reached = floor.parts(self.evidence.stop, |at| floor.samples.is_reached(at));
        let reached = reached.iter().filter(|part| is_island(part.len())).map(|part| (part.to_vec(), None));
        let unreached = self.parts.iter().zip(0..).filter(|(samples, _)| is_island(samples.len()));
        let all = reached.chain(unreached.map(|(samples, number)| (samples.clone(), Some(number))));
        all.filter(|(samples, _)| self.level(samples).is_some())
            .map(|(samples, part)| {
                let area = floor.area(samples.len());
                let height = samples.iter().map(|at| self.height(*at)).sum::<f64>() / samples.len() as f64;
                Island { samples, part, height, area }
            })
            .collect()
    }

    /// From each island up to others, as far away as where one between two is missing.
    fn rises_between(&self, islands: &[Island]) -> BTreeMap<usize, Vec<Rise>> {
        let mut of_sample: BTreeMap<u32, usize> = BTreeMap::new();
        for (number, island) in islands.iter().enumerate() {
            of_sample.extend(island.samples.iter().map(|at| (*at, number)));
        }
        let step = self.evidence.walker.rules.settings.step_height;
        let column = |at: u32| self.floor.samples.get(at).column;
        let mut up = BTreeMap::new();
        for (number, island) in islands.iter().enumerate() {
            let mut above: BTreeMap<usize, i32> = BTreeMap::new();
            for at in island.samples.iter().filter(|at| self.floor.sides(**at) < 4) {
                self.floor.near(*at, 2 * self.leap(), |other| {
                    let Some(to) = of_sample.get(&other) else { return };
                    let ([x, z], [i, j]) = (column(*at), column(other));
                    let cells = (i - x).abs().max((j - z).abs());
                    above.entry(*to).and_modify(|least| *least = cells.min(*least)).or_insert(cells);
                });
            }
            let rises = above.into_iter().map(|(to, cells)| Rise {
                to,
                height: islands[to].height - island.height,
                cells,
            });
            up.insert(number, rises.filter(|rise| rise.height > 0.5 * step).collect());
        }
        up
    }
}
