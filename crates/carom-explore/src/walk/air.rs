//! A character in the air. It keeps its desired velocity for [`KEEPS`] ticks, then has none. A drop has none
//! as soon as it is in the air. A body that a volume pushes while it does not steer flies on as it was
//! thrown. One that comes down where it was thrown up bounces there until it steers: its place is the top of
//! the bounce, where it is nearly at rest.

use carom::character::Input;
use glam::DVec3;

use crate::flood::places::Hold;
use crate::rules::limits::{LONGEST, THROWN};
use crate::walk::Walker;
use crate::walk::state::WalkState;
use crate::walk::trip::{End, FREE, Trip};

/// Ticks for which a body in the air keeps its desired velocity.
const KEEPS: u32 = 120;
/// A body in the air that has hardly moved for this many ticks hangs.
const REST: u32 = 30;
/// Less than this share of a cell is hardly moved.
const HARDLY: f64 = 0.02;

/// The desired velocity in the air: first one, then another.
#[derive(Clone, Copy)]
pub(crate) struct Flight {
    first: Option<DVec3>,
    then: Option<DVec3>,
}

impl Flight {
    /// No input at all.
    pub(crate) const fn idle() -> Self {
        Self { first: None, then: None }
    }

    /// A velocity for a while, then to stand still.
    pub(crate) const fn wanting(desired_velocity: DVec3) -> Self {
        Self { first: Some(desired_velocity), then: Some(DVec3::ZERO) }
    }

    /// To stand still from the start.
    pub(crate) const fn dropped() -> Self {
        Self::wanting(DVec3::ZERO)
    }
}

impl Walker<'_> {
    /// How long a body falls from there to the top of the level.
    fn ticks_to_level(&self, from: DVec3) -> u32 {
        let highest = self.level.bounds().high.y;
        (self.rules.fall(from.y - highest) / self.rules.dt).ceil() as u32
    }

    /// Flies until it lands, hangs, is killed or has left the world. Pushed while it does not steer, it wants
    /// nothing.
    pub(crate) fn fly(
        &self,
        state: &mut WalkState,
        Flight { first, then }: Flight,
        mut trip: Trip,
        record: &mut impl FnMut(Input),
    ) -> Trip {
        let most = if self.level.volumes.is_empty() { LONGEST } else { THROWN };
        let until = trip.ticks.saturating_add(most).saturating_add(self.ticks_to_level(trip.position));
        state.flight.clear();
        state.flight.push(trip.position);
        let (mut steers, mut held, mut mark) = (first != then, 0, trip.position);
        // Where it was pushed since it does not steer.
        let mut pushes: Vec<DVec3> = trip.pushed.filter(|_| !steers).into_iter().collect();
        let mut bounces = false;
        while trip.ticks < until {
            let desired_velocity = if steers { first } else { then.filter(|_| pushes.is_empty()) };
            let from = trip.position;
            let report = self.tick(state, Input { desired_velocity, jump: None }, record);
            trip.ticks += 1;
            trip.position = report.position;
            if state.is_over {
                trip.end = End::Killed;
                return trip;
            }
            if state.is_on_sky {
                trip.end = End::FellOut;
                trip.exit = self.exit(&state.flight);
                return trip;
            }
            if report.ground.is_some() {
                trip.supported = trip.position;
                trip.end = End::At(Hold::Ground);
                return trip;
            }
            state.flight.push(trip.position);
            if bounces && trip.position.y <= from.y {
                trip.end = End::At(Hold::Caught);
                return trip;
            }
            if state.is_pushed {
                trip.pushed = Some(trip.position);
                if !steers {
                    bounces |=
                        pushes.iter().any(|at| at.distance_squared(trip.position) < self.cell * self.cell);
                    pushes.push(trip.position);
                }
            }
            let volumes = &self.level.volumes;
            // A volume below the level may still catch it.
            let lowest = if volumes.is_empty() { self.beneath } else { self.level.abyss() };
            if trip.position.y < lowest && volumes.kill_below(&state.hero) {
                trip.end = End::Killed;
                return trip;
            }
            if trip.position.y < lowest {
                trip.end = End::FellOut;
                trip.exit = self.exit(&state.flight);
                return trip;
            }
            held += 1;
            if held % REST == 0 {
                let rests = (trip.position - mark).length() < HARDLY * self.cell;
                mark = trip.position;
                if rests && !steers {
                    trip.end = End::At(Hold::Caught);
                    return trip;
                }
                if rests || held >= KEEPS {
                    steers = false;
                }
            }
        }
        trip.end = End::At(Hold::Caught);
        trip
    }

    /// Whether a body swam on for as long as it wanted to, and sank to the ground.
    pub(crate) fn swims_freely(&self, from: DVec3, trip: &Trip, direction: u16) -> bool {
        let wanted = self.rules.speed * self.rules.dt * f64::from(KEEPS);
        let way = (trip.position - from).dot(self.headings[usize::from(direction)]);
        trip.leaves_ground && matches!(trip.end, End::At(_)) && way > FREE * wanted
    }

    /// The first center of a fall below which there is nothing, or the sky, from then on.
    fn exit(&self, flight: &[DVec3]) -> DVec3 {
        let is_over_nothing = |from: &&DVec3| {
            let depth = from.y - self.level.abyss();
            depth <= 0.0 || depth.is_finite() && self.level.is_over_nothing(**from)
        };
        let last = flight.last().copied().unwrap_or_default();
        flight.iter().rev().take_while(is_over_nothing).last().copied().unwrap_or(last)
    }
}
