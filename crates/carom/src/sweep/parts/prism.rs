//! A ball swept against a flat polygon thickened along a segment: the core of the capsule's kernel.
//!
//! Source: `docs/sphere-triangle.md`, the capsule. A capsule whose center comes to c touches a polygon T when
//! a ball at c touches the prism T ⊕ [−a, a], a from the center to the upper cap. The prism is convex: two
//! copies of T, a parallelogram per edge, and their edges and corners. Where it is flat (axis in the plane,
//! edge along the axis) the parts without area are covered by their edges. Error, cost: as `ball`, over 2 + n
//! faces, 3n edges and 2n corners. It never gives up.

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::sweep::Feature;
use crate::sweep::parts::ball::{Ball, BallHit, Candidate, Limits, is_in_reach};
use crate::sweep::parts::nearest::{Closest, closest, closest_of_segments, inside, is_flat, upwards};
use crate::sweep::parts::outline::{Outline, Shifted, triangle_normal};

/// A polygon thickened by `half_axis` both ways.
pub(crate) struct Prism<'a, O> {
    pub(crate) outline: &'a O,
    pub(crate) normal: Option<DVec3>,
    pub(crate) half_axis: DVec3,
    /// A bit for every edge that a coplanar neighbor continues.
    pub(crate) flat: u32,
}

/// The part of the prism nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPart {
    /// Distance, foot on the prism, normal, and the feature of the polygon. Inside, the least way out, with a
    /// negative distance.
    pub(crate) closest: Closest,
    /// The point of the polygon that the foot stems from.
    pub(crate) on_polygon: DVec3,
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

    /// The earliest root over all parts, before the start is judged. Its foot is on the prism. If some part
    /// touches at the start, the others are not tested: only that matters then.
    #[inline(always)]
    fn roots(&self, ball: &Ball, limits: Limits) -> Candidate {
        let mut candidate = Candidate::none();
        let caps = [self.cap(-1.0), self.cap(1.0)];
        if let Some(normal) = self.normal {
            for cap in &caps {
                ball.face(cap, normal, limits, Feature::Face, &mut candidate);
            }
            if candidate.touching || candidate.found && self.is_met_by_cap(normal, &candidate, ball, limits) {
                return candidate;
            }
        }
        self.roots_beside_caps(ball, limits, self.caps_in_reach(ball, limits), &mut candidate);
        candidate
    }

    /// The range of heights of each cap along a unit vector, the lower cap first.
    #[inline(always)]
    fn cap_heights(&self, normal: DVec3) -> [[f64; 2]; 2] {
        let [low, high] = heights(self.outline, normal);
        let tilt = normal.dot(self.half_axis);
        [[low - tilt, high - tilt], [low + tilt, high + tilt]]
    }

    /// Whether each cap comes near enough to the path for any root.
    #[inline(always)]
    fn caps_in_reach(&self, ball: &Ball, limits: Limits) -> [bool; 2] {
        let Some(normal) = self.normal else { return [true; 2] };
        self.cap_heights(normal).map(|heights| is_in_reach(ball, normal, heights, limits))
    }

    /// Offers the roots of all parts but the caps: of the edges and corners of these only where they are
    /// asked for.
    #[inline(never)]
    fn roots_beside_caps(
        &self,
        ball: &Ball,
        limits: Limits,
        [asks_low, asks_high]: [bool; 2],
        candidate: &mut Candidate,
    ) {
        let caps = [self.cap(-1.0), self.cap(1.0)];
        // A bit for each side that is out of reach, with its edges and their ends; sides beyond the last bit
        // are tested.
        let mut clear = 0u64;
        for i in 0..self.outline.edges() {
            let edge = Feature::Edge(i as u32);
            let (side, normal) = self.side(i);
            if let Some(normal) = normal {
                if i < 64 && !is_in_reach(ball, normal, heights(&side, normal), limits) {
                    clear |= 1 << i;
                    continue;
                }
                ball.face(&side, normal, limits, edge, candidate);
            }
            if asks_low {
                ball.edge(side[0], side[1], edge, limits, candidate);
            }
            if asks_high {
                ball.edge(side[3], side[2], edge, limits, candidate);
            }
            if candidate.touching {
                return;
            }
        }
        for i in 0..self.outline.len() {
            let before = if i == 0 { self.outline.len() - 1 } else { i - 1 };
            if [before, i].iter().any(|side| *side < 64 && clear >> side & 1 == 1) {
                continue;
            }
            let vertex = Feature::Vertex(i as u32);
            let (low, high) = (caps[0].at(i), caps[1].at(i));
            ball.edge(low, high, vertex, limits, candidate);
            if asks_low {
                ball.vertex(low, vertex, limits, candidate);
            }
            if asks_high {
                ball.vertex(high, vertex, limits, candidate);
            }
        }
    }

    /// Whether the path leads along a cap or away from it, with the whole prism on the far side of the cap:
    /// the case of walking.
    ///
    /// Nothing of the prism is nearer on the path than the plane of the cap, and that is more than three
    /// rounding bounds ρ farther away than what counts as grazing. A root then lies beside that plane, less
    /// than 2.5 √(ρR) from an edge or a corner in it (never by a side: the axis leans by no more than 60°),
    /// and only grazes: the straight line comes nearer by no more than one bound, because the way sinks more
    /// slowly than the least approach that counts as a root.
    #[inline(always)]
    fn passes_over(&self, normal: DVec3, ball: &Ball, limits: Limits) -> bool {
        let (height, tilt) = (-normal.dot(self.outline.at(0)), normal.dot(self.half_axis));
        let rise = if height < 0.0 { -normal.dot(ball.translation) } else { normal.dot(ball.translation) };
        rise >= -0.125 * ball.threshold
            && height.abs() - tilt.abs() + rise.min(0.0) >= limits.graze + 3.0 * limits.rounding
            && limits.graze >= 64.0 * limits.rounding
            && 4.0 * tilt * tilt >= self.half_axis.length_squared()
    }

    /// Whether a cap that is hit is hit so far from its edges, so steeply, and by an axis so upright that
    /// neither a side nor an edge nor a corner can be hit as early, whatever rounding does.
    ///
    /// The start must be in front of the cap: all of the prism lies beyond its plane then, and up to the
    /// contact the center is no nearer to that than the touching radius R. With the foot m inside the edges
    /// at the contact, the sine of the way's slope at least s, and the axis leaning by no more than 60°: as
    /// long as the foot is m/2 inside, whatever is d below the edges is farther away than R by at least m/8
    /// if d is more than that, else by m²/(32 R + 4 m), being m/4 to the side; and before that the center is
    /// higher by s m/2. With m = R/32 and s = 1/32 all three are more than R/2¹⁶, and a rounding bound must
    /// be less than a five-hundredth of that.
    #[inline(always)]
    fn is_met_by_cap(&self, normal: DVec3, candidate: &Candidate, ball: &Ball, limits: Limits) -> bool {
        const SHARE: f64 = 1.0 / 32.0;
        let (height, tilt) = (-normal.dot(self.outline.at(0)), normal.dot(self.half_axis));
        let speed = normal.dot(ball.translation);
        let is_clear = limits.rounding <= limits.touch * (1.0 / (1u64 << 25) as f64)
            && height.abs() - tilt.abs() > limits.touch
            && speed * speed >= SHARE * SHARE * ball.translation.length_squared()
            && 4.0 * tilt * tilt >= self.half_axis.length_squared();
        if !is_clear {
            return false;
        }
        // The foot on the polygon itself, if it is on the nearer cap.
        let by = if (height < 0.0) == (tilt < 0.0) { self.half_axis } else { -self.half_axis };
        let foot = candidate.foot - by;
        let margin = SHARE * limits.touch;
        let mut is_met = (foot - self.outline.at(0)).dot(normal).abs() < tilt.abs();
        for i in 0..self.outline.len() {
            let p = self.outline.at(i);
            let edge = self.outline.at(self.outline.next(i)) - p;
            let inside = edge.cross(foot - p).dot(normal);
            is_met &= inside > 0.0 && inside * inside >= margin * margin * edge.length_squared();
        }
        is_met
    }

    /// The first contact. The foot of the hit is on the polygon itself.
    #[inline(always)]
    pub(crate) fn sweep(&self, ball: &Ball, limits: Limits) -> Option<BallHit> {
        // Deep inside, no part of the surface may be near: tested first.
        if let Some(depth) = self.depth() {
            return self.touching(depth, ball, limits);
        }
        if self.normal.is_some_and(|normal| self.passes_over(normal, ball, limits)) {
            return None;
        }
        self.first_of(self.roots(ball, limits), ball, limits)
    }

    /// The hit at the earliest root.
    #[inline(always)]
    fn first_of(&self, candidate: Candidate, ball: &Ball, limits: Limits) -> Option<BallHit> {
        if !candidate.found {
            return None;
        }
        if candidate.touching {
            return self.touching(self.nearest(), ball, limits);
        }
        if candidate.fraction > limits.within
            || candidate.closest >= limits.graze && self.only_grazes(ball, limits)
        {
            return None;
        }
        let center = ball.translation * candidate.fraction;
        let outline = &Shifted { outline: self.outline, by: -center };
        let there = Prism { outline, normal: self.normal, half_axis: self.half_axis, flat: self.flat };
        let nearest = there.nearest();
        Some(BallHit {
            fraction: candidate.fraction,
            foot: nearest.on_polygon + center,
            normal: if ball.is_point(limits) {
                ball.backwards()
            } else {
                ball.opposing(nearest.closest.contact_normal(self.normal, self.flat))
            },
            feature: nearest.closest.feature,
            start_overlap: false,
        })
    }

    #[cold]
    #[inline(never)]
    fn touching(&self, nearest: NearestPart, ball: &Ball, limits: Limits) -> Option<BallHit> {
        // On the surface of the prism to within rounding, the nearest part gives no normal; the least way out
        // does.
        let thick = |normal: &DVec3| normal.dot(self.half_axis).abs() > 2.0 * limits.rounding;
        let (nearest, inside) = match self.normal.filter(thick) {
            Some(normal) if nearest.closest.distance <= limits.rounding => (self.least_way_out(normal), true),
            _ => (nearest, false),
        };
        let closest = nearest.closest;
        let contact = closest.contact_normal(self.normal, self.flat);
        let grazes = |nearer| self.only_grazes(ball, nearer);
        let deeper = if inside {
            contact.dot(ball.translation) < -ball.threshold
        } else {
            closest.distance != 0.0 && ball.goes_deeper(contact, closest.distance, limits, grazes)
        };
        if !deeper {
            return None;
        }
        Some(BallHit {
            fraction: 0.0,
            foot: nearest.on_polygon,
            normal: ball.opposing(contact),
            feature: closest.feature,
            start_overlap: closest.distance < ball.radius - limits.rounding,
        })
    }

    /// The nearest part of the prism.
    ///
    /// A face that the origin is in front of, with its foot inside, is nearest by convexity. It is taken for
    /// that, not for its distance: √(2·rounding·distance) beside an edge the two distances are the same to
    /// rounding, and the normals are not.
    pub(crate) fn nearest(&self) -> NearestPart {
        if let Some(depth) = self.depth() {
            return depth;
        }
        let tilt = self.normal.map_or(0.0, |normal| normal.dot(self.half_axis));
        if let Some(normal) = self.normal {
            for sign in [-1.0, 1.0] {
                let cap = self.cap(sign);
                let height = -normal.dot(cap.at(0));
                let side = if height < 0.0 { -normal } else { normal };
                let foot = normal * -height;
                if side.dot(normal) * tilt * sign >= 0.0 && inside(&cap, normal, foot) {
                    let distance = if height < 0.0 { -height } else { height };
                    let closest = Closest { distance, foot, feature: Feature::Face, normal: side };
                    return NearestPart { closest, on_polygon: foot - self.half_axis * sign };
                }
            }
        }
        self.nearest_beside_caps(tilt)
    }

    /// The nearest part, if it is no cap that the origin is in front of.
    ///
    /// Parts beyond a plane that is farther away than the best so far are skipped: the plane of the other
    /// cap, those of the sides. The plane must be farther by more than all of this rounds, so that parts that
    /// are equally near to within rounding are always compared.
    #[inline(never)]
    fn nearest_beside_caps(&self, tilt: f64) -> NearestPart {
        let slack = 64.0 * UNIT_ROUNDOFF * (self.outline.extent() + reach(self.half_axis));
        let cap = |sign: f64| {
            let closest = closest(&self.cap(sign), self.normal);
            NearestPart { closest, on_polygon: closest.foot - self.half_axis * sign }
        };
        let [low_apart, high_apart] = match self.normal {
            Some(normal) => self.cap_heights(normal).map(apart),
            None => [0.0; 2],
        };
        // The upper one only where it is nearer, whichever is tested first. A NaN is tested.
        let is_beyond = |apart: f64, part: &NearestPart| apart > part.closest.distance + slack;
        let is_nearer =
            |one: &NearestPart, other: &NearestPart| one.closest.distance < other.closest.distance;
        let mut best = if low_apart <= high_apart {
            let low = cap(-1.0);
            let high = if is_beyond(high_apart, &low) { low } else { cap(1.0) };
            if is_nearer(&high, &low) { high } else { low }
        } else {
            let high = cap(1.0);
            let low = if is_beyond(low_apart, &high) { high } else { cap(-1.0) };
            if is_nearer(&high, &low) { high } else { low }
        };
        for i in 0..self.outline.edges() {
            let (side, normal) = self.side(i);
            if let Some(normal) = normal
                && is_beyond(apart(heights(&side, normal)), &best)
            {
                continue;
            }
            let found = closest(&side, normal);
            // The corners run round the polygon's normal: edge × axis points out where the axis rises along
            // it.
            let front = normal.is_some_and(|normal| found.normal.dot(normal) * tilt >= 0.0);
            if front && self.normal.is_some() && found.feature == Feature::Face {
                return self.on_side(i, found);
            }
            if found.distance < best.closest.distance {
                best = self.on_side(i, found);
            }
        }
        best
    }

    /// The part of the prism that a point of the parallelogram over edge `i` belongs to.
    fn on_side(&self, i: usize, found: Closest) -> NearestPart {
        let (first, last) = (i, self.outline.next(i));
        let edge = Feature::Edge(i as u32);
        // The lateral edges and their ends belong to a corner of the polygon, the rest to its edge.
        let (feature, on_polygon) = match found.feature {
            Feature::Edge(1) | Feature::Vertex(1 | 2) => {
                (Feature::Vertex(last as u32), self.outline.at(last))
            }
            Feature::Edge(3) | Feature::Vertex(0 | 3) => {
                (Feature::Vertex(first as u32), self.outline.at(first))
            }
            Feature::Edge(0) => (edge, found.foot + self.half_axis),
            Feature::Edge(_) | Feature::Vertex(_) => (edge, found.foot - self.half_axis),
            Feature::Face => {
                // Not by the parallelogram's own coordinates, which are imprecise for a thin one, but by the
                // point of the edge nearest to the axis, which is as far away as the foot.
                let (p, q) = (self.outline.at(first), self.outline.at(last));
                (edge, closest_of_segments(-self.half_axis, self.half_axis, p, q).1)
            }
        };
        NearestPart { closest: Closest { feature, ..found }, on_polygon }
    }

    /// The least way out of the prism for an origin inside it. Equal ways: through a cap, upwards (y, then x,
    /// then z).
    fn depth(&self) -> Option<NearestPart> {
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
        Some(self.least_way_out(normal))
    }

    fn least_way_out(&self, normal: DVec3) -> NearestPart {
        let (height, tilt) = (-normal.dot(self.outline.at(0)), normal.dot(self.half_axis));
        let pierced = self.half_axis * (-height / tilt);
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
            // Beyond a flat edge the same surface continues: no way out.
            if is_flat(self.flat, Feature::Edge(i as u32)) {
                continue;
            }
            // The corners run round `normal`: edge × axis points out where the axis rises along it.
            let out = if tilt < 0.0 { -side_normal } else { side_normal };
            let distance = -out.dot(side[0]);
            if distance > best.distance {
                best = Closest { distance, foot: pierced, feature: Feature::Edge(i as u32), normal: out };
            }
        }
        // The least way out is perpendicular to the part that it leads to, so that part is as near to the
        // axis as the surface. Where the prism is thin or its surface within rounding that need not be: the
        // plane of a part passes as near far beyond it.
        let (on_axis, on_polygon) = match best.feature {
            Feature::Edge(i) => {
                let (p, q) = (self.outline.at(i as usize), self.outline.at(self.outline.next(i as usize)));
                closest_of_segments(-self.half_axis, self.half_axis, p, q)
            }
            _ => (pierced, pierced),
        };
        let is_there = match best.feature {
            Feature::Face => height.abs() <= tilt.abs() && inside(self.outline, normal, pierced),
            _ => (on_axis - on_polygon).length_squared() <= 4.0 * best.distance * best.distance,
        };
        if is_there {
            return NearestPart { closest: best, on_polygon };
        }
        let (on_polygon, feature) = self.nearest_to_axis(normal);
        NearestPart { closest: Closest { feature, ..best }, on_polygon }
    }

    /// The point of the polygon that is nearest to the axis, and the part that it is on.
    #[cold]
    #[inline(never)]
    fn nearest_to_axis(&self, normal: DVec3) -> (DVec3, Feature) {
        let mut best = (f64::INFINITY, DVec3::ZERO, Feature::Face);
        let mut offer = |on_axis: DVec3, on_polygon: DVec3, feature: Feature| {
            let squared = (on_axis - on_polygon).length_squared();
            if squared < best.0 {
                best = (squared, on_polygon, feature);
            }
        };
        let (height, tilt) = (-normal.dot(self.outline.at(0)), normal.dot(self.half_axis));
        let pierced = self.half_axis * (-height / tilt);
        if height.abs() <= tilt.abs() && inside(self.outline, normal, pierced) {
            offer(pierced, pierced, Feature::Face);
        }
        for end in [-self.half_axis, self.half_axis] {
            let foot = end - normal * (height + normal.dot(end));
            if inside(self.outline, normal, foot) {
                offer(end, foot, Feature::Face);
            }
        }
        for i in 0..self.outline.edges() {
            let next = self.outline.next(i);
            let (p, q) = (self.outline.at(i), self.outline.at(next));
            let (on_axis, on_edge) = closest_of_segments(-self.half_axis, self.half_axis, p, q);
            let feature = match on_edge {
                end if end == p => Feature::Vertex(i as u32),
                end if end == q => Feature::Vertex(next as u32),
                _ => Feature::Edge(i as u32),
            };
            offer(on_axis, on_edge, feature);
        }
        (best.1, best.2)
    }

    fn only_grazes(&self, ball: &Ball, limits: Limits) -> bool {
        // The cap on the origin's side first: a mover that goes deeper goes through that one.
        let (at, normal) = (self.outline.at(0), self.normal.unwrap_or(DVec3::ZERO));
        let sign = if (normal.dot(at) > 0.0) == (normal.dot(self.half_axis) < 0.0) { 1.0 } else { -1.0 };
        [sign, -sign].iter().all(|sign| ball.only_grazes(&self.cap(*sign), self.normal, limits))
            && (0..self.outline.edges()).all(|i| {
                let (side, normal) = self.side(i);
                ball.only_grazes(&side, normal, limits)
            })
    }
}

/// The range of heights of an outline along a unit vector.
#[inline(always)]
fn heights(outline: &impl Outline, normal: DVec3) -> [f64; 2] {
    let (mut low, mut high, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    for i in 0..outline.len() {
        let height = normal.dot(outline.at(i));
        (low, high, sum) = (low.min(height), high.max(height), sum + height);
    }
    // `min` and `max` ignore a NaN; this, 0 times the number, does not.
    let lost = sum * 0.0;
    [low + lost, high + lost]
}

/// A lower bound of the distance from the origin of parts between two heights; 0 or less if the origin is
/// between them, too.
#[inline(always)]
fn apart([low, high]: [f64; 2]) -> f64 {
    if low > -high { low } else { -high }
}

#[cfg(test)]
mod tests;
