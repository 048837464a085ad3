//! The input and the result of a slide. `collide_and_slide` makes it.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::contact_list::{self, ContactList};
use super::obstacles::SurfaceContact;
use crate::num::ops;

/// A desired motion: its start and its translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The center at the start, in meters.
    pub from: DVec3,
    /// The desired motion, in meters.
    pub translation: DVec3,
    /// Surfaces within this distance of the mover count as contacts before they are hit, in meters: a quarter
    /// of the skin.
    pub contact_distance: f64,
    /// The coefficient of friction of surfaces that set none.
    pub friction: f64,
    /// A surface bounces only if the motion towards it is larger than this, in meters. Otherwise movers at
    /// rest would tremble.
    pub bounce_above: f64,
    /// The limit of what the mover climbs; `None`: it climbs whatever its roundness allows.
    pub climbing: Option<Climbing>,
}

impl Slide {
    /// A motion from `from` by `translation`, in meters. Surfaces count only when touched, and there is no
    /// friction, no bounce and no limit to climbing.
    pub fn new(from: DVec3, translation: DVec3) -> Self {
        Self { from, translation, contact_distance: 0.0, friction: 0.0, bounce_above: 0.0, climbing: None }
    }

    /// The same with surfaces within this distance counted as contacts, in meters. A quarter of the skin is a
    /// good choice. Too small: curved surfaces take more sweeps. Too large: it slides along obstacles that it
    /// would have passed. A box moves aside by up to this distance from what meets no more of its side.
    #[must_use]
    pub fn with_contact_distance(self, contact_distance: f64) -> Self {
        Self { contact_distance, ..self }
    }

    /// The same with a coefficient of friction, for surfaces that set none.
    #[must_use]
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// The same without a bounce unless the motion towards the surface is larger than this, in meters.
    #[must_use]
    pub fn with_bounce_above(self, bounce_above: f64) -> Self {
        Self { bounce_above, ..self }
    }

    /// The same with a limit to climbing.
    #[must_use]
    pub fn with_climbing(self, climbing: Climbing) -> Self {
        Self { climbing: Some(climbing), ..self }
    }
}

/// The rule of a walking mover: steep contacts are walls too, so its roundness alone carries it up no edge.
/// Beside a wall it stays on the ground: a walk up a slope into a wall does not rise along that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climbing {
    /// The up direction, a unit vector.
    pub up: DVec3,
    /// The least cosine of the angle between `up` and a walkable contact normal.
    pub least_upright: f64,
}

impl Climbing {
    /// The normal of the wall at a contact with this normal, if it is too steep.
    pub fn wall(&self, normal: DVec3) -> Option<DVec3> {
        let rise = normal.dot(self.up);
        // A ceiling that is too flat has no direction: a slope of a millionth, the slack of walkable ground.
        const LEVEL: f64 = 1e-6;
        let level = normal - self.up * rise;
        let length = ops::sqrt(level.length_squared());
        (rise < self.least_upright && length > LEVEL).then(|| level / length)
    }
}

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideEnd {
    /// The whole motion was made, as desired or bent.
    Done,
    /// The contacts left no way to continue.
    Blocked,
    /// The contacts leave no feasible motion: moving surfaces press the mover from opposite sides.
    Crushed,
    /// It ran out of sweeps; the mover stopped at the last contact.
    TooManySweeps,
}

impl SlideEnd {
    /// The name in the answers of the command: `moved` for [`SlideEnd::Done`].
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

/// A place where a motion had to bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Where it is, in meters.
    pub position: DVec3,
    /// The share of the time that was left there.
    pub remaining: f64,
}

/// The result of a slide. At most [`Slide::TOUCHES`] contacts are kept.
#[derive(Clone, Debug)]
pub struct SlideResult<K> {
    /// The center at the end, in meters.
    pub position: DVec3,
    /// The part of the desired motion that all contacts allow, in meters per whole motion: the next velocity.
    pub motion: DVec3,
    /// How it ended.
    pub end: SlideEnd,
    /// The number of sweeps.
    pub sweeps: u32,
    /// The share of the time that was left when it was blocked or crushed, or ran out of sweeps; 0 if it was
    /// done.
    pub remaining: f64,
    /// Where the desired motion first had to bend; `None` if it never had to.
    pub bent: Option<Bend>,
    /// Every place where it had to bend, as `bent` is for the first.
    pub(super) bends: ArrayVec<Bend, { Slide::SWEEPS as usize + 1 }>,
    pub(super) pressing: [Option<K>; 4],
    pub(super) touches: ContactList<K>,
}

impl<K: Copy + Ord> SlideResult<K> {
    /// A slide that has not begun.
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

    /// The places where the motion had to bend.
    pub(crate) fn bends(&self) -> &[Bend] {
        &self.bends
    }

    /// All contacts on the path, in the order of touching, with the gap and the normal of their last
    /// evaluation.
    pub fn touches(&self) -> impl Iterator<Item = SurfaceContact<K>> + '_ {
        self.touches.iter().copied()
    }

    /// The obstacles that contradict each other, if it was crushed.
    pub fn pressing(&self) -> impl Iterator<Item = K> + '_ {
        self.pressing.iter().filter_map(|key| *key)
    }
}

impl Slide {
    /// The most sweeps of one motion; one to three are usual.
    pub const SWEEPS: u32 = 8;
    /// The most contacts that are kept: those with the smallest gaps.
    pub const TOUCHES: usize = contact_list::ROOM;
}
