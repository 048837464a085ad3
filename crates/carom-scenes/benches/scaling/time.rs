//! Two clocks: what a thread spent on a processor, and the one on the wall.

use std::time::Instant;

use crate::clock::seconds;

/// Seconds that something takes on this thread: on a processor where the system says so, else on the wall.
pub(crate) fn on_processor(run: impl FnOnce()) -> f64 {
    seconds(run).0
}

/// Seconds on the wall.
pub(crate) fn on_wall(run: impl FnOnce()) -> f64 {
    let started = Instant::now();
    run();
    started.elapsed().as_secs_f64()
}

/// The fastest of several runs: at least three, and as many as fit in two seconds.
pub(crate) fn fastest(mut measure: impl FnMut() -> f64) -> f64 {
    let started = Instant::now();
    let (mut runs, mut best) = (0, f64::INFINITY);
    while runs < 3 || (runs < 50 && started.elapsed().as_secs_f64() < 2.0) {
        best = best.min(measure());
        runs += 1;
    }
    best
}
