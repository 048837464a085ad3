//! The table: many balls, from event to event.
//!
//! Source: Lubachevsky, "How to simulate billiards and similar systems" (1991): each ball stores only its own
//! next event, which is predicted again when it has happened or is outdated; Rapaport (1980) for cells. A
//! ball is not touched between its events, because each has its own clock. Inside, balls are numbered and
//! ranked by position, so the input order changes no bit. Numbers say where balls lie in memory, along a
//! curve; ranks say which of two simultaneous events is first. Error: a contact time is accurate to the
//! rounding of the contact root and of the clock. Cost: about 27 cells and log₄ n groups of the tournament
//! per event. It never gives up: see the rule of rest in `docs/balls.md`.

use alloc::vec::Vec;

use glam::DVec3;

use super::check::{cells_for, check_balls, check_rules, wrap_balls, wrapped};
use super::error::TableError;
use super::lookahead::Lookahead;
use super::rules::{BallMotion, Event, EventKind, Rules, Setup};
use super::state::{BallCold, BallHot, Measure, Settling};
use crate::balls::events::near::Near;
use crate::balls::events::order::BallOrder;
use crate::balls::events::pending::Next;
use crate::balls::events::queue::Queue;
use crate::balls::flight::cloth;
use crate::balls::flight::moving::MovingBodies;
use crate::balls::flight::obstacle::Facets;
use crate::balls::flight::wall::{Pocket, Prepared};
use crate::balls::grid::cells::Cells;
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// Balls, walls, pockets and obstacles, with a clock: pool, marbles, gases, landslides.
///
/// Use [`Table::next_event`] to go from contact to contact (for sounds, scores or exact times), or
/// [`Table::advance`] to go on by a frame and draw. Balls are exact and never overlap, but spin only on
/// cloth. For balls among characters use dynamic bodies instead. A clone is a snapshot: it restores every
/// bit.
///
/// ```
/// use carom::balls::{Ball, EventKind, Setup, Table};
/// use glam::{DVec3, dvec3};
/// let ball = |x, v| Ball::new(dvec3(x, 0.0, 0.0), dvec3(v, 0.0, 0.0), 0.5, 1.0);
/// let setup = Setup { balls: vec![ball(0.0, 1.0)?, ball(3.0, 0.0)?], ..Setup::default() };
/// let mut table = Table::new(setup)?;
/// let event = table.next_event(10.0).unwrap();
/// assert_eq!((event.time, event.kind), (2.0, EventKind::Balls([0, 1])));
/// assert!(table.next_event(10.0).is_none());
/// assert_eq!(table.time(), 10.0);
/// assert_eq!((table.ball(0).position, table.ball(1).velocity), (dvec3(2.0, 0.0, 0.0), DVec3::X));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) rules: Rules,
    pub(crate) walls: Vec<Prepared>,
    pub(crate) pockets: Vec<Pocket>,
    pub(crate) facets: Facets,
    pub(crate) moving: MovingBodies,
    pub(crate) cells: Cells,
    /// A buffer of predictions.
    pub(crate) near: Near,
    pub(crate) queue: Queue,
    pub(crate) lookahead: Lookahead,
    /// The time of the last event: never behind a report.
    pub(crate) now: f64,
    /// The time up to which the caller has gone.
    pub(in crate::balls) clock: f64,
    pub(crate) hot: Vec<BallHot>,
    pub(crate) own: Vec<BallCold>,
    pub(crate) radii: Measure,
    pub(crate) masses: Measure,
    /// How many changes of flight there were.
    pub(crate) changes: u64,
    pub(crate) next: Vec<Next>,
    pub(crate) accelerations: Vec<DVec3>,
    pub(crate) rolls: Vec<DVec3>,
    pub(crate) settling: Vec<Settling>,
    /// Whether any two balls may have different accelerations.
    pub(crate) varied: bool,
    /// Whether any contact loses energy.
    pub(crate) is_lossy: bool,
    /// Whether contacts may follow each other faster and faster without end.
    pub(crate) collapses: bool,
    /// The caller's number → the inner one.
    pub(in crate::balls) inner: Vec<u32>,
    /// Inner numbers by rank.
    ranked: Vec<u32>,
    /// Events of the time `now` that have not been reported yet.
    pub(crate) reports: Vec<EventKind>,
    /// How many predictions were outdated because the other ball had changed.
    pub(crate) outdated: u64,
    pub(crate) crossings: u64,
}

/// A ball at the time of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallState {
    /// The center, in meters; within the periodic sides.
    pub position: DVec3,
    /// The velocity, in m/s.
    pub velocity: DVec3,
    /// The velocity at which it would roll with its present spin; only on cloth.
    pub roll: DVec3,
    /// Its state of motion.
    pub motion: BallMotion,
}

impl Table {
    /// A table of these balls, walls, pockets and obstacles.
    ///
    /// # Errors
    /// Numbers are not finite, radii or masses are not greater than 0, balls overlap by more than rounding,
    /// or walls have no length. The error has the number.
    pub fn new(setup: Setup) -> Result<Self, TableError> {
        let Setup { mut balls, walls, pockets, obstacles, rules } = setup;
        check_rules(&rules)?;
        check_balls(&balls, rules.dimensions)?;
        let walls = walls
            .iter()
            .enumerate()
            .map(|(i, wall)| Prepared::new(i, wall))
            .collect::<Result<Vec<_>, _>>()?;
        for (i, pocket) in pockets.iter().enumerate() {
            if !(pocket.position.is_finite() && pocket.radius > 0.0 && pocket.radius.is_finite()) {
                return Err(TableError::Pocket(i));
            }
        }
        let mut facets = Facets::of(&obstacles)?;
        let moving = MovingBodies::of(&obstacles)?;
        let largest = balls.iter().fold(0.0f64, |largest, ball| largest.max(ball.radius));
        wrap_balls(&mut balls, rules.periodic, largest)?;
        let mut cells = cells_for(&balls, &walls, &facets, largest, &rules);
        let homes: Vec<_> = balls.iter().map(|ball| cells.at(ball.position)).collect();
        let BallOrder { outer, ranks, inner, ranked } = BallOrder::of(&balls, &homes, &cells);
        let of = |i: &u32| balls[*i as usize];
        let hot: Vec<BallHot> = outer.iter().map(of).map(|ball| BallHot::new(&ball)).collect();
        let own = |&ball: &u32| BallCold::new(homes[ball as usize], ball);
        let own: Vec<BallCold> = outer.iter().map(own).collect();
        let radii = Measure::new(outer.iter().map(of).map(|ball| ball.radius).collect());
        let masses = Measure::new(outer.iter().map(of).map(|ball| ball.mass).collect());
        for &i in &ranked {
            cells.insert(i as usize, own[i as usize].place.cell());
        }
        if !facets.is_empty() {
            facets.sort_into(&cells, largest);
        }
        let count = balls.len();
        let is_lossy = rules.restitution < 1.0 || rules.wall_restitution < 1.0;
        let mut table = Self {
            collapses: is_lossy || !moving.0.is_empty(),
            is_lossy,
            walls,
            pockets,
            facets,
            moving,
            near: Near::new(cells.images()),
            cells,
            queue: Queue::new(ranks),
            lookahead: Lookahead::new(count),
            now: 0.0,
            clock: 0.0,
            next: alloc::vec![Next::NOTHING; count],
            accelerations: alloc::vec![rules.gravity; count],
            // A ball that moves at the start slides: struck, not rolled.
            rolls: alloc::vec![DVec3::ZERO; count],
            settling: alloc::vec![Settling::NOT; count],
            varied: rules.cloth.is_some() || rules.gravity != DVec3::ZERO,
            hot,
            own,
            radii,
            masses,
            changes: 0,
            inner,
            ranked,
            reports: Vec::new(),
            outdated: 0,
            crossings: 0,
            rules,
        };
        table.refuse_overlaps()?;
        for ball in 0..count {
            if table.rules.cloth.is_some() {
                table.set_on_cloth(ball);
            }
        }
        table.predict_all();
        Ok(table)
    }

    pub(in crate::balls) fn predict_all(&mut self) {
        for rank in 0..self.ranked.len() {
            self.predict(self.ranked[rank] as usize);
        }
    }

    fn refuse_overlaps(&self) -> Result<(), TableError> {
        let mut worst: Option<[u32; 2]> = None;
        for &i in &self.ranked {
            let i = i as usize;
            let me = self.hot[i];
            self.cells.visit_beside(self.cell(i), |j, shift| {
                if self.queue.rank(j) <= self.queue.rank(i) {
                    return;
                }
                // The first ball with an overlap is reported, with the lowest of those that it overlaps.
                let other = self.hot[j];
                let sum = self.radii.of(i) + self.radii.of(j);
                // Balls that were placed to touch overlap by the rounding of their coordinates.
                let rounding = 16.0 * UNIT_ROUNDOFF * (sum + reach(me.position) + reach(other.position));
                let apart = (me.position - other.position - shift).length_squared();
                if apart < (sum - rounding) * (sum - rounding) {
                    let mut pair = [self.own[i].outer, self.own[j].outer];
                    pair.sort_unstable();
                    worst = Some(worst.map_or(pair, |worst| worst.min(pair)));
                }
            });
            if let Some([a, b]) = worst {
                return Err(TableError::Overlap(a as usize, b as usize));
            }
        }
        Ok(())
    }

    /// The number of balls, including pocketed ones.
    pub fn len(&self) -> usize {
        self.hot.len()
    }

    /// Whether there are no balls.
    pub fn is_empty(&self) -> bool {
        self.hot.is_empty()
    }

    /// The time in seconds since the start.
    pub fn time(&self) -> f64 {
        self.clock
    }

    /// How the balls behave.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A ball, at the time of the table.
    ///
    /// # Panics
    /// There is no such ball.
    pub fn ball(&self, ball: usize) -> BallState {
        let i = self.inner[ball] as usize;
        let passed = self.clock - self.hot[i].time;
        let flight = self.flight(i);
        let mut position = flight.at(passed);
        for axis in 0..3 {
            if self.rules.periodic[axis] > 0.0 {
                position[axis] = wrapped(position[axis], self.rules.periodic[axis]);
            }
        }
        BallState {
            position: position + DVec3::ZERO,
            velocity: flight.velocity + flight.acceleration * passed + DVec3::ZERO,
            roll: self.rolls[i] + cloth::rolled(self.own[i].motion, flight.acceleration, passed),
            motion: self.own[i].motion,
        }
    }

    /// The radius of a ball.
    ///
    /// # Panics
    /// There is no such ball.
    pub fn radius(&self, ball: usize) -> f64 {
        self.radii.of(self.inner[ball] as usize)
    }

    /// The mass of a ball.
    ///
    /// # Panics
    /// There is no such ball.
    pub fn mass(&self, ball: usize) -> f64 {
        self.masses.of(self.inner[ball] as usize)
    }

    /// The energy of all balls on the table in joules: kinetic, potential, and on cloth that of spin.
    pub fn energy(&self) -> f64 {
        (0..self.len())
            .map(|ball| (self.ball(ball), self.mass(ball)))
            .filter(|(ball, _)| ball.motion != BallMotion::Pocketed)
            .map(|(ball, mass)| {
                let turning = if self.rules.cloth.is_some() { 0.4 * ball.roll.length_squared() } else { 0.0 };
                mass * (0.5 * (ball.velocity.length_squared() + turning)
                    - self.rules.gravity.dot(ball.position))
            })
            // The sum of nothing is 0, not −0.
            .fold(0.0, |all, own| all + own)
    }

    /// The momentum of all balls on the table, in kg·m/s.
    pub fn momentum(&self) -> DVec3 {
        (0..self.len())
            .filter(|&ball| self.own[self.inner[ball] as usize].motion != BallMotion::Pocketed)
            .map(|ball| self.ball(ball).velocity * self.mass(ball))
            .sum()
    }

    /// Goes on to the next event, but not beyond `until`, and returns it. `None` if there is none: then the
    /// table is at `until`, unless that is infinite. A time in the past, and NaN, change nothing.
    pub fn next_event(&mut self, until: f64) -> Option<Event> {
        if !self.reports.is_empty() && self.now <= until {
            return Some(Event { time: self.now, kind: self.reports.remove(0) });
        }
        while self.queue.first().0 <= until && self.queue.first().0 < f64::INFINITY {
            let (time, ball) = self.queue.first();
            if self.lookahead.is_worth_it() {
                self.look_ahead(time);
            }
            self.now = if time > self.now { time } else { self.now };
            if let Some(kind) = self.process_event(ball) {
                self.clock = self.clock.max(self.now);
                return Some(Event { time: self.now, kind });
            }
        }
        if until.is_finite() && until > self.clock {
            self.clock = until;
        }
        None
    }

    /// Goes on by `seconds`, visits every event, and returns their number. Stops on the path do not change
    /// one bit.
    pub fn advance(&mut self, seconds: f64, mut visit: impl FnMut(&Self, &Event)) -> u64 {
        let until = self.clock + seconds;
        let mut count = 0;
        while let Some(event) = self.next_event(until) {
            visit(self, &event);
            count += 1;
        }
        count
    }

    /// The work besides events: predictions outdated by a change of the other ball, and cells crossed.
    #[doc(hidden)]
    pub fn work(&self) -> [u64; 2] {
        [self.outdated, self.crossings]
    }
}
