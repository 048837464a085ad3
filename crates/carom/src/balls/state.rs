//! The state of each ball, split by how often it is read.

use alloc::vec::Vec;

use glam::DVec3;

use super::Ball;
use super::rules::BallMotion;
use crate::balls::events::pending::Pending;
use crate::balls::grid::cell::{Cell, PackedCell};

/// One cache line: all that a neighbor reads, but for the radius.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BallHot {
    /// Its position and velocity at `time`.
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) time: f64,
    /// When its next event is, apart from leaving its cell.
    pub(crate) due: f64,
}

impl BallHot {
    /// A ball at the start.
    pub(crate) fn new(ball: &Ball) -> Self {
        Self { position: ball.position, velocity: ball.velocity, time: 0.0, due: f64::INFINITY }
    }
}

/// A number for each ball; only one if it is the same for all.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    all: Vec<f64>,
    /// Masks the index of a ball: 0 if all share one number.
    mask: usize,
}

impl Measure {
    pub(crate) fn new(mut all: Vec<f64>) -> Self {
        let same = !all.is_empty() && all.iter().all(|&other| other == all[0]);
        if same {
            all.truncate(1);
        }
        Self { all, mask: if same { 0 } else { usize::MAX } }
    }

    /// The number that all balls share, if they do.
    #[inline(always)]
    pub(crate) fn same(&self) -> Option<f64> {
        (self.mask == 0).then(|| self.all[0])
    }

    #[inline(always)]
    pub(crate) fn of(&self, ball: usize) -> f64 {
        self.all[ball & self.mask]
    }
}

/// One cache line: the next event of a ball, and what a contact reads besides.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BallCold {
    /// When it leaves its cell, and through which face.
    pub(crate) crosses: f64,
    pub(crate) axis: u8,
    pub(crate) up: bool,
    pub(crate) motion: BallMotion,
    pub(crate) what: Pending,
    /// When its flight changed last, and when its next event was last predicted: counted in changes of all
    /// balls. The prediction is outdated if the other ball has changed since.
    pub(crate) changed: u64,
    pub(crate) asked: u64,
    /// The caller's number.
    pub(crate) outer: u32,
    /// When its last contact was.
    pub(crate) last: f64,
    /// How many contacts in a row came in no time.
    pub(crate) jammed: u16,
    /// Its cell.
    pub(crate) place: PackedCell,
}

// A second cache line would be fetched as often as the first.
const _: () = assert!(size_of::<BallHot>() == 64 && size_of::<BallCold>() == 64);

impl BallCold {
    pub(crate) fn new(cell: Cell, outer: u32) -> Self {
        Self {
            crosses: f64::INFINITY,
            axis: 0,
            up: false,
            motion: BallMotion::Free,
            what: Pending::Nothing,
            outer,
            changed: 0,
            asked: 0,
            last: f64::NEG_INFINITY,
            jammed: 0,
            place: PackedCell::of(cell),
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
    /// The last balls that held it.
    pub(crate) supports: [u32; 4],
    /// How many contacts there were, where energy is lost or bodies may move, since they were last looked
    /// at, and the sum of the gaps before them.
    pub(crate) squeezed: u8,
    pub(crate) gaps: f64,
    /// Moving bodies go through it until this time.
    pub(crate) crushed_until: f64,
}

impl Settling {
    pub(crate) const NOT: Self = Self {
        count: 0,
        place: DVec3::ZERO,
        held: false,
        supports: [u32::MAX; 4],
        squeezed: 0,
        gaps: 0.0,
        crushed_until: f64::NEG_INFINITY,
    };
}
