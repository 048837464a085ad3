//! One sample of the floor.

use std::cmp::Ordering;

use glam::DVec3;

/// A piece of floor as large as a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Which column of the grid: x and z by the cell.
    pub column: [i32; 2],
    /// The height of the floor at the column's middle, in meters.
    pub height: f64,
    /// Whether the flood reached it.
    pub is_reached: bool,
}

impl Sample {
    /// The order of all samples: by column, then by height.
    pub(super) fn by_column(&self, other: &Self) -> Ordering {
        self.column.cmp(&other.column).then(self.height.total_cmp(&other.height))
    }

    /// The middle of its piece of floor, in meters.
    pub(super) fn point(&self, cell: f64) -> DVec3 {
        DVec3::new(middle(self.column[0], cell), self.height, middle(self.column[1], cell))
    }
}

/// The middle of a row or column.
pub(super) fn middle(index: i32, cell: f64) -> f64 {
    (f64::from(index) + 0.5) * cell
}
