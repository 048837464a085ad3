//! Up to four triangles, in the form that the culler reads.

use super::lanes::Lanes;
use super::packed_triangle::PackedTriangle;

/// One to four triangles.
pub(crate) trait TriangleBatch {
    /// How many.
    fn count(&self) -> usize;
    /// One of them.
    fn fetch(&self, lane: usize) -> PackedTriangle;
    /// Their three corners, the last triangle repeated for missing ones.
    fn corners(&self) -> [Lanes; 3];
}
