//! The walker: a level, the rules of a character, and values that follow from the two.

use carom::Character;
use carom::num::ops;
use carom::shape::Mover;
use glam::DVec3;

use crate::error::ExploreError;
use crate::ground::TiledGround;
use crate::level::Level;
use crate::rules::Rules;
use crate::rules::limits::{LONGEST, THROWN};
use crate::stop::Stop;
use crate::walk::action::DIRECTIONS;

/// The error of a normal from f32 corners.
const ROUNDING: f64 = 1e-6;

/// Moves bodies through a level: the level, the rules, and what follows from the two.
#[derive(Debug)]
pub(crate) struct Walker<'a> {
    pub(crate) level: &'a Level,
    pub(crate) rules: &'a Rules,
    pub(crate) stop: Stop,
    /// The character at rest at the origin.
    pub(crate) hero: Character,
    pub(crate) grown: Mover,
    pub(crate) cell: f64,
    /// A center below this falls out of the world, whatever it wants.
    pub(crate) beneath: f64,
    /// How far a body reaches, with what it goes in a tick.
    pub(crate) reach: DVec3,
    /// A contact whose normal has a smaller upward part is an edge, or too steep.
    pub(crate) least_upright: f64,
    /// A walk that has not left its cell by then is stopped.
    pub(crate) patience: u32,
    pub(crate) headings: Vec<DVec3>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(level: &'a Level, rules: &'a Rules, stop: Stop) -> Result<Self, ExploreError> {
        let highest = level.bounds().high.y;
        let (height, gravity) = (highest - level.abyss(), rules.gravity());
        let (seconds, most) = (rules.fall(height), f64::from(LONGEST - THROWN) * rules.dt);
        if seconds > most {
            return Err(ExploreError::LongFall { height, gravity, seconds, most });
        }
        let cell = rules.cell();
        let hero = rules.character()?;
        let heading = |i: u16| {
            let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS));
            DVec3::new(cos, 0.0, sin)
        };
        let walker = Self {
            level,
            rules,
            stop,
            hero,
            grown: rules.grown()?,
            cell,
            beneath: level.beneath(rules.radii.y),
            reach: rules.radii + DVec3::splat(rules.cell() + rules.speed * rules.dt),
            least_upright: ops::cos(rules.settings.max_slope) - ROUNDING,
            patience: (2.0 * cell / (rules.speed * rules.dt)).ceil().clamp(2.0, 10_000.0) as u32,
            headings: (0..DIRECTIONS).map(heading).collect(),
        };
        let reach = walker.tick_reach(&hero);
        match level.tiles().map(TiledGround::margin).filter(|margin| reach > *margin) {
            Some(margin) => Err(ExploreError::Margin { reach, margin }),
            None => Ok(walker),
        }
    }

    /// A point at the end of a tick as a body that moves has it.
    pub(crate) fn on(&self, number: u8, point: DVec3, ticks: u32) -> DVec3 {
        self.level.movers().local(number, point, f64::from(ticks) * self.rules.dt)
    }

    /// Whether anything that moves may be hit at a place.
    pub(crate) fn is_beside_movers(&self, at: DVec3) -> bool {
        self.level.movers().is_near(at, self.reach)
    }

    /// Whether what moves near a place is elsewhere at the second of two ticks.
    pub(crate) fn differs(&self, at: DVec3, ticks: [u32; 2]) -> bool {
        self.level.movers().differ(at, self.reach, ticks.map(|tick| f64::from(tick) * self.rules.dt))
    }
}
