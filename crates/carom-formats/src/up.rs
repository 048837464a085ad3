//! The axis that points up.

use glam::DVec3;

/// Which axis of the file points up. Carom's levels have y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// Coordinates stay as they are.
    #[default]
    Y,
    /// (x, y, z) becomes (x, z, −y).
    Z,
}

impl Up {
    /// A position, or a direction, with this axis up in the frame with y up.
    pub fn apply(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => p,
            Self::Z => DVec3::new(p.x, p.z, -p.y),
        }
    }

    /// The other way.
    pub fn undo(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => p,
            Self::Z => DVec3::new(p.x, -p.z, p.y),
        }
    }
}
