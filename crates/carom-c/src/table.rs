//! Balls: circles and spheres, from each exact contact to the next.

use carom::balls::{BallMotion, BallState, Event, EventKind, Table, TableError};
use carom::world::BodyId;

use crate::border::{fill, guard, out, read, room};
use crate::handles::Objects;
use crate::status::{CaromStatus, Failure};
use crate::table_setup::CaromTableSetup;
use crate::values::{CaromBody, CaromPose, CaromVec3};

/// Balls and their obstacles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromTable {
    /// Opaque, except that 0 is no table.
    pub value: u64,
}

static TABLES: Objects<Table> = Objects::new(7, "table");

/// The state of motion of a ball.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromBallMotion {
    /// Straight on, or along a parabola.
    Free = 0,
    /// On the cloth, with slip.
    Sliding = 1,
    /// On the cloth, without slip.
    Rolling = 2,
    /// At rest, until something hits it or its support moves away.
    Resting = 3,
    /// In a pocket, and off the table.
    Pocketed = 4,
}

/// A ball at the time of the table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromBallState {
    /// The center, in meters.
    pub position: CaromVec3,
    /// The velocity, in m/s.
    pub velocity: CaromVec3,
    /// The velocity at which it would roll with its present spin, in m/s; only on cloth.
    pub roll: CaromVec3,
    /// A `CaromBallMotion`.
    pub motion: u32,
}

/// The kind of an event.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromTableEventKind {
    /// No event before the given time.
    None = 0,
    /// `ball` met the ball `other`, the lower number first.
    Balls = 1,
    /// `ball` met the wall `other`.
    Wall = 2,
    /// `ball` met the part `other` of `body`.
    Obstacle = 3,
    /// `body` presses `ball` against something that does not give way.
    Crushed = 4,
    /// `ball` fell into the pocket `other`.
    Pocket = 5,
    /// `ball` came to rest: on `body`, or, if that is 0, on a wall, on cloth or on other balls.
    Rest = 6,
}

/// An event and its time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromTableEvent {
    /// A `CaromTableEventKind`.
    pub kind: u32,
    /// Depends on the kind; else 0.
    pub other: u32,
    /// The number of the ball.
    pub ball: usize,
    /// Depends on the kind; else 0.
    pub body: CaromBody,
    /// The time in seconds since the start.
    pub time: f64,
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::bad_value(error)
    }
}

impl From<Option<Event>> for CaromTableEvent {
    fn from(event: Option<Event>) -> Self {
        let nothing = Self {
            kind: CaromTableEventKind::None as u32,
            other: 0,
            ball: 0,
            body: CaromBody::NULL,
            time: 0.0,
        };
        let Some(Event { time, kind }) = event else { return nothing };
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let of = |kind: CaromTableEventKind, ball, other, body: Option<BodyId>| Self {
            kind: kind as u32,
            other,
            ball,
            body: body.map_or(CaromBody::NULL, CaromBody::from),
            time,
        };
        match kind {
            EventKind::Balls([ball, other]) => of(CaromTableEventKind::Balls, ball, number(other), None),
            EventKind::Wall { ball, wall } => of(CaromTableEventKind::Wall, ball, number(wall), None),
            EventKind::Obstacle { ball, body, part } => {
                of(CaromTableEventKind::Obstacle, ball, part, Some(body))
            }
            EventKind::Crushed { ball, body } => of(CaromTableEventKind::Crushed, ball, 0, Some(body)),
            EventKind::Pocket { ball, pocket } => of(CaromTableEventKind::Pocket, ball, number(pocket), None),
            EventKind::Rest { ball, body } => of(CaromTableEventKind::Rest, ball, 0, body),
        }
    }
}

impl From<BallState> for CaromBallState {
    fn from(ball: BallState) -> Self {
        let motion = match ball.motion {
            BallMotion::Free => CaromBallMotion::Free,
            BallMotion::Sliding => CaromBallMotion::Sliding,
            BallMotion::Rolling => CaromBallMotion::Rolling,
            BallMotion::Resting => CaromBallMotion::Resting,
            BallMotion::Pocketed => CaromBallMotion::Pocketed,
        };
        Self {
            position: ball.position.into(),
            velocity: ball.velocity.into(),
            roll: ball.roll.into(),
            motion: motion as u32,
        }
    }
}

/// Makes a table. Refuses balls that overlap by more than rounding and numbers out of range; the message has
/// the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_new(
    setup: *const CaromTableSetup,
    table: *mut CaromTable,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs), also for those in the structure.
        let (table, setup) = unsafe { (out(table, "table")?, read(setup, "setup")?.get()?) };
        table.write(CaromTable { value: TABLES.insert(Table::new(setup)?)? });
        Ok(())
    })
}

/// A copy of the present table, for rollback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_clone(table: CaromTable, copy: *mut CaromTable) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let cloned = TABLES.read(table.value)?.clone();
        copy.write(CaromTable { value: TABLES.insert(cloned)? });
        Ok(())
    })
}

/// Frees a table. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_free(table: CaromTable) -> CaromStatus {
    guard(|| TABLES.remove(table.value))
}

/// Goes on to the next event, but not beyond the time `until`, in seconds since the start. If there is none,
/// the kind is `CAROM_TABLE_EVENT_KIND_NONE`, and the table is at `until`, unless that is infinite. A time in
/// the past changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_next_event(
    table: CaromTable,
    until: f64,
    event: *mut CaromTableEvent,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let event = unsafe { out(event, "event") }?;
        if until.is_nan() {
            return Err(Failure::bad_value("until must be a time, not NaN"));
        }
        event.write(TABLES.write(table.value)?.next_event(until).into());
        Ok(())
    })
}

/// The time of the table, in seconds since the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_time(table: CaromTable, seconds: *mut f64) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let seconds = unsafe { out(seconds, "seconds") }?;
        seconds.write(TABLES.read(table.value)?.time());
        Ok(())
    })
}

/// All balls at the time of the table, by number, including those in pockets. Writes as many as fit; `count`
/// is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_balls(
    table: CaromTable,
    balls: *mut CaromBallState,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (balls, count) = unsafe { (room(balls, capacity, "balls")?, out(count, "count")?) };
        let table = TABLES.read(table.value)?;
        let all: Vec<CaromBallState> = (0..table.len()).map(|ball| table.ball(ball).into()).collect();
        fill(balls, count, &all)
    })
}

/// The energy of all balls on the table in joules, and their momentum in kg·m/s. Either pointer may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_energy(
    table: CaromTable,
    energy: *mut f64,
    momentum: *mut CaromVec3,
) -> CaromStatus {
    guard(|| {
        let table = TABLES.read(table.value)?;
        if !energy.is_null() {
            // SAFETY: the caller keeps the rules of pointers (border.rs).
            unsafe { out(energy, "energy") }?.write(table.energy());
        }
        if !momentum.is_null() {
            // SAFETY: the caller keeps the rules of pointers (border.rs).
            unsafe { out(momentum, "momentum") }?.write(table.momentum().into());
        }
        Ok(())
    })
}

/// Gives a ball another velocity, in m/s: a stroke. The ball does not spin, and wakes if it rested. Refused
/// if there is no such ball, or if it is in a pocket.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_strike(table: CaromTable, ball: usize, velocity: CaromVec3) -> CaromStatus {
    guard(|| {
        let velocity = velocity.finite("velocity")?;
        let mut table = TABLES.write(table.value)?;
        if ball >= table.len() {
            return Err(Failure::bad_value(format!(
                "there is no ball {ball}: the table has {}",
                table.len()
            )));
        }
        if table.strike(ball, velocity) {
            return Ok(());
        }
        let why = if table.ball(ball).motion == BallMotion::Pocketed {
            "is in a pocket"
        } else {
            "moves in the plane z = 0 only"
        };
        Err(Failure::bad_value(format!("ball {ball} {why}")))
    })
}

/// From now on a body of the obstacles moves with this velocity, in m/s, and turns about its own position, in
/// rad/s. Nothing stops it: balls bounce off it.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_drive(
    table: CaromTable,
    body: CaromBody,
    linear: CaromVec3,
    angular: CaromVec3,
) -> CaromStatus {
    guard(|| {
        let (id, linear, angular) = (body.id()?, linear.finite("linear")?, angular.finite("angular")?);
        let mut table = TABLES.write(table.value)?;
        if table.drive(id, linear, angular) { Ok(()) } else { Err(no_moving_body()) }
    })
}

/// Moves a body of the obstacles at once, at rest. It passes through balls that it then overlaps until they
/// are free. The scale of the pose is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_place_body(table: CaromTable, body: CaromBody, pose: CaromPose) -> CaromStatus {
    guard(|| {
        let (id, pose) = (body.id()?, pose.get()?);
        let mut table = TABLES.write(table.value)?;
        if table.place_body(id, pose.position(), pose.rotation()) { Ok(()) } else { Err(no_moving_body()) }
    })
}

/// The pose of a movable body of the obstacles at the time of the table; its scale is 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_table_body_pose(
    table: CaromTable,
    body: CaromBody,
    pose: *mut CaromPose,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let pose = unsafe { out(pose, "pose") }?;
        let found = TABLES.read(table.value)?.body_pose(body.id()?);
        let (position, rotation) = found.ok_or_else(no_moving_body)?;
        pose.write(CaromPose { position: position.into(), rotation: rotation.into(), scale: 1.0 });
        Ok(())
    })
}

fn no_moving_body() -> Failure {
    let message = "no kinematic or dynamic body of the obstacles is this one";
    Failure::new(CaromStatus::NoSuchBody, message)
}

/// Reverses all velocities, also those of bodies. Without friction and loss, everything goes back the way it
/// came.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_reverse(table: CaromTable) -> CaromStatus {
    guard(|| {
        TABLES.write(table.value)?.reverse();
        Ok(())
    })
}
