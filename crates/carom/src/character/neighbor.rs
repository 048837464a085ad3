//! The data that the characters of a tick share: position, shape, desired velocity, and which stands on
//! which.

use glam::DVec3;

use super::settings::Riders;
use crate::num::bound::reach;
use crate::num::ops;
use crate::shape::{Aabb, Mover};
use crate::sweep::pairs::sphere_cuboid::turned_round;
use crate::sweep::{Contact, Feature, Path};
use crate::world::{BodyId, Layers, solids_contact};

/// In radians. The directions of its multiples are spread evenly.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Another character at the start of a tick, with its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its number, by which reports name it.
    pub number: u32,
    /// Its user number.
    pub user_data: u64,
    pub(super) mover: Mover,
    pub(super) position: DVec3,
    /// Its desired translation in this tick, without that of its carrier.
    pub(super) translation: DVec3,
    /// The translation by its carrier.
    pub(super) carried: DVec3,
    pub(super) carrier: Option<BodyId>,
    pub(super) stack: StackLink,
}

impl Neighbor {
    /// The position of its center, in meters.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// How far from its center it can get in this tick, if it stands on no character.
    fn extent_alone(&self) -> f64 {
        reach(self.mover.half_extents()) + reach(self.translation) + reach(self.carried)
    }

    /// How far from its center it can get in this tick.
    pub(super) fn extent(&self) -> f64 {
        let StackLink { borne, raised, .. } = self.stack;
        self.extent_alone() + reach(borne) + raised
    }

    /// The box that it can reach in the tick.
    pub(super) fn place(&self) -> Aabb {
        self.within(self.extent())
    }

    /// Whether two can meet, except by pushes in stacks: the characters of a stack are always near.
    pub(super) fn is_near(&self, other: &Self) -> bool {
        self.within(self.extent_alone()).overlaps_aabb(&other.within(other.extent_alone()))
    }

    fn within(&self, extent: f64) -> Aabb {
        let extent = DVec3::splat(extent);
        // Beyond the range of f64 it is near no other character, and its own step refuses.
        Aabb::new(self.position - extent, self.position + extent)
            .unwrap_or_else(|_| Aabb::new(DVec3::ZERO, DVec3::ZERO).expect("zero is finite and in order"))
    }

    /// The contact with another: the same plane and gap, to the bit, for both. A contact of ellipsoids is the
    /// nearest in the space of one of them, and of equally good axes of boxes the first counts: if each
    /// computed its own, the two would keep to different planes.
    pub(super) fn contact(&self, other: &Self) -> Option<Contact> {
        let contact = |one: &Self, other: &Self| {
            let at = Path::new(one.position, DVec3::ZERO).ok()?;
            solids_contact(&one.mover, &at, &other.mover, other.position)
        };
        if self.position == other.position {
            return self.contact_at_one_place(other, contact(self, other)?.rounding);
        }
        let asks_first = self.position.to_array() <= other.position.to_array();
        if asks_first { contact(self, other) } else { contact(other, self).map(|seen| turned_round(&seen)) }
    }

    /// The contact with another whose center is at the same place. The shapes alone would give both the same
    /// normal, so that they would move the same way. By their numbers each pair gets a direction of its own,
    /// across `up`, and each of the two one side of it.
    fn contact_at_one_place(&self, other: &Self, rounding: f64) -> Option<Contact> {
        let [first, second] = if self.number <= other.number { [self, other] } else { [other, self] };
        let (x, z) = first.stack.up.any_orthonormal_pair();
        let turns = f64::from(first.number.wrapping_add(second.number) % 1024);
        let (sin, cos) = ops::sin_cos(GOLDEN_ANGLE * turns);
        let toward_first = x * cos + z * sin;
        let normal = if self.number <= other.number { toward_first } else { -toward_first };
        let point = other.mover.support_point(normal);
        let gap = (self.mover.support_point(-normal) - point).dot(normal);
        let point = other.position + point;
        gap.is_finite().then_some(Contact { gap, normal, point, feature: Feature::Face, rounding })
    }

    /// The motion of the plane between two with the body that carries both: that of the middle of the two. A
    /// turning body moves each differently, so the plane must not follow one of them.
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
    /// Its expected translation, without that of its carrier.
    pub(super) ahead: DVec3,
    /// The part of `ahead` that is the velocity of a platform, kept in the air.
    pub(super) drift: DVec3,
    /// The translation by the characters that it stands on, besides that of the body that carries all of
    /// them.
    pub(super) borne: DVec3,
    /// The height by which those that it stands on push it up.
    pub(super) raised: f64,
    /// The height that it can rise before those on its head have no room; infinite if there are none.
    pub(super) room: f64,
}
