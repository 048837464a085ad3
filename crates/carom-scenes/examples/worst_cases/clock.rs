//! The time of something that is short.

use std::time::Instant;

/// Seconds that something takes on this thread: on a processor where the system says so, else on the wall.
pub(crate) fn seconds<R>(run: impl FnOnce() -> R) -> (f64, R) {
    let (before, started) = (spent(), Instant::now());
    let answer = run();
    let on_wall = started.elapsed().as_secs_f64();
    match (before, spent()) {
        (Some(before), Some(after)) => (after - before, answer),
        _ => (on_wall, answer),
    }
}

/// Seconds that this thread has spent on a processor.
#[cfg(unix)]
fn spent() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
}

#[cfg(not(unix))]
fn spent() -> Option<f64> {
    None
}
