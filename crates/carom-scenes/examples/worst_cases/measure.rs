//! One case, measured and judged.

use std::hint::black_box;

use carom_scenes::worst::{Answer, Case, Levels, Problem};

use crate::clock::seconds;

/// The time of a case.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) case: Case,
    /// The least time of all runs, in seconds.
    pub(crate) least: f64,
    /// The time of the first run, in seconds: with caches that hold something else.
    pub(crate) first: f64,
    /// Sweeps, or parts.
    pub(crate) count: usize,
    /// The law that the answer breaks.
    pub(crate) fault: Option<String>,
}

/// Runs of the clock alone, which are taken off.
const EMPTY: u32 = 100;

/// Seconds that the runs of a case may take, if there are more than two.
const LONGEST: f64 = 0.1;

/// The least time of asking nothing, in seconds.
pub(crate) fn overhead() -> f64 {
    (0..EMPTY).map(|_| seconds(|| black_box(())).0).fold(f64::INFINITY, f64::min)
}

/// One run.
pub(crate) fn once(problem: &Problem) -> (f64, Answer) {
    problem.ask(|ask| seconds(|| black_box(ask())))
}

/// Measures a case by the least of several runs.
pub(crate) fn measure(levels: &Levels, case: &Case, runs: u32) -> Measured {
    let problem = Problem::new(levels, case);
    let overhead = overhead();
    let (first, answer) = once(&problem);
    // Of a slow case fewer runs are enough: the noise is a small share of it.
    let runs = runs.min((LONGEST / first.max(1e-9)) as u32).max(2);
    let least = (1..runs).map(|_| once(&problem).0).fold(first, f64::min);
    Measured {
        case: *case,
        least: (least - overhead).max(1e-9),
        first: (first - overhead).max(1e-9),
        count: answer.count(),
        fault: problem.judge(&answer).err(),
    }
}
