//! The constraint of a contact plane, and when two planes count as one.

use core::cmp::Ordering;

use glam::DVec3;

use crate::num::bound::{APPROACH, UNIT_ROUNDOFF};

/// κ: unit normals nearer to each other than this, 28 ulp, count as one direction. The planes are not merged
/// beforehand, because being near is not transitive. Instead a plane is excused if a held plane of its
/// direction demands at least as much. It is then violated by at most κ times the speed. With the 2 ulp of
/// the answer itself, that stays below what a sweep calls an approach, [`APPROACH`].
pub const COINCIDENT: f64 = APPROACH - 8.0 * UNIT_ROUNDOFF;

/// The half-space that a contact plane allows: all v with normal · v ≥ bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Constraint {
    pub(super) normal: DVec3,
    pub(super) bound: f64,
    /// The index in the caller's list.
    pub(super) index: usize,
}

impl Constraint {
    /// By normal, then bound; the index only orders equal ones.
    pub(super) fn by_value(&self, other: &Self) -> Ordering {
        let key = |constraint: &Self| {
            [constraint.normal.x, constraint.normal.y, constraint.normal.z, constraint.bound]
        };
        // Finite numbers always compare, and −0 equals 0.
        key(self).partial_cmp(&key(other)).unwrap_or(Ordering::Equal).then(self.index.cmp(&other.index))
    }

    /// Whether `other` is of the same direction and requires no more.
    pub(super) fn stands_for(&self, other: &Self) -> bool {
        self.bound >= other.bound && (self.normal - other.normal).length_squared() <= COINCIDENT * COINCIDENT
    }
}
