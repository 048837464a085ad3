//! A net of patches that share their edges, as level editors make them.

use alloc::vec::Vec;

use glam::DVec3;

use super::{BezierPatch, Tessellation};
use crate::shape::ShapeError;

/// Patches in rows, made from one grid of control points: neighbors share the points of an edge, so no gap
/// is between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchNet {
    patches: Vec<BezierPatch>,
    across: usize,
}

impl PatchNet {
    /// From rows of `width` control points, for patches of this degree: each side has one point more than a
    /// multiple of the degree. A net of degree 2, as Quake III has it, is odd both ways.
    ///
    /// # Errors
    /// A degree other than 2 and 3, a number of points that makes no patches, a point that is not finite.
    pub fn new(degree: usize, width: usize, points: &[DVec3]) -> Result<Self, ShapeError> {
        if !(2..=3).contains(&degree) {
            return Err(ShapeError::Degree(degree));
        }
        let height = points.len() / width.max(1);
        let fits = |side: usize| side > degree && side % degree == 1;
        if !fits(width) || !fits(height) || points.len() != width * height {
            // The next larger net that these points could be of.
            let side = |side: usize| (side.saturating_sub(2) / degree + 1) * degree + 1;
            return Err(ShapeError::ControlPoints {
                expected: side(width).saturating_mul(side(height)),
                found: points.len(),
            });
        }
        let (across, down) = ((width - 1) / degree, (height - 1) / degree);
        let mut patches = Vec::with_capacity(across * down);
        let mut own = Vec::with_capacity(16);
        for row in 0..down {
            for column in 0..across {
                own.clear();
                for j in 0..=degree {
                    let from = (row * degree + j) * width + column * degree;
                    own.extend_from_slice(&points[from..=from + degree]);
                }
                patches.push(BezierPatch::new([degree; 2], &own)?);
            }
        }
        Ok(Self { patches, across })
    }

    /// The patches, row by row.
    pub fn patches(&self) -> &[BezierPatch] {
        &self.patches
    }

    /// How many patches are in a row, and how many rows there are.
    pub fn sides(&self) -> [usize; 2] {
        [self.across, self.patches.len() / self.across]
    }

    /// Triangles that no point of the surface is farther from than `tolerance`, in meters. Neighbors share
    /// the vertices of their edge.
    ///
    /// # Errors
    /// A tolerance that is not finite and greater than 0.
    pub fn tessellate(&self, tolerance: f64) -> Result<Tessellation, ShapeError> {
        Tessellation::of(&self.patches, self.sides(), tolerance)
    }
}

impl From<BezierPatch> for PatchNet {
    fn from(patch: BezierPatch) -> Self {
        Self { patches: alloc::vec![patch], across: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn neighbors_share_their_edge() {
        let points: Vec<DVec3> =
            (0..35).map(|k| dvec3(f64::from(k % 5), f64::from(k * k % 7), f64::from(k / 5))).collect();
        let net = PatchNet::new(2, 5, &points).unwrap();
        assert_eq!(net.sides(), [2, 3]);
        for v in [0.0, 0.3, 1.0] {
            assert_eq!(net.patches()[0].point(1.0, v), net.patches()[1].point(0.0, v));
            assert_eq!(net.patches()[1].point(v, 1.0), net.patches()[3].point(v, 0.0));
        }
    }

    #[test]
    fn sides_that_make_no_patches_are_refused() {
        let points = |count: usize| alloc::vec![DVec3::ZERO; count];
        for (degree, width, count) in [(2, 2, 6), (2, 4, 12), (2, 3, 8), (3, 5, 25), (2, 0, 9), (2, 9, 0)] {
            assert!(matches!(
                PatchNet::new(degree, width, &points(count)),
                Err(ShapeError::ControlPoints { .. })
            ));
        }
        assert_eq!(PatchNet::new(4, 5, &points(25)), Err(ShapeError::Degree(4)));
        assert!(PatchNet::new(3, 7, &points(28)).is_ok());
    }
}
