//! What is in a brick of boxes: up to fourteen balls in one cache line, box by box; more in a list of its own.
//!
//! Boxes are about as wide as a ball and many are empty, so a line for several that lie together tells more than one for some in a row with room
//! in each. Those of boxes that follow each other follow each other, and in a box who came last is first.

use alloc::vec::Vec;
use core::ops::Range;

/// A line has so many words: balls, and two that say where each box ends.
const WORDS: usize = 16;
/// So many balls are kept in place.
pub(crate) const FEW: usize = WORDS - 2;
/// So few must be left of a crowd until they are kept in place again: not in and out with each that comes and goes.
const FEWER: usize = FEW - 3;
/// In place of where boxes end: the balls are in a list, and the first word is its number.
const CROWD: u64 = u64::MAX;
/// One ball more, in every box.
const ONE_MORE: u64 = 0x1111_1111_1111_1111;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Brick([u32; WORDS]);

impl Brick {
    const EMPTY: Self = Self([0; WORDS]);

    /// For each box, how many balls are in it and in those before it: four bits.
    #[inline(always)]
    fn ends(&self) -> u64 {
        u64::from(self.0[FEW]) | u64::from(self.0[FEW + 1]) << 32
    }

    fn set_ends(&mut self, ends: u64) {
        (self.0[FEW], self.0[FEW + 1]) = (ends as u32, (ends >> 32) as u32);
    }

    /// Where those from one box to another are; none, if they are in a list.
    #[inline(always)]
    pub(crate) fn held(&self, run: Run) -> Option<Range<usize>> {
        let ends = self.ends();
        let until = |ends: u64, seat: u8| (ends >> (4 * seat) & 15) as usize;
        (ends != CROWD).then(|| until(ends << 4, run.first)..until(ends, run.last))
    }

    /// The balls from a place on: the first so many of these are meant, if they are no more than four.
    #[inline(always)]
    pub(crate) fn four(&self, from: usize) -> [u32; 4] {
        // All four at once, but at the very end.
        match self.0.get(from..from + 4) {
            Some(&[a, b, c, d]) => [a, b, c, d],
            _ => [0, 1, 2, 3].map(|k| self.0[(from + k) % WORDS]),
        }
    }

    /// Loads it: the answer means nothing.
    #[inline(always)]
    pub(crate) fn touch(&self) -> u64 {
        u64::from(self.0[0])
    }
}

/// Boxes of a brick that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run {
    pub(crate) brick: u32,
    pub(crate) first: u8,
    pub(crate) last: u8,
}

/// All bricks.
#[derive(Clone, Debug)]
pub(crate) struct Bricks {
    bricks: Vec<Brick>,
    crowds: Vec<Crowd>,
    /// Lists that no brick has now.
    unused: Vec<u32>,
}

/// The balls of a brick that has many, and in which box each is, in the same order.
#[derive(Clone, Debug, Default)]
struct Crowd {
    balls: Vec<u32>,
    seats: Vec<u8>,
}

impl Crowd {
    fn of(&self, run: Run) -> Range<usize> {
        self.seats.partition_point(|&seat| seat < run.first)
            ..self.seats.partition_point(|&seat| seat <= run.last)
    }

    fn insert(&mut self, ball: u32, seat: u8) {
        let at = self.seats.partition_point(|&other| other < seat);
        self.balls.insert(at, ball);
        self.seats.insert(at, seat);
    }
}

impl Bricks {
    pub(crate) fn new(count: usize) -> Self {
        Self { bricks: alloc::vec![Brick::EMPTY; count], crowds: Vec::new(), unused: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn brick(&self, number: u32) -> &Brick {
        &self.bricks[number as usize]
    }

    /// Those from one box to another of a brick that has many.
    #[cold]
    pub(crate) fn many(&self, run: Run) -> &[u32] {
        let crowd = &self.crowds[self.brick(run.brick).0[0] as usize];
        &crowd.balls[crowd.of(run)]
    }

    /// The first four of these, and how many they are.
    #[cold]
    pub(crate) fn some(&self, run: Run) -> ([u32; 4], usize) {
        let many = self.many(run);
        ([0, 1, 2, 3].map(|k| many.get(k).copied().unwrap_or_default()), many.len())
    }

    /// Those from one box to another.
    pub(crate) fn members(&self, run: Run) -> &[u32] {
        let brick = self.brick(run.brick);
        brick.held(run).map_or_else(|| self.many(run), |at| &brick.0[at])
    }

    pub(crate) fn insert(&mut self, number: u32, seat: u8, ball: u32) {
        let brick = &mut self.bricks[number as usize];
        let ends = brick.ends();
        if ends == CROWD {
            self.crowds[brick.0[0] as usize].insert(ball, seat);
            return;
        }
        let count = (ends >> 60) as usize;
        if count < FEW {
            let at = (ends << 4 >> (4 * seat) & 15) as usize;
            brick.0.copy_within(at..count, at + 1);
            brick.0[at] = ball;
            brick.set_ends(ends + (ONE_MORE << (4 * seat)));
            return;
        }
        let list = self.unused.pop().unwrap_or_else(|| {
            self.crowds.push(Crowd::default());
            self.crowds.len() as u32 - 1
        });
        let crowd = &mut self.crowds[list as usize];
        for (at, &ball) in brick.0[..FEW].iter().enumerate() {
            crowd.balls.push(ball);
            crowd.seats.push((0..16u8).filter(|seat| (ends >> (4 * seat) & 15) as usize <= at).count() as u8);
        }
        crowd.insert(ball, seat);
        brick.0[0] = list;
        brick.set_ends(CROWD);
    }

    /// Takes a ball out of a box; nothing happens if it is not there.
    pub(crate) fn remove(&mut self, number: u32, seat: u8, ball: u32) {
        let run = Run { brick: number, first: seat, last: seat };
        let Some(at) = self.members(run).iter().position(|&member| member == ball) else { return };
        let brick = &mut self.bricks[number as usize];
        if let Some(held) = brick.held(run) {
            let ends = brick.ends();
            brick.0.copy_within(held.start + at + 1..FEW, held.start + at);
            brick.set_ends(ends - (ONE_MORE << (4 * seat)));
            return;
        }
        let list = brick.0[0];
        let crowd = &mut self.crowds[list as usize];
        let at = crowd.of(run).start + at;
        crowd.balls.remove(at);
        crowd.seats.remove(at);
        if crowd.balls.len() <= FEWER {
            brick.0[..crowd.balls.len()].copy_from_slice(&crowd.balls);
            brick.set_ends(crowd.seats.iter().fold(0, |ends, &seat| ends + (ONE_MORE << (4 * seat))));
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
        let mut most = 0;
        for ball in 0..5000 {
            let (number, seat) = (random() % 3, random() % 16);
            bricks.insert(number as u32, seat as u8, ball);
            expected[number][seat].insert(0, ball);
            // Crowds and few in turn.
            let gone = if ball % 256 < 100 { 0 } else { random() % 32 };
            for _ in 0..gone {
                let (number, seat) = (random() % 3, random() % 16);
                if !expected[number][seat].is_empty() {
                    let at = random() % expected[number][seat].len();
                    let gone = expected[number][seat].remove(at);
                    bricks.remove(number as u32, seat as u8, gone);
                    // Who is not there is not taken out.
                    bricks.remove(number as u32, seat as u8, gone);
                }
            }
            for (number, expected) in expected.iter().enumerate() {
                most = most.max(expected.iter().map(Vec::len).sum());
                let (a, b) = (random() as u8 % 16, random() as u8 % 16);
                let run = Run { brick: number as u32, first: a.min(b), last: a.max(b) };
                let expected = expected[run.first as usize..=run.last as usize].concat();
                assert_eq!(bricks.members(run), expected);
                let brick = bricks.brick(run.brick);
                if let Some(held) = brick.held(run) {
                    let first = held.len().min(4);
                    assert_eq!(brick.four(held.start)[..first], expected[..first]);
                }
            }
        }
        assert!(most > 2 * FEW && bricks.crowds.len() <= 3, "lists are used again");
        assert!(!bricks.unused.is_empty(), "and left again");
    }
}
