//! From a good guess to the exact place: Newton's method on a piece.
//!
//! Source: the distance to a surface is stationary where the arm to its foot is perpendicular to it; Newton
//! on that and on the distance together, u and v kept in the piece. Error: quadratic convergence, to the
//! rounding of the surface's own point. Cost: a jet a round, three or four are usual. Gives up
//! ([`Polished::Lost`]) after [`ROUNDS`] or where the second derivatives are not those of a least distance:
//! the piece is cut then.

use glam::DVec3;

use super::approach::When;
use super::certify::is_held;
use super::probe::{Probe, Stand};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::shape::patch::grid::Grid;
use crate::sweep::parts::nearest::towards;

const ROUNDS: usize = 16;
/// A way grazes where it comes no nearer than this share of the radius.
const GRAZES: f64 = 0.875;
/// Halvings of a time.
const HALVINGS: usize = 64;
/// The last step is no longer than this share of the lengths: 2⁻²⁶, whose square is rounding.
const SMALL: f64 = 1.0 / (1u64 << 26) as f64;
/// And the one before than this, or it may have come to be short by chance.
const LARGE: f64 = 1.0 / (1u64 << 10) as f64;

/// Where Newton came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Polished {
    /// The mover comes within the radius.
    Touch(Stand),
    /// The mover is nearest there, and farther than the radius.
    Nearest(Stand, When),
    /// No place was found.
    Lost,
}

impl Probe {
    /// The first touch of a piece at this radius, or where on the path it is nearest.
    pub(super) fn polish<const N: usize>(
        &self,
        grid: &Grid<N>,
        [u, v, time]: [f64; 3],
        radius: f64,
    ) -> Polished {
        match self.newton_from(grid, [u, v, time], radius) {
            Ok(polished) => polished,
            Err(place) => self.nearest_on_way(grid, place, radius),
        }
    }

    /// The first touch by Newton's method; where the mover comes no nearer, the place where it stopped.
    pub(super) fn newton_from<const N: usize>(
        &self,
        grid: &Grid<N>,
        [u, v, time]: [f64; 3],
        radius: f64,
    ) -> Result<Polished, [f64; 3]> {
        let translation = self.ball.translation;
        let (mut u, mut v, mut time) = (u, v, time);
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let stand = Stand::new(self, grid, u, v, time);
            let [slope_u, slope_v] = stand.slopes();
            let held = [is_held(u, slope_u), is_held(v, slope_v)];
            let normal = match stand.normal() {
                // Where the foot is free, the tangent plane tells the side: that of the mover where it is
                // apart, else that from which it came.
                Some(normal) if held == [false; 2] => {
                    let apart = normal.dot(stand.arm).abs() > radius;
                    towards(normal, if apart { stand.arm } else { -translation })
                }
                _ => {
                    let distance = stand.distance();
                    if distance == 0.0 {
                        return Ok(Polished::Lost);
                    }
                    stand.arm / distance
                }
            };
            let rate = normal.dot(translation);
            let gap = normal.dot(stand.arm) - radius;
            if rate >= -self.ball.threshold {
                return Err([u, v, time]);
            }
            let next = (time - gap / rate).clamp(0.0, 1.0);
            let step = next - time;
            let Some([du, dv]) = newton(&stand, held, translation * step) else { return Ok(Polished::Lost) };
            let (to_u, to_v) = ((u + du).clamp(0.0, 1.0), (v + dv).clamp(0.0, 1.0));
            let moved = reach(stand.jet.du) * (to_u - u).abs()
                + reach(stand.jet.dv) * (to_v - v).abs()
                + reach(translation) * step.abs();
            (u, v, time) = (to_u, to_v, next);
            if self.has_converged(moved, last, stand.jet.point) {
                return Ok(self.judged(Stand::new(self, grid, u, v, time), radius));
            }
            last = moved;
        }
        Ok(Polished::Lost)
    }

    pub(super) fn has_converged(&self, moved: f64, last: f64, point: DVec3) -> bool {
        // The error after a step is as small as the square of the step, measured in the radii of curvature.
        let lengths = reach(point) + reach(self.ball.translation) + self.ball.radius;
        moved <= SMALL * lengths && (moved <= SMALL * SMALL * lengths || last <= LARGE * lengths)
    }

    fn judged(&self, stand: Stand, radius: f64) -> Polished {
        let distance = stand.distance();
        let rate = stand.arm.dot(self.ball.translation);
        if (distance - radius).abs() <= 0.5 * self.rounding {
            Polished::Touch(stand)
        } else if distance < radius {
            Polished::Lost
        } else if stand.time >= 1.0 && rate <= 0.0 {
            Polished::Nearest(stand, When::Before)
        } else if stand.time <= 0.0 && rate >= 0.0 {
            Polished::Nearest(stand, When::After)
        } else {
            Polished::Lost
        }
    }

    /// Where the mover is nearest to a piece at one time.
    pub(super) fn polish_at<const N: usize>(&self, grid: &Grid<N>, [u, v, time]: [f64; 3]) -> Option<Stand> {
        let (mut u, mut v) = (u, v);
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let stand = Stand::new(self, grid, u, v, time);
            let [slope_u, slope_v] = stand.slopes();
            let held = [is_held(u, slope_u), is_held(v, slope_v)];
            let [du, dv] = newton(&stand, held, DVec3::ZERO)?;
            let (to_u, to_v) = ((u + du).clamp(0.0, 1.0), (v + dv).clamp(0.0, 1.0));
            let moved = reach(stand.jet.du) * (to_u - u).abs() + reach(stand.jet.dv) * (to_v - v).abs();
            (u, v) = (to_u, to_v);
            // To the last digit, whatever the way: contacts and sweeps have to agree on the normal.
            let rounding = 8.0 * UNIT_ROUNDOFF * (reach(stand.jet.point) + self.ball.radius);
            if moved <= rounding || (moved <= 64.0 * rounding && moved >= 0.5 * last) {
                return Some(Stand::new(self, grid, u, v, time));
            }
            last = moved;
        }
        None
    }

    /// Where on all of the way the mover is nearest to a piece: u, v and the time together.
    fn nearest_on_way<const N: usize>(
        &self,
        grid: &Grid<N>,
        [u, v, time]: [f64; 3],
        radius: f64,
    ) -> Polished {
        let translation = self.ball.translation;
        let (mut u, mut v, mut time) = (u, v, time);
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let stand = Stand::new(self, grid, u, v, time);
            let [slope_u, slope_v] = stand.slopes();
            let slope_t = stand.arm.dot(translation);
            let held = [is_held(u, slope_u), is_held(v, slope_v), is_held(time, slope_t)];
            let Stand { jet, metric, arm, .. } = &stand;
            let matrix = [
                metric.near(jet.du, jet.du) - arm.dot(jet.duu),
                metric.near(jet.du, jet.dv) - arm.dot(jet.duv),
                metric.near(jet.dv, jet.dv) - arm.dot(jet.dvv),
                -metric.near(jet.du, translation),
                -metric.near(jet.dv, translation),
                metric.near(translation, translation),
            ];
            let sizes = [jet.du, jet.dv, translation].map(DVec3::length_squared);
            let Some([du, dv, dt]) = solved(matrix, sizes, [-slope_u, -slope_v, -slope_t], held) else {
                return Polished::Lost;
            };
            let to = [(u + du).clamp(0.0, 1.0), (v + dv).clamp(0.0, 1.0), (time + dt).clamp(0.0, 1.0)];
            let moved = reach(jet.du) * (to[0] - u).abs()
                + reach(jet.dv) * (to[1] - v).abs()
                + reach(translation) * (to[2] - time).abs();
            [u, v, time] = to;
            if self.has_converged(moved, last, stand.jet.point) {
                let stand = Stand::new(self, grid, u, v, time);
                if stand.distance() <= radius {
                    return self.before(grid, stand, radius);
                }
                let when = match time {
                    time if time <= 0.0 => When::After,
                    time if time >= 1.0 => When::Before,
                    _ => When::Always,
                };
                return Polished::Nearest(stand, when);
            }
            last = moved;
        }
        Polished::Lost
    }
}

impl Probe {
    /// The touch before the nearest place of a way that grazes: there the rate is too small for Newton.
    fn before<const N: usize>(&self, grid: &Grid<N>, nearest: Stand, radius: f64) -> Polished {
        // As if the surface were flat along the way.
        let translation = self.ball.translation;
        let back =
            sqrt((radius * radius - nearest.arm.length_squared()).max(0.0) / translation.length_squared());
        let place = [nearest.u, nearest.v, (nearest.time - back).max(0.0)];
        if let Ok(touch @ Polished::Touch(_)) = self.newton_from(grid, place, radius) {
            return touch;
        }
        if nearest.distance() < GRAZES * radius {
            return Polished::Lost;
        }
        let foot = |u: f64, v: f64, time: f64| self.polish_at(grid, [u, v, time]);
        let Some(mut far) = foot(nearest.u, nearest.v, 0.0).filter(|start| start.distance() > radius) else {
            return Polished::Lost;
        };
        let mut near = nearest;
        for _ in 0..HALVINGS {
            let time = 0.5 * (far.time + near.time);
            let Some(middle) = foot(near.u, near.v, time) else { return Polished::Lost };
            if (middle.distance() - radius).abs() <= 0.25 * self.rounding
                || time == far.time
                || time == near.time
            {
                return self.judged(middle, radius);
            }
            if middle.distance() > radius {
                far = middle;
            } else {
                near = middle;
            }
        }
        Polished::Lost
    }
}

/// The step of u and v towards the foot, while the mover moves on by `shift`.
fn newton(stand: &Stand, [held_u, held_v]: [bool; 2], shift: DVec3) -> Option<[f64; 2]> {
    let Stand { jet, metric, arm, .. } = stand;
    let right = [arm.dot(jet.du) + metric.near(jet.du, shift), arm.dot(jet.dv) + metric.near(jet.dv, shift)];
    let plain = [metric.near(jet.du, jet.du), metric.near(jet.du, jet.dv), metric.near(jet.dv, jet.dv)];
    let full = [plain[0] - arm.dot(jet.duu), plain[1] - arm.dot(jet.duv), plain[2] - arm.dot(jet.dvv)];
    let sizes = [jet.du.length_squared(), jet.dv.length_squared()];
    // Far from the foot the second derivatives may not be those of a least distance: without them the step
    // still leads there.
    solved_of_two(full, sizes, right, [held_u, held_v])
        .or_else(|| solved_of_two(plain, sizes, right, [held_u, held_v]))
}

/// A pivot below this share of the squared length of its derivative is rounding.
const PIVOT: f64 = 1e-13;

/// The step that a symmetric matrix [uu, uv, vv] takes to the right side; `None` if it is negative along some
/// way. A step of 0 where it is held, and where the matrix is singular: along an edge that is a point, and
/// along a capsule that touches in a line, one place is as good as another.
#[inline(always)]
fn solved_of_two(
    [uu, uv, vv]: [f64; 3],
    sizes: [f64; 2],
    right: [f64; 2],
    [held_u, held_v]: [bool; 2],
) -> Option<[f64; 2]> {
    let held_u = held_u || uu.abs() <= sizes[0] * PIVOT;
    let uv = if held_u || held_v { 0.0 } else { uv };
    let (uu, right_u) = if held_u { (1.0, 0.0) } else { (uu, right[0]) };
    if !(uu > 0.0) {
        return None;
    }
    let factor = uv / uu;
    let pivot = vv - factor * uv;
    if held_v || pivot.abs() <= sizes[1] * PIVOT {
        return Some([right_u / uu, 0.0]);
    }
    if !(pivot > 0.0) {
        return None;
    }
    let v = (right[1] - factor * right_u) / pivot;
    Some([(right_u - uv * v) / uu, v])
}

/// The same of three: [uu, uv, vv, ut, vt, tt].
fn solved(matrix: [f64; 6], sizes: [f64; 3], right: [f64; 3], held: [bool; 3]) -> Option<[f64; 3]> {
    let [uu, uv, vv, ut, vt, tt] = matrix;
    let mut rows = [[uu, uv, ut], [uv, vv, vt], [ut, vt, tt]];
    let mut right = right;
    let hold = |rows: &mut [[f64; 3]; 3], right: &mut [f64; 3], i: usize| {
        for j in 0..3 {
            rows[i][j] = 0.0;
            rows[j][i] = 0.0;
        }
        rows[i][i] = 1.0;
        right[i] = 0.0;
    };
    for i in 0..3 {
        if held[i] {
            hold(&mut rows, &mut right, i);
        }
    }
    for i in 0..3 {
        if rows[i][i].abs() <= sizes[i] * PIVOT {
            hold(&mut rows, &mut right, i);
        }
        if !(rows[i][i] > 0.0) {
            return None;
        }
        for j in i + 1..3 {
            let factor = rows[j][i] / rows[i][i];
            for k in i..3 {
                rows[j][k] -= factor * rows[i][k];
            }
            right[j] -= factor * right[i];
        }
    }
    let mut step = [0.0; 3];
    for i in (0..3).rev() {
        let rest = (i + 1..3).fold(right[i], |rest, k| rest - rows[i][k] * step[k]);
        step[i] = rest / rows[i][i];
    }
    Some(step)
}
