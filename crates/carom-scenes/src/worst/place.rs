//! A world, and the places on its surfaces where movers are put.

use carom::world::{BodyId, World};
use glam::DVec3;

use crate::SceneMesh;

/// A world with what is known of it.
#[derive(Clone)]
pub(super) struct Level {
    pub(super) world: World,
    /// The bodies that move, with their velocities: in m/s, and in rad/s.
    pub(super) driven: Vec<(BodyId, DVec3, DVec3)>,
    pub(super) surface: Surface,
    /// The middle, and how far it is from there to the sides, in meters.
    pub(super) middle: DVec3,
    pub(super) half: f64,
}

/// The surfaces that movers are put beside.
#[derive(Clone)]
pub(super) enum Surface {
    /// The hills, which all cases share.
    Hills,
    /// The corners of triangles.
    Triangles(Vec<[DVec3; 3]>),
    /// Balls inside solids: their centers and radii.
    Balls(Vec<(DVec3, f64)>),
}

impl Surface {
    pub(super) fn of(mesh: &SceneMesh) -> Self {
        Self::Triangles(mesh.iter_corners().collect())
    }
}

/// A place on a surface, with a unit normal.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: DVec3,
    pub(super) normal: DVec3,
}
