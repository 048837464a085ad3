//! The path of a mover in a part of a tick, and how much of the mover moving bodies hit.

use glam::DVec3;

use crate::shape::Mover;
use crate::world::BodyId;

/// A part of a tick: a straight path of a mover, and its times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepSegment<'a> {
    pub(crate) mover: &'a Mover,
    pub(crate) from: DVec3,
    pub(crate) translation: DVec3,
    /// Shares of the tick, 0 … 1.
    pub(crate) times: [f64; 2],
    /// The body that carries the mover: in its frame the path is straight, however it turns.
    pub(crate) carrier: Option<BodyId>,
    pub(crate) extent: SweepExtent,
    /// Bodies that are left out.
    pub(crate) excluded: &'a [BodyId],
}

/// How much of the mover moving bodies hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SweepExtent {
    /// The whole mover; for a body that turns, what is left if it shrinks for the bend of the path.
    #[default]
    Usual,
    /// Only its middle.
    Core,
    /// The whole mover, and for a body that turns, as far around it as the path bends: what it does not hit
    /// is surely not met.
    Wide,
}
