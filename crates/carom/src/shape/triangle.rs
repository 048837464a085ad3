//! Triangle.

use glam::DVec3;

use super::{ShapeError, finite};

/// Three corners. Counter-clockwise as seen from its front. One without area is legal: it acts as the segment or point that it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [DVec3; 3],
}

impl Triangle {
    /// The triangle with these corners, in metres.
    ///
    /// # Errors
    /// A corner that is not finite.
    pub fn new(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        finite(a, "a")?;
        finite(b, "b")?;
        finite(c, "c")?;
        Ok(Self { corners: [a, b, c] })
    }

    /// The three corners, in metres.
    pub fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { corners: self.corners.map(|v| v * factor) }
    }
}
