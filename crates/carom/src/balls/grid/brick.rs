//! A brick holds the balls of some neighboring boxes: up to fourteen in one cache line, more in a separate
//! list.
//!
//! Boxes are about as wide as a ball and many are empty, so one cache line for a block of boxes holds more
//! than a line for a row with room reserved in each. Balls are stored box by box; in a box the newest is
//! first.

use alloc::vec::Vec;
use core::ops::Range;

/// The words of a cache line: balls, and two for where each box ends.
const WORDS: usize = 16;
/// The most balls that are stored inline.
pub(crate) const FEW: usize = WORDS - 2;
/// Hysteresis before a spilled brick returns to inline storage.
const FEWER: usize = FEW - 1;
/// Instead of the ends of boxes: the balls are in a list, whose number is the first word.
const CROWD: u64 = u64::MAX;
/// Adds one ball to the end of every box.
const ONE_MORE: u64 = 0x1111_1111_1111_1111;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Brick([u32; WORDS]);

impl Brick {
    const EMPTY: Self = Self([0; WORDS]);

    /// The end of each box: how many balls are in it and in those before it, in four bits.
    #[inline(always)]
    fn ends(&self) -> u64 {
        u64::from(self.0[FEW]) | u64::from(self.0[FEW + 1]) << 32
    }

    fn set_ends(&mut self, ends: u64) {
        (self.0[FEW], self.0[FEW + 1]) = (ends as u32, (ends >> 32) as u32);
    }

    /// Where the balls of a run begin, and how many there are; `None` if they are in a list.
    #[inline(always)]
    pub(crate) fn held(&self, run: Run) -> Option<(usize, usize)> {
        let ends = self.ends();
        let start = before(ends, run.first());
        (ends != CROWD).then(|| (start, (ends >> run.last() & 15) as usize - start))
    }

    /// Copies the balls of a run, four at once, and returns how many of the four belong to it; `None` if
    /// there are more than four, they lie too near the end of the line, or are in a list (the ends of a
    /// spilled brick read as full).
    #[inline(always)]
    pub(crate) fn copy(&self, run: Run, four: &mut [u32]) -> Option<usize> {
        let ends = self.ends();
        let start = before(ends, run.first());
        let count = ((ends >> run.last() & 15) as usize).wrapping_sub(start);
        four.copy_from_slice(self.0.get(start..start + 4)?);
        (count <= 4).then_some(count)
    }
}

/// The number of balls in the boxes before a seat.
#[inline(always)]
fn before(ends: u64, seat: u32) -> usize {
    (ends << 4 >> seat & 15) as usize
}

/// Consecutive boxes of a brick, in one word: the brick, the seats of the first and the last, and the image
/// from which they are seen (0 in place, 1 a side lower, 2 a side higher, times 1, 3 and 9 by axis). A box's
/// seat is four times the number of boxes before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run(u64);

impl Run {
    #[inline(always)]
    pub(crate) fn new(brick: u32, first: u32, last: u32, image: u32) -> Self {
        Self(u64::from(brick) | u64::from(first) << 32 | u64::from(last) << 40 | u64::from(image) << 48)
    }

    /// The sum of two: none of the parts overflows.
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    pub(crate) fn brick(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(crate) fn first(self) -> u32 {
        (self.0 >> 32) as u32 & 63
    }

    #[inline(always)]
    pub(crate) fn last(self) -> u32 {
        (self.0 >> 40) as u32 & 63
    }

    #[inline(always)]
    pub(crate) fn image(self) -> u32 {
        (self.0 >> 48) as u32
    }
}

/// All bricks.
#[derive(Clone, Debug)]
pub(crate) struct Bricks {
    bricks: Vec<Brick>,
    crowds: Vec<Crowd>,
    /// Free lists.
    unused: Vec<u32>,
    /// The most balls that any brick has held.
    most: usize,
}

/// The balls of a spilled brick and the box of each, in the same order.
#[derive(Clone, Debug, Default)]
struct Crowd {
    balls: Vec<u32>,
    seats: Vec<u32>,
}

impl Crowd {
    fn of(&self, run: Run) -> Range<usize> {
        self.seats.partition_point(|&seat| seat < run.first())
            ..self.seats.partition_point(|&seat| seat <= run.last())
    }

    fn insert(&mut self, ball: u32, seat: u32) {
        let at = self.seats.partition_point(|&other| other < seat);
        self.balls.insert(at, ball);
        self.seats.insert(at, seat);
    }
}

impl Bricks {
    pub(crate) fn new(count: usize) -> Self {
        Self { bricks: alloc::vec![Brick::EMPTY; count], crowds: Vec::new(), unused: Vec::new(), most: FEW }
    }

    #[inline(always)]
    pub(crate) fn all(&self) -> &[Brick] {
        &self.bricks
    }

    /// The most balls that any brick has held.
    #[inline(always)]
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The balls of a run in a spilled brick.
    #[cold]
    fn many(&self, run: Run) -> &[u32] {
        let crowd = &self.crowds[self.bricks[run.brick() as usize].0[0] as usize];
        &crowd.balls[crowd.of(run)]
    }

    /// Copies the balls of a run as far as there is room, and returns how many there are.
    #[cold]
    #[inline(never)]
    pub(crate) fn copy_many(&self, run: Run, list: &mut [u32]) -> usize {
        let many = self.members(run);
        list.iter_mut().zip(many).for_each(|(to, &ball)| *to = ball);
        many.len()
    }

    /// The balls of a run.
    pub(crate) fn members(&self, run: Run) -> &[u32] {
        let brick = &self.bricks[run.brick() as usize];
        brick.held(run).map_or_else(|| self.many(run), |(start, count)| &brick.0[start..start + count])
    }

    pub(crate) fn insert(&mut self, number: u32, seat: u32, ball: u32) {
        let brick = &mut self.bricks[number as usize];
        let ends = brick.ends();
        if ends == CROWD {
            let crowd = &mut self.crowds[brick.0[0] as usize];
            crowd.insert(ball, seat);
            self.most = self.most.max(crowd.balls.len());
            return;
        }
        let count = (ends >> 60) as usize;
        if count < FEW {
            let at = before(ends, seat);
            brick.0.copy_within(at..count, at + 1);
            brick.0[at] = ball;
            brick.set_ends(ends + (ONE_MORE << seat));
            return;
        }
        let list = self.unused.pop().unwrap_or_else(|| {
            self.crowds.push(Crowd::default());
            self.crowds.len() as u32 - 1
        });
        let crowd = &mut self.crowds[list as usize];
        for (at, &ball) in brick.0[..FEW].iter().enumerate() {
            crowd.balls.push(ball);
            let seats = (0..64).step_by(4).filter(|seat| (ends >> seat & 15) as usize <= at);
            crowd.seats.push(4 * seats.count() as u32);
        }
        crowd.insert(ball, seat);
        self.most = self.most.max(FEW + 1);
        brick.0[0] = list;
        brick.set_ends(CROWD);
    }

    /// Removes a ball from a box; does nothing if it is not there.
    pub(crate) fn remove(&mut self, number: u32, seat: u32, ball: u32) {
        let run = Run::new(number, seat, seat, 0);
        let Some(at) = self.members(run).iter().position(|&member| member == ball) else { return };
        let brick = &mut self.bricks[number as usize];
        if let Some((start, _)) = brick.held(run) {
            let ends = brick.ends();
            brick.0.copy_within(start + at + 1..FEW, start + at);
            brick.set_ends(ends - (ONE_MORE << seat));
            return;
        }
        let list = brick.0[0];
        let crowd = &mut self.crowds[list as usize];
        let at = crowd.of(run).start + at;
        crowd.balls.remove(at);
        crowd.seats.remove(at);
        if crowd.balls.len() <= FEWER {
            brick.0[..crowd.balls.len()].copy_from_slice(&crowd.balls);
            brick.set_ends(crowd.seats.iter().fold(0, |ends, &seat| ends + (ONE_MORE << seat)));
            crowd.balls.clear();
            crowd.seats.clear();
            self.unused.push(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_boxes_apart_and_the_order_in_which_balls_came_however_many() {
        let mut state = 3u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as usize
        };
        let mut bricks = Bricks::new(3);
        let mut expected: [[Vec<u32>; 16]; 3] = Default::default();
        let (mut most, mut copied) = (0, 0);
        for ball in 0..5000 {
            let (number, seat) = (random() % 3, random() % 16);
            bricks.insert(number as u32, 4 * seat as u32, ball);
            expected[number][seat].insert(0, ball);
            // Crowds and few in turn.
            let gone = if ball % 256 < 100 { 0 } else { random() % 32 };
            for _ in 0..gone {
                let (number, seat) = (random() % 3, random() % 16);
                if !expected[number][seat].is_empty() {
                    let at = random() % expected[number][seat].len();
                    let gone = expected[number][seat].remove(at);
                    bricks.remove(number as u32, 4 * seat as u32, gone);
                    // A ball that is not there is not taken out.
                    bricks.remove(number as u32, 4 * seat as u32, gone);
                }
            }
            for (number, expected) in expected.iter().enumerate() {
                most = most.max(expected.iter().map(Vec::len).sum());
                let (a, b) = (random() % 16, random() % 16);
                let (first, last) = (a.min(b), a.max(b));
                let run = Run::new(number as u32, 4 * first as u32, 4 * last as u32, 0);
                let expected = expected[first..=last].concat();
                assert_eq!(bricks.members(run), expected);
                let (brick, mut four) = (&bricks.all()[number], [0; 4]);
                match brick.copy(run, &mut four) {
                    Some(count) => assert_eq!(four[..count], expected),
                    None => assert!(
                        expected.len() > 4 || brick.held(run).is_none_or(|(start, _)| start > WORDS - 4)
                    ),
                }
                copied += usize::from(brick.copy(run, &mut four).is_some());
            }
        }
        assert!(copied > 1000, "{copied} were copied four at once");
        assert!(most > 2 * FEW && bricks.crowds.len() <= 3, "lists are used again");
        assert!(!bricks.unused.is_empty(), "and left again");
    }
}
