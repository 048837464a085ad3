//! Predicts the next event of a ball.
//!
//! Source: Lubachevsky (1991), with one more rule: a meeting of two is left out if the other has an earlier
//! event, because a new prediction follows that event anyway. So of every pair at least one has its event no
//! later than the pair meets, and few predictions are wasted. Leaving a cell is separate: it brings only the
//! nine cells ahead into view, and outdates nothing.

use glam::DVec3;

use crate::balls::events::near::{Asking, Maybe};
use crate::balls::events::pending::Pending;
use crate::balls::flight::moving::NextContact;
use crate::balls::flight::{Flight, straight_meeting};
use crate::balls::grid::cell::{Cell, PackedCell};
use crate::balls::grid::neighbor_list::NeighborList;
use crate::balls::rules::{BallMotion, Dimensions};
use crate::balls::state::BallCold;
use crate::balls::table::Table;
use crate::num::bound::length_and_direction;

impl Table {
    /// Finds the ball's next event of any kind.
    pub(crate) fn predict(&mut self, i: usize) {
        self.hot[i].due = f64::INFINITY;
        self.own[i].what = Pending::Nothing;
        if self.own[i].motion == BallMotion::Pocketed {
            self.own[i].crosses = f64::INFINITY;
            self.queue.set(i, f64::INFINITY);
            return;
        }
        let flight = self.flight_now(i);
        let moves = flight.velocity != DVec3::ZERO || flight.acceleration != DVec3::ZERO;
        if self.rules.cloth.is_some() && moves {
            self.hot[i].due = self.next[i].phase_ends;
            self.own[i].what = Pending::Phase;
        }
        self.predict_crossing(i, &flight);
        if moves {
            self.predict_walls(i, &flight);
            self.predict_facets(i, &flight);
        }
        self.predict_moving(i, &flight);
        self.predict_pairs(i, &flight, None);
        self.queue.set(i, self.hot[i].due.min(self.own[i].crosses));
    }

    /// The ball continues into the next cell.
    pub(crate) fn cross(&mut self, i: usize) {
        self.crossings += 1;
        let BallCold { axis, up, .. } = self.own[i];
        let axis = axis as usize;
        let left = self.cell(i);
        let (cell, shift) = self.cells.step(i, left, axis, up);
        self.own[i].place = PackedCell::of(cell);
        if shift != 0.0 {
            self.hot[i].position[axis] += shift;
        }
        let flight = self.flight_now(i);
        self.predict_crossing(i, &flight);
        self.predict_facets(i, &flight);
        self.predict_moving(i, &flight);
        self.predict_pairs(i, &flight, Some((axis, up)));
        // Only now: its own list still held before.
        self.lookahead.forget_lists(left, self.cells.counts());
        self.queue.set(i, self.hot[i].due.min(self.own[i].crosses));
    }

    fn predict_crossing(&mut self, i: usize, flight: &Flight) {
        let cell = self.cell(i);
        let mut best = (f64::INFINITY, 0, false);
        for axis in 0..3 {
            let [low, high] = self.cells.faces(cell, axis);
            let (x, v) = (flight.position[axis], flight.velocity[axis]);
            let a = if self.varied { flight.acceleration[axis] } else { 0.0 };
            if a == 0.0 {
                // Straight on: one face ahead. A ball that rounding put beyond it already leaves now.
                let (gap, up) = if v > 0.0 { (high - x, true) } else { (x - low, false) };
                let time = gap.max(0.0) / v.abs();
                if v != 0.0 && time < best.0 {
                    best = (time, axis, up);
                }
                continue;
            }
            for (gap, sign, up) in [(high - x, -1.0, true), (x - low, 1.0, false)] {
                if gap.is_finite()
                    && let Some(time) =
                        crate::balls::flight::fall::quadratic_fall([gap, sign * v, 0.5 * sign * a])
                    && time < best.0
                {
                    best = (time, axis, up);
                }
            }
        }
        let own = &mut self.own[i];
        (own.crosses, own.axis, own.up) = (self.now + best.0, best.1 as u8, best.2);
    }

    fn predict_walls(&mut self, i: usize, flight: &Flight) {
        let radius = self.radii.of(i);
        for (number, wall) in self.walls.iter().enumerate() {
            if let Some(meeting) = wall.meets(flight, radius, self.hot[i].due - self.now) {
                self.hot[i].due = self.now + meeting.time;
                self.own[i].what = Pending::Wall(number as u32);
                self.next[i].normal = meeting.normal;
            }
        }
        for (number, pocket) in self.pockets.iter().enumerate() {
            let horizon = self.hot[i].due - self.now;
            let seen = flight.from(pocket.position);
            // A ball in it at the start falls now, moving or not.
            let inside = seen.position.length_squared() < pocket.radius * pocket.radius;
            let time = if inside { Some(0.0) } else { seen.meets_origin(pocket.radius, horizon, |_| true) };
            if let Some(time) = time
                && time < horizon
            {
                self.hot[i].due = self.now + time;
                self.own[i].what = Pending::Pocket(number as u32);
            }
        }
    }

    /// Facets of the ball's cell only, and only until it leaves the cell.
    fn predict_facets(&mut self, i: usize, flight: &Flight) {
        if self.facets.is_empty() || self.own[i].motion == BallMotion::Resting {
            return;
        }
        let cell = self.cells.number(self.cell(i));
        for &number in self.facets.near(cell) {
            let mut horizon = self.hot[i].due.min(self.own[i].crosses) - self.now;
            // In a cell without outer faces an endless flight is followed to the end of f64.
            if horizon.is_infinite() {
                horizon = f64::MAX.min(1e150);
            }
            if let Some(meeting) = self.facets.get(number).meets(flight, self.radii.of(i), horizon) {
                let Some(normal) = self.in_the_plane(meeting.normal) else { continue };
                self.hot[i].due = self.now + meeting.time;
                self.own[i].what = Pending::Facet(number);
                self.next[i].normal = normal;
            }
        }
    }

    /// Bodies that may move come from anywhere and are in no cell: all are tried, until the ball leaves its
    /// cell and is predicted again.
    fn predict_moving(&mut self, i: usize, flight: &Flight) {
        if self.moving.0.is_empty() {
            return;
        }
        let mut crushed_until = self.settling[i].crushed_until;
        if self.now >= crushed_until && crushed_until > f64::NEG_INFINITY {
            // Bodies go through it as long as any of them overlaps it.
            crushed_until =
                if self.is_inside_a_body(i) { self.free_not_before(i) } else { f64::NEG_INFINITY };
            self.settling[i].crushed_until = crushed_until;
        }
        if self.now < crushed_until {
            if crushed_until < self.hot[i].due {
                self.hot[i].due = crushed_until;
                self.own[i].what = Pending::Look;
            }
            return;
        }
        for number in 0..self.moving.0.len() {
            let horizon = (self.hot[i].due.min(self.own[i].crosses) - self.now).min(1e150);
            let body = &self.moving.0[number];
            let (time, what, normal) = match body.ahead(flight, self.now, self.radii.of(i), horizon) {
                None => continue,
                Some(NextContact::Contact { facet, meeting }) => {
                    let Some(normal) = self.in_the_plane(meeting.normal) else { continue };
                    self.next[i].facet = facet;
                    (meeting.time, Pending::Moving(number as u32), normal)
                }
                Some(NextContact::Look(time)) => (time, Pending::Look, DVec3::ZERO),
            };
            let mut at = self.now + time;
            if what == Pending::Look && at <= self.now {
                // The clock must continue, or this would repeat for ever.
                at = self.now + self.now.abs() * f64::EPSILON;
            }
            self.hot[i].due = at;
            self.own[i].what = what;
            self.next[i].normal = normal;
        }
    }

    /// The normal of a facet, for circles its part in their plane: `None` if that is next to nothing, as such
    /// a facet stops nothing there.
    pub(crate) fn in_the_plane(&self, normal: DVec3) -> Option<DVec3> {
        if self.rules.dimensions == Dimensions::Three || normal.z == 0.0 {
            return Some(normal);
        }
        // Of a unit normal: a share, no length.
        let (length, direction) = length_and_direction(DVec3::new(normal.x, normal.y, 0.0));
        (length > 1e-6).then_some(direction)
    }

    #[inline]
    fn predict_pairs(&mut self, i: usize, flight: &Flight, ahead: Option<(usize, bool)>) {
        let cell = self.cell(i);
        if self.lookahead.has_list(cell, ahead, &mut self.near.list) {
            debug_assert!(self.is_listed(cell, ahead), "who is near {cell:?}");
        } else {
            self.cells.gather(cell, ahead, &mut self.near.list);
        }
        let Soonest { time, partner, .. } =
            if self.varied { self.soonest_varied(i, flight) } else { self.soonest(i, flight) };
        if partner != u32::MAX {
            self.hot[i].due = time;
            self.own[i].what = Pending::Pair(partner);
            self.own[i].asked = self.changes;
        }
    }

    /// Whether the prepared list equals one made now.
    fn is_listed(&self, cell: Cell, ahead: Option<(usize, bool)>) -> bool {
        let mut list = NeighborList::default();
        self.cells.gather(cell, ahead, &mut list);
        list.equals(&self.near.list)
    }

    /// The first neighbor that the ball meets, if none is accelerated: sooner than the soonest event so far
    /// and than the other's own event. Of several at the same time, the first in the list.
    #[inline]
    fn soonest(&mut self, i: usize, flight: &Flight) -> Soonest {
        let Self { near, hot, radii, now, .. } = self;
        let now = *now;
        let mut soonest = Soonest::none_before(hot[i].due);
        let Flight { position, velocity, .. } = *flight;
        let asking = Asking { position, velocity, radius: radii.of(i), now, horizon: soonest.time - now };
        let count = near.sift(hot, radii, &asking);
        for k in 0..count {
            let Maybe { bound, at } = near.maybe(k);
            // The sum and not the difference: it rounds like the time, which may be the same as another's to
            // the bit.
            if now + bound > soonest.time {
                continue;
            }
            let (j, shift) = near.get(at as usize);
            if j == i {
                continue;
            }
            let other = &hot[j];
            let offset = position - (other.position + other.velocity * (now - other.time)) - shift;
            let sum = asking.radius + radii.of(j);
            let Some(time) = straight_meeting(offset, velocity - other.velocity, sum, f64::INFINITY) else {
                continue;
            };
            let time = now + time;
            let sooner = time < soonest.time || (time == soonest.time && at < soonest.at);
            if sooner && time < other.due {
                soonest = Soonest { time, at, partner: j as u32 };
            }
        }
        soonest
    }

    /// The same where balls may be accelerated.
    fn soonest_varied(&self, i: usize, flight: &Flight) -> Soonest {
        let now = self.now;
        let mut soonest = Soonest::none_before(self.hot[i].due);
        for at in 0..self.near.count() {
            let (j, shift) = self.near.get(at);
            if j == i {
                continue;
            }
            let sum = self.radii.of(i) + self.radii.of(j);
            let flown = self.flight(j);
            let passed = now - self.hot[j].time;
            let offset = flight.position - flown.at(passed) - shift;
            let velocity = flight.velocity - (flown.velocity + flown.acceleration * passed);
            let acceleration = flight.acceleration - flown.acceleration;
            let time = if acceleration == DVec3::ZERO {
                straight_meeting(offset, velocity, sum, soonest.time - now)
            } else {
                let horizon = soonest.time.min(self.hot[j].due) - now;
                Flight { position: offset, velocity, acceleration }.meets_origin(sum, horizon, |_| true)
            };
            if let Some(time) = time
                && now + time < soonest.time
                && now + time < self.hot[j].due
            {
                soonest = Soonest { time: now + time, at: at as u32, partner: j as u32 };
            }
        }
        soonest
    }
}

/// The soonest meeting so far, and the place of the other ball in the list; `u32::MAX` without one.
#[derive(Clone, Copy, Debug)]
struct Soonest {
    time: f64,
    at: u32,
    partner: u32,
}

impl Soonest {
    fn none_before(time: f64) -> Self {
        Self { time, at: 0, partner: u32::MAX }
    }
}
