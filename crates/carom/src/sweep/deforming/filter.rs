//! The queries of this module in f64, where rounding cannot change the answer.
//!
//! Idea: the cubic that is 0 where four points are in one plane, and the quadratics that say how they lie in
//! it, by their Bernstein coefficients over a cell of time: these bound the values. A cell is finished if the
//! cubic has no root in it, or if two quadratics are known to differ in sign. If they are known to agree and
//! the cubic crosses 0 once, the parts meet. Otherwise the cell is halved. Error: derived with L, M, N, the
//! largest coordinates along the axes as one point is seen from another: the first term of a product of two
//! such is off by 3 u LM, a cross product by 8 u LM, the sums of such here by 40 u LM, and after two blossoms
//! of 3 u of their size each by no more than 76 u LM; the cubic by 118 u LMN. Cost: about 200 ns. Gives up
//! after [`CELLS`] cells.

use glam::DVec3;

use super::points::{BITS, Points};
use crate::num::bound::UNIT_ROUNDOFF;

/// The most cells of time: many are needed only where parts touch, which f64 cannot decide.
const CELLS: u32 = 48;

/// 2³⁰⁰: products of three sizes up to this do not overflow. Where sizes go down to one over it, underflow is
/// far less than their rounding.
const HUGE: f64 = f64::from_bits((1023 + 300) << 52);

/// The answer in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    Apart,
    /// At this time, in units of 2⁻ᵇ, rounded down.
    Meet(u64),
    /// Rounding could decide.
    Unsure,
}

/// A vector of quadratics: their values at both ends, and the coefficient between.
type Quadratics = [DVec3; 3];

pub(super) fn vertex_triangle(start: &Points, end: &Points) -> Answer {
    let corners = [1, 2, 3].map(|i| [start[i] - start[0], end[i] - end[0]]);
    let [a, b, c] = &corners;
    let areas = [cross(b, c), cross(c, a), cross(a, b)];
    let whole = [0, 1, 2].map(|i| areas[0][i] + areas[1][i] + areas[2][i]);
    search(&corners, &dot(a, &areas[0]), &whole, &areas)
}

pub(super) fn edge_edge(start: &Points, end: &Points) -> Answer {
    let seen = [(1, 0), (3, 2), (2, 0)].map(|(i, j)| [start[i] - start[j], end[i] - end[j]]);
    let [first, second, between] = &seen;
    let whole = cross(first, second);
    let (along_first, along_second) = (cross(between, second), cross(between, first));
    let rest = |share: &Quadratics| [0, 1, 2].map(|i| whole[i] - share[i]);
    let sides = [along_first, along_second, rest(&along_first), rest(&along_second)];
    search(&seen, &dot(between, &whole), &whole, &sides)
}

fn search(seen: &[[DVec3; 2]; 3], volume: &[f64; 4], whole: &Quadratics, sides: &[Quadratics]) -> Answer {
    let size = seen.as_flattened().iter().fold(DVec3::ZERO, |size, v| size.max(v.abs()));
    let is_usual = |size: f64| size == 0.0 || (1.0 / HUGE..=HUGE).contains(&size);
    if !size.to_array().into_iter().all(is_usual) {
        return Answer::Unsure;
    }
    let area_error = DVec3::new(size.y * size.z, size.z * size.x, size.x * size.y) * (80.0 * UNIT_ROUNDOFF);
    let volume_error = 128.0 * UNIT_ROUNDOFF * (size.x * size.y * size.z);

    // Each level leaves one half waiting.
    let mut waiting = [TimeCell { number: 0, halvings: 0 }; CELLS as usize + 1];
    let mut height = 1;
    let mut cells = 0;
    while height > 0 {
        height -= 1;
        let now = waiting[height];
        let cell = [now.start(), now.end()];
        let volumes = cubic(volume, cell);
        let above = volumes.map(|v| v > volume_error);
        let below = volumes.map(|v| v < -volume_error);
        if above == [true; 4] || below == [true; 4] {
            continue;
        }
        // By axis: whether one is known to be above or below 0, and whether all are.
        let [mut above_0, mut below_0] = of_all(whole, cell, area_error);
        let [mut all_above, mut all_below] = [above_0, below_0];
        for side in sides {
            let [above, below] = of_all(side, cell, area_error);
            above_0 |= above;
            below_0 |= below;
            all_above &= above;
            all_below &= below;
        }
        if (above_0 & below_0).any() {
            continue;
        }
        let known = (0..4).all(|i| above[i] || below[i]);
        let changes = (0..3).filter(|&i| above[i] != above[i + 1]).count();
        if known && changes == 1 && (all_above | all_below).any() {
            return crossing(volume, volume_error, now);
        }
        cells += 1;
        if cells == CELLS || now.halvings == BITS {
            return Answer::Unsure;
        }
        let [early, late] = now.halves();
        (waiting[height], waiting[height + 1]) = (late, early);
        height += 2;
    }
    Answer::Apart
}

/// The time at which the cubic crosses 0, once in a cell.
fn crossing(volume: &[f64; 4], error: f64, mut cell: TimeCell) -> Answer {
    let before = cubic_at(volume, cell.start()) > 0.0;
    while cell.halvings < BITS {
        let [early, late] = cell.halves();
        let value = cubic_at(volume, late.start());
        if value.abs() <= error {
            return Answer::Unsure;
        }
        cell = if (value > 0.0) == before { late } else { early };
    }
    Answer::Meet(cell.number)
}

/// An interval of time: from m / 2ᵏ to (m + 1) / 2ᵏ, where m is the number and k the halvings.
#[derive(Clone, Copy)]
struct TimeCell {
    number: u64,
    halvings: u32,
}

impl TimeCell {
    fn start(self) -> f64 {
        self.number as f64 / (1u64 << self.halvings) as f64
    }

    fn end(self) -> f64 {
        (self.number + 1) as f64 / (1u64 << self.halvings) as f64
    }

    /// The earlier and the later half.
    fn halves(self) -> [Self; 2] {
        [0, 1].map(|later| Self { number: 2 * self.number + later, halvings: self.halvings + 1 })
    }
}

/// By axis: whether all the coefficients over a cell are known to be above 0, and whether below.
fn of_all(quadratics: &Quadratics, [from, to]: [f64; 2], error: DVec3) -> [glam::BVec3; 2] {
    let [a, b, c] = *quadratics;
    let [first, last] = [from, to].map(|t| [between(a, b, t), between(b, c, t)]);
    let coefficients =
        [between(first[0], first[1], from), between(first[0], first[1], to), between(last[0], last[1], to)];
    let least = coefficients[0].min(coefficients[1]).min(coefficients[2]);
    let most = coefficients[0].max(coefficients[1]).max(coefficients[2]);
    [least.cmpgt(error), most.cmplt(-error)]
}

/// The coefficients of a cubic over a cell.
fn cubic([a, b, c, d]: &[f64; 4], [from, to]: [f64; 2]) -> [f64; 4] {
    let [first, last] = [from, to].map(|t| [share(*a, *b, t), share(*b, *c, t), share(*c, *d, t)]);
    let both = |of: [f64; 3], t: f64| [share(of[0], of[1], t), share(of[1], of[2], t)];
    let [ff, fl, ll] = [both(first, from), both(first, to), both(last, to)];
    [share(ff[0], ff[1], from), share(ff[0], ff[1], to), share(fl[0], fl[1], to), share(ll[0], ll[1], to)]
}

fn cubic_at(coefficients: &[f64; 4], t: f64) -> f64 {
    cubic(coefficients, [t, t])[0]
}

fn share(a: f64, b: f64, t: f64) -> f64 {
    a * (1.0 - t) + b * t
}

fn between(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    a * (1.0 - t) + b * t
}

/// The cross product of two that move.
fn cross(a: &[DVec3; 2], b: &[DVec3; 2]) -> Quadratics {
    [a[0].cross(b[0]), (a[0].cross(b[1]) + a[1].cross(b[0])) * 0.5, a[1].cross(b[1])]
}

/// The product of one that moves with such a one.
fn dot(a: &[DVec3; 2], b: &Quadratics) -> [f64; 4] {
    let third = 1.0 / 3.0;
    [
        a[0].dot(b[0]),
        (a[1].dot(b[0]) + 2.0 * a[0].dot(b[1])) * third,
        (2.0 * a[1].dot(b[1]) + a[0].dot(b[2])) * third,
        a[1].dot(b[2]),
    ]
}
