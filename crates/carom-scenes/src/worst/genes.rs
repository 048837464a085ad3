//! The numbers that a case is made of, so that a search can change any of them a little.

use carom::num::ops;
use glam::DVec3;

use crate::Random;

/// How many genes a case has.
pub(super) const COUNT: usize = 48;

/// All that distinguishes a case from others of its query and family: integers that stand for shares of a
/// range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Genes([u32; COUNT]);

/// The parts of a case. Each starts at a gene of its own, so that a change in one part leaves the others as
/// they are.
#[derive(Clone, Copy)]
pub(super) enum Section {
    Scene = 0,
    Mover = 8,
    Place = 16,
    Way = 24,
    Tick = 32,
}

impl Genes {
    /// Genes that are all equally likely.
    pub(super) fn random(random: &mut Random) -> Self {
        Self([(); COUNT].map(|()| (random.bits() >> 32) as u32))
    }

    /// The same with one to four genes changed, mostly by little.
    pub(super) fn mutated(mut self, random: &mut Random) -> Self {
        for _ in 0..1 + random.below(4) {
            let gene = &mut self.0[random.below(COUNT)];
            let bits = random.bits();
            let amount = (bits >> 32) as u32 >> random.below(32);
            *gene = match bits % 4 {
                0 => (bits >> 32) as u32,
                1 | 2 => gene.saturating_add(amount),
                _ => gene.saturating_sub(amount),
            };
        }
        self
    }

    /// Half of the genes from each of two, in one piece.
    pub(super) fn crossed(mut self, other: &Self, random: &mut Random) -> Self {
        let (from, count) = (random.below(COUNT), random.below(COUNT));
        for i in (from..from + count).map(|i| i % COUNT) {
            self.0[i] = other.0[i];
        }
        self
    }

    /// Reads a section from its start.
    pub(super) fn section(&self, section: Section) -> Reader<'_> {
        Reader { genes: self.0[section as usize..].iter() }
    }

    /// Eight hexadecimal digits a gene.
    pub(super) fn digits(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    /// The genes of such digits; `None` for other text.
    pub(super) fn from_digits(text: &str) -> Option<Self> {
        let mut genes = [0; COUNT];
        if !(text.is_ascii() && text.len() == 8 * COUNT) {
            return None;
        }
        for (gene, digits) in genes.iter_mut().zip(text.as_bytes().chunks(8)) {
            *gene = u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self(genes))
    }
}

/// Reads genes one after the other.
pub(super) struct Reader<'a> {
    genes: core::slice::Iter<'a, u32>,
}

impl Reader<'_> {
    /// A number in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        // Beyond the last gene there is none: sections are shorter.
        self.genes.next().map_or(0.0, |gene| f64::from(*gene) * (1.0 / (1u64 << 32) as f64))
    }

    /// A number in [low, high).
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number from `low` up to 2^`octaves` times as much, each octave equally likely.
    pub(super) fn octaves(&mut self, low: f64, octaves: u32) -> f64 {
        let exponent = f64::from(octaves) * self.unit();
        let whole = exponent as u32;
        low * (1u64 << whole) as f64 * (1.0 + (exponent - f64::from(whole)))
    }

    /// An integer below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// One of several.
    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A direction, all equally likely. Two genes.
    pub(super) fn direction(&mut self) -> DVec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * self.unit());
        let s = ops::sqrt(1.0 - z * z);
        DVec3::new(s * cos, s * sin, z)
    }

    /// A seed.
    pub(super) fn seed(&mut self) -> u64 {
        self.genes.next().map_or(0, |gene| u64::from(*gene))
    }
}
