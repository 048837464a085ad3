//! Bodies that stop nothing and report what is inside.

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};

/// Makes a [`Collider`](crate::Collider) a sensor: it stops nothing, and casts do not find it. Characters and
/// moving bodies that enter and leave it are reported as [`SensorTouch`](crate::SensorTouch), however fast
/// they are and however thin it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(SensorVisitors)]
pub struct Sensor;

/// The characters and bodies in a [`Sensor`] at the end of the tick, by entity. Written by the plugin, and
/// marked as changed only when it changes.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct SensorVisitors(pub Vec<Entity>);
