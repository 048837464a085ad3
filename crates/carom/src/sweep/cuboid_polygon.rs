//! Temporary.
use super::round::Facet;
use super::{Contact, Hit, Path};
use crate::shape::{ConvexPolygon, Cuboid};
pub(crate) struct CuboidSweep;
impl CuboidSweep {
    pub(crate) fn new(_: &Cuboid, _: &Path, _: f64) -> Self {
        Self
    }
    pub(crate) fn triangle(&self, _: &Facet) -> Option<Hit> {
        None
    }
    pub(crate) fn polygon(&self, _: &ConvexPolygon) -> Option<Hit> {
        None
    }
    pub(crate) fn triangle_contact(&self, _: &Facet) -> Option<Contact> {
        None
    }
    pub(crate) fn polygon_contact(&self, _: &ConvexPolygon) -> Contact {
        todo!()
    }
}
