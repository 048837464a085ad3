//! Whether a place that Newton's method has found is the answer for all of a piece.
//!
//! Source: derived in `docs/patches.md`. Error: none is certified wrongly but for rounding. Cost: a pass over
//! the control vectors. Gives up: where the piece bends too much for its bounds; it is cut then.

use glam::DVec3;

use super::approach::{Way, When};
use super::least_form::Place;
use super::probe::{Probe, Stand};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::larger;
use crate::shape::patch::grid::Grid;
use crate::sweep::parts::nearest::towards;

/// How far u and v can go from a place, and what that costs at least: at the end of the range the distance
/// grows at once.
pub(super) struct Ends {
    /// Along ranges at whose ends the place does not lie.
    pub(super) loss: f64,
    /// On the diagonal of a form in steps of u and v.
    pub(super) gain: [f64; 2],
    pub(super) range: [f64; 2],
}

impl Ends {
    /// From u and v and the slopes along them; something is lost already.
    #[inline(always)]
    pub(super) fn of(place: [f64; 2], slopes: [f64; 2], lost: f64) -> Self {
        let mut ends = Self { loss: lost, gain: [0.0; 2], range: [0.0; 2] };
        for (i, (x, slope)) in place.into_iter().zip(slopes).enumerate() {
            ends.range[i] = x.max(1.0 - x);
            if is_held(x, slope) {
                ends.gain[i] = 2.0 * slope.abs() / ends.range[i];
            } else {
                ends.loss += slope.abs() * ends.range[i];
            }
        }
        ends
    }

    /// Spreads what is to spare over the ranges of u and v.
    #[inline(always)]
    pub(super) fn spread(&mut self, room: f64) {
        for (gain, range) in self.gain.iter_mut().zip(self.range) {
            *gain += 0.5 * room / (range * range);
        }
    }
}

/// Whether a coordinate stays at the end of its range where it is, as the distance falls beyond it.
pub(super) fn is_held(x: f64, slope: f64) -> bool {
    (x <= 0.0 && slope >= 0.0) || (x >= 1.0 && slope <= 0.0)
}

impl Stand {
    /// Whether all of a piece lies behind the plane through the foot square to the arm, and the mover in
    /// front of it: what bends away from the mover, and edges and points, which have no second derivatives.
    fn is_above<const N: usize>(&self, grid: &Grid<N>, probe: &Probe, radius: f64, when: When) -> bool {
        let distance = self.distance();
        let rate = self.arm.dot(probe.ball.translation);
        let lost = match when {
            When::Before => rate.max(0.0),
            When::After => (-rate).max(0.0),
            When::Always => rate.abs(),
            When::Now => 0.0,
        };
        let mut highest = 0.0f64;
        grid.visit(|p| highest = larger(highest, self.arm.dot(p - self.jet.point)));
        highest + lost <= (distance - radius) * distance
    }

    /// The same by the halves of a piece in a plane on either side of a foot on its edge. Where the edge
    /// bends away, the control points between its ends are in front of that plane, but those of the halves
    /// are not. Of other pieces the form below tells as much.
    fn is_above_halves<const N: usize>(
        &self,
        grid: &Grid<N>,
        probe: &Probe,
        radius: f64,
        when: When,
    ) -> bool {
        let is_inner = |x: f64| x > 0.0 && x < 1.0;
        let is_inner = [self.u, self.v].map(is_inner);
        if is_inner[0] == is_inner[1] || !is_planar(grid) {
            return false;
        }
        let (low, high) = if is_inner[0] { grid.split_u(self.u) } else { grid.split_v(self.v) };
        self.is_above(&low, probe, radius, when) && self.is_above(&high, probe, radius, when)
    }

    /// Whether the mover stays farther than a radius from all of a piece in these times: the certificate.
    ///
    /// With y = S(u, v) − S(here) = a Δu + b Δv, a and b in the hulls of the derivatives' control vectors,
    /// and s the distance that the center goes, |arm − y + s·d|² is the squared distance of any pair. It is
    /// bounded from below by a quadratic form in Δu and Δv of control vectors alone: first without what of y
    /// is along the way, so that s does not count; then with all of y, as [`Way`] has it.
    /// (`docs/patches.md`)
    pub(super) fn is_clear<const N: usize>(
        &self,
        grid: &Grid<N>,
        probe: &Probe,
        radius: f64,
        when: When,
    ) -> bool {
        let Self { arm, metric, .. } = self;
        let translation = probe.ball.translation;
        // Of a point that touches, the arm is rounding: that nothing else of the piece is as near is all
        // there is to show.
        let is_root = when == When::Before && arm.length_squared() <= 256.0 * probe.rounding * probe.rounding;
        if is_root && probe.half_axis == DVec3::ZERO {
            return self.is_crossed_first(grid, probe) || self.is_only_crossing(grid, translation);
        }
        if self.is_above(grid, probe, radius, when) || self.is_above_halves(grid, probe, radius, when) {
            return true;
        }
        let slopes = self.slopes();
        let mut ends = Ends::of([self.u, self.v], slopes, 0.0);
        let room = if is_root { 0.0 } else { arm.length_squared() - radius * radius - 2.0 * ends.loss };
        if !(room >= 0.0) {
            return false;
        }
        // A surface that goes straight along a capsule is nowhere farther off than where it touches: a form
        // without length there is rounding, and half of the room is enough for it.
        let spare = 0.5 * room.min(4.0 * radius * probe.rounding);
        let room = room - spare;
        ends.spread(spare);
        let Ends { gain, .. } = ends;
        let place = Place { grid, jet: &self.jet, u: self.u, v: self.v };
        let bends = place.bends(*arm);
        let way = Way::of(self, translation, when);
        // Seen along the way: what stays apart there does so at all times.
        if when != When::Now
            && way.squared > 1e-12 * translation.length_squared()
            && (is_root || room + 2.0 * way.rate.min(0.0) >= 0.0)
        {
            let inverse = 1.0 / way.squared;
            let across = |a: DVec3, b: DVec3| {
                metric.of(a, b) - metric.of(a, translation) * metric.of(b, translation) * inverse
            };
            if place.least_form(across, bends, gain).is_some() {
                return true;
            }
        }
        if is_root {
            return false;
        }
        let Some(form) = place.least_form(|a, b| metric.of(a, b), bends, gain) else {
            return false;
        };
        if when == When::Now || translation == DVec3::ZERO {
            return true;
        }
        way.is_clear(&place, *metric, &form, room)
    }

    /// Whether all of a piece lies behind its tangent plane here, where a point comes from the front.
    fn is_crossed_first<const N: usize>(&self, grid: &Grid<N>, probe: &Probe) -> bool {
        let Some(normal) = self.normal() else { return false };
        let normal = towards(normal, -probe.ball.translation);
        let mut highest = 0.0f64;
        grid.visit(|p| highest = larger(highest, normal.dot(p - self.jet.point)));
        highest <= probe.rounding
    }

    /// Whether no line along the way crosses a piece twice: it does not if no vector of either hull of the
    /// first derivatives lies in one plane with the way and one of the other hull. The product of the three
    /// is linear in each, so those of the control vectors decide.
    fn is_only_crossing<const N: usize>(&self, grid: &Grid<N>, translation: DVec3) -> bool {
        let here = self.jet.du.cross(self.jet.dv).dot(translation);
        let side = if here < 0.0 { -translation } else { translation };
        let sizes = reach(self.jet.du) * reach(self.jet.dv) * reach(translation);
        let least = here.abs() * 1e-6 + 64.0 * UNIT_ROUNDOFF * sizes;
        let mut is_only = true;
        grid.secants_v(self.u, self.v, |b| {
            let across = b.cross(side);
            grid.secants_u(self.u, |a| is_only &= a.dot(across) > least);
        });
        is_only
    }
}

/// Whether the control points of a piece lie in one plane, but for rounding.
fn is_planar<const N: usize>(grid: &Grid<N>) -> bool {
    let [a, b, c, d] = grid.corners();
    let normal = (d - a).cross(b - c);
    let [low, high] = grid.heights(normal);
    high - low <= 64.0 * UNIT_ROUNDOFF * reach(normal) * grid.reach()
}
