//! Numbers, choices and shapes out of bytes, for targets that build a scene.

use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3};

/// Draws from bytes; 0 when they have run out.
pub struct Draws<'a>(&'a [u8]);

impl<'a> Draws<'a> {
    /// From these bytes, the first first.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all bytes are used.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// From 0 to `count` - 1.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// From `low` to `high`, in 65,535 steps: round numbers are frequent, where laws break.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let step = u16::from_le_bytes([self.byte(), self.byte()]);
        low + (high - low) * (f64::from(step) / 65_535.0)
    }

    /// A whole multiple of 1/4 within `most` of 0, along each axis.
    pub fn grid(&mut self, most: u32) -> DVec3 {
        let span = 8 * most as usize + 1;
        DVec3::from_array(core::array::from_fn(|_| (self.below(span) as f64 - 4.0 * f64::from(most)) / 4.0))
    }

    /// Within `most` of 0 along each axis.
    pub fn vector(&mut self, most: f64) -> DVec3 {
        DVec3::from_array(core::array::from_fn(|_| self.between(-most, most)))
    }

    /// None half of the time, else any.
    pub fn rotation(&mut self) -> DQuat {
        if self.below(2) == 0 {
            return DQuat::IDENTITY;
        }
        let [x, y, z, w] = core::array::from_fn(|_| self.between(-1.0, 1.0));
        let rotation = DQuat::from_xyzw(x, y, z, w);
        if rotation.length_squared() > 0.01 { rotation.normalize() } else { DQuat::IDENTITY }
    }

    /// A mover of any kind but a point, with sizes from 0.1 to 2.
    pub fn mover(&mut self) -> Mover {
        let kind = self.below(4);
        let sizes = self.vector(0.95) + DVec3::splat(1.05);
        let made = match kind {
            0 => Sphere::new(sizes.x).map(Mover::from),
            1 => Ellipsoid::new(sizes).map(Mover::from),
            2 => Capsule::new(0.5 * sizes.x, 0.5 * sizes.y).map(Mover::from),
            _ => Cuboid::new(sizes).map(Mover::from),
        };
        made.expect("sizes are positive and finite")
    }
}
