//! A ball swept against a solid zonotope: a block spanned by three vectors, or one thickened along a fourth.
//!
//! Source: `docs/sphere-triangle.md`, solids. A cuboid seen by a sphere is a block; seen by an ellipsoid it
//! is a block that is no longer square; seen by a capsule it is the block thickened along the capsule's axis.
//! All are sums of segments ±g, all their faces are parallelograms of two of these, and a way from outside
//! enters at the earliest root over them.
//!
//! Most queries need one face. The solid lies on the far side of the plane of each face that the ball is in
//! front of: a way that does not sink towards that plane meets nothing, and of a foot well inside the face
//! nothing else is as near, nor met as early. A way that passes it by has a plane between the two along
//! itself and an edge: the planes of faces and these are all that can part a segment from a convex solid
//! (Gottschalk et al., RAPID, 1996). Of the rest, faces whose planes are out of reach are passed over.
//! All of these leave out only what could not have changed a bit of the answer.
//!
//! Error: as `ball`. Cost: a normal for each pair of vectors and one face; at worst 6 faces for three
//! vectors, 24 for four. It never gives up.

mod contact;

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::num::bound::{length_and_direction, reach};
use crate::sweep::Feature;
use crate::sweep::parts::ball::{Ball, BallHit, Candidate, Limits, is_in_reach};
use crate::sweep::parts::nearest::upwards;
use crate::sweep::parts::outline::triangle_normal;

/// All points `center + Σ λ·g` with every |λ| ≤ 1. The first three vectors are the block's half axes.
pub(crate) struct Zonotope<'a> {
    pub(crate) center: DVec3,
    pub(crate) generators: &'a [DVec3],
}

/// Two vectors that span parallelograms, and the unit normal of these unless they have no area.
#[derive(Clone, Copy)]
struct Span {
    spanned: [usize; 2],
    normal: Option<DVec3>,
    /// The height of the center along the normal, and the extent of the solid from it; 0 without a normal.
    ahead: f64,
    half: f64,
}

/// No pair of four vectors is missing.
type Spans = ArrayVec<Span, 6>;

/// The position of the solid about the origin.
struct Seen {
    spans: Spans,
    /// The depth of the origin inside, and the least way out; `None` outside.
    depth: Option<(f64, DVec3)>,
    /// The span with the plane that separates the origin from the solid farthest, if there is one.
    facing: Option<usize>,
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

/// The contact of a ball with a block, relative to the center of the ball.
pub(crate) struct BlockContact {
    pub(crate) gap: f64,
    /// Unit, towards the ball.
    pub(crate) normal: DVec3,
    /// The point of the block.
    pub(crate) point: DVec3,
    /// The part of the block.
    pub(crate) feature: Feature,
}

impl Zonotope<'_> {
    /// The largest extent, in the sense of [`reach`].
    pub(crate) fn extent(&self) -> f64 {
        self.generators.iter().fold(reach(self.center), |sum, g| sum + reach(*g))
    }

    /// Looks at it from the origin, which is in it on its surface too, to within a rounding: there the
    /// nearest point gives no normal, and the least way out does, of equal ones upwards.
    #[inline]
    fn seen(&self, rounding: f64) -> Seen {
        let n = self.generators.len();
        let mut spans = Spans::new();
        let (mut least, mut is_outside) = (None::<(f64, DVec3)>, false);
        let (mut facing, mut farthest) = (None, 0.0);
        for i in 0..n {
            for j in i + 1..n {
                let span = self.span([i, j]);
                if let Some(normal) = span.normal {
                    let across = -span.ahead;
                    let depth = span.half - across.abs();
                    is_outside |= depth < -rounding;
                    if -depth > farthest {
                        (farthest, facing) = (-depth, Some(spans.len()));
                    }
                    if least.is_none_or(|(least, _)| depth < least) {
                        let out = match across {
                            0.0 => upwards(normal),
                            across if across < 0.0 => -normal,
                            _ => normal,
                        };
                        least = Some((depth, out));
                    }
                }
                spans.push(span);
            }
        }
        Seen { spans, depth: if is_outside { None } else { least }, facing }
    }

    /// The parallelogram of two of the vectors.
    #[inline(always)]
    fn span(&self, [i, j]: [usize; 2]) -> Span {
        let normal = triangle_normal(self.generators[i], self.generators[j]);
        let (mut ahead, mut half) = (0.0, 0.0);
        if let Some(normal) = normal {
            ahead = normal.dot(self.center);
            half = self.generators.iter().map(|g| normal.dot(*g).abs()).sum();
        }
        Span { spanned: [i, j], normal, ahead, half }
    }

    /// The height of a parallelogram along its normal.
    #[inline(always)]
    fn height(&self, span: &Span, mask: usize) -> f64 {
        let Some(normal) = span.normal else { return 0.0 };
        let (mut height, mut bit) = (span.ahead, 0);
        for (k, g) in self.generators.iter().enumerate() {
            if k != span.spanned[0] && k != span.spanned[1] {
                let along = normal.dot(*g);
                height += if mask >> bit & 1 == 1 { along } else { -along };
                bit += 1;
            }
        }
        height
    }

    /// The parallelogram of a span that is nearest to the origin along its normal.
    fn nearest_of(&self, span: &Span, normal: DVec3) -> Quad {
        self.quad(span, self.towards(span, normal))
    }

    /// The ends of the other vectors for that one.
    fn towards(&self, span: &Span, normal: DVec3) -> usize {
        let (mut mask, mut bit) = (0, 0);
        for (k, g) in self.generators.iter().enumerate() {
            if k != span.spanned[0] && k != span.spanned[1] {
                // Towards the origin.
                if (normal.dot(*g) < 0.0) == (span.ahead > 0.0) {
                    mask |= 1 << bit;
                }
                bit += 1;
            }
        }
        mask
    }

    /// Whether the box around a parallelogram is near enough to the path for any root.
    fn is_in_reach(&self, quad: &Quad, ball: &Ball, limits: Limits) -> bool {
        let (low, high) = self.bounds(quad);
        let along = |axis: DVec3, k: usize| is_in_reach(ball, axis, [low[k], high[k]], limits);
        along(DVec3::X, 0) && along(DVec3::Y, 1) && along(DVec3::Z, 2)
    }

    /// The box around a parallelogram.
    fn bounds(&self, quad: &Quad) -> (DVec3, DVec3) {
        let [i, j] = quad.spanned;
        let half = self.generators[i].abs() + self.generators[j].abs();
        (quad.center - half, quad.center + half)
    }

    /// Whether all other faces turn away from one by at least 30°, and by as much less than straight back.
    /// Then what is below the plane of that by a length lies no more than √3 of that length farther in than
    /// its edges.
    fn stands_out(spans: &Spans, facing: usize, normal: DVec3) -> bool {
        spans.iter().enumerate().all(|(other, span)| {
            let along = span.normal.map_or(0.0, |other| other.dot(normal));
            other == facing || along * along <= 0.75
        })
    }

    fn quad(&self, span: &Span, mask: usize) -> Quad {
        let Span { spanned: [i, j], normal, .. } = *span;
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

    /// The first contact; one that comes after the fraction `limits.within` may be left out. The foot of the
    /// hit is on the block of the first three generators.
    pub(crate) fn sweep(&self, ball: &Ball, limits: Limits) -> Option<BallHit> {
        let seen = self.seen(limits.rounding);
        if let Some((depth, normal)) = seen.depth {
            if normal.dot(ball.translation) >= -ball.threshold {
                return None;
            }
            return Some(BallHit {
                fraction: 0.0,
                foot: self.foot_out(depth, normal),
                normal,
                feature: Feature::Face,
                start_overlap: depth > -ball.radius + limits.rounding,
            });
        }
        let spans = &seen.spans;
        let wanted = ball.until(limits.within);
        let is_clear = |span: &Span| {
            let heights = [span.ahead - span.half, span.ahead + span.half];
            span.normal.is_some_and(|normal| !is_in_reach(&wanted, normal, heights, limits))
        };
        if spans.iter().any(is_clear) {
            return None;
        }
        let facing = seen.facing.and_then(|facing| Some((facing, spans[facing].normal?)));
        if let Some((facing, normal)) =
            facing.filter(|(facing, normal)| Self::stands_out(spans, *facing, *normal))
        {
            if passes_over(&spans[facing], normal, ball, limits) {
                return None;
            }
            if let Some(hit) = self.met_by_face(&spans[facing], normal, ball, limits) {
                return Some(hit);
            }
        }
        if self.is_passed_by(ball, limits) {
            return None;
        }
        self.first_of_all(&seen, ball, limits)
    }

    /// Whether a plane along the path and one of the vectors separates the two.
    fn is_passed_by(&self, ball: &Ball, limits: Limits) -> bool {
        self.generators.iter().any(|g| {
            let (length, normal) = length_and_direction(ball.translation.cross(*g));
            let ahead = normal.dot(self.center);
            let half: f64 = self.generators.iter().map(|g| normal.dot(*g).abs()).sum();
            length > 0.0 && !is_in_reach(ball, normal, [ahead - half, ahead + half], limits)
        })
    }

    /// Whether a ball about the origin overlaps it by more than rounding.
    pub(crate) fn is_overlapped(&self, ball: &Ball, limits: Limits) -> bool {
        let seen = self.seen(limits.rounding);
        let overlaps = |depth: f64| depth > -ball.radius + limits.rounding;
        match (seen.depth, seen.facing) {
            (Some((depth, _)), _) => overlaps(depth),
            (None, Some(facing)) if !overlaps(seen.spans[facing].half - seen.spans[facing].ahead.abs()) => {
                false
            }
            _ => overlaps(-self.closest(&seen).0.distance),
        }
    }

    /// The first contact with any face.
    #[inline(never)]
    fn first_of_all(&self, seen: &Seen, ball: &Ball, limits: Limits) -> Option<BallHit> {
        let spans = &seen.spans;
        let mut best: Option<(Candidate, Quad, usize)> = None;
        let mut touching = false;
        // Up to the best hit: a part that is not in reach by then has no earlier root.
        let mut until_then = ball.until(limits.within);
        let mut look = |span: usize, mask: usize| {
            let (order, span) = (4 * span + mask, &spans[span]);
            let height = self.height(span, mask);
            let is_clear = |normal| !is_in_reach(&until_then, normal, [height; 2], limits);
            if span.normal.is_some_and(is_clear) {
                return;
            }
            let quad = self.quad(span, mask);
            if !self.is_in_reach(&quad, &until_then, limits) {
                return;
            }
            let candidate = ball.roots(&quad.corners, quad.normal, limits);
            touching |= candidate.touching;
            // Of equal ones the first in order, whichever was tested first.
            let is_first = best.is_none_or(|(best, _, before)| {
                candidate.fraction < best.fraction || candidate.fraction == best.fraction && order < before
            });
            if candidate.found && is_first {
                until_then.translation = ball.translation * candidate.fraction;
                best = Some((candidate, quad, order));
            }
        };
        // The faces towards the ball are usually hit first, so they are tested first.
        let ahead = seen
            .facing
            .and_then(|facing| Some((facing, self.towards(&spans[facing], spans[facing].normal?))));
        if let Some((span, mask)) = ahead {
            look(span, mask);
        }
        for span in 0..spans.len() {
            for mask in 0..1usize << (self.generators.len() - 2) {
                if ahead != Some((span, mask)) {
                    look(span, mask);
                }
            }
        }
        if touching {
            return self.touching(seen, ball, limits);
        }
        let (candidate, quad, _) = best?;
        if candidate.closest >= limits.graze && self.only_grazes(spans, ball, limits) {
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

    /// The contact with a face that the ball is in front of, if it meets that so far from its edges and so
    /// steeply that nothing else can be hit as early, whatever rounding does: as a prism is met by its cap,
    /// where the numbers are derived.
    #[inline]
    fn met_by_face(&self, span: &Span, normal: DVec3, ball: &Ball, limits: Limits) -> Option<BallHit> {
        const SHARE: f64 = 1.0 / 32.0;
        let speed = normal.dot(ball.translation);
        let is_clear = limits.rounding <= limits.touch * (1.0 / (1u64 << 25) as f64)
            && span.ahead.abs() - span.half > limits.touch + 2.0 * limits.rounding
            && speed * speed >= SHARE * SHARE * ball.translation.length_squared();
        if !is_clear {
            return None;
        }
        let quad = self.nearest_of(span, normal);
        let mut candidate = Candidate::none();
        let is_met = ball.face(&quad.corners, normal, limits, Feature::Face, &mut candidate);
        if !is_met || candidate.touching || !is_inside(&quad, normal, candidate.foot, SHARE * limits.touch) {
            return None;
        }
        Some(BallHit {
            fraction: candidate.fraction,
            foot: self.foot(candidate.foot, &quad),
            normal: ball.face_normal(quad.normal),
            feature: feature(&quad, Feature::Face),
            start_overlap: false,
        })
    }

    #[cold]
    #[inline(never)]
    fn touching(&self, seen: &Seen, ball: &Ball, limits: Limits) -> Option<BallHit> {
        let (closest, quad) = self.closest(seen);
        let grazes = |nearer| self.only_grazes(&seen.spans, ball, nearer);
        if !ball.goes_deeper(closest.normal, closest.distance, limits, grazes) {
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

    /// The point of the block under the point at which the least way out of the origin leaves.
    fn foot_out(&self, depth: f64, normal: DVec3) -> DVec3 {
        if self.generators.len() < 4 {
            return normal * depth;
        }
        // Seen from in front of the face that it leaves by, the same point is the nearest.
        let back = normal * (depth + self.extent());
        let from_ahead = Zonotope { center: self.center - back, generators: self.generators };
        let (closest, quad) = from_ahead.closest(&from_ahead.seen(0.0));
        from_ahead.foot(closest.foot, &quad) + back
    }

    /// The point of the block under a point of a parallelogram, without its part along the fourth generator.
    fn foot(&self, point: DVec3, quad: &Quad) -> DVec3 {
        if self.generators.len() < 4 {
            return point;
        }
        let axis = self.generators[3];
        let share = match quad.spanned {
            [i, 3] => {
                // The coordinate along the axis in the skew frame of the two spanning vectors.
                let (other, inside) = (self.generators[i], point - quad.center);
                let [along, lean] = [inside, axis].map(|v| v.dot(other) / other.length_squared());
                let across = axis - other * lean;
                let length_squared = across.length_squared();
                let share = if length_squared > 0.0 { inside.dot(across) / length_squared } else { 0.0 };
                let is_steep = length_squared >= lean * lean * other.length_squared();
                // Of nearly parallel ones it is rounding alone: then no further than the other coordinate
                // allows.
                let [low, high] = [(along - lean.signum()) / lean, (along + lean.signum()) / lean];
                let share = if is_steep { share } else { share.max(low).min(high) };
                share.clamp(-1.0, 1.0)
            }
            _ => quad.signs[3],
        };
        point - axis * share
    }

    fn only_grazes(&self, spans: &Spans, ball: &Ball, limits: Limits) -> bool {
        let masks = 0..1usize << (self.generators.len() - 2);
        spans.iter().all(|span| {
            masks.clone().all(|mask| {
                let quad = self.quad(span, mask);
                ball.only_grazes(&quad.corners, quad.normal, limits)
            })
        })
    }
}

/// Whether the way leads along a face or away from it, on the far side of which the whole solid is: what is
/// walked on. As a prism is passed over, where the numbers are derived: the other faces turn away by at least
/// 30°.
#[inline(always)]
fn passes_over(span: &Span, normal: DVec3, ball: &Ball, limits: Limits) -> bool {
    let speed = normal.dot(ball.translation);
    let rise = if span.ahead < 0.0 { speed } else { -speed };
    rise >= -0.125 * ball.threshold
        && span.ahead.abs() - span.half + rise.min(0.0) >= limits.graze + 3.0 * limits.rounding
        && limits.graze >= 64.0 * limits.rounding
}

/// Whether a point of the plane lies in a parallelogram, by at least a margin away from its edges.
#[inline(always)]
fn is_inside(quad: &Quad, normal: DVec3, point: DVec3, margin: f64) -> bool {
    (0..4).all(|i| {
        let p = quad.corners[i];
        let edge = quad.corners[(i + 1) % 4] - p;
        let inside = edge.cross(point - p).dot(normal);
        inside > 0.0 && inside * inside >= margin * margin * edge.length_squared()
    })
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

#[cfg(test)]
mod tests;
