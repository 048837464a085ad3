//! A ball swept against a solid zonotope: a block spanned by three vectors, or one thickened along a fourth.
//!
//! Source: `docs/sphere-triangle.md`, solids. A cuboid seen by a sphere is a block; seen by an ellipsoid it is a block that is no
//! longer square; seen by a capsule it is the block thickened along the capsule's axis. All are sums of segments ±g, all their
//! faces are parallelograms of two of these, and a way from outside enters at the earliest root over them.
//! Error: as `ball`. Cost: 6 faces for three vectors, 24 for four. Gives up never.

use glam::DVec3;

use super::Feature;
use super::ball::{Ball, BallHit, Candidate, Limits};
use super::nearest::{Closest, closest};
use super::outline::triangle_normal;
use crate::num::bound::{length_and_direction, reach};

/// All points `center + Σ λ·g` with every |λ| ≤ 1. The first three vectors are the block's half axes.
pub(crate) struct Zonotope<'a> {
    pub(crate) center: DVec3,
    pub(crate) generators: &'a [DVec3],
}

/// One parallelogram: spanned by generators `i` and `j`, the others at their ends.
#[derive(Clone, Copy)]
struct Quad {
    spanned: [usize; 2],
    /// +1 or −1 for every other generator; 0 for the two.
    signs: [f64; 4],
    center: DVec3,
    corners: [DVec3; 4],
    normal: Option<DVec3>,
}

impl Zonotope<'_> {
    /// The farthest that it reaches, in the sense of [`reach`].
    pub(crate) fn extent(&self) -> f64 {
        self.generators.iter().fold(reach(self.center), |sum, g| sum + reach(*g))
    }

    /// Every parallelogram, those inside too: they are part of the solid and are never met first.
    fn quads(&self) -> impl Iterator<Item = Quad> {
        let n = self.generators.len();
        (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j))).flat_map(move |(i, j)| {
            let normal = triangle_normal(self.generators[i], self.generators[j]);
            (0..1usize << (n - 2)).map(move |mask| self.quad(i, j, mask, normal))
        })
    }

    fn quad(&self, i: usize, j: usize, mask: usize, normal: Option<DVec3>) -> Quad {
        let (mut signs, mut center, mut bit) = ([0.0; 4], self.center, 0);
        for (k, g) in self.generators.iter().enumerate() {
            if k != i && k != j {
                signs[k] = if mask >> bit & 1 == 1 { 1.0 } else { -1.0 };
                center += *g * signs[k];
                bit += 1;
            }
        }
        let (a, b) = (self.generators[i], self.generators[j]);
        let corners = [center - a - b, center + a - b, center + a + b, center - a + b];
        Quad { spanned: [i, j], signs, center, corners, normal }
    }

    /// The first contact. The foot of the hit is on the block of the first three generators.
    pub(crate) fn sweep(&self, ball: &Ball, limits: Limits) -> Option<BallHit> {
        if let Some((depth, normal)) = self.depth() {
            if normal.dot(ball.translation) >= -ball.threshold {
                return None;
            }
            return Some(BallHit {
                fraction: 0.0,
                foot: normal * depth,
                normal,
                feature: Feature::Face,
                start_overlap: true,
            });
        }
        let mut best: Option<(Candidate, Quad)> = None;
        let mut touching = false;
        for quad in self.quads() {
            let candidate = ball.roots(&quad.corners, quad.normal, limits);
            touching |= candidate.touching;
            if candidate.found && best.is_none_or(|(best, _)| candidate.fraction < best.fraction) {
                best = Some((candidate, quad));
            }
        }
        if touching {
            return self.touching(ball, limits);
        }
        let (candidate, quad) = best?;
        if candidate.closest >= limits.graze && self.only_grazes(ball, limits) {
            return None;
        }
        let center = ball.translation * candidate.fraction;
        let faced = candidate.feature == Feature::Face || ball.is_point(limits);
        let normal = if faced {
            ball.face_normal(quad.normal)
        } else {
            ball.opposing(length_and_direction(center - candidate.foot).1)
        };
        Some(BallHit {
            fraction: candidate.fraction,
            foot: self.foot(candidate.foot, &quad),
            normal,
            feature: feature(&quad, candidate.feature),
            start_overlap: false,
        })
    }

    /// How a ball of `radius` about the origin stands to it: gap, normal, the point of the block, and its part.
    pub(crate) fn contact(&self, radius: f64) -> (f64, DVec3, DVec3, Feature) {
        if let Some((depth, normal)) = self.depth() {
            return (-depth - radius, normal, normal * depth, Feature::Face);
        }
        let (closest, quad) = self.closest();
        let normal = closest.contact_normal(quad.normal, 0);
        (closest.distance - radius, normal, self.foot(closest.foot, &quad), feature(&quad, closest.feature))
    }

    /// The nearest point of the surface, and the parallelogram that it is on.
    fn closest(&self) -> (Closest, Quad) {
        let first = self.quad(0, 1, 0, triangle_normal(self.generators[0], self.generators[1]));
        let mut nearest = (closest(&first.corners, first.normal), first);
        for quad in self.quads() {
            let other = closest(&quad.corners, quad.normal);
            if other.distance < nearest.0.distance {
                nearest = (other, quad);
            }
        }
        nearest
    }

    fn touching(&self, ball: &Ball, limits: Limits) -> Option<BallHit> {
        let (closest, quad) = self.closest();
        let grazes = |nearer| self.only_grazes(ball, nearer);
        if closest.distance == 0.0 || !ball.goes_deeper(closest.normal, closest.distance, limits, grazes) {
            return None;
        }
        Some(BallHit {
            fraction: 0.0,
            foot: self.foot(closest.foot, &quad),
            normal: ball.opposing(closest.normal),
            feature: feature(&quad, closest.feature),
            start_overlap: closest.distance < ball.radius - limits.rounding,
        })
    }

    /// How far inside the origin is, and the least way out; none outside or on the surface.
    fn depth(&self) -> Option<(f64, DVec3)> {
        let n = self.generators.len();
        let mut least: Option<(f64, DVec3)> = None;
        for i in 0..n {
            for j in i + 1..n {
                let Some(normal) = triangle_normal(self.generators[i], self.generators[j]) else { continue };
                let across = -normal.dot(self.center);
                let half: f64 = self.generators.iter().map(|g| normal.dot(*g).abs()).sum();
                let depth = half - across.abs();
                if depth <= 0.0 {
                    return None;
                }
                if least.is_none_or(|(least, _)| depth < least) {
                    least = Some((depth, if across < 0.0 { -normal } else { normal }));
                }
            }
        }
        least
    }

    /// The point of the block under a point of a parallelogram: the part along the fourth generator taken off.
    fn foot(&self, point: DVec3, quad: &Quad) -> DVec3 {
        if self.generators.len() < 4 {
            return point;
        }
        let axis = self.generators[3];
        let share = match quad.spanned {
            [i, 3] => {
                // The coordinate along the axis in the skew frame of the two spanning vectors.
                let (other, inside) = (self.generators[i], point - quad.center);
                let across = axis - other * (axis.dot(other) / other.length_squared());
                let length_squared = across.length_squared();
                if length_squared > 0.0 {
                    (inside.dot(across) / length_squared).clamp(-1.0, 1.0)
                } else {
                    0.0
                }
            }
            _ => quad.signs[3],
        };
        point - axis * share
    }

    fn only_grazes(&self, ball: &Ball, limits: Limits) -> bool {
        self.quads().all(|quad| ball.only_grazes(&quad.corners, quad.normal, limits))
    }
}

/// The part of the block that a part of a parallelogram lies on, numbered as `cuboid_cuboid` has it.
fn feature(quad: &Quad, part: Feature) -> Feature {
    let mut signs = quad.signs;
    let [i, j] = quad.spanned;
    // Corners run (−,−) (+,−) (+,+) (−,+); edge k from corner k to the next.
    match part {
        Feature::Face => {}
        Feature::Edge(0) => signs[j] = -1.0,
        Feature::Edge(1) => signs[i] = 1.0,
        Feature::Edge(2) => signs[j] = 1.0,
        Feature::Edge(_) => signs[i] = -1.0,
        Feature::Vertex(k) => {
            signs[i] = if k == 1 || k == 2 { 1.0 } else { -1.0 };
            signs[j] = if k >= 2 { 1.0 } else { -1.0 };
        }
    }
    let bit = |k: usize| u32::from(signs[k] > 0.0);
    let mut free = (0..3).filter(|k| signs[*k] == 0.0);
    match (free.next(), free.next()) {
        (None, _) => Feature::Vertex(bit(0) | bit(1) << 1 | bit(2) << 2),
        (Some(axis), None) => {
            let axis32 = axis as u32;
            // The two others, the lower-numbered first.
            let (low, high) = [(1, 2), (0, 2), (0, 1)][axis];
            Feature::Edge(4 * axis32 + bit(low) + 2 * bit(high))
        }
        (Some(_), Some(_)) => Feature::Face,
    }
}
