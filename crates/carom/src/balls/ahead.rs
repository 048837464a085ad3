//! What comes next, brought near in time.
//!
//! Events follow each other all over the table, and what one asks for lies in some forty cache lines that nobody has touched for long. One after
//! the other, most of the time would be waiting: for the ball, then for the boxes around it, then for who is in them. So a large table
//! looks a few events ahead, and loads what they will ask for, kind by kind: loads that do not depend on each other are
//! waited for together. It changes no result: what is loaded is thrown away. Cost: some 2,600 instructions a collision.

use alloc::vec::Vec;
use core::hint::black_box;

use super::predict::What;
use super::state::Own;
use super::table::Table;

/// So many events are wanted at a time, and so many are taken at most.
const WANTED: f64 = 32.0;
const MOST: usize = 64;
/// Around two that meet: rows of boxes, each in up to four bricks.
const RUNS: usize = 4 * 4 * 4;
const FOUR: usize = 4;
/// Tables of fewer balls lie in a cache of 2 MB nearly whole: measured, looking ahead costs them more than it saves.
const LARGE: usize = 24_576;

/// How far ahead the table has looked.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    large: bool,
    /// Events until then have been looked at.
    until: f64,
    /// When it was looked ahead last, and how many events there were since.
    since: f64,
    events: u32,
    window: f64,
    /// Of no meaning between looks.
    balls: Vec<u32>,
}

impl Ahead {
    pub(crate) fn new(balls: usize) -> Self {
        Self {
            large: balls >= LARGE,
            until: f64::NEG_INFINITY,
            since: 0.0,
            events: 0,
            window: 0.0,
            balls: alloc::vec![0; MOST * RUNS * FOUR],
        }
    }

    /// Counts an event of a large table, and says if it is time to look ahead.
    #[inline]
    pub(crate) fn is_due(&mut self, time: f64) -> bool {
        if !self.large {
            return false;
        }
        self.events += 1;
        time > self.until || self.events > MOST as u32
    }
}

impl Table {
    /// Loads what the next few events will ask for.
    #[inline(never)]
    pub(crate) fn look_ahead(&mut self, time: f64) {
        let Self { ahead, queue, cells, hot, own, .. } = self;
        let window = (time - ahead.since) * (WANTED / f64::from(ahead.events));
        if window > 0.0 && window.is_finite() {
            ahead.window = window;
        }
        (ahead.since, ahead.events, ahead.until) = (time, 0, time + ahead.window);
        let mut next = [0; MOST];
        let count = queue.soon(ahead.until, &mut next);
        let next = &next[..count];
        let touch = |ball: u32| {
            let ball = ball as usize;
            hot[ball].time.to_bits() ^ own[ball].last.to_bits() ^ queue.touch(ball)
        };
        let mut touched = next.iter().fold(0, |all, &ball| all ^ touch(ball));
        let partner = |ball: u32| match own[ball as usize].what {
            What::Pair(other) if hot[ball as usize].due <= own[ball as usize].crosses => other,
            _ => ball,
        };
        touched = next.iter().fold(touched, |all, &ball| all ^ touch(partner(ball)));
        // All bricks before any is looked into, and as little as can be between two of them: only so they are waited for together.
        let mut parts = [cells.around([0; 3], [0; 3]); MOST];
        for (&ball, part) in next.iter().zip(&mut parts) {
            let Own { crosses, axis, up, place, .. } = own[ball as usize];
            *part = if crosses < hot[ball as usize].due {
                // It leaves the one brick for the other, and sees what is beyond that.
                touched ^= cells.touch(&cells.along(place.cell(), usize::from(axis)));
                cells.ahead(place.cell(), usize::from(axis), up)
            } else {
                cells.around(place.cell(), own[partner(ball) as usize].place.cell())
            };
        }
        let parts = &parts[..next.len()];
        touched = parts.iter().fold(touched, |all, part| all ^ cells.touch(part));
        // Of more than four in a row of boxes the rest will have to be waited for.
        let balls = &mut ahead.balls[..];
        let count = parts.iter().fold(0, |end, part| cells.list(part, balls, end));
        black_box(balls[..count].iter().fold(touched, |all, &ball| all ^ hot[ball as usize].time.to_bits()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balls::{Ball, Rules, Setup};
    use glam::{DVec3, dvec3};

    /// 30³ balls a little apart; some sides come round, some are open.
    fn many(periodic: DVec3, gravity: DVec3) -> Table {
        let mut state = 3u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let balls = (0..27_000u32)
            .map(|i| {
                let place = [i % 30, i / 30 % 30, i / 900].map(f64::from);
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
        for (periodic, gravity) in
            [(DVec3::splat(30.0), DVec3::ZERO), (dvec3(30.0, 0.0, 30.0), dvec3(0.0, -9.81, 0.0))]
        {
            let mut table = many(periodic, gravity);
            let mut blind = table.clone();
            blind.ahead.large = false;
            let mut looks = 0;
            for _ in 0..20_000 {
                let until = table.ahead.until;
                assert_eq!(table.next_event(f64::INFINITY), blind.next_event(f64::INFINITY));
                looks += u64::from(table.ahead.until > until);
            }
            // So many at a time, or about; of looks between two reports one is counted.
            let happened = 20_000 + table.work().iter().sum::<u64>();
            assert!(
                (happened / (4 * WANTED as u64)..happened / (WANTED as u64 / 2)).contains(&looks),
                "{looks} looks, {happened} events"
            );
            for ball in 0..table.len() {
                assert_eq!(table.ball(ball), blind.ball(ball));
            }
            assert_eq!(table.work(), blind.work());
        }
    }
}
