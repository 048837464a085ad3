//! The ball with the next event: a tournament over one time for each ball.
//!
//! Source: Marín, Cordero, "An empirical assessment of priority queues in event-driven molecular dynamics
//! simulation" (1995): the complete tree. Eight times share a cache line and compete for one place above,
//! four of these for one above that, and so on: little memory is touched, and the winner of a group is found
//! without a branch. A change climbs from its leaf and stops where nothing changes any more. Cost: at most
//! log₄ n groups per change, none for a query. Of equal times the lower rank wins.

use alloc::vec::Vec;
use core::mem::replace;

use crate::prefetch::prefetch_far;

/// Rows of more groups are not searched for coming events: 128 kB.
const CACHED: usize = 2048;
/// A group in a row of more groups is prefetched before a change: 512 kB.
const NEAR: usize = 8192;
/// The most coming events that are found at once.
pub(crate) const MOST_SOON: usize = 128;

/// An event that comes soon.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Soon {
    pub(crate) time: f64,
    pub(crate) ball: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    ball: u32,
}

/// How many balls share a cache line. Within it they must be in the order of their ranks.
pub(crate) const LEAF: usize = 8;

/// Their times.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Leaf([f64; LEAF]);

/// The winners of four consecutive groups below.
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

    /// The entry of the lowest rank among those at the same time as this one.
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
    /// The start of each row.
    rows: Vec<usize>,
    /// The rank of each number.
    rank: Vec<u32>,
    first: Entry,
}

impl Queue {
    /// A number for each of these ranks, which are all different, and in order within [`LEAF`]; all times are
    /// infinite.
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

    /// The rank of a ball: of two at the same time the lower comes first.
    pub(crate) fn rank(&self, ball: usize) -> u32 {
        self.rank[ball]
    }

    /// The earliest time, and its ball.
    #[inline]
    pub(crate) fn first(&self) -> (f64, usize) {
        (self.first.time, self.first.ball as usize)
    }

    /// Finds events after one time and up to another, each the first of its part of the tournament: how many,
    /// and whether there was room for all. Infinite times are left out. Only rows that stay in a cache are
    /// searched, so of two in the same part the second may be missed.
    pub(crate) fn soon(&self, after: f64, until: f64, found: &mut [Soon; MOST_SOON]) -> (usize, bool) {
        let until = until.min(f64::MAX);
        let (mut places, mut next) = ([0u32; MOST_SOON], [0u32; MOST_SOON]);
        let (mut count, mut all) = (usize::from(!self.rows.is_empty()), true);
        let (mut last, mut above) = (0, self.groups.len());
        for &row in self.rows.iter().rev().take_while(|&&row| row + CACHED >= replace(&mut above, row)) {
            let mut wide = 0;
            for &place in &places[..count] {
                for (entry, k) in self.groups[row + place as usize].0.iter().zip(4 * place..) {
                    if wide < MOST_SOON {
                        next[wide] = k;
                        wide += usize::from(entry.time <= until);
                    }
                }
            }
            all &= wide < MOST_SOON;
            (places, count, last) = (next, wide, row);
        }
        let mut wide = 0;
        for &place in &places[..count] {
            let Entry { time, ball } = self.groups[last + place as usize / 4].0[place as usize % 4];
            found[wide] = Soon { time, ball };
            wide += usize::from(time > after);
        }
        (wide, all)
    }

    /// Prefetches the data for a change of this ball's time, unless it stays in a cache anyway.
    #[inline(always)]
    pub(crate) fn fetch(&self, ball: usize) {
        let mut place = ball / LEAF;
        prefetch_far(&self.leaves[place]);
        for pair in self.rows.windows(2) {
            place /= 4;
            if pair[1] - pair[0] <= NEAR {
                break;
            }
            prefetch_far(&self.groups[pair[0] + place]);
        }
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
            let mut soon = [Soon::default(); MOST_SOON];
            let (count, all) = queue.soon(f64::NEG_INFINITY, 5.0, &mut soon);
            assert!(
                all && soon[..count]
                    .iter()
                    .all(|soon| times[soon.ball as usize] == soon.time && soon.time <= 5.0)
            );
            assert_eq!(count > 0, times.iter().any(|&time| time <= 5.0));
            let (count, all) = queue.soon(f64::NEG_INFINITY, f64::INFINITY, &mut soon);
            assert!(all && soon[..count].iter().all(|soon| soon.time < f64::INFINITY));
            let (fewer, _) = queue.soon(2.0, 5.0, &mut soon);
            assert!(fewer <= count && soon[..fewer].iter().all(|soon| soon.time > 2.0 && soon.time <= 5.0));
        }
    }
}
