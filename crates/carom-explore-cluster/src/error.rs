//! Why processes do not explore together.

use std::io;

use carom_explore::ExploreError;
use thiserror::Error;

/// Why processes do not explore together, and what to do about it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// Numbers of processes that make no sense, or a list of hosts that does not fit.
    #[error("{0}")]
    Crew(String),
    /// An address where nothing can listen.
    #[error(
        "cannot listen at {address}: {error}; is another process {process} running, or is it the address of another host?"
    )]
    Listen {
        /// The address.
        address: String,
        /// The number of this process.
        process: usize,
        /// The system's message.
        error: io::Error,
    },
    /// Refused before the flood, for all processes.
    #[error("refused: {0}")]
    Refused(String),
    /// The flood ended because a process or a worker did.
    #[error("{0}")]
    Lost(String),
    /// The flood cannot begin.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The operating system refused it.
    #[error("{0}: {1}")]
    System(&'static str, io::Error),
}
