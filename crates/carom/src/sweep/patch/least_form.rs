//! The least of the squared distances of a piece around a place, as a quadratic form in steps of u and v.
//!
//! Source: derived in `docs/patches.md`. First derivatives and the bend along the arm are bounded by their
//! control vectors. Error: never above the distances but for rounding. Cost: a pass over the control vectors.

use glam::DVec3;

use crate::num::ops::{larger, smaller, sqrt};
use crate::shape::patch::grid::{Grid, Jet};

/// A place of a piece, from which all others are looked at.
#[derive(Clone, Copy)]
pub(super) struct Place<'a, const N: usize> {
    pub(super) grid: &'a Grid<N>,
    pub(super) jet: &'a Jet,
    pub(super) u: f64,
    pub(super) v: f64,
}

impl<const N: usize> Place<'_, N> {
    /// The largest second derivatives along an arm: of u, of both, each way, and of v.
    pub(super) fn bends(&self, arm: DVec3) -> [f64; 4] {
        let grid = self.grid;
        let (mut bend_u, mut bend_v) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (mut twist_low, mut twist_high) = (f64::INFINITY, f64::NEG_INFINITY);
        grid.bends_uu(|bend| bend_u = larger(bend_u, arm.dot(bend)));
        grid.bends_vv(|bend| bend_v = larger(bend_v, arm.dot(bend)));
        grid.bends_uv(|bend| {
            let twist = arm.dot(bend);
            twist_low = smaller(twist_low, twist);
            twist_high = larger(twist_high, twist);
        });
        [bend_u, twist_low, twist_high, bend_v]
    }

    /// The least of the quadratic form of distances over all of a piece, in a metric; `None` if it may be
    /// none of a least distance.
    pub(super) fn least_form(
        &self,
        metric: impl Fn(DVec3, DVec3) -> f64,
        [bend_u, twist_low, twist_high, bend_v]: [f64; 4],
        gain: [f64; 2],
    ) -> Option<LeastForm> {
        let Self { grid, jet, u, v } = *self;
        let uv = metric(jet.du, jet.dv);
        let mut along_u = Secants::around(jet.du, jet.dv, &metric);
        let mut along_v = Secants::around(jet.dv, jet.du, &metric);
        grid.secants_u(u, |secant| along_u.see(secant, &metric));
        grid.secants_v(u, v, |secant| along_v.see(secant, &metric));
        let h11 = along_u.least_square() - bend_u + gain[0];
        let h22 = along_v.least_square() - bend_v + gain[1];
        let low = uv - twist_high + along_u.lean[0] + along_v.lean[0];
        let high = uv - twist_low + along_u.lean[1] + along_v.lean[1];
        let off = sqrt(along_u.off * along_v.off);
        let form = LeastForm { uu: h11, vv: h22, uv: [low - off, high + off] };
        form.is_positive().then_some(form)
    }
}

/// Bounds of all secants of a piece along u, or along v, from a place.
struct Secants {
    /// The derivative at the place, that along the other, and the square of the first.
    here: DVec3,
    other: DVec3,
    square: f64,
    /// The least product with the derivative: no vector is shorter than its part along one direction.
    least: f64,
    /// The largest square of a difference from the derivative.
    off: f64,
    /// The least and the largest product of such a difference with the derivative along the other, or 0.
    lean: [f64; 2],
}

impl Secants {
    #[inline(always)]
    fn around(here: DVec3, other: DVec3, metric: &impl Fn(DVec3, DVec3) -> f64) -> Self {
        Self { here, other, square: metric(here, here), least: f64::INFINITY, off: 0.0, lean: [0.0; 2] }
    }

    #[inline(always)]
    fn see(&mut self, secant: DVec3, metric: &impl Fn(DVec3, DVec3) -> f64) {
        let off = secant - self.here;
        self.least = smaller(self.least, self.square + metric(off, self.here));
        self.off = larger(self.off, metric(off, off));
        let lean = metric(off, self.other);
        self.lean = [smaller(self.lean[0], lean), larger(self.lean[1], lean)];
    }

    /// No secant has a smaller square.
    fn least_square(&self) -> f64 {
        if self.least > 0.0 && self.square > 0.0 { self.least * self.least / self.square } else { 0.0 }
    }
}

/// A quadratic form in steps x of u and y of v, uu x² + 2 uv x y + vv y²: with the least uv for steps of the
/// same sign, and the largest for steps of opposite signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastForm {
    pub(super) uu: f64,
    pub(super) vv: f64,
    pub(super) uv: [f64; 2],
}

impl LeastForm {
    fn is_positive(&self) -> bool {
        let Self { uu, vv, uv: [same, opposite] } = *self;
        let uv = larger(-same, opposite);
        uu > 0.0 && vv > 0.0 && uu * vv - uv * uv > 1e-12 * uu * vv
    }

    /// The least k such that no step with a form of 1 goes farther than √k along a way: how far steps of u
    /// and v go is in these ranges.
    pub(super) fn most_along(&self, [u, v]: [[f64; 2]; 2]) -> f64 {
        let mut most = 0.0;
        for (u, is_u) in [(u[1], true), (-u[0], false)] {
            for (v, is_v) in [(v[1], true), (-v[0], false)] {
                let uv = if is_u == is_v { self.uv[0] } else { -self.uv[1] };
                most = larger(most, self.most_of_positive([u, v], uv));
            }
        }
        most
    }

    /// The same of steps of u and v that are not negative, which go that far each.
    fn most_of_positive(&self, [x, y]: [f64; 2], uv: f64) -> f64 {
        let Self { uu, vv, .. } = *self;
        let (by_u, by_v) = (vv * x - uv * y, uu * y - uv * x);
        if by_u > 0.0 && by_v > 0.0 {
            return (x * by_u + y * by_v) / (uu * vv - uv * uv);
        }
        let (x, y) = (larger(x, 0.0), larger(y, 0.0));
        larger(x * x / uu, y * y / vv)
    }
}
