//! The contacts of a mover at a place, kept for the ticks that begin there.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::prefetch::prefetch_far;
use crate::shape::Mover;
use crate::world::body::stamp::Stamp;
use crate::world::{ContactQuery, Layers, PartContact};

/// The most contacts that are kept of a place.
pub(crate) const REMEMBERED: usize = 8;

/// All contacts of a mover at a place out to a distance, in a version of the world in which nothing that
/// moves comes near.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) stamp: Stamp,
    pub(super) mover: Mover,
    layers: Layers,
    pub(super) at: DVec3,
    pub(super) distance: f64,
    pub(super) contacts: ArrayVec<PartContact, REMEMBERED>,
}

impl Memory {
    /// A memory without contacts.
    pub(super) fn new(stamp: Stamp, query: &ContactQuery<'_>) -> Self {
        let ContactQuery { mover, layers, at, distance, .. } = *query;
        Self { stamp, mover: *mover, layers, at, distance, contacts: ArrayVec::new_const() }
    }

    /// Stores these contacts of another place, written in place because the memory is too large to be moved
    /// in every tick. False if they are too many.
    pub(super) fn hold(
        &mut self,
        stamp: Stamp,
        query: &ContactQuery<'_>,
        mut contacts: impl Iterator<Item = PartContact>,
    ) -> bool {
        (self.stamp, self.mover, self.layers) = (stamp, *query.mover, query.layers);
        (self.at, self.distance) = (query.at, query.distance);
        self.contacts.clear();
        contacts.all(|contact| self.contacts.try_push(contact).is_ok())
    }

    /// Whether it is of this mover at this place, out to this distance.
    #[inline]
    pub(super) fn is_of(&self, stamp: Stamp, query: &ContactQuery<'_>) -> bool {
        let ContactQuery { mover, layers, at, distance, .. } = *query;
        // The position differs most often.
        let is_same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        is_same(self.at.x, at.x)
            && is_same(self.at.z, at.z)
            && is_same(self.at.y, at.y)
            && self.stamp.is(stamp)
            && self.distance == distance
            && self.layers == layers
            && self.mover == *mover
    }

    /// Prefetches its memory.
    pub(super) fn prefetch(&self) {
        prefetch_far(&self.stamp);
        prefetch_far(&self.mover);
        prefetch_far(&self.at);
        for PartContact { contact, part } in &self.contacts {
            prefetch_far(contact);
            prefetch_far(part);
        }
    }
}
