//! The clear floor that a [`Neighborhood`] knows: tested once for everything that was gathered.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::world::gather::clear_floor::ClearFloor;
use crate::world::gather::memory::REMEMBERED;
use crate::world::gather::neighborhood::Neighborhood;
use crate::world::{ContactQuery, PartContact, World};

impl Neighborhood {
    /// Whether every fixed body near is clear floor for a direction up: tested once for everything that was
    /// gathered.
    pub(crate) fn find_clear_floor(&mut self, world: &World, up: DVec3) -> bool {
        if !self.floor.is_some_and(|(known_for, _)| known_for == up) {
            self.floor = Some((up, ClearFloor::of(&self.fixed, world, up)));
        }
        self.clear_floor().is_some()
    }

    /// Whether that test was made for a direction up, and failed.
    #[inline]
    pub(crate) fn is_known_not_clear(&self, up: DVec3) -> bool {
        matches!(self.floor, Some((known_for, None)) if known_for == up)
    }

    /// The clear floor that was found.
    pub(crate) fn clear_floor(&self) -> Option<&ClearFloor> {
        self.floor.as_ref()?.1.as_ref()
    }

    /// Adds the contacts of a mover above the clear floor out to a distance, nearest first. False if some may
    /// be missing, or if they are too many.
    pub(crate) fn clear_contacts(
        &self,
        world: &World,
        query: &ContactQuery<'_>,
        touches: &mut ArrayVec<PartContact, REMEMBERED>,
    ) -> bool {
        let Some(floor) = self.clear_floor() else { return false };
        let mut is_whole = true;
        let key = |touch: &PartContact| (touch.contact.gap, touch.contact.normal.to_array(), touch.part);
        let asked = self.fixed.contacts_below(world, floor, query, |contact, part| {
            let touch = PartContact { contact, part };
            let place = touches.partition_point(|other| key(other) <= key(&touch));
            is_whole &= touches.try_insert(place, touch).is_ok();
        });
        asked.is_some() && is_whole
    }

    /// Whether no movable body comes near a mover in this tick while its center stays in a box. False if
    /// unsure.
    pub(crate) fn is_left_alone(&self, world: &World, mover: &Mover, centers: &Aabb) -> bool {
        let (center, reach) = (centers.center(), centers.half_extents());
        let is_met = |path: Path| self.movable.has_any_within(world, mover, &path, reach);
        Path::new(center, reach).is_ok_and(|path| !is_met(path))
    }
}
