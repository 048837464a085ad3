//! Which ball is next: a tournament over one time for each ball.
//!
//! Source: Marín, Cordero, "An empirical assessment of priority queues in event-driven molecular dynamics simulation" (1995): the
//! complete binary tree. Each inner place keeps the earlier of its two; a change climbs from its leaf and stops where nothing
//! changes any more. Cost: at most log₂ n comparisons a change, none to ask. Of equal times the lower number wins.

use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    ball: u32,
}

/// One time for each number.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// Place 1 is the root; the children of place i are 2i and 2i + 1; leaves are the upper half.
    places: Vec<Entry>,
    leaves: usize,
}

impl Queue {
    /// `count` numbers, all at infinity.
    pub(crate) fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two().max(2);
        let mut places = alloc::vec![Entry { time: f64::INFINITY, ball: 0 }; 2 * leaves];
        for i in (1..2 * leaves).rev() {
            places[i].ball = if i >= leaves { (i - leaves) as u32 } else { places[2 * i].ball };
        }
        Self { places, leaves }
    }

    /// The earliest time and whose it is.
    #[inline]
    pub(crate) fn first(&self) -> (f64, usize) {
        (self.places[1].time, self.places[1].ball as usize)
    }

    #[inline]
    pub(crate) fn set(&mut self, ball: usize, time: f64) {
        let mut place = self.leaves + ball;
        let mut winner = Entry { time, ball: ball as u32 };
        if self.places[place] == winner {
            return;
        }
        self.places[place] = winner;
        while place > 1 {
            let other = self.places[place ^ 1];
            let earlier = if place & 1 == 0 { other.time < winner.time } else { other.time <= winner.time };
            if earlier {
                winner = other;
            }
            place >>= 1;
            if self.places[place] == winner {
                return;
            }
            self.places[place] = winner;
        }
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
