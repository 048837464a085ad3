//! A mover's position at a time.

use glam::DVec3;

/// A place of a mover's center, in meters, and a share of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub(crate) at: DVec3,
    pub(crate) time: f64,
}

impl Moment {
    /// A place at the end of the tick.
    pub(crate) fn at_end(at: DVec3) -> Self {
        Self { at, time: 1.0 }
    }
}
