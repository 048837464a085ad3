//! Characters as targets of casts: shooting at players, finding those nearby.

use carom::character::{CharacterContact, CharacterHit, CharacterOverlap, ClosestCharacter, Targets};
use carom::{Cast, Character};

use crate::border::{fill, guard, list, out, read, room};
use crate::character::{CaromCharacter, heroes};
use crate::handles::Objects;
use crate::query::{CaromCast, at_least_0};
use crate::report::CAROM_NO_CHARACTER;
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromShape, CaromVec3, layers};

/// Characters as targets of queries.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromTargets {
    /// Opaque, except that 0 is no targets.
    pub value: u64,
}

static TARGETS: Objects<Targets> = Objects::new(9, "target set");

/// The result of a cast at characters.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromCharacterHit {
    /// Whether a character was met. If not, `fraction` is 1, `character` `CAROM_NO_CHARACTER` and all else 0.
    pub is_hit: bool,
    /// Whether the mover was inside the character already, by more than rounding, and moves deeper.
    pub start_overlap: bool,
    /// Its index in the list of the last update.
    pub character: u32,
    /// The character's own number.
    pub user_data: u64,
    /// The share of the translation that is free, 0 … 1.
    pub fraction: f64,
    /// The touched point, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the mover.
    pub normal: CaromVec3,
}

/// A character that a mover overlaps.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromCharacterOverlap {
    /// Its index in the list of the last update.
    pub character: u32,
    /// The character's own number.
    pub user_data: u64,
}

/// The contact of a mover at rest with a character.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromCharacterContact {
    /// Its index in the list of the last update.
    pub character: u32,
    /// The character's own number.
    pub user_data: u64,
    /// The gap along the normal, in meters; negative in an overlap.
    pub gap: f64,
    /// The nearest point of the character, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the mover.
    pub normal: CaromVec3,
}

/// The character that is nearest.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromClosestCharacter {
    /// Whether there is one within the distance. If not, `character` is `CAROM_NO_CHARACTER` and all else 0.
    pub is_found: bool,
    /// Its index in the list of the last update.
    pub character: u32,
    /// The character's own number.
    pub user_data: u64,
    /// In meters; 0 where they touch or overlap.
    pub distance: f64,
    /// The nearest point of it, in meters.
    pub point: CaromVec3,
}

impl From<&CharacterHit> for CaromCharacterHit {
    fn from(hit: &CharacterHit) -> Self {
        Self {
            is_hit: true,
            start_overlap: hit.start_overlap,
            character: hit.character,
            user_data: hit.user_data,
            fraction: hit.fraction,
            point: hit.point.into(),
            normal: hit.normal.into(),
        }
    }
}

impl CaromCharacterHit {
    const MISS: Self = Self {
        is_hit: false,
        start_overlap: false,
        character: CAROM_NO_CHARACTER,
        user_data: 0,
        fraction: 1.0,
        point: CaromVec3::ZERO,
        normal: CaromVec3::ZERO,
    };
}

impl From<&CharacterOverlap> for CaromCharacterOverlap {
    fn from(overlap: &CharacterOverlap) -> Self {
        Self { character: overlap.character, user_data: overlap.user_data }
    }
}

impl From<&CharacterContact> for CaromCharacterContact {
    fn from(near: &CharacterContact) -> Self {
        Self {
            character: near.character,
            user_data: near.user_data,
            gap: near.contact.gap,
            point: near.contact.point.into(),
            normal: near.contact.normal.into(),
        }
    }
}

impl From<Option<ClosestCharacter>> for CaromClosestCharacter {
    fn from(found: Option<ClosestCharacter>) -> Self {
        let nothing = Self {
            is_found: false,
            character: CAROM_NO_CHARACTER,
            user_data: 0,
            distance: 0.0,
            point: CaromVec3::ZERO,
        };
        found.map_or(nothing, |ClosestCharacter { distance, point, character, user_data }| Self {
            is_found: true,
            character,
            user_data,
            distance,
            point: point.into(),
        })
    }
}

/// The cast; a body that it excludes plays no part.
fn cast_of(cast: &CaromCast) -> Result<Cast, Failure> {
    let made = Cast::new(cast.shape.mover()?, cast.from.get(), cast.translation.get())?;
    Ok(made.filter(layers(cast.layers)))
}

/// No targets yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_new(targets: *mut CaromTargets) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let targets = unsafe { out(targets, "targets") }?;
        targets.write(CaromTargets { value: TARGETS.insert(Targets::new())? });
        Ok(())
    })
}

/// Frees them; the characters stay. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn carom_targets_free(targets: CaromTargets) -> CaromStatus {
    guard(|| TARGETS.remove(targets.value))
}

/// Takes the characters as they are now: their shapes without the skin, their layers
/// (`carom_character_set_layers`) and their numbers. To be called after each tick, and after a rollback. From
/// then on answers name them by their places in this list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_update(
    targets: CaromTargets,
    characters: *const CaromCharacter,
    character_count: usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let handles = unsafe { list(characters, character_count, "characters") }?;
        let mut targets = TARGETS.write(targets.value)?;
        let heroes = heroes(handles)?;
        let characters: Vec<Character> = heroes.iter().map(|hero| hero.character).collect();
        targets.update(&characters);
        Ok(())
    })
}

/// The character that a cast meets first, on its layers, past the character `past`: the one that shoots, or
/// `CAROM_NO_CHARACTER`. Of several at the same fraction the lowest one. `carom_world_cast` says whether a
/// wall comes first; the body that the cast excludes plays no part here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_cast(
    targets: CaromTargets,
    cast: *const CaromCast,
    past: u32,
    hit: *mut CaromCharacterHit,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (hit, cast) = unsafe { (out(hit, "hit")?, read(cast, "cast")?) };
        let cast = cast_of(&cast)?;
        let found = TARGETS.read(targets.value)?.cast_past(&cast, past);
        hit.write(found.as_ref().map_or(CaromCharacterHit::MISS, CaromCharacterHit::from));
        Ok(())
    })
}

/// All characters that a cast meets, nearest first. Writes as many as there is room for; `count` is how many
/// there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_cast_all(
    targets: CaromTargets,
    cast: *const CaromCast,
    hits: *mut CaromCharacterHit,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (cast, hits, count) =
            unsafe { (read(cast, "cast")?, room(hits, capacity, "hits")?, out(count, "count")?) };
        let found = TARGETS.read(targets.value)?.cast_all(&cast_of(&cast)?);
        fill(hits, count, &found.iter().map(CaromCharacterHit::from).collect::<Vec<_>>())
    })
}

/// The characters that the shape overlaps with its center at `at`, by place. Touching is not overlapping.
/// Writes as many as there is room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_overlaps(
    targets: CaromTargets,
    shape: CaromShape,
    at: CaromVec3,
    layer_bits: u32,
    characters: *mut CaromCharacterOverlap,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (characters, count) =
            unsafe { (room(characters, capacity, "characters")?, out(count, "count")?) };
        let targets = TARGETS.read(targets.value)?;
        let found = targets.overlaps(shape.mover()?, at.get(), layers(layer_bits))?;
        fill(characters, count, &found.iter().map(CaromCharacterOverlap::from).collect::<Vec<_>>())
    })
}

/// The characters within `distance` meters of the shape with its center at `at`, by place. Writes as many as
/// there is room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_contacts(
    targets: CaromTargets,
    shape: CaromShape,
    at: CaromVec3,
    distance: f64,
    layer_bits: u32,
    contacts: *mut CaromCharacterContact,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (contacts, count) = unsafe { (room(contacts, capacity, "contacts")?, out(count, "count")?) };
        let distance = at_least_0(distance)?;
        let targets = TARGETS.read(targets.value)?;
        let found = targets.contacts(shape.mover()?, at.get(), distance, layers(layer_bits))?;
        fill(contacts, count, &found.iter().map(CaromCharacterContact::from).collect::<Vec<_>>())
    })
}

/// The character nearest to the shape with its center at `at`, no farther than `distance` meters, which may
/// be infinite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_targets_closest(
    targets: CaromTargets,
    shape: CaromShape,
    at: CaromVec3,
    distance: f64,
    layer_bits: u32,
    closest: *mut CaromClosestCharacter,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let closest = unsafe { out(closest, "closest") }?;
        let (mover, distance) = (shape.mover()?, at_least_0(distance)?);
        let found = TARGETS.read(targets.value)?.closest(mover, at.get(), distance, layers(layer_bits))?;
        closest.write(found.into());
        Ok(())
    })
}
