//! A request to stop: by a signal, or when the time is up. Every phase looks at it often.
//!
//! What explores ends at once. What judges the events seen until then has a second more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// After a stop, what was seen is judged for no longer than this.
const GRACE: Duration = Duration::from_secs(1);

/// Asks an exploration to end soon, from any thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_set: AtomicBool,
    deadline: OnceLock<Instant>,
    /// When it stopped.
    since: OnceLock<Instant>,
}

impl Stop {
    /// One that stops when it is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that also stops by itself after this time from now. A time beyond what the clock can hold never
    /// comes.
    pub fn after(limit: Duration) -> Self {
        let stop = Self::default();
        if let Some(deadline) = Instant::now().checked_add(limit) {
            let _ = stop.0.deadline.set(deadline);
        }
        stop
    }

    /// Stops. Signal handlers may call it.
    pub fn set(&self) {
        let _ = self.0.since.set(Instant::now());
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether to stop now. Once it is so, it stays so.
    pub fn is_set(&self) -> bool {
        if self.0.is_set.load(Ordering::Relaxed) {
            return true;
        }
        let is_late = self.0.deadline.get().is_some_and(|deadline| Instant::now() >= *deadline);
        if is_late {
            self.set();
        }
        is_late
    }

    /// Whether it stopped more than a second ago: then judging ends, too.
    pub fn is_over(&self) -> bool {
        self.is_set() && self.0.since.get().is_some_and(|since| since.elapsed() >= GRACE)
    }
}

#[cfg(test)]
mod tests {
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
}
