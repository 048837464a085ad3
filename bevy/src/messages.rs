//! The messages of a tick. All are written in [`CaromSystems::Report`](crate::CaromSystems::Report), in an
//! order that is the same in every run.

use bevy::prelude::*;

/// Whether a touch has begun or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TouchPhase {
    /// It was not there at the end of the last tick.
    Started,
    /// It was there at the end of the last tick, and is no longer.
    Ended,
}

/// A character has started or stopped touching a body or another character.
#[derive(Message, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct CharacterTouch {
    /// The character.
    pub character: Entity,
    /// The touched obstacle. It may have been despawned, if the touch has ended.
    pub other: Entity,
    /// Started or ended.
    pub phase: TouchPhase,
    /// The point, in Bevy's coordinates; the last one, if the touch has ended.
    pub point: Vec3,
    /// The unit normal, towards the character.
    pub normal: Vec3,
}

/// A character or a moving body has entered or left a [`Sensor`](crate::Sensor).
#[derive(Message, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct SensorTouch {
    /// The sensor. It may have been despawned, if the touch has ended.
    pub sensor: Entity,
    /// The visitor that entered or left. It may have been despawned, if the touch has ended.
    pub visitor: Entity,
    /// Entered or left. Something that flies through in one tick does both, in this order.
    pub phase: TouchPhase,
    /// The share of the tick, 0 … 1.
    pub time: f32,
}

/// A character is crushed: pressed from several sides, without room. Sent once per tick while it lasts.
#[derive(Message, Clone, Debug, PartialEq, Reflect)]
pub struct CharacterCrushed {
    /// The character.
    pub character: Entity,
    /// The obstacles that crush it.
    pub by: Vec<Entity>,
}

/// A crate has no room: a body that moves is in it. Sent once per tick while it lasts. Break it, or send the
/// lift back.
#[derive(Message, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct BodyPressed {
    /// The crate, a body with [`RigidMotion::Pushed`](crate::RigidMotion::Pushed).
    pub body: Entity,
    /// The body that it is in.
    pub by: Entity,
}

/// An entity that Carom cannot use as it is. It takes no part until the component changes. Also logged as an
/// error.
#[derive(Message, Clone, Debug, PartialEq, Reflect)]
pub struct EntityRefused {
    /// The entity.
    pub entity: Entity,
    /// The reason, and what to do.
    pub reason: String,
}
