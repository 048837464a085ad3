//! The nouns of a slide: what is asked of it, how it ends, what came of it. `collide_and_slide` makes it.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::contact_list::{self, ContactList};
use super::obstacles::SurfaceContact;
use crate::num::ops;

/// A desired motion: from where, and how far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The center at the start, in meters.
    pub from: DVec3,
    /// The wanted motion, in meters.
    pub translation: DVec3,
    /// Surfaces within this distance of the mover are taken into account before they are met, in meters: a
    /// quarter of the skin.
    pub contact_distance: f64,
    /// The coefficient of friction of surfaces that have none of their own.
    pub friction: f64,
    /// Surfaces met with no more than this motion towards them, in meters, do not bounce: what rests on them
    /// would tremble.
    pub bounce_above: f64,
    /// What may not be climbed; `None`: roundness climbs whatever it can.
    pub climbing: Option<Climbing>,
}

impl Slide {
    /// A motion from `from` by `translation`, in meters, that meets surfaces only when it touches them,
    /// without friction, bounce or a limit to what it climbs.
    pub fn new(from: DVec3, translation: DVec3) -> Self {
        Self { from, translation, contact_distance: 0.0, friction: 0.0, bounce_above: 0.0, climbing: None }
    }

    /// The same, minding surfaces within this distance, in meters: a quarter of the skin is a good choice.
    /// Too small, and curved surfaces take more sweeps; too large, and it slides along what it would have
    /// passed.
    #[must_use]
    pub fn with_contact_distance(self, contact_distance: f64) -> Self {
        Self { contact_distance, ..self }
    }

    /// The same with a coefficient of friction, for surfaces that have none of their own.
    #[must_use]
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// The same, not bouncing off what it meets with no more than this motion towards it, in meters.
    #[must_use]
    pub fn with_bounce_above(self, bounce_above: f64) -> Self {
        Self { bounce_above, ..self }
    }

    /// The same with a rule for what may not be climbed.
    #[must_use]
    pub fn with_climbing(self, climbing: Climbing) -> Self {
        Self { climbing: Some(climbing), ..self }
    }
}

/// The rule of a walker: what is too steep is a wall, so that roundness alone carries nobody up an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climbing {
    /// A unit vector.
    pub up: DVec3,
    /// The least cosine between `up` and the contact normal of what may be walked on.
    pub least_upright: f64,
}

impl Climbing {
    /// The normal of the wall that a contact of this normal is, if it is too steep.
    pub fn wall(&self, normal: DVec3) -> Option<DVec3> {
        let rise = normal.dot(self.up);
        // Too flat a ceiling has no direction: a slope of a millionth, as little as walkable ground is
        // allowed.
        const LEVEL: f64 = 1e-6;
        let level = normal - self.up * rise;
        let length = ops::sqrt(level.length_squared());
        (rise < self.least_upright && length > LEVEL).then(|| level / length)
    }
}

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideEnd {
    /// All of the motion was made, wanted or bent.
    Done,
    /// What was touched left no way to go on.
    Blocked,
    /// What was touched leaves no feasible motion: surfaces that move press the mover from opposite sides.
    Crushed,
    /// The most sweeps were made; the mover stopped at the last contact.
    TooManySweeps,
}

impl SlideEnd {
    /// As in the answers of the command: `moved` for [`SlideEnd::Done`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "moved",
            Self::Blocked => "blocked",
            Self::Crushed => "crushed",
            Self::TooManySweeps => "out_of_sweeps",
        }
    }
}

impl core::fmt::Display for SlideEnd {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// What came of a slide. At most [`Slide::TOUCHES`] contacts are kept.
#[derive(Clone, Debug)]
pub struct SlideResult<K> {
    /// The center at the end, in meters.
    pub position: DVec3,
    /// The motion that all touched surfaces leave of the wanted one, in meters per whole motion: the next
    /// velocity.
    pub motion: DVec3,
    /// How it ended.
    pub end: SlideEnd,
    /// How many sweeps it took.
    pub sweeps: u32,
    /// How much of the time was left where it was blocked or crushed, or ran out of sweeps; 0 if it was done.
    pub remaining: f64,
    /// Where the wanted motion first had to bend, and how much of the time was left there; `None` if it never
    /// had to.
    pub bent: Option<(DVec3, f64)>,
    /// Every place where it had to bend, as `bent` is for the first.
    pub(super) bends: ArrayVec<(DVec3, f64), { Slide::SWEEPS as usize + 1 }>,
    pub(super) pressing: [Option<K>; 4],
    pub(super) touches: ContactList<K>,
}

impl<K: Copy + Ord> SlideResult<K> {
    /// One that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            position: DVec3::ZERO,
            motion: DVec3::ZERO,
            end: SlideEnd::Done,
            sweeps: 0,
            remaining: 0.0,
            bent: None,
            bends: ArrayVec::new(),
            pressing: [None; 4],
            touches: ContactList::new(),
        }
    }

    /// Where the motion had to bend, each with the time that was left there.
    pub(crate) fn bends(&self) -> &[(DVec3, f64)] {
        &self.bends
    }

    /// Everything touched on the way, in the order of touching, with gap and normal as they were when it was
    /// last looked at.
    pub fn touches(&self) -> impl Iterator<Item = SurfaceContact<K>> + '_ {
        self.touches.iter().copied()
    }

    /// What contradicts each other, if it was crushed.
    pub fn pressing(&self) -> impl Iterator<Item = K> + '_ {
        self.pressing.iter().filter_map(|key| *key)
    }
}

impl Slide {
    /// No more sweeps than this for one motion; one to three are usual.
    pub const SWEEPS: u32 = 8;
    /// No more contacts than this are kept. Beyond, those with the smallest gaps are.
    pub const TOUCHES: usize = contact_list::ROOM;
}
