//! Random patches, movers and ways.

use carom::glam::{DQuat, DVec3, dvec3};
use carom::shape::BezierPatch;

/// A generator of numbers: the same on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From −1 to 1.
    pub(crate) fn signed(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    pub(crate) fn one_of(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count - 1)
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        dvec3(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let [x, y, z, w] = [self.signed(), self.signed(), self.signed(), self.signed()];
        let q = DQuat::from_xyzw(x, y, z, w);
        if q.dot(q) > 0.01 { q } else { DQuat::IDENTITY }
    }

    /// A patch about as large as 1: waves on a square, some flat along one side, some with an edge that is a
    /// point, some folded every way.
    pub(crate) fn patch(&mut self) -> BezierPatch {
        let degree = 2 + self.one_of(2);
        let side = degree + 1;
        let kind = self.one_of(5);
        let height = [0.05, 0.4, 0.4, 1.0, 0.3][kind];
        let mut points = Vec::new();
        let offset = self.vector() * [0.0, 1.0, 100.0][self.one_of(3)];
        let tube: Vec<f64> = (0..side).map(|_| self.signed() * height).collect();
        for j in 0..side {
            for i in 0..side {
                let (x, z) = (i as f64 / degree as f64, j as f64 / degree as f64);
                let point = match kind {
                    // A pipe: straight one way.
                    2 => dvec3(x, tube[i], z),
                    3 => dvec3(x, 0.0, z) + self.vector() * height,
                    4 if j == 0 => dvec3(0.5, 0.5, 0.0),
                    _ => dvec3(x, self.signed() * height, z) + self.vector() * 0.1,
                };
                points.push(offset + point);
            }
        }
        BezierPatch::new([degree; 2], &points).unwrap()
    }
}
