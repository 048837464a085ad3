//! A floor row by row: what lies beside what, without looking for it.
//!
//! All samples with one x are a row. A pass over the rows needs two or three of them at a time, however large
//! the floor is.

use std::ops::Range;

use crate::floor::samples::Samples;

/// The samples with one x, by z, those of a column from below.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    x: i32,
    /// The number of its first sample.
    pub(crate) first: u32,
    z: Vec<i32>,
    heights: Vec<f64>,
}

impl Row {
    /// How many samples it has.
    pub(crate) fn len(&self) -> usize {
        self.z.len()
    }

    /// The numbers of its samples.
    pub(crate) fn numbers(&self) -> Range<u32> {
        self.first..self.first + self.len() as u32
    }

    /// The samples of the column that begins with the sample at this place.
    fn column(&self, start: usize) -> Range<usize> {
        let z = self.z[start];
        start..start + self.z[start..].iter().take_while(|other| **other == z).count()
    }

    /// Visits the places of all pairs of its samples in neighboring columns that differ by no more than a
    /// rise in height; the lower z first, in order.
    pub(crate) fn steps(&self, rise: f64, mut visit: impl FnMut(usize, usize)) {
        let mut before = 0..0;
        while before.end < self.len() {
            let column = self.column(before.end);
            if !before.is_empty() && self.z[before.start] + 1 == self.z[column.start] {
                self.pairs(&before, self, &column, rise, &mut visit);
            }
            before = column;
        }
    }

    /// Visits the places of all pairs of its samples and those in the same column of the next row that differ
    /// by no more than a rise in height, in order; none if the next row is not right beside it.
    pub(crate) fn steps_to(&self, next: &Self, rise: f64, mut visit: impl FnMut(usize, usize)) {
        if self.x + 1 != next.x {
            return;
        }
        let (mut i, mut j) = (0, 0);
        while i < self.len() && j < next.len() {
            let (own, other) = (self.column(i), next.column(j));
            match self.z[i].cmp(&next.z[j]) {
                std::cmp::Ordering::Less => i = own.end,
                std::cmp::Ordering::Greater => j = other.end,
                std::cmp::Ordering::Equal => {
                    self.pairs(&own, next, &other, rise, &mut visit);
                    (i, j) = (own.end, other.end);
                }
            }
        }
    }

    fn pairs(
        &self,
        own: &Range<usize>,
        other: &Self,
        others: &Range<usize>,
        rise: f64,
        visit: &mut impl FnMut(usize, usize),
    ) {
        for i in own.clone() {
            for j in others.clone() {
                if (self.heights[i] - other.heights[j]).abs() <= rise {
                    visit(i, j);
                }
            }
        }
    }
}

impl Samples {
    /// The row that begins with a sample; `None` behind the last.
    fn row_from(&self, first: u32) -> Option<Row> {
        let x = (first < self.len() as u32).then(|| self.get(first).column[0])?;
        let end = if x == i32::MAX { self.len() as u32 } else { self.first_at([x + 1, i32::MIN]) };
        let mut row = Row { x, first, ..Row::default() };
        self.visit(first..end, |[_, z], height| {
            row.z.push(z);
            row.heights.push(height);
        });
        Some(row)
    }

    /// All rows, in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let row = self.row_from(next)?;
            next = row.numbers().end;
            Some(row)
        })
    }

    /// All rows, from the last to the first.
    pub(crate) fn rows_backward(&self) -> impl Iterator<Item = Row> + '_ {
        let mut end = self.len() as u32;
        std::iter::from_fn(move || {
            let x = self.get(end.checked_sub(1)?).column[0];
            let row = self.row_from(self.first_at([x, i32::MIN]))?;
            end = row.first;
            Some(row)
        })
    }
}
