//! Queries to the world, in Bevy's coordinates, answered by entity. They find bodies and characters as they
//! are after the last tick.

use bevy::prelude::*;
use carom::{Cast, Layers, Mover};

use crate::collider::ColliderError;
use crate::convert::{narrow, wide};
use crate::{CaromWorld, Collider};

/// The filter of a query. Default: everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastFilter {
    /// The layers: bit `i` for layer `i`.
    pub layers: u32,
    /// An entity to ignore: a body or a character.
    pub exclude: Option<Entity>,
}

impl CastFilter {
    /// Everything but one entity.
    pub fn without(entity: Entity) -> Self {
        Self { exclude: Some(entity), ..Self::default() }
    }
}

impl Default for CastFilter {
    fn default() -> Self {
        Self { layers: u32::MAX, exclude: None }
    }
}

/// The first hit of a cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The body or the character.
    pub entity: Entity,
    /// The free share of the translation, 0 … 1.
    pub fraction: f64,
    /// The touched point.
    pub point: Vec3,
    /// The unit normal, towards the mover.
    pub normal: Vec3,
}

impl CaromWorld {
    /// The first hit of a point from `from` by `translation`.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn raycast(
        &self,
        from: Vec3,
        translation: Vec3,
        filter: &CastFilter,
    ) -> Result<Option<CastHit>, ColliderError> {
        self.cast_mover(Mover::Point, from, translation, filter)
    }

    /// The first hit of a sphere, an ellipsoid, a capsule or a box with its center at `from` by
    /// `translation`.
    ///
    /// # Errors
    /// A number is not finite, or the collider cannot be swept.
    pub fn cast(
        &self,
        collider: &Collider,
        from: Vec3,
        translation: Vec3,
        filter: &CastFilter,
    ) -> Result<Option<CastHit>, ColliderError> {
        let mover = collider.mover()?.ok_or(ColliderError::NotSwept)?;
        self.cast_mover(mover, from, translation, filter)
    }

    fn cast_mover(
        &self,
        mover: Mover,
        from: Vec3,
        translation: Vec3,
        filter: &CastFilter,
    ) -> Result<Option<CastHit>, ColliderError> {
        let cast = Cast::new(mover, self.origin + wide(from), wide(translation))?;
        let mut cast = cast.filter(Layers::from_bits(filter.layers));
        if let Some(body) = filter.exclude.and_then(|entity| self.body_id(entity)) {
            cast = cast.exclude(body);
        }
        let hit_of = |hit: carom::Hit, user_data: u64| {
            let entity = Entity::try_from_bits(user_data)?;
            let (point, normal) = (narrow(hit.point - self.origin), narrow(hit.normal));
            Some(CastHit { entity, fraction: hit.fraction, point, normal })
        };
        let body = self.world.cast(&cast).and_then(|hit| hit_of(hit.hit, hit.user_data));
        let caster = filter.exclude.and_then(|entity| self.places.get(&entity).copied());
        let character = match caster {
            Some(place) => self.targets.cast_past(&cast, place),
            None => self.targets.cast(&cast),
        };
        let character = character.and_then(|hit| hit_of(hit.hit, hit.user_data));
        Ok(match (body, character) {
            (Some(body), Some(character)) if character.fraction < body.fraction => Some(character),
            (Some(body), _) => Some(body),
            (None, character) => character,
        })
    }
}
