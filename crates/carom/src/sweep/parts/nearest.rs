//! The nearest points of polygons and segments, and the normals towards them, for the sweeps of round movers.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 5.1. Cost: one pass over the edges. It never gives up.

use glam::DVec3;

use crate::num::bound::length_and_direction;
use crate::sweep::Feature;
use crate::sweep::parts::outline::Outline;

/// The point of a polygon nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    pub(crate) distance: f64,
    pub(crate) foot: DVec3,
    pub(crate) feature: Feature,
    /// Unit, from the polygon towards the origin; zero where the origin lies on it.
    pub(crate) normal: DVec3,
}

impl Closest {
    /// The normal of a contact: a flat edge takes that of its face, and a center on the polygon itself is
    /// pushed out along the face, upwards.
    #[inline(always)]
    pub(crate) fn contact_normal(&self, face: Option<DVec3>, flat: u32) -> DVec3 {
        match face {
            Some(face) if self.normal == DVec3::ZERO => upwards(face),
            Some(face) if is_flat(flat, self.feature) => towards(face, self.normal),
            None if self.normal == DVec3::ZERO => DVec3::Y,
            _ => self.normal,
        }
    }
}

/// The normal, turned to the side of `direction`.
#[inline(always)]
pub(crate) fn towards(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

/// The normal or its opposite, the one that points up: by y, then x, then z.
pub(crate) fn upwards(normal: DVec3) -> DVec3 {
    let first = [normal.y, normal.x, normal.z].into_iter().find(|x| *x != 0.0);
    if first.is_some_and(|x| x < 0.0) { -normal } else { normal }
}

#[inline(always)]
pub(crate) fn is_flat(flat: u32, feature: Feature) -> bool {
    matches!(feature, Feature::Edge(i) if i < 32 && flat >> i & 1 == 1)
}

/// Whether a point of the plane lies in the polygon, outline included. `normal` is that of the corners' own
/// order.
///
/// A polygon so far away that rounding has made its corners one has no inside.
#[inline(always)]
pub(crate) fn inside(outline: &impl Outline, normal: DVec3, point: DVec3) -> bool {
    let (mut inside, mut has_edges) = (true, false);
    for i in 0..outline.len() {
        let p = outline.at(i);
        let edge = outline.at(outline.next(i)) - p;
        inside &= edge.cross(point - p).dot(normal) >= 0.0;
        has_edges |= edge != DVec3::ZERO;
    }
    inside && has_edges
}

/// The point of the polygon nearest to the origin: the nearest over its edges and, where the foot lies
/// inside, its face.
#[inline(always)]
pub(crate) fn closest(outline: &impl Outline, normal: Option<DVec3>) -> Closest {
    if let Some(normal) = normal {
        let height = -normal.dot(outline.at(0));
        let foot = normal * -height;
        if inside(outline, normal, foot) {
            let (distance, normal) = if height < 0.0 { (-height, -normal) } else { (height, normal) };
            return Closest { distance, foot, feature: Feature::Face, normal };
        }
    }
    let mut best = f64::INFINITY;
    let mut foot = outline.at(0);
    let mut feature = Feature::Vertex(0);
    for i in 0..outline.edges() {
        let p = outline.at(i);
        let edge = outline.at(outline.next(i)) - p;
        let along = -p.dot(edge);
        let length_squared = edge.length_squared();
        let (point, part) = if along <= 0.0 {
            (p, Feature::Vertex(i as u32))
        } else if along >= length_squared {
            (outline.at(outline.next(i)), Feature::Vertex(outline.next(i) as u32))
        } else {
            (p + edge * (along / length_squared), Feature::Edge(i as u32))
        };
        let squared = point.length_squared();
        if squared < best {
            (best, foot, feature) = (squared, point, part);
        }
    }
    let (distance, normal) = length_and_direction(-foot);
    Closest { distance, foot, feature, normal }
}

/// The squared distance of two segments: the feet of the common perpendicular where both lie inside, else the
/// nearest end.
pub(crate) fn segments_distance_squared(a: DVec3, b: DVec3, p: DVec3, q: DVec3) -> f64 {
    let (first, second) = closest_of_segments(a, b, p, q);
    (first - second).length_squared()
}

/// The nearest points of two segments, the first on `a`–`b`.
pub(crate) fn closest_of_segments(a: DVec3, b: DVec3, p: DVec3, q: DVec3) -> (DVec3, DVec3) {
    let nearest = |point: DVec3, from: DVec3, to: DVec3| {
        let edge = to - from;
        let along = (point - from).dot(edge);
        let length_squared = edge.length_squared();
        if along <= 0.0 {
            from
        } else if along >= length_squared {
            to
        } else {
            from + edge * (along / length_squared)
        }
    };
    let mut best = (a, nearest(a, p, q));
    for pair in [(b, nearest(b, p, q)), (nearest(p, a, b), p), (nearest(q, a, b), q)] {
        if (pair.0 - pair.1).length_squared() < (best.0 - best.1).length_squared() {
            best = pair;
        }
    }
    // The foot on the first of the perpendicular that both have in common: by the parts across the second, so
    // that nearly parallel segments keep their digits.
    let (first, second) = (b - a, q - p);
    let length_squared = second.length_squared();
    if length_squared > 0.0 {
        let across = |v: DVec3| v - second * (v.dot(second) / length_squared);
        let (slope, start) = (across(first), across(a - p));
        let slope_squared = slope.length_squared();
        let share = -start.dot(slope) / slope_squared;
        if share > 0.0 && share < 1.0 {
            let on_first = a + first * share;
            let pair = (on_first, nearest(on_first, p, q));
            if (pair.0 - pair.1).length_squared() < (best.0 - best.1).length_squared() {
                best = pair;
            }
        }
    }
    best
}
