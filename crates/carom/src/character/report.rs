//! What a tick came to.

use core::fmt;

use glam::DVec3;

use super::bounded_list::BoundedList;
use crate::prefetch::prefetch;
use crate::sweep::Contact;
use crate::world::{BodyId, Part};

/// What a character can touch.
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

/// What a character stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ground {
    /// What it is.
    pub obstacle: Obstacle,
    /// The most upright normal of the surfaces that are touched there.
    pub normal: DVec3,
    /// The tag of the surface.
    pub tag: u32,
}

/// A push against a body that can be pushed, for the game to apply.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Push {
    /// Which body.
    pub body: BodyId,
    /// Where, in meters.
    pub point: DVec3,
    /// In newton seconds.
    pub impulse: DVec3,
    /// The body's own number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

/// Something touched at the end of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touched {
    /// What.
    pub obstacle: Obstacle,
    /// Where, in meters.
    pub point: DVec3,
    /// The unit normal, towards the character.
    pub normal: DVec3,
    /// How far from its skin, in meters; negative where it is inside.
    pub gap: f64,
    /// The own number of the body or the character.
    pub user_data: u64,
}

impl Touched {
    pub(super) fn new(obstacle: Obstacle, contact: &Contact, user_data: u64) -> Self {
        let (point, normal, gap) = (contact.point, contact.normal, contact.gap);
        Self { obstacle, point, normal, gap, user_data }
    }
}

/// How a tick ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// It went as far as it wanted to, or along what was in the way.
    #[default]
    Moved,
    /// Something left no way to go on.
    Blocked,
    /// It was pressed from several sides, and left at the last place where it fitted.
    Crushed,
    /// It could not get out of what it overlapped, and was put back to the last place where it stood free.
    Recovered,
    /// The input or the time was not finite or out of range, or the motion left the range of f64, or was so
    /// long (some 3·10¹⁰ times the smallest radius) that its rounding reaches into the skin: it stayed
    /// where it was.
    Refused,
}

impl Outcome {
    /// As in the answers of the command: `moved`.
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

/// What a tick came to. Of fixed size: beyond its capacity the nearest contacts and the first pushes are
/// kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// The center at the end, in meters.
    pub position: DVec3,
    /// In m/s, that of the platform included.
    pub velocity: DVec3,
    /// What it stands on; `None` in the air.
    pub ground: Option<Ground>,
    /// The own number of what it stands on; 0 in the air.
    pub ground_user_data: u64,
    /// The character's own number ([`Character::with_user_data`](super::Character::with_user_data)).
    pub user_data: u64,
    /// By how many meters it climbed steps in this tick: what a camera should smooth.
    pub stepped: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// How many sweeps it took.
    pub sweeps: u32,
    /// How many parts and neighbors lay where a tick asks, unless something unusual happens.
    pub candidates: u32,
    touched: BoundedList<Touched, { Report::TOUCHED }>,
    pushes: BoundedList<Push, { Report::PUSHES }>,
    crushed_by: BoundedList<Obstacle, { Report::CRUSHED_BY }>,
    riders: BoundedList<u32, { Report::RIDERS }>,
}

impl Report {
    /// How many contacts a report holds.
    pub const TOUCHED: usize = 8;
    /// How many pushes a report holds.
    pub const PUSHES: usize = 4;
    /// How many bodies and characters a report names that crush: those that are overlapped first.
    pub const CRUSHED_BY: usize = 8;
    /// How many characters that stand on this one a report holds.
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
            candidates: 0,
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

    /// As a new one, in place.
    pub(super) fn begin(&mut self, position: DVec3, velocity: DVec3) {
        (self.position, self.velocity) = (position, velocity);
        self.ground = None;
        (self.ground_user_data, self.user_data) = (0, 0);
        self.stepped = 0.0;
        self.outcome = Outcome::Moved;
        (self.sweeps, self.candidates) = (0, 0);
        self.touched.clear();
        self.pushes.clear();
        self.crushed_by.clear();
        self.riders.clear();
    }

    /// What is touched at the end, nearest first: one contact for each direction and body.
    pub fn touched(&self) -> impl Iterator<Item = &Touched> {
        self.touched.iter()
    }

    /// The numbers of the characters that stood on this one when the tick began. What it stands on itself is
    /// its `ground`.
    pub fn riders(&self) -> impl Iterator<Item = u32> + '_ {
        self.riders.iter().copied()
    }

    /// What it pushed.
    pub fn pushes(&self) -> impl Iterator<Item = &Push> {
        self.pushes.iter()
    }

    /// What crushed it: the obstacles that leave it no room between them. Empty unless it was crushed.
    pub fn crushed_by(&self) -> impl Iterator<Item = Obstacle> + '_ {
        self.crushed_by.iter().copied()
    }

    /// Whether it was crushed.
    pub fn crushed(&self) -> bool {
        self.crushed_by.iter().next().is_some()
    }

    pub(super) fn add_touched(&mut self, touched: Touched) {
        self.touched.push(touched);
    }

    pub(super) fn add_rider(&mut self, number: u32) {
        self.riders.push(number);
    }

    pub(super) fn add_push(&mut self, push: Push) {
        if let Some(other) = self.pushes.iter_mut().find(|other| other.body == push.body) {
            other.impulse += push.impulse;
            return;
        }
        self.pushes.push(push);
    }

    /// Adds what crushes, before those that are named already.
    pub(super) fn add_crushing_first(&mut self, by: impl Iterator<Item = Obstacle>) {
        let others = self.crushed_by;
        self.crushed_by.clear();
        by.chain(others.iter().copied()).for_each(|by| self.add_crushing(by));
    }

    pub(super) fn add_crushing(&mut self, by: Obstacle) {
        let same = |other: Obstacle| match (by.body(), other.body()) {
            (Some(a), Some(b)) => a == b,
            _ => by == other,
        };
        if !self.crushed_by.iter().any(|other| same(*other)) {
            self.crushed_by.push(by);
        }
    }
}
