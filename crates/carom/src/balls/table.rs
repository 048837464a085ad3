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

use glam::{DQuat, DVec3};

use super::check::{cells_for, check_balls, check_rules, wrap_balls, wrapped};
use super::error::TableError;
use super::lookahead::Lookahead;
use super::rules::{Dimensions, Event, EventKind, Motion, Rules, Setup};
use super::state::{BallCold, BallHot, Measure, Settling};
use crate::balls::events::near::Near;
use crate::balls::events::order::Order;
use crate::balls::events::pending::{Next, Pending};
use crate::balls::events::queue::Queue;
use crate::balls::flight::Flight;
use crate::balls::flight::cloth;
use crate::balls::flight::moving::MovingBodies;
use crate::balls::flight::obstacle::Facets;
use crate::balls::flight::wall::{Pocket, Prepared};
use crate::balls::grid::cell::Cell;
use crate::balls::grid::cells::Cells;
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::world::BodyId;

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
    clock: f64,
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
    inner: Vec<u32>,
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
    pub motion: Motion,
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
        let Order { outer, ranks, inner, ranked } = Order::of(&balls, &homes, &cells);
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

    fn predict_all(&mut self) {
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
            .filter(|(ball, _)| ball.motion != Motion::Pocketed)
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
            .filter(|&ball| self.own[self.inner[ball] as usize].motion != Motion::Pocketed)
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

    /// Gives a ball another velocity, in m/s: a stroke. The ball does not spin, and wakes if it rested.
    /// Returns false and does nothing if there is no such ball on the table, or if the velocity is not finite
    /// or leaves the plane.
    pub fn strike(&mut self, ball: usize, velocity: DVec3) -> bool {
        let Some(&i) = self.inner.get(ball) else { return false };
        let i = i as usize;
        let flat = self.rules.dimensions == Dimensions::Three || velocity.z == 0.0;
        if !velocity.is_finite() || !flat || self.own[i].motion == Motion::Pocketed {
            return false;
        }
        self.now = self.clock;
        self.sync_to_now(i);
        self.wake(i);
        self.hot[i].velocity = velocity;
        self.rolls[i] = DVec3::ZERO;
        self.changed(i);
        self.predict(i);
        true
    }

    /// Drives a body of the obstacles that can move (kinematic or dynamic). From now on it moves with the
    /// velocity `linear`, in m/s, and turns about its own position with `angular`, in rad/s. Nothing stops
    /// it. Balls bounce off it as off a moving wall, and resting balls wake. Returns false and does nothing
    /// if there is no such body or a number is not finite.
    ///
    /// ```
    /// use carom::balls::{Ball, EventKind, Rules, Setup, Table};
    /// use carom::{Body, Cuboid, Pose, World};
    /// use glam::{DVec3, dvec3};
    /// // A door comes at 1 m/s; its front is 2 m from a ball that lies there. A perfect bounce: the ball goes off with 2 m/s.
    /// let mut obstacles = World::new();
    /// let door = Body::kinematic(Cuboid::new(dvec3(0.5, 2.0, 2.0))?).at(Pose::at(dvec3(-3.0, 0.0, 0.0))?);
    /// let door = obstacles.add(door);
    /// let balls = vec![Ball::new(DVec3::ZERO, DVec3::ZERO, 0.5, 1.0)?];
    /// let mut table = Table::new(Setup { balls, obstacles, ..Setup::default() })?;
    /// assert!(table.drive(door, DVec3::X, DVec3::ZERO));
    /// let event = table.next_event(9.0).unwrap();
    /// assert_eq!((event.time, matches!(event.kind, EventKind::Obstacle { .. })), (2.0, true));
    /// assert_eq!(table.ball(0).velocity, dvec3(2.0, 0.0, 0.0));
    /// assert_eq!(table.body_pose(door).unwrap().0, dvec3(-1.0, 0.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drive(&mut self, body: BodyId, linear: DVec3, angular: DVec3) -> bool {
        if !linear.is_finite() || !angular.is_finite() {
            return false;
        }
        self.now = self.clock;
        if !self.moving.drive(body, linear, angular, self.now) {
            return false;
        }
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            if self.own[i].motion == Motion::Resting && self.rules.gravity != DVec3::ZERO {
                self.wake_one(i);
            }
        }
        self.predict_all();
        true
    }

    /// Teleports a body of the obstacles that can move, at rest, as at the restart of keyframes. It passes
    /// through balls that it then overlaps until they are free. Returns false and does nothing if there is no
    /// such body or a number is not finite.
    pub fn place_body(&mut self, body: BodyId, position: DVec3, rotation: DQuat) -> bool {
        let length = rotation.length_squared();
        if !(position.is_finite() && length.is_finite() && length > 0.0) {
            return false;
        }
        self.now = self.clock;
        if !self.moving.place(body, position, rotation.normalize(), self.now) {
            return false;
        }
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            if self.own[i].motion != Motion::Pocketed && self.is_inside_a_body(i) {
                self.settling[i].crushed_until = self.now;
            }
        }
        self.drive(body, DVec3::ZERO, DVec3::ZERO)
    }

    /// The position and rotation of a body of the obstacles that can move, at the time of the table. `None`
    /// for any other.
    pub fn body_pose(&self, body: BodyId) -> Option<(DVec3, DQuat)> {
        self.moving.0.iter().find(|moving| body.is(moving.id)).map(|moving| moving.pose(self.clock))
    }

    /// Reverses all velocities, also those of moving bodies. Without friction and loss, everything goes back
    /// the way it came.
    pub fn reverse(&mut self) {
        self.now = self.clock;
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            self.hot[i].velocity = -self.hot[i].velocity;
            self.rolls[i] = -self.rolls[i];
            self.changed(i);
        }
        self.moving.reverse(self.now);
        self.predict_all();
    }

    /// The work besides events: predictions outdated by a change of the other ball, and cells crossed.
    #[doc(hidden)]
    pub fn work(&self) -> [u64; 2] {
        [self.outdated, self.crossings]
    }

    #[inline]
    pub(crate) fn cell(&self, i: usize) -> Cell {
        self.own[i].place.cell()
    }

    /// The ball's flight, from its own clock on.
    #[inline]
    pub(crate) fn flight(&self, i: usize) -> Flight {
        let BallHot { position, velocity, .. } = self.hot[i];
        let acceleration = if self.varied { self.accelerations[i] } else { DVec3::ZERO };
        Flight { position, velocity, acceleration }
    }

    /// The ball's flight from now on.
    #[inline]
    pub(crate) fn flight_now(&self, i: usize) -> Flight {
        let flight = self.flight(i);
        let passed = self.now - self.hot[i].time;
        Flight {
            position: flight.at(passed),
            velocity: flight.velocity + flight.acceleration * passed,
            ..flight
        }
    }

    /// Sets the ball's own clock to now.
    #[inline]
    pub(crate) fn sync_to_now(&mut self, i: usize) {
        let Flight { position, velocity, acceleration } = self.flight_now(i);
        if self.rules.cloth.is_some() {
            self.rolls[i] += cloth::rolled(self.own[i].motion, acceleration, self.now - self.hot[i].time);
        }
        let hot = &mut self.hot[i];
        (hot.position, hot.velocity, hot.time) = (position, velocity, self.now);
    }

    /// Its flight has changed: what was predicted with the old one is outdated.
    #[inline]
    pub(crate) fn changed(&mut self, i: usize) {
        self.changes += 1;
        self.own[i].changed = self.changes;
        self.hot[i].due = f64::INFINITY;
        self.own[i].what = Pending::Nothing;
        if self.rules.cloth.is_some() && self.own[i].motion != Motion::Pocketed {
            self.set_on_cloth(i);
        }
    }

    fn set_on_cloth(&mut self, i: usize) {
        if let Some(cloth) = &self.rules.cloth {
            let phase = cloth::phase(cloth, self.hot[i].velocity, self.rolls[i]);
            if phase.motion != Motion::Sliding {
                self.rolls[i] = self.hot[i].velocity;
            }
            self.own[i].motion = phase.motion;
            self.accelerations[i] = phase.acceleration;
            self.next[i].phase_ends = self.hot[i].time + phase.lasts;
        }
    }
}
