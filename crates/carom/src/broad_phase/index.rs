//! The index of boxes under a broad phase.

use crate::tree::PackedAabb;

/// Boxes by position, with the caller's numbers.
pub trait BoxIndex: Default {
    /// Adds a box under a number, or moves the box of that number.
    fn place(&mut self, number: u32, bounds: &PackedAabb);

    /// Removes the box of a number, if there is one.
    fn remove(&mut self, number: u32);

    /// The box under a number.
    fn bounds(&self, number: u32) -> Option<PackedAabb>;

    /// Visits the numbers of all boxes that overlap an area, each once, in no particular order.
    fn overlaps(&self, area: &PackedAabb, visit: impl FnMut(u32));

    /// Called from time to time, when many boxes have been placed: the index may rebuild itself.
    fn settle(&mut self) {}

    /// The number of boxes.
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
