//! A thread that makes tiles for the others.
//!
//! rayon builds trees, and a thread that waits for rayon works on something else meanwhile. If that work
//! needed the same tile, the thread would wait for itself. So a separate pool makes the tiles, and a thread
//! that needs one sleeps.

use std::sync::mpsc::sync_channel;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::ExploreError;

#[derive(Debug)]
pub(crate) struct Loader(ThreadPool);

impl Loader {
    pub(crate) fn start() -> Result<Self, ExploreError> {
        let name = |_| "carom tiles".to_owned();
        // A panicking thread sends nothing, which is noticed.
        let pool = ThreadPoolBuilder::new().num_threads(1).thread_name(name).panic_handler(drop).build();
        pool.map(Self)
            .map_err(|error| ExploreError::Tiles(format!("cannot start a thread for tiles: {error}")))
    }

    /// Makes something, and sleeps until it is there.
    pub(crate) fn make<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> Result<T, ExploreError> + Send + 'static,
    ) -> Result<T, ExploreError> {
        let (sender, receiver) = sync_channel(1);
        self.0.spawn(move || {
            // The receiver waits below.
            let _ = sender.send(make());
        });
        receiver.recv().unwrap_or_else(|_| Err(ExploreError::Tiles("a tile could not be made".to_owned())))
    }
}
