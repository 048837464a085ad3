//! Random numbers of the comparisons on real levels: the counts in the documentation are of this stream.

use glam::{DVec3, dvec3};

/// A linear congruential stream that starts at its seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// From −1 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.bits() as f64 / f64::from(1u32 << 30) - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        dvec3(self.unit(), self.unit(), self.unit())
    }
}
