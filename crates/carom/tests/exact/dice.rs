//! Random numbers that are the same on every machine (`SplitMix64`: Steele, Lea, Flood 2014).

use carom::num::ops;
use glam::DVec3;

pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer from `low` to `high`, both included.
    pub(crate) fn whole(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low + 1) as u64) as i64
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.bits() % of.len() as u64) as usize]
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A power of ten with a random exponent, by a random factor below ten.
    pub(crate) fn magnitude(&mut self, low: i64, high: i64) -> f64 {
        let mut x = self.between(1.0, 10.0);
        let exponent = self.whole(low, high);
        for _ in 0..exponent.abs() {
            x = if exponent > 0 { x * 10.0 } else { x / 10.0 };
        }
        x
    }

    pub(crate) fn lattice(&mut self, size: i64) -> DVec3 {
        DVec3::from_array(core::array::from_fn(|_| self.whole(-size, size) as f64))
    }

    pub(crate) fn within(&mut self, size: f64) -> DVec3 {
        DVec3::from_array(core::array::from_fn(|_| self.between(-size, size)))
    }

    /// A unit vector, all directions alike.
    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.within(1.0);
            let length_squared = v.length_squared();
            if length_squared > 1e-4 && length_squared <= 1.0 {
                return v / ops::sqrt(length_squared);
            }
        }
    }
}

/// Every coordinate as a mesh keeps it.
pub(crate) fn to_f32(v: DVec3) -> DVec3 {
    v.as_vec3().as_dvec3()
}
