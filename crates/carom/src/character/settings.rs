//! Settings: how a character moves, and which bodies it collides with.

use glam::DVec3;
use thiserror::Error;

use crate::num::ops;
use crate::shape::{Mover, ShapeError};
use crate::world::Layers;

/// Whether a tick in the air is one motion, or a horizontal and a vertical one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GravityPass {
    /// One motion along the ground, one up or down. A jumper gets over an edge that it has risen past.
    #[default]
    Separate,
    /// One motion of both. More accurate for fast movers.
    Combined,
}

/// How much of the velocity of a platform a character keeps when it leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PlatformVelocity {
    /// All of it, as in physics.
    #[default]
    Inherit,
    /// None: a jump is as far on a train as on the ground, and the train moves away.
    Drop,
}

/// How a character that walks moves the characters on its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Riders {
    /// They move with it, as on a platform. A jump from its head has its velocity too.
    #[default]
    Carry,
    /// It walks out from under them. They move with what carries it, and slip off.
    LeaveBehind,
}

/// How a character moves. Lengths in meters, speeds in m/s, angles in radians.
///
/// The defaults suit a person on foot. Each field says what happens if it is too small or too large;
/// `docs/feel.md` has pictures.
///
/// ```
/// use carom::character::Settings;
/// let nimble = Settings { step_height: 0.5, max_slope: 50f64.to_radians(), ..Settings::default() };
/// let swimmer = Settings { gravity: glam::DVec3::ZERO, ..Settings::default() };
/// # let _ = (nimble, swimmer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The up direction, of any length but 0. Default: +y.
    ///
    /// Ground, slopes, steps, jumps and snapping refer to it. On a planet set it at every tick.
    pub up: DVec3,
    /// The acceleration that makes it fall, in m/s². Default: (0, −9.81, 0). With 0 it flies and has no
    /// ground.
    ///
    /// Too weak: jumps float. Too strong: jumps end before the player can steer. A jump of height h that
    /// lasts the time T needs 8 h / T².
    pub gravity: DVec3,
    /// The distance that it keeps from everything, above 0. `None`, the default: a thousandth of its smallest
    /// radius, but at least 0.1 mm.
    ///
    /// Too small: rounding turns all surfaces that it slides along into contacts, and ticks cost more sweeps.
    /// Too large: players see the gap, and the character does not fit through narrow doorways.
    pub skin: Option<f64>,
    /// The highest step that it climbs, at least 0. Default: 0.4. 0 turns steps off.
    ///
    /// Too small: stairs and curbs are walls. Too large: it walks onto tables, and climbing looks like
    /// flying. Above the body's radius, smooth the camera by
    /// [`Report::stepped`](crate::character::Report::stepped).
    pub step_height: f64,
    /// The steepest ground that it walks on, 0 … π/2. Default: π/4, which is 45°.
    ///
    /// Too small: ramps are slides. Too large: mountains do not limit the level.
    pub max_slope: f64,
    /// How far the ground may drop in a tick before the character leaves it, at least 0. `None`, the default:
    /// the step height plus the skin.
    ///
    /// Too small: it hops down stairs and over crests, and flies off lifts. Too large: it sticks to ramps
    /// that were built for jumping.
    pub snap_distance: Option<f64>,
    /// The share of the missing horizontal velocity that a tick in the air makes up, 0 … 1. Default: 1.
    ///
    /// Too small: a jump cannot be steered; with 0 it flies like a stone. Too large: it turns in the air as
    /// on the ground. The effect depends on the tick rate.
    pub air_control: f64,
    /// Whether it climbs steps in the air too, once it no longer rises. Default: no.
    ///
    /// A jump then leads a step higher: onto a ledge that the feet miss by no more than `step_height`. The
    /// players of Quake III and the controller of PhysX climb so.
    pub air_steps: bool,
    /// The coefficient of friction of surfaces that set none, at least 0. Default: 0.5.
    ///
    /// Any value above 0 holds it on walkable ground; 0 is ice. On steeper ground friction brakes the slide,
    /// and a slope on which it holds the character is ground. Too small: it shoots down. Too large: it stands
    /// on slopes that it should leave.
    pub friction: f64,
    /// How much of a platform's velocity it keeps. Default: all.
    pub platform_velocity: PlatformVelocity,
    /// How it moves the characters on its head when it walks. Default: they move with it.
    ///
    /// In both cases it walks, climbs steps and jumps as if they were not there, if they have room.
    pub riders: Riders,
    /// How gravity is applied. Default: as a separate motion.
    pub gravity_pass: GravityPass,
    /// The largest push that it reports, in newtons, at least 0. Default: 100.
    ///
    /// Too small: crates seem glued to the floor. Too large: a touch sends them flying.
    pub push_force: f64,
    /// How fast it escapes from a crush, in m/s, at least 0: sideways, never through what pressed it. `None`,
    /// the default: as fast as the bodies that press, but at least at a walk, 1.5 m/s.
    ///
    /// Too small: it stays crushed for long although there is room. Too large: it visibly leaps.
    pub escape_speed: Option<f64>,
    /// The layers of the bodies that stop it. Default: all.
    pub collides_with: Layers,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            up: DVec3::Y,
            gravity: DVec3::new(0.0, -9.81, 0.0),
            skin: None,
            step_height: 0.4,
            max_slope: core::f64::consts::FRAC_PI_4,
            snap_distance: None,
            air_control: 1.0,
            air_steps: false,
            friction: 0.5,
            platform_velocity: PlatformVelocity::Inherit,
            riders: Riders::Carry,
            gravity_pass: GravityPass::Separate,
            push_force: 100.0,
            escape_speed: None,
            collides_with: Layers::ALL,
        }
    }
}

/// Why a character cannot be made or changed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// The shape, or the shape grown by its skin, is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The shape is a point, which has no body.
    #[error("a character needs a body: a point is only for casts")]
    Point,
    /// `up` has no direction.
    #[error("up must be finite and not zero")]
    Up,
    /// A setting is outside its range.
    #[error("{name} must be {range}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// The values that are allowed.
        range: &'static str,
    },
    /// The shape does not fit at this position.
    #[error("the new shape does not fit here")]
    DoesNotFit,
}

impl Settings {
    /// The same, with `up` of length 1; or the error.
    pub(super) fn checked(mut self, shape: &Mover) -> Result<Self, CharacterError> {
        let length = ops::sqrt(self.up.length_squared());
        if !(length > 0.0 && length.is_finite()) {
            return Err(CharacterError::Up);
        }
        // A vector that is a unit vector already stays as it is, to the bit.
        if (length - 1.0).abs() > 2.0 * f64::EPSILON {
            self.up /= length;
        }
        if *shape == Mover::Point {
            return Err(CharacterError::Point);
        }
        let within =
            |name, range, ok: bool| if ok { Ok(()) } else { Err(CharacterError::Setting { name, range }) };
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        within("gravity", "finite", self.gravity.is_finite())?;
        within(
            "skin",
            "finite and greater than 0",
            self.skin.is_none_or(|skin| skin.is_finite() && skin > 0.0),
        )?;
        within("step_height", "finite and at least 0", not_negative(self.step_height))?;
        within("max_slope", "from 0 to π/2", (0.0..=core::f64::consts::FRAC_PI_2).contains(&self.max_slope))?;
        within("snap_distance", "finite and at least 0", self.snap_distance.is_none_or(not_negative))?;
        within("air_control", "from 0 to 1", (0.0..=1.0).contains(&self.air_control))?;
        within("friction", "finite and at least 0", not_negative(self.friction))?;
        within("escape_speed", "finite and at least 0", self.escape_speed.is_none_or(not_negative))?;
        within("push_force", "finite and at least 0", not_negative(self.push_force))?;
        shape.grown(self.skin_of(shape))?;
        Ok(self)
    }

    /// The skin of a character of this shape.
    pub(super) fn skin_of(&self, shape: &Mover) -> f64 {
        const LEAST: f64 = 1e-4;
        self.skin.unwrap_or_else(|| (1e-3 * shape.smallest_radius()).max(LEAST))
    }

    /// The least cosine between `up` and the normal of ground that can be walked on.
    pub(super) fn least_upright(&self) -> f64 {
        // A millionth is the error of a slope of exactly the steepest angle with f32 corners.
        ops::cos(self.max_slope) - 1e-6
    }
}
