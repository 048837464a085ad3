//! The next event of a ball: its kind, and what only some kinds need.

use glam::DVec3;

/// What a ball waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pending {
    Nothing,
    Pair(u32),
    Wall(u32),
    Facet(u32),
    /// Of a body that may move: its number among those.
    Moving(u32),
    /// Nothing, so far as was looked.
    Look,
    Pocket(u32),
    /// The cloth has it rolling, or resting.
    Phase,
}

/// What only some balls have of their future: apart, for it is seldom asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// Of a wall or a facet.
    pub(crate) normal: DVec3,
    /// Of a body that may move.
    pub(crate) facet: u32,
    pub(crate) phase_ends: f64,
}

impl Next {
    pub(crate) const NOTHING: Self = Self { normal: DVec3::ZERO, facet: 0, phase_ends: f64::INFINITY };
}
