//! What characters are given for a tick.

use glam::DVec3;

use super::neighbor::Neighbor;

/// What a player wants for one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Input {
    /// The wanted velocity in m/s; `None`: hands off, the character stands if it can and flies on if it is in
    /// the air.
    pub desired_velocity: Option<DVec3>,
    /// The speed of a jump, in m/s along `up`; done only from the ground.
    pub jump: Option<f64>,
}

impl Input {
    /// Nothing is wanted.
    pub const IDLE: Self = Self { desired_velocity: None, jump: None };

    /// A wanted velocity, in m/s.
    pub fn walk(desired_velocity: DVec3) -> Self {
        Self { desired_velocity: Some(desired_velocity), jump: None }
    }

    /// The same with a jump at this speed.
    #[must_use]
    pub fn jump(self, speed: f64) -> Self {
        Self { jump: Some(speed), ..self }
    }
}

/// All that a character is given for one tick besides the world.
#[derive(Clone, Copy, Debug)]
pub struct TickInput<'a> {
    /// What the player wants.
    pub input: Input,
    /// How long the tick is, in seconds.
    pub dt: f64,
    /// The other characters that move in the same tick; each keeps to its side.
    pub neighbors: &'a [Neighbor],
}

impl TickInput<'static> {
    /// An input for a tick of `dt` seconds, among no other characters.
    pub fn new(input: Input, dt: f64) -> Self {
        Self { input, dt, neighbors: &[] }
    }
}

impl TickInput<'_> {
    /// The same among other characters that all move in this tick.
    #[must_use]
    pub fn among(self, neighbors: &[Neighbor]) -> TickInput<'_> {
        TickInput { input: self.input, dt: self.dt, neighbors }
    }
}

/// What the characters of a crowd are given for one tick.
#[derive(Clone, Copy, Debug)]
pub struct CrowdInput<'a> {
    /// What each player wants, in the order of the characters.
    pub inputs: &'a [Input],
    /// How long the tick is, in seconds.
    pub dt: f64,
}
