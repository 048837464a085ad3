//! The recipe of a body, from components.

use bevy::prelude::*;

use crate::{CollisionLayers, RigidMotion, Surface};

/// How a body moves: not at all, by the game, or by pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Fixed,
    Kinematic,
    Pushed(f32),
}

/// The components that a body was built from, besides its collider and its pose: if they change, the body is
/// built again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyRecipe {
    pub(crate) kind: Kind,
    pub(crate) is_sensor: bool,
    pub(crate) layers: CollisionLayers,
    pub(crate) surface: Option<Surface>,
    pub(crate) scale: Vec3,
}

/// To the bit: a NaN that was refused is not looked at again.
impl PartialEq for BodyRecipe {
    fn eq(&self, other: &Self) -> bool {
        let bits = |recipe: &Self| {
            let mass = match recipe.kind {
                Kind::Pushed(mass) => mass.to_bits(),
                Kind::Fixed | Kind::Kinematic => 0,
            };
            let surface = recipe.surface.map(|Surface { friction, restitution, velocity, tag }| {
                let numbers = [restitution, velocity.x, velocity.y, velocity.z].map(f32::to_bits);
                (friction.map(f32::to_bits), numbers, tag)
            });
            let kind = core::mem::discriminant(&recipe.kind);
            (kind, mass, recipe.is_sensor, recipe.layers, surface, recipe.scale.to_array().map(f32::to_bits))
        };
        bits(self) == bits(other)
    }
}

impl BodyRecipe {
    pub(crate) fn new(
        motion: Option<&RigidMotion>,
        is_sensor: bool,
        layers: Option<&CollisionLayers>,
        surface: Option<&Surface>,
        scale: Vec3,
    ) -> Self {
        let kind = match motion {
            None => Kind::Fixed,
            Some(RigidMotion::Pushed { mass }) => Kind::Pushed(*mass),
            Some(_) => Kind::Kinematic,
        };
        let (layers, surface) = (layers.copied().unwrap_or_default(), surface.copied());
        Self { kind, is_sensor, layers, surface, scale }
    }
}
