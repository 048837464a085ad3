//! Random numbers for unit tests that try many cases. Every run gets the same ones.

use glam::DVec3;

/// The generator xorshift64*. Its seed must not be 0.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// A value of the slice.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.number().abs() * from.len() as f64) as usize % from.len()]
    }

    /// A size from `1 / most` to `most`.
    pub(crate) fn size(&mut self, most: f64) -> f64 {
        let larger = 1.0 + self.number().abs() * (most - 1.0);
        if self.number() < 0.0 { larger } else { 1.0 / larger }
    }
}
