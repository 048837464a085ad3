//! Characters as targets of casts: shooting at players, finding those nearby.
//!
//! Idea: a separate world in which each character is a body with its shape. So the same code answers queries
//! about characters and bodies. Cost: an update costs as much as moving the bodies of the characters that
//! moved; a query costs as much as in a world.

use alloc::vec::Vec;
use core::ops::Deref;

use glam::DVec3;

use super::Character;
use crate::shape::{Mover, ShapeError};
use crate::sweep::{Contact, Hit};
use crate::world::{Body, BodyId, Cast, CastHit, Collider, Layers, World};

/// A character that a cast hits. Dereferences to the [`Hit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterHit {
    /// Fraction, point, normal and feature.
    pub hit: Hit,
    /// Its index in the list of characters.
    pub character: u32,
    /// Its user number ([`Character::with_user_data`]).
    pub user_data: u64,
}

impl Deref for CharacterHit {
    type Target = Hit;

    fn deref(&self) -> &Hit {
        &self.hit
    }
}

/// A character that a mover overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterOverlap {
    /// Its index in the list of characters.
    pub character: u32,
    /// Its user number ([`Character::with_user_data`]).
    pub user_data: u64,
}

/// The contact of a mover with a character.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterContact {
    /// Gap, normal, point and feature.
    pub contact: Contact,
    /// Its index in the list of characters.
    pub character: u32,
    /// Its user number ([`Character::with_user_data`]).
    pub user_data: u64,
}

/// The character nearest to a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestCharacter {
    /// The distance between the two in meters; 0 if they touch or overlap.
    pub distance: f64,
    /// The nearest point of the character, in meters.
    pub point: DVec3,
    /// Its index in the list of characters.
    pub character: u32,
    /// Its user number ([`Character::with_user_data`]).
    pub user_data: u64,
}

/// Characters as targets of queries: shooting, hit scans, melee, finding players nearby. A
/// [`World`](crate::world::World) holds only bodies, so ask both, as the example in the cookbook does.
///
/// It holds no state of the game. Update it after each tick and after a rollback.
///
/// ```
/// use carom::character::{Character, Settings, Targets};
/// use carom::{Capsule, Cast, Layers, Mover, glam::dvec3};
/// const RED: Layers = Layers::one(1);
/// let player = Character::new(Capsule::new(0.3, 0.6)?, Settings::default())?;
/// let players = [
///     player.at(dvec3(0.0, 0.0, 0.0))?.with_user_data(10), // shoots
///     player.at(dvec3(5.0, 0.0, 0.0))?.with_user_data(11),
///     player.at(dvec3(9.0, 0.0, 0.0))?.with_user_data(12).on(RED),
/// ];
/// let mut targets = Targets::new();
/// targets.update(&players);
/// let shot = Cast::new(Mover::Point, dvec3(0.0, 0.4, 0.0), dvec3(50.0, 0.0, 0.0))?;
/// assert_eq!(targets.cast_past(&shot, 0).unwrap().user_data, 11);
/// assert_eq!(targets.cast_past(&shot.filter(RED), 0).unwrap().character, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Targets {
    world: World,
    seen: Vec<Seen>,
}

/// A character at the last update.
#[derive(Clone, Copy, Debug)]
struct Seen {
    body: BodyId,
    shape: Mover,
    layers: Layers,
    user_data: u64,
}

impl Targets {
    /// No characters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the present state of the characters, by index: their shapes without the skin, their layers
    /// ([`Character::on`]) and their user numbers.
    pub fn update(&mut self, characters: &[Character]) {
        let Self { world, seen } = self;
        for gone in seen.drain(characters.len().min(seen.len())..) {
            world.remove(gone.body);
        }
        for (number, character) in (0u64..).zip(characters) {
            let (shape, layers) = (*character.shape(), character.layers());
            let user_data = character.user_data();
            if let Some(known) = seen.get_mut(number as usize) {
                known.user_data = user_data;
                if known.shape == shape && known.layers == layers {
                    let body = world.body(known.body).map(|body| body.pose().position());
                    if body != Some(character.position()) {
                        // The position of a character is finite.
                        let _ = world.set_pose(known.body, character.position());
                    }
                    continue;
                }
                world.remove(known.body);
            }
            let body = Body::kinematic(collider(&shape)).at(character.position()).on(layers);
            let one = Seen { body: world.add(body.with_user_data(number)), shape, layers, user_data };
            match seen.get_mut(number as usize) {
                Some(known) => *known = one,
                None => seen.push(one),
            }
        }
    }

    /// The first character that a cast hits, on its layers. Among several at the same fraction the one with
    /// the lowest index wins. Bodies that the cast excludes do not matter here.
    pub fn cast(&self, cast: &Cast) -> Option<CharacterHit> {
        self.world.cast(&Cast { excluded: None, ..*cast }).map(|hit| self.hit(&hit))
    }

    /// The same, ignoring one character: the one that casts.
    pub fn cast_past(&self, cast: &Cast, character: u32) -> Option<CharacterHit> {
        let excluded = self.seen.get(character as usize).map(|seen| seen.body);
        self.world.cast(&Cast { excluded, ..*cast }).map(|hit| self.hit(&hit))
    }

    /// All characters that a cast hits, in the order of the hits.
    pub fn cast_all(&self, cast: &Cast) -> Vec<CharacterHit> {
        let hits = self.world.cast_all(&Cast { excluded: None, ..*cast });
        hits.iter().map(|hit| self.hit(hit)).collect()
    }

    /// The characters that a mover overlaps with its center at `at`, by index. Touching is not overlapping.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn overlaps(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        layers: Layers,
    ) -> Result<Vec<CharacterOverlap>, ShapeError> {
        let found = self.world.overlaps(mover, at, layers)?;
        let overlapped =
            |character: u32| CharacterOverlap { character, user_data: self.user_data(character) };
        let mut characters: Vec<_> = found.iter().map(|near| overlapped(near.user_data as u32)).collect();
        characters.sort_unstable_by_key(|overlap| overlap.character);
        Ok(characters)
    }

    /// The contacts with all characters within `distance` meters of a mover, by index.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn contacts(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Vec<CharacterContact>, ShapeError> {
        let at = crate::shape::finite(at, "at")?;
        let mut found = Vec::new();
        self.world.contacts(&mover.into(), at, distance, layers, |near| {
            let character = near.user_data as u32;
            let user_data = self.user_data(character);
            found.push(CharacterContact { contact: near.contact, character, user_data });
        });
        found.sort_unstable_by_key(|near| near.character);
        Ok(found)
    }

    /// The character nearest to a mover with its center at `at`, no farther than `distance` meters.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn closest(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Option<ClosestCharacter>, ShapeError> {
        let found = self.world.closest(mover, at, distance, layers)?;
        Ok(found.map(|found| {
            let character = found.user_data as u32;
            let user_data = self.user_data(character);
            ClosestCharacter { distance: found.distance, point: found.point, character, user_data }
        }))
    }

    fn hit(&self, hit: &CastHit) -> CharacterHit {
        let character = hit.user_data as u32;
        CharacterHit { hit: hit.hit, character, user_data: self.user_data(character) }
    }

    fn user_data(&self, character: u32) -> u64 {
        self.seen.get(character as usize).map_or(0, |seen| seen.user_data)
    }
}

/// The solid of a shape. A character is never a point.
fn collider(shape: &Mover) -> Collider {
    match *shape {
        Mover::Sphere(sphere) => sphere.into(),
        Mover::Ellipsoid(ellipsoid) => ellipsoid.into(),
        Mover::Capsule(capsule) => capsule.into(),
        Mover::Cuboid(cuboid) => cuboid.into(),
        Mover::Point => Vec::<crate::shape::ConvexPolygon>::new().into(),
    }
}
