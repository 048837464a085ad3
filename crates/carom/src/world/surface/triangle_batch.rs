//! Up to four triangles, as the culler reads them.

use super::lanes::Lanes;
use super::packed_triangle::PackedTriangle;

/// One to four triangles.
pub(crate) trait TriangleBatch {
    /// How many.
    fn count(&self) -> usize;
    /// One of them.
    fn fetch(&self, lane: usize) -> PackedTriangle;
    /// Their three corners, the last triangle again for those that are missing.
    fn corners(&self) -> [Lanes; 3];
}
