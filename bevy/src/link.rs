//! Transforms that the plugin shares with the game: their last known values.

use bevy::prelude::*;
use carom::world::Keyframes;

use crate::body_recipe::BodyRecipe;

/// The last known `Transform` of a body.
#[derive(Component, Clone, Debug, Default)]
pub(crate) struct BodyLink {
    /// Its recipe; `None` until then, and if it was refused.
    pub(crate) recipe: Option<BodyRecipe>,
    /// The transform of the body in the last tick; of a child, in the world.
    pub(crate) placed: Transform,
    /// The last value that the plugin wrote or read. Another one is a wish of the game.
    pub(crate) written: Transform,
    /// The last drawn value.
    pub(crate) drawn: Transform,
    /// The origin that the points of its path are about: the one when the game wrote them.
    pub(crate) path_origin: carom::glam::DVec3,
    /// Its path and the time at which it began.
    pub(crate) path: Option<(Keyframes, f64)>,
    /// The origin was moved: the next global transform is that of the same place.
    pub(crate) is_shifted: bool,
}

/// A body whose collider comes from a physics engine, which has scaled it and moves it. Only the engine
/// writes its `Transform`.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct OfEngine;

/// The last known `Transform` of a character.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct CharacterLink {
    /// The last value that the plugin wrote or read.
    pub(crate) written: Vec3,
    /// The last drawn value.
    pub(crate) drawn: Vec3,
    /// A shape that found no room yet.
    pub(crate) has_pending_shape: bool,
}
