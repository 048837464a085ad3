//! The periodic images through which two balls touch.

use glam::DVec3;

use crate::balls::table::Table;
use crate::num::ops::sqrt;

impl Table {
    /// From the second to the first, the way round on which they touch: the short one, or where both are as
    /// short the one on which they come nearer.
    pub(crate) fn offset(&self, i: usize, j: usize) -> DVec3 {
        let mut offset = self.hot[i].position - self.hot[j].position;
        let sum = self.radii.of(i) + self.radii.of(j);
        let velocity = self.hot[i].velocity - self.hot[j].velocity;
        for axis in 0..3 {
            let side = self.rules.periodic[axis];
            if side > 0.0 {
                if offset[axis] > 0.5 * side {
                    offset[axis] -= side;
                } else if offset[axis] < -0.5 * side {
                    offset[axis] += side;
                }
                // Where a side is hardly longer than two balls are wide, they may touch on either: to a
                // billionth of the sum of their radii, for rounding.
                let other = offset[axis] - if offset[axis] > 0.0 { side } else { -side };
                if other.abs() <= sum * (1.0 + 1e-9) && other * velocity[axis] < offset[axis] * velocity[axis]
                {
                    let mut round = offset;
                    round[axis] = other;
                    let apart = |v: DVec3| (sqrt(v.length_squared()) - sum).abs();
                    if apart(round) <= apart(offset) + 1e-9 * sum {
                        offset = round;
                    }
                }
            }
        }
        offset
    }
}
