//! How an action with a body went.

use glam::DVec3;

use crate::flood::places::Hold;

/// More than this share of a wanted way is all of it, on a slope and in water.
pub(crate) const FREE: f64 = 0.7;

/// How an action ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// Somewhere, perhaps where it began.
    At(Hold),
    /// Below the level, where it falls forever; or on the sky.
    FellOut,
    /// In a volume that kills, or outside of the bounds.
    Killed,
}

/// The result of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trip {
    pub(crate) end: End,
    /// The center at the end.
    pub(crate) position: DVec3,
    /// The last center that stood.
    pub(crate) supported: DVec3,
    /// Where a volume pushed the body last.
    pub(crate) pushed: Option<DVec3>,
    /// Of a fall out of the world, the first center below which there was nothing any more.
    pub(crate) exit: DVec3,
    pub(crate) ticks: u32,
    pub(crate) leaves_ground: bool,
    /// Whether a walk was stopped before it left its cell.
    pub(crate) is_stopped: bool,
    /// How far it came in its direction, as a share of how far it wanted.
    pub(crate) progress: f64,
}

impl Trip {
    /// Whether it led to another cell on the ground, past nothing.
    pub(crate) fn is_free(&self) -> bool {
        !self.leaves_ground && !self.is_stopped && matches!(self.end, End::At(_)) && self.progress > FREE
    }
}
