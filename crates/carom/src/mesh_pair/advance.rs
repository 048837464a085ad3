//! When two meshes that slide and turn first come together, by conservative advancement.
//!
//! Source: Mirtich, *Impulse-based dynamic simulation of rigid body systems* (1996); over trees: Tang, Kim,
//! Manocha, *C²A* (2009). Two triangles that are d apart along n cannot meet before d/μ, where μ bounds their
//! approach along n:
//!
//! μ = −n·(v₂ − v₁) + |n × ω₁|·r₁ + |n × ω₂|·r₂,   r: the farthest corner from the origin of its body
//!
//! and two volumes, which are convex too, not before the same along an axis between them, nor before their
//! gap over
//! |v₂ − v₁| + |ω₁|·r₁ + |ω₂|·r₂. All of both meshes may go on by the least of these
//! times over all pairs, and the question is asked again there. This is the halving of time that Bobic
//! proposes, with steps as long as a proof carries and none that jumps over anything.
//!
//! Error: where it stops, no triangles are farther apart than the tolerance; before, none share a point.
//! Rounding is in the tolerance's hands: one below a few dozen roundings of the coordinates is raised to
//! that. Cost: a walk over both trees for each step; the gap shrinks by a constant factor with each. After
//! [`Advance::MOST_STEPS`] the place reached is the answer, marked as such: early, never late.

use core::ops::Range;

use glam::DVec3;

use super::{Counters, MeshPair, MeshVolume, Motion, TriangleTree};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::shape::Aabb;
use crate::tree::Obb;

/// Two meshes that move at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Advance<'a, V = Obb> {
    /// The first mesh.
    pub first: &'a TriangleTree<V>,
    /// How it moves.
    pub first_motion: Motion,
    /// The second mesh.
    pub second: &'a TriangleTree<V>,
    /// How that moves.
    pub second_motion: Motion,
    /// In meters. How near counts as contact.
    pub tolerance: f64,
}

/// Where two moving meshes come together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advanced {
    /// The share of both motions until then, 0 … 1.
    pub fraction: f64,
    /// How far they are apart there, in meters: 0 only where they meet at the very start.
    pub gap: f64,
    /// The nearest point of the first mesh there, in the world.
    pub point: DVec3,
    /// That of the second.
    pub other_point: DVec3,
    /// The triangles that these are on.
    pub triangles: [u32; 2],
    /// Whether the gap is within the tolerance; if not, they were not brought together within the steps
    /// allowed.
    pub converged: bool,
}

impl<V: MeshVolume> Advance<'_, V> {
    /// The most steps.
    pub const MOST_STEPS: u32 = 1000;

    /// The first contact on the way; `None` if the way is free. Meshes nearer than the tolerance at the start
    /// are in contact there.
    pub fn first_contact(&self) -> Option<Advanced> {
        self.first_contact_counted(&mut Counters::default())
    }

    /// The same; what it took is added to the counters.
    pub fn first_contact_counted(&self, counters: &mut Counters) -> Option<Advanced> {
        let tolerance = self.tolerance.max(self.rounding());
        let swept = |tree: &TriangleTree<V>, motion: &Motion| {
            let origin = tree.mesh().origin();
            let bounds = tree.mesh().bounds()?;
            motion.swept_bounds(&Aabb::new(bounds.min() + origin, bounds.max() + origin).ok()?)
        };
        // Where there are no bounds, nothing can be said of them.
        if let (Some(first), Some(second)) =
            (swept(self.first, &self.first_motion), swept(self.second, &self.second_motion))
            && !first.grown(tolerance).overlaps_aabb(&second)
        {
            return None;
        }
        let mut fraction = 0.0;
        for _ in 0..Self::MOST_STEPS {
            let pair = MeshPair::new(
                self.first,
                self.first_motion.at(fraction),
                self.second,
                self.second_motion.at(fraction),
            );
            let step = Step::of(&pair, self, tolerance, counters)?;
            match step {
                Step::Near(near) => return Some(Advanced { fraction, ..near }),
                Step::Free(share) => fraction += share * (1.0 - 8.0 * UNIT_ROUNDOFF),
            }
            // A NaN goes on until it counts as a contact.
            if fraction >= 1.0 {
                return None;
            }
        }
        let pair = MeshPair::new(
            self.first,
            self.first_motion.at(fraction),
            self.second,
            self.second_motion.at(fraction),
        );
        let near = pair.distance_counted(f64::INFINITY, counters)?;
        Some(Advanced {
            fraction,
            gap: near.distance,
            point: near.point,
            other_point: near.other_point,
            triangles: near.triangles,
            converged: near.distance <= tolerance,
        })
    }

    /// 256 roundings of the coordinates at hand: what the distance of two triangles may be off by.
    fn rounding(&self) -> f64 {
        let size = |tree: &TriangleTree<V>, motion: &Motion| {
            let pose = motion.at(0.0);
            (tree.mesh().largest_coordinate() + reach(tree.mesh().origin())) * pose.scale()
        };
        let apart = [0.0, 1.0]
            .map(|end| reach(self.first_motion.at(end).position() - self.second_motion.at(end).position()));
        let far = reach(self.first_motion.at(0.0).position()) + reach(self.second_motion.at(0.0).position());
        256.0
            * UNIT_ROUNDOFF
            * (size(self.first, &self.first_motion)
                + size(self.second, &self.second_motion)
                + apart[0].max(apart[1])
                + far)
    }
}

/// What one look at both meshes allows.
enum Step {
    Near(Advanced),
    /// They may go on by this share of their motions.
    Free(f64),
}

impl Step {
    fn of<V: MeshVolume>(
        pair: &MeshPair<V>,
        advance: &Advance<V>,
        tolerance: f64,
        counters: &mut Counters,
    ) -> Option<Self> {
        let scale = pair.poses[0].scale();
        let pace = Pace::new(pair, advance);
        let Counters { mut volume_tests, mut triangle_tests } = *counters;
        let mut nearest: Option<Advanced> = None;
        let free = pair.first.tree().leaf_pairs_in_order(
            pair.second.tree(),
            pair.factor(),
            |first, second| {
                volume_tests += 1;
                let radii = [first.reach_from(pace.centers[0]), second.reach_from(pace.centers[1])];
                let gap = first.gap(second, &pair.between) * scale;
                // The tolerance is looked for among all that could be within it.
                if gap <= tolerance {
                    return 0.0;
                }
                let (along, normal) = first.separation(second, &pair.between);
                let at_any = gap / pace.bound(radii);
                if along <= 0.0 || along.is_nan() {
                    return at_any;
                }
                let [first, second] = [radii[0] * pace.scales[0], radii[1] * pace.scales[1]];
                at_any.max(along * scale * (1.0 - SKEW) / pace.approach(pair, normal, [first, second], SKEW))
            },
            2.0,
            |first: Range<u32>, second: Range<u32>, best| {
                let mut least = best;
                // A distance that outlasts the best time at full speed is of no interest.
                let within = f64::INFINITY;
                pair.nearest_of(first, second, within, |found, triangles| {
                    triangle_tests += 1;
                    let gap = found.distance * scale;
                    if gap <= tolerance
                        && nearest.is_none_or(|near| (gap, triangles) < (near.gap, near.triangles))
                    {
                        nearest = Some(Advanced {
                            fraction: 0.0,
                            gap,
                            point: pair.place_in_world(found.point),
                            other_point: pair.place_in_world(found.other_point),
                            triangles,
                            converged: true,
                        });
                        least = 0.0;
                        return;
                    }
                    let normal = (found.other_point - found.point) / found.distance;
                    let radii = pace.radii(pair, triangles);
                    let time = gap / pace.approach(pair, normal, radii, 64.0 * UNIT_ROUNDOFF);
                    // The lower of two; a NaN stops them.
                    if time < least || time.is_nan() {
                        least = if time > 0.0 { time } else { 0.0 };
                    }
                });
                least
            },
        );
        *counters = Counters { volume_tests, triangle_tests };
        Some(match nearest {
            Some(near) => Self::Near(near),
            None => Self::Free(free),
        })
    }
}

/// How fast what moves, at most; all in the world, for the whole motion as the unit of time.
struct Pace {
    /// The second's origin as seen from the first's.
    velocity: DVec3,
    speed: f64,
    /// Angles and scales of both.
    spins: [DVec3; 2],
    angles: [f64; 2],
    scales: [f64; 2],
    /// The origins of the bodies in the frames of the meshes.
    centers: [DVec3; 2],
}

impl Pace {
    fn new<V: MeshVolume>(pair: &MeshPair<V>, advance: &Advance<V>) -> Self {
        let motions = [&advance.first_motion, &advance.second_motion];
        let velocity = motions[1].translation() - motions[0].translation();
        Self {
            velocity,
            speed: sqrt(velocity.length_squared()) * (1.0 + 8.0 * UNIT_ROUNDOFF),
            spins: motions.map(|motion| motion.axis() * motion.angle()),
            angles: motions.map(Motion::angle),
            scales: pair.poses.map(|pose| pose.scale()),
            centers: [-pair.first.mesh().origin(), -pair.second.mesh().origin()],
        }
    }

    /// How fast two volumes that reach so far from the origins of their bodies come together at most.
    fn bound(&self, radii: [f64; 2]) -> f64 {
        let turning = self.angles[0] * radii[0] * self.scales[0] + self.angles[1] * radii[1] * self.scales[1];
        (self.speed + turning) * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }

    /// How far the corners of two triangles are from the origins of their bodies, in the world.
    fn radii<V: MeshVolume>(&self, pair: &MeshPair<V>, triangles: [u32; 2]) -> [f64; 2] {
        let radius = |mesh: &crate::Mesh, triangle: u32, center: DVec3| {
            let corners = mesh.corners(triangle);
            sqrt(corners.iter().fold(0.0, |most: f64, corner| most.max((*corner - center).length_squared())))
        };
        [
            radius(pair.first.mesh(), triangles[0], self.centers[0]) * self.scales[0],
            radius(pair.second.mesh(), triangles[1], self.centers[1]) * self.scales[1],
        ]
    }

    /// How fast two convex things that reach so far from the origins of their bodies approach along a normal
    /// of the first's frame, from the first to the second; never below 0. The normal and its length are known
    /// to a share of `off`.
    fn approach<V: MeshVolume>(&self, pair: &MeshPair<V>, normal: DVec3, radii: [f64; 2], off: f64) -> f64 {
        let normal = pair.poses[0].rotation() * normal;
        let turning = |i: usize| sqrt(normal.cross(self.spins[i]).length_squared()) * radii[i];
        let rounding = off * (self.speed + self.angles[0] * radii[0] + self.angles[1] * radii[1]);
        let approach = turning(0) + turning(1) - normal.dot(self.velocity) + rounding;
        if approach > 0.0 { approach } else { 0.0 }
    }
}

/// 2⁻¹⁸: what the axes of oriented boxes, and all that is measured along them, may be off by.
const SKEW: f64 = 1.0 / (1u64 << 18) as f64;
