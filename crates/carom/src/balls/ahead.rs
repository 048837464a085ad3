//! What comes next, brought near in time.
//!
//! Events follow each other all over the table, and what one asks for lies in some fifty cache lines that nobody has touched for long. One after the
//! other, most of its time would be waiting: for the ball, then for the boxes around it, then for who is in them. So a large table
//! looks a few events ahead, and loads what they will ask for, kind by kind: loads that do not depend on each other are
//! waited for together. It changes no result; what it guesses wrong costs a load.

use alloc::vec::Vec;
use core::hint::black_box;

use super::cells::CROWD;
use super::predict::What;
use super::state::Own;
use super::table::Table;

/// So many events are wanted at a time, and so many are taken at most.
const WANTED: f64 = 16.0;
const MOST: usize = 32;
/// Tables of fewer balls lie in the cache as they are.
const LARGE: usize = 32768;

/// How far ahead the table has looked.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    large: bool,
    /// Events until then have been looked at.
    until: f64,
    /// When it was looked ahead last, and how many events there were since.
    since: f64,
    events: u32,
    window: f64,
    /// Of no meaning between looks.
    list: Vec<u32>,
}

impl Ahead {
    pub(crate) fn new(balls: usize) -> Self {
        Self {
            large: balls >= LARGE,
            until: f64::NEG_INFINITY,
            since: 0.0,
            events: 0,
            window: 0.0,
            list: alloc::vec![0; 2 * MOST * CROWD],
        }
    }

    /// Counts an event, and says if it is time to look ahead.
    #[inline]
    pub(crate) fn is_due(&mut self, time: f64) -> bool {
        self.events += 1;
        self.large && (time > self.until || self.events > MOST as u32)
    }
}

impl Table {
    /// Loads what the next few events will ask for.
    #[inline(never)]
    pub(crate) fn look_ahead(&mut self, time: f64) {
        let Self { ahead, queue, cells, hot, own, .. } = self;
        let window = (time - ahead.since) * (WANTED / f64::from(ahead.events));
        if window > 0.0 && window.is_finite() {
            ahead.window = window;
        }
        (ahead.since, ahead.events, ahead.until) = (time, 0, time + ahead.window);
        let mut next = [0; MOST];
        let count = queue.soon(ahead.until, &mut next);
        let next = &next[..count];
        let touch = |ball: u32| {
            let ball = ball as usize;
            hot[ball].time.to_bits() ^ own[ball].last.to_bits() ^ queue.touch(ball)
        };
        let mut touched = next.iter().fold(0, |all, &ball| all ^ touch(ball));
        // Who, and on which side it leaves its cell; those met after those that meet them.
        let mut who = [(0, None); 2 * MOST];
        let mut all = count;
        for (k, &ball) in next.iter().enumerate() {
            let Own { crosses, axis, up, what, .. } = own[ball as usize];
            let leaves = crosses < hot[ball as usize].due;
            who[k] = (ball, leaves.then_some((axis as usize, up)));
            if let What::Pair(other) = what {
                who[all] = (other, None);
                all += usize::from(!leaves);
            }
        }
        touched = who[count..all].iter().fold(touched, |all, &(ball, _)| all ^ touch(ball));
        let mut end = 0;
        for &(ball, side) in &who[..all] {
            end = cells.list(own[ball as usize].place.cell(), side, &mut ahead.list, end);
        }
        black_box(
            ahead.list[..end].iter().fold(touched, |all, &ball| all ^ hot[ball as usize].time.to_bits()),
        );
    }
}
