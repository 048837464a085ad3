//! A tick on clear floor: the result of the full tick if everything near lies below one level, and the
//! character walks along that level or stands on it.
//!
//! Source: `docs/clear-floor.md`. Every number here is computed as in the full tick, and the skipped parts
//! could not change one: depenetration without overlaps, planes that are not violated, sweeps that hit
//! nothing, steps after a straight walk. Error: none; debug builds compute both ticks and compare them. Cost:
//! about a hundred operations and one contact. Gives up: then nothing has changed, and the full tick is made.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::context::{TickContext, contact_distance, snap_distance};
use crate::character::report::{Ground, Obstacle, Report, Touched};
use crate::character::stack::Flags;
use crate::character::support::{blur, is_apart};
use crate::character::{Settings, State, TickInput};
use crate::num::bound::{APPROACH, rescale};
use crate::shape::Aabb;
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{Body, Part, PartContact, REMEMBERED};

/// The contacts, nearest first.
type Touches = ArrayVec<PartContact, REMEMBERED>;

/// The result of the tick.
struct Clear {
    /// Its desired translation; `None` if it stands still.
    wanted: Option<DVec3>,
    /// Its position and velocity at the end.
    at: DVec3,
    velocity: DVec3,
    /// The body that it started on.
    begun_on: Part,
}

/// Computes the tick if it is on clear floor. If not, returns false, and nothing has changed.
#[inline]
pub(super) fn step(
    state: &mut State,
    context: &mut TickContext<'_>,
    trace: &mut impl Trace<Obstacle>,
    report: &mut Report,
) -> bool {
    // Most floors that are not clear are known already.
    let may_be = state.ground.is_some() && !context.near.is_known_not_clear(context.settings.up);
    may_be && step_if_clear(state, context, trace, report)
}

fn step_if_clear(
    state: &mut State,
    context: &mut TickContext<'_>,
    trace: &mut impl Trace<Obstacle>,
    report: &mut Report,
) -> bool {
    // Too large to be moved.
    let mut touches = Touches::new();
    let Some(clear) = Clear::find(state, context, &mut touches) else { return false };
    let TickContext { world, settings, .. } = &*context;
    let Some(PartContact { contact, part }) = touches.first() else { return false };
    let tag = world.surface(part.body, part.part).map_or(0, |surface| surface.tag);
    let ground = Ground { obstacle: Obstacle::Body(*part), normal: contact.normal, tag };
    let user_data = world.body(part.body).map_or(0, Body::user_data);

    report.begin(state.position, state.velocity);
    report.sweeps = u32::from(clear.wanted.is_some());
    clear.record(state.position, &ground, trace);

    state.previous = state.position;
    state.set_squeeze(None);
    for flag in [Flags::BEARS, Flags::STOPPED, Flags::CLIMBS, Flags::RESTS] {
        state.flags.set(flag, false);
    }
    state.flags.set(Flags::SAFE_PLACE, true);
    state.safe_place = clear.at;
    state.yaw += world.body(clear.begun_on.body).map_or(0.0, |body| body.turn_about(settings.up));
    state.inherited = DVec3::ZERO;
    state.position = clear.at + DVec3::ZERO;
    state.velocity = clear.velocity + DVec3::ZERO;
    state.ground = Some(ground);
    report.position = state.position;
    report.velocity = state.velocity;
    report.ground = state.ground;
    report.ground_user_data = user_data;
    // All are with one body in one direction: the nearest represents them.
    report.add_touched(Touched::new(Obstacle::Body(*part), contact, user_data));
    // 0 and −0 are the same place, but the bits of contacts may differ.
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    if clear.wanted.is_some() && bits(clear.at) == bits(state.position) {
        let distance = contact_distance(settings.skin_of(&state.shape));
        let query = context.contacts_around(state.position, distance);
        context.near.remember(context.world, &query, touches.iter().copied());
    }
    true
}

impl Clear {
    /// The result of the tick, if the proof succeeds.
    fn find(state: &State, context: &mut TickContext<'_>, touches: &mut Touches) -> Option<Self> {
        let TickContext { world, settings, mover, given, .. } = *context;
        let TickInput { neighbors, input, dt, .. } = given;
        let (up, from) = (settings.up, state.position);
        let Obstacle::Body(begun_on) = state.ground?.obstacle else { return None };
        let is_usual = state.is_ground_known
            && !state.is_launched
            && state.squeeze().is_none()
            && !state.flags.has(Flags::CRUSHED)
            && input.jump.is_none()
            && neighbors.is_empty()
            && settings.gravity != DVec3::ZERO;
        if !is_usual || !context.near.find_clear_floor(world, up) {
            return None;
        }
        let distance = contact_distance(settings.skin_of(&state.shape));
        let near = &*context.near;
        let touched = near.recall(world, &context.contacts_around(from, distance))?;
        if !touched.iter().all(|touch| lies_on(touch, up, from)) {
            return None;
        }
        // Not on a body that carries it, or would.
        let body = world.body(begun_on.body).filter(|body| !body.can_move())?;
        if body.surface_velocity() != DVec3::ZERO || falls(state, settings, dt) {
            return None;
        }
        let level = |wanted: DVec3| wanted - up * wanted.dot(up);
        let desired_velocity = input.desired_velocity.map_or(DVec3::ZERO, level);
        if desired_velocity == DVec3::ZERO {
            let surface = world.surface(begun_on.body, begun_on.part);
            let friction = surface.and_then(|surface| surface.friction).unwrap_or(settings.friction);
            touches.extend(touched.iter().copied());
            // Without friction it slips; if it is known to stand, no query is needed.
            let stands = friction != 0.0
                && near.covers(from, DVec3::ZERO, distance)
                && is_left_alone(context, [from, from], distance)
                && is_one_body(touches);
            let velocity = DVec3::ZERO / dt;
            return stands.then_some(Self { wanted: None, at: from, velocity, begun_on });
        }
        let own = desired_velocity * dt;
        // The ground adds 0, its carrying motion.
        let wanted = own + DVec3::ZERO;
        let is_along = desired_velocity.dot(up) == 0.0 && wanted.dot(up) == 0.0;
        let size = wanted.abs().max_element();
        let at = from + wanted;
        let is_free = near.covers(from, wanted, distance)
            && near.clear_floor().is_some_and(|floor| floor.is_free(mover, from, wanted))
            && is_left_alone(context, [from, at], distance);
        if !(is_along && size > 0.0 && rescale(size) == 1.0 && is_free && at.is_finite() && at != from) {
            return None;
        }
        let velocity = own / dt;
        if !near.clear_contacts(world, &context.contacts_around(at, distance), touches) {
            return None;
        }
        let stands = touches.iter().all(|touch| lies_on(touch, up, at))
            && is_one_body(touches)
            && !is_apart(&touches.first()?.contact, at)
            && velocity.is_finite();
        stands.then_some(Self { wanted: Some(wanted), at, velocity, begun_on })
    }

    /// The events, in the order of the whole tick.
    fn record(&self, from: DVec3, ground: &Ground, trace: &mut impl Trace<Obstacle>) {
        trace.event(&Event::Stage(Stage::Depenetrate));
        match self.wanted {
            None => trace.event(&Event::Decided(Decision::Holds)),
            Some(wanted) => {
                trace.event(&Event::Stage(Stage::Walk));
                trace.event(&Event::Solved { wanted, motion: wanted, held: &[] });
                trace.event(&Event::Sweep { from, translation: wanted, hit: None });
                trace.event(&Event::Stage(Stage::Snap));
                trace.event(&Event::Decided(Decision::Snaps(0.0)));
            }
        }
        trace.event(&Event::Decided(Decision::Stands(ground.normal)));
    }
}

/// Whether a contact is with a top face from straight above, not deeper than rounding explains.
fn lies_on(PartContact { contact, .. }: &PartContact, up: DVec3, at: DVec3) -> bool {
    contact.normal == up && contact.gap >= -blur(contact.point, at)
}

/// Whether no movable body comes near in this tick while the center is at two places or between them.
fn is_left_alone(context: &TickContext<'_>, [from, to]: [DVec3; 2], distance: f64) -> bool {
    let TickContext { world, mover, near, .. } = context;
    if near.movable_bodies().next().is_none() {
        return true;
    }
    // Once for the contact distance, once for the rounding of all of this.
    let centers = Aabb::new(from.min(to), from.max(to)).map(|centers| centers.grown(2.0 * distance));
    centers.is_ok_and(|centers| near.is_left_alone(world, mover, &centers))
}

fn is_one_body(touches: &[PartContact]) -> bool {
    touches.first().is_some_and(|first| touches.iter().all(|touch| touch.part.body == first.part.body))
}

/// Whether the ground, which is at rest, falls away under a flying character.
fn falls(state: &State, settings: &Settings, dt: f64) -> bool {
    let ballistic = state.inherited + settings.gravity * (0.5 * dt);
    let free = settings.up.dot(ballistic) * dt;
    let skin = settings.skin_of(&state.shape);
    let stays = free <= snap_distance(settings, skin) + APPROACH * free.abs();
    // Also where that is NaN.
    !stays
}

#[cfg(test)]
mod tests;
