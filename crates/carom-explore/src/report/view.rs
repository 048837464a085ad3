//! The part of the level that a map shows.

use glam::DVec3;

/// From meters to pixels.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// The x and z of the corner at `margin` pixels from the upper left, in meters.
    pub(crate) low: [f64; 2],
    /// Pixels per meter.
    pub(crate) scale: f64,
    /// In pixels.
    pub(crate) margin: f64,
}

impl View {
    pub(crate) fn pixel(&self, p: DVec3) -> (f64, f64) {
        ((p.x - self.low[0]) * self.scale + self.margin, (p.z - self.low[1]) * self.scale + self.margin)
    }
}
