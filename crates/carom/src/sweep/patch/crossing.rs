//! Where a point crosses a piece: Newton's method on the line and the tangent plane.
//!
//! Source: the line of the way meets the tangent plane at one place, which is the next place of the surface.
//! Error: quadratic convergence, to the rounding of the surface's own point. Cost a round: first derivatives,
//! a root and four divisions; three or four rounds are usual. Gives up where a step leads off the piece or
//! off the way twice in a row (the point may pass it), and after [`ROUNDS`].

use super::probe::{Probe, Stand};
use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::shape::patch::grid::Grid;

const ROUNDS: usize = 8;

impl Probe {
    /// Where a point comes within the radius, of a few roundings, of a piece's inner part, from a good guess
    /// of u, v and the time.
    pub(super) fn crossing<const N: usize>(
        &self,
        grid: &Grid<N>,
        [mut u, mut v, mut time]: [f64; 3],
        radius: f64,
    ) -> Option<Stand> {
        let translation = self.ball.translation;
        let (mut last, mut was_off) = (f64::INFINITY, false);
        for _ in 0..ROUNDS {
            let jet = grid.jet_of_rates(u, v);
            let normal = jet.du.cross(jet.dv);
            let squared = normal.length_squared();
            let rate = normal.dot(translation);
            let lift = normal * (radius / sqrt(squared)).copysign(-rate);
            let ahead = jet.point + lift - translation * time;
            let step = normal.dot(ahead) / rate;
            let off = translation * step - ahead;
            let to = [
                u + off.cross(jet.dv).dot(normal) / squared,
                v + jet.du.cross(off).dot(normal) / squared,
                time + step,
            ];
            let inner = to.map(|x| x.clamp(0.0, 1.0));
            let is_off = inner != to;
            if is_off && was_off {
                return None;
            }
            let moved = reach(jet.du) * (inner[0] - u).abs()
                + reach(jet.dv) * (inner[1] - v).abs()
                + reach(translation) * (inner[2] - time).abs();
            [u, v, time] = inner;
            if !is_off && self.has_converged(moved, last, jet.point) {
                let stand = Stand::of_rates(self, grid, u, v, time);
                return ((stand.distance() - radius).abs() <= 0.5 * self.rounding).then_some(stand);
            }
            (last, was_off) = (moved, is_off);
        }
        None
    }
}
