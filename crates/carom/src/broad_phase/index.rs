//! The index of boxes under a broad phase.

use crate::tree::PackedAabb;

/// Boxes by position, with the caller's numbers.
pub trait BoxIndex: Default {
    /// Takes a box in under a number, or moves the one that is there under it.
    fn place(&mut self, number: u32, bounds: &PackedAabb);

    /// Forgets the box under a number, if there is one.
    fn remove(&mut self, number: u32);

    /// The box under a number.
    fn bounds(&self, number: u32) -> Option<PackedAabb>;

    /// Visits the numbers of all boxes that share a point with an area, each once, in no particular order.
    fn overlaps(&self, area: &PackedAabb, visit: impl FnMut(u32));

    /// Called now and then, when many boxes have been placed: time to put things in order.
    fn settle(&mut self) {}

    /// How many boxes there are.
    fn len(&self) -> usize;

    /// Whether there is no box.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether two boxes share a point.
#[inline(always)]
pub(super) fn meet(a: &PackedAabb, b: &PackedAabb) -> bool {
    a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()
}
