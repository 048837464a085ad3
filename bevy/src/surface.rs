//! The material of a body.

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};

/// The material of a body. Meshes and height fields have surfaces of their own and keep them; the velocity
/// counts for all.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Surface {
    /// The coefficient of friction, at least 0; 0 is ice. `None`: that of the character's settings.
    pub friction: Option<f32>,
    /// The share of the speed into the surface that comes back, at least 0.
    pub restitution: f32,
    /// How fast the surface runs, in m/s along the world's axes: a conveyor belt. The body itself stays.
    pub velocity: Vec3,
    /// A number of the game's own, reported with the ground: grass, metal, mud.
    pub tag: u32,
}

impl Surface {
    /// As Carom has it, without the velocity.
    pub(crate) fn material(&self) -> carom::mesh::Surface {
        carom::mesh::Surface {
            friction: self.friction.map(f64::from),
            restitution: f64::from(self.restitution),
            tag: self.tag,
            ..Default::default()
        }
    }
}
