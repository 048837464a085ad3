//! Which ball is next: a tournament over one time for each ball.
//!
//! Source: Marín, Cordero, "An empirical assessment of priority queues in event-driven molecular dynamics simulation" (1995): the
//! complete tree. Eight times share a cache line and play for one place above, four of these for one above that, and so on: what is
//! touched is small, and the answer of a group is found without a branch. A change climbs from its leaf and stops where nothing
//! changes any more. Cost: at most log₄ n groups a change, none to ask. Of equal times the lower rank wins.

use alloc::vec::Vec;
use core::mem::replace;

/// Rows of more groups than these are not asked for what comes soon: 128 kB.
const CACHED: usize = 2048;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    ball: u32,
}

/// So many that follow each other share a line. Within it they must be in the order of their ranks.
pub(crate) const LEAF: usize = 8;

/// Their times.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Leaf([f64; LEAF]);

/// The winners of four groups below that follow each other.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group([Entry; 4]);

impl Leaf {
    #[inline(always)]
    fn winner(&self, number: usize) -> Entry {
        let (mut time, mut at) = (self.0[0], 0);
        for k in 1..LEAF {
            let sooner = self.0[k] < time;
            time = if sooner { self.0[k] } else { time };
            at = if sooner { k as u32 } else { at };
        }
        Entry { time, ball: (LEAF * number) as u32 + at }
    }
}

impl Group {
    #[inline(always)]
    fn winner(&self, rank: &[u32]) -> Entry {
        let Self(entries) = self;
        let mut same = false;
        let mut sooner = |a: Entry, b: Entry| {
            same |= a.time == b.time;
            let later = b.time < a.time;
            Entry { time: if later { b.time } else { a.time }, ball: if later { b.ball } else { a.ball } }
        };
        let (a, b) = (sooner(entries[0], entries[1]), sooner(entries[2], entries[3]));
        let winner = sooner(a, b);
        if same && winner.time < f64::INFINITY { self.lowest(winner, rank) } else { winner }
    }

    /// Of those at the same time as this one, that of the lowest rank.
    #[cold]
    fn lowest(&self, winner: Entry, rank: &[u32]) -> Entry {
        let same = || self.0.iter().filter(|other| other.time == winner.time);
        if same().count() == 1 {
            return winner;
        }
        same().min_by_key(|other| rank[other.ball as usize]).copied().unwrap_or(winner)
    }
}

/// One time for each number.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    leaves: Vec<Leaf>,
    /// Above the leaves, from the widest row to the root.
    groups: Vec<Group>,
    /// Where each row of them begins.
    rows: Vec<usize>,
    /// Of each number.
    rank: Vec<u32>,
    first: Entry,
}

impl Queue {
    /// A number for each of these ranks, which are all different, and in order within [`LEAF`]; all at infinity.
    pub(crate) fn new(rank: Vec<u32>) -> Self {
        let count = rank.len();
        let leaves = alloc::vec![Leaf([f64::INFINITY; LEAF]); count.div_ceil(LEAF).max(1)];
        let nobody = Group([Entry { time: f64::INFINITY, ball: 0 }; 4]);
        let (mut groups, mut rows) = (Vec::new(), Vec::new());
        let mut below: Vec<Entry> = leaves.iter().enumerate().map(|(i, leaf)| leaf.winner(i)).collect();
        while below.len() > 1 {
            rows.push(groups.len());
            let row = groups.len();
            for four in below.chunks(4) {
                let mut group = nobody;
                group.0[..four.len()].copy_from_slice(four);
                groups.push(group);
            }
            below = groups[row..].iter().map(|group| group.winner(&rank)).collect();
        }
        Self { leaves, groups, rows, rank, first: below[0] }
    }

    /// Which of two comes first that have the same time.
    pub(crate) fn rank(&self, ball: usize) -> u32 {
        self.rank[ball]
    }

    /// The earliest time and whose it is.
    #[inline]
    pub(crate) fn first(&self) -> (f64, usize) {
        (self.first.time, self.first.ball as usize)
    }

    /// Some of those whose time comes until then, each the first of its part of the tournament; how many. Only rows that stay in a
    /// cache are asked, so of two in the same part the second may be left out; and no more than there is room for.
    pub(crate) fn soon<const MOST: usize>(&self, until: f64, found: &mut [u32; MOST]) -> usize {
        let (mut places, mut next) = ([0u32; MOST], [0u32; MOST]);
        let mut count = usize::from(!self.rows.is_empty());
        let mut above = self.groups.len();
        for &row in self.rows.iter().rev().take_while(|&&row| row + CACHED >= replace(&mut above, row)) {
            let mut wide = 0;
            for &place in &places[..count] {
                for (entry, k) in self.groups[row + place as usize].0.iter().zip(4 * place..) {
                    if wide < MOST {
                        (next[wide], found[wide]) = (k, entry.ball);
                        wide += usize::from(entry.time <= until);
                    }
                }
            }
            (places, count) = (next, wide);
        }
        count
    }

    /// Loads what a change of this ball's time will ask for, as far as it does not stay in a cache: the answer means nothing.
    #[inline]
    pub(crate) fn touch(&self, ball: usize) -> u64 {
        let mut place = ball / LEAF;
        let mut touched = self.leaves[place].0[0].to_bits();
        for pair in self.rows.windows(2) {
            place /= 4;
            if pair[1] - pair[0] <= CACHED {
                break;
            }
            touched ^= u64::from(self.groups[pair[0] + place].0[0].ball);
        }
        touched
    }

    #[inline]
    pub(crate) fn set(&mut self, ball: usize, time: f64) {
        let mut place = ball / LEAF;
        self.leaves[place].0[ball % LEAF] = time;
        let mut winner = self.leaves[place].winner(place);
        for &row in &self.rows {
            let group = &mut self.groups[row + place / 4];
            let entry = &mut group.0[place % 4];
            if *entry == winner {
                return;
            }
            *entry = winner;
            winner = group.winner(&self.rank);
            place /= 4;
        }
        self.first = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_first_and_ties_go_to_the_lower_rank() {
        let mut queue = Queue::new((0..5).collect());
        assert_eq!(queue.first(), (f64::INFINITY, 0));
        for (ball, time) in [(4, 2.0), (1, 3.0), (2, 2.0), (0, 9.0)] {
            queue.set(ball, time);
        }
        assert_eq!(queue.first(), (2.0, 2));
        queue.set(2, 2.5);
        assert_eq!(queue.first(), (2.0, 4));
        queue.set(4, f64::INFINITY);
        assert_eq!(queue.first(), (2.5, 2));
    }

    #[test]
    fn agrees_with_looking_at_all() {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 40
        };
        // The last leaf first, and each in order.
        let ranks: Vec<u32> = (0..300).map(|ball| 8 * (37 - ball / 8) + ball % 8).collect();
        let mut times = [f64::INFINITY; 300];
        let mut queue = Queue::new(ranks.clone());
        for _ in 0..10_000 {
            let (ball, time) = ((random() % 300) as usize, (random() % 64) as f64);
            times[ball] = time;
            queue.set(ball, time);
            let first = (0..300).min_by(|&a, &b| times[a].total_cmp(&times[b]).then(ranks[a].cmp(&ranks[b])));
            assert_eq!(queue.first(), (times[first.unwrap()], first.unwrap()));
            let mut soon = [0; 4];
            let count = queue.soon(5.0, &mut soon);
            assert!(soon[..count].iter().all(|&ball| times[ball as usize] <= 5.0));
            assert_eq!(count > 0, times.iter().any(|&time| time <= 5.0));
        }
    }
}
