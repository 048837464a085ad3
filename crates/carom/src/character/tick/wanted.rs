//! The desired motion of a character in a tick, before it hits anything.

use glam::DVec3;

use crate::character::stack::Flags;
use crate::character::support::{LEVEL, along_ground};
use crate::character::{Character, Input, Settings, State};
use crate::world::World;

/// The desired translation of a character in a tick, besides being carried.
pub(in crate::character) fn wanted(character: &Character, input: Input, dt: f64) -> DVec3 {
    let Character { state, settings, .. } = character;
    let up = settings.up;
    let half = settings.gravity * (0.5 * dt * dt);
    let desired_velocity = input.desired_velocity.unwrap_or(DVec3::ZERO);
    let wanted = if state.ground.is_some() && input.jump.is_none() && !state.is_launched {
        (desired_velocity - up * desired_velocity.dot(up)) * dt
    } else {
        let jump = if state.ground.is_some() { input.jump } else { None };
        let velocity = flight(state, settings, input) + up * jump.unwrap_or(0.0);
        velocity * dt + half
    };
    if wanted.is_finite() { wanted } else { DVec3::ZERO }
}

/// The translation of a character in a tick if no other stops it, besides being carried: those on its head
/// move with it.
pub(in crate::character) fn expected(character: &Character, world: &World, input: Input, dt: f64) -> DVec3 {
    let Character { state, settings, .. } = character;
    let body = state.ground.map(|ground| ground.obstacle.body());
    let carrier = body.flatten().and_then(|id| world.body(id));
    let is_stopped = state.flags.has(Flags::STOPPED);
    if state.flags.has(Flags::BEARS) && (carrier.is_some() || state.ground.is_none()) && !is_stopped {
        // A character stood on its head: so the tick is tried, with the steps, slopes and walls ahead, and in
        // the air with the landing and the lifts.
        let mut ghost = *character;
        ghost.state.flags.set(Flags::BEARS, false);
        ghost.step(world, input, dt);
        let carried = carrier.map_or(DVec3::ZERO, |body| body.displacement(state.position, [0.0, 1.0]));
        return ghost.state.position - state.position - carried;
    }
    let Some(ground) = state.ground else { return wanted(character, input, dt) };
    let up = settings.up;
    if input.jump.is_some() || state.is_launched {
        return wanted(character, input, dt) - state.inherited * dt;
    }
    // The character that stopped its last walk is probably still there.
    let velocity = match input.desired_velocity {
        Some(_) if is_stopped => state.velocity - state.inherited,
        Some(desired_velocity) => desired_velocity,
        None => DVec3::ZERO,
    };
    let level = velocity - up * velocity.dot(up);
    let upright = ground.normal.dot(up);
    let rise = if upright > LEVEL { -ground.normal.dot(level) / upright } else { 0.0 };
    let tilted = along_ground(up, level, rise) * dt;
    if tilted.is_finite() { tilted } else { DVec3::ZERO }
}

/// The velocity in the air after air control.
pub(super) fn flight(state: &State, settings: &Settings, input: Input) -> DVec3 {
    let (up, velocity) = (settings.up, state.velocity);
    let Some(desired_velocity) = input.desired_velocity else { return velocity };
    if settings.gravity == DVec3::ZERO {
        return velocity + (desired_velocity - velocity) * settings.air_control;
    }
    let level = |v: DVec3| v - up * v.dot(up);
    let (now, goal) = (level(velocity), level(desired_velocity) + level(state.inherited));
    let level = if settings.air_control == 1.0 { goal } else { now + (goal - now) * settings.air_control };
    level + up * velocity.dot(up)
}
