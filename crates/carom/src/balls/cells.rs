//! Cells: who is near whom, without looking at all.
//!
//! Source: Rapaport, *The Art of Molecular Dynamics Simulation*, 3.4. Balls lie in boxes at least as wide as the largest pair of them
//! reaches, so that what touches is in the same box or in one beside it. Boxes at the rim of an open side have no outer face: a ball
//! may fly away for ever. Lists are linked through the balls; their order never decides anything.

use alloc::vec::Vec;

use glam::DVec3;

/// The end of a list.
const NONE: u32 = u32::MAX;

/// A box: its place along each axis.
pub(crate) type Cell = [u32; 3];

/// What [`Cells::new`] is told.
pub(crate) struct Layout {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
    /// No box is narrower.
    pub(crate) least_width: f64,
    /// About how many boxes are wanted.
    pub(crate) wanted: usize,
    /// The lengths of the sides that come round again, 0 for open ones.
    pub(crate) period: DVec3,
}

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    low: DVec3,
    width: DVec3,
    count: [u32; 3],
    period: DVec3,
    heads: Vec<u32>,
    links: Vec<[u32; 2]>,
    places: Vec<Cell>,
}

/// Boxes in rows along x: the numbers of their firsts, and how many boxes a row has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) starts: [usize; 9],
    pub(crate) count: usize,
    pub(crate) long: usize,
}

/// A box beside one: its number, and what to add to the positions in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    pub(crate) head: usize,
    pub(crate) shift: DVec3,
}

impl Cells {
    pub(crate) fn new(layout: &Layout, balls: usize) -> Self {
        let Layout { low, high, least_width, wanted, period } = layout;
        let mut low = *low;
        let mut extent = *high - low;
        for axis in 0..3 {
            if period[axis] > 0.0 {
                low[axis] = 0.0;
                extent[axis] = period[axis];
            }
        }
        // Wider boxes until they are not too many; a side shorter than two boxes is one, beside itself if it comes round.
        let split = |width: f64| {
            [0, 1, 2].map(|axis| {
                let boxes = extent[axis] / width;
                if boxes >= 2.0 { boxes.min(f64::from(1 << 20)) as u32 } else { 1 }
            })
        };
        let mut width = *least_width;
        let mut count = split(width);
        while count.iter().map(|&n| n as usize).product::<usize>() > (*wanted).max(27) {
            width *= 1.0625;
            let wider = split(width);
            if wider == count && !extent.is_finite() {
                break;
            }
            count = wider;
        }
        let widths = [0, 1, 2].map(|axis| {
            let width = extent[axis] / f64::from(count[axis]);
            if width > 0.0 && width.is_finite() { width } else { *least_width }
        });
        let boxes = count.iter().map(|&n| n as usize).product();
        Self {
            low,
            width: DVec3::from_array(widths),
            count,
            period: *period,
            heads: alloc::vec![NONE; boxes],
            links: alloc::vec![[NONE; 2]; balls],
            places: alloc::vec![[0; 3]; balls],
        }
    }

    pub(crate) fn boxes(&self) -> usize {
        self.heads.len()
    }

    /// The box of a place; of one beyond the rim, the box at the rim.
    pub(crate) fn at(&self, position: DVec3) -> Cell {
        [0, 1, 2].map(|axis| {
            // Casting saturates: what lies below the rim is box 0.
            let place = ((position[axis] - self.low[axis]) / self.width[axis]) as u32;
            place.min(self.count[axis] - 1)
        })
    }

    pub(crate) fn number(&self, cell: Cell) -> usize {
        (cell[2] as usize * self.count[1] as usize + cell[1] as usize) * self.count[0] as usize
            + cell[0] as usize
    }

    /// The lower and upper face along an axis; infinite at an open rim.
    #[inline]
    pub(crate) fn faces(&self, cell: Cell, axis: usize) -> [f64; 2] {
        let place = cell[axis];
        let open = self.period[axis] <= 0.0;
        let low = self.low[axis] + self.width[axis] * f64::from(place);
        let high = self.low[axis] + self.width[axis] * f64::from(place + 1);
        [
            if open && place == 0 { f64::NEG_INFINITY } else { low },
            if open && place + 1 == self.count[axis] { f64::INFINITY } else { high },
        ]
    }

    #[inline]
    pub(crate) fn cell(&self, ball: usize) -> Cell {
        self.places[ball]
    }

    pub(crate) fn insert(&mut self, ball: usize, cell: Cell) {
        let number = self.number(cell);
        let next = self.heads[number];
        if next != NONE {
            self.links[next as usize][0] = ball as u32;
        }
        self.links[ball] = [NONE, next];
        self.heads[number] = ball as u32;
        self.places[ball] = cell;
    }

    pub(crate) fn remove(&mut self, ball: usize) {
        let [before, next] = self.links[ball];
        if before == NONE {
            let number = self.number(self.places[ball]);
            self.heads[number] = next;
        } else {
            self.links[before as usize][1] = next;
        }
        if next != NONE {
            self.links[next as usize][0] = before;
        }
    }

    /// Moves a ball one box on, and says by how much its position must be shifted where a side comes round.
    pub(crate) fn step(&mut self, ball: usize, axis: usize, up: bool) -> f64 {
        self.remove(ball);
        let mut cell = self.places[ball];
        let last = self.count[axis] - 1;
        let mut shift = 0.0;
        if up {
            if cell[axis] < last {
                cell[axis] += 1;
            } else {
                cell[axis] = 0;
                shift = -self.period[axis];
            }
        } else if cell[axis] > 0 {
            cell[axis] -= 1;
        } else {
            cell[axis] = last;
            shift = self.period[axis];
        }
        self.insert(ball, cell);
        shift
    }

    /// Along one axis: the places beside one, and the shift of each.
    #[inline(always)]
    fn around(&self, place: u32, axis: usize, from: i32, until: i32) -> ([(u32, f64); 3], usize) {
        let inside = place > 0 && place + 1 < self.count[axis];
        if inside && from < until {
            return ([(place - 1, 0.0), (place, 0.0), (place + 1, 0.0)], 3);
        }
        let mut found = [(0, 0.0); 3];
        let mut number = 0;
        let count = self.count[axis] as i32;
        for step in from..=until {
            let at = place as i32 + step;
            if at >= 0 && at < count {
                found[number] = (at as u32, 0.0);
            } else if self.period[axis] > 0.0 {
                // What lies beyond the upper face is seen one period higher.
                found[number] = if at < 0 {
                    ((at + count) as u32, -self.period[axis])
                } else {
                    ((at - count) as u32, self.period[axis])
                };
            } else {
                continue;
            }
            number += 1;
        }
        (found, number)
    }

    /// The boxes at and beside `cell` if it is not at the rim: all, or only those ahead along an axis.
    #[inline]
    pub(crate) fn rows(&self, cell: Cell, ahead: Option<(usize, bool)>) -> Option<Rows> {
        let inside = |axis: usize| cell[axis] > 0 && cell[axis] + 1 < self.count[axis];
        if !(inside(0) && inside(1) && inside(2)) {
            return None;
        }
        let mut from = [0, 1, 2].map(|axis| cell[axis] as usize - 1);
        let mut long = [3; 3];
        if let Some((axis, up)) = ahead {
            from[axis] += if up { 2 } else { 0 };
            long[axis] = 1;
        }
        let mut rows = Rows { starts: [0; 9], count: 0, long: long[0] };
        for k in from[2]..from[2] + long[2] {
            for j in from[1]..from[1] + long[1] {
                rows.starts[rows.count] = (k * self.count[1] as usize + j) * self.count[0] as usize + from[0];
                rows.count += 1;
            }
        }
        Some(rows)
    }

    /// The boxes at and beside `cell`: all, or only those ahead along an axis.
    #[inline]
    pub(crate) fn beside(&self, cell: Cell, ahead: Option<(usize, bool)>, mut visit: impl FnMut(Beside)) {
        let mut range = [[-1, 1]; 3];
        if let Some((axis, up)) = ahead {
            range[axis] = if up { [1, 1] } else { [-1, -1] };
        }
        let [(x, nx), (y, ny), (z, nz)] =
            [0, 1, 2].map(|axis| self.around(cell[axis], axis, range[axis][0], range[axis][1]));
        for &(k, shift_z) in &z[..nz] {
            for &(j, shift_y) in &y[..ny] {
                let row = (k as usize * self.count[1] as usize + j as usize) * self.count[0] as usize;
                for &(i, shift_x) in &x[..nx] {
                    visit(Beside { head: row + i as usize, shift: DVec3::new(shift_x, shift_y, shift_z) });
                }
            }
        }
    }

    /// The balls of a box.
    #[inline]
    pub(crate) fn members(&self, head: usize) -> Members<'_> {
        Members { links: &self.links, next: self.heads[head] }
    }

    /// The boxes that a part of space may reach into.
    pub(crate) fn overlapping(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(Cell)) {
        let (first, last) = (self.at(low), self.at(high));
        for k in first[2]..=last[2] {
            for j in first[1]..=last[1] {
                for i in first[0]..=last[0] {
                    visit([i, j, k]);
                }
            }
        }
    }
}

pub(crate) struct Members<'a> {
    links: &'a [[u32; 2]],
    next: u32,
}

impl Iterator for Members<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next == NONE {
            return None;
        }
        let ball = self.next as usize;
        self.next = self.links[ball][1];
        Some(ball)
    }
}
