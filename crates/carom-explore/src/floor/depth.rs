//! How many steps each sample is away from the rim of its floor.
//!
//! Passes over the rows, to and fro: each takes over what the samples before it know, until nothing changes.
//! That is after two passes, and a third that says so, on all but floors that lead over themselves. A pass
//! reads the list of the one before and writes its own, so memory does not grow with the floor.
//!
//! Source: Rosenfeld and Pfaltz 1966, "Sequential Operations in Digital Picture Processing".

use std::cmp::Reverse;

use crate::floor::Floor;
use crate::floor::parts::Part;
use crate::floor::rows::Row;
use crate::spill::{Records, Spill};
use crate::stop::Stop;

/// Not known yet.
const FAR: u16 = u16::MAX;

/// The steps from the rim, 0 at the rim itself: at most 65,534.
#[derive(Debug)]
pub(crate) struct Depths {
    /// Of each sample, in the order of a pass.
    list: Records<u16>,
    is_backward: bool,
}

impl Depths {
    /// Of all samples; `None` after a stop.
    pub(crate) fn of(floor: &Floor, spill: Option<&Spill>, stop: &Stop) -> Option<Self> {
        let mut depths = Self::rim(floor, spill, stop)?.pass(floor, spill, stop)?.0;
        loop {
            let (next, is_changed) = depths.pass(floor, spill, stop)?;
            depths = next;
            if !is_changed {
                return Some(depths);
            }
        }
    }

    /// The deepest sample of a part, of those the first.
    pub(crate) fn deepest(&self, part: &Part) -> Option<u32> {
        let depth = |at: &u32| self.list.get(self.index(*at));
        part.iter().map(|at| (depth(&at), Reverse(at))).max().map(|(_, Reverse(at))| at)
    }

    /// Before any pass: 0 where the floor does not continue on all four sides.
    fn rim(floor: &Floor, spill: Option<&Spill>, stop: &Stop) -> Option<Self> {
        const ALL: u8 = 0b1111;
        let mut list = Records::new(spill);
        let mut rows = floor.samples.rows();
        let (mut before, mut next) = (Row::default(), rows.next());
        while let Some(row) = next {
            if stop.is_set() {
                return None;
            }
            next = rows.next();
            let mut sides = vec![0u8; row.len()];
            before.steps_to(&row, floor.rise, |_, j| sides[j] |= 1);
            row.steps(floor.rise, |i, j| {
                sides[i] |= 1 << 1;
                sides[j] |= 1 << 2;
            });
            if let Some(next) = &next {
                row.steps_to(next, floor.rise, |i, _| sides[i] |= 1 << 3);
            }
            sides.into_iter().for_each(|sides| list.push(&if sides == ALL { FAR } else { 0 }));
            before = row;
        }
        Some(Self { list, is_backward: false })
    }

    /// A pass in the other direction than the last: what it knows then, and whether that is more.
    fn pass(&self, floor: &Floor, spill: Option<&Spill>, stop: &Stop) -> Option<(Self, bool)> {
        let mut list = Records::new(spill);
        let mut is_changed = false;
        let mut lower = |depth: &mut u16, beside: u16| {
            if *depth > beside.saturating_add(1) {
                *depth = beside + 1;
                is_changed = true;
            }
        };
        let (mut before, mut known) = (Row::default(), Vec::new());
        let mut steps = Vec::new();
        let rows: Box<dyn Iterator<Item = Row>> = if self.is_backward {
            Box::new(floor.samples.rows())
        } else {
            Box::new(floor.samples.rows_backward())
        };
        for row in rows {
            if stop.is_set() {
                return None;
            }
            let mut depths = self.of_row(&row);
            steps.clear();
            row.steps(floor.rise, |i, j| steps.push([i, j]));
            if self.is_backward {
                before.steps_to(&row, floor.rise, |i, j| lower(&mut depths[j], known[i]));
                for [i, j] in &steps {
                    let beside = depths[*i];
                    lower(&mut depths[*j], beside);
                }
                depths.iter().for_each(|depth| list.push(depth));
            } else {
                row.steps_to(&before, floor.rise, |i, j| lower(&mut depths[i], known[j]));
                for [i, j] in steps.iter().rev() {
                    let beside = depths[*j];
                    lower(&mut depths[*i], beside);
                }
                depths.iter().rev().for_each(|depth| list.push(depth));
            }
            (before, known) = (row, depths);
        }
        Some((Self { list, is_backward: !self.is_backward }, is_changed))
    }

    /// Of the samples of a row.
    fn of_row(&self, row: &Row) -> Vec<u16> {
        let (numbers, count) = (row.numbers(), self.list.len());
        let numbers = numbers.start as usize..numbers.end as usize;
        let mut depths = Vec::with_capacity(row.len());
        if self.is_backward {
            self.list.visit(count - numbers.end..count - numbers.start, |depth| depths.push(depth));
            depths.reverse();
        } else {
            self.list.visit(numbers, |depth| depths.push(depth));
        }
        depths
    }

    fn index(&self, at: u32) -> usize {
        if self.is_backward { self.list.len() - 1 - at as usize } else { at as usize }
    }
}

#[cfg(test)]
mod tests {
    use carom_scenes::Random;

    use super::*;
    use crate::floor::test_floor::random_floor;

    #[test]
    fn the_deepest_sample_is_the_one_that_a_front_from_the_rim_reaches_last() {
        let spill = Spill::new(tempfile::tempfile, 1 << 12);
        let (mut deepest, stop) = (0, Stop::new());
        for seed in 0..60 {
            let floor = random_floor(&mut Random::scattered(seed));
            let count = floor.samples.len();
            let mut depths: Vec<Option<u16>> =
                (0..count as u32).map(|at| (floor.sides(at) < 4).then_some(0)).collect();
            let mut front: Vec<u32> = (0..count as u32).filter(|at| depths[*at as usize].is_some()).collect();
            for depth in 1.. {
                let mut next = Vec::new();
                for at in front {
                    floor.around(at, |other| {
                        if depths[other as usize].is_none() {
                            depths[other as usize] = Some(depth);
                            next.push(other);
                        }
                    });
                }
                if next.is_empty() {
                    break;
                }
                front = next;
            }
            let found = Depths::of(&floor, Some(&spill), &stop).unwrap();
            for part in floor.parts(&stop, |_| true) {
                let depth = |at: u32| depths[at as usize].unwrap_or(FAR);
                let wanted = part.iter().max_by_key(|at| (depth(*at), Reverse(*at))).unwrap();
                assert_eq!(found.deepest(&part), Some(wanted), "seed {seed}");
                deepest = deepest.max(depth(wanted));
            }
        }
        assert!(deepest > 8, "{deepest}");
        stop.set();
        assert!(Depths::of(&random_floor(&mut Random::scattered(1)), None, &stop).is_none());
    }
}
