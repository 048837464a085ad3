//! Which colliders collide.

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use carom::Layers;

/// Which layers a body or a character is on, and which it meets: 32 bits each, bit `i` for layer `i`.
///
/// - A fixed or moving body is met by characters whose `filters` share a bit with its `memberships`.
/// - A character is found by casts and sensors on its `memberships`, and stopped by bodies on its `filters`.
///   Characters always stop each other.
/// - A sensor reports characters and bodies whose `memberships` share a bit with its `filters`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CollisionLayers {
    /// The layers it is on.
    pub memberships: u32,
    /// The layers it meets.
    pub filters: u32,
}

impl CollisionLayers {
    /// On layer 0, and meets all.
    pub const DEFAULT: Self = Self { memberships: 1, filters: u32::MAX };

    /// On these layers, and meets those.
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    pub(crate) fn on(self) -> Layers {
        Layers::from_bits(self.memberships)
    }

    pub(crate) fn meets(self) -> Layers {
        Layers::from_bits(self.filters)
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::DEFAULT
    }
}
