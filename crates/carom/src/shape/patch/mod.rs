//! Bézier patches: curved surfaces of degree 2 (Quake III) and 3 (the teapot), and nets of them.
//!
//! Source: Farin, *Curves and Surfaces for CAGD*; `docs/patches.md`. Error: points and derivatives are
//! accurate to 12 unit roundoffs of the largest coordinate. Never fails: a patch of no area is the curve or
//! the point that it is.

pub(crate) mod grid;
mod net;
mod tessellation;

use alloc::vec::Vec;

use glam::DVec3;

pub use net::PatchNet;
pub use tessellation::Tessellation;

use super::{Aabb, ShapeError, finite};
use crate::num::ops::sqrt;
use grid::Grid;

/// A curved surface S(u, v), u and v from 0 to 1: a tensor product of Bézier curves of degree 2 or 3.
///
/// ```
/// use carom::shape::BezierPatch;
/// use glam::dvec3;
/// // A quarter of a pipe of radius 1 along z, nearly.
/// let arc = |z: f64| [dvec3(1.0, 0.0, z), dvec3(1.0, 1.0, z), dvec3(0.0, 1.0, z)];
/// let patch = BezierPatch::quadratic([arc(0.0), arc(1.0), arc(2.0)])?;
/// assert_eq!(patch.point(0.5, 0.5), dvec3(0.75, 0.75, 1.0));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BezierPatch {
    pub(crate) form: Form,
}

/// By degree. A patch of degrees 2 and 3 is held as one of degree 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Quadratic(Grid<3>),
    Cubic(Grid<4>),
}

/// The same expression for either degree.
macro_rules! of_either {
    ($patch:expr, $grid:ident => $answer:expr) => {
        match &$patch.form {
            Form::Quadratic($grid) => $answer,
            Form::Cubic($grid) => $answer,
        }
    };
}

impl BezierPatch {
    /// A patch of degree 2 from 3 rows of 3 control points, in meters: u runs along a row, v from row to row.
    ///
    /// # Errors
    /// A control point that is not finite.
    pub fn quadratic(points: [[DVec3; 3]; 3]) -> Result<Self, ShapeError> {
        Ok(Self { form: Form::Quadratic(checked(points)?) })
    }

    /// A patch of degree 3 from 4 rows of 4 control points, in meters.
    ///
    /// # Errors
    /// A control point that is not finite.
    pub fn cubic(points: [[DVec3; 4]; 4]) -> Result<Self, ShapeError> {
        Ok(Self { form: Form::Cubic(checked(points)?) })
    }

    /// A patch of degree 2 or 3 along u and along v, from rows of control points.
    ///
    /// # Errors
    /// Another degree, a number of points that is not (degree + 1) along u times (degree + 1) along v, a
    /// point that is not finite.
    pub fn new(degrees: [usize; 2], points: &[DVec3]) -> Result<Self, ShapeError> {
        if let Some(degree) = degrees.into_iter().find(|degree| !(2..=3).contains(degree)) {
            return Err(ShapeError::Degree(degree));
        }
        let [across, down] = degrees.map(|degree| degree + 1);
        if points.len() != across * down {
            return Err(ShapeError::ControlPoints { expected: across * down, found: points.len() });
        }
        let at = |i: usize, j: usize| points[j * across + i];
        if degrees == [2, 2] {
            return Self::quadratic(core::array::from_fn(|j| core::array::from_fn(|i| at(i, j))));
        }
        // The lower degree raised: the same surface.
        let row = |j: usize| -> [DVec3; 4] {
            match across {
                3 => raised([at(0, j), at(1, j), at(2, j)]),
                _ => core::array::from_fn(|i| at(i, j)),
            }
        };
        let rows: [[DVec3; 4]; 4] = if down == 3 {
            let given = [row(0), row(1), row(2)];
            let columns: [[DVec3; 4]; 4] = core::array::from_fn(|i| raised(given.map(|row| row[i])));
            core::array::from_fn(|j| columns.map(|column| column[j]))
        } else {
            core::array::from_fn(row)
        };
        Self::cubic(rows)
    }

    /// Its degree: 3 if it is 3 either way.
    pub fn degree(&self) -> usize {
        match &self.form {
            Form::Quadratic(_) => 2,
            Form::Cubic(_) => 3,
        }
    }

    /// The control points, row by row.
    pub fn control_points(&self) -> Vec<DVec3> {
        of_either!(self, grid => grid.points().collect())
    }

    /// The point at (u, v).
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        of_either!(self, grid => grid.at(u, v))
    }

    /// The derivatives along u and v.
    pub fn derivatives(&self, u: f64, v: f64) -> [DVec3; 2] {
        let jet = of_either!(self, grid => grid.jet(u, v));
        [jet.du, jet.dv]
    }

    /// The unit normal at (u, v), ∂S/∂u × ∂S/∂v. Where an edge is drawn together to a point it is the limit
    /// from the middle of the patch; `None` where there is none, as on a patch without area.
    pub fn normal(&self, u: f64, v: f64) -> Option<DVec3> {
        of_either!(self, grid => grid.normal(u, v))
    }

    /// The box around the control points: all of the surface lies in it.
    pub fn bounds(&self) -> Aabb {
        let bounds = of_either!(self, grid => Aabb::enclosing(grid.points()));
        bounds.unwrap_or_else(|| unreachable!("control points are finite"))
    }

    /// The diagonal of its bounds in meters: the length that tolerances are a share of.
    pub fn size(&self) -> f64 {
        let bounds = self.bounds();
        sqrt((bounds.max() - bounds.min()).length_squared())
    }

    /// How far the surface is from the two triangles between its corners, in meters, at most.
    pub fn flatness(&self) -> f64 {
        of_either!(self, grid => grid.bends()).flatness()
    }

    /// The parts with u below and above a share of it, each a patch of its own with u from 0 to 1.
    pub fn split_u(&self, at: f64) -> (Self, Self) {
        match &self.form {
            Form::Quadratic(grid) => both(grid.split_u(at), Form::Quadratic),
            Form::Cubic(grid) => both(grid.split_u(at), Form::Cubic),
        }
    }

    /// The parts with v below and above a share of it.
    pub fn split_v(&self, at: f64) -> (Self, Self) {
        match &self.form {
            Form::Quadratic(grid) => both(grid.split_v(at), Form::Quadratic),
            Form::Cubic(grid) => both(grid.split_v(at), Form::Cubic),
        }
    }

    /// Triangles that no point of the surface is farther from than `tolerance`, in meters.
    ///
    /// # Errors
    /// A tolerance that is not finite and greater than 0.
    pub fn tessellate(&self, tolerance: f64) -> Result<Tessellation, ShapeError> {
        Tessellation::of(&[*self], [1, 1], tolerance)
    }

    /// The same patch in lengths `factor` times as large.
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        let form = match &self.form {
            Form::Quadratic(grid) => Form::Quadratic(grid.map(|p| p * factor)),
            Form::Cubic(grid) => Form::Cubic(grid.map(|p| p * factor)),
        };
        Self { form }
    }
}

fn both<const N: usize>(
    (low, high): (Grid<N>, Grid<N>),
    form: impl Fn(Grid<N>) -> Form,
) -> (BezierPatch, BezierPatch) {
    (BezierPatch { form: form(low) }, BezierPatch { form: form(high) })
}

fn checked<const N: usize>(mut points: [[DVec3; N]; N]) -> Result<Grid<N>, ShapeError> {
    for point in points.iter_mut().flatten() {
        *point = finite(*point, "control point")?;
    }
    Ok(Grid(points))
}

/// A curve of degree 2 as one of degree 3.
fn raised([a, b, c]: [DVec3; 3]) -> [DVec3; 4] {
    [a, (a + b * 2.0) / 3.0, (c + b * 2.0) / 3.0, c]
}

impl<const N: usize> Grid<N> {
    /// Like [`BezierPatch::normal`] has it.
    pub(crate) fn normal(&self, u: f64, v: f64) -> Option<DVec3> {
        let mut size = 0.0f64;
        self.rates_u(|rate| size = size.max(rate.length_squared()));
        self.rates_v(|rate| size = size.max(rate.length_squared()));
        let (mut u, mut v) = (u, v);
        // Towards the middle, in steps that square the last: the normal is a quotient of polynomials, so a
        // step too small to see shows its limit.
        for share in [0.0, 1e-6, 1e-3] {
            u += (0.5 - u) * share;
            v += (0.5 - v) * share;
            let jet = self.jet(u, v);
            let normal = jet.du.cross(jet.dv);
            let squared = normal.length_squared();
            // Rounding leaves some unit roundoffs of the sides.
            if squared > size * size * 1e-26 {
                return Some(normal / sqrt(squared));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn saddle() -> BezierPatch {
        let at = |i: usize, j: usize| {
            let (x, z) = (i as f64, j as f64);
            dvec3(x, 0.3 * (x - 1.0) * (z - 1.2) + 0.1 * x * x, z + 0.1 * x)
        };
        BezierPatch::new([2, 3], &(0..12).map(|k| at(k % 3, k / 3)).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn raising_the_degree_changes_no_point() {
        let rows = [0.0, 1.0, 2.0].map(|z| [dvec3(1.0, 0.0, z), dvec3(1.0, 1.0 + z, z), dvec3(0.0, 1.0, z)]);
        let quadratic = BezierPatch::quadratic(rows).unwrap();
        let columns = rows.map(raised);
        let cubic: [[DVec3; 4]; 4] = {
            let across: [[DVec3; 4]; 4] = core::array::from_fn(|i| raised(columns.map(|row| row[i])));
            core::array::from_fn(|j| across.map(|column| column[j]))
        };
        let cubic = BezierPatch::cubic(cubic).unwrap();
        for (u, v) in [(0.0, 0.0), (0.25, 0.7), (1.0, 0.3), (0.9, 1.0)] {
            assert!((quadratic.point(u, v) - cubic.point(u, v)).length() < 1e-14);
        }
        assert_eq!((quadratic.degree(), cubic.degree(), saddle().degree()), (2, 3, 3));
    }

    #[test]
    fn parts_are_the_same_surface() {
        let patch = saddle();
        for at in [0.5, 0.3] {
            let (low, high) = patch.split_u(at);
            for (s, v) in [(0.0, 0.2), (0.5, 0.9), (1.0, 0.4)] {
                assert!((low.point(s, v) - patch.point(s * at, v)).length() < 1e-14);
                assert!((high.point(s, v) - patch.point(at + s * (1.0 - at), v)).length() < 1e-14);
            }
            let (low, high) = patch.split_v(at);
            assert!((low.point(0.3, 0.5) - patch.point(0.3, 0.5 * at)).length() < 1e-14);
            assert!((high.point(0.3, 0.5) - patch.point(0.3, at + 0.5 * (1.0 - at))).length() < 1e-14);
        }
    }

    #[test]
    fn derivatives_are_the_slopes_of_the_points() {
        for patch in [saddle(), BezierPatch::new([2, 2], &saddle().control_points()[..9]).unwrap()] {
            let (u, v, h) = (0.37, 0.61, 1e-6);
            let [du, dv] = patch.derivatives(u, v);
            let slope_u = (patch.point(u + h, v) - patch.point(u - h, v)) / (2.0 * h);
            let slope_v = (patch.point(u, v + h) - patch.point(u, v - h)) / (2.0 * h);
            assert!((du - slope_u).length() < 1e-8 && (dv - slope_v).length() < 1e-8);
            let jet = match &patch.form {
                Form::Quadratic(grid) => grid.jet(u, v),
                Form::Cubic(grid) => grid.jet(u, v),
            };
            let bend = (patch.derivatives(u, v + h)[0] - patch.derivatives(u, v - h)[0]) / (2.0 * h);
            assert!((jet.duv - bend).length() < 1e-7);
            let bend = (patch.derivatives(u + h, v)[0] - patch.derivatives(u - h, v)[0]) / (2.0 * h);
            assert!((jet.duu - bend).length() < 1e-7);
            let bend = (patch.derivatives(u, v + h)[1] - patch.derivatives(u, v - h)[1]) / (2.0 * h);
            assert!((jet.dvv - bend).length() < 1e-7);
        }
    }

    #[test]
    fn the_normal_at_a_collapsed_edge_is_the_limit() {
        // A cap: all of the first row is one point, at the top.
        let row = |r: f64, y: f64| [dvec3(r, y, 0.0), dvec3(r, y, r), dvec3(0.0, y, r)];
        let patch = BezierPatch::quadratic([row(0.0, 1.0), row(1.0, 1.0), row(1.0, 0.0)]).unwrap();
        let normal = patch.normal(0.4, 0.0).unwrap();
        assert!((normal.y.abs() - 1.0).abs() < 1e-5, "{normal}");
        let flat = BezierPatch::quadratic([[DVec3::X, DVec3::Y, DVec3::Z]; 3]).unwrap();
        assert_eq!(flat.normal(0.5, 0.5), None);
    }

    #[test]
    fn refused_by_name() {
        assert_eq!(BezierPatch::new([1, 2], &[]), Err(ShapeError::Degree(1)));
        let points = [DVec3::ZERO; 9];
        assert_eq!(
            BezierPatch::new([3, 3], &points),
            Err(ShapeError::ControlPoints { expected: 16, found: 9 })
        );
        let mut points = points;
        points[4] = DVec3::NAN;
        assert_eq!(BezierPatch::new([2, 2], &points), Err(ShapeError::NotFinite("control point")));
    }
}
