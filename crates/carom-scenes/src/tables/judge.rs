//! A judge of overlaps and energy, by formulas of its own.

use core::f64::consts::TAU;

use carom::Sphere;
use carom::balls::{BallMotion, Setup, Table, Wall};
use carom::num::ops::{atan2, sin_cos};
use carom::world::{BodyId, Layers, World};
use glam::{DVec3, dvec3};

/// The deepest overlap, in radii.
const DEEPEST: f64 = 1e-9;
/// A ball counts as crushed until it is this far from the driven body, in radii: a table looks again whether
/// it is free when it has gone a quarter of its radius.
const CLEAR: f64 = 0.25;
/// The rounding of the energy, as a share of what kinetic and potential energy are by themselves.
const ROUNDING: f64 = 1e-12;

/// Lowest bounces of each ball that may be borrowed, at most: under gravity, by balls that nothing moves.
const BOUNCES: f64 = 2.0;

/// Knows the table's walls and bodies, and the energy since the last strike.
pub(super) struct Judge {
    walls: Vec<Wall>,
    world: World,
    driven: Option<BodyId>,
    /// Balls that were crushed, and have not been clear of the driven body since.
    crushed: Vec<bool>,
    energy: f64,
    /// The sum of the sizes of kinetic and potential energy.
    size: f64,
    /// The energy of the lowest bounces that balls may borrow.
    borrowed: f64,
}

impl Judge {
    pub(super) fn new(setup: &Setup, driven: Option<BodyId>) -> Self {
        Self {
            walls: setup.walls.clone(),
            world: setup.obstacles.clone(),
            driven,
            crushed: vec![false; setup.balls.len()],
            energy: 0.0,
            size: 0.0,
            borrowed: 0.0,
        }
    }

    /// From here on the energy counts.
    pub(super) fn begin(&mut self, table: &Table) {
        self.energy = table.energy();
        let gravity = table.rules().gravity.length();
        self.size = balls(table)
            .map(|ball| {
                let state = table.ball(ball);
                let lively = state.velocity.length_squared() + state.roll.length_squared();
                table.mass(ball) * (lively + gravity * (1.0 + state.position.length()))
            })
            .sum();
        let share = table.rules().rest_share;
        let bounce = |ball: usize| table.mass(ball) * gravity * share * table.radius(ball);
        self.borrowed = BOUNCES * balls(table).map(bounce).sum::<f64>();
    }

    pub(super) fn crush(&mut self, ball: usize) {
        self.crushed[ball] = true;
    }

    /// The energy that came or went, in words, if it is more than rounding.
    pub(super) fn energy(&self, table: &Table, is_elastic: bool) -> Option<String> {
        let change = table.energy() - self.energy;
        let rounding = ROUNDING * self.size;
        let is_wrong =
            change > rounding + self.borrowed || change.is_nan() || (is_elastic && change < -rounding);
        is_wrong.then(|| format!("{change:e} J came to {} J", self.energy))
    }

    /// The first overlap by more than rounding, in words.
    pub(super) fn overlap(&mut self, table: &Table) -> Option<String> {
        self.balls_overlap(table).or_else(|| self.wall_overlaps(table)).or_else(|| self.body_overlaps(table))
    }

    fn balls_overlap(&self, table: &Table) -> Option<String> {
        let periodic = table.rules().periodic;
        let has_periods = periodic.cmpgt(DVec3::ZERO);
        let places: Vec<_> = balls(table).map(|i| (i, table.ball(i).position, table.radius(i))).collect();
        for (k, &(i, place, radius)) in places.iter().enumerate() {
            for &(j, other, other_radius) in &places[..k] {
                let mut way = other - place;
                way -= DVec3::select(has_periods, (way / periodic).round() * periodic, DVec3::ZERO);
                let depth = radius + other_radius - way.length();
                let most = DEEPEST * radius.min(other_radius) + clock_error(table, i) + clock_error(table, j);
                if depth.is_nan() || depth > most {
                    return Some(format!("balls {j} and {i} overlap by {depth:e}"));
                }
            }
        }
        None
    }

    fn wall_overlaps(&self, table: &Table) -> Option<String> {
        for ball in balls(table) {
            let (place, radius) = (table.ball(ball).position, table.radius(ball));
            for (number, wall) in self.walls.iter().enumerate() {
                let depth = radius - gap(wall, place);
                if depth.is_nan() || depth > DEEPEST * radius + clock_error(table, ball) {
                    return Some(format!("ball {ball} is {depth:e} in wall {number}"));
                }
            }
        }
        None
    }

    fn body_overlaps(&mut self, table: &Table) -> Option<String> {
        if let Some(body) = self.driven {
            let (position, rotation) = table.body_pose(body).expect("the body is kinematic");
            self.world.set_pose(body, (position, rotation)).expect("a body that can move");
        }
        for ball in balls(table) {
            let (place, radius) = (table.ball(ball).position, table.radius(ball));
            let is_in_body = |radius: f64| {
                let ball = Sphere::new(radius).expect("a radius is positive");
                self.world.overlaps(ball, place, Layers::ALL).is_ok_and(|found| !found.is_empty())
            };
            self.crushed[ball] = self.crushed[ball] && is_in_body(radius * (1.0 + CLEAR));
            if !self.crushed[ball] && is_in_body(radius * (1.0 - DEEPEST) - clock_error(table, ball)) {
                return Some(format!("ball {ball} is in a body"));
            }
        }
        None
    }
}

/// The balls that are on the table.
pub(super) fn balls(table: &Table) -> impl Iterator<Item = usize> {
    (0..table.len()).filter(|&ball| table.ball(ball).motion != BallMotion::Pocketed)
}

/// How far a ball goes while the clock shows the same time: no event is more exact than that.
fn clock_error(table: &Table, ball: usize) -> f64 {
    2.0 * f64::EPSILON * table.time() * table.ball(ball).velocity.length()
}

/// How far a place is from a wall; negative behind a plane.
pub(super) fn gap(wall: &Wall, place: DVec3) -> f64 {
    match *wall {
        Wall::Plane { point, normal } => (place - point).dot(normal) / normal.length(),
        Wall::Segment { a, b } => {
            let share = ((place - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            place.distance(a + (b - a) * share)
        }
        Wall::Arc { center, radius, from, to } => {
            let out = place - center;
            let angle = (atan2(out.y, out.x) - from).rem_euclid(TAU);
            if angle <= to - from {
                return (out.length() - radius).abs();
            }
            let end = |angle: f64| {
                let (sin, cos) = sin_cos(angle);
                place.distance(center + dvec3(cos, sin, 0.0) * radius)
            };
            end(from).min(end(to))
        }
    }
}
