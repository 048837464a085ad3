//! A square of control points: the arithmetic of Bézier patches.
//!
//! Source: de Casteljau's algorithm; Farin, *Curves and Surfaces for CAGD*, 4 and 16. Error: a split moves no
//! point of the surface by more than 2 unit roundoffs of the largest coordinate; a point by Bernstein weights
//! is accurate to 12. Cost of a jet: 60 products of vectors at degree 2, 110 at degree 3. Never fails.

use glam::DVec3;

use crate::num::ops::{larger, smaller, sqrt};

/// Control points in rows of v; `N` is one more than the degree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid<const N: usize>(pub(crate) [[DVec3; N]; N]);

/// A point of the surface and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet {
    pub(crate) point: DVec3,
    pub(crate) du: DVec3,
    pub(crate) dv: DVec3,
    pub(crate) duu: DVec3,
    pub(crate) duv: DVec3,
    pub(crate) dvv: DVec3,
}

/// Bounds of the second derivatives over all of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bends {
    pub(crate) uu: f64,
    pub(crate) uv: f64,
    pub(crate) vv: f64,
}

/// The weights of the control points along one side, and their derivatives.
type Weights<const N: usize> = [[f64; N]; 3];

#[inline(always)]
fn weights<const N: usize>(t: f64) -> Weights<N> {
    let s = 1.0 - t;
    let mut all = [[0.0; N]; 3];
    if N == 3 {
        let rows = [[s * s, 2.0 * s * t, t * t], [-2.0 * s, 2.0 * (s - t), 2.0 * t], [2.0, -4.0, 2.0]];
        for (row, from) in all.iter_mut().zip(rows) {
            row[..3].copy_from_slice(&from);
        }
    } else {
        let rows = [
            [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t],
            [-3.0 * s * s, 3.0 * s * (s - 2.0 * t), 3.0 * t * (2.0 * s - t), 3.0 * t * t],
            [6.0 * s, 6.0 * (t - 2.0 * s), 6.0 * (s - 2.0 * t), 6.0 * t],
        ];
        for (row, from) in all.iter_mut().zip(rows) {
            row[..4].copy_from_slice(&from);
        }
    }
    all
}

#[inline(always)]
fn blend<const N: usize>(weights: &[f64; N], points: &[DVec3; N]) -> DVec3 {
    let mut sum = points[0] * weights[0];
    for i in 1..N {
        sum += points[i] * weights[i];
    }
    sum
}

/// The halves of a curve at a share of it.
fn split<const N: usize>(points: &[DVec3; N], t: f64) -> ([DVec3; N], [DVec3; N]) {
    let (mut low, mut high, mut row) = (*points, *points, *points);
    for level in 1..N {
        for i in 0..N - level {
            row[i] = if t == 0.5 { (row[i] + row[i + 1]) * 0.5 } else { row[i] * (1.0 - t) + row[i + 1] * t };
        }
        low[level] = row[0];
        high[N - 1 - level] = row[N - 1 - level];
    }
    (low, high)
}

/// Visits vectors whose hull holds the secants of a curve from a place on it: the mean of its rate from
/// there to any other. By its blossom, the mean of a rate of degree m has the share 1/(m + 1) of the rate at
/// the place, and the rest lies in the hull of the control vectors.
#[inline(always)]
fn secants<const N: usize>(points: &[DVec3; N], t: f64, visit: &mut impl FnMut(DVec3)) {
    let degree = (N - 1) as f64;
    let [_, rates, _] = weights::<N>(t);
    let fixed = blend(&rates, points) / degree;
    for i in 0..N - 1 {
        visit(fixed + (points[i + 1] - points[i]) * (degree - 1.0));
    }
}

impl<const N: usize> Grid<N> {
    /// Every control point through a map.
    #[inline(always)]
    pub(crate) fn map(&self, map: impl Fn(DVec3) -> DVec3) -> Self {
        let mut all = *self;
        for row in &mut all.0 {
            for p in row {
                *p = map(*p);
            }
        }
        all
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.0.iter().flatten().copied()
    }

    /// Visits the control points in the same order: faster than their iterator.
    #[inline(always)]
    pub(crate) fn visit(&self, mut visit: impl FnMut(DVec3)) {
        for row in &self.0 {
            for p in row {
                visit(*p);
            }
        }
    }

    /// The box around the control points.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let (mut low, mut high) = (self.0[0][0], self.0[0][0]);
        self.visit(|p| {
            low = low.min(p);
            high = high.max(p);
        });
        [low, high]
    }

    /// The least and the greatest height of the control points along a normal.
    #[inline(always)]
    pub(crate) fn heights(&self, normal: DVec3) -> [f64; 2] {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        self.visit(|p| {
            let height = normal.dot(p);
            low = smaller(low, height);
            high = larger(high, height);
        });
        [low, high]
    }

    /// The corners at (0, 0), (1, 0), (0, 1) and (1, 1).
    #[inline(always)]
    pub(crate) fn corners(&self) -> [DVec3; 4] {
        [self.0[0][0], self.0[0][N - 1], self.0[N - 1][0], self.0[N - 1][N - 1]]
    }

    /// The surface at a place.
    pub(crate) fn at(&self, u: f64, v: f64) -> DVec3 {
        let [across, ..] = weights::<N>(u);
        let [down, ..] = weights::<N>(v);
        blend(&down, &self.0.map(|row| blend(&across, &row)))
    }

    /// The surface at a place, with its derivatives.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "a column of three rows of weights")]
    pub(crate) fn jet(&self, u: f64, v: f64) -> Jet {
        let across = weights::<N>(u);
        let down = weights::<N>(v);
        // No iterators over arrays: they are calls.
        let row = |j: usize| {
            let points = &self.0[j];
            (blend(&across[0], points), blend(&across[1], points), blend(&across[2], points))
        };
        let (value, rate, bend) = row(0);
        let mut jet = Jet {
            point: value * down[0][0],
            du: rate * down[0][0],
            dv: value * down[1][0],
            duu: bend * down[0][0],
            duv: rate * down[1][0],
            dvv: value * down[2][0],
        };
        for j in 1..N {
            let (value, rate, bend) = row(j);
            jet.point += value * down[0][j];
            jet.du += rate * down[0][j];
            jet.dv += value * down[1][j];
            jet.duu += bend * down[0][j];
            jet.duv += rate * down[1][j];
            jet.dvv += value * down[2][j];
        }
        jet
    }

    /// The same with first derivatives only; the second ones are zero.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "a column of three rows of weights")]
    pub(crate) fn jet_of_rates(&self, u: f64, v: f64) -> Jet {
        let [value, rate, _] = weights::<N>(u);
        let down = weights::<N>(v);
        let zero = DVec3::ZERO;
        let mut jet = Jet { point: zero, du: zero, dv: zero, duu: zero, duv: zero, dvv: zero };
        for j in 0..N {
            let point = blend(&value, &self.0[j]);
            jet.point += point * down[0][j];
            jet.du += blend(&rate, &self.0[j]) * down[0][j];
            jet.dv += point * down[1][j];
        }
        jet
    }

    /// The parts below and above a share of u.
    pub(crate) fn split_u(&self, t: f64) -> (Self, Self) {
        let (mut low, mut high) = (*self, *self);
        for (j, row) in self.0.iter().enumerate() {
            (low.0[j], high.0[j]) = split(row, t);
        }
        (low, high)
    }

    /// The parts below and above a share of v.
    pub(crate) fn split_v(&self, t: f64) -> (Self, Self) {
        let (mut low, mut high) = (*self, *self);
        for i in 0..N {
            let column: [DVec3; N] = core::array::from_fn(|j| self.0[j][i]);
            let (below, above) = split(&column, t);
            for j in 0..N {
                low.0[j][i] = below[j];
                high.0[j][i] = above[j];
            }
        }
        (low, high)
    }

    /// Visits the control vectors of the first derivative along u: that is nowhere outside their hull.
    #[inline(always)]
    pub(crate) fn rates_u(&self, mut visit: impl FnMut(DVec3)) {
        let degree = (N - 1) as f64;
        for row in &self.0 {
            for i in 0..N - 1 {
                visit((row[i + 1] - row[i]) * degree);
            }
        }
    }

    /// The same along v.
    #[inline(always)]
    pub(crate) fn rates_v(&self, mut visit: impl FnMut(DVec3)) {
        let degree = (N - 1) as f64;
        for j in 0..N - 1 {
            for i in 0..N {
                visit((self.0[j + 1][i] - self.0[j][i]) * degree);
            }
        }
    }

    /// Visits vectors whose hull holds all secants along u from a place: with one of these a and one of
    /// [`Self::secants_v`] b, S(u + Δu, v + Δv) − S(u, v) = a Δu + b Δv.
    #[inline(always)]
    pub(crate) fn secants_u(&self, u: f64, mut visit: impl FnMut(DVec3)) {
        for row in &self.0 {
            secants(row, u, &mut visit);
        }
    }

    /// The same along v.
    #[inline(always)]
    pub(crate) fn secants_v(&self, u: f64, v: f64, mut visit: impl FnMut(DVec3)) {
        let [across, ..] = weights::<N>(u);
        secants(&self.0.map(|row| blend(&across, &row)), v, &mut visit);
    }

    /// The control vectors of the second derivative along u.
    #[inline(always)]
    pub(crate) fn bends_uu(&self, mut visit: impl FnMut(DVec3)) {
        let factor = ((N - 1) * (N - 2)) as f64;
        for row in &self.0 {
            for i in 0..N - 2 {
                visit(((row[i + 2] - row[i + 1]) - (row[i + 1] - row[i])) * factor);
            }
        }
    }

    /// The same along v.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "a column of three rows")]
    pub(crate) fn bends_vv(&self, mut visit: impl FnMut(DVec3)) {
        let factor = ((N - 1) * (N - 2)) as f64;
        let rows = &self.0;
        for j in 0..N - 2 {
            for i in 0..N {
                visit(((rows[j + 2][i] - rows[j + 1][i]) - (rows[j + 1][i] - rows[j][i])) * factor);
            }
        }
    }

    /// The same along both.
    #[inline(always)]
    pub(crate) fn bends_uv(&self, mut visit: impl FnMut(DVec3)) {
        let factor = ((N - 1) * (N - 1)) as f64;
        let rows = &self.0;
        for j in 0..N - 1 {
            for i in 0..N - 1 {
                visit(((rows[j + 1][i + 1] - rows[j + 1][i]) - (rows[j][i + 1] - rows[j][i])) * factor);
            }
        }
    }

    /// Bounds of the second derivatives.
    pub(crate) fn bends(&self) -> Bends {
        let [mut uu, mut uv, mut vv] = [0.0f64; 3];
        // Written so that a NaN stays.
        let longer = |most: &mut f64, v: DVec3| {
            let squared = v.length_squared();
            *most = if squared <= *most { *most } else { squared };
        };
        self.bends_uu(|v| longer(&mut uu, v));
        self.bends_uv(|v| longer(&mut uv, v));
        self.bends_vv(|v| longer(&mut vv, v));
        Bends { uu: sqrt(uu), uv: sqrt(uv), vv: sqrt(vv) }
    }

    /// Bounds of the second derivatives along a unit vector.
    pub(crate) fn bends_along(&self, direction: DVec3) -> Bends {
        let mut bends = Bends { uu: 0.0, uv: 0.0, vv: 0.0 };
        self.bends_uu(|v| bends.uu = larger(bends.uu, direction.dot(v).abs()));
        self.bends_uv(|v| bends.uv = larger(bends.uv, direction.dot(v).abs()));
        self.bends_vv(|v| bends.vv = larger(bends.vv, direction.dot(v).abs()));
        bends
    }

    /// No coordinate of a control point, less its place, is larger.
    pub(crate) fn reach(&self) -> f64 {
        let mut most = 0.0;
        self.visit(|p| most = larger(most, crate::num::bound::reach(p)));
        most
    }
}

impl Bends {
    /// How far the surface is from the two triangles between its corners, at most.
    ///
    /// Source: D. Filip, R. Magedson and R. Markot, *Surface algorithms using bounds on derivatives*, 1986.
    #[inline(always)]
    pub(crate) fn flatness(&self) -> f64 {
        (self.uu + 2.0 * self.uv + self.vv) * 0.125
    }

    /// The same for the cells of a patch cut into `across` by `down` of them.
    pub(crate) fn flatness_of_cells(&self, across: f64, down: f64) -> f64 {
        (self.uu / (across * across) + 2.0 * self.uv / (across * down) + self.vv / (down * down)) * 0.125
    }
}
