//! Cells: who is near whom, without looking at all.
//!
//! Source: Rapaport, *The Art of Molecular Dynamics Simulation*, 3.4. Balls lie in boxes at least as wide as the largest pair of them
//! reaches, so that what touches is in the same box or in one beside it. Boxes at the rim of an open side have no outer face: a ball
//! may fly away for ever. Who came last is first in a box: of two that a ball meets at the same time it meets the first.

use alloc::vec::Vec;

use glam::DVec3;

use super::near::Near;
use super::room::{FEW, Room, Rooms};

/// In sides, by which image of an axis.
const SIDES: [f64; 3] = [0.0, -1.0, 1.0];

/// A box: its place along each axis.
pub(crate) type Cell = [u32; 3];

/// A cell in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u64);

impl Place {
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

/// Along an axis.
const MOST_BOXES: u32 = 1 << 20;

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
    /// What each place along each axis adds to the number of a box: see [`spots`].
    spots: [Vec<u32>; 3],
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
    pub(crate) fn new(layout: &Layout) -> Self {
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
                if boxes >= 2.0 { boxes.min(f64::from(MOST_BOXES)) as u32 } else { 1 }
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
        let (spots, boxes) = spots(count);
        Self {
            low,
            width: DVec3::from_array(widths),
            count,
            period: *period,
            rooms: Rooms::new(boxes),
            spots,
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

    /// The number of a box, below [`Self::boxes`].
    #[inline(always)]
    pub(crate) fn number(&self, cell: Cell) -> usize {
        let [x, y, z] = [0, 1, 2].map(|axis| self.spots[axis][cell[axis] as usize]);
        (x + y + z) as usize
    }

    /// Where a box comes in rows and layers.
    pub(crate) fn rank(&self, [x, y, z]: Cell) -> usize {
        (z as usize * self.count[1] as usize + y as usize) * self.count[0] as usize + x as usize
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

    pub(crate) fn insert(&mut self, ball: usize, cell: Cell) {
        let number = self.number(cell);
        self.rooms.insert(number, ball as u32);
    }

    pub(crate) fn remove(&mut self, ball: usize, cell: Cell) {
        let number = self.number(cell);
        self.rooms.remove(number, ball as u32);
    }

    /// Moves a ball one box on, and says into which, and by how much its position must be shifted where a side comes round.
    pub(crate) fn step(&mut self, ball: usize, mut cell: Cell, axis: usize, up: bool) -> (Cell, f64) {
        self.remove(ball, cell);
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
        (cell, shift)
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
                let image = 9 * image_z + 3 * image_y;
                for &(i, image_x) in &x[..nx] {
                    visit(Beside { number: self.number([i, j, k]), image: image + image_x });
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
            self.visit_rows(from, long, |room| self.take(room, near));
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

    /// Puts those in the boxes from one to another on a list from a place on, and says where it ends then; boxes beyond the rim are the ones at
    /// it, and those that have many are left out. The list must have room for [`FEW`] a box.
    #[inline(always)]
    pub(crate) fn list(&self, first: Cell, last: Cell, list: &mut [u32], mut end: usize) -> usize {
        let rim = self.count.map(|count| count - 1);
        let from = [0, 1, 2].map(|axis| first[axis].min(rim[axis]) as usize);
        let long = [0, 1, 2].map(|axis| last[axis].min(rim[axis]) as usize + 1 - from[axis]);
        self.visit_rows(from, long, |room| {
            let (balls, count) = room.some();
            list[end..end + FEW].copy_from_slice(balls);
            end += count;
        });
        end
    }

    /// Visits the boxes from these places on, so many along each axis.
    #[inline(always)]
    fn visit_rows(&self, from: [usize; 3], long: [usize; 3], mut visit: impl FnMut(&Room)) {
        let [x, y, z] = [0, 1, 2].map(|axis| &self.spots[axis][from[axis]..from[axis] + long[axis]]);
        let follow = x[long[0] - 1] - x[0] == long[0] as u32 - 1;
        for k in z {
            for j in y {
                if follow {
                    let start = (x[0] + j + k) as usize;
                    self.rooms.row(start, long[0]).iter().for_each(&mut visit);
                } else {
                    x.iter().for_each(|i| visit(&self.rooms.row((i + j + k) as usize, 1)[0]));
                }
            }
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

/// The sides of a block of boxes: it fills a page of memory.
const BLOCK: [u32; 3] = [16, 4, 4];

/// Boxes are numbered by blocks, and within those in rows and layers: those around one are in few pages, and most that follow each other in a row
/// have numbers that do. What each place along each axis adds to the number, and how many numbers there are: some of boxes that are not there.
fn spots(count: [u32; 3]) -> ([Vec<u32>; 3], usize) {
    let long = [0, 1, 2].map(|axis| BLOCK[axis].min(count[axis].next_power_of_two()));
    let (mut inside, mut outside) = (1, long.iter().product::<u32>());
    let spots = [0, 1, 2].map(|axis| {
        let spots = (0..count[axis]).map(|x| x % long[axis] * inside + x / long[axis] * outside).collect();
        inside *= long[axis];
        outside *= count[axis].div_ceil(long[axis]);
        spots
    });
    (spots, outside as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_box_has_a_number_of_its_own() {
        for count in [[1, 1, 1], [5, 1, 2], [17, 3, 9], [40, 3, 1], [16, 8, 8]] {
            let (spots, all) = spots(count);
            let mut seen = alloc::vec![false; all];
            for (z, y, x) in (0..count[2])
                .flat_map(|z| (0..count[1]).flat_map(move |y| (0..count[0]).map(move |x| (z, y, x))))
            {
                let number = spots[0][x as usize] + spots[1][y as usize] + spots[2][z as usize];
                assert!(!core::mem::replace(&mut seen[number as usize], true), "{count:?} {x} {y} {z}");
            }
        }
    }

    #[test]
    fn a_cell_in_one_word_is_itself() {
        for cell in [[0, 0, 0], [1, 2, 3], [MOST_BOXES - 1, 0, MOST_BOXES - 1], [0, MOST_BOXES - 1, 0]] {
            assert_eq!(Place::of(cell).cell(), cell);
        }
    }
}
