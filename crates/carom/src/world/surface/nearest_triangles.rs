//! The triangles of a mesh by their distance from a point, tested four at a time in f32.
//!
//! Source: separating directions, as in `triangle_culler`. If the corners are ahead by at least some length
//! along a direction `m`, the triangle is no nearer than that length over |m|. The directions are from the
//! nearest point of the outline and across the face. One of the two is that of the nearest point, so the
//! bound is the distance itself to within rounding.
//!
//! Error, in units of 2⁻²⁴ · size (see `tree::wide::nearest`): a corner seen from the point is off by 3 along
//! each axis and no longer than 3.5 sizes. Its product with m is off by 16 |m|, and the length of m by 4 |m|
//! of these. [`QueryPoint::limit`] has room for 128. Cost: about 130 operations on four lanes.

use glam::DVec3;
use wide::f32x4;

use super::lanes::{Lanes, cross, dot, from_outline, minus, root, splat};
use super::mesh_tree::{LaneOrder, MeshTree};
use super::packed_triangle::PackedTriangle;
use super::triangle_batch::TriangleBatch;
use crate::num::ops::sqrt;
use crate::tree::{Volume, WIDTH};

impl MeshTree {
    /// Visits the triangles that may be within a distance of a place, mostly nearer ones first. `visit` gets
    /// the best distance so far and returns the new one.
    pub(in crate::world) fn near(
        &self,
        at: DVec3,
        distance: f64,
        mut visit: impl FnMut(&PackedTriangle, f64) -> f64,
    ) {
        let Some(place) = self.tree.query_point(at) else {
            let bound = |volume: &_| sqrt(Volume::distance_squared(volume, at)) * (1.0 - 4.0 * f64::EPSILON);
            self.tree.in_order(bound, distance, |run, best| {
                self.leaves.fetch_all(run).fold(best, |best, packed| visit(&packed, best))
            });
            return;
        };
        let lanes = splat(place.at.to_array());
        let expect = |slot| self.leaves.expect(slot);
        self.tree.nearest(&place, distance, expect, |run, mut best| {
            let batch = self.leaves.leaf(run);
            let mut order = LaneOrder::new(&distances(lanes, &batch), batch.count());
            while let Some(lane) = order.next(place.limit(best)) {
                best = visit(&batch.fetch(lane), best);
            }
            best
        });
    }
}

/// Lower bounds of the distances of up to four triangles from a place.
#[inline(always)]
fn distances(place: Lanes, batch: &impl TriangleBatch) -> [f32; WIDTH] {
    let [a, b, c] = batch.corners().map(|corner| minus(corner, place));
    let [ab, bc, ca] = [minus(b, a), minus(c, b), minus(a, c)];
    let zero = f32x4::splat(0.0);
    let towards = from_outline([zero; 3], [(a, ab), (b, bc), (c, ca)]);
    let ahead = |m: Lanes| {
        let [p, q, r] = [dot(m, a), dot(m, b), dot(m, c)];
        let (least, most) = (p.fast_min(q).fast_min(r), p.fast_max(q).fast_max(r));
        least.fast_max(-most) / root(dot(m, m))
    };
    let (beside, above) = (ahead(towards), ahead(cross(ab, ca)));
    // Not `max`: a NaN must not count.
    let farther = above.simd_gt(beside).select(above, beside);
    farther.simd_gt(zero).select(farther, zero).to_array()
}
