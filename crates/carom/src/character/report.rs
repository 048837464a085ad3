//! The result of a tick.

use core::fmt;

use glam::DVec3;

use super::bounded_list::BoundedList;
use crate::num::ops;
use crate::prefetch::prefetch;
use crate::sweep::Contact;
use crate::world::{BodyId, Part};

/// Something that a character can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstacle {
    /// A part of a body.
    Body(Part),
    /// Another character, by its number among the neighbors.
    Character(u32),
}

impl Obstacle {
    /// The body; `None` for a character.
    pub fn body(self) -> Option<BodyId> {
        match self {
            Self::Body(part) => Some(part.body),
            Self::Character(_) => None,
        }
    }
}

/// As in `body 3, part 0` and `character 2`.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(part) => part.fmt(f),
            Self::Character(number) => write!(f, "character {number}"),
        }
    }
}

/// The ground of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ground {
    /// The obstacle that it stands on.
    pub obstacle: Obstacle,
    /// The most upright normal of the surfaces that it touches there.
    pub normal: DVec3,
    /// The tag of the surface.
    pub tag: u32,
}

/// A push against a dynamic body, for the game to apply.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Push {
    /// The body.
    pub body: BodyId,
    /// The point, in meters.
    pub point: DVec3,
    /// The impulse, in newton seconds.
    pub impulse: DVec3,
    /// The body's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

/// A contact at the end of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touched {
    /// The obstacle.
    pub obstacle: Obstacle,
    /// The point, in meters.
    pub point: DVec3,
    /// The unit normal, towards the character.
    pub normal: DVec3,
    /// The distance from its skin, in meters; negative inside.
    pub gap: f64,
    /// The user number of the body or the character.
    pub user_data: u64,
}

impl Touched {
    pub(super) fn new(obstacle: Obstacle, contact: &Contact, user_data: u64) -> Self {
        let (point, normal, gap) = (contact.point, contact.normal, contact.gap);
        Self { obstacle, point, normal, gap, user_data }
    }
}

/// An obstacle that crushed a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Crusher {
    /// The obstacle.
    pub obstacle: Obstacle,
    /// The user number of the body or the character.
    pub user_data: u64,
}

/// A character that stands on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rider {
    /// Its number among the neighbors.
    pub character: u32,
    /// Its user number ([`Character::with_user_data`](super::Character::with_user_data)).
    pub user_data: u64,
}

/// How a tick ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// It went as far as desired, or along obstacles.
    #[default]
    Moved,
    /// Obstacles left no way to continue.
    Blocked,
    /// It was pressed from several sides, and stays at the last place where it fitted; or it was inside
    /// several other characters, and moves away from them.
    Crushed,
    /// It could not get out of an overlap, and returned to the last place where it stood free.
    Recovered,
    /// It did not move. The input or the time was not finite or out of range, or the motion left the range of
    /// f64, or the motion was so long (about 3·10¹⁰ times the smallest radius) that its rounding reaches into
    /// the skin.
    Refused,
}

impl Outcome {
    /// The name in the answers of the command, such as `moved`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Blocked => "blocked",
            Self::Crushed => "crushed",
            Self::Recovered => "recovered",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of a tick. It has a fixed size: beyond its capacity it keeps the nearest contacts and the first
/// pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// The center at the end, in meters.
    pub position: DVec3,
    /// The velocity in m/s, including that of the platform.
    pub velocity: DVec3,
    /// The ground; `None` in the air.
    pub ground: Option<Ground>,
    /// The user number of the ground; 0 in the air.
    pub ground_user_data: u64,
    /// The character's user number ([`Character::with_user_data`](super::Character::with_user_data)).
    pub user_data: u64,
    /// The height in meters that it gained by steps in this tick. Smooth the camera by it.
    pub stepped: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// The number of sweeps.
    pub sweeps: u32,
    /// The number of other characters that it kept clear of.
    pub neighbors: u32,
    touched: BoundedList<Touched, { Report::TOUCHED }>,
    pushes: BoundedList<Push, { Report::PUSHES }>,
    crushed_by: BoundedList<Crusher, { Report::CRUSHED_BY }>,
    riders: BoundedList<Rider, { Report::RIDERS }>,
}

impl Report {
    /// The most contacts in a report.
    pub const TOUCHED: usize = 8;
    /// The most pushes in a report.
    pub const PUSHES: usize = 4;
    /// The most crushing bodies and characters in a report; those that overlap come first.
    pub const CRUSHED_BY: usize = 8;
    /// The most characters on its head in a report.
    pub const RIDERS: usize = 4;

    pub(super) fn new(position: DVec3, velocity: DVec3) -> Self {
        Self {
            position,
            velocity,
            ground: None,
            ground_user_data: 0,
            user_data: 0,
            stepped: 0.0,
            outcome: Outcome::Moved,
            sweeps: 0,
            neighbors: 0,
            touched: BoundedList::NONE,
            pushes: BoundedList::NONE,
            crushed_by: BoundedList::NONE,
            riders: BoundedList::NONE,
        }
    }

    /// Prefetches its memory for a tick that comes soon.
    pub(super) fn prefetch(&self) {
        prefetch(&self.position);
        prefetch(&self.ground);
        prefetch(&self.stepped);
        prefetch(&self.touched);
        prefetch(&self.pushes);
        prefetch(&self.crushed_by);
    }

    /// Resets it in place.
    pub(super) fn begin(&mut self, position: DVec3, velocity: DVec3) {
        (self.position, self.velocity) = (position, velocity);
        self.ground = None;
        (self.ground_user_data, self.user_data) = (0, 0);
        self.stepped = 0.0;
        self.outcome = Outcome::Moved;
        (self.sweeps, self.neighbors) = (0, 0);
        self.touched.clear();
        self.pushes.clear();
        self.crushed_by.clear();
        self.riders.clear();
    }

    /// The contacts at the end, nearest first: one for each direction and body.
    pub fn touched(&self) -> impl Iterator<Item = &Touched> {
        self.touched.iter()
    }

    /// The characters that stood on this one at the start of the tick. `ground` is its own ground.
    pub fn riders(&self) -> impl Iterator<Item = Rider> + '_ {
        self.riders.iter().copied()
    }

    /// Its pushes.
    pub fn pushes(&self) -> impl Iterator<Item = &Push> {
        self.pushes.iter()
    }

    /// The obstacles that crushed it: those that leave no room between them. Empty unless it was crushed.
    pub fn crushed_by(&self) -> impl Iterator<Item = Crusher> + '_ {
        self.crushed_by.iter().copied()
    }

    /// Whether it was crushed.
    pub fn crushed(&self) -> bool {
        self.crushed_by.iter().next().is_some()
    }

    pub(super) fn add_touched(&mut self, touched: Touched) {
        self.touched.push(touched);
    }

    pub(super) fn add_rider(&mut self, rider: Rider) {
        self.riders.push(rider);
    }

    /// Adds a push: with others of this tick, a body gets no more than `most` newton seconds.
    pub(super) fn add_push(&mut self, push: Push, most: f64) {
        let Some(other) = self.pushes.iter_mut().find(|other| other.body == push.body) else {
            return self.pushes.push(push);
        };
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let sum = other.impulse + push.impulse;
        let most = most.max(length(other.impulse));
        other.impulse = if length(sum) > most { sum * (most / length(sum)) } else { sum };
    }

    /// Takes back the way of this tick, which was given up: what it pushed, and how it ended.
    pub(super) fn take_back(&mut self, outcome: Outcome) {
        self.pushes.clear();
        self.outcome = outcome;
    }

    /// Adds obstacles that crush it, before those that are named already.
    pub(super) fn add_crushing_first(&mut self, by: impl Iterator<Item = Obstacle>) {
        let others = self.crushed_by;
        self.crushed_by.clear();
        let others = others.iter().map(|crusher| crusher.obstacle);
        by.chain(others).for_each(|by| self.add_crushing(by));
    }

    /// Its user number is not known before the end of the tick.
    pub(super) fn add_crushing(&mut self, by: Obstacle) {
        let same = |other: Obstacle| match (by.body(), other.body()) {
            (Some(a), Some(b)) => a == b,
            _ => by == other,
        };
        if !self.crushed_by.iter().any(|other| same(other.obstacle)) {
            self.crushed_by.push(Crusher { obstacle: by, user_data: 0 });
        }
    }

    /// Gives each of what crushes its user number.
    pub(super) fn number_crushing(&mut self, user_data: impl Fn(Obstacle) -> u64) {
        self.crushed_by.iter_mut().for_each(|by| by.user_data = user_data(by.obstacle));
    }
}
