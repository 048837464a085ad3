//! All samples of a floor, in order.

use std::ops::Range;

use crate::floor::sample::Sample;
use crate::spill::{Bits, Record, Records, Spill, take};

/// A sample but for whether it was reached, which changes.
#[derive(Debug)]
struct Piece {
    column: [i32; 2],
    height: f64,
}

impl Record for Piece {
    const BYTES: usize = 16;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.column.into_iter().for_each(|index| bytes.extend(index.to_le_bytes()));
        bytes.extend(self.height.to_le_bytes());
    }

    fn read(mut bytes: &[u8]) -> Self {
        let bytes = &mut bytes;
        let column = [(); 2].map(|()| i32::from_le_bytes(take(bytes)));
        Self { column, height: f64::from_le_bytes(take(bytes)) }
    }
}

/// Samples by column, those of a column from below.
#[derive(Debug, Default)]
pub struct Samples {
    pieces: Records<Piece>,
    /// The column of the first sample of each page.
    firsts: Vec<[i32; 2]>,
    reached: Bits,
}

impl Samples {
    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { pieces: Records::new(spill), ..Self::default() }
    }

    /// Adds a sample behind all others in their order.
    pub(crate) fn push(&mut self, sample: &Sample) {
        if self.len().is_multiple_of(Records::<Piece>::OF_PAGE) {
            self.firsts.push(sample.column);
        }
        self.pieces.push(&Piece { column: sample.column, height: sample.height });
        self.reached.push(sample.is_reached);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them, by its number below [`Self::len`].
    pub(crate) fn get(&self, number: u32) -> Sample {
        let Piece { column, height } = self.pieces.get(number as usize);
        Sample { column, height, is_reached: self.reached.get(number as usize) }
    }

    /// Visits the columns and heights of some, in order.
    pub(crate) fn visit(&self, numbers: Range<u32>, mut visit: impl FnMut([i32; 2], f64)) {
        let numbers = numbers.start as usize..numbers.end as usize;
        self.pieces.visit(numbers, |piece| visit(piece.column, piece.height));
    }

    /// All, in order: by column, x before z, and those of a column from below.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Sample> + '_ {
        (0..self.len() as u32).map(|number| self.get(number))
    }

    /// The number of the first sample in this column or a later one.
    pub(crate) fn first_at(&self, column: [i32; 2]) -> u32 {
        let later = self.firsts.partition_point(|first| *first < column);
        let Some(page) = later.checked_sub(1) else { return 0 };
        self.pieces.partition_point_in(page, |piece| piece.column < column) as u32
    }

    /// The samples in the columns from one to another with the same x, and their numbers.
    pub(crate) fn in_row(&self, [x, from]: [i32; 2], to: i32) -> impl Iterator<Item = (u32, Sample)> + '_ {
        let rest = (self.first_at([x, from])..self.len() as u32).map(|number| (number, self.get(number)));
        rest.take_while(move |(_, sample)| sample.column <= [x, to])
    }

    /// Those in a column, and their numbers.
    pub(crate) fn in_column(&self, column: [i32; 2]) -> impl Iterator<Item = (u32, Sample)> + '_ {
        self.in_row(column, column[1])
    }

    pub(crate) fn is_reached(&self, number: u32) -> bool {
        self.reached.get(number as usize)
    }

    pub(crate) fn reach(&mut self, number: u32) {
        self.reached.set(number as usize);
    }

    /// None is reached.
    pub(crate) fn forget_reached(&mut self) {
        self.reached = Bits::new(self.len());
    }

    /// How many are reached.
    pub(crate) fn reached(&self) -> usize {
        self.reached.ones()
    }

    /// Those of them that are wanted, by their numbers.
    pub(crate) fn filtered(&self, spill: Option<&Spill>, wanted: impl Fn(u32) -> bool) -> Self {
        let mut kept = Self::new(spill);
        for number in (0..self.len() as u32).filter(|number| wanted(*number)) {
            let sample = self.get(number);
            kept.push(&sample);
        }
        kept
    }

    /// Bytes held in memory, about.
    pub(crate) fn memory(&self) -> usize {
        self.pieces.memory() + 8 * self.firsts.capacity() + self.reached.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_its_samples() {
        let spill = Spill::new(tempfile::tempfile, 1 << 14);
        let mut samples = Samples::new(Some(&spill));
        let mut all = Vec::new();
        // Floors above each other beyond a page, and columns without any.
        for x in -40..40i32 {
            for z in (-40..40i32).filter(|z| (x * z) % 7 != 3) {
                let floors = if z == 5 { 300 } else { 1 + z.rem_euclid(3) };
                all.extend((0..floors).map(|y| ([x, z], f64::from(y))));
            }
        }
        for (column, height) in &all {
            samples.push(&Sample { column: *column, height: *height, is_reached: false });
        }
        for x in -41..41 {
            for z in -41..41 {
                let first = all.partition_point(|(column, _)| *column < [x, z]);
                assert_eq!(samples.first_at([x, z]) as usize, first);
                let here: Vec<f64> = samples.in_column([x, z]).map(|(_, sample)| sample.height).collect();
                let known = all[first..].iter().take_while(|(column, _)| *column == [x, z]);
                assert_eq!(here, known.map(|(_, height)| *height).collect::<Vec<_>>());
            }
        }
        samples.reach(6);
        samples.reach(9);
        let odd = samples.filtered(None, |number| number % 3 == 0);
        assert_eq!((odd.len(), odd.reached()), (all.len().div_ceil(3), 2));
        assert!(odd.is_reached(2) && odd.is_reached(3) && odd.get(2).column == samples.get(6).column);
    }
}
