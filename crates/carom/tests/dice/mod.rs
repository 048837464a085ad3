//! Random numbers for tests: a seed names the same ones on every machine.

use glam::{DVec3, dvec3};

pub(crate) struct Dice(pub(crate) u64);

#[allow(dead_code, reason = "each test has its own use of these")]
impl Dice {
    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point of the cube that reaches `size` from the origin.
    pub(crate) fn point(&mut self, size: f64) -> DVec3 {
        dvec3(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}
