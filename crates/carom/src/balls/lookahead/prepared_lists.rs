//! Lists of neighbors, made some events before they are used.
//!
//! To fetch the neighbors of a ball the lookahead must list them, and the ball's own prediction would list
//! them again. So each list is stored with its cell until the event has happened, or a ball has entered or
//! left its cells.

use core::mem::swap;

use crate::balls::grid::cell::Cell;
use crate::balls::grid::neighbor_list::NeighborList;

/// Two lists each for the event that happens and the next one.
const EVENTS: usize = 2;
const LISTS: usize = 2 * EVENTS;
/// The kind of a list that is not used.
const NOTHING: i32 = -1;

/// The kind of a list: all cells beside one, or those ahead of it along an axis.
#[inline(always)]
fn kind(ahead: Option<(usize, bool)>) -> i32 {
    ahead.map_or(0, |(axis, up)| 1 + 2 * axis as i32 + i32::from(up))
}

#[derive(Clone, Debug)]
pub(crate) struct PreparedLists {
    lists: [NeighborList; LISTS],
    /// The kind of each list, and the place of its cell along each axis.
    kinds: [i32; LISTS],
    places: [[i32; LISTS]; 3],
}

impl PreparedLists {
    pub(crate) fn new() -> Self {
        Self {
            lists: core::array::from_fn(|_| NeighborList::default()),
            kinds: [NOTHING; LISTS],
            places: [[0; LISTS]; 3],
        }
    }

    /// A list to fill: the first or the second of an event, by its number.
    #[inline(always)]
    pub(crate) fn make(
        &mut self,
        event: usize,
        side: usize,
        cell: Cell,
        ahead: Option<(usize, bool)>,
    ) -> &mut NeighborList {
        let at = event % EVENTS * 2 + side;
        self.kinds[at] = kind(ahead);
        for (places, place) in self.places.iter_mut().zip(cell) {
            places[at] = place as i32;
        }
        &mut self.lists[at]
    }

    /// The first `count` lists of an event.
    #[inline(always)]
    pub(crate) fn made(&self, event: usize, count: usize) -> &[NeighborList] {
        &self.lists[event % EVENTS * 2..][..count]
    }

    /// Swaps a list for the one prepared for an event and a cell, if there is one that is still valid.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        event: usize,
        cell: Cell,
        ahead: Option<(usize, bool)>,
        list: &mut NeighborList,
    ) -> bool {
        let (first, kind) = (event % EVENTS * 2, kind(ahead));
        for at in [first, first + 1] {
            let same = (0..3).all(|axis| self.places[axis][at] == cell[axis] as i32);
            if same && self.kinds[at] == kind {
                self.kinds[at] = NOTHING;
                swap(&mut self.lists[at], list);
                return true;
            }
        }
        false
    }

    /// Drops all lists that cover a cell, of a grid with `counts` cells along each axis.
    #[inline(always)]
    pub(crate) fn forget(&mut self, cell: Cell, counts: [u32; 3]) {
        let mut near = [true; LISTS];
        for axis in 0..3 {
            let (place, round) = (cell[axis] as i32, counts[axis] as i32 - 2);
            for (near, other) in near.iter_mut().zip(self.places[axis]) {
                let steps = (other - place).abs();
                *near &= steps <= 2 || steps >= round;
            }
        }
        for (kind, near) in self.kinds.iter_mut().zip(near) {
            *kind = if near { NOTHING } else { *kind };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PreparedLists {
        /// Whether any list of an event covers a cell or one beside it.
        pub(crate) fn is_for(&self, event: usize, cell: Cell) -> bool {
            let first = event % EVENTS * 2;
            (first..first + 2).any(|at| {
                let near = |axis: usize| (self.places[axis][at] - cell[axis] as i32).abs() <= 1;
                self.kinds[at] != NOTHING && (0..3).all(near)
            })
        }
    }

    #[test]
    fn a_list_is_given_once_and_only_for_its_own_cell() {
        let (mut prepared, mut list) = (PreparedLists::new(), NeighborList::default());
        prepared.make(5, 0, [7, 8, 9], None);
        prepared.make(5, 1, [7, 8, 8], Some((2, true)));
        for (cell, ahead) in [([7, 8, 9], Some((2, true))), ([7, 8, 8], None), ([7, 8, 8], Some((2, false)))]
        {
            assert!(!prepared.take(5, cell, ahead, &mut list), "{cell:?} {ahead:?}");
        }
        assert!(!prepared.take(4, [7, 8, 9], None, &mut list), "for another event");
        for (cell, ahead) in [([7, 8, 8], Some((2, true))), ([7, 8, 9], None)] {
            assert!(prepared.take(5, cell, ahead, &mut list));
            assert!(!prepared.take(5, cell, ahead, &mut list), "once");
        }
    }

    #[test]
    fn a_ball_that_enters_or_leaves_drops_the_lists_around() {
        let counts = [20, 20, 4];
        for (left, forgotten) in [
            ([7, 8, 1], true),
            ([9, 8, 1], true),
            ([5, 10, 0], true),
            ([10, 8, 1], false),
            ([7, 5, 1], false),
            // Round a side, and along a short one from everywhere.
            ([19, 8, 1], false),
            ([7, 8, 3], true),
        ] {
            let (mut prepared, mut list) = (PreparedLists::new(), NeighborList::default());
            prepared.make(0, 0, [7, 8, 1], None);
            prepared.forget(left, counts);
            assert_eq!(prepared.take(0, [7, 8, 1], None, &mut list), !forgotten, "{left:?}");
        }
        for (at, left) in [([0, 8, 1], [18, 8, 1]), ([19, 8, 1], [1, 8, 1])] {
            let (mut prepared, mut list) = (PreparedLists::new(), NeighborList::default());
            prepared.make(0, 0, at, None);
            prepared.forget(left, counts);
            assert!(!prepared.take(0, at, None, &mut list), "{left:?} is beside {at:?} round a side");
        }
    }
}
