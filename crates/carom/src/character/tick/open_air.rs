//! A tick in open air: the result of the full tick if a character flies and nothing is within its reach.
//!
//! Source: `docs/clear-floor.md`. Every number here is computed as in the full tick, and every skipped query
//! would find nothing. Error: none; debug builds compute both ticks and compare them. Cost: one test of the
//! gathered boxes. Gives up: then nothing has changed, and the full tick is made.

use glam::DVec3;

use super::context::{TickContext, contact_distance};
use super::wanted::flight;
use crate::character::report::{Obstacle, Report};
use crate::character::settings::GravityPass;
use crate::character::stack::Flags;
use crate::character::{State, TickInput};
use crate::num::bound::rescale;
use crate::shape::Aabb;
use crate::trace::{Event, Stage, Trace};

/// The two motions of a tick, and the velocity at its end.
struct Flight {
    /// The whole path, straight.
    way: DVec3,
    /// Across `up`, and then along it.
    parts: [DVec3; 2],
    velocity: DVec3,
}

/// Computes the tick if it is in open air. If not, returns false, and nothing has changed.
#[inline]
pub(super) fn step(
    state: &mut State,
    context: &mut TickContext<'_>,
    trace: &mut impl Trace<Obstacle>,
    report: &mut Report,
) -> bool {
    state.ground.is_none() && step_if_open(state, context, trace, report)
}

fn step_if_open(
    state: &mut State,
    context: &mut TickContext<'_>,
    trace: &mut impl Trace<Obstacle>,
    report: &mut Report,
) -> bool {
    let Some(flight) = Flight::of(state, context) else { return false };
    let Flight { way, parts: [level, along], velocity } = flight;
    let from = state.position;
    let turn = from + level;
    let at = turn + (along + DVec3::ZERO);
    if !at.is_finite() || !is_open(state, context, [from, turn, at, from + way]) {
        return false;
    }
    let TickContext { world, settings, stay: Some(stay), near, .. } = context else { return false };
    let falls = way.dot(settings.up) < 0.0;
    // A fall that is not straight down is tested along its straight path, too.
    let is_checked = falls && level != DVec3::ZERO && near.has_parts_in(world, &stay.mostly);

    report.begin(from, state.velocity);
    report.sweeps = [level != DVec3::ZERO, along != DVec3::ZERO, is_checked].map(u32::from).iter().sum();
    trace.event(&Event::Stage(Stage::Depenetrate));
    trace.event(&Event::Stage(Stage::Walk));
    if is_checked {
        trace.event(&Event::Sweep { from, translation: way, hit: None });
    }
    record(from, level, trace);
    if along != DVec3::ZERO {
        trace.event(&Event::Stage(Stage::Fall));
        record(turn, along, trace);
    }

    state.previous = from;
    state.set_squeeze(None);
    for flag in [Flags::BEARS, Flags::STOPPED, Flags::CLIMBS, Flags::RESTS] {
        state.flags.set(flag, false);
    }
    state.position = at + DVec3::ZERO;
    state.velocity = velocity + DVec3::ZERO;
    report.position = state.position;
    report.velocity = state.velocity;
    true
}

/// The events of a free motion.
fn record(from: DVec3, translation: DVec3, trace: &mut impl Trace<Obstacle>) {
    let motion = translation + DVec3::ZERO;
    trace.event(&Event::Solved { wanted: translation, motion, held: &[] });
    if motion != DVec3::ZERO {
        trace.event(&Event::Sweep { from, translation: motion, hit: None });
    }
}

/// Whether there can be no contact and no hit while the center is at these places or between them.
fn is_open(state: &State, context: &TickContext<'_>, places: [DVec3; 4]) -> bool {
    let TickContext { world, settings, mover, near, .. } = context;
    let [first, ..] = places;
    let (low, high) = places.iter().fold((first, first), |(low, high), at| (low.min(*at), high.max(*at)));
    // Once for the contact distance, once for the rounding of all of this.
    let around = 2.0 * contact_distance(settings.skin_of(&state.shape));
    Aabb::new(low, high).is_ok_and(|area| near.is_open_air(world, mover, &area.grown(around)))
}

impl Flight {
    /// The motion of a character in the air that nothing presses, pushes or launches; `None` for any other.
    fn of(state: &State, context: &TickContext<'_>) -> Option<Self> {
        let TickContext { settings, given: TickInput { neighbors, input, dt, .. }, .. } = *context;
        let (up, gravity) = (settings.up, settings.gravity);
        let is_usual = state.ground.is_none()
            && state.is_ground_known
            && !state.is_launched
            && state.squeeze().is_none()
            && !state.flags.has(Flags::CRUSHED)
            && neighbors.is_empty()
            && gravity != DVec3::ZERO
            && settings.gravity_pass == GravityPass::Separate;
        if !is_usual {
            return None;
        }
        let begun = flight(state, settings, input);
        let way = begun * dt + gravity * (0.5 * dt * dt);
        let level = way - up * way.dot(up) + DVec3::ZERO;
        let along = up * way.dot(up);
        let velocity = begun - up * begun.dot(up) + up * begun.dot(up) + gravity * dt;
        // Numbers out of the usual range are brought into it, and may lose digits.
        let is_ordinary = |part: DVec3| part == DVec3::ZERO || rescale(part.abs().max_element()) == 1.0;
        let is_sure = [level, along, velocity].into_iter().all(is_ordinary)
            && velocity.is_finite()
            && state.inherited.is_finite();
        is_sure.then_some(Self { way, parts: [level, along], velocity })
    }
}
