//! Crates: dynamic bodies that pushes, gravity and what they stand on move.

use carom::pushed::{PushedBodies, PushedError};

use crate::border::{guard, list, out};
use crate::character::{CaromCharacter, heroes};
use crate::handles::Objects;
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromBody, CaromVec3};
use crate::world::{CaromMove, CaromWorld, WORLDS, body_of, send, tick_length};

/// The pushed bodies of a world, and their velocities.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromPushed {
    /// Opaque, except that 0 is no pushed bodies.
    pub value: u64,
}

static PUSHED: Objects<PushedBodies> = Objects::new(8, "pushed set");

impl From<PushedError> for Failure {
    fn from(error: PushedError) -> Self {
        let status = match error {
            PushedError::NoSuchBody => CaromStatus::NoSuchBody,
            _ => CaromStatus::BadValue,
        };
        Self::new(status, error)
    }
}

/// The bodies of no world yet, under this gravity, in m/s². `friction` is the coefficient of surfaces that
/// have none of their own, at least 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_new(
    gravity: CaromVec3,
    friction: f64,
    pushed: *mut CaromPushed,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let pushed = unsafe { out(pushed, "pushed") }?;
        let bodies = PushedBodies::new(gravity.get())?.with_friction(friction)?;
        pushed.write(CaromPushed { value: PUSHED.insert(bodies)? });
        Ok(())
    })
}

/// A copy of the present state. Keep it beside a clone of the world, which has the poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_clone(pushed: CaromPushed, copy: *mut CaromPushed) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let cloned = PUSHED.read(pushed.value)?.clone();
        copy.write(CaromPushed { value: PUSHED.insert(cloned)? });
        Ok(())
    })
}

/// Frees it. The bodies stay in their world, and no longer move. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn carom_pushed_free(pushed: CaromPushed) -> CaromStatus {
    guard(|| PUSHED.remove(pushed.value))
}

/// Adds a dynamic body, at rest: a sphere, an ellipsoid, a capsule or a box. One that is fixed, kinematic, a
/// sensor, of another shape or added already is refused with `CAROM_STATUS_BAD_VALUE`.
#[unsafe(no_mangle)]
pub extern "C" fn carom_pushed_add(pushed: CaromPushed, world: CaromWorld, body: CaromBody) -> CaromStatus {
    guard(|| {
        let id = body.id()?;
        let world = WORLDS.read(world.value)?;
        Ok(PUSHED.write(pushed.value)?.add(&world, id)?)
    })
}

/// Takes a body out: it stays in its world where it is. `CAROM_STATUS_NO_SUCH_BODY` if it is not among them.
#[unsafe(no_mangle)]
pub extern "C" fn carom_pushed_remove(pushed: CaromPushed, body: CaromBody) -> CaromStatus {
    guard(|| {
        let removed = PUSHED.write(pushed.value)?.remove(body.id()?);
        if removed { Ok(()) } else { Err(not_pushed()) }
    })
}

/// Adds an impulse, in newton seconds, from the next tick on. `CAROM_STATUS_NO_SUCH_BODY` if the body is not
/// among them.
#[unsafe(no_mangle)]
pub extern "C" fn carom_pushed_push(
    pushed: CaromPushed,
    world: CaromWorld,
    body: CaromBody,
    impulse: CaromVec3,
) -> CaromStatus {
    guard(|| {
        let (id, impulse) = (body.id()?, impulse.finite("the impulse")?);
        let world = WORLDS.read(world.value)?;
        body_of(&world, body)?;
        let mut pushed = PUSHED.write(pushed.value)?;
        pushed.velocity(id).ok_or_else(not_pushed)?;
        pushed.push(&world, id, impulse);
        Ok(())
    })
}

/// Adds what these characters pushed in their last ticks. To be called once a tick, after all have moved;
/// what they pushed that is not among the pushed bodies changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_push_all(
    pushed: CaromPushed,
    world: CaromWorld,
    characters: *const CaromCharacter,
    character_count: usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let handles = unsafe { list(characters, character_count, "characters") }?;
        let world = WORLDS.read(world.value)?;
        let mut pushed = PUSHED.write(pushed.value)?;
        let heroes = heroes(handles)?;
        for report in heroes.iter().filter_map(|hero| hero.report.as_ref()) {
            pushed.push_all(&world, report.pushes());
        }
        Ok(())
    })
}

/// The velocity of a body in the world, in m/s, including that of what carries it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_velocity(
    pushed: CaromPushed,
    body: CaromBody,
    velocity: *mut CaromVec3,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let velocity = unsafe { out(velocity, "velocity") }?;
        let found = PUSHED.read(pushed.value)?.velocity(body.id()?);
        velocity.write(found.ok_or_else(not_pushed)?.into());
        Ok(())
    })
}

/// The moving body that a body overlaps after the last tick for lack of room; the null body if it has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_pressed_by(
    pushed: CaromPushed,
    body: CaromBody,
    by: *mut CaromBody,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let by = unsafe { out(by, "by") }?;
        let (id, pushed) = (body.id()?, PUSHED.read(pushed.value)?);
        pushed.velocity(id).ok_or_else(not_pushed)?;
        let press = pushed.pressed().find(|pressed| pressed.body == id);
        by.write(press.map_or(CaromBody::NULL, |pressed| pressed.by.into()));
        Ok(())
    })
}

/// Starts a tick of the world instead of `carom_world_advance`: first the bodies of `moves` go, then the
/// pushed ones, from the lowest up. Those that are not in the world any more are forgotten, so give it the
/// world that they were added from, or a clone of that.
///
/// If a body of `moves` cannot go, the status and the message are those of the first such; all others have
/// gone, and so have the pushed ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_pushed_advance(
    pushed: CaromPushed,
    world: CaromWorld,
    seconds: f64,
    moves: *const CaromMove,
    move_count: usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let list = unsafe { list(moves, move_count, "moves") }?;
        let seconds = tick_length(seconds)?;
        let mut world = WORLDS.write(world.value)?;
        PUSHED.write(pushed.value)?.advance(&mut world, seconds, |moves| send(moves, list))
    })
}

fn not_pushed() -> Failure {
    Failure::new(CaromStatus::NoSuchBody, "the body is not among the pushed bodies")
}
