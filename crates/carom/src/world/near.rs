//! What is around a mover where it stands: contacts and overlaps.

use alloc::vec::Vec;

use glam::DVec3;

use super::body::{Body, Collider};
use super::local::Local;
use super::pose::Frame;
use super::solid::solid_contact;
use super::surfaces::{Contacts, OneContact, Surfaces};
use super::{BodyId, Layers, World};
use crate::shape::{Mover, ShapeError};
use crate::sweep::{Contact, Path};

/// A part of a body: a triangle of a mesh, a polygon of a set, or a whole solid (0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The body.
    pub body: BodyId,
    /// Which of its parts.
    pub part: u32,
}

/// How a mover stands to a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Gap, normal, point and feature.
    pub contact: Contact,
    /// Of what.
    pub part: Part,
}

impl World {
    /// Every part within `distance` metres of the mover with its centre at `at`, one visit each, in no particular order. The gap is
    /// measured along the contact's normal: negative where they overlap.
    ///
    /// Numbers that are not finite are near nothing.
    pub fn contacts(
        &self,
        mover: &Mover,
        at: DVec3,
        distance: f64,
        layers: Layers,
        mut visit: impl FnMut(Near),
    ) {
        let Ok(at) = Path::new(at, DVec3::ZERO) else { return };
        self.index.around(mover, &at, distance, |number| {
            let id = BodyId(number);
            let Some(body) = self.body(id).filter(|body| body.layers.meets(layers)) else { return };
            body.contacts(mover, &at, distance, &mut |contact, part| {
                visit(Near { contact, part: Part { body: id, part } });
            });
        });
    }

    /// How the mover at the start of `at` stands to one part, however far away; none if there is no such part, or from behind a
    /// one-sided triangle.
    pub(crate) fn contact(&self, mover: &Mover, at: &Path, part: Part) -> Option<Contact> {
        self.body(part.body)?.contact(mover, at, part.part)
    }

    /// The parts that the mover overlaps with its centre at `at`, by body and number. Touching is not overlapping.
    ///
    /// # Errors
    /// A place that is not finite.
    pub fn overlaps(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        layers: Layers,
    ) -> Result<Vec<Part>, ShapeError> {
        crate::shape::finite(at, "at")?;
        let mut found = Vec::new();
        self.contacts(&mover.into(), at, 0.0, layers, |near| {
            if near.contact.gap < 0.0 {
                found.push(near.part);
            }
        });
        found.sort_unstable();
        Ok(found)
    }
}

impl Body {
    fn contacts(&self, mover: &Mover, at: &Path, distance: f64, visit: &mut dyn FnMut(Contact, u32)) {
        match &self.collider {
            Collider::Mesh(mesh) => self.surface_contacts(&**mesh, mover, at, distance, visit),
            Collider::Polygons(set) => self.surface_contacts(&**set, mover, at, distance, visit),
            solid => {
                if let Some(contact) = solid_contact(mover, at, solid, &self.pose)
                    && contact.gap <= distance
                {
                    visit(contact, 0);
                }
            }
        }
    }

    fn surface_contacts<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: &Path,
        distance: f64,
        visit: &mut dyn FnMut(Contact, u32),
    ) {
        let frame = self.frame();
        let Some(local) = Local::new(&frame, mover, at, surfaces.largest()) else { return };
        let take = |contact: Contact, part: u32| {
            let contact = to_world(&contact, &frame);
            if contact.gap <= distance {
                visit(contact, part);
            }
        };
        local.sweep(Contacts { surfaces, local: &local, distance: distance / frame.scale(), take });
    }

    fn contact(&self, mover: &Mover, at: &Path, part: u32) -> Option<Contact> {
        let frame = self.frame();
        let local = |largest: f64| Local::new(&frame, mover, at, largest);
        let contact = match &self.collider {
            Collider::Mesh(mesh) => {
                let local = local(mesh.largest())?;
                local.sweep(OneContact { surfaces: &**mesh, local: &local, part })
            }
            Collider::Polygons(set) => {
                let local = local(set.largest())?;
                local.sweep(OneContact { surfaces: &**set, local: &local, part })
            }
            solid => return solid_contact(mover, at, solid, &self.pose),
        };
        contact.map(|contact| to_world(&contact, &frame))
    }
}

fn to_world(contact: &Contact, frame: &Frame) -> Contact {
    Contact {
        gap: contact.gap * frame.scale(),
        normal: frame.normal_to_world(contact.normal),
        point: frame.point_to_world(contact.point),
        feature: contact.feature,
        rounding: contact.rounding * frame.scale(),
    }
}
