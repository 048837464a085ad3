//! Time taken in turns.
//!
//! The load of a machine changes from second to second. So no library is measured alone: in each round every
//! contestant does the whole work once, one after the other, and is compared with the others of that round
//! only. The result is the median of the rounds. The clock is the processor time of this thread, not the time
//! on the wall, which includes waiting for a turn; no contestant works on another thread.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

/// One library doing one piece of work.
pub struct Contestant<'a> {
    /// The library.
    pub engine: &'static str,
    /// How it was set up, where there is more than one setup; else empty.
    pub setup: &'static str,
    /// Does the work once and says how long it took.
    pub run: Box<dyn FnMut() -> Duration + 'a>,
}

/// The times of each contestant in each round, in seconds.
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Lets all run `rounds` times (at least once) in turns, after once that does not count.
    pub fn measure(contestants: &mut [Contestant], rounds: usize) -> Self {
        for contestant in &mut *contestants {
            (contestant.run)();
        }
        let mut seconds = vec![Vec::new(); contestants.len()];
        for _ in 0..rounds.max(1) {
            for (contestant, seconds) in contestants.iter_mut().zip(&mut seconds) {
                seconds.push((contestant.run)().as_secs_f64());
            }
        }
        Self(seconds)
    }

    /// The median time of a contestant, in seconds.
    pub fn median(&self, contestant: usize) -> f64 {
        median(self.0[contestant].clone())
    }

    /// The median over the rounds of how many times as long as `other` a contestant took.
    pub fn ratio(&self, contestant: usize, other: usize) -> f64 {
        median(self.0[contestant].iter().zip(&self.0[other]).map(|(a, b)| a / b).collect())
    }
}

/// How long something takes this thread to make, without what throwing it away takes.
pub fn timed<T>(make: impl FnOnce() -> T) -> Duration {
    let before = ThreadTime::now();
    let made = black_box(make());
    let taken = before.elapsed();
    drop(made);
    taken
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_a_round() {
        // The second is always twice the first, while the machine slows down by ten.
        let times = Times(vec![vec![1.0, 10.0, 5.0], vec![2.0, 20.0, 10.0]]);
        assert_eq!((times.median(0), times.ratio(1, 0), times.ratio(0, 1)), (5.0, 2.0, 0.5));
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
    }
}
