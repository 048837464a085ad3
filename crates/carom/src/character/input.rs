//! The input of characters for a tick.

use glam::DVec3;

use super::neighbor::Neighbor;

/// The input of a player for one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Input {
    /// The desired velocity in m/s. `None` is no input: the character stands if it can, and flies on in the
    /// air.
    pub desired_velocity: Option<DVec3>,
    /// The speed of a jump, in m/s along `up`. It only jumps from the ground.
    pub jump: Option<f64>,
}

impl Input {
    /// No input.
    pub const IDLE: Self = Self { desired_velocity: None, jump: None };

    /// A desired velocity, in m/s.
    pub fn walk(desired_velocity: DVec3) -> Self {
        Self { desired_velocity: Some(desired_velocity), jump: None }
    }

    /// The same input with a jump at this speed.
    #[must_use]
    pub fn jump(self, speed: f64) -> Self {
        Self { jump: Some(speed), ..self }
    }
}

/// The input of a character for one tick, besides the world.
#[derive(Clone, Copy, Debug)]
pub struct TickInput<'a> {
    /// The input of the player.
    pub input: Input,
    /// The duration of the tick, in seconds.
    pub dt: f64,
    /// The other characters that move in the same tick; each keeps to its side.
    pub neighbors: &'a [Neighbor],
    /// Its own number, as the others know it: two characters at exactly the same place part by their
    /// numbers. [`u32::MAX`] by default.
    pub number: u32,
}

impl TickInput<'static> {
    /// An input for a tick of `dt` seconds, among no other characters.
    pub fn new(input: Input, dt: f64) -> Self {
        Self { input, dt, neighbors: &[], number: u32::MAX }
    }
}

impl TickInput<'_> {
    /// The same among other characters that all move in this tick.
    #[must_use]
    pub fn among(self, neighbors: &[Neighbor]) -> TickInput<'_> {
        TickInput { input: self.input, dt: self.dt, neighbors, number: self.number }
    }

    /// The same for the character that the others know by this number.
    #[must_use]
    pub fn numbered(self, number: u32) -> Self {
        Self { number, ..self }
    }
}

/// The input of a crowd for one tick.
#[derive(Clone, Copy, Debug)]
pub struct CrowdInput<'a> {
    /// The input of each player, in the order of the characters.
    pub inputs: &'a [Input],
    /// The duration of the tick, in seconds.
    pub dt: f64,
}
