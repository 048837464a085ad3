//! The first error, for all threads of a process.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Alarm(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    text: OnceLock<String>,
    /// Workers of this process that have not seen the end of the flood.
    at_work: AtomicUsize,
    sent: AtomicU64,
}

impl Alarm {
    /// For this many workers of this process.
    pub(crate) fn new(workers: usize) -> Self {
        Self(Arc::new(Shared { at_work: AtomicUsize::new(workers), ..Shared::default() }))
    }

    /// The cause that ends the flood; the first counts, and nothing does once it is over.
    pub(crate) fn raise(&self, text: String) {
        if !self.is_over() {
            let _ = self.0.text.set(text);
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.0.text.get().map(String::as_str)
    }

    /// One more worker has seen the end of the flood, which it sees once.
    pub(crate) fn has_ended(&self) {
        self.0.at_work.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether all of them have: from then on connections may end.
    pub(crate) fn is_over(&self) -> bool {
        self.0.at_work.load(Ordering::Acquire) == 0
    }

    pub(crate) fn count_sent(&self, bytes: usize) {
        self.0.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Bytes sent to other processes.
    pub(crate) fn sent(&self) -> u64 {
        self.0.sent.load(Ordering::Relaxed)
    }
}
