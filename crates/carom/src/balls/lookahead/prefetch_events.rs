//! The four steps in which a table prefetches the data of its next events.

use super::{ROOM, WANTED};
use crate::balls::events::pending::Pending;
use crate::balls::events::queue::{MOST_SOON, Soon};
use crate::balls::grid::cells::CellBlock;
use crate::balls::state::BallCold;
use crate::balls::table::Table;
use crate::prefetch::prefetch_far;

impl Table {
    /// Takes the steps that are due: prefetches the data of the next few events.
    #[inline(never)]
    pub(crate) fn look_ahead(&mut self, time: f64) {
        if self.lookahead.go_on(time) {
            self.find_more(time);
        }
        while let Some(steps) = self.lookahead.next() {
            // Read first, fetch after: then the fetches overlap.
            let lists = steps[3].map_or(0, |at| self.list_neighbors(at));
            let other = steps[1].and_then(|at| self.partner(self.lookahead.whose(at)));
            for ball in steps[0].map(|at| self.lookahead.whose(at)).into_iter().chain(other) {
                self.fetch_ball(ball);
            }
            if let Some(at) = steps[3] {
                self.fetch_neighbors(at, lists);
            }
            if let Some(at) = steps[2] {
                self.fetch_cells(self.lookahead.whose(at));
            }
        }
    }

    fn find_more(&mut self, time: f64) {
        let Self { lookahead: ahead, queue, .. } = self;
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
    fn fetch_ball(&self, ball: usize) {
        prefetch_far(&self.hot[ball]);
        prefetch_far(&self.own[ball]);
        self.queue.fetch(ball);
    }

    /// The ball that it meets, if that is its next event.
    #[inline(always)]
    fn partner(&self, ball: usize) -> Option<usize> {
        match self.own[ball].what {
            Pending::Pair(other) if self.hot[ball].due <= self.own[ball].crosses => Some(other as usize),
            _ => None,
        }
    }

    /// The cells whose balls its next event will look at.
    #[inline(always)]
    fn cells_of(&self, ball: usize) -> CellBlock<'_> {
        let BallCold { crosses, axis, up, place, .. } = self.own[ball];
        if crosses < self.hot[ball].due {
            return self.cells.ahead(place.cell(), usize::from(axis), up);
        }
        let other = self.partner(ball).unwrap_or(ball);
        self.cells.around(place.cell(), self.own[other].place.cell())
    }

    #[inline(always)]
    fn fetch_cells(&self, ball: usize) {
        self.cells.fetch(&self.cells_of(ball));
        let BallCold { crosses, axis, place, .. } = self.own[ball];
        if crosses < self.hot[ball].due {
            // It leaves one brick for the other.
            self.cells.fetch(&self.cells.along(place.cell(), usize::from(axis)));
        }
    }

    /// Lists the neighbors as the predictions of the event will; the number of lists.
    #[inline(always)]
    fn list_neighbors(&mut self, at: usize) -> usize {
        let Self { lookahead: ahead, cells, own, hot, .. } = self;
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
            let list = ahead.prepared.make(at, side, cell, way);
            cells.gather(cell, way, list);
        }
        count
    }

    /// Fetches the neighbors that were listed.
    #[inline(always)]
    fn fetch_neighbors(&self, at: usize, lists: usize) {
        for list in self.lookahead.prepared.made(at, lists) {
            for &ball in list.balls() {
                prefetch_far(&self.hot[ball as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LARGE, Lookahead};
    use super::*;
    use crate::balls::grid::cell::Cell;
    use crate::balls::{Ball, Rules, Setup};
    use crate::prefetch::ASKS;
    use glam::{DVec3, dvec3};

    impl Lookahead {
        /// Whether the last step has been taken for the next event of a ball.
        fn has_fetched(&self, ball: u32) -> bool {
            (self.happened..self.taken[3]).any(|at| self.coming[at % ROOM].ball == ball)
        }

        /// Whether the next event found has a list of the neighbors of a cell, or of one beside it.
        fn has_listed(&self, cell: Cell) -> bool {
            self.prepared.is_for(self.happened, cell)
        }
    }

    /// 27,000 balls a little apart; some sides are periodic, some are open.
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
            table.lookahead = Lookahead::new(LARGE);
            // Where the processor has no prefetch both are blind.
            assert_eq!((table.lookahead.large, blind.lookahead.large), (ASKS, false));
            let (mut looks, mut fetched, mut listed) = (0, 0, 0);
            for _ in 0..20_000 {
                let (until, next) = (table.lookahead.until, table.queue.first().1 as u32);
                fetched += u64::from(table.lookahead.has_fetched(next));
                listed += u64::from(table.lookahead.has_listed(table.cell(next as usize)));
                assert_eq!(table.next_event(f64::INFINITY), blind.next_event(f64::INFINITY));
                looks += u64::from(table.lookahead.until > until);
            }
            // About `WANTED` are found at a time; of the looks between two reports one is counted.
            let happened = 20_000 + table.work().iter().sum::<u64>();
            let expected = happened / (4 * WANTED as u64)..happened / (WANTED as u64 / 2);
            assert!(!ASKS || expected.contains(&looks), "{looks} looks, {happened} events");
            // All four steps were taken for nearly all of those that come after a report.
            assert!(!ASKS || fetched > 19_000, "{fetched} of 20,000");
            // And most of the lists were still true.
            assert!(!ASKS || listed > 17_000, "{listed} of 20,000");
            for ball in 0..table.len() {
                assert_eq!(table.ball(ball), blind.ball(ball));
            }
            assert_eq!(table.work(), blind.work());
        }
    }
}
