//! The contact query of ticks.

use glam::DVec3;

use crate::shape::Mover;
use crate::world::Layers;

/// All contacts within a distance of a mover with its center at a place, after a share of the tick, with
/// bodies on some layers. Lengths in meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactQuery<'a> {
    pub(crate) mover: &'a Mover,
    pub(crate) layers: Layers,
    pub(crate) at: DVec3,
    pub(crate) time: f64,
    pub(crate) distance: f64,
}
