//! Sensors: bodies that stop nothing and report the characters and bodies that enter, stay and leave.
//!
//! [`Body::sensor`](crate::world::Body::sensor) makes a body a sensor. Casts, overlaps, characters and balls
//! ignore it. Call [`Sensors::update`] once after the characters of a tick have moved. It compares the tick
//! with the last one and reports the changes. Visitors are swept along their paths: one that passes through a
//! thin sensor within a tick enters and leaves in that tick. Cost: one walk of the index of bodies for each
//! character and each movable body, and a few sweeps for each sensor near it.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use crate::character::{Character, Obstacle};
use crate::num::ops;
use crate::trace::{Event, Stage, Trace};
use crate::world::{BodyId, TimedCorner, Visit, World};

/// A visitor of a sensor: a body or a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Visitor {
    /// A body that may move.
    Body(BodyId),
    /// A character, by its index in the list of characters.
    Character(u32),
}

/// The action of a visitor in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SensorEventKind {
    /// It was outside and came in.
    Entered,
    /// It was inside at the end of the last tick and still is.
    Stayed,
    /// It was inside and is outside at the end of the tick; or the sensor or the visitor was removed.
    Left,
}

/// An event of a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SensorEvent {
    /// The sensor.
    pub sensor: BodyId,
    /// The sensor's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub sensor_user_data: u64,
    /// The body or character.
    pub visitor: Visitor,
    /// The visitor's user number.
    pub visitor_user_data: u64,
    /// Whether it entered, stayed or left.
    pub kind: SensorEventKind,
    /// The share of the tick, 0 … 1, of the first touch or of the last. 1 for one that stayed, 0 for one that
    /// was moved without a path.
    pub time: f64,
}

/// A visitor in a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Presence {
    sensor: BodyId,
    sensor_user_data: u64,
    visitor: Visitor,
    visitor_user_data: u64,
}

impl Presence {
    fn key(&self) -> (BodyId, Visitor) {
        (self.sensor, self.visitor)
    }

    fn event(&self, kind: SensorEventKind, time: f64) -> SensorEvent {
        let Self { sensor, sensor_user_data, visitor, visitor_user_data } = *self;
        SensorEvent { sensor, sensor_user_data, visitor, visitor_user_data, kind, time }
    }
}

/// The visitors of each sensor: trigger volumes, goals, damage zones, pick-ups.
///
/// Make one for a world, and call [`Sensors::update`] once per tick. Clone it to save it, assign to restore.
///
/// ```
/// use carom::character::{Character, Input, Settings};
/// use carom::sensor::{SensorEventKind, Sensors};
/// use carom::{Body, Capsule, Cuboid, World, glam::dvec3};
///
/// let mut world = World::new();
/// world.add(Body::fixed(Cuboid::new(dvec3(99.0, 1.0, 99.0))?).at(dvec3(0.0, -1.0, 0.0)));
/// let gate = Cuboid::new(dvec3(0.01, 2.0, 5.0))?;
/// let gate = world.add(Body::fixed(gate).at(dvec3(4.0, 1.0, 0.0)).sensor().with_user_data(7));
/// let mut heroes = [Character::new(Capsule::new(0.3, 0.6)?, Settings::default())?.at(dvec3(0.0, 0.95, 0.0))?];
/// let mut sensors = Sensors::new();
/// let mut kinds = Vec::new();
/// for _ in 0..10 {
///     heroes[0].step(&world, Input::walk(dvec3(180.0, 0.0, 0.0)), 1.0 / 60.0); // 3 m a tick, through 2 cm
///     let events = sensors.update(&world, &heroes, &[]);
///     assert!(events.iter().all(|event| event.sensor == gate && event.sensor_user_data == 7));
///     kinds.extend(events.iter().map(|event| event.kind));
/// }
/// assert_eq!(kinds, [SensorEventKind::Entered, SensorEventKind::Left]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sensors {
    /// By sensor and visitor.
    inside: Vec<Presence>,
    events: Vec<SensorEvent>,
}

impl Sensors {
    /// No visitors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports the events of the last tick: by sensor, and for each sensor first bodies, then characters, by
    /// number. The order and the bits are the same on every machine and do not depend on the order in which
    /// bodies were moved.
    ///
    /// `paths` are the paths of the characters, as many as are known; a character without one went
    /// straight from the start of the tick. Bodies are visitors if they can move (kinematic, dynamic) and are
    /// not sensors, whatever their collider. If neither is a sphere, an ellipsoid, a capsule or a box,
    /// rotation is seen in sixteen steps a tick, and curved patches to 1/1024 of their size.
    pub fn update(&mut self, world: &World, characters: &[Character], paths: &[TickPath]) -> &[SensorEvent] {
        let mut visits: Vec<(Presence, Visit)> = Vec::new();
        let mut add = |visitor: Visitor, visitor_user_data: u64, visit: Visit| {
            let Visit { sensor, user_data, entered, is_in, .. } = visit;
            if is_in || entered.is_some() || visit.left.is_some() {
                let presence = Presence { sensor, sensor_user_data: user_data, visitor, visitor_user_data };
                visits.push((presence, visit));
            }
        };
        if world.has_sensors() {
            for (id, body) in world.bodies().filter(|(_, body)| body.can_move() && !body.is_sensor()) {
                world.visits_of_body(id, body, |visit| add(Visitor::Body(id), body.user_data(), visit));
            }
            let mut corners = Vec::new();
            for (number, character) in (0..).zip(characters) {
                timed_path(character, paths.get(number as usize), &mut corners);
                world.visits(character.shape(), &corners, character.layers(), |visit| {
                    add(Visitor::Character(number), character.user_data(), visit);
                });
            }
        }
        visits.sort_unstable_by_key(|(presence, _)| presence.key());
        self.merge(&visits);
        &self.events
    }

    /// The events of the last update.
    pub fn events(&self) -> &[SensorEvent] {
        &self.events
    }

    /// The visitors of a sensor now: bodies before characters, each by number.
    pub fn inside(&self, sensor: BodyId) -> impl Iterator<Item = Visitor> + '_ {
        self.inside.iter().filter(move |presence| presence.sensor == sensor).map(|presence| presence.visitor)
    }

    /// Merges the visits of the last tick and of this one. Both are sorted.
    fn merge(&mut self, visits: &[(Presence, Visit)]) {
        use SensorEventKind::{Entered, Left, Stayed};
        let Self { inside, events } = self;
        events.clear();
        let before = core::mem::take(inside);
        let (mut old, mut new) = (before.iter().peekable(), visits.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some((new, _))) => old.key().cmp(&new.key()),
            };
            let was_in = if order.is_le() { old.next() } else { None };
            let now = if order.is_ge() { new.next() } else { None };
            match (was_in, now) {
                (Some(presence), None) => events.push(presence.event(Left, 0.0)),
                (Some(_), Some((presence, visit))) if visit.is_in => {
                    inside.push(*presence);
                    events.push(presence.event(Stayed, 1.0));
                }
                (Some(_), Some((presence, visit))) => {
                    events.push(presence.event(Left, visit.left.unwrap_or(0.0)));
                }
                (None, Some((presence, visit))) if visit.is_in => {
                    inside.push(*presence);
                    events.push(presence.event(Entered, visit.entered.unwrap_or(0.0)));
                }
                (None, Some((presence, visit))) => {
                    // In and out within the tick; touching is not entering.
                    if let (Some(entered), Some(left)) = (visit.entered, visit.left)
                        && entered < left
                    {
                        events.push(presence.event(Entered, entered));
                        events.push(presence.event(Left, left));
                    }
                }
                (None, None) => {}
            }
        }
    }
}

/// The path of a character through a tick, corner by corner. It is a [`Trace`] that
/// [`Crowd::step_all_traced`](crate::character::Crowd::step_all_traced) and
/// [`Character::step_with`](crate::character::Character::step_with) fill. A character that slides along a
/// wall goes round a corner. With its path, sensors off the straight line between both ends see it there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickPath {
    corners: Vec<DVec3>,
    /// Whether sweeps are motions of the character, not tests.
    is_moving: bool,
}

impl TickPath {
    /// An empty path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes the path of the last tick. Call it before each tick.
    pub fn clear(&mut self) {
        self.corners.clear();
        self.is_moving = false;
    }

    /// The points where the character turned, in meters.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }
}

impl Trace<Obstacle> for TickPath {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        match event {
            Event::Stage(stage) => self.is_moving = matches!(stage, Stage::Walk | Stage::Fall),
            Event::Sweep { from, .. } if self.is_moving => self.corners.push(*from),
            _ => {}
        }
    }
}

/// The corners of a character's path, each with its share of the tick, as if the speed were constant.
fn timed_path(character: &Character, path: Option<&TickPath>, corners: &mut Vec<TimedCorner>) {
    corners.clear();
    let (start, end) = (character.previous_position(), character.position());
    let turns = path.map_or(&[][..], TickPath::corners);
    let mut length = 0.0;
    let mut last = start;
    for &position in [start].iter().chain(turns).chain([&end]) {
        length += ops::sqrt((position - last).length_squared());
        last = position;
        if corners.last().is_none_or(|before| before.position != position) {
            corners.push(TimedCorner { position, time: length });
        }
    }
    if corners.len() == 1 {
        // It stands: moving bodies may come to it.
        corners.push(TimedCorner { position: end, time: length });
        (corners[0].time, corners[1].time) = (0.0, 1.0);
        return;
    }
    for corner in corners.iter_mut() {
        corner.time = if length > 0.0 { corner.time / length } else { 1.0 };
    }
    if let Some(corner) = corners.last_mut() {
        corner.time = 1.0;
    }
}
