//! The body and its abilities, and how finely the level is sampled.

pub(crate) mod limits;
pub(crate) mod preset;

use carom::character::{Character, Settings};
use carom::num::ops;
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere};
use glam::DVec3;

use crate::error::ExploreError;
use crate::rules::limits::{MOST_TICKS, THROWN, WIDTHS};
use crate::walk::action::USUAL;

/// The body, what it can do, and the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The radii of the upright ellipsoid, in meters; of any other shape half of the sides of its box.
    pub radii: DVec3,
    /// The body, if it is no upright ellipsoid: see [`Self::with_shape`].
    pub shape: Option<Mover>,
    /// How the character moves. `up` is +y.
    pub settings: Settings,
    /// The speed of walking, in m/s.
    pub speed: f64,
    /// The speed of a jump, in m/s; 0: no jumping.
    pub jump: f64,
    /// The duration of a tick, in seconds. Default: 1/30, the longest in games. The character's laws do not
    /// depend on it, and it halves the work.
    pub dt: f64,
    /// The side of a cell of the grid, in meters; `None`: 1.25 of the smaller horizontal radius. A cell's
    /// diagonal is then less than the body is wide, so that no wall, however thin, has a place on either side
    /// in one cell.
    pub cell: Option<f64>,
    /// Does not report unreached floor smaller than this, in m².
    pub min_area: f64,
    /// No more places than this: then the report is a partial one.
    pub most_places: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            radii: DVec3::new(0.4, 0.9, 0.4),
            shape: None,
            settings: Settings::default(),
            speed: 5.0,
            jump: 4.0,
            dt: 1.0 / 30.0,
            cell: None,
            min_area: 1.0,
            most_places: 20_000_000,
        }
    }
}

impl Rules {
    /// The side of a cell, in meters.
    pub fn cell(&self) -> f64 {
        self.cell.unwrap_or(1.25 * self.radii.x.min(self.radii.z))
    }

    /// The same with a body of this shape.
    #[must_use]
    pub fn with_shape(self, shape: Mover) -> Self {
        let bounds = shape.bounds();
        Self { radii: bounds.max().max(-bounds.min()), shape: Some(shape), ..self }
    }

    /// The shape of the body.
    pub(crate) fn body(&self) -> Result<Mover, ShapeError> {
        Ok(match self.shape {
            Some(shape) => shape,
            None => Ellipsoid::new(self.radii)?.into(),
        })
    }

    /// The shape of the body, smaller by this factor.
    pub(crate) fn smaller_body(&self, factor: f64) -> Result<Mover, ShapeError> {
        Ok(match self.body()? {
            Mover::Point => Mover::Point,
            Mover::Sphere(it) => Sphere::new(it.radius() * factor)?.into(),
            Mover::Ellipsoid(it) => Ellipsoid::new(it.radii() * factor)?.with_rotation(it.rotation())?.into(),
            Mover::Capsule(it) => Capsule::new(it.radius() * factor, it.half_height() * factor)?
                .with_rotation(it.rotation())?
                .into(),
            Mover::Cuboid(it) => {
                Cuboid::new(it.half_extents() * factor)?.with_rotation(it.rotation())?.into()
            }
        })
    }

    /// A body, anywhere.
    pub(crate) fn character(&self) -> Result<Character, ExploreError> {
        Ok(Character::new(self.body()?, self.settings)?)
    }

    /// Whether the numbers are lengths, speeds and times, make a body, and let a flood end: a tick that
    /// reaches across the whole level, or a body that hardly moves or hardly falls, would make one of hours.
    ///
    /// # Errors
    /// The first that is not valid.
    pub fn check(&self) -> Result<(), ExploreError> {
        let positive = |name, x: f64| {
            let ok = x.is_finite() && x > 0.0;
            if ok { Ok(()) } else { Err(ExploreError::Rule { name, range: "finite and greater than 0" }) }
        };
        self.character()?;
        positive("cell", self.cell())?;
        positive("speed", self.speed)?;
        positive("dt", self.dt)?;
        let not_negative = |name, x: f64| {
            let ok = x.is_finite() && x >= 0.0;
            if ok { Ok(()) } else { Err(ExploreError::Rule { name, range: "finite and at least 0" }) }
        };
        not_negative("jump", self.jump)?;
        not_negative("min_area", self.min_area)?;
        let gravity = self.gravity();
        positive("gravity", gravity)?;
        let most = WIDTHS * self.radii.x.min(self.radii.z);
        if self.radii.x.max(self.radii.z) > most {
            let range = "horizontally at most 64 times as wide as deep";
            return Err(ExploreError::Rule { name: "radii", range });
        }
        let ways = [
            ("speed", self.speed * self.dt),
            ("jump", self.jump * self.dt),
            ("gravity", gravity * self.dt * self.dt),
            ("step_height", self.settings.step_height),
        ];
        if let Some((name, way)) = ways.into_iter().find(|(_, way)| *way > most) {
            return Err(ExploreError::TooFast { name, way, tick: self.dt, most });
        }
        let ticks = self.cell() / (self.speed * self.dt);
        let most = MOST_TICKS / u64::from(USUAL);
        if ticks > most as f64 {
            return Err(ExploreError::TooSlow { speed: self.speed, cell: self.cell(), ticks, most });
        }
        let (seconds, most) = (2.0 * self.jump / gravity, f64::from(THROWN) * self.dt);
        if seconds > most {
            return Err(ExploreError::LongJump { jump: self.jump, gravity, seconds, most });
        }
        Ok(())
    }

    /// How far a jump leads on level ground, in meters.
    pub(crate) fn leap(&self) -> f64 {
        self.speed * 2.0 * self.jump / self.gravity()
    }

    /// The acceleration of a fall, in m/s².
    pub(crate) fn gravity(&self) -> f64 {
        -self.settings.gravity.y
    }

    /// How long a fall from rest takes that is so deep, in meters; in seconds.
    pub(crate) fn fall(&self, depth: f64) -> f64 {
        ops::sqrt(2.0 * depth.max(0.0) / self.gravity())
    }

    /// The body with its skin.
    pub(crate) fn grown(&self) -> Result<Mover, ExploreError> {
        let hero = self.character()?;
        Ok(hero.shape().grown(hero.skin())?)
    }

    /// States of one column that are no farther apart in height than this are one place: a step leads from
    /// one to the other.
    pub(crate) fn same_height(&self) -> f64 {
        self.settings.step_height.max(0.25 * self.radii.y)
    }

    /// How high the feet rise in a jump, in meters.
    pub(crate) fn jump_height(&self) -> f64 {
        0.5 * self.jump * self.jump / self.gravity()
    }

    /// How far above its start a jump leads, in meters: as high as the feet rise, or a step higher.
    pub(crate) fn jump_reach(&self) -> f64 {
        let step = if self.settings.air_steps { self.settings.step_height } else { 0.0 };
        self.jump_height() + step
    }
}
