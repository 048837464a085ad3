//! The input of a character: its settings, and the input of a tick.

use carom::Layers;
use carom::character::{GravityPass, Input, PlatformVelocity, Riders, Settings};

use crate::border::check_size;
use crate::status::Failure;
use crate::values::CaromVec3;

/// How much of the velocity of a platform a character keeps when it leaves it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromPlatformVelocity {
    /// All of it.
    Inherit = 0,
    /// Nothing.
    Drop = 1,
}

/// How a character that walks moves the characters on its head.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromRiders {
    /// They go along.
    Carry = 0,
    /// It walks out from under them.
    LeaveBehind = 1,
}

/// How gravity is applied.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromGravityPass {
    /// One motion along the ground, one up or down.
    Separate = 0,
    /// One motion of both.
    Combined = 1,
}

/// How a character moves. Lengths in meters, speeds in m/s, angles in radians. docs/feel.md says what each
/// does.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromSettings {
    /// That of this structure: `carom_settings_default` sets it.
    pub size: u32,
    /// The layers that stop it. Default: all.
    pub collides_with: u32,
    /// The direction that is up; of any length, but not 0. Default: +y.
    pub up: CaromVec3,
    /// The gravity, in m/s². Default: (0, −9.81, 0).
    pub gravity: CaromVec3,
    /// The distance that it keeps from everything, above 0. 0, the default: a thousandth of its smallest
    /// radius, but at least 0.1 mm.
    pub skin: f64,
    /// The highest step that it climbs, at least 0. Default: 0.4.
    pub step_height: f64,
    /// The steepest ground that it walks on, 0 … π/2. Default: π/4.
    pub max_slope: f64,
    /// How far ground may fall away before it is left, at least 0. −1, the default: step height and skin.
    pub snap_distance: f64,
    /// The share of what is missing to the wanted velocity that a tick in the air makes up, 0 … 1.
    /// Default: 1.
    pub air_control: f64,
    /// The friction of surfaces that have none of their own, at least 0. Default: 0.5.
    pub friction: f64,
    /// The most that it reports as a push, in newtons, at least 0. Default: 100.
    pub push_force: f64,
    /// How fast it gets out of what has crushed it, in m/s, at least 0. −1, the default: as fast as what
    /// presses moves, but at least 1.5 m/s.
    pub escape_speed: f64,
    /// A `CaromPlatformVelocity`. Default: inherit.
    pub platform_velocity: u32,
    /// A `CaromRiders`. Default: carry.
    pub riders: u32,
    /// A `CaromGravityPass`. Default: separate.
    pub gravity_pass: u32,
    /// 1: it climbs steps in the air too, once it no longer rises. Default: 0.
    pub air_steps: u32,
}

/// The input of a player for one tick. All zeros: nothing, as `carom_idle` has it. `carom_walk` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromInput {
    /// 1 if there is a wanted velocity; 0: hands off, it stands if it can and flies on if it is in the air.
    pub has_velocity: u32,
    /// 1 to jump; done only from the ground.
    pub has_jump: u32,
    /// The wanted velocity, in m/s.
    pub desired_velocity: CaromVec3,
    /// The speed of the jump, in m/s along `up`.
    pub jump: f64,
}

impl CaromSettings {
    pub(crate) fn get(&self) -> Result<Settings, Failure> {
        check_size::<Self>(self.size, "settings")?;
        let unknown = |name, value| Failure::bad_value(format!("{name} must be 0 or 1, not {value}"));
        Ok(Settings {
            up: self.up.get(),
            gravity: self.gravity.get(),
            skin: (self.skin != 0.0).then_some(self.skin),
            step_height: self.step_height,
            max_slope: self.max_slope,
            snap_distance: (self.snap_distance != -1.0).then_some(self.snap_distance),
            air_control: self.air_control,
            friction: self.friction,
            platform_velocity: match self.platform_velocity {
                0 => PlatformVelocity::Inherit,
                1 => PlatformVelocity::Drop,
                other => return Err(unknown("platform_velocity", other)),
            },
            riders: match self.riders {
                0 => Riders::Carry,
                1 => Riders::LeaveBehind,
                other => return Err(unknown("riders", other)),
            },
            gravity_pass: match self.gravity_pass {
                0 => GravityPass::Separate,
                1 => GravityPass::Combined,
                other => return Err(unknown("gravity_pass", other)),
            },
            air_steps: match self.air_steps {
                0 => false,
                1 => true,
                other => return Err(unknown("air_steps", other)),
            },
            push_force: self.push_force,
            escape_speed: (self.escape_speed != -1.0).then_some(self.escape_speed),
            collides_with: Layers::from_bits(self.collides_with),
        })
    }
}

impl From<&Settings> for CaromSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            collides_with: settings.collides_with.bits(),
            up: settings.up.into(),
            gravity: settings.gravity.into(),
            skin: settings.skin.unwrap_or(0.0),
            step_height: settings.step_height,
            max_slope: settings.max_slope,
            snap_distance: settings.snap_distance.unwrap_or(-1.0),
            air_control: settings.air_control,
            friction: settings.friction,
            push_force: settings.push_force,
            escape_speed: settings.escape_speed.unwrap_or(-1.0),
            platform_velocity: match settings.platform_velocity {
                PlatformVelocity::Inherit => CaromPlatformVelocity::Inherit as u32,
                PlatformVelocity::Drop => CaromPlatformVelocity::Drop as u32,
            },
            riders: match settings.riders {
                Riders::Carry => CaromRiders::Carry as u32,
                Riders::LeaveBehind => CaromRiders::LeaveBehind as u32,
            },
            gravity_pass: match settings.gravity_pass {
                GravityPass::Separate => CaromGravityPass::Separate as u32,
                GravityPass::Combined => CaromGravityPass::Combined as u32,
            },
            air_steps: u32::from(settings.air_steps),
        }
    }
}

impl CaromInput {
    pub(crate) fn get(&self) -> Result<Input, Failure> {
        if self.has_velocity > 1 || self.has_jump > 1 {
            return Err(Failure::bad_value("has_velocity and has_jump are 0 or 1"));
        }
        let desired_velocity = match self.has_velocity {
            0 => None,
            _ => Some(self.desired_velocity.finite("the wanted velocity")?),
        };
        let jump = (self.has_jump == 1).then_some(self.jump);
        if jump.is_some_and(|jump| !jump.is_finite()) {
            return Err(Failure::bad_value("the speed of the jump must be finite"));
        }
        Ok(Input { desired_velocity, jump })
    }
}

/// The settings of a person on foot.
#[unsafe(no_mangle)]
pub extern "C" fn carom_settings_default() -> CaromSettings {
    CaromSettings::from(&Settings::default())
}

/// An input that wants nothing.
#[unsafe(no_mangle)]
pub extern "C" fn carom_idle() -> CaromInput {
    CaromInput { has_velocity: 0, has_jump: 0, desired_velocity: CaromVec3::ZERO, jump: 0.0 }
}

/// A wanted velocity, in m/s.
#[unsafe(no_mangle)]
pub extern "C" fn carom_walk(desired_velocity: CaromVec3) -> CaromInput {
    CaromInput { has_velocity: 1, desired_velocity, ..carom_idle() }
}

/// The same input with a jump at this speed, in m/s.
#[unsafe(no_mangle)]
pub extern "C" fn carom_jump(input: CaromInput, speed: f64) -> CaromInput {
    CaromInput { has_jump: 1, jump: speed, ..input }
}
