//! What a table keeps of each ball, by how often it is asked for.

use glam::DVec3;

use super::predict::What;
use super::rules::Motion;

/// One cache line: all that a neighbour wants to know.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Hot {
    /// Where it was at `time`, and how fast.
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) time: f64,
    pub(crate) radius: f64,
}

/// One cache line: what a ball waits for, and what a contact wants to know besides.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Own {
    /// When its own event is, apart from leaving its cell.
    pub(crate) time: f64,
    /// When it leaves its cell, and through which face.
    pub(crate) crosses: f64,
    pub(crate) axis: u8,
    pub(crate) up: bool,
    pub(crate) motion: Motion,
    pub(crate) what: What,
    /// Counts the changes of its flight, so that what was predicted with an old one is known as outdated.
    pub(crate) version: u32,
    pub(crate) mass: f64,
    /// When it last met anything.
    pub(crate) last: f64,
    /// How many contacts in a row came too soon after another, and how many in no time.
    pub(crate) hurried: u16,
    pub(crate) jammed: u16,
}

impl Own {
    pub(crate) fn new(mass: f64) -> Self {
        Self {
            time: f64::INFINITY,
            crosses: f64::INFINITY,
            axis: 0,
            up: false,
            motion: Motion::Free,
            what: What::Nothing,
            version: 0,
            mass,
            last: f64::NEG_INFINITY,
            hurried: 0,
            jammed: 0,
        }
    }
}

/// How a ball has been bouncing lately.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settling {
    /// How many slow contacts in a row.
    pub(crate) count: u8,
    /// Where the first of them was.
    pub(crate) place: DVec3,
    /// Whether any of them was against gravity.
    pub(crate) held: bool,
    /// The last balls that it was held by.
    pub(crate) supports: [u32; 4],
    /// How many contacts in a row with bodies that move came so soon after another that it had hardly moved.
    pub(crate) squeezed: u8,
    /// Until then bodies that move go through it.
    pub(crate) crushed_until: f64,
}

impl Settling {
    pub(crate) const NOT: Self = Self {
        count: 0,
        place: DVec3::ZERO,
        held: false,
        supports: [u32::MAX; 4],
        squeezed: 0,
        crushed_until: f64::NEG_INFINITY,
    };
}
