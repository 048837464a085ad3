//! Globally unique versions: equal stamps mean unchanged.

/// A globally unique version: equal stamps mean unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// A stamp that differs from every other.
    #[cfg(target_has_atomic = "64")]
    pub(crate) fn new() -> Self {
        use core::sync::atomic::{AtomicU64, Ordering};
        static LAST: AtomicU64 = AtomicU64::new(0);
        // Only that all differ matters, not their order. At a billion a second they last for five hundred
        // years.
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Without atomics nothing is known to be unchanged.
    #[cfg(not(target_has_atomic = "64"))]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether both mark the same version; never for the default.
    pub(crate) fn is(self, other: Self) -> bool {
        self.0 != 0 && self.0 == other.0
    }
}
