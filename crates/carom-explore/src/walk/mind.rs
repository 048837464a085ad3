//! The inputs of a random agent, tick by tick, by a seed.

use carom::character::Input;
use carom::num::ops;
use glam::DVec3;

/// Random numbers by a seed: splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct Dice(u64);

impl Dice {
    /// From 0 up to 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The input of an agent, tick by tick.
pub(crate) struct Mind {
    dice: Dice,
    desired_velocity: DVec3,
    left: u32,
}

impl Mind {
    /// Every third idles for three seconds first.
    pub(crate) fn new(seed: u16, dt: f64) -> Self {
        let idle = if seed.is_multiple_of(3) { (3.0 / dt) as u32 } else { 0 };
        Self { dice: Dice(0x00CA_401D ^ (u64::from(seed) << 32)), desired_velocity: DVec3::ZERO, left: idle }
    }

    /// A new heading every 0.1 to 1.5 s, a jump before 60 % of them; now and then it rests.
    pub(crate) fn next(&mut self, speed: f64, jump: f64, dt: f64) -> Input {
        if self.left > 0 {
            self.left -= 1;
            return Input::walk(self.desired_velocity);
        }
        self.left = ((0.1 + 1.4 * self.dice.roll()) / dt) as u32;
        let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * self.dice.roll());
        let rests = self.dice.roll() < 0.05;
        self.desired_velocity = if rests { DVec3::ZERO } else { DVec3::new(cos, 0.0, sin) * speed };
        let input = Input::walk(self.desired_velocity);
        if jump > 0.0 && self.dice.roll() < 0.6 { input.jump(jump) } else { input }
    }
}
