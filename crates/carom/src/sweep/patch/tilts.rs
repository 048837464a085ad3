//! Whether a place where the sides of a box meet a piece is the answer for all of the piece.
//!
//! Source: derived in `docs/patches.md`, cuboids. Any sum of sides with weights that are not negative and a
//! rate that is not is a direction along which the box cannot have been nearer; the sum at the place is the
//! mean of some of those, and with how much they differ it bounds the best of them from below (Bhatia and
//! Davis, *A better bound on the variance*, 2000). Error: none is certified wrongly but for rounding. Cost: a
//! pass over the control vectors. Gives up: where the piece bends too much for its bounds; it is cut then.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::certify::Ends;
use super::least_form::Place;
use super::sides::{Meeting, SIDES, Sides, side_normal};
use crate::num::ops::{larger, smaller};
use crate::shape::patch::grid::Grid;

/// A direction in which the box cannot have been nearer, made of sides, and its share of their mean.
struct Tilt {
    direction: DVec3,
    /// Of the weights of its sides.
    sum: f64,
    share: f64,
}

/// By how much the box may be nearer, and along which way it goes on from the place: not at all, if the place
/// is where it is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leeway {
    pub(super) spare: f64,
    pub(super) way: DVec3,
}

impl Meeting {
    /// Directions of which [`Self::normal`] is the mean.
    fn tilts(&self, sides: &Sides) -> ArrayVec<Tilt, SIDES> {
        let mut tilts = ArrayVec::new();
        let touching = |comes: bool| {
            (0..SIDES).filter(move |side| self.weights[*side] > 0.0 && (sides.rate(*side) > 0.0) == comes)
        };
        let (mut ahead, mut sum, mut rate) = (DVec3::ZERO, 0.0, 0.0);
        for side in touching(true) {
            ahead += side_normal(side) * self.weights[side];
            sum += self.weights[side];
            rate += self.weights[side] * sides.rate(side);
        }
        (ahead, sum) = (ahead / rate, sum / rate);
        let leaving = touching(false).count();
        // Half of the mean is of sides that leave, each balanced by those that come.
        let rest = if leaving == 0 { 1.0 } else { 0.5 };
        for side in touching(false) {
            let share = 0.5 / leaving as f64;
            let weight = self.weights[side] / share;
            let back = -sides.rate(side);
            tilts.push(Tilt {
                direction: ahead + (side_normal(side) + ahead * back) * weight,
                sum: sum + (1.0 + sum * back) * weight,
                share,
            });
        }
        for side in touching(true) {
            let own = sides.rate(side);
            let share = rest * self.weights[side] * own / rate;
            tilts.push(Tilt { direction: side_normal(side) / own, sum: 1.0 / own, share });
        }
        tilts
    }

    /// Whether the box comes no nearer to any of the piece than to this place, but for the leeway.
    ///
    /// With y from the place to anywhere, n the normal, wᵢ the tilts and θᵢ their shares, the largest of wᵢ·y
    /// is at least n·y + Σθᵢ((wᵢ − n)·y)²/Y, where Y bounds (n − wᵢ)·y over the piece. It must not be below
    /// what may be lost: a quadratic form in Δu and Δv, as for round movers.
    pub(super) fn is_clear<const N: usize>(&self, grid: &Grid<N>, sides: &Sides, leeway: Leeway) -> bool {
        let Leeway { spare, way } = leeway;
        let normal = self.normal();
        let here = self.jet.point;
        let lost = normal.dot(way).max(0.0);
        let mut lowest = 0.0f64;
        grid.visit(|p| lowest = smaller(lowest, normal.dot(p - here)));
        if lowest - lost >= -spare * self.weight() {
            return true;
        }
        let mut tilts = self.tilts(sides);
        let least = tilts.iter().fold(self.weight(), |least, tilt| smaller(least, tilt.sum));
        let slopes = [normal.dot(self.jet.du), normal.dot(self.jet.dv)];
        let mut ends = Ends::of([self.u, self.v], slopes, lost);
        let room = 2.0 * (spare * least - ends.loss);
        if !(room >= 0.0) {
            return false;
        }
        ends.spread(room);
        let gain = ends.gain;
        let place = Place { grid, jet: &self.jet, u: self.u, v: self.v };
        let bends = place.bends(-normal);
        let is_above = |form: DMat3| place.least_form(|a, b| a.dot(form * b), bends, gain).is_some();
        if is_above(Self::spread(&tilts, normal, grid, (here, way))) {
            return true;
        }
        // With tilts that the box leaves as well, all of its way is behind them.
        let rate = normal.dot(way);
        if !(rate < 0.0) {
            return false;
        }
        let mut shares = 0.0;
        for tilt in &mut tilts {
            let lean = tilt.direction - normal;
            let kept = if lean.dot(way) > -rate { -rate / lean.dot(way) } else { 1.0 };
            tilt.direction = normal + lean * kept;
            tilt.share /= kept;
            shares += tilt.share;
        }
        is_above(Self::spread(&tilts, normal, grid, (here, DVec3::ZERO)) * (1.0 / shares))
    }

    /// Twice Σθᵢ((wᵢ − n)·y)²/Y as a form in y, seen along the way.
    fn spread<const N: usize>(
        tilts: &[Tilt],
        normal: DVec3,
        grid: &Grid<N>,
        (here, way): (DVec3, DVec3),
    ) -> DMat3 {
        let mut form = DMat3::ZERO;
        let mut most = 0.0f64;
        for tilt in tilts {
            let lean = normal - tilt.direction;
            let along = larger(-lean.dot(way), 0.0);
            grid.visit(|p| most = larger(most, lean.dot(p - here) + along));
            form += DMat3::from_cols(lean * lean.x, lean * lean.y, lean * lean.z) * tilt.share;
        }
        if !(most > 0.0) {
            return DMat3::ZERO;
        }
        form *= 2.0 / most;
        let seen = form * way;
        let squared = way.dot(seen);
        if squared > 1e-12 * (form.x_axis.x + form.y_axis.y + form.z_axis.z) * way.length_squared() {
            form -= DMat3::from_cols(seen * seen.x, seen * seen.y, seen * seen.z) * (1.0 / squared);
        }
        form
    }
}
