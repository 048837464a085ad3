//! A number for each column of the grid that has one, in squares of columns.

use std::collections::HashMap;

/// Columns along each side of a square: floor that fills its squares takes little more than a number a
/// column, and a corridor two columns wide no more than a table of columns would.
const SIDE: i32 = 8;
/// No number.
const NONE: u32 = u32::MAX;

/// The columns of a square, by x and then z.
type Square = Box<[u32; (SIDE * SIDE) as usize]>;

/// A sparse map from columns to numbers.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    squares: HashMap<[i32; 2], Square>,
}

impl Columns {
    /// The number of a column.
    pub(crate) fn get(&self, column: [i32; 2]) -> Option<u32> {
        let square = self.squares.get(&column.map(|at| at.div_euclid(SIDE)))?;
        known(square[within(column)])
    }

    /// Gives a column a number below `u32::MAX`, and returns the one that it had.
    pub(crate) fn replace(&mut self, column: [i32; 2], number: u32) -> Option<u32> {
        let square = self.squares.entry(column.map(|at| at.div_euclid(SIDE)));
        let square = square.or_insert_with(|| Box::new([NONE; (SIDE * SIDE) as usize]));
        known(std::mem::replace(&mut square[within(column)], number))
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        // A slot of the table is a key, a pointer and a byte of control.
        let slot = size_of::<([i32; 2], Square)>() + 1;
        self.squares.len() * 4 * (SIDE * SIDE) as usize + self.squares.capacity() * 8 / 7 * slot
    }
}

fn known(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

fn within([x, z]: [i32; 2]) -> usize {
    (x.rem_euclid(SIDE) * SIDE + z.rem_euclid(SIDE)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_its_own_number() {
        let mut columns = Columns::default();
        let all: Vec<[i32; 2]> = (-20..20).flat_map(|x| (-20..20).map(move |z| [x, z])).collect();
        for (number, column) in (0..).zip(&all) {
            assert_eq!(columns.get(*column), None);
            assert_eq!(columns.replace(*column, number), None);
        }
        for (number, column) in (0..).zip(&all) {
            assert_eq!(columns.get(*column), Some(number));
            assert_eq!(columns.replace(*column, number + 1), Some(number));
        }
        assert_eq!(columns.get([i32::MIN, i32::MAX]), None);
        assert_eq!(columns.replace([i32::MIN, i32::MAX], 7), None);
        assert_eq!(columns.get([i32::MIN, i32::MAX]), Some(7));
    }
}
