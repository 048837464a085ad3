//! A ball swept against points, segments and flat convex polygons: the core of every round kernel.
//!
//! Source: `docs/sphere-triangle.md`. A polygon grown by the radius is convex, so a way from outside enters
//! it once, at the earliest valid root over its face, edges and corners; and a way that does not approach at
//! the start never hits. Everything is relative to where the center starts. Error: the answer is exact for a
//! radius off by at most [`Limits::rounding`]; to stop short of contact it is solved for a radius larger by
//! [`STANDOFF`] of these. Cost: one face, and a contact root per edge and corner. It never gives up: numbers
//! that overflow stop the mover.

use glam::DVec3;

use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, length_and_direction, reach};
use crate::num::contact::{ContactRoot, contact_root};
use crate::num::ops::sqrt;
use crate::sweep::Feature;
use crate::sweep::parts::nearest::{closest, inside, towards};
use crate::sweep::parts::outline::{Outline, Shifted};

/// A moving ball, from the origin by `translation`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) translation: DVec3,
    pub(crate) radius: f64,
    /// Slower than this against a normal is no approach.
    pub(crate) threshold: f64,
    /// The rounding that does not depend on the other shape: of the path, the radius and the caller's
    /// coordinates.
    rounding: f64,
}

/// The radii at which one polygon is hit: rounding grows with the distance of its corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The rounding bound.
    pub(crate) rounding: f64,
    /// The distance of the center at contact: the radius and the standoff.
    pub(crate) touch: f64,
    /// A path that never comes nearer than this only grazes.
    pub(crate) graze: f64,
    /// Contacts after this fraction of the path are ignored.
    pub(crate) within: f64,
}

/// The first contact, with the foot relative to the start of the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallHit {
    pub(crate) fraction: f64,
    pub(crate) foot: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    pub(crate) start_overlap: bool,
}

/// The earliest root so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) fraction: f64,
    pub(crate) feature: Feature,
    pub(crate) foot: DVec3,
    /// The least distance of the center's straight line from the feature; 0 for a face.
    pub(crate) closest: f64,
    /// Some feature is within the touching radius at the start.
    pub(crate) touching: bool,
    pub(crate) found: bool,
}

impl Candidate {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self {
            fraction: 1.0,
            feature: Feature::Face,
            foot: DVec3::ZERO,
            closest: 0.0,
            touching: false,
            found: false,
        }
    }

    #[inline(always)]
    pub(crate) fn offer(&mut self, fraction: f64, feature: Feature, foot: DVec3, closest: f64) {
        // A NaN counts as now: it stops the mover.
        if !self.found || fraction < self.fraction || fraction.is_nan() {
            *self = Self { fraction, feature, foot, closest, touching: self.touching, found: true };
        }
    }
}

impl Ball {
    /// `rounding` is the error of the caller's coordinates, in the ball's space.
    #[inline(always)]
    pub(crate) fn new(translation: DVec3, radius: f64, rounding: f64) -> Self {
        let length = sqrt(translation.length_squared());
        Self {
            translation,
            radius,
            threshold: APPROACH * length,
            rounding: rounding + 8.0 * UNIT_ROUNDOFF * (reach(translation) + radius),
        }
    }

    /// The same ball, larger.
    pub(crate) fn with_radius(&self, radius: f64) -> Self {
        Self { radius, ..*self }
    }

    /// The same ball on its way until a fraction.
    #[inline(always)]
    pub(crate) fn until(&self, fraction: f64) -> Self {
        if fraction < 1.0 { Self { translation: self.translation * fraction, ..*self } } else { *self }
    }

    /// The radii for a polygon whose corners reach this far.
    #[inline(always)]
    pub(crate) fn limits(&self, extent: f64) -> Limits {
        let rounding = self.rounding + 8.0 * UNIT_ROUNDOFF * extent;
        Limits {
            rounding,
            touch: self.radius + STANDOFF * rounding,
            // A ray must not slip between two faces: an edge stops it if rounding cannot distinguish it from
            // the seam.
            graze: (self.radius - rounding).max(rounding),
            within: f64::INFINITY,
        }
    }

    /// The face, where the foot of the center lies inside it. True when the face is hit: nothing else of it
    /// is hit earlier.
    #[inline(always)]
    pub(crate) fn face(
        &self,
        outline: &impl Outline,
        normal: DVec3,
        limits: Limits,
        feature: Feature,
        candidate: &mut Candidate,
    ) -> bool {
        let height = -normal.dot(outline.at(0));
        let (side, height) = if height < 0.0 { (-normal, -height) } else { (normal, height) };
        let speed = -side.dot(self.translation);
        if height <= limits.touch {
            let foot = side * -height;
            if inside(outline, normal, foot) {
                candidate.touching = true;
                candidate.offer(0.0, feature, foot, 0.0);
                return true;
            }
            self.face_behind_edge(outline, normal, limits, feature, candidate);
            return false;
        }
        if speed <= self.threshold {
            return false;
        }
        let fraction = (height - limits.touch) / speed;
        if fraction > 1.0 {
            return false;
        }
        let foot = self.translation * fraction - side * (height - fraction * speed);
        if inside(outline, normal, foot) {
            candidate.offer(fraction, feature, foot, 0.0);
            return true;
        }
        self.face_behind_edge(outline, normal, limits, feature, candidate);
        false
    }

    /// The face, where the way sinks towards it so slowly that rounding decides whether the foot at the
    /// touching radius lies this side of an edge or beyond, and whether the edge itself is touched: each of
    /// the two could leave the contact to the other.
    ///
    /// On a slope s the way comes nearer to an edge that it passes over than to its plane there by the share
    /// s²/2 of the radius; only where that is less than a rounding bound (twice that, to be sure) can the
    /// edge be missed. There the face is asked again two rounding bounds deeper. If the foot is still outside
    /// by then, the edge is passed no higher than three bounds above the radius, and its own root, with one
    /// bound of error, finds it below the touching four.
    #[inline(always)]
    fn face_behind_edge(
        &self,
        outline: &impl Outline,
        normal: DVec3,
        limits: Limits,
        feature: Feature,
        candidate: &mut Candidate,
    ) {
        let speed = normal.dot(self.translation);
        if speed * speed * limits.touch <= 4.0 * limits.rounding * self.translation.length_squared() {
            self.face_deeper(outline, normal, limits, feature, candidate);
        }
    }

    #[cold]
    #[inline(never)]
    fn face_deeper(
        &self,
        outline: &impl Outline,
        normal: DVec3,
        limits: Limits,
        feature: Feature,
        candidate: &mut Candidate,
    ) {
        let height = -normal.dot(outline.at(0));
        let (side, height) = if height < 0.0 { (-normal, -height) } else { (normal, height) };
        let speed = -side.dot(self.translation);
        let deeper = self.radius + 2.0 * limits.rounding;
        if speed <= self.threshold || height <= deeper {
            return;
        }
        let fraction = (height - deeper) / speed;
        if fraction > 1.0 {
            return;
        }
        let foot = self.translation * fraction - side * (height - fraction * speed);
        if inside(outline, normal, foot) {
            candidate.offer(fraction, feature, foot, 0.0);
        }
    }

    /// The inside of the edge from `p` to `q`.
    #[inline(always)]
    pub(crate) fn edge(
        &self,
        p: DVec3,
        q: DVec3,
        feature: Feature,
        limits: Limits,
        candidate: &mut Candidate,
    ) {
        let edge = q - p;
        let length_squared = edge.length_squared();
        if length_squared == 0.0 {
            return;
        }
        let start = -p.dot(edge);
        let speed = self.translation.dot(edge);
        let across = -p - edge * (start / length_squared);
        let translation = self.translation - edge * (speed / length_squared);
        match contact_root(across, translation, limits.touch, self.threshold) {
            ContactRoot::None => {}
            ContactRoot::Touching => {
                if (0.0..=length_squared).contains(&start) {
                    candidate.touching = true;
                    candidate.offer(0.0, feature, p + edge * (start / length_squared), 0.0);
                }
            }
            ContactRoot::At { fraction, closest } => {
                let along = start + fraction * speed;
                // Written so that a NaN counts as inside.
                if !(along < 0.0 || along > length_squared) {
                    candidate.offer(fraction, feature, p + edge * (along / length_squared), closest);
                }
            }
        }
    }

    /// A corner.
    #[inline(always)]
    pub(crate) fn vertex(&self, v: DVec3, feature: Feature, limits: Limits, candidate: &mut Candidate) {
        match contact_root(-v, self.translation, limits.touch, self.threshold) {
            ContactRoot::None => {}
            ContactRoot::Touching => {
                candidate.touching = true;
                candidate.offer(0.0, feature, v, 0.0);
            }
            ContactRoot::At { fraction, closest } => candidate.offer(fraction, feature, v, closest),
        }
    }

    /// The earliest root over a whole polygon, its start not yet judged.
    #[inline(always)]
    pub(crate) fn roots(&self, outline: &impl Outline, normal: Option<DVec3>, limits: Limits) -> Candidate {
        let mut candidate = Candidate::none();
        if let Some(normal) = normal
            && self.face(outline, normal, limits, Feature::Face, &mut candidate)
        {
            return candidate;
        }
        for i in 0..outline.edges() {
            self.edge(
                outline.at(i),
                outline.at(outline.next(i)),
                Feature::Edge(i as u32),
                limits,
                &mut candidate,
            );
        }
        for i in 0..outline.len() {
            self.vertex(outline.at(i), Feature::Vertex(i as u32), limits, &mut candidate);
        }
        candidate
    }

    /// The first contact with a polygon. `flat` has a bit set for every edge that a coplanar neighbor
    /// continues.
    #[inline(always)]
    pub(crate) fn polygon(
        &self,
        outline: &impl Outline,
        normal: Option<DVec3>,
        flat: u32,
        limits: Limits,
    ) -> Option<BallHit> {
        let candidate = self.roots(outline, normal, limits);
        if !candidate.found {
            return None;
        }
        if candidate.touching {
            return self.touching(outline, normal, flat, limits);
        }
        if candidate.fraction > limits.within
            || candidate.closest >= limits.graze && self.only_grazes(outline, normal, limits)
        {
            return None;
        }
        let center = self.translation * candidate.fraction;
        if candidate.feature == Feature::Face || self.is_point(limits) {
            return Some(BallHit {
                fraction: candidate.fraction,
                foot: candidate.foot,
                normal: self.face_normal(normal),
                feature: candidate.feature,
                start_overlap: false,
            });
        }
        // Two roots may differ by a rounding, and their normals by the square root of that: the part nearest
        // to the stopped mover decides, as for contacts.
        let nearest = closest(&Shifted { outline, by: -center }, normal);
        Some(BallHit {
            fraction: candidate.fraction,
            foot: nearest.foot + center,
            normal: self.opposing(nearest.contact_normal(normal, flat)),
            feature: nearest.feature,
            start_overlap: false,
        })
    }

    /// Whether the radius is nothing but rounding, as a ray's is.
    #[inline(always)]
    pub(crate) fn is_point(&self, limits: Limits) -> bool {
        self.radius <= 2.0 * limits.rounding
    }

    /// The first contact with a whole plane through `point`, from the side where the origin is.
    pub(crate) fn plane(&self, point: DVec3, normal: DVec3, limits: Limits) -> Option<BallHit> {
        let height = -normal.dot(point);
        // On the plane itself every way leads out.
        match height {
            0.0 => None,
            height if height < 0.0 => self.half_space(-height, -normal, limits),
            height => self.half_space(height, normal, limits),
        }
    }

    /// The first contact with everything `height` or more below the origin along `normal`; inside it `height`
    /// is negative.
    pub(crate) fn half_space(&self, height: f64, normal: DVec3, limits: Limits) -> Option<BallHit> {
        let speed = -normal.dot(self.translation);
        if speed <= self.threshold {
            return None;
        }
        let fraction = (height - limits.touch) / speed;
        if fraction > 1.0 {
            return None;
        }
        let fraction = if fraction > 0.0 { fraction } else { 0.0 };
        Some(BallHit {
            fraction,
            foot: self.translation * fraction - normal * (height - fraction * speed),
            normal,
            feature: Feature::Face,
            start_overlap: height < self.radius - limits.rounding,
        })
    }

    /// The normal of a hit face, and of any hit of a point, which has no side of its own: along the face,
    /// against the path. Without a face, straight against the path.
    #[inline(always)]
    pub(crate) fn face_normal(&self, face: Option<DVec3>) -> DVec3 {
        match face {
            Some(face) if face.dot(self.translation) != 0.0 => towards(face, -self.translation),
            _ => self.backwards(),
        }
    }

    /// The normal at the stop; the path never leads along it.
    ///
    /// By convexity no way leads along the exact one. But a foot is only good to ρ, its normal to ρ over the
    /// distance, and where two parts are as near to within rounding, to the root of twice that
    /// (`docs/numbers.md`). A way that comes in flatter than that may seem to leave: it is as good as
    /// sliding, and its normal is turned perpendicular to it.
    #[inline(always)]
    pub(crate) fn opposing(&self, normal: DVec3) -> DVec3 {
        let speed = normal.dot(self.translation);
        if speed > 0.0 { self.square_to_way(normal, speed) } else { normal }
    }

    #[cold]
    #[inline(never)]
    fn square_to_way(&self, normal: DVec3, speed: f64) -> DVec3 {
        let across = normal - self.translation * (speed / self.translation.length_squared());
        let squared = across.length_squared();
        // More along the path than across it: a foot this near gives no direction.
        if squared > 0.5 { across / sqrt(squared) } else { self.backwards() }
    }

    /// Against the path.
    pub(crate) fn backwards(&self) -> DVec3 {
        let (length, direction) = length_and_direction(-self.translation);
        if length > 0.0 { direction } else { DVec3::Y }
    }
}

/// Whether the path comes near enough for any root to parts between two heights along a unit vector: nearer
/// than the touching radius plus two rounding bounds.
#[inline(always)]
pub(in crate::sweep) fn is_in_reach(
    ball: &Ball,
    normal: DVec3,
    [low, high]: [f64; 2],
    limits: Limits,
) -> bool {
    let (rise, clear) = (normal.dot(ball.translation), limits.touch + 2.0 * limits.rounding);
    let is_clear = low - rise.max(0.0) > clear || rise.min(0.0) - high > clear;
    // A NaN is in reach.
    !is_clear
}
