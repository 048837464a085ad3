//! Which ball is next: a tournament over one time for each ball.
//!
//! Source: Marín, Cordero, "An empirical assessment of priority queues in event-driven molecular dynamics simulation" (1995): the
//! complete tree. Eight times share a cache line and play for one place above, four of these for one above that, and so on: what is
//! touched is small, and the answer of a group is found without a branch. A change climbs from its leaf and stops where nothing
//! changes any more. Cost: at most log₄ n groups a change, none to ask. Of equal times the lower number wins.

use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    ball: u32,
}

/// Times of eight that follow each other.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Leaf([f64; 8]);

/// The winners of four groups below that follow each other.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group([Entry; 4]);

impl Leaf {
    #[inline(always)]
    fn winner(&self, number: usize) -> Entry {
        let (mut time, mut at) = (self.0[0], 0);
        for k in 1..8 {
            let sooner = self.0[k] < time;
            time = if sooner { self.0[k] } else { time };
            at = if sooner { k as u32 } else { at };
        }
        Entry { time, ball: 8 * number as u32 + at }
    }
}

impl Group {
    #[inline(always)]
    fn winner(&self) -> Entry {
        let Self(entries) = self;
        let sooner = |a: Entry, b: Entry| {
            let later = b.time < a.time;
            Entry { time: if later { b.time } else { a.time }, ball: if later { b.ball } else { a.ball } }
        };
        sooner(sooner(entries[0], entries[1]), sooner(entries[2], entries[3]))
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
    first: Entry,
}

impl Queue {
    /// `count` numbers, all at infinity.
    pub(crate) fn new(count: usize) -> Self {
        let leaves = alloc::vec![Leaf([f64::INFINITY; 8]); count.div_ceil(8).max(1)];
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
            below = groups[row..].iter().map(Group::winner).collect();
        }
        Self { leaves, groups, rows, first: below[0] }
    }

    /// The earliest time and whose it is.
    #[inline]
    pub(crate) fn first(&self) -> (f64, usize) {
        (self.first.time, self.first.ball as usize)
    }

    #[inline]
    pub(crate) fn set(&mut self, ball: usize, time: f64) {
        let mut place = ball / 8;
        self.leaves[place].0[ball % 8] = time;
        let mut winner = self.leaves[place].winner(place);
        for &row in &self.rows {
            let group = &mut self.groups[row + place / 4];
            let entry = &mut group.0[place % 4];
            if *entry == winner {
                return;
            }
            *entry = winner;
            winner = group.winner();
            place /= 4;
        }
        self.first = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_first_and_ties_go_to_the_lower_number() {
        let mut queue = Queue::new(5);
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
        let mut times = [f64::INFINITY; 37];
        let mut queue = Queue::new(37);
        for _ in 0..10_000 {
            let (ball, time) = ((random() % 37) as usize, (random() % 16) as f64);
            times[ball] = time;
            queue.set(ball, time);
            let first = (0..37).min_by(|&a, &b| times[a].total_cmp(&times[b])).unwrap();
            assert_eq!(queue.first(), (times[first], first));
        }
    }
}
