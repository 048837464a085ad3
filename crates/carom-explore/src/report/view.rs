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

    /// The least and the greatest x and z that a picture of this many pixels shows, in meters.
    pub(crate) fn area(&self, [width, height]: [usize; 2]) -> [[f64; 2]; 2] {
        let at = |i: usize, pixel: f64| self.low[i] + (pixel - self.margin) / self.scale;
        [[at(0, 0.0), at(1, 0.0)], [at(0, width as f64), at(1, height as f64)]]
    }
}
