//! The boxes that share a brick, the place of bricks in memory, and the boxes around one.
//!
//! A brick is four boxes long and two wide and high, or smaller where boxes hold more balls than fit. A block
//! of 64 bricks fills a page of memory. Every number is a sum of one term for each axis.

use alloc::vec::Vec;
use core::ops::Range;

use crate::balls::grid::brick::{FEW, Run};
use crate::balls::grid::cell::Cell;

/// Boxes of a brick, at most, and bricks of a page: as powers of two.
const BRICK: u32 = 4;
const PAGE: u32 = 6;
/// How far beyond the rim places may be asked for.
const BEFORE: i32 = 2;
/// The mean number of balls to aim at in a brick, below its room: chance brings more.
const FILLED: f64 = FEW as f64 * 0.7;

/// The terms of a place along an axis: for the number of a brick, and for the seat of a box in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spot {
    pub(crate) brick: u32,
    pub(crate) seat: u32,
}

/// A few places along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Along {
    /// Their terms for runs: consecutive places of a brick are one.
    spans: [Run; 4],
    count: u8,
    /// The terms of their bricks, each once.
    bricks: [u32; 4],
    brick_count: u8,
    /// Whether any is seen from an image.
    pub(crate) round: bool,
}

impl Along {
    #[inline(always)]
    pub(crate) fn spans(&self) -> &[Run] {
        &self.spans[..usize::from(self.count)]
    }

    #[inline(always)]
    fn bricks(&self) -> &[u32] {
        &self.bricks[..usize::from(self.brick_count)]
    }

    /// The next place.
    fn push(&mut self, spot: Spot, image: u32, axis: usize) {
        self.round |= image > 0;
        if !self.bricks().contains(&spot.brick) {
            self.bricks[usize::from(self.brick_count)] = spot.brick;
            self.brick_count += 1;
        }
        let count = usize::from(self.count);
        // Boxes of a brick are consecutive along the first axis only.
        if axis == 0 && count > 0 {
            let last = &mut self.spans[count - 1];
            if last.brick() == spot.brick && last.image() == image {
                *last = Run::new(spot.brick, last.first(), spot.seat, image);
                return;
            }
        }
        self.spans[count] = Run::new(spot.brick, spot.seat, spot.seat, image);
        self.count += 1;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Grid {
    spots: [Vec<Spot>; 3],
    /// One place, three and four consecutive ones, by the first of them, counted from [`BEFORE`] places
    /// before the rim.
    one: [Vec<Along>; 3],
    three: [Vec<Along>; 3],
    four: [Vec<Along>; 3],
    /// The boxes of a brick along each axis, as powers of two.
    boxes: u32,
    bricks: usize,
}

impl Grid {
    /// From the number of places along each axis, whether the sides are periodic, and the mean number of
    /// balls in a box.
    pub(crate) fn new(count: [u32; 3], round: [bool; 3], in_a_box: f64) -> Self {
        let mut boxes = BRICK;
        while boxes > 0 && in_a_box * f64::from(1u32 << boxes) > FILLED {
            boxes -= 1;
        }
        let brick = deal(boxes, count);
        let along = [0, 1, 2].map(|axis| count[axis].div_ceil(1 << brick[axis]));
        let page = deal(PAGE, along);
        let (mut seats, mut inside, mut outside) = (1, 1, 1 << page.iter().sum::<u32>());
        let spots = [0, 1, 2].map(|axis| {
            let (seat, place) = ((1 << brick[axis]) - 1, (1 << page[axis]) - 1);
            let spots: Vec<Spot> = (0..count[axis])
                .map(|x| {
                    let at = x >> brick[axis];
                    let brick = (at & place) * inside + (at >> page[axis]) * outside;
                    Spot { brick, seat: 4 * (x & seat) * seats }
                })
                .collect();
            seats <<= brick[axis];
            inside <<= page[axis];
            outside *= along[axis].div_ceil(1 << page[axis]);
            spots
        });
        let follow = |long: i32| {
            [0, 1, 2].map(|axis| {
                let from = |place: i32| places(&spots[axis], axis, round[axis], place..place + long);
                (-BEFORE..count[axis] as i32 + BEFORE).map(from).collect()
            })
        };
        let (one, three, four) = (follow(1), follow(3), follow(4));
        Self { spots, one, three, four, boxes: brick.iter().sum(), bricks: outside as usize }
    }

    pub(crate) fn bricks(&self) -> usize {
        self.bricks
    }

    pub(crate) fn boxes(&self) -> usize {
        self.bricks << self.boxes
    }

    /// The brick of a box, and its seat there.
    #[inline(always)]
    pub(crate) fn home(&self, cell: Cell) -> Spot {
        let [x, y, z] = [0, 1, 2].map(|axis| self.spots[axis][cell[axis] as usize]);
        Spot { brick: x.brick + y.brick + z.brick, seat: x.seat + y.seat + z.seat }
    }

    /// The number of a box, below [`Self::boxes`].
    #[inline(always)]
    pub(crate) fn number(&self, cell: Cell) -> usize {
        let Spot { brick, seat } = self.home(cell);
        (brick as usize) << self.boxes | (seat / 4) as usize
    }

    /// The places at and beside one along an axis.
    #[inline(always)]
    pub(crate) fn beside(&self, axis: usize, place: u32) -> &Along {
        &self.three[axis][(place as i32 - 1 + BEFORE) as usize]
    }

    /// The places at and beside two consecutive ones.
    #[inline(always)]
    pub(crate) fn beside_two(&self, axis: usize, place: i32) -> &Along {
        &self.four[axis][(place - 1 + BEFORE) as usize]
    }

    /// A place, no farther than [`BEFORE`] beyond the rim.
    #[inline(always)]
    pub(crate) fn one(&self, axis: usize, place: i32) -> &Along {
        &self.one[axis][(place + BEFORE) as usize]
    }
}

/// Places along an axis, in place or seen from an image; those beyond the rim of an open side are left out.
fn places(spots: &[Spot], axis: usize, round: bool, places: Range<i32>) -> Along {
    let mut found = Along::default();
    let count = spots.len() as i32;
    for place in places {
        // Positions beyond the upper face are seen one side higher.
        let (at, image) = if place < 0 {
            (place + count, 1)
        } else if place >= count {
            (place - count, 2)
        } else {
            (place, 0)
        };
        // A periodic side of one box is its own neighbor once.
        if let Some(&spot) = spots.get(at as usize)
            && (image == 0 || round)
        {
            found.push(spot, image * [1, 3, 9][axis], axis);
        }
    }
    found
}

/// Visits the runs that the places along the three axes have in common, in rows and layers.
#[inline(always)]
pub(crate) fn visit_runs([x, y, z]: [&Along; 3], mut visit: impl FnMut(Run)) {
    let (x, y) = (x.spans(), y.spans());
    for z in z.spans() {
        for y in y {
            let start = z.and(*y);
            for x in x {
                visit(start.and(*x));
            }
        }
    }
}

/// Visits the bricks that the places along the three axes have in common, each once.
#[inline(always)]
pub(crate) fn visit_bricks([x, y, z]: [&Along; 3], mut visit: impl FnMut(u32)) {
    for z in z.bricks() {
        for y in y.bricks() {
            for x in x.bricks() {
                visit(x + y + z);
            }
        }
    }
}

/// Deals doublings out to the axes in turn, to none more than it has places for.
fn deal(doublings: u32, count: [u32; 3]) -> [u32; 3] {
    let most = count.map(|count| count.next_power_of_two().trailing_zeros());
    let mut dealt = [0; 3];
    for _ in 0..doublings {
        // The first axis with the fewest.
        let axis = (0..3).filter(|&axis| dealt[axis] < most[axis]).min_by_key(|&axis| dealt[axis]);
        if let Some(axis) = axis {
            dealt[axis] += 1;
        }
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const COUNTS: [[u32; 3]; 6] = [[1, 1, 1], [5, 1, 2], [17, 3, 9], [40, 3, 1], [16, 8, 8], [3, 2, 70]];

    fn cells(count: [u32; 3]) -> impl Iterator<Item = Cell> {
        (0..count[2])
            .flat_map(move |z| (0..count[1]).flat_map(move |y| (0..count[0]).map(move |x| [x, y, z])))
    }

    #[test]
    fn every_box_has_a_number_of_its_own() {
        for (count, in_a_box) in
            COUNTS.into_iter().flat_map(|count| [(count, 0.5), (count, 1.0), (count, 99.0)])
        {
            let grid = Grid::new(count, [false; 3], in_a_box);
            let mut seen = vec![false; grid.boxes()];
            for cell in cells(count) {
                let Spot { brick, seat } = grid.home(cell);
                assert!((brick as usize) < grid.bricks() && seat < 4 << grid.boxes);
                let number = grid.number(cell);
                assert!(!core::mem::replace(&mut seen[number], true), "{count:?} {cell:?}");
            }
        }
    }

    #[test]
    fn around_a_box_are_its_neighbors_and_nobody_else() {
        for (count, round) in COUNTS.into_iter().flat_map(|count| [(count, false), (count, true)]) {
            let grid = Grid::new(count, [round; 3], 0.5);
            for cell in cells(count) {
                let mut found = Vec::new();
                visit_runs([0, 1, 2].map(|axis| grid.beside(axis, cell[axis])), |run| {
                    for seat in (run.first()..=run.last()).step_by(4) {
                        let number = (run.brick() as usize) << grid.boxes | (seat / 4) as usize;
                        found.push((number, run.image()));
                    }
                });
                let mut expected = Vec::new();
                for step in cells([3, 3, 3]) {
                    let (mut at, mut image, mut there) = (cell, 0, true);
                    for axis in 0..3 {
                        let place = i64::from(cell[axis]) + i64::from(step[axis]) - 1;
                        let count = i64::from(count[axis]);
                        at[axis] = place.rem_euclid(count) as u32;
                        let way = if place < 0 { 1 } else { 2 * u32::from(place >= count) };
                        image += way * [1, 3, 9][axis];
                        there &= way == 0 || round;
                    }
                    if there {
                        expected.push((grid.number(at), image));
                    }
                }
                // In rows and layers.
                assert_eq!(found, expected, "{count:?} {cell:?}");
            }
        }
    }

    #[test]
    fn a_brick_holds_no_more_boxes_than_its_balls_allow() {
        for (in_a_box, boxes) in [(0.5, 4), (0.94, 3), (2.0, 2), (4.0, 1), (60.0, 0)] {
            assert_eq!(Grid::new([32; 3], [true; 3], in_a_box).boxes, boxes);
        }
        // On a plane they are as long as they are wide.
        assert_eq!(deal(BRICK, [32, 32, 1]), [2, 2, 0]);
        assert_eq!(deal(BRICK, [32; 3]), [2, 1, 1]);
    }
}
