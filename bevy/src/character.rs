//! The components of a character.

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use carom::Layers;
use carom::character::{Outcome, Report, Settings};
use carom::glam::DVec3;

use crate::CollisionLayers;
use crate::convert::{narrow, wide};
use crate::link::CharacterLink;

/// Makes an entity with a [`Collider`](crate::Collider) (sphere, ellipsoid, capsule or box) a character: it
/// walks, climbs steps, rides moving bodies and pushes crates. Its `Transform` is its center. The game may
/// write it, which teleports the character, and owns rotation and scale (the collider is not scaled).
///
/// The defaults suit a person on foot; `docs/feel.md` explains each setting.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(CharacterInput, CharacterReport, CharacterLink, CollisionLayers, Transform)]
pub struct CharacterController {
    /// The up direction, of any length but 0. Default: +y.
    pub up: Vec3,
    /// The gravity, in m/s². Default: (0, −9.81, 0). With 0 it flies and has no ground.
    pub gravity: Vec3,
    /// The distance that it keeps from everything, in meters. `None`, the default: a thousandth of its
    /// smallest radius.
    pub skin: Option<f32>,
    /// The highest step that it climbs, in meters. Default: 0.4.
    pub step_height: f32,
    /// The steepest ground that it walks on, in radians. Default: π/4.
    pub max_slope: f32,
    /// How far the ground may drop in a tick before the character leaves it, in meters. `None`, the default:
    /// the step height plus the skin.
    pub snap_distance: Option<f32>,
    /// The share of the missing horizontal velocity that a tick in the air makes up, 0 … 1. Default: 1.
    pub air_control: f32,
    /// Whether it climbs steps in the air too, once it no longer rises. Default: false.
    pub air_steps: bool,
    /// The friction of surfaces that set none, at least 0. Default: 0.5.
    pub friction: f32,
    /// Whether it keeps the velocity of a platform that it leaves. Default: true.
    pub inherits_velocity: bool,
    /// Whether it carries the characters on its head. Default: true.
    pub carries_riders: bool,
    /// The largest force with which it pushes crates, in newtons. Default: 100.
    pub push_force: f32,
    /// How fast it escapes from a crush, in m/s. `None`, the default: as fast as the bodies that press, at
    /// least at a walk.
    pub escape_speed: Option<f32>,
}

impl Default for CharacterController {
    fn default() -> Self {
        Self {
            up: Vec3::Y,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            skin: None,
            step_height: 0.4,
            max_slope: core::f32::consts::FRAC_PI_4,
            snap_distance: None,
            air_control: 1.0,
            air_steps: false,
            friction: 0.5,
            inherits_velocity: true,
            carries_riders: true,
            push_force: 100.0,
            escape_speed: None,
        }
    }
}

impl CharacterController {
    /// As Carom has them.
    pub(crate) fn settings(&self, collides_with: Layers) -> Settings {
        use carom::character::{GravityPass, PlatformVelocity, Riders};
        Settings {
            up: wide(self.up),
            gravity: wide(self.gravity),
            skin: self.skin.map(f64::from),
            step_height: f64::from(self.step_height),
            max_slope: f64::from(self.max_slope).min(core::f64::consts::FRAC_PI_2),
            snap_distance: self.snap_distance.map(f64::from),
            air_control: f64::from(self.air_control),
            air_steps: self.air_steps,
            friction: f64::from(self.friction),
            platform_velocity: if self.inherits_velocity {
                PlatformVelocity::Inherit
            } else {
                PlatformVelocity::Drop
            },
            riders: if self.carries_riders { Riders::Carry } else { Riders::LeaveBehind },
            gravity_pass: GravityPass::Separate,
            push_force: f64::from(self.push_force),
            escape_speed: self.escape_speed.map(f64::from),
            collides_with,
        }
    }
}

/// The input of a player in every tick until it changes; a jump is done once.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CharacterInput {
    /// The desired velocity, in m/s. `None` is no input: it stands if it can, and flies on in the air.
    pub desired_velocity: Option<Vec3>,
    /// The speed of a jump, in m/s along `up`; it only jumps from the ground. The tick consumes it.
    pub jump: Option<f32>,
    /// Sets the velocity, in m/s, and leaves the ground: for jump pads and knock-back. The tick consumes it.
    pub launch: Option<Vec3>,
}

impl CharacterInput {
    /// A desired velocity, in m/s.
    pub fn walk(desired_velocity: Vec3) -> Self {
        Self { desired_velocity: Some(desired_velocity), ..Self::default() }
    }

    pub(crate) fn input(&self) -> carom::Input {
        carom::Input { desired_velocity: self.desired_velocity.map(wide), jump: self.jump.map(f64::from) }
    }
}

/// The ground of a character.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
pub struct Standing {
    /// The body or the character.
    pub entity: Entity,
    /// The most upright normal of the surfaces that it touches there.
    pub normal: Vec3,
    /// The tag of the surface.
    pub tag: u32,
}

/// The result of a tick. Written by the plugin, and marked as changed only when it changes;
/// [`CaromWorld::report`](crate::CaromWorld::report) has all of it in f64.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct CharacterReport {
    /// The velocity in m/s, including that of a platform.
    pub velocity: Vec3,
    /// Its ground; `None` in the air.
    pub ground: Option<Standing>,
    /// The height in meters that it gained by steps in this tick. Smooth the camera by it.
    pub stepped: f32,
    /// The angle in radians by which its ground has turned it about `up` in this tick.
    pub turned: f32,
    /// Obstacles left it no way to continue.
    pub is_blocked: bool,
    /// It is pressed from several sides.
    pub is_crushed: bool,
}

impl CharacterReport {
    /// Whether it stands on something.
    pub fn is_grounded(&self) -> bool {
        self.ground.is_some()
    }

    pub(crate) fn new(report: &Report, turned: f64) -> Self {
        let standing = report.ground.and_then(|ground| {
            let entity = Entity::try_from_bits(report.ground_user_data)?;
            Some(Standing { entity, normal: narrow(ground.normal), tag: ground.tag })
        });
        Self {
            velocity: narrow(report.velocity + DVec3::ZERO),
            ground: standing,
            stepped: report.stepped as f32,
            turned: turned as f32,
            is_blocked: report.outcome == Outcome::Blocked,
            is_crushed: report.crushed(),
        }
    }
}
