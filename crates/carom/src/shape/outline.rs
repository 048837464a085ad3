//! Nearest points of a flat convex ring of corners: shared by triangles and polygons.
//!
//! Source: our own. The minimum over the edges and, if the foot of the point is inside, the face. Walks over
//! regions (Ericson, 5.1.5) pick a wrong one on slivers. Here every candidate is a point of the shape, so the
//! least of them is never too near. Error: the distance is the least, and the point is on the shape, to
//! within 4 unit roundoffs of the coordinates and the distance, including slivers. Cost: a closest point and
//! a triple product per edge. It never gives up: without a normal only the edges count.

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, direction_or_up, reach};
use super::segment::{self, SegmentRegion};
use super::{Aabb, Region, Segment, SegmentPoint, SurfacePoint, ray};
use crate::num::point_order::lower;

/// The smallest box around the corners.
pub(super) fn bounds(corners: &[DVec3]) -> Aabb {
    let (min, max) = corners
        .iter()
        .fold((corners[0], corners[0]), |(min, max), &corner| (min.min(corner), max.max(corner)));
    Aabb::spanning(min, max)
}

/// The corner farthest along a direction; of several equally far, the highest in lexicographic order.
pub(super) fn support(corners: &[DVec3], direction: DVec3) -> DVec3 {
    let direction = direction_or_up(direction);
    let (mut best, mut farthest) = (corners[0], corners[0].dot(direction));
    for &corner in &corners[1..] {
        let along = corner.dot(direction);
        if along > farthest || (along == farthest && lower(best, corner)) {
            (best, farthest) = (corner, along);
        }
    }
    best
}

/// The edges: from each corner to the next.
pub(super) fn edges(corners: &[DVec3]) -> impl Iterator<Item = (usize, DVec3, DVec3)> {
    (0..corners.len()).map(|i| (i, corners[i], corners[next(corners, i)]))
}

fn next(corners: &[DVec3], i: usize) -> usize {
    if i + 1 == corners.len() { 0 } else { i + 1 }
}

/// On which side of the edge from `a` to `b`, seen along `normal`, `p` lies: positive on the left. Half the
/// sign of a volume. Computed from the lower end: both faces of an edge get the same number.
fn side(a: DVec3, b: DVec3, normal: DVec3, p: DVec3) -> f64 {
    if lower(a, b) { normal.dot((b - a).cross(p - a)) } else { -normal.dot((a - b).cross(p - b)) }
}

/// Whether the foot of `p` along `normal` is inside the ring, as computed.
fn foot_is_inside(corners: &[DVec3], normal: DVec3, p: DVec3) -> bool {
    edges(corners).all(|(_, a, b)| side(a, b, normal, p) >= 0.0)
}

/// Whether the foot of `p` along `normal` is inside the ring, its edges included, to within rounding: outside
/// of no two neighbors that share an edge.
pub(super) fn contains_foot(corners: &[DVec3], normal: DVec3, p: DVec3) -> bool {
    edges(corners).all(|(_, a, b)| {
        let from = if lower(a, b) { a } else { b };
        // A difference, a product, a difference, a product and two sums: 6 roundings of each term.
        let rounding = 8.0 * UNIT_ROUNDOFF * reach(normal) * reach(b - a) * reach(p - from);
        side(a, b, normal, p) >= -rounding
    })
}

/// The point of the ring itself nearest to `p`, and its squared distance.
pub(super) fn closest_on_ring(corners: &[DVec3], p: DVec3) -> (SurfacePoint, f64) {
    let mut best = SurfacePoint { point: corners[0], region: Region::Vertex(0) };
    let mut least = (corners[0] - p).length_squared();
    for (i, a, b) in edges(corners) {
        let (SegmentPoint { point, .. }, part) = segment::closest(a, b, p);
        let squared = (point - p).length_squared();
        if squared < least || (squared == least && lower(point, best.point)) {
            let region = match part {
                SegmentRegion::First => Region::Vertex(i as u32),
                SegmentRegion::Inside => Region::Edge(i as u32),
                SegmentRegion::Second => Region::Vertex(next(corners, i) as u32),
            };
            (best, least) = (SurfacePoint { point, region }, squared);
        }
    }
    (best, least)
}

/// The point of the ring or of the face inside it nearest to `p`. `normal` has any length.
pub(super) fn closest(corners: &[DVec3], normal: Option<DVec3>, p: DVec3) -> SurfacePoint {
    let (best, least) = closest_on_ring(corners, p);
    if let Some(normal) = normal
        && foot_is_inside(corners, normal, p)
    {
        // Measured from the nearest point of the ring: what the normal of a sliver is off by then tells
        // least.
        let point = p - normal * (normal.dot(p - best.point) / normal.length_squared());
        if (point - p).length_squared() < least {
            return SurfacePoint { point, region: Region::Face };
        }
    }
    best
}

/// The points in which a segment and the shape come nearest to each other.
pub(super) fn closest_points_to_segment(
    corners: &[DVec3],
    normal: Option<DVec3>,
    segment: &Segment,
) -> (SegmentPoint, SurfacePoint) {
    let (a, b) = (segment.a(), segment.b());
    if let Some(normal) = normal
        && let Some(along) = ray::outline(corners, normal, a, b - a)
    {
        let point = a + (b - a) * along;
        return (SegmentPoint { point, along }, SurfacePoint { point, region: Region::Face });
    }
    let mut best = (SegmentPoint { point: a, along: 0.0 }, closest(corners, normal, a));
    let mut least = (best.0.point - best.1.point).length_squared();
    let mut offer = |on_segment: SegmentPoint, on_shape: SurfacePoint| {
        let squared = (on_segment.point - on_shape.point).length_squared();
        if squared < least {
            (least, best) = (squared, (on_segment, on_shape));
        }
    };
    offer(SegmentPoint { point: b, along: 1.0 }, closest(corners, normal, b));
    for (i, p, q) in edges(corners) {
        let (on_segment, on_edge) = segment.closest_points(&Segment::between(p, q));
        let region = if on_edge.point == p {
            Region::Vertex(i as u32)
        } else if on_edge.point == q {
            Region::Vertex(next(corners, i) as u32)
        } else {
            Region::Edge(i as u32)
        };
        offer(on_segment, SurfacePoint { point: on_edge.point, region });
    }
    best
}
