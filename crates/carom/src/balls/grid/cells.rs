//! Cells: finds the balls near a ball without testing all of them.
//!
//! Source: Rapaport, *The Art of Molecular Dynamics Simulation*, 3.4. Cells are at least as wide as the reach
//! of the largest pair of balls, so touching balls are in the same cell or in neighboring cells. Cells at the
//! rim of an open side have no outer face: a ball may fly away forever. Neighboring cells share a
//! [brick](crate::balls::grid::brick): the cells around one are in six or eight bricks.

use glam::DVec3;

use crate::balls::grid::brick::Bricks;
use crate::balls::grid::brick_grid::{Along, Grid, Spot, visit_bricks, visit_runs};
use crate::balls::grid::cell::{Cell, MOST_BOXES};
use crate::balls::grid::neighbor_list::NeighborList;
use crate::prefetch::prefetch_far;

/// The shift of an image along an axis, in sides.
const SIDES: [f64; 3] = [0.0, -1.0, 1.0];

/// The input of [`Cells::new`].
pub(crate) struct Layout {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
    /// The least width of a box.
    pub(crate) least_width: f64,
    /// The wanted number of boxes.
    pub(crate) wanted: usize,
    pub(crate) balls: usize,
    /// How many balls a box may hold where they gather; 0 if they stay spread.
    pub(crate) piled: f64,
    /// The lengths of the periodic sides, 0 for open ones.
    pub(crate) period: DVec3,
}

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    low: DVec3,
    width: DVec3,
    count: [u32; 3],
    period: DVec3,
    bricks: Bricks,
    grid: Grid,
    /// The shift of positions in a box that is seen across a periodic side, by image: see
    /// [`Run`](crate::balls::grid::brick::Run).
    images: [DVec3; 27],
}

/// A block of boxes: the product of these places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBlock<'a>([&'a Along; 3]);

impl Cells {
    pub(crate) fn new(layout: &Layout) -> Self {
        let Layout { low, high, least_width, wanted, balls, piled, period } = layout;
        let mut low = *low;
        let mut extent = *high - low;
        for axis in 0..3 {
            if period[axis] > 0.0 {
                low[axis] = 0.0;
                extent[axis] = period[axis];
            }
        }
        // Wider boxes until there are not too many; a side shorter than two boxes is one, its own neighbor if
        // it is periodic.
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
        let boxes: f64 = count.iter().map(|&count| f64::from(count)).product();
        let round = [0, 1, 2].map(|axis| period[axis] > 0.0);
        let grid = Grid::new(count, round, (*balls as f64 / boxes).max(*piled));
        Self {
            low,
            width: DVec3::from_array(widths),
            count,
            period: *period,
            bricks: Bricks::new(grid.bricks()),
            grid,
            images: core::array::from_fn(|image| {
                DVec3::from_array([image % 3, image / 3 % 3, image / 9].map(|way| SIDES[way])) * *period
            }),
        }
    }

    /// The shift of positions in a box, by the image from which it is seen.
    pub(crate) fn images(&self) -> &[DVec3; 27] {
        &self.images
    }

    pub(crate) fn boxes(&self) -> usize {
        self.grid.boxes()
    }

    /// The box of a place; beyond the rim, the box at the rim.
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
        self.grid.number(cell)
    }

    /// The rank of a box in rows and layers.
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
        let Spot { brick, seat } = self.grid.home(cell);
        self.bricks.insert(brick, seat, ball as u32);
    }

    pub(crate) fn remove(&mut self, ball: usize, cell: Cell) {
        let Spot { brick, seat } = self.grid.home(cell);
        self.bricks.remove(brick, seat, ball as u32);
    }

    /// Moves a ball one box on: the new box, and the shift of its position where the side is periodic.
    pub(crate) fn step(&mut self, ball: usize, cell: Cell, axis: usize, up: bool) -> (Cell, f64) {
        let (next, shift) = self.next(cell, axis, up);
        self.remove(ball, cell);
        self.insert(ball, next);
        (next, shift)
    }

    /// The next cell along an axis, and the shift of positions where the side is periodic.
    #[inline(always)]
    pub(crate) fn next(&self, mut cell: Cell, axis: usize, up: bool) -> (Cell, f64) {
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
        (cell, shift)
    }

    /// The number of boxes along each axis.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u32; 3] {
        self.count
    }

    /// Visits the balls at and beside `cell`, each with the shift of its position.
    pub(crate) fn visit_beside(&self, cell: Cell, mut visit: impl FnMut(usize, DVec3)) {
        visit_runs([0, 1, 2].map(|axis| self.grid.beside(axis, cell[axis])), |run| {
            for &ball in self.bricks.members(run) {
                visit(ball as usize, self.images[run.image() as usize]);
            }
        });
    }

    /// Lists the balls at and beside `cell`: of all boxes, or only of those ahead along an axis.
    #[inline(always)]
    pub(crate) fn gather(&self, cell: Cell, ahead: Option<(usize, bool)>, list: &mut NeighborList) {
        let mut along = [0, 1, 2].map(|axis| self.grid.beside(axis, cell[axis]));
        if let Some((axis, up)) = ahead {
            along[axis] = self.grid.one(axis, cell[axis] as i32 + if up { 1 } else { -1 });
        }
        let round = along[0].round | along[1].round | along[2].round;
        self.fill(along, round, list);
    }

    #[inline(always)]
    fn fill(&self, along: [&Along; 3], round: bool, list: &mut NeighborList) {
        let bricks = self.bricks.all();
        let (balls, images) = list.make_room(self.bricks.most());
        let images = &mut images[..balls.len()];
        let mut end = 0u32;
        visit_runs(along, |run| {
            // Four are written; the list ends after those that belong to the run.
            let four = end as usize..end as usize + 4;
            let copied = bricks[run.brick() as usize].copy(run, &mut balls[four.clone()]);
            if round {
                images[four.clone()].copy_from_slice(&[run.image() as u8; 4]);
            }
            let count = copied.unwrap_or_else(|| {
                let count = self.bricks.copy_many(run, &mut balls[four.start..]);
                if round {
                    images[four.start..][..count].fill(run.image() as u8);
                }
                count
            });
            end += count as u32;
        });
        list.ends(end as usize, round);
    }

    /// The boxes at and beside two neighbors; at and beside the first alone, if they are not neighbors.
    #[inline(always)]
    pub(crate) fn around(&self, cell: Cell, other: Cell) -> CellBlock<'_> {
        CellBlock([0, 1, 2].map(|axis| {
            let (place, last) = (cell[axis] as i32, self.count[axis] as i32 - 1);
            let step = other[axis] as i32 - place;
            // One farther may be one back, where a side is periodic.
            match if last > 1 && step.abs() == last { -step.signum() } else { step } {
                1 => self.grid.beside_two(axis, place),
                -1 => self.grid.beside_two(axis, place - 1),
                _ => self.grid.beside(axis, cell[axis]),
            }
        }))
    }

    /// The boxes that come into view when a ball leaves its own.
    #[inline(always)]
    pub(crate) fn ahead(&self, cell: Cell, axis: usize, up: bool) -> CellBlock<'_> {
        let mut along = [0, 1, 2].map(|axis| self.grid.beside(axis, cell[axis]));
        along[axis] = self.grid.one(axis, cell[axis] as i32 + if up { 2 } else { -2 });
        CellBlock(along)
    }

    /// A ball's own box and those before and behind it.
    #[inline(always)]
    pub(crate) fn along(&self, cell: Cell, axis: usize) -> CellBlock<'_> {
        let mut along = [0, 1, 2].map(|axis| self.grid.one(axis, cell[axis] as i32));
        along[axis] = self.grid.beside(axis, cell[axis]);
        CellBlock(along)
    }

    /// Fetches the bricks of some cells.
    #[inline(always)]
    pub(crate) fn fetch(&self, part: &CellBlock<'_>) {
        let bricks = self.bricks.all();
        visit_bricks(part.0, |brick| prefetch_far(&bricks[brick as usize]));
    }

    /// Visits the boxes that overlap a part of space.
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
