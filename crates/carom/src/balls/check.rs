//! Checks the setup of a table, and chooses its cells.

use glam::DVec3;

use super::Ball;
use super::error::TableError;
use super::rules::{Cloth, Dimensions, Rules};
use crate::balls::flight::obstacle::Facets;
use crate::balls::flight::wall::Prepared;
use crate::balls::grid::cells::{Cells, Layout};

/// So many of the largest radii must a side that comes round be long, at least: no ball then meets itself.
const LEAST_PERIOD: f64 = 2.0;

/// Balls in a random heap fill 0.64 of space: that many fit in a box if all are as large as the largest, more
/// of smaller ones.
const PILED: f64 = 1.22;

pub(crate) fn check_rules(rules: &Rules) -> Result<(), TableError> {
    let Rules { dimensions, gravity, restitution, wall_restitution, cloth, periodic, rest_share } = *rules;
    let share = |x: f64| (0.0..=1.0).contains(&x);
    let refuse = |why| Err(TableError::Rule(why));
    if !gravity.is_finite() {
        return refuse("gravity must be finite");
    }
    if !share(restitution) || !share(wall_restitution) {
        return refuse("restitution must be from 0 to 1");
    }
    if !(periodic.is_finite() && periodic.min_element() >= 0.0) {
        return refuse("periodic sides must be finite and at least 0");
    }
    if !(rest_share > 0.0 && rest_share <= 1.0) {
        return refuse("the share of rest must be greater than 0 and at most 1");
    }
    if dimensions == Dimensions::Two && (gravity.z != 0.0 || periodic.z != 0.0) {
        return refuse("in two dimensions z is 0, of gravity and of periodic sides");
    }
    if let Some(Cloth { sliding, rolling, weight }) = cloth {
        if gravity != DVec3::ZERO {
            return refuse("friction is for a level table, without gravity");
        }
        if dimensions == Dimensions::Three {
            return refuse("friction is for two dimensions");
        }
        let fine = |x: f64| x >= 0.0 && x.is_finite();
        if !(fine(sliding) && fine(rolling) && fine(weight)) {
            return refuse("friction must be finite and at least 0");
        }
    }
    Ok(())
}

pub(crate) fn check_balls(balls: &[Ball], dimensions: Dimensions) -> Result<(), TableError> {
    if balls.len() >= u32::MAX as usize {
        return Err(TableError::TooManyBalls);
    }
    for (i, ball) in balls.iter().enumerate() {
        for (v, what) in [(ball.position, "position"), (ball.velocity, "velocity")] {
            if !v.is_finite() {
                return Err(TableError::BallNotFinite { ball: i, what });
            }
        }
        for (x, what) in [(ball.radius, "radius"), (ball.mass, "mass")] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(TableError::BallNotPositive { ball: i, what });
            }
        }
        if dimensions == Dimensions::Two && (ball.position.z != 0.0 || ball.velocity.z != 0.0) {
            return Err(TableError::BallOffThePlane(i));
        }
    }
    Ok(())
}

/// Brings the balls within the sides that come round.
pub(crate) fn wrap_balls(balls: &mut [Ball], periodic: DVec3, largest: f64) -> Result<(), TableError> {
    for axis in 0..3 {
        let side = periodic[axis];
        // Relative: a billionth of the side, for its rounding.
        if side > 0.0 && side < LEAST_PERIOD * largest * (1.0 + 1e-9) {
            return Err(TableError::PeriodTooShort);
        }
        if side > 0.0 {
            for ball in &mut *balls {
                ball.position[axis] = wrapped(ball.position[axis], side);
            }
        }
    }
    Ok(())
}

pub(crate) fn cells_for(
    balls: &[Ball],
    walls: &[Prepared],
    facets: &Facets,
    largest: f64,
    rules: &Rules,
) -> Cells {
    let mut corners: Option<[DVec3; 2]> = facets.bounds();
    let mut take = |low: DVec3, high: DVec3| {
        corners = Some(corners.map_or([low, high], |[l, h]| [l.min(low), h.max(high)]));
    };
    for ball in balls {
        take(ball.position, ball.position);
    }
    for [low, high] in walls.iter().filter_map(Prepared::corners) {
        // They stand on z = 0 for balls of any height.
        take(low, high);
    }
    let [low, high] = corners.unwrap_or([DVec3::ZERO; 2]);
    // Wider than two radii by a billionth of them: balls that touch must not be two cells apart by rounding.
    let least_width = if largest > 0.0 { 2.0 * largest * (1.0 + 1e-9) } else { 1.0 };
    // About one ball or two facets a cell; empty cells cost little. Falling balls do not stay spread: where
    // they end up in a pile, cells must still be small, and so there are many, but never more than a million
    // unless the caller asks for them.
    let even = 2 * balls.len() + facets.len() + 64;
    let wanted = if rules.gravity == DVec3::ZERO { even } else { even.max((128 * even).min(1 << 20)) };
    let cube = |x: f64| x * x * x;
    let filled: f64 = balls.iter().map(|ball| cube(ball.radius / largest)).sum();
    let piled = if rules.gravity == DVec3::ZERO { 0.0 } else { PILED * balls.len() as f64 / filled };
    Cells::new(&Layout { low, high, least_width, wanted, balls: balls.len(), piled, period: rules.periodic })
}

/// The same place within [0, side).
pub(crate) fn wrapped(x: f64, side: f64) -> f64 {
    let turns = x / side;
    // Truncated, then one less for what was below: `floor` without std.
    let mut whole = turns as i64 as f64;
    if whole > turns {
        whole -= 1.0;
    }
    let inside = x - whole * side;
    if inside >= 0.0 && inside < side { inside } else { 0.0 }
}
