//! Lists of an exploration that may outgrow memory: the rest of them is in temporary files.
//!
//! Idea: nearly all that a flood finds is appended, and never changed. So a list is a row of [`Pages`] of
//! bytes. Up to a limit they stay in memory; beyond it each page is written to a file once, and read again
//! when it is wanted. [`Records`] are lists of entries of one size on such pages. [`Blocks`] are the small
//! pages of a table, which do change.
//!
//! Cost: a lock for each access, and about 2 µs for a page that has to be read, as long as the operating
//! system caches the file. A flood and its analysis mostly want pages that they wanted shortly before.

mod bits;
mod blocks;
mod pages;
mod records;

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::ExploreError;
use crate::stop::Stop;

pub(crate) use bits::Bits;
pub(crate) use blocks::{Block, Blocks, NONE, OF_BLOCK};
pub(crate) use pages::Pages;
pub(crate) use records::{Record, Records, take};

/// Where lists go that outgrow memory: how files for them are made, and when. Clones share it.
#[derive(Clone)]
pub struct Spill(Arc<Shared>);

struct Shared {
    create: Box<dyn Fn() -> io::Result<File> + Send + Sync>,
    memory: usize,
    /// The first file that could not be written or read.
    fault: OnceLock<ExploreError>,
    /// Set then, so that the work ends.
    stop: Mutex<Option<Stop>>,
}

impl Spill {
    /// Each list keeps up to about this many bytes in memory. For the rest, `create` makes an empty file that
    /// can be written and read, and that the system removes when it is closed. There are about eight lists.
    pub fn new(create: impl Fn() -> io::Result<File> + Send + Sync + 'static, memory: usize) -> Self {
        let (fault, stop) = (OnceLock::new(), Mutex::new(None));
        Self(Arc::new(Shared { create: Box::new(create), memory, fault, stop }))
    }

    /// Sets this when a file cannot be written or read.
    pub(crate) fn stop_at_fault(&self, stop: Stop) {
        *self.0.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
    }

    /// Why parts of lists are missing, if they are: then all that was made from them is worth nothing.
    pub(crate) fn fault(&self) -> Option<ExploreError> {
        self.0.fault.get().cloned()
    }

    fn fail(&self, error: &io::Error) {
        self.0.fault.get_or_init(|| ExploreError::Spill(error.to_string()));
        if let Some(stop) = &*self.0.stop.lock().unwrap_or_else(PoisonError::into_inner) {
            stop.set();
        }
    }
}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spill").field("memory", &self.0.memory).finish_non_exhaustive()
    }
}
