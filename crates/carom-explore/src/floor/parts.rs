//! Connected parts of a floor.
//!
//! Two passes over the rows: the first gives each sample the label of one before it, or a new one, and notes
//! which labels are one part; the second gives each sample its part. So the samples themselves are read in
//! order, from files if there are many, and a part takes 8 bytes for each of its runs along a row.
//!
//! Source: Rosenfeld and Pfaltz 1966, "Sequential Operations in Digital Picture Processing".

use std::ops::Range;

use crate::floor::Floor;
use crate::floor::rows::Row;
use crate::stop::Stop;

/// No label.
const NONE: u32 = u32::MAX;

/// Connected samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Part {
    /// Their numbers, in order.
    runs: Vec<Range<u32>>,
    count: usize,
}

impl Part {
    /// Adds a number behind all others.
    fn push(&mut self, number: u32) {
        self.count += 1;
        match self.runs.last_mut().filter(|run| run.end == number) {
            Some(run) => run.end += 1,
            None => self.runs.push(number..number + 1),
        }
    }

    /// How many samples it has.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The numbers of its samples, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().cloned().flatten()
    }

    /// The same as a list.
    pub(crate) fn to_vec(&self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.count);
        numbers.extend(self.iter());
        numbers
    }
}

/// Labels, each with one that is no greater and belongs to the same part: the least with itself.
#[derive(Default)]
struct Labels(Vec<u32>);

impl Labels {
    fn add(&mut self) -> u32 {
        let label = self.0.len() as u32;
        self.0.push(label);
        label
    }

    /// The least label of a part.
    fn least(&mut self, mut label: u32) -> u32 {
        while self.0[label as usize] != label {
            let next = self.0[self.0[label as usize] as usize];
            self.0[label as usize] = next;
            label = next;
        }
        label
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.least(a), self.least(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// The labels of the samples of a row: those of samples before them, or new ones; [`NONE`] where no sample is
/// wanted.
fn label(
    [before, row]: [&Row; 2],
    labels_before: &[u32],
    rise: f64,
    wanted: impl Fn(u32) -> bool,
    all: &mut Labels,
) -> Vec<u32> {
    const WANTED: u32 = NONE - 1;
    let mut labels: Vec<u32> =
        row.numbers().map(|number| if wanted(number) { WANTED } else { NONE }).collect();
    before.steps_to(row, rise, |i, j| match (labels_before[i], labels[j]) {
        (NONE, _) | (_, NONE) => {}
        (known, WANTED) => labels[j] = known,
        (known, own) => all.join(known, own),
    });
    let mut next = 0;
    let mut label_up_to = |labels: &mut [u32], end: usize, all: &mut Labels| {
        for own in labels[next.min(end)..end].iter_mut().filter(|own| **own == WANTED) {
            *own = all.add();
        }
        next = next.max(end);
    };
    row.steps(rise, |i, j| {
        // All samples before this column have been joined to those before them.
        label_up_to(&mut labels, i + 1, all);
        match (labels[i], labels[j]) {
            (NONE, _) | (_, NONE) => {}
            (known, WANTED) => labels[j] = known,
            (known, own) => all.join(known, own),
        }
    });
    label_up_to(&mut labels, row.len(), all);
    labels
}

impl Floor {
    /// Connected parts of the samples that are wanted, in the order of their first. After a stop there is
    /// none.
    pub(crate) fn parts(&self, stop: &Stop, wanted: impl Fn(u32) -> bool) -> Vec<Part> {
        let mut all = Labels::default();
        if !self.each_labeled_row(stop, &wanted, &mut all, |_, _| {}) {
            return Vec::new();
        }
        // The first sample of a part has its least label, so parts are in the order of these.
        let mut part_of = Vec::with_capacity(all.0.len());
        let mut count = 0;
        for label in 0..all.0.len() as u32 {
            let least = all.least(label);
            part_of.push(if least == label { count } else { part_of[least as usize] });
            count += u32::from(least == label);
        }
        let mut parts = vec![Part::default(); count as usize];
        let is_whole = self.each_labeled_row(stop, &wanted, &mut Labels::default(), |row, labels| {
            for (number, label) in row.numbers().zip(labels).filter(|(_, label)| **label != NONE) {
                parts[part_of[*label as usize] as usize].push(number);
            }
        });
        if is_whole { parts } else { Vec::new() }
    }

    /// Visits all rows with their labels; returns whether it was not stopped.
    fn each_labeled_row(
        &self,
        stop: &Stop,
        wanted: impl Fn(u32) -> bool,
        all: &mut Labels,
        mut visit: impl FnMut(&Row, &[u32]),
    ) -> bool {
        let (mut before, mut labels) = (Row::default(), Vec::new());
        for row in self.samples.rows() {
            if stop.is_set() {
                return false;
            }
            labels = label([&before, &row], &labels, self.rise, &wanted, all);
            visit(&row, &labels);
            before = row;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use carom_scenes::Random;

    use super::*;
    use crate::floor::test_floor::random_floor;

    #[test]
    fn parts_are_those_that_a_walk_finds() {
        let mut parted = 0;
        for seed in 0..60 {
            let mut random = Random::scattered(seed);
            let floor = random_floor(&mut random);
            let count = floor.samples.len() as u32;
            let wanted: Vec<bool> = (0..count).map(|_| random.between(0.0, 1.0) < 0.9).collect();
            let wanted = |number: u32| wanted[number as usize];
            let mut walked: Vec<Vec<u32>> = Vec::new();
            let mut seen = BTreeSet::new();
            for first in (0..count).filter(|number| wanted(*number)) {
                let mut part = if seen.insert(first) { vec![first] } else { continue };
                let mut next = 0;
                while let Some(&at) = part.get(next) {
                    next += 1;
                    floor.around(at, |other| {
                        part.extend((wanted(other) && seen.insert(other)).then_some(other));
                    });
                }
                part.sort_unstable();
                walked.push(part);
            }
            let parts = floor.parts(&Stop::new(), wanted);
            assert!(parts.iter().all(|part| part.len() == part.iter().count()));
            assert_eq!(parts.iter().map(Part::to_vec).collect::<Vec<_>>(), walked, "seed {seed}");
            parted += parts.len();
        }
        assert!(parted > 1000, "{parted}");
        let stop = Stop::new();
        stop.set();
        assert!(random_floor(&mut Random::scattered(1)).parts(&stop, |_| true).is_empty());
    }
}
