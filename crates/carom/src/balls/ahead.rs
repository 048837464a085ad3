//! The next events, prefetched.
//!
//! Events follow each other all over the table, and what one asks for lies in some forty cache lines that
//! nobody has touched for long. One after the other, most of the time would be waiting: for the ball, then
//! for the boxes around it, then for who is in them. So a large table keeps a list of the events that come
//! next, and asks for what each will need in four steps: the ball; whom it meets; the boxes around both; who
//! is in these. A step reads only what the one before has asked for, some events ago, so nobody waits. With
//! each event that happens one step of four others is taken. Who is near has to be listed for the last step
//! and is not listed again when the event happens: see [`Kept`]. No result depends on it. Cost: some 2,250
//! instructions a collision.

use alloc::vec::Vec;

use super::cells::{Cell, Part};
use super::kept::Kept;
use super::near::List;
use super::predict::Pending;
use super::queue::{MOST_SOON, Soon};
use super::state::BallCold;
use super::table::Table;
use crate::prefetch::{ASKS, prefetch_far};

/// So many events before its own each step of one is taken.
const STEPS: [usize; 4] = [4, 3, 2, 1];
/// So many more are wanted when the list has no more than are asked for.
const WANTED: usize = 64;
/// Nobody looks farther ahead than so many times the time in which as many happened.
const FARTHEST: f64 = 4.0;
/// So long is the list at most. A power of two.
const ROOM: usize = 128;
/// Tables of fewer balls lie in a cache of 2 MB for the most part: measured, looking ahead costs them more
/// than it saves.
const LARGE: usize = 34_816;

/// How far ahead the table has looked.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    large: bool,
    /// The events that come, by time, in a ring: so many have been found, and so many of these have happened.
    coming: Vec<Soon>,
    found: usize,
    happened: usize,
    /// For so many of those found each step has been taken.
    taken: [usize; 4],
    /// Events until then have been found, those of about so much time at once.
    until: f64,
    window: f64,
    /// When some were found last, and how many events there were since.
    since: f64,
    events: usize,
    /// Who is near, for those of which the last step has been taken.
    kept: Kept,
}

impl Ahead {
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
            kept: Kept::new(),
        }
    }

    /// Whether the table is large enough to look ahead.
    #[inline(always)]
    pub(crate) fn is_worth_it(&self) -> bool {
        self.large
    }

    /// Goes on to an event that happens now, and says whether more must be found.
    #[inline(always)]
    fn go_on(&mut self, time: f64) -> bool {
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

    /// Puts the list in place that was made for the event that happens now, if it tells who is near a cell,
    /// or ahead of it along an axis.
    #[inline(always)]
    pub(crate) fn has_list(&mut self, cell: Cell, ahead: Option<(usize, bool)>, list: &mut List) -> bool {
        self.large && self.kept.take(self.happened.wrapping_sub(1), cell, ahead, list)
    }

    /// Somebody left a cell for another, or for good: lists of who is near are not true any more.
    #[inline(always)]
    pub(crate) fn forget_lists(&mut self, cell: Cell, counts: [u32; 3]) {
        if self.large {
            self.kept.forget(cell, counts);
        }
    }

    /// Whose event one of those found is.
    #[inline(always)]
    fn whose(&self, at: usize) -> usize {
        self.coming[at % ROOM].ball as usize
    }

    /// For which of those found each step is to be taken now, if for any.
    #[inline(always)]
    fn next(&mut self) -> Option<[Option<usize>; 4]> {
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

impl Table {
    /// Asks for what the next few events will need.
    #[inline(never)]
    pub(crate) fn look_ahead(&mut self, time: f64) {
        if self.ahead.go_on(time) {
            self.find_more(time);
        }
        while let Some(steps) = self.ahead.next() {
            // First what must be read, then all that is asked for: so many pages are looked up at once.
            let lists = steps[3].map_or(0, |at| self.list_neighbors(at));
            let other = steps[1].and_then(|at| self.whom(self.ahead.whose(at)));
            for ball in steps[0].map(|at| self.ahead.whose(at)).into_iter().chain(other) {
                self.ask_for(ball);
            }
            if let Some(at) = steps[3] {
                self.ask_for_neighbors(at, lists);
            }
            if let Some(at) = steps[2] {
                self.ask_for_boxes(self.ahead.whose(at));
            }
        }
    }

    fn find_more(&mut self, time: f64) {
        let Self { ahead, queue, .. } = self;
        let window = (time - ahead.since) * (WANTED as f64 / ahead.events as f64);
        if window.is_finite() {
            ahead.window = 0.5 * (ahead.window + window);
        }
        (ahead.since, ahead.events) = (time, 0);
        let after = if ahead.until <= time { f64::NEG_INFINITY } else { ahead.until };
        ahead.until = ahead.until.max(time) + ahead.window;
        let mut soon = [Soon::default(); MOST_SOON];
        let (count, all) = queue.soon(after, ahead.until, &mut soon);
        let soon = &mut soon[..count];
        // No time is negative, and so they are in the order of their bits.
        soon.sort_unstable_by_key(|event| event.time.to_bits());
        let room = if all { ROOM - (ahead.found - ahead.happened) } else { WANTED };
        let taken = &soon[..room.min(count)];
        for &event in taken {
            ahead.coming[ahead.found % ROOM] = event;
            ahead.found += 1;
        }
        if (!all || taken.len() < count)
            && let Some(last) = taken.last()
        {
            ahead.until = last.time;
        }
    }

    #[inline(always)]
    fn ask_for(&self, ball: usize) {
        prefetch_far(&self.hot[ball]);
        prefetch_far(&self.own[ball]);
        self.queue.ask_for(ball);
    }

    /// Whom a ball meets, if that is its next event.
    #[inline(always)]
    fn whom(&self, ball: usize) -> Option<usize> {
        match self.own[ball].what {
            Pending::Pair(other) if self.hot[ball].due <= self.own[ball].crosses => Some(other as usize),
            _ => None,
        }
    }

    /// The boxes whose balls its next event will look at.
    #[inline(always)]
    fn boxes_of(&self, ball: usize) -> Part<'_> {
        let BallCold { crosses, axis, up, place, .. } = self.own[ball];
        if crosses < self.hot[ball].due {
            return self.cells.ahead(place.cell(), usize::from(axis), up);
        }
        let other = self.whom(ball).unwrap_or(ball);
        self.cells.around(place.cell(), self.own[other].place.cell())
    }

    #[inline(always)]
    fn ask_for_boxes(&self, ball: usize) {
        self.cells.ask_for(&self.boxes_of(ball));
        let BallCold { crosses, axis, place, .. } = self.own[ball];
        if crosses < self.hot[ball].due {
            // It leaves the one brick for the other.
            self.cells.ask_for(&self.cells.along(place.cell(), usize::from(axis)));
        }
    }

    /// Lists who is near, as the predictions of the event will, and says how many lists there are.
    #[inline(always)]
    fn list_neighbors(&mut self, at: usize) -> usize {
        let Self { ahead, cells, own, hot, .. } = self;
        let ball = ahead.whose(at);
        let BallCold { crosses, axis, up, place, what, .. } = own[ball];
        let mut around = [place.cell(); 2];
        let (mut way, mut count) = (None, 1);
        if crosses < hot[ball].due {
            let axis = usize::from(axis);
            // Along an axis of two the cell that it leaves is ahead of it again.
            count = usize::from(cells.counts()[axis] > 2);
            around[0] = cells.next(around[0], axis, up).0;
            way = Some((axis, up));
        } else if let Pending::Pair(other) = what {
            around[1] = own[other as usize].place.cell();
            count = 2;
        }
        for (side, &cell) in around[..count].iter().enumerate() {
            let list = ahead.kept.make(at, side, cell, way);
            cells.gather(cell, way, list);
        }
        count
    }

    /// Asks for those that have been listed.
    #[inline(always)]
    fn ask_for_neighbors(&self, at: usize, lists: usize) {
        for list in self.ahead.kept.made(at, lists) {
            for &ball in list.balls() {
                prefetch_far(&self.hot[ball as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balls::{Ball, Rules, Setup};
    use glam::{DVec3, dvec3};

    impl Ahead {
        /// Whether the last step has been taken for the next event of a ball.
        fn has_asked_for(&self, ball: u32) -> bool {
            (self.happened..self.taken[3]).any(|at| self.coming[at % ROOM].ball == ball)
        }

        /// Whether it is listed who is near a cell, or one beside it, for the next event of those found.
        fn has_listed(&self, cell: Cell) -> bool {
            self.kept.tells_of(self.happened, cell)
        }
    }

    /// 27,000 balls a little apart, so many along each axis; some sides come round, some are open.
    fn many(sides: [u32; 3], periodic: DVec3, gravity: DVec3) -> Table {
        let mut state = 3u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let balls = (0..27_000u32)
            .map(|i| {
                let [x, y, _] = sides;
                let place = [i % x, i / x % y, i / x / y].map(f64::from);
                let velocity = dvec3(unit() - 0.5, unit() - 0.5, unit() - 0.5);
                let radius = 0.3 + 0.1 * unit();
                Ball { position: DVec3::from_array(place) + 0.5, velocity, radius, mass: 1.0 }
            })
            .collect();
        let rules = Rules { periodic, gravity, ..Rules::default() };
        Table::new(Setup { balls, rules, ..Setup::default() }).unwrap()
    }

    #[test]
    fn looking_ahead_changes_no_bit() {
        let down = dvec3(0.0, -9.81, 0.0);
        for (sides, periodic, gravity) in [
            ([30, 30, 30], DVec3::splat(30.0), DVec3::ZERO),
            ([30, 30, 30], dvec3(30.0, 0.0, 30.0), down),
            // Of two and three cells across.
            ([2, 3, 4500], dvec3(2.0, 3.0, 4500.0), DVec3::ZERO),
        ] {
            let mut blind = many(sides, periodic, gravity);
            let mut table = blind.clone();
            table.ahead = Ahead::new(LARGE);
            // Where nothing can be asked for both are blind.
            assert_eq!((table.ahead.large, blind.ahead.large), (ASKS, false));
            let (mut looks, mut asked_for, mut listed) = (0, 0, 0);
            for _ in 0..20_000 {
                let (until, next) = (table.ahead.until, table.queue.first().1 as u32);
                asked_for += u64::from(table.ahead.has_asked_for(next));
                listed += u64::from(table.ahead.has_listed(table.cell(next as usize)));
                assert_eq!(table.next_event(f64::INFINITY), blind.next_event(f64::INFINITY));
                looks += u64::from(table.ahead.until > until);
            }
            // So many are found at a time, or about; of looks between two reports one is counted.
            let happened = 20_000 + table.work().iter().sum::<u64>();
            let expected = happened / (4 * WANTED as u64)..happened / (WANTED as u64 / 2);
            assert!(!ASKS || expected.contains(&looks), "{looks} looks, {happened} events");
            // All four steps were taken for nearly all of those that come after a report.
            assert!(!ASKS || asked_for > 19_000, "{asked_for} of 20,000");
            // And most of the lists were still true.
            assert!(!ASKS || listed > 17_000, "{listed} of 20,000");
            for ball in 0..table.len() {
                assert_eq!(table.ball(ball), blind.ball(ball));
            }
            assert_eq!(table.work(), blind.work());
        }
    }
}
