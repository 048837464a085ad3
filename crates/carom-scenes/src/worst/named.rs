//! The slowest cases that searches have found.

/// A case that was the slowest of its query in a search.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name.
    pub name: &'static str,
    /// The text that replays it.
    pub case: &'static str,
}

/// The slowest cases, by query.
pub const NAMED: &[Named] = &[];
