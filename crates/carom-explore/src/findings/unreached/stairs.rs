//! Stairs whose treads are deep enough to stand on: each is floor of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::findings::flight::{ALIKE, CLIMB, RISES};
use crate::findings::unreached::judge::Judge;

/// A tread is no larger than this, in m².
const TREAD: f64 = 20.0;
/// Onto a tread that is higher above the one before than this, in meters, a person climbs with both hands.
const KNEE: f64 = 0.9;

impl Judge<'_, '_> {
    /// Parts that stairs lead to from reached floor, with the stairs; the lowest tread first.
    pub(super) fn stairs(&self) -> Vec<Vec<u32>> {
        let rises = self.rises();
        // From reached floor up: for each part the rises that lead to it, as long as they are alike.
        let mut up: BTreeMap<u32, Vec<(u32, f64)>> = BTreeMap::new();
        for ((from, to), rise) in &rises {
            if let Some(from) = from {
                up.entry(*from).or_default().push((*to, *rise));
            }
        }
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut taken = BTreeSet::new();
        for ((from, to), first) in &rises {
            if from.is_some() || taken.contains(to) || !self.is_tread(*to, *first) {
                continue;
            }
            // Straight up, each tread by the first rise that is like the first one.
            let mut flight = vec![*to];
            while let Some(last) = flight.last() {
                let alike = |rise: f64| (rise - first).abs() <= ALIKE * first;
                let next = up.get(last).into_iter().flatten().find(|(next, rise)| {
                    alike(*rise) && !flight.contains(next) && (*rise <= KNEE || self.is_wide(*next))
                });
                let Some((next, _)) = next else { break };
                flight.push(*next);
                if !self.is_tread(*next, *first) {
                    break;
                }
            }
            if flight.len() < RISES {
                continue;
            }
            // The floor that the stair leads to, and everything that continues from there.
            let mut group = flight;
            let mut next = 1;
            while let Some(at) = group.get(next).copied() {
                next += 1;
                for (to, _) in up.get(&at).into_iter().flatten() {
                    if !group.contains(to) {
                        group.push(*to);
                    }
                }
            }
            group.retain(|part| taken.insert(*part));
            if group.len() >= RISES {
                groups.push(group);
            }
        }
        groups
    }

    /// Whether it is no larger than a tread, and as wide as the body if this rise to it is high: a corner of
    /// a slope is none.
    fn is_tread(&self, part: u32, rise: f64) -> bool {
        self.floor.area(self.parts[part as usize].len()) <= TREAD && (rise <= KNEE || self.is_wide(part))
    }

    fn is_wide(&self, part: u32) -> bool {
        let walker = self.evidence.walker;
        self.floor.is_wide(walker.level, walker.rules, &self.parts[part as usize])
    }

    /// The least rises that lead up to parts: from reached floor (none), or from another part.
    fn rises(&self) -> BTreeMap<(Option<u32>, u32), f64> {
        let mut rises: BTreeMap<(Option<u32>, u32), f64> = BTreeMap::new();
        for (number, part) in (0..).zip(&self.parts) {
            for at in part {
                self.floor.near(*at, 2, |other| {
                    let rise = self.height(*at) - self.height(other);
                    let from = self.part_of.get(&other).copied();
                    if rise > 0.0 && rise <= CLIMB && from != Some(number) {
                        let least = rises.entry((from, number)).or_insert(rise);
                        *least = least.min(rise);
                    }
                });
            }
        }
        let step = self.evidence.walker.rules.settings.step_height;
        rises.retain(|_, rise| *rise > step);
        rises
    }
}
