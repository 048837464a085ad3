//! Everything that a tick depends on, and what it gathers before it begins.

use glam::DVec3;

use crate::character::report::Report;
use crate::character::{Input, Settings, State, TickInput};
use crate::num::bound::{APPROACH, reach};
use crate::num::ops;
use crate::shape::{Aabb, Mover};
use crate::world::{ContactQuery, Neighborhood, Stay, World};

/// Where a tick takes place.
pub(in crate::character) struct TickWorld<'a> {
    pub(in crate::character) world: &'a World,
    /// Everything gathered near the character in earlier ticks.
    pub(in crate::character) near: &'a mut Neighborhood,
}

/// The outputs of a tick.
pub(in crate::character) struct Outputs<'a, T> {
    pub(in crate::character) trace: &'a mut T,
    pub(in crate::character) report: &'a mut Report,
}

/// Everything that a tick of a character depends on, besides its state.
pub(super) struct TickContext<'a> {
    pub(super) world: &'a World,
    pub(super) settings: &'a Settings,
    /// The shape, grown by the skin.
    pub(super) mover: &'a Mover,
    pub(super) given: TickInput<'a>,
    pub(super) near: &'a mut Neighborhood,
    /// The region that its center stays in; `None` beyond the range of f64.
    pub(super) stay: Option<Stay>,
}

/// Whether no number of the motion leaves the range of f64, and the rounding of its path stays below the
/// contact distance of the usual skin: on a longer path the contact at the end would not be noticed.
pub(super) fn is_in_range(state: &State, settings: &Settings, given: &TickInput<'_>) -> bool {
    let Input { desired_velocity, jump } = given.input;
    let speed = reach(state.velocity)
        + reach(state.inherited)
        + desired_velocity.map_or(0.0, reach)
        + jump.map_or(0.0, f64::abs)
        + reach(settings.gravity) * given.dt;
    let way = speed * given.dt;
    let skin = settings.skin_of(&state.shape).max(1e-3 * state.shape.smallest_radius());
    // Lengths must not overflow when squared.
    (way * way).is_finite() && way * APPROACH <= contact_distance(skin)
}

impl<'a> TickContext<'a> {
    /// Gathers the reach of the tick: its own motion, steps up and down, and the look-ahead for those. A
    /// character that is pushed farther queries the world directly, and so does one beyond the range of f64.
    pub(super) fn gather(&mut self, state: &State) {
        let Self { world, settings, mover, given: TickInput { input, dt, .. }, .. } = *self;
        let at = state.position;
        let skin = settings.skin_of(&state.shape);
        let carrier = state.ground.and_then(|ground| ground.obstacle.body()).and_then(|id| world.body(id));
        let carry = carrier.map_or(DVec3::ZERO, |body| body.displacement(at, [0.0, 1.0]));
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let speed = length(state.velocity)
            + input.desired_velocity.map_or(0.0, length)
            + input.jump.map_or(0.0, f64::abs)
            + length(settings.gravity) * dt;
        let steps = settings.up.abs() * (settings.step_height + snap_distance(settings, skin));
        let usual = steps + DVec3::splat(speed * dt + length(carry) + 4.0 * skin);
        let ahead = DVec3::splat(mover.smallest_radius());
        let around = |reach: DVec3| Aabb::new(at - reach, at + reach);
        self.stay = match (around(usual + ahead), around(usual + mover.half_extents())) {
            (Ok(centers), Ok(mostly)) => Some(Stay { centers, mostly, velocity: state.velocity }),
            _ => None,
        };
        match &self.stay {
            Some(stay) => self.near.prepare(world, mover, stay, settings.collides_with),
            None => self.near.forget(),
        }
    }

    /// The query for all contacts at a place out to a distance.
    pub(super) fn contacts_around(&self, at: DVec3, distance: f64) -> ContactQuery<'a> {
        ContactQuery { mover: self.mover, layers: self.settings.collides_with, at, time: 1.0, distance }
    }
}

/// The distance within which a surface counts as touched.
pub(super) fn contact_distance(skin: f64) -> f64 {
    0.25 * skin
}

pub(super) fn snap_distance(settings: &Settings, skin: f64) -> f64 {
    settings.snap_distance.unwrap_or(settings.step_height + skin)
}
