//! When a mesh that slides first meets another: Bobic's separating axes with velocities, down two trees to
//! the triangles.
//!
//! Error: that of the kernel (`sweep::triangle_triangle`): never late; bringing the second mesh into the
//! frame of the first is counted in. Volumes are entered in the order in which they may be hit; those met
//! later than the best hit are skipped.

use core::ops::Range;

use glam::DVec3;

use super::{Counters, MeshPair, MeshVolume};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::sweep::Hit;
use crate::sweep::pairs::triangle_triangle::off_by;

/// The first contact of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// Fraction, point and normal in the world; the normal points towards the second mesh, which moves. The
    /// feature is that of the first mesh's triangle.
    pub hit: Hit,
    /// The triangles that touch. Of several contacts at the same fraction the lowest pair counts.
    pub triangles: [u32; 2],
}

impl<V: MeshVolume> MeshPair<'_, V> {
    /// The first contact of the second mesh, sliding along `translation` in the world, with the first at
    /// rest. If both slide, the translation is that of the second less that of the first.
    ///
    /// Touching is legal: pairs of triangles that touch or overlap at the start are hit only if they move
    /// deeper.
    pub fn sweep(&self, translation: DVec3) -> Option<MeshHit> {
        self.sweep_counted(translation, &mut Counters::default())
    }

    /// The same; the cost is added to the counters.
    pub fn sweep_counted(&self, translation: DVec3, counters: &mut Counters) -> Option<MeshHit> {
        if !translation.is_finite() {
            return None;
        }
        let way = self.direction_in_first(translation) / self.poses[0].scale();
        let rounding = self.rounding(way);
        let Counters { mut volume_tests, mut triangle_tests } = *counters;
        let mut best: Option<MeshHit> = None;
        self.first.tree().leaf_pairs_in_order(
            self.second.tree(),
            self.factor(),
            |first, second| {
                volume_tests += 1;
                first.entry_of(second, &self.between, way)
            },
            1.0,
            |firsts: Range<u32>, seconds: Range<u32>, mut nearest| {
                for b in seconds {
                    let mover = self.second_at(b);
                    for a in firsts.clone() {
                        triangle_tests += 1;
                        let Some(hit) = off_by(&mover, way, &self.first.corners_at(a), rounding) else {
                            continue;
                        };
                        let triangles = [self.first.triangle_at(a), self.second.triangle_at(b)];
                        let found = MeshHit { hit, triangles };
                        if best.as_ref().is_none_or(|best| {
                            (hit.fraction, triangles) < (best.hit.fraction, best.triangles)
                        }) {
                            nearest = hit.fraction;
                            best = Some(found);
                        }
                    }
                }
                nearest
            },
        );
        *counters = Counters { volume_tests, triangle_tests };
        best.map(|MeshHit { hit, triangles }| MeshHit {
            hit: Hit {
                point: self.place_in_world(hit.point),
                normal: self.direction_in_world(hit.normal),
                ..hit
            },
            triangles,
        })
    }

    /// The error of a corner of the second mesh in the frame of the first, and the way by in its direction,
    /// in the first's meters: a dozen roundings of each number.
    fn rounding(&self, way: DVec3) -> f64 {
        if *self.poses[0].rotation().as_ref() == *self.poses[1].rotation().as_ref()
            && self.poses[0] == self.poses[1]
        {
            return 0.0;
        }
        let corner = reach(DVec3::splat(self.second.mesh().largest_coordinate())) * self.between.scale;
        64.0 * UNIT_ROUNDOFF * (corner + reach(self.between.translation) + reach(way))
    }

    fn direction_in_world(&self, v: DVec3) -> DVec3 {
        self.poses[0].rotation() * v
    }
}
