//! Cells: who is near whom, without looking at all.
//!
//! Source: Rapaport, *The Art of Molecular Dynamics Simulation*, 3.4. Balls lie in boxes at least as wide as the largest pair of them
//! reaches, so that what touches is in the same box or in one beside it. Boxes at the rim of an open side have no outer face: a ball
//! may fly away for ever. Who came last is first in a box: of two that a ball meets at the same time it meets the first.

use alloc::vec::Vec;

use glam::DVec3;

use super::near::Near;
use super::room::{Room, Rooms};

/// In sides, by which image of an axis.
const SIDES: [f64; 3] = [0.0, -1.0, 1.0];

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
    rooms: Rooms,
    places: Vec<Cell>,
    /// What to add to the positions in a box that is seen round a side, by image: see [`Cells::around`].
    images: [DVec3; 27],
}

/// A box beside one: its number, and from which image it is seen.
#[derive(Clone, Copy, Debug)]
struct Beside {
    number: usize,
    image: u8,
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
            rooms: Rooms::new(boxes),
            places: alloc::vec![[0; 3]; balls],
            images: core::array::from_fn(|image| {
                DVec3::from_array([image % 3, image / 3 % 3, image / 9].map(|way| SIDES[way])) * *period
            }),
        }
    }

    /// What to add to the positions in a box, by the image from which it is seen.
    pub(crate) fn images(&self) -> &[DVec3; 27] {
        &self.images
    }

    pub(crate) fn boxes(&self) -> usize {
        self.rooms.len()
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
        self.rooms.insert(number, ball as u32);
        self.places[ball] = cell;
    }

    pub(crate) fn remove(&mut self, ball: usize) {
        let number = self.number(self.places[ball]);
        self.rooms.remove(number, ball as u32);
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

    /// Along one axis: the places beside one, and each one's image: 0 as it is, 1 a side lower, 2 a side higher.
    #[inline(always)]
    fn around(&self, place: u32, axis: usize, from: i32, until: i32) -> ([(u32, u8); 3], usize) {
        let inside = place > 0 && place + 1 < self.count[axis];
        if inside && from < until {
            return ([(place - 1, 0), (place, 0), (place + 1, 0)], 3);
        }
        let mut found = [(0, 0); 3];
        let mut number = 0;
        let count = self.count[axis] as i32;
        for step in from..=until {
            let at = place as i32 + step;
            if at >= 0 && at < count {
                found[number] = (at as u32, 0);
            } else if self.period[axis] > 0.0 {
                // What lies beyond the upper face is seen one period higher.
                found[number] = if at < 0 { ((at + count) as u32, 1) } else { ((at - count) as u32, 2) };
            } else {
                continue;
            }
            number += 1;
        }
        (found, number)
    }

    /// The boxes at and beside `cell`: all, or only those ahead along an axis.
    #[inline(always)]
    fn beside(&self, cell: Cell, ahead: Option<(usize, bool)>, mut visit: impl FnMut(Beside)) {
        let mut range = [[-1, 1]; 3];
        if let Some((axis, up)) = ahead {
            range[axis] = if up { [1, 1] } else { [-1, -1] };
        }
        let [(x, nx), (y, ny), (z, nz)] =
            [0, 1, 2].map(|axis| self.around(cell[axis], axis, range[axis][0], range[axis][1]));
        for &(k, image_z) in &z[..nz] {
            for &(j, image_y) in &y[..ny] {
                let row = (k as usize * self.count[1] as usize + j as usize) * self.count[0] as usize;
                let image = 9 * image_z + 3 * image_y;
                for &(i, image_x) in &x[..nx] {
                    visit(Beside { number: row + i as usize, image: image + image_x });
                }
            }
        }
    }

    /// Visits the balls at and beside `cell`, each with what to add to its position.
    pub(crate) fn visit_beside(&self, cell: Cell, mut visit: impl FnMut(usize, DVec3)) {
        self.beside(cell, None, |Beside { number, image }| {
            for &ball in self.rooms.members(number) {
                visit(ball as usize, self.images[image as usize]);
            }
        });
    }

    /// Lists the balls at and beside `cell`: of all boxes, or only of those ahead along an axis.
    #[inline]
    pub(crate) fn gather(&self, cell: Cell, ahead: Option<(usize, bool)>, near: &mut Near) {
        near.clear();
        let inside = |axis: usize| cell[axis] > 0 && cell[axis] + 1 < self.count[axis];
        if inside(0) && inside(1) && inside(2) {
            let mut from = [0, 1, 2].map(|axis| cell[axis] as usize - 1);
            let mut long = [3; 3];
            if let Some((axis, up)) = ahead {
                from[axis] += if up { 2 } else { 0 };
                long[axis] = 1;
            }
            for k in from[2]..from[2] + long[2] {
                for j in from[1]..from[1] + long[1] {
                    let start = (k * self.count[1] as usize + j) * self.count[0] as usize + from[0];
                    for room in self.rooms.row(start, long[0]) {
                        self.take(room, near);
                    }
                }
            }
        } else {
            near.see_round();
            self.beside(cell, ahead, |Beside { number, image }| {
                let before = near.count();
                self.take(&self.rooms.row(number, 1)[0], near);
                near.mark(before, image);
            });
        }
    }

    #[inline(always)]
    fn take(&self, room: &Room, near: &mut Near) {
        match room.few() {
            Some((balls, count)) => near.push_few(balls, count),
            None => near.push_many(self.rooms.crowd(room)),
        }
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
