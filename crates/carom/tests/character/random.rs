//! Numbers that look random and are the same in every run: xorshift64*.

use glam::{DVec3, dvec3};

/// The seed is not 0.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// From 0 to 1.
    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }

    /// A unit vector.
    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = dvec3(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&v.length_squared()) {
                return v / v.length();
            }
        }
    }

    /// An integer below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.number() * count as f64) as usize
    }
}
