//! Prefetches the data of the next events.
//!
//! Successive events are all over the table, and each needs about forty cache lines that are no longer in the
//! cache. Fetched one after the other they would take most of the time: the ball, then the cells around it,
//! then the balls in these. So a large table keeps a list of the next events and fetches their data in four
//! steps: the ball; its partner; the cells around both; the balls in these. A step reads only data that the
//! previous step fetched some events ago, so it does not wait. With each event, one step of four others is
//! taken. The last step must list the neighbors, and the event then uses that list: see [`PreparedLists`]. No
//! result depends on any of this. Cost: about 2,250 instructions per collision.

mod prefetch_events;
mod prepared_lists;

use alloc::vec::Vec;

pub(crate) use prepared_lists::PreparedLists;

use crate::balls::events::queue::Soon;
use crate::balls::grid::cell::Cell;
use crate::balls::grid::neighbor_list::NeighborList;
use crate::prefetch::ASKS;

/// How many events before its own each step of an event is taken.
pub(crate) const STEPS: [usize; 4] = [4, 3, 2, 1];
/// How many more to find when all that were found are being fetched.
pub(crate) const WANTED: usize = 64;
/// The farthest look ahead, in times of the span in which as many events happened.
const FARTHEST: f64 = 4.0;
/// The length of the list, at most. A power of two.
pub(crate) const ROOM: usize = 128;
/// A table of fewer balls lies mostly in a cache of 2 MB: measured, looking ahead costs it more than it
/// saves.
const LARGE: usize = 34_816;

/// The events found ahead of time, and which steps each has had.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    pub(crate) large: bool,
    /// The coming events by time, in a ring.
    pub(crate) coming: Vec<Soon>,
    /// How many were found since the start, and how many of these have happened.
    pub(crate) found: usize,
    pub(crate) happened: usize,
    /// For how many of those found each step has been taken.
    pub(crate) taken: [usize; 4],
    /// All events up to this time have been found.
    pub(crate) until: f64,
    /// The span of time in which to find the next ones.
    pub(crate) window: f64,
    /// When events were last looked for, and how many have happened since.
    pub(crate) since: f64,
    pub(crate) events: usize,
    /// The neighbors of events that have had their last step.
    pub(crate) prepared: PreparedLists,
}

impl Lookahead {
    pub(crate) fn new(balls: usize) -> Self {
        let large = ASKS && balls >= LARGE;
        Self {
            large,
            coming: alloc::vec![Soon::default(); if large { ROOM } else { 0 }],
            found: 0,
            happened: 0,
            taken: [0; 4],
            until: f64::NEG_INFINITY,
            window: 0.0,
            since: 0.0,
            events: 0,
            prepared: PreparedLists::new(),
        }
    }

    /// Whether the table is large enough to look ahead.
    #[inline(always)]
    pub(crate) fn is_worth_it(&self) -> bool {
        self.large
    }

    /// Advances to an event that happens now. Returns whether more must be found.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, time: f64) -> bool {
        self.events += 1;
        while self.happened < self.found && self.coming[self.happened % ROOM].time <= time {
            self.happened += 1;
        }
        if self.events > 2 * ROOM {
            // The events found come later than all that happens now: a stroke, or a pile of events.
            self.happened = self.found;
            self.until = time;
            return true;
        }
        // Not ever farther ahead where few are found, because others of their part of the tournament come
        // before them.
        self.found - self.happened <= STEPS[0] && self.until <= time + FARTHEST * self.window
    }

    /// Swaps in the list prepared for the event that happens now, if it holds the neighbors of this cell, or
    /// those ahead of it along an axis.
    #[inline(always)]
    pub(crate) fn has_list(
        &mut self,
        cell: Cell,
        ahead: Option<(usize, bool)>,
        list: &mut NeighborList,
    ) -> bool {
        self.large && self.prepared.take(self.happened.wrapping_sub(1), cell, ahead, list)
    }

    /// A ball left a cell or came into it: drops the lists that this makes stale.
    #[inline(always)]
    pub(crate) fn forget_lists(&mut self, cell: Cell, counts: [u32; 3]) {
        if self.large {
            self.prepared.forget(cell, counts);
        }
    }

    /// The ball of an event that was found.
    #[inline(always)]
    pub(crate) fn whose(&self, at: usize) -> usize {
        self.coming[at % ROOM].ball as usize
    }

    /// The event for which to take each step now; `None` when there is no step to take.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<[Option<usize>; 4]> {
        let mut steps = [None; 4];
        let mut any = false;
        for (k, step) in steps.iter_mut().enumerate() {
            let at = self.taken[k].max(self.happened);
            let near = at < self.found.min(self.happened + STEPS[k]);
            self.taken[k] = at + usize::from(near);
            *step = near.then_some(at);
            any |= near;
        }
        any.then_some(steps)
    }
}
