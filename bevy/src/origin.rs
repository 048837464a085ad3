//! The point of Carom's world that is Bevy's origin: for levels far from the origin.

use bevy::math::DVec3;
use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};

use crate::convert::{narrow, wide};
use crate::link::{BodyLink, CharacterLink};
use crate::simulation::CaromWorld;

/// The point of Carom's world of f64 at which Bevy's f32 coordinates begin, in meters.
///
/// A `Transform` far from 0 is coarse: 64 km out its steps are of 4 mm. Let it stay near the player and
/// change this resource instead: the next tick moves every root `Transform` (not those of children) by the
/// difference, while bodies and characters keep their places in Carom's world to the bit. Insert it before
/// anything is spawned to begin far out.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct WorldOrigin(pub DVec3);

type RootTransforms<'w, 's> = Query<
    'w,
    's,
    (Entity, &'static mut Transform, Option<&'static mut BodyLink>, Option<&'static mut CharacterLink>),
    Without<ChildOf>,
>;

/// Moves what Bevy shows when the origin has changed. Bodies of children follow their parents: they are
/// placed again without being moved.
pub(crate) fn shift_origin(
    origin: Res<WorldOrigin>,
    mut carom: ResMut<CaromWorld>,
    mut roots: RootTransforms,
    mut children: Query<&mut BodyLink, With<ChildOf>>,
) {
    let new = carom::glam::DVec3::from_array(origin.0.to_array());
    let old = carom.origin;
    carom.last_origin = old;
    if new == old || !new.is_finite() {
        return;
    }
    carom.origin = new;
    let shift = old - new;
    // Bodies and characters that Carom knows go to their positions in Carom, to the nearest f32.
    for (entity, mut transform, body, character) in &mut roots {
        let shifted = match carom.place_of(entity) {
            Some(place) => narrow(place - new),
            None => narrow(wide(transform.translation) + shift),
        };
        // A change by the game since the last tick is kept, as a difference.
        let written = character.as_ref().map(|link| link.written);
        let written = written.or(body.as_ref().map(|link| link.written.translation));
        let known = written.filter(|_| carom.place_of(entity).is_some());
        let own = known.map_or(Vec3::ZERO, |known| transform.translation - known);
        transform.translation = shifted + own;
        if let Some(mut link) = body {
            link.written.translation = shifted;
            link.placed.translation = shifted;
        }
        if let Some(mut link) = character {
            link.written = shifted;
        }
    }
    for mut link in &mut children {
        link.is_shifted = true;
    }
}
