//! Storeys: connected floors that nowhere lie above themselves. Those that do not overlap share a map.
//!
//! Cost: linear in the samples, however many there are: reports of levels of square kilometers are written in
//! seconds.

use crate::floor::{Sample, Samples};

/// No more maps than this.
const MAPS: usize = 8;
/// No column, or no sheet.
const NONE: u32 = u32::MAX;

/// Which map each sample is drawn on; how many there are.
#[derive(Debug)]
pub(crate) struct Storeys {
    pub(crate) of: Vec<u8>,
    pub(crate) count: usize,
}

/// The columns of the grid that hold samples, in order.
struct Columns<'a> {
    samples: &'a Samples,
    /// The first sample of each, and the number of samples.
    first: Vec<u32>,
    /// The column of each sample.
    of: Vec<u32>,
    /// The columns a cell lower and higher along x.
    beside: Vec<[u32; 2]>,
}

impl<'a> Columns<'a> {
    /// Of samples that are sorted by column.
    fn new(samples: &'a Samples) -> Self {
        let (mut first, mut of) = (Vec::new(), Vec::with_capacity(samples.len()));
        let mut before = None;
        for (number, sample) in (0u32..).zip(samples.iter()) {
            if before.replace(sample.column) != Some(sample.column) {
                first.push(number);
            }
            of.push(first.len() as u32 - 1);
        }
        let count = first.len();
        let at = |column: usize| samples.get(first[column]).column;
        let mut beside = vec![[NONE; 2]; count];
        let mut other = 0;
        for column in 0..count {
            let [x, z] = at(column);
            while at(other) < [x - 1, z] {
                other += 1;
            }
            if at(other) == [x - 1, z] {
                beside[column][0] = other as u32;
                beside[other][1] = column as u32;
            }
        }
        first.push(samples.len() as u32);
        Self { samples, first, of, beside }
    }

    fn len(&self) -> usize {
        self.beside.len()
    }

    /// The samples beside one in height and column: lower and higher along x, then along z.
    fn around(&self, sample: usize, rise: f64, mut visit: impl FnMut(usize)) {
        let Sample { column: [x, z], height, .. } = self.samples.get(sample as u32);
        let own = self.of[sample];
        let [lower, higher] = self.beside[own as usize];
        let along = |other: Option<u32>, z: i32| {
            other.filter(|other| {
                let is_one = (*other as usize) < self.len();
                is_one && self.samples.get(self.first[*other as usize]).column == [x, z]
            })
        };
        let known = |column: u32| (column != NONE).then_some(column);
        let columns =
            [known(lower), known(higher), along(own.checked_sub(1), z - 1), along(Some(own + 1), z + 1)];
        for column in columns.into_iter().flatten() {
            let [from, to] = [0, 1].map(|next| self.first[column as usize + next] as usize);
            (from..to)
                .filter(|at| (self.samples.get(*at as u32).height - height).abs() <= rise)
                .for_each(&mut visit);
        }
    }
}

impl Storeys {
    /// Of samples that are sorted by column; those beside each other are one floor if they differ by no more
    /// than a rise in height.
    pub(crate) fn of(samples: &Samples, rise: f64) -> Self {
        let columns = Columns::new(samples);
        let column = |sample: usize| columns.of[sample] as usize;
        let mut sheet = vec![NONE; samples.len()];
        // The last sheet that has a sample in a column.
        let mut taken = vec![NONE; columns.len()];
        let mut sheets: Vec<Vec<u32>> = Vec::new();
        for first in 0..samples.len() {
            if sheet[first] != NONE {
                continue;
            }
            let number = sheets.len() as u32;
            (sheet[first], taken[column(first)]) = (number, number);
            let mut members = vec![first as u32];
            let mut next = 0;
            while let Some(&at) = members.get(next) {
                next += 1;
                columns.around(at as usize, rise, |other| {
                    if sheet[other] == NONE && taken[column(other)] != number {
                        (sheet[other], taken[column(other)]) = (number, number);
                        members.push(other as u32);
                    }
                });
            }
            sheets.push(members);
        }
        // Where players get first, then the largest first, each on the first map where it covers nothing.
        let reached = |sheet: &Vec<u32>| sheet.iter().filter(|at| samples.is_reached(**at)).count();
        let mut order: Vec<usize> = (0..sheets.len()).collect();
        order.sort_by_cached_key(|i| std::cmp::Reverse((reached(&sheets[*i]), sheets[*i].len())));
        // A bit for each map that shows something in a column.
        let mut shown = vec![0u8; columns.len()];
        let (mut of, mut count) = (vec![0; samples.len()], 0);
        for i in order {
            let members = || sheets[i].iter().map(|sample| *sample as usize);
            let covered = members().fold(0, |covered, sample| covered | shown[column(sample)]);
            let map = (0..count).find(|map| covered >> map & 1 == 0).unwrap_or(count).min(MAPS - 1);
            count = count.max(map + 1);
            for sample in members() {
                of[sample] = map as u8;
                shown[column(sample)] |= 1 << map;
            }
        }
        Self { of, count: count.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Sorted samples of floors at (x, z, height).
    fn samples(floors: impl IntoIterator<Item = (i32, i32, f64)>) -> Samples {
        let mut sorted: Vec<Sample> = floors
            .into_iter()
            .map(|(x, z, height)| Sample { column: [x, z], height, is_reached: false })
            .collect();
        sorted.sort_by(|a, b| a.column.cmp(&b.column).then(a.height.total_cmp(&b.height)));
        let mut samples = Samples::default();
        sorted.iter().for_each(|sample| samples.push(sample));
        samples
    }

    #[test]
    fn no_map_shows_two_floors_above_each_other() {
        let square = |side: i32| (0..side).flat_map(move |x| (0..side).map(move |z| (x, z)));
        let ground = square(20).map(|(x, z)| (x, z, 0.0));
        // A ramp beside it, a deck over both, and three decks above each other.
        let ramp = (20..30).map(|x| (x, 3, 0.3 * f64::from(x - 19)));
        let deck = square(9).map(|(x, z)| (x + 12, z, 3.0));
        let decks = (1..4).flat_map(|storey| square(4).map(move |(x, z)| (x, z, 10.0 * f64::from(storey))));
        let samples = samples(ground.chain(ramp).chain(deck).chain(decks));
        let storeys = Storeys::of(&samples, 0.5);
        assert_eq!(storeys.count, 4);
        let mut shown: BTreeMap<([i32; 2], u8), usize> = BTreeMap::new();
        for (sample, map) in samples.iter().zip(&storeys.of) {
            *shown.entry((sample.column, *map)).or_default() += 1;
        }
        assert!(shown.values().all(|count| *count == 1));
        assert!(samples.iter().zip(&storeys.of).all(|(sample, map)| (sample.height == 0.0) <= (*map == 0)));
    }

    #[test]
    fn a_roof_that_was_not_reached_comes_after_the_room_below_it() {
        let square = |side: i32| (0..side).flat_map(move |x| (0..side).map(move |z| (x, z)));
        let roof = square(9).map(|(x, z)| (x, z, 4.0));
        let mut samples = samples(square(5).map(|(x, z)| (x, z, 0.0)).chain(roof));
        for number in 0..samples.len() as u32 {
            if samples.get(number).height == 0.0 {
                samples.reach(number);
            }
        }
        let storeys = Storeys::of(&samples, 0.5);
        assert!(samples.iter().zip(&storeys.of).all(|(sample, map)| sample.is_reached == (*map == 0)));
    }

    #[test]
    fn more_storeys_than_maps_share_the_last() {
        let samples = samples((0..20).map(|storey| (0, 0, 5.0 * f64::from(storey))));
        let storeys = Storeys::of(&samples, 0.5);
        assert_eq!((storeys.count, storeys.of.iter().filter(|map| **map == 7).count()), (8, 13));
        assert_eq!(Storeys::of(&Samples::default(), 0.5).count, 1);
    }
}
