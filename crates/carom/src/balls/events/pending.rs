//! The next event of a ball: its kind, and what only some kinds need.

use glam::DVec3;

/// The next event of a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pending {
    Nothing,
    Pair(u32),
    Wall(u32),
    Facet(u32),
    /// A contact with a body that may move: its number among those.
    Moving(u32),
    /// No event up to the end of the search: search again then.
    Look,
    Pocket(u32),
    /// It starts to roll on the cloth, or comes to rest.
    Phase,
}

/// Details of the next event that only some kinds have: stored apart, as they are rarely read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// The normal, for a wall or a facet.
    pub(crate) normal: DVec3,
    /// The facet, for a body that may move.
    pub(crate) facet: u32,
    pub(crate) phase_ends: f64,
}

impl Next {
    pub(crate) const NOTHING: Self = Self { normal: DVec3::ZERO, facet: 0, phase_ends: f64::INFINITY };
}
