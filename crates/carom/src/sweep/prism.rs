//! A ball swept against a flat polygon thickened along a segment: what a capsule's kernel is made of.
//!
//! Source: `docs/sphere-triangle.md`, the capsule. A capsule whose centre comes to c touches a polygon T when a ball at c
//! touches the prism T ⊕ [−a, a], a from the centre to the upper cap. The prism is convex: two copies of T, a parallelogram
//! per edge, and their edges and corners. Where it is flat (axis in the plane, edge along the axis) the parts without area
//! are covered by their edges.
//! Error, cost: as `ball`, over 2 + n faces, 3n edges and 2n corners. Gives up never.

use glam::DVec3;

use super::Feature;
use super::ball::{
    Ball, BallHit, Candidate, Closest, Limits, closest, closest_of_segments, inside, is_flat, upwards,
};
use super::outline::{Outline, triangle_normal};

/// An outline moved by a vector.
struct Shifted<'a, O> {
    outline: &'a O,
    by: DVec3,
}

impl<O: Outline> Outline for Shifted<'_, O> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.outline.len()
    }

    #[inline(always)]
    fn at(&self, i: usize) -> DVec3 {
        self.outline.at(i) + self.by
    }
}

/// A polygon thickened by `half_axis` both ways.
pub(crate) struct Prism<'a, O> {
    pub(crate) outline: &'a O,
    pub(crate) normal: Option<DVec3>,
    pub(crate) half_axis: DVec3,
    /// A bit for every edge that a coplanar neighbour continues.
    pub(crate) flat: u32,
}

impl<O: Outline> Prism<'_, O> {
    fn cap(&self, sign: f64) -> Shifted<'_, O> {
        Shifted { outline: self.outline, by: self.half_axis * sign }
    }

    /// The parallelogram over edge `i`, and its normal unless it has no area.
    #[inline(always)]
    fn side(&self, i: usize) -> ([DVec3; 4], Option<DVec3>) {
        let (p, q, a) = (self.outline.at(i), self.outline.at(self.outline.next(i)), self.half_axis);
        ([p - a, q - a, q + a, p + a], triangle_normal(q - p, a))
    }

    /// The earliest root over all parts, the start not yet judged. Its foot is on the prism.
    #[inline(always)]
    fn roots(&self, ball: &Ball, limits: Limits) -> Candidate {
        let mut candidate = Candidate::none();
        let caps = [self.cap(-1.0), self.cap(1.0)];
        if let Some(normal) = self.normal {
            for cap in &caps {
                ball.face(cap, normal, limits, Feature::Face, &mut candidate);
            }
        }
        for i in 0..self.outline.edges() {
            let edge = Feature::Edge(i as u32);
            let (side, normal) = self.side(i);
            if let Some(normal) = normal {
                ball.face(&side, normal, limits, edge, &mut candidate);
            }
            ball.edge(side[0], side[1], edge, limits, &mut candidate);
            ball.edge(side[3], side[2], edge, limits, &mut candidate);
        }
        for i in 0..self.outline.len() {
            let vertex = Feature::Vertex(i as u32);
            let (low, high) = (caps[0].at(i), caps[1].at(i));
            ball.edge(low, high, vertex, limits, &mut candidate);
            ball.vertex(low, vertex, limits, &mut candidate);
            ball.vertex(high, vertex, limits, &mut candidate);
        }
        candidate
    }

    /// The first contact. The foot of the hit is on the polygon itself.
    #[inline(always)]
    pub(crate) fn sweep(&self, ball: &Ball, limits: Limits) -> Option<BallHit> {
        // Deep inside no part of the surface need be near: asked first.
        if let Some(depth) = self.depth() {
            return self.touching(depth, ball, limits);
        }
        let candidate = self.roots(ball, limits);
        if !candidate.found {
            return None;
        }
        if candidate.touching {
            return self.touching(self.closest(), ball, limits);
        }
        if candidate.closest >= limits.graze && self.only_grazes(ball, limits) {
            return None;
        }
        let center = ball.translation * candidate.fraction;
        let faced = candidate.feature == Feature::Face || is_flat(self.flat, candidate.feature);
        Some(BallHit {
            fraction: candidate.fraction,
            foot: self.foot(center, candidate.feature),
            normal: ball.contact_normal(center - candidate.foot, self.normal, faced, limits),
            feature: candidate.feature,
            start_overlap: false,
        })
    }

    #[cold]
    #[inline(never)]
    fn touching(&self, closest: Closest, ball: &Ball, limits: Limits) -> Option<BallHit> {
        let contact = closest.contact_normal(self.normal, self.flat);
        if closest.distance == 0.0 || contact.dot(ball.translation) >= -ball.threshold {
            return None;
        }
        let start_overlap = closest.distance < ball.radius - limits.rounding;
        if !start_overlap
            && closest.feature != Feature::Face
            && closest.distance >= limits.graze
            && self.only_grazes(ball, limits)
        {
            return None;
        }
        Some(BallHit {
            fraction: 0.0,
            foot: self.foot(DVec3::ZERO, closest.feature),
            normal: contact,
            feature: closest.feature,
            start_overlap,
        })
    }

    /// The nearest point of the prism to the origin; inside, the least way out, with a negative distance.
    pub(crate) fn closest(&self) -> Closest {
        if let Some(depth) = self.depth() {
            return depth;
        }
        let mut best: Option<Closest> = None;
        let mut offer = |found: Closest, feature: Feature| {
            if best.is_none_or(|best| found.distance < best.distance) {
                best = Some(Closest { feature, ..found });
            }
        };
        for sign in [-1.0, 1.0] {
            let found = closest(&self.cap(sign), self.normal);
            offer(found, found.feature);
        }
        for i in 0..self.outline.edges() {
            let (side, normal) = self.side(i);
            let found = closest(&side, normal);
            // The lateral edges and their ends belong to a corner of the polygon, the rest to the edge.
            let feature = match found.feature {
                Feature::Edge(1) | Feature::Vertex(1 | 2) => Feature::Vertex(self.outline.next(i) as u32),
                Feature::Edge(3) | Feature::Vertex(0 | 3) => Feature::Vertex(i as u32),
                _ => Feature::Edge(i as u32),
            };
            offer(found, feature);
        }
        best.unwrap_or_else(|| closest(&self.cap(0.0), None))
    }

    /// The least way out of the prism for an origin inside it. Equal ways: through a cap, upwards (y, then x, then z).
    fn depth(&self) -> Option<Closest> {
        let normal = self.normal?;
        let (height, tilt) = (-normal.dot(self.outline.at(0)), normal.dot(self.half_axis));
        if height.abs() >= tilt.abs() {
            return None;
        }
        // Where the axis through the origin pierces the polygon.
        let pierced = self.half_axis * (-height / tilt);
        if !inside(self.outline, normal, pierced) {
            return None;
        }
        let out = match height {
            0.0 => upwards(normal),
            height if height < 0.0 => -normal,
            _ => normal,
        };
        let mut best = Closest {
            distance: height.abs() - tilt.abs(),
            foot: pierced,
            feature: Feature::Face,
            normal: out,
        };
        for i in 0..self.outline.len() {
            let (side, side_normal) = self.side(i);
            let Some(side_normal) = side_normal else { continue };
            // The prism lies on the side of its own corners; the origin, inside, does too.
            let across = side_normal.dot(side[0]);
            let out = if across < 0.0 { -side_normal } else { side_normal };
            if -across.abs() > best.distance {
                best = Closest {
                    distance: -across.abs(),
                    foot: pierced,
                    feature: Feature::Edge(i as u32),
                    normal: out,
                };
            }
        }
        Some(best)
    }

    /// The touched point of the polygon, the axis being at `center`.
    pub(crate) fn foot(&self, center: DVec3, feature: Feature) -> DVec3 {
        let (low, high) = (center - self.half_axis, center + self.half_axis);
        match (feature, self.normal) {
            (Feature::Vertex(i), _) => self.outline.at(i as usize),
            (Feature::Edge(i), _) => {
                let i = i as usize;
                let (p, q) = (self.outline.at(i), self.outline.at(self.outline.next(i)));
                closest_of_segments(low, high, p, q).1
            }
            (Feature::Face, None) => center,
            (Feature::Face, Some(normal)) => {
                let height = |point: DVec3| normal.dot(point - self.outline.at(0));
                let (a, b) = (height(low), height(high));
                if (a < 0.0) != (b < 0.0) {
                    return low + (high - low) * (a / (a - b));
                }
                // The lower cap, unless it is only as low as the other and beside the polygon.
                let (near, far) = if b.abs() < a.abs() { (high, low) } else { (low, high) };
                let foot = near - normal * height(near);
                let other = far - normal * height(far);
                if !inside(self.outline, normal, foot) && inside(self.outline, normal, other) {
                    other
                } else {
                    foot
                }
            }
        }
    }

    fn only_grazes(&self, ball: &Ball, limits: Limits) -> bool {
        [-1.0, 1.0].iter().all(|sign| ball.only_grazes(&self.cap(*sign), self.normal, limits))
            && (0..self.outline.edges()).all(|i| {
                let (side, normal) = self.side(i);
                ball.only_grazes(&side, normal, limits)
            })
    }
}
