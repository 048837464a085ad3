//! The balls in the cells around one: their numbers, and the periodic image of each.

use alloc::vec::Vec;

/// The images of a periodic table: itself, and one beside it on each side.
pub(crate) const IMAGES: usize = 27;
/// The length of a list where no brick holds more than `most` balls: all around a cell, one that makes the
/// number even, and what is written behind the last.
fn room(most: usize) -> usize {
    IMAGES * most + 6
}

/// The balls near a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct NeighborList {
    /// As long as a list can become; the first `count` are in use.
    pub(crate) balls: Vec<u32>,
    /// From which image each is seen; only where a side is periodic.
    pub(crate) images: Vec<u8>,
    pub(crate) round: bool,
    pub(crate) count: usize,
}

impl NeighborList {
    /// Where to write the balls and their images, with room for all around a cell if no brick holds more than
    /// `most`.
    #[inline(always)]
    pub(crate) fn make_room(&mut self, most: usize) -> (&mut [u32], &mut [u8]) {
        if room(most) > self.balls.len() {
            self.grow(room(most));
        }
        (&mut self.balls, &mut self.images)
    }

    #[cold]
    fn grow(&mut self, length: usize) {
        self.balls.resize(length, 0);
        self.images.resize(length, 0);
    }

    /// Sets how many were written, and whether any is seen from an image.
    #[inline(always)]
    pub(crate) fn ends(&mut self, count: usize, round: bool) {
        (self.count, self.round) = (count, round);
    }

    /// Whether another holds the same balls, seen from the same images.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let seen = |list: &Self| if list.round { list.count } else { 0 };
        self.balls() == other.balls() && self.images[..seen(self)] == other.images[..seen(other)]
    }

    /// The balls that were written.
    #[inline(always)]
    pub(crate) fn balls(&self) -> &[u32] {
        &self.balls[..self.count]
    }
}
