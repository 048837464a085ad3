//! A request to stop: by a signal, or when the time is up. Every phase checks it often.
//!
//! Exploring ends at once. Judging the events until then has a second more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// After a stop, what was seen is judged for no longer than this.
const GRACE: Duration = Duration::from_secs(1);

/// Asks an exploration to end soon, from any thread. Clones share it.
#[derive(Clone, Debug)]
pub struct Stop(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    is_set: AtomicBool,
    /// The time since any moment.
    clock: fn() -> Duration,
    deadline: OnceLock<Duration>,
    /// When it stopped.
    since: OnceLock<Duration>,
}

impl Default for Stop {
    fn default() -> Self {
        Self::with_clock(system_clock)
    }
}

fn system_clock() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

impl Stop {
    /// One with a clock of its own, for platforms where [`Instant::now`] panics (browsers): the time since
    /// any moment.
    pub fn with_clock(clock: fn() -> Duration) -> Self {
        let (deadline, since) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Shared { is_set: AtomicBool::new(false), clock, deadline, since }))
    }

    /// One that stops when it is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that also stops by itself after this time from now. A time beyond what the clock can hold never
    /// comes.
    pub fn after(limit: Duration) -> Self {
        let stop = Self::default();
        if let Some(deadline) = (stop.0.clock)().checked_add(limit) {
            let _ = stop.0.deadline.set(deadline);
        }
        stop
    }

    /// Stops. Signal handlers may call it.
    pub fn set(&self) {
        let _ = self.0.since.set((self.0.clock)());
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether to stop now. Once it is so, it stays so.
    pub fn is_set(&self) -> bool {
        if self.0.is_set.load(Ordering::Relaxed) {
            return true;
        }
        let is_late = self.0.deadline.get().is_some_and(|deadline| (self.0.clock)() >= *deadline);
        if is_late {
            self.set();
        }
        is_late
    }

    /// Whether it stopped more than a second ago: then judging ends, too.
    pub fn is_over(&self) -> bool {
        let since = if self.is_set() { self.0.since.get() } else { None };
        since.is_some_and(|since| (self.0.clock)().saturating_sub(*since) >= GRACE)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_stop_is_shared_and_stays() {
        let stop = Stop::new();
        let other = stop.clone();
        assert!(!other.is_set());
        stop.set();
        assert!(other.is_set());
        assert!(Stop::after(Duration::ZERO).is_set());
        assert!(!other.is_over());
        assert!(!Stop::after(Duration::MAX).is_set());
    }

    #[test]
    fn a_clock_of_ones_own_ends_the_judging() {
        thread_local!(static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) });
        let stop = Stop::with_clock(|| NOW.get());
        NOW.set(GRACE);
        assert!(!stop.is_over());
        stop.set();
        NOW.set(2 * GRACE - Duration::from_nanos(1));
        assert!(stop.is_set() && !stop.is_over());
        NOW.set(2 * GRACE);
        assert!(stop.is_over());
    }
}
