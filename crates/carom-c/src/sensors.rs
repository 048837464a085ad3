//! Sensors: bodies that stop nothing and report what enters, stays and leaves.

use carom::Character;
use carom::sensor::{SensorEvent, SensorEventKind, Sensors, TickPath, Visitor};
use carom::world::BodyId;

use crate::border::{fill, guard, list, out, room};
use crate::character::{CaromCharacter, heroes};
use crate::handles::Objects;
use crate::report::{CAROM_NO_CHARACTER, CaromObstacle};
use crate::status::CaromStatus;
use crate::values::CaromBody;
use crate::world::{CaromWorld, WORLDS};

/// The visitors of all sensors of a world.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromSensors {
    /// Opaque, except that 0 is no sensors.
    pub value: u64,
}

static SENSORS: Objects<Sensors> = Objects::new(6, "sensor set");

/// The action of a visitor in a tick.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromSensorEventKind {
    /// It was outside and came in.
    Entered = 0,
    /// It was inside at the end of the last tick and still is.
    Stayed = 1,
    /// It was inside and is outside at the end of the tick; or the sensor or the visitor was removed.
    Left = 2,
}

/// An event of a sensor.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromSensorEvent {
    /// A `CaromSensorEventKind`.
    pub kind: u32,
    /// The sensor.
    pub sensor: CaromBody,
    /// The sensor's user number.
    pub sensor_user_data: u64,
    /// The body or the character; its `part` is 0.
    pub visitor: CaromObstacle,
    /// The visitor's user number.
    pub visitor_user_data: u64,
    /// The share of the tick, 0 … 1, of the first touch or of the last. 1 for one that stayed, 0 for one that
    /// was moved without a path.
    pub time: f64,
}

impl From<Visitor> for CaromObstacle {
    fn from(visitor: Visitor) -> Self {
        match visitor {
            Visitor::Body(body) => Self { body: body.into(), part: 0, character: CAROM_NO_CHARACTER },
            Visitor::Character(character) => Self { body: CaromBody::NULL, part: 0, character },
        }
    }
}

impl From<&SensorEvent> for CaromSensorEvent {
    fn from(event: &SensorEvent) -> Self {
        let kind = match event.kind {
            SensorEventKind::Entered => CaromSensorEventKind::Entered,
            SensorEventKind::Stayed => CaromSensorEventKind::Stayed,
            SensorEventKind::Left => CaromSensorEventKind::Left,
        };
        Self {
            kind: kind as u32,
            sensor: event.sensor.into(),
            sensor_user_data: event.sensor_user_data,
            visitor: event.visitor.into(),
            visitor_user_data: event.visitor_user_data,
            time: event.time,
        }
    }
}

/// No visitors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_sensors_new(sensors: *mut CaromSensors) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let sensors = unsafe { out(sensors, "sensors") }?;
        sensors.write(CaromSensors { value: SENSORS.insert(Sensors::new())? });
        Ok(())
    })
}

/// A copy of the present visitors, for rollback together with the world and the characters of the same tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_sensors_clone(sensors: CaromSensors, copy: *mut CaromSensors) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let cloned = SENSORS.read(sensors.value)?.clone();
        copy.write(CaromSensors { value: SENSORS.insert(cloned)? });
        Ok(())
    })
}

/// Frees it. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_sensors_free(sensors: CaromSensors) -> CaromStatus {
    guard(|| SENSORS.remove(sensors.value))
}

/// Reports what the last tick of the world and of these characters brought; characters are named by their
/// places in this list. To be called once a tick, after all have moved. `count` is how many events there are;
/// `carom_sensors_events` has them.
///
/// Characters are seen on the whole of their paths, round corners too. Bodies are visitors if they may move
/// (kinematic, dynamic) and are no sensors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_sensors_update(
    sensors: CaromSensors,
    world: CaromWorld,
    characters: *const CaromCharacter,
    character_count: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (handles, count) =
            unsafe { (list(characters, character_count, "characters")?, out(count, "count")?) };
        let world = WORLDS.read(world.value)?;
        let mut sensors = SENSORS.write(sensors.value)?;
        let heroes = heroes(handles)?;
        let characters: Vec<Character> = heroes.iter().map(|hero| hero.character).collect();
        let paths: Vec<TickPath> = heroes.iter().map(|hero| hero.path.clone()).collect();
        count.write(sensors.update(&world, &characters, &paths).len());
        Ok(())
    })
}

/// The events of the last update: by sensor, and for each sensor first bodies, then characters, by number.
/// Writes as many as fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_sensors_events(
    sensors: CaromSensors,
    events: *mut CaromSensorEvent,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (events, count) = unsafe { (room(events, capacity, "events")?, out(count, "count")?) };
        let sensors = SENSORS.read(sensors.value)?;
        let found: Vec<CaromSensorEvent> = sensors.events().iter().map(CaromSensorEvent::from).collect();
        fill(events, count, &found)
    })
}

/// The visitors of a sensor now: bodies before characters, each by number. A body that is not a sensor has no
/// visitors. Writes as many as fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_sensors_inside(
    sensors: CaromSensors,
    sensor: CaromBody,
    visitors: *mut CaromObstacle,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (visitors, count) = unsafe { (room(visitors, capacity, "visitors")?, out(count, "count")?) };
        let id: BodyId = sensor.id()?;
        let sensors = SENSORS.read(sensors.value)?;
        let found: Vec<CaromObstacle> = sensors.inside(id).map(CaromObstacle::from).collect();
        fill(visitors, count, &found)
    })
}
