//! One action of a character: a walk, a drop, a leap or a jump in a direction.
//!
//! A walk ends when the character stands in another cell, when it gets nowhere, or when it lands after
//! leaving the ground.

use carom::character::Input;
use glam::DVec3;

use crate::flood::places::{Hold, column};
use crate::walk::Walker;
use crate::walk::action::{Action, DIRECTIONS};
use crate::walk::air::Flight;
use crate::walk::state::{Edge, Midway, WalkState};
use crate::walk::trip::{End, Trip};

/// A walk that moves less than this share of a tick's way gets nowhere.
const HARDLY: f64 = 0.02;

impl Walker<'_> {
    /// The drop or the leap in the direction of a walk that left the ground: as [`Self::go`] does it from
    /// where that began, but gone on with from the edge. `None` for other actions, and where something moves:
    /// there the world is as it is at the end of the walk.
    pub(crate) fn go_on(&self, state: &mut WalkState, edge: &Edge, action: Action) -> Option<Trip> {
        if state.moving.is_some() {
            return None;
        }
        let mut trip = match action {
            Action::Leap(_) => {
                state.restore(edge.before.saved);
                self.take_off(state, edge.heading * self.rules.speed, edge.before.trip, &mut |_| ())
            }
            Action::Drop(_) => {
                state.restore(edge.after.saved);
                self.fly(state, Flight::dropped(), edge.after.trip, &mut |_| ())
            }
            _ => return None,
        };
        self.settle_end(state, &mut trip);
        Some(trip)
    }

    /// Does an action with the body as it is, and hands over the input of every tick.
    pub(crate) fn go(&self, state: &mut WalkState, action: Action, record: &mut impl FnMut(Input)) -> Trip {
        let mut trip = self.act(state, action, record);
        self.settle_end(state, &mut trip);
        trip
    }

    /// The ground of a body at the end.
    fn settle_end(&self, state: &WalkState, trip: &mut Trip) {
        if trip.end == End::At(Hold::Ground) {
            trip.end = End::At(self.ground(state));
        }
    }

    /// The column that a body is in: of what it rides on, if it does.
    fn place_of(&self, state: &WalkState, ride: Option<u8>) -> [i32; 2] {
        let at = state.hero.position();
        column(ride.map_or(at, |number| self.on(number, at, state.now)), self.cell)
    }

    fn act(&self, state: &mut WalkState, action: Action, record: &mut impl FnMut(Input)) -> Trip {
        state.edge = None;
        let start = state.hero.position();
        let mut trip = Trip {
            end: End::At(Hold::Ground),
            position: start,
            supported: start,
            pushed: None,
            exit: start,
            ticks: 0,
            leaves_ground: false,
            is_stopped: false,
            progress: 0.0,
        };
        let direction = match action {
            Action::Settle => return self.fly(state, Flight::idle(), trip, record),
            // How long is not known here: see `wander`.
            Action::Wander(_) => return trip,
            Action::Walk(direction)
            | Action::Drop(direction)
            | Action::Jump(direction)
            | Action::Leap(direction) => direction,
        };
        let heading = self.headings[usize::from(direction % DIRECTIONS)];
        let desired_velocity = heading * self.rules.speed;
        let stride = self.rules.speed * self.rules.dt;
        if let Action::Jump(_) = action {
            return self.take_off(state, desired_velocity, trip, record);
        }
        // Known where it has stood already; else the first tick says.
        let mut ride = self.ride(state);
        let mut home = self.place_of(state, ride);
        let mut idle = 0;
        while trip.ticks < self.patience {
            let from = trip.position;
            let before = Midway { saved: state.save(), trip };
            let input = Input::walk(desired_velocity);
            let report = self.tick(state, input, &mut |_| ());
            if report.ground.is_none() && matches!(action, Action::Leap(_)) {
                // Not that step: the same with a jump.
                state.restore(before.saved);
                return self.take_off(state, desired_velocity, trip, record);
            }
            record(input);
            trip.ticks += 1;
            trip.position = report.position;
            if state.is_over {
                trip.end = End::Killed;
                return trip;
            }
            if state.is_on_sky {
                (trip.end, trip.exit) = (End::FellOut, trip.position);
                return trip;
            }
            let wanted = stride * f64::from(trip.ticks);
            trip.progress = (trip.position - start).dot(heading) / wanted;
            if report.ground.is_none() {
                trip.leaves_ground = true;
                trip.pushed = state.is_pushed.then_some(trip.position);
                let after = Midway { saved: state.save(), trip };
                state.edge = Some(Edge { heading, before, after });
                let flight = if let Action::Drop(_) = action {
                    Flight::dropped()
                } else {
                    Flight::wanting(desired_velocity)
                };
                return self.fly(state, flight, trip, record);
            }
            trip.supported = trip.position;
            let rides = self.ride(state);
            if trip.ticks == 1 && rides != ride {
                let at = rides.map_or(start, |number| self.on(number, start, state.now - 1));
                (ride, home) = (rides, column(at, self.cell));
            }
            if rides != ride || self.place_of(state, rides) != home {
                return trip;
            }
            idle = if (trip.position - from).length() < HARDLY * stride { idle + 1 } else { 0 };
            if idle == 2 {
                break;
            }
        }
        trip.is_stopped = true;
        trip
    }

    /// Jumps and flies on.
    fn take_off(
        &self,
        state: &mut WalkState,
        desired_velocity: DVec3,
        mut trip: Trip,
        record: &mut impl FnMut(Input),
    ) -> Trip {
        let report = self.tick(state, Input::walk(desired_velocity).jump(self.rules.jump), record);
        trip.ticks += 1;
        trip.position = report.position;
        trip.leaves_ground = true;
        if state.is_over {
            trip.end = End::Killed;
            return trip;
        }
        if state.is_on_sky {
            (trip.end, trip.exit) = (End::FellOut, trip.position);
            return trip;
        }
        if report.ground.is_some() {
            trip.supported = report.position;
            trip.is_stopped = true;
            return trip;
        }
        self.fly(state, Flight::wanting(desired_velocity), trip, record)
    }
}
