//! Lists of who is near, made some events before they are wanted.
//!
//! Who looks ahead must list the neighbors of a ball to ask for them, and the ball's own prediction would
//! list them again. So lists are kept, each with the cell that it is for, until the event has happened or
//! somebody has come into the cells that it tells of, or has left them.

use core::mem::swap;

use super::cells::Cell;
use super::near::List;

/// For so many events, which follow each other, two lists each: the one that happens, and the next.
const EVENTS: usize = 2;
const LISTS: usize = 2 * EVENTS;
/// Instead of what a list tells of.
const NOTHING: i32 = -1;

/// What a list tells of: all cells beside one, or those ahead of it along an axis.
#[inline(always)]
fn kind(ahead: Option<(usize, bool)>) -> i32 {
    ahead.map_or(0, |(axis, up)| 1 + 2 * axis as i32 + i32::from(up))
}

#[derive(Clone, Debug)]
pub(crate) struct Kept {
    lists: [List; LISTS],
    /// What each tells of, and around which cell: its places by axis.
    kinds: [i32; LISTS],
    places: [[i32; LISTS]; 3],
}

impl Kept {
    pub(crate) fn new() -> Self {
        Self {
            lists: core::array::from_fn(|_| List::default()),
            kinds: [NOTHING; LISTS],
            places: [[0; LISTS]; 3],
        }
    }

    /// A list to be filled: the first or the second for an event, by its number.
    #[inline(always)]
    pub(crate) fn make(
        &mut self,
        event: usize,
        side: usize,
        cell: Cell,
        ahead: Option<(usize, bool)>,
    ) -> &mut List {
        let at = event % EVENTS * 2 + side;
        self.kinds[at] = kind(ahead);
        for (places, place) in self.places.iter_mut().zip(cell) {
            places[at] = place as i32;
        }
        &mut self.lists[at]
    }

    /// The first so many lists for an event.
    #[inline(always)]
    pub(crate) fn made(&self, event: usize, count: usize) -> &[List] {
        &self.lists[event % EVENTS * 2..][..count]
    }

    /// Exchanges a list for one of an event that tells of these cells, if there is one that is still true.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        event: usize,
        cell: Cell,
        ahead: Option<(usize, bool)>,
        list: &mut List,
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

    /// Forgets all lists that tell of a cell or of one beside it, of so many along each axis.
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

    impl Kept {
        /// Whether any list for an event tells of a cell or of one beside it.
        pub(crate) fn tells_of(&self, event: usize, cell: Cell) -> bool {
            let first = event % EVENTS * 2;
            (first..first + 2).any(|at| {
                let near = |axis: usize| (self.places[axis][at] - cell[axis] as i32).abs() <= 1;
                self.kinds[at] != NOTHING && (0..3).all(near)
            })
        }
    }

    #[test]
    fn a_list_is_given_once_and_only_for_what_it_tells_of() {
        let (mut kept, mut list) = (Kept::new(), List::default());
        kept.make(5, 0, [7, 8, 9], None);
        kept.make(5, 1, [7, 8, 8], Some((2, true)));
        for (cell, ahead) in [([7, 8, 9], Some((2, true))), ([7, 8, 8], None), ([7, 8, 8], Some((2, false)))]
        {
            assert!(!kept.take(5, cell, ahead, &mut list), "{cell:?} {ahead:?}");
        }
        assert!(!kept.take(4, [7, 8, 9], None, &mut list), "for another event");
        for (cell, ahead) in [([7, 8, 8], Some((2, true))), ([7, 8, 9], None)] {
            assert!(kept.take(5, cell, ahead, &mut list));
            assert!(!kept.take(5, cell, ahead, &mut list), "once");
        }
    }

    #[test]
    fn who_comes_or_goes_makes_lists_of_cells_around_untrue() {
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
            let (mut kept, mut list) = (Kept::new(), List::default());
            kept.make(0, 0, [7, 8, 1], None);
            kept.forget(left, counts);
            assert_eq!(kept.take(0, [7, 8, 1], None, &mut list), !forgotten, "{left:?}");
        }
        for (at, left) in [([0, 8, 1], [18, 8, 1]), ([19, 8, 1], [1, 8, 1])] {
            let (mut kept, mut list) = (Kept::new(), List::default());
            kept.make(0, 0, at, None);
            kept.forget(left, counts);
            assert!(!kept.take(0, at, None, &mut list), "{left:?} is beside {at:?} round a side");
        }
    }
}
