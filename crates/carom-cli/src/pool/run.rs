//! One run of `carom pool`: the table to set up, how long it goes, and the files that were read.

use std::path::PathBuf;

use carom::balls::Setup;

use super::bodies::NamedBody;

/// A table to set up and the limits of its run.
pub(crate) struct Run {
    pub(crate) setup: Setup,
    pub(crate) name: String,
    /// In seconds.
    pub(crate) until: f64,
    pub(crate) max_events: u64,
    pub(crate) bodies: Vec<NamedBody>,
    /// All files that were read: none of them is overwritten.
    pub(crate) inputs: Vec<PathBuf>,
}
