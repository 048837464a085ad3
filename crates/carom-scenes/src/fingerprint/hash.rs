//! FNV-1a (Fowler, Noll, Vo) of 64 bits.

use glam::DVec3;

/// The hash of all bits so far.
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(super) fn value(&self) -> u64 {
        self.0
    }

    pub(super) fn bits(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(super) fn number(&mut self, number: f64) {
        self.bits(number.to_bits());
    }

    pub(super) fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }

    pub(super) fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.bits(byte.into()));
    }
}
