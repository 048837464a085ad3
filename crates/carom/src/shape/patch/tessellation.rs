//! Curved patches as triangles, to a stated error.
//!
//! Source: D. Filip, R. Magedson and R. Markot, *Surface algorithms using bounds on derivatives*, 1986: a
//! surface over a cell of 1/n by 1/m is no farther from its two triangles than (M₁/n² + 2 M₂/(n m) +
//! M₃/m²)/8, with bounds of the second derivatives. Error: [`Tessellation::error`], which is at most the
//! tolerance unless [`FINEST`] cells a side do not reach it. Cost: one evaluation a vertex.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::grid::Bends;
use super::{BezierPatch, Form};
use crate::shape::{ShapeError, positive};

/// The most cells along a side of one patch.
const FINEST: usize = 64;

/// Triangles in place of curved patches.
#[derive(Clone, Debug, PartialEq)]
pub struct Tessellation {
    /// In rows of [`Tessellation::width`], in meters.
    pub vertices: Vec<DVec3>,
    /// Three vertices each; they run as ∂S/∂u × ∂S/∂v points towards the viewer.
    pub triangles: Vec<[u32; 3]>,
    /// The patch of each triangle.
    pub patches: Vec<u32>,
    /// How many vertices are in a row.
    pub width: usize,
    /// No point of the surface is farther from the triangles, in meters.
    pub error: f64,
}

impl Tessellation {
    /// Of patches in rows: all patches of a row share how often they are cut along v, all of a column how
    /// often along u, so edges fit.
    pub(super) fn of(
        patches: &[BezierPatch],
        [across, down]: [usize; 2],
        tolerance: f64,
    ) -> Result<Self, ShapeError> {
        let tolerance = positive(tolerance, "tolerance")?;
        let bends: Vec<Bends> = patches
            .iter()
            .map(|patch| match &patch.form {
                Form::Quadratic(grid) => grid.bends(),
                Form::Cubic(grid) => grid.bends(),
            })
            .collect();
        let (mut columns, mut rows) = (vec![1usize; across], vec![1usize; down]);
        for (i, bends) in bends.iter().enumerate() {
            let (n, m) = cells(bends, tolerance);
            columns[i % across] = columns[i % across].max(n);
            rows[i / across] = rows[i / across].max(m);
        }
        let (us, vs) = (stations(&columns), stations(&rows));
        let width = us.len();
        let at = |&(row, v): &(usize, f64), &(column, u): &(usize, f64)| {
            patches[row * across + column].point(u, v)
        };
        let vertices = vs.iter().flat_map(|v| us.iter().map(move |u| at(v, u))).collect();
        let mut triangles = Vec::new();
        let mut owners = Vec::new();
        for (j, (row, _)) in vs[..vs.len() - 1].iter().enumerate() {
            for (i, (column, _)) in us[..width - 1].iter().enumerate() {
                let a = (j * width + i) as u32;
                let (b, c) = (a + 1, a + width as u32);
                triangles.extend([[a, b, c], [b, c + 1, c]]);
                owners.extend([(row * across + column) as u32; 2]);
            }
        }
        let error = bends.iter().enumerate().fold(0.0f64, |most, (i, bends)| {
            most.max(bends.flatness_of_cells(columns[i % across] as f64, rows[i / across] as f64))
        });
        Ok(Self { vertices, triangles, patches: owners, width, error })
    }
}

/// Where the vertices of a row stand: in which patch, and where in that.
fn stations(cells: &[usize]) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    for (patch, n) in cells.iter().enumerate() {
        all.extend((0..*n).map(|i| (patch, i as f64 / *n as f64)));
    }
    all.push((cells.len() - 1, 1.0));
    all
}

/// How many cells one patch needs each way.
fn cells(bends: &Bends, tolerance: f64) -> (usize, usize) {
    let (mut n, mut m) = (1, 1);
    loop {
        let (x, y) = (n as f64, m as f64);
        let error = bends.flatness_of_cells(x, y);
        // Not finite: no number of cells helps.
        if error.is_nan() || error <= tolerance || (n >= FINEST && m >= FINEST) {
            return (n, m);
        }
        let grows_along = bends.uu / (x * x) >= bends.vv / (y * y);
        if (grows_along && n < FINEST) || m >= FINEST {
            n *= 2;
        } else {
            m *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{PatchNet, Triangle};

    /// A quarter of a tube of radius 100, by one patch: its middle control points are at the corner.
    fn quarter() -> BezierPatch {
        let row = |z: f64| [(100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(x, y)| DVec3::new(x, y, z));
        BezierPatch::quadratic([row(0.0), row(50.0), row(100.0)]).unwrap()
    }

    #[test]
    fn no_point_of_the_surface_is_farther_than_the_tolerance() {
        let patch = quarter();
        for tolerance in [10.0, 1.0, 0.1] {
            let mesh = patch.tessellate(tolerance).unwrap();
            assert!(mesh.error <= tolerance && mesh.error > tolerance / 5.0);
            let mut worst = 0.0f64;
            for step in 0..300 {
                let point = patch.point(f64::from(step) / 299.0, 0.3);
                let nearest = mesh.triangles.iter().fold(f64::INFINITY, |least, triangle| {
                    let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize]);
                    Triangle::new(a, b, c).unwrap().distance(point).min(least)
                });
                worst = worst.max(nearest);
            }
            assert!(worst <= mesh.error, "{tolerance}: {worst}");
            // Straight along its axis: one cell.
            assert_eq!(mesh.vertices.len() / mesh.width, 2);
        }
        assert_eq!(patch.tessellate(0.0), Err(ShapeError::NotPositive("tolerance")));
    }

    #[test]
    fn a_tolerance_out_of_reach_ends_with_the_finest_cells_and_says_so() {
        let mesh = quarter().tessellate(1e-12).unwrap();
        assert!(mesh.error > 1e-12);
        assert_eq!(mesh.width, FINEST + 1);
    }

    #[test]
    fn edges_of_a_net_fit() {
        let points: Vec<DVec3> = (0..25)
            .map(|k| {
                let (x, z) = (f64::from(k % 5), f64::from(k / 5));
                DVec3::new(x, if k % 5 == 1 { 3.0 } else { 0.0 }, z)
            })
            .collect();
        let mesh = PatchNet::new(2, 5, &points).unwrap().tessellate(0.01).unwrap();
        let mut edges = alloc::collections::BTreeMap::new();
        for [a, b, c] in &mesh.triangles {
            for (p, q) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*p.min(q), *p.max(q))).or_insert(0) += 1;
            }
        }
        let rows = mesh.vertices.len() / mesh.width;
        let rim = 2 * (mesh.width - 1) + 2 * (rows - 1);
        assert_eq!(edges.values().filter(|count| **count == 1).count(), rim);
    }
}
