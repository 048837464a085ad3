//! The surroundings of a mover at rest: contacts and overlaps.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use glam::DVec3;

use crate::shape::{Mover, ShapeError};
use crate::sweep::{Contact, Path};
use crate::world::{BodyId, Layers, World};

/// A part of a body: a triangle of a mesh, a polygon of a set, or a whole solid (0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The body.
    pub body: BodyId,
    /// The part of the body.
    pub part: u32,
}

impl Part {
    /// The part of the same body that comes this many after it.
    pub(in crate::world) fn after(self, count: u32) -> Self {
        Self { part: self.part + count, ..self }
    }
}

/// As in `body 3, part 0`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}, part {}", self.body, self.part)
    }
}

/// A contact and the part that it is with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartContact {
    pub(crate) contact: Contact,
    pub(crate) part: Part,
}

/// The contact of a mover with a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// Gap, normal, point and feature.
    pub contact: Contact,
    /// The part.
    pub part: Part,
    /// The body's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

/// A part that a mover overlaps. Dereferences to the [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Overlap {
    /// The part.
    pub part: Part,
    /// The body's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

impl Deref for Overlap {
    type Target = Part;

    fn deref(&self) -> &Part {
        &self.part
    }
}

impl World {
    /// Every part within `distance` meters of the mover with its center at `at`, one visit each, in no
    /// particular order. The gap is measured along the contact's normal: negative in an overlap.
    ///
    /// Numbers that are not finite find nothing.
    pub fn contacts(
        &self,
        mover: &Mover,
        at: DVec3,
        distance: f64,
        layers: Layers,
        mut visit: impl FnMut(BodyContact),
    ) {
        let Ok(at) = Path::new(at, DVec3::ZERO) else { return };
        let expect = |number| self.prefetch_body(number);
        self.index.around(mover, &at, DVec3::splat(distance), expect, |number| {
            let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) else {
                return;
            };
            body.contacts(id, mover, &at, distance, &mut |contact, part| {
                let part = Part { body: id, part };
                visit(BodyContact { contact, part, user_data: body.user_data });
            });
        });
    }

    /// The parts that the mover overlaps with its center at `at`, by body and number. Touching is not
    /// overlapping.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn overlaps(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        layers: Layers,
    ) -> Result<Vec<Overlap>, ShapeError> {
        crate::shape::finite(at, "at")?;
        let mut found = Vec::new();
        self.contacts(&mover.into(), at, 0.0, layers, |near| {
            if near.contact.gap < 0.0 {
                found.push(Overlap { part: near.part, user_data: near.user_data });
            }
        });
        found.sort_unstable();
        Ok(found)
    }
}
