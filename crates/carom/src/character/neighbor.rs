//! The data that the characters of a tick share: position, shape, desired velocity, and which stands on
//! which.

use glam::DVec3;

use super::settings::Riders;
use crate::num::bound::reach;
use crate::shape::{Aabb, Mover};
use crate::sweep::pairs::sphere_cuboid::turned_round;
use crate::sweep::{Contact, Path};
use crate::world::{BodyId, Layers, solids_contact};

/// Another character at the start of a tick, with its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its number, by which reports name it.
    pub number: u32,
    /// Its user number.
    pub user_data: u64,
    pub(super) mover: Mover,
    pub(super) position: DVec3,
    /// How far it wants to go in this tick, apart from what carries it.
    pub(super) translation: DVec3,
    /// How far what it stands on carries it.
    pub(super) carried: DVec3,
    pub(super) carrier: Option<BodyId>,
    pub(super) stack: StackLink,
}

impl Neighbor {
    /// The position of its center, in meters.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// How far it can be from its center in this tick, at most; if it stands on no character.
    fn extent_alone(&self) -> f64 {
        reach(self.mover.half_extents()) + reach(self.translation) + reach(self.carried)
    }

    /// How far it can be from its center in this tick, at most.
    pub(super) fn extent(&self) -> f64 {
        let StackLink { borne, raised, .. } = self.stack;
        self.extent_alone() + reach(borne) + raised
    }

    /// Where it can be in the tick.
    pub(super) fn place(&self) -> Aabb {
        self.within(self.extent())
    }

    /// Whether two can meet, apart from what they do to each other in stacks: those are near in any list.
    pub(super) fn is_near(&self, other: &Self) -> bool {
        self.within(self.extent_alone()).overlaps_aabb(&other.within(other.extent_alone()))
    }

    fn within(&self, extent: f64) -> Aabb {
        let extent = DVec3::splat(extent);
        // Beyond the range of f64 it is near no other character, and its own step refuses.
        Aabb::new(self.position - extent, self.position + extent)
            .unwrap_or_else(|_| Aabb::new(DVec3::ZERO, DVec3::ZERO).expect("zero is finite and in order"))
    }

    /// How it stands to another: the same plane and gap, to the bit, whichever of the two asks. A contact of
    /// ellipsoids is the nearest in the space of the one that asks, and of axes of boxes that are equally far
    /// apart the first counts: asked by each for itself, the two would keep to different planes.
    pub(super) fn contact(&self, other: &Self) -> Option<Contact> {
        let contact = |one: &Self, other: &Self| {
            let at = Path::new(one.position, DVec3::ZERO).ok()?;
            solids_contact(&one.mover, &at, &other.mover, other.position)
        };
        let asks_first = self.position.to_array() <= other.position.to_array();
        if asks_first { contact(self, other) } else { contact(other, self).map(|seen| turned_round(&seen)) }
    }

    /// How far the plane between two goes along with the body that carries both: as the middle of the two.
    /// A body that turns carries each elsewhere, so the plane must go as neither of them does alone.
    pub(super) fn carried_with(&self, other: &Self) -> DVec3 {
        if self.carrier.is_some() && self.carrier == other.carrier {
            0.5 * (self.carried + other.carried)
        } else {
            DVec3::ZERO
        }
    }
}

/// The data of a character for those that it stands on, and for those that stand on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StackLink {
    pub(super) up: DVec3,
    pub(super) least_upright: f64,
    pub(super) layers: Layers,
    /// The gap that it keeps to characters above it: a share of the skin.
    pub(super) slack: f64,
    /// The number of the character that it stands on.
    pub(super) stands_on: Option<u32>,
    /// Whether it rests on a character, by a foot at least.
    pub(super) rests: bool,
    pub(super) riders: Riders,
    /// How far it goes if nothing unusual happens, apart from what carries it.
    pub(super) ahead: DVec3,
    /// The part of `ahead` that is the velocity of a platform, kept in the air.
    pub(super) drift: DVec3,
    /// How far the characters that it stands on take it along, apart from the body that carries all of them.
    pub(super) borne: DVec3,
    /// How far up those that it stands on push it.
    pub(super) raised: f64,
    /// How far up it can go before those on its head have no room; infinite if there are none.
    pub(super) room: f64,
}
