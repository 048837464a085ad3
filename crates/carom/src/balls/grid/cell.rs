//! A cell of the grid: its place along each axis, plain or packed into one word.

/// Boxes along an axis, at most.
pub(crate) const MOST_BOXES: u32 = 1 << 20;

/// A box: its place along each axis.
pub(crate) type Cell = [u32; 3];

/// A cell in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedCell(u64);

impl PackedCell {
    /// An axis has no more than 2²⁰ boxes.
    pub(crate) fn of(cell: Cell) -> Self {
        let [x, y, z] = cell.map(u64::from);
        Self(x | y << 20 | z << 40)
    }

    #[inline(always)]
    pub(crate) fn cell(self) -> Cell {
        [0, 20, 40].map(|shift| (self.0 >> shift) as u32 & (MOST_BOXES - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_in_one_word_is_itself() {
        for cell in [[0, 0, 0], [1, 2, 3], [MOST_BOXES - 1, 0, MOST_BOXES - 1], [0, MOST_BOXES - 1, 0]] {
            assert_eq!(PackedCell::of(cell).cell(), cell);
        }
    }
}
