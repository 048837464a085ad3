//! Shared parts of the fuzz targets: the promise of every reader of levels, runs of the command, and numbers
//! out of bytes.
//!
//! ```text
//! .ci/fuzz 60                                      # all targets in turns, an hour together
//! RUSTC_BOOTSTRAP=1 cargo fuzz run obj -- -dict=fuzz/dictionaries/obj.dict -max_total_time=120 -rss_limit_mb=512
//! ```
//! A find becomes a named test beside the code that it breaks.

pub mod command;
mod draws;
mod formats;

pub use draws::Draws;
pub use formats::reads;
