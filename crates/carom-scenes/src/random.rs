//! Random numbers that are the same for ever.
//!
//! Source: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016):
//! xorshift64*. Every world and every query of this crate draws from here, in an order that its documentation
//! states, so that a seed names the same triangles on every machine and in every language. Sines come from
//! `carom::num::ops`.

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DQuat, DVec3};

/// A stream of random numbers: xorshift64*, period 2⁶⁴ − 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that starts at `seed` itself, as the workloads' seeds do. A seed of 0, from which xorshift
    /// never leaves, stands for 2⁶³.
    pub fn new(seed: u64) -> Self {
        Self { state: if seed == 0 { 1 << 63 } else { seed } }
    }

    /// A stream for one of many consecutive seeds: neighbors share their first numbers no more than strangers
    /// do.
    pub fn scattered(seed: u64) -> Self {
        // The finisher of splitmix64 (Steele, Lea, Flood 2014): a bijection, so that no two seeds fall
        // together.
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self::new(z ^ (z >> 31))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// An integer below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        // Rounding can carry the product up to `count` itself only for counts beyond 2⁵³.
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A direction, all equally likely. Two draws: height, then longitude.
    pub fn direction(&mut self) -> DVec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = ops::sin_cos(TAU * self.unit());
        let s = ops::sqrt(1.0 - z * z);
        DVec3::new(s * cos, s * sin, z)
    }

    /// A level direction (y = 0), all equally likely. One draw: the angle from +x towards +z.
    pub fn heading(&mut self) -> DVec3 {
        let (sin, cos) = ops::sin_cos(TAU * self.unit());
        DVec3::new(cos, 0.0, sin)
    }

    /// A rotation, all equally likely. Source: Shoemake, "Uniform random rotations", Graphics Gems III. Three
    /// draws.
    pub fn rotation(&mut self) -> DQuat {
        let share = self.unit();
        let (sin_a, cos_a) = ops::sin_cos(TAU * self.unit());
        let (sin_b, cos_b) = ops::sin_cos(TAU * self.unit());
        let (a, b) = (ops::sqrt(1.0 - share), ops::sqrt(share));
        DQuat::from_xyzw(a * sin_a, a * cos_a, b * sin_b, b * cos_b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_generator() {
        // Worked by hand from the three shifts and the product, in exact integers, for state 1.
        let mut random = Random::new(1);
        let first = (1u64 | 1 << 25).wrapping_mul(0x2545_F491_4F6C_DD1D);
        assert_eq!(random.bits(), first);
        assert_eq!(first, 0x47E4_CE4B_896C_DD1D);
    }

    #[test]
    fn numbers_stay_in_their_interval() {
        let mut random = Random::new(7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-3.0..5.0).contains(&random.between(-3.0, 5.0)));
            assert!(random.below(7) < 7);
        }
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn directions_and_rotations_have_length_one() {
        let mut random = Random::new(8);
        for _ in 0..10_000 {
            assert!((random.direction().length_squared() - 1.0).abs() < 4.0 * f64::EPSILON);
            assert!((random.heading().length_squared() - 1.0).abs() < 4.0 * f64::EPSILON);
            assert!((random.rotation().length_squared() - 1.0).abs() < 8.0 * f64::EPSILON);
        }
    }

    #[test]
    fn directions_lean_no_way() {
        let mut random = Random::new(9);
        let count = 40_000;
        let mean = (0..count).map(|_| random.direction()).sum::<DVec3>() / f64::from(count);
        // Each coordinate has variance 1/3: five standard deviations of the mean.
        assert!(mean.abs().max_element() < 5.0 * ops::sqrt(1.0 / 3.0 / f64::from(count)));
    }

    #[test]
    fn a_seed_of_zero_is_not_stuck() {
        let mut random = Random::new(0);
        assert_ne!(random.bits(), random.bits());
    }

    #[test]
    fn neighboring_seeds_start_apart() {
        let near = |seed| Random::scattered(seed).unit();
        let close = (0..1000).filter(|&seed| (near(seed) - near(seed + 1)).abs() < 0.01).count();
        // Two independent numbers are this near with probability 0.0199.
        assert!((5..45).contains(&close), "{close}");
    }
}
