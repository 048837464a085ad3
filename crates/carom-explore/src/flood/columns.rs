//! A number for each column of the grid that has one, in squares of columns.

use std::collections::HashMap;

use crate::spill::{Block, Blocks, NONE, OF_BLOCK, Spill};

/// Columns along each side of a square, and squares along each side of a region: floor that fills its squares
/// takes little more than a number a column, and a corridor two columns wide no more than a table of columns
/// would.
const SIDE: i32 = 8;
const EMPTY: Block = [NONE; OF_BLOCK];
const _: () = assert!((SIDE * SIDE) as usize == OF_BLOCK);

/// A sparse map from columns to numbers. All but a few bytes for each region of 64 × 64 columns go to a file
/// if they outgrow memory.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// The block of each region.
    regions: HashMap<[i32; 2], usize>,
    /// Of each region, the blocks of its squares; of each square, the numbers of its columns.
    blocks: Blocks,
}

impl Columns {
    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { regions: HashMap::new(), blocks: Blocks::new(spill) }
    }

    /// The number of a column.
    pub(crate) fn get(&self, column: [i32; 2]) -> Option<u32> {
        let [square, region] = around(column);
        let region = self.regions.get(&region)?;
        let block = known(self.blocks.get(*region, within(square)))?;
        known(self.blocks.get(block as usize, within(column)))
    }

    /// Gives a column a number below `u32::MAX`, and returns the one that it had.
    pub(crate) fn replace(&mut self, column: [i32; 2], number: u32) -> Option<u32> {
        let [square, region] = around(column);
        let region = *self.regions.entry(region).or_insert_with(|| self.blocks.push(EMPTY));
        let block = known(self.blocks.get(region, within(square))).map_or_else(
            || {
                let block = self.blocks.push(EMPTY);
                self.blocks.replace(region, within(square), block as u32);
                block
            },
            |block| block as usize,
        );
        known(self.blocks.replace(block, within(column), number))
    }

    /// Bytes held in memory.
    pub(crate) fn memory(&self) -> usize {
        // A slot of the table is a key, a number and a byte of control.
        let slot = size_of::<([i32; 2], usize)>() + 1;
        self.blocks.memory() + self.regions.capacity() * 8 / 7 * slot
    }
}

fn known(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

/// The square of a column, and its region.
fn around(column: [i32; 2]) -> [[i32; 2]; 2] {
    let square = column.map(|at| at.div_euclid(SIDE));
    [square, square.map(|at| at.div_euclid(SIDE))]
}

/// Where a column is in its square, or a square in its region.
fn within([x, z]: [i32; 2]) -> usize {
    (x.rem_euclid(SIDE) * SIDE + z.rem_euclid(SIDE)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_its_own_number() {
        let spill = Spill::new(tempfile::tempfile, 1 << 12);
        for spill in [None, Some(&spill)] {
            let mut columns = Columns::new(spill);
            let all: Vec<[i32; 2]> = (-80..80).flat_map(|x| (-20..20).map(move |z| [x, z])).collect();
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
        assert_eq!(spill.fault(), None);
    }

    #[test]
    fn without_room_on_the_disk_a_number_is_right_or_lost() {
        let spill = Spill::new(|| Err(std::io::ErrorKind::StorageFull.into()), 1 << 12);
        let mut columns = Columns::new(Some(&spill));
        // Each in a region of its own.
        let all: Vec<[i32; 2]> = (0..200).map(|x| [100 * x, -70 * x]).collect();
        for (number, column) in (0..).zip(&all) {
            columns.replace(*column, number);
            for (number, column) in (0..=number).zip(&all) {
                assert!(columns.get(*column).is_none_or(|found| found == number));
            }
        }
        assert!(spill.fault().is_some());
        assert!(all.iter().any(|column| columns.get(*column).is_none()));
    }

    #[test]
    fn memory_does_not_grow_with_the_level() {
        let spill = Spill::new(tempfile::tempfile, 1 << 14);
        let mut columns = Columns::new(Some(&spill));
        let mut memory = Vec::new();
        for x in 0..1024 {
            (0..256).for_each(|z| {
                columns.replace([x, z], 1);
            });
            memory.push(columns.memory());
        }
        assert!(memory[1023] < memory[255] + 4096, "{} and {}", memory[255], memory[1023]);
    }
}
