//! The distance of two meshes, and where it occurs.
//!
//! Source: Larsen, Gottschalk, Lin, Manocha, *Fast proximity queries with swept sphere volumes* (1999): the
//! nearer of two pairs of volumes goes first, and pairs that cannot be nearer than the best so far are
//! skipped. Error: that of `Triangle::distance_to_triangle`, and of bringing the second mesh into the frame
//! of the first.

use core::ops::Range;

use glam::DVec3;

use super::{Counters, MeshPair, MeshVolume};
use crate::shape::{Triangle, TriangleDistance};

/// The distance of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// In meters; 0 if they touch.
    pub distance: f64,
    /// The nearest point of the first mesh, in the world; where they meet, one near what both share.
    pub point: DVec3,
    /// That of the second.
    pub other_point: DVec3,
    /// The triangles that these are on: of equally near pairs the lowest.
    pub triangles: [u32; 2],
}

impl<V: MeshVolume> MeshPair<'_, V> {
    /// How far the meshes are apart; `None` if that is more than `bound` meters, or one of them has no
    /// triangle.
    pub fn distance(&self, bound: f64) -> Option<MeshDistance> {
        self.distance_counted(bound, &mut Counters::default())
    }

    /// The same; the cost is added to the counters.
    pub fn distance_counted(&self, bound: f64, counters: &mut Counters) -> Option<MeshDistance> {
        let scale = self.poses[0].scale();
        let Counters { mut volume_tests, mut triangle_tests } = *counters;
        let mut best: Option<(TriangleDistance, [u32; 2])> = None;
        self.first.tree().leaf_pairs_in_order(
            self.second.tree(),
            self.factor(),
            |first, second| {
                volume_tests += 1;
                first.gap(second, &self.between)
            },
            bound / scale,
            |first, second, nearest| {
                self.nearest_of(first, second, nearest, |found, triangles| {
                    triangle_tests += 1;
                    let better = match &best {
                        None => found.distance <= nearest,
                        Some((best, lowest)) => {
                            found.distance < best.distance
                                || (found.distance == best.distance && triangles < *lowest)
                        }
                    };
                    if better {
                        best = Some((found, triangles));
                    }
                });
                best.map_or(nearest, |(best, _)| best.distance)
            },
        );
        *counters = Counters { volume_tests, triangle_tests };
        let (found, triangles) = best?;
        Some(MeshDistance {
            distance: found.distance * scale,
            point: self.place_in_world(found.point),
            other_point: self.place_in_world(found.other_point),
            triangles,
        })
    }

    /// The distances of the pairs of two leaves whose boxes are no farther apart than `nearest`.
    pub(super) fn nearest_of(
        &self,
        first: Range<u32>,
        second: Range<u32>,
        nearest: f64,
        mut visit: impl FnMut(TriangleDistance, [u32; 2]),
    ) {
        for b in second {
            let other = self.second_at(b);
            for a in first.clone() {
                let corners = self.first.corners_at(a);
                if super::volume::box_gap(around(&corners), around(&other)) > nearest {
                    continue;
                }
                let triangle = |[a, b, c]: [DVec3; 3]| Triangle::new(a, b, c);
                // Corners beyond the range of f64 are near to nothing.
                let (Ok(own), Ok(other)) = (triangle(corners), triangle(other)) else { continue };
                visit(
                    own.distance_to_triangle(&other),
                    [self.first.triangle_at(a), self.second.triangle_at(b)],
                );
            }
        }
    }
}

/// The corners of the box around a triangle.
pub(super) fn around(&[a, b, c]: &[DVec3; 3]) -> [DVec3; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}
