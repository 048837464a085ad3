//! What is odd about a level as a whole: said before the flood, with the flags to pass.

/// Something odd about the whole level, or about how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// `WINDING`, `SCALE`, `UP_AXIS` or `SPAWN_OUTSIDE`.
    pub code: &'static str,
    /// What is odd and what to do about it, in one sentence.
    pub message: String,
}
