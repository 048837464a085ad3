//! From a guess to the exact place where the sides of a box first close around a point of a piece.
//!
//! Source: sequential quadratic programming (Nocedal and Wright, *Numerical Optimization*, 18): the sides and
//! the piece's own ends are linear rows in steps of u, v and the number; the bend of the surface along the
//! weighted normals is the quadratic part. Each step is solved exactly: at most three rows are active, and
//! where one more is violated the next basis is among those with it. Error: quadratic convergence, to the
//! rounding of the surface's own point. Cost: a jet a round, four or five are usual. Gives up (`None`) after
//! [`ROUNDS`], or where rows contradict each other: the piece is cut then.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::sides::{Meeting, SIDES, Sides, side_normal};
use crate::num::bound::reach;
use crate::num::ops::{larger, sqrt};
use crate::shape::patch::grid::{Grid, Jet};

const ROUNDS: usize = 20;
/// Changes of the basis in one round.
const CHANGES: usize = 12;
/// The sides, and the ends of u and v.
const ROWS: usize = SIDES + 4;
/// Rows that depend on each other to this share of their lengths have no common point.
const DEPENDENT: f64 = 1e-9;
/// A bend this much smaller than that of a ball of the piece's size: where there is none, one place is as
/// good as another.
const NO_BEND: f64 = 1e-7;

/// Up to three rows: u, v and the number are solved for.
type Basis = ArrayVec<usize, 3>;

/// No place was found.
pub(super) struct Lost {
    /// The direction along which the sides contradict each other; zero if they do not.
    pub(super) across: DVec3,
}

/// One step's problem: the least x.z + ½ xᵀ·bend·x for which slope·x ≤ room in all rows. Steps of u, v and
/// the number are measured in lengths.
struct Rows {
    slopes: [DVec3; ROWS],
    rooms: [f64; ROWS],
    /// Of u, of both, of v.
    bend: [f64; 3],
    /// The bend of a ball of the piece's size.
    round: f64,
    tolerance: f64,
}

/// A solution on a basis.
struct Step {
    by: DVec3,
    weights: [f64; 3],
    /// How far it leads: along what does not bend only by what is gained.
    moved: f64,
}

impl Sides {
    /// The place of a piece that all sides reach first, near a guess of u, v and the number.
    pub(super) fn polish<const N: usize>(&self, grid: &Grid<N>, guess: [f64; 3]) -> Result<Meeting, Lost> {
        let [mut u, mut v, mut number] = guess;
        let speed = reach(self.shift) + self.growth;
        let mut weights = [0.0; ROWS];
        let mut basis = Basis::new();
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let jet = grid.jet(u, v);
            let size = reach(jet.du) + reach(jet.dv);
            // A collapsed edge leads nowhere.
            let units = [reach(jet.du), reach(jet.dv)].map(|unit| larger(unit, size * NO_BEND));
            let rows = self.rows(&jet, [u, v, number], &weights, units);
            let step = rows.solve(&mut basis)?;
            weights = [0.0; ROWS];
            for (row, weight) in basis.iter().zip(step.weights) {
                weights[*row] = larger(weight / speed, 0.0);
            }
            let to = |x: f64, by: f64, [low, high]: [usize; 2]| {
                let is_at = |row| basis.contains(&row);
                if is_at(low) {
                    0.0
                } else if is_at(high) {
                    1.0
                } else {
                    (x + by).clamp(0.0, 1.0)
                }
            };
            u = to(u, step.by.x / units[0], [SIDES, SIDES + 1]);
            v = to(v, step.by.y / units[1], [SIDES + 2, SIDES + 3]);
            number += step.by.z / speed;
            let moved = step.moved;
            // To the last digit, or until only rounding is left: contacts and sweeps have to agree on the
            // normal.
            let least = 0.125 * self.rounding;
            let noise = 8.0 * least * step.weights.iter().sum::<f64>();
            if moved <= least || (moved <= noise && moved >= 0.5 * last) {
                let mut sides = [0.0; SIDES];
                sides.copy_from_slice(&weights[..SIDES]);
                let meeting = Meeting { u, v, number, jet: grid.jet(u, v), weights: sides };
                return self.checked(meeting).ok_or(Lost { across: DVec3::ZERO });
            }
            last = moved;
        }
        Err(Lost { across: DVec3::ZERO })
    }

    /// The rows of a step from a place.
    #[inline(always)]
    fn rows(&self, jet: &Jet, [u, v, number]: [f64; 3], weights: &[f64; ROWS], units: [f64; 2]) -> Rows {
        let speed = reach(self.shift) + self.growth;
        let mut slopes = [DVec3::ZERO; ROWS];
        let mut rooms = [0.0; ROWS];
        let mut normal = DVec3::ZERO;
        for axis in 0..3 {
            let along = [jet.du[axis] / units[0], jet.dv[axis] / units[1]];
            for (side, sign) in [(2 * axis, 1.0), (2 * axis + 1, -1.0)] {
                let rate = sign * self.shift[axis] + self.growth;
                slopes[side] = DVec3::new(sign * along[0], sign * along[1], -rate / speed);
                rooms[side] = self.half[axis] + number * rate - sign * jet.point[axis];
                normal[axis] += sign * weights[side];
            }
        }
        slopes[SIDES..].copy_from_slice(&[DVec3::NEG_X, DVec3::X, DVec3::NEG_Y, DVec3::Y]);
        rooms[SIDES..].copy_from_slice(&[
            u * units[0],
            (1.0 - u) * units[0],
            v * units[1],
            (1.0 - v) * units[1],
        ]);
        let bend = [
            normal.dot(jet.duu) / (units[0] * units[0]),
            normal.dot(jet.duv) / (units[0] * units[1]),
            normal.dot(jet.dvv) / (units[1] * units[1]),
        ]
        .map(|bend| bend * speed);
        let round = 2.0 / (units[0] + units[1]);
        Rows { slopes, rooms, bend, round, tolerance: 0.0625 * self.rounding }
    }

    /// The place, if the sides are there to within a rounding, and stop the box there.
    fn checked(&self, meeting: Meeting) -> Option<Meeting> {
        let off = |side: usize| {
            let height = side_normal(side).dot(meeting.jet.point);
            height - self.half[side / 2] - meeting.number * self.rate(side)
        };
        let is_there = (0..SIDES).all(|side| {
            let off = off(side);
            off <= 0.25 * self.rounding && (meeting.weights[side] == 0.0 || off >= -0.25 * self.rounding)
        });
        let is_stopped = reach(meeting.normal()) > 1e-6 * meeting.weight();
        (is_there && is_stopped).then_some(meeting)
    }
}

impl Rows {
    /// The least, from the basis of a problem nearby; its own basis is left there.
    fn solve(&self, basis: &mut Basis) -> Result<Step, Lost> {
        let lost = || Lost { across: DVec3::ZERO };
        let mut step = match self.step_on(basis).filter(Step::is_valid) {
            Some(step) => step,
            None => self.restart(basis).ok_or_else(lost)?,
        };
        for _ in 0..CHANGES {
            let Some(row) = self.most_violated(step.by) else { return Ok(step) };
            step = self.with(basis, row).ok_or_else(|| self.contradiction(basis, row))?;
        }
        Err(lost())
    }

    /// The weights with which the rows of a basis and one more cancel out, if none pulls: then no step has
    /// room in all of them.
    fn contradiction(&self, basis: &Basis, row: usize) -> Lost {
        let mut across = DVec3::ZERO;
        if let [a, b, c] = **basis {
            let rows = [a, b, c, row];
            let [p, q, r, s] = rows.map(|row| self.slopes[row]);
            let volume = |p: DVec3, q: DVec3, r: DVec3| p.dot(q.cross(r));
            let weights = [volume(q, r, s), -volume(p, r, s), volume(p, q, s), -volume(p, q, r)];
            let sign = if weights.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            if weights.iter().all(|weight| weight * sign >= 0.0) {
                for (row, weight) in rows.into_iter().zip(weights).filter(|(row, _)| *row < SIDES) {
                    across += side_normal(row) * (weight * sign);
                }
            }
        }
        Lost { across }
    }

    /// The best of the bases of a basis, or of one row.
    fn restart(&self, basis: &mut Basis) -> Option<Step> {
        for left_out in 0..basis.len() {
            let mut smaller = basis.clone();
            smaller.remove(left_out);
            if let Some(step) = self.step_on(&smaller).filter(Step::is_valid)
                && self.excess(basis[left_out], step.by) <= self.tolerance
            {
                *basis = smaller;
                return Some(step);
            }
        }
        // The side that comes last.
        let time = |side: &usize| -self.rooms[*side] / -self.slopes[*side].z;
        let last = (0..SIDES)
            .filter(|side| self.slopes[*side].z < 0.0)
            .max_by(|a, b| time(a).total_cmp(&time(b)))?;
        basis.clear();
        basis.push(last);
        self.step_on(basis)
    }

    fn excess(&self, row: usize, by: DVec3) -> f64 {
        self.slopes[row].dot(by) - self.rooms[row]
    }

    fn most_violated(&self, by: DVec3) -> Option<usize> {
        let mut most = (self.tolerance, None);
        for row in 0..ROWS {
            let excess = self.excess(row, by);
            if excess > most.0 {
                most = (excess, Some(row));
            }
        }
        most.1
    }

    /// The least with one more row: on it and on some of the basis.
    fn with(&self, basis: &mut Basis, row: usize) -> Option<Step> {
        let count = basis.len();
        // Which rows of the basis stay, those with the most first.
        for kept in [0b111u32, 0b011, 0b101, 0b110, 0b001, 0b010, 0b100, 0b000] {
            if kept >> count != 0 || kept.count_ones() > 2 {
                continue;
            }
            let stays = |i: &usize| kept >> i & 1 == 1;
            let mut next: Basis = (0..count).filter(stays).map(|i| basis[i]).collect();
            next.push(row);
            let Some(step) = self.step_on(&next).filter(Step::is_valid) else { continue };
            let mut left = (0..count).filter(|i| !stays(i));
            if left.all(|i| self.excess(basis[i], step.by) <= self.tolerance) {
                *basis = next;
                return Some(step);
            }
        }
        None
    }

    /// The least where these rows have no room left.
    fn step_on(&self, basis: &[usize]) -> Option<Step> {
        match *basis {
            [a] => self.on_one(a),
            [a, b] => self.on_two(a, b),
            [a, b, c] => self.on_three([a, b, c]),
            _ => None,
        }
    }

    /// On one row, which has to be a side that comes nearer.
    fn on_one(&self, row: usize) -> Option<Step> {
        let slope = self.slopes[row];
        if !(slope.z < 0.0) {
            return None;
        }
        let weight = -1.0 / slope.z;
        let (p, q) = (slope.x * weight, slope.y * weight);
        let least = self.round * NO_BEND;
        let [mut uu, mut uv, mut vv] = self.bend;
        uu += least;
        vv += least;
        let mut determinant = uu * vv - uv * uv;
        if !(uu > 0.0 && determinant > 0.0) {
            (uu, uv, vv) = (self.round, 0.0, self.round);
            determinant = uu * vv;
        }
        let by_u = (uv * q - vv * p) / determinant;
        let by_v = (uv * p - uu * q) / determinant;
        let by = DVec3::new(by_u, by_v, (slope.x * by_u + slope.y * by_v - self.rooms[row]) * weight);
        let moved = (by_u.abs() + by_v.abs()).min((p.abs() + q.abs()) / self.round) + by.z.abs();
        Some(Step { by, weights: [weight, 0.0, 0.0], moved })
    }

    /// On two rows: along the line that they share.
    fn on_two(&self, a: usize, b: usize) -> Option<Step> {
        let (p, q) = (self.slopes[a], self.slopes[b]);
        let line = p.cross(q);
        let squared = line.length_squared();
        if !(squared > DEPENDENT * DEPENDENT * p.length_squared() * q.length_squared()) {
            return None;
        }
        let near = (q.cross(line) * self.rooms[a] + line.cross(p) * self.rooms[b]) / squared;
        let round = [self.round, 0.0, self.round];
        let least = NO_BEND * self.round * squared;
        let bends_up = bent(self.bend, line).dot(line) + least > 0.0;
        let (bend, least) = if bends_up { (self.bend, least) } else { (round, 0.0) };
        let rise = line.z + bent(bend, near).dot(line);
        let by = near - line * (rise / (bent(bend, line).dot(line) + least));
        let force = -(bent(bend, by) + DVec3::Z);
        let weights = [force.dot(q.cross(line)) / squared, force.dot(line.cross(p)) / squared, 0.0];
        let length = sqrt(squared);
        let along = reach(by - near).min(rise.abs() / (length * self.round));
        Some(Step { by, weights, moved: reach(near) + along })
    }

    /// On three rows: at the point that they share.
    fn on_three(&self, rows: [usize; 3]) -> Option<Step> {
        let [p, q, r] = rows.map(|row| self.slopes[row]);
        let (qr, rp, pq) = (q.cross(r), r.cross(p), p.cross(q));
        let determinant = p.dot(qr);
        let sizes = p.length_squared() * q.length_squared() * r.length_squared();
        if !(determinant * determinant > DEPENDENT * DEPENDENT * sizes) {
            return None;
        }
        let [a, b, c] = rows.map(|row| self.rooms[row]);
        let by = (qr * a + rp * b + pq * c) / determinant;
        let weights = [-qr.z / determinant, -rp.z / determinant, -pq.z / determinant];
        Some(Step { by, weights, moved: reach(by) })
    }
}

/// How the slope of ½ xᵀ·bend·x changes along a step.
fn bent([uu, uv, vv]: [f64; 3], by: DVec3) -> DVec3 {
    DVec3::new(uu * by.x + uv * by.y, uv * by.x + vv * by.y, 0.0)
}

impl Step {
    /// Whether no row pulls.
    fn is_valid(&self) -> bool {
        self.weights.iter().all(|weight| *weight >= -1e-12)
    }
}
