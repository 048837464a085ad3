//! A moving triangle against another.
//!
//! Source: separating axes with velocity, as for cuboids (see `separating_axis`): the two normals, the nine
//! products of edges, and, for triangles that stay in one plane, what is perpendicular to a normal and an
//! edge. Of triangles without area the other's normal takes the place of theirs, or what is perpendicular to
//! two edges, or to the way: the axes are then still those of the sum of both shapes along which the way is
//! cut. Error: δ = 64u·(largest distance of a corner from the other's first corner, and what the corners are
//! off by already): on every axis the mover is grown by it, so a hit is never late; where it stops, the gap
//! is at most 7δ on each axis. Cost: 17 axes with 6 products each; what is apart is so along the first few.
//! Never gives up.

use glam::DVec3;

use crate::num::bound::{reach, rescale};
use crate::num::ops;
use crate::shape::{Region, Triangle};
use crate::sweep::cuboid::separating_axis::{Axis, Pace, Pair, ROUNDING, Rank, Visitor, first_contact};
use crate::sweep::{Feature, Hit, Path};

/// The first contact of a triangle that slides along `translation`, in meters, with another at rest. If both
/// move, the translation is that of the first less that of the other.
///
/// Touching is legal: triangles that touch or overlap at the start are a hit only if they move deeper, on the
/// axis on which they overlap least. Of triangles in one plane the one that leaves along the other's normal
/// is free if it faces it; any other way out of the plane is held. The point lies on the other triangle.
///
/// ```
/// use carom::shape::Triangle;
/// use carom::sweep::triangle_triangle;
/// use glam::{DVec3, dvec3};
/// let floor = Triangle::new(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0))?;
/// let thorn = Triangle::new(dvec3(1.0, 1.0, 1.0), dvec3(1.0, 2.0, 5.0), dvec3(2.0, 1.0, 5.0))?;
/// let hit = triangle_triangle(&thorn, dvec3(0.0, 0.0, -4.0), &floor).unwrap();
/// assert!(hit.fraction <= 0.25 && hit.fraction > 0.25 - 1e-13);
/// assert_eq!(hit.normal, DVec3::Z);
/// assert!(triangle_triangle(&thorn, dvec3(8.0, 8.0, -4.0), &floor).is_none());
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn triangle_triangle(mover: &Triangle, translation: DVec3, other: &Triangle) -> Option<Hit> {
    off_by(&mover.corners(), translation, &other.corners(), 0.0)
}

/// The same for corners that are off by `rounding` meters each already.
pub(crate) fn off_by(
    mover: &[DVec3; 3],
    translation: DVec3,
    other: &[DVec3; 3],
    rounding: f64,
) -> Option<Hit> {
    if translation == DVec3::ZERO {
        return None;
    }
    // Relative to the other's lowest corner, whatever the order of the corners.
    let origin = other.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let [mut a, mut b] = [mover, other].map(|corners| corners.map(|corner| corner - origin));
    let mut size = a.iter().chain(&b).fold(0.0, |size: f64, corner| size.max(reach(*corner)));
    let (factor, way) = (rescale(size), rescale(reach(translation)));
    if factor != 1.0 {
        (a, b) = (a.map(|corner| corner * factor), b.map(|corner| corner * factor));
        size *= factor;
    }
    let velocity = translation * way;
    let pace = Pace { speed: ops::sqrt(velocity.length_squared()), end: factor / way };
    let delta = 64.0 * ROUNDING * size + rounding * factor;
    let moving = Moving::new(a, b, velocity);
    if moving.leaves_its_plane(delta) {
        return None;
    }
    let touch = first_contact(&moving, pace, delta)?;
    let fraction = if touch.time > 0.0 { (touch.time / pace.end).min(1.0) } else { 0.0 };
    let normal = touch.direction * (-1.0 / touch.direction.abs().max_element());
    let normal = normal / ops::sqrt(normal.length_squared()) + DVec3::ZERO;
    let (point, feature) = witness(mover.map(|corner| corner + translation * fraction), other);
    let hit = Hit { fraction, point, normal, feature, start_overlap: touch.start_overlap };
    Some(match Path::new(mover[0], translation) {
        Ok(path) => hit.or_stop(&path),
        Err(_) => hit,
    })
}

/// Where the other is nearest to the mover at the contact.
#[cold]
fn witness(mover: [DVec3; 3], other: &[DVec3; 3]) -> (DVec3, Feature) {
    // In a unit in which no square of a distance overflows or vanishes.
    let unit = rescale(mover.iter().chain(other).fold(0.0, |size: f64, corner| size.max(reach(*corner))));
    let scaled = [&mover, other].map(|corners| corners.map(|corner| corner * unit));
    let [Ok(mover), Ok(other)] = scaled.map(|[a, b, c]| Triangle::new(a, b, c)) else {
        return (other[0], Feature::Vertex(0));
    };
    let gap = other.distance_to_triangle(&mover);
    let feature = match other.closest_point(gap.point).region {
        Region::Face => Feature::Face,
        Region::Edge(i) => Feature::Edge(i),
        Region::Vertex(i) => Feature::Vertex(i),
    };
    (gap.point / unit + DVec3::ZERO, feature)
}

/// Both triangles relative to one point.
struct Moving {
    mover: [DVec3; 3],
    other: [DVec3; 3],
    velocity: DVec3,
    mover_edges: [DVec3; 3],
    other_edges: [DVec3; 3],
    mover_normal: DVec3,
    other_normal: DVec3,
}

impl Moving {
    fn new(mover: [DVec3; 3], other: [DVec3; 3], velocity: DVec3) -> Self {
        let edges = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        let (mover_edges, other_edges) = (edges(&mover), edges(&other));
        let (mover_normal, other_normal) =
            (mover_edges[0].cross(mover_edges[1]), other_edges[0].cross(other_edges[1]));
        Self { mover, other, velocity, mover_edges, other_edges, mover_normal, other_normal }
    }

    /// Whether the mover lies in the other's plane, face to face, and goes to the side that both are turned
    /// to.
    ///
    /// On a common plane neither is above the other. Faces that look at each other are those of solids that
    /// touch, and the way along the other's normal leads out. Any other two are held, whichever way they go.
    fn leaves_its_plane(&self, delta: f64) -> bool {
        let normal = self.other_normal;
        let tolerance = delta * reach(normal);
        normal.dot(self.velocity) > 0.0
            && normal.dot(self.mover_normal) < 0.0
            && self.mover.iter().all(|&corner| normal.dot(corner - self.other[0]).abs() <= tolerance)
    }

    #[inline(always)]
    fn visit(&self, rank: Rank, index: usize, direction: DVec3, visitor: &mut impl Visitor) -> Option<()> {
        let span = reach(direction);
        if span == 0.0 {
            return Some(());
        }
        let ends = |corners: &[DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner.dot(direction));
            (a.min(b).min(c), a.max(b).max(c))
        };
        let (from, to) = ends(&self.mover);
        let (low, high) = ends(&self.other);
        let (middle, radius) = (0.5 * (from + to), 0.5 * (to - from));
        visitor.visit(Axis {
            rank,
            index,
            direction,
            span,
            radius,
            low: low - middle,
            high: high - middle,
            speed: self.velocity.dot(direction),
        })
    }

    /// The longest of the products of edges: perpendicular to both triangles if both are segments.
    fn across(&self) -> DVec3 {
        let products = self.mover_edges.into_iter().flat_map(|u| self.other_edges.map(|v| u.cross(v)));
        products.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or(DVec3::ZERO)
    }
}

impl Pair for Moving {
    #[inline(always)]
    fn walk(&self, visitor: &mut impl Visitor) -> Option<()> {
        self.visit(Rank::OtherFace, 0, self.other_normal, visitor)?;
        self.visit(Rank::MoverFace, 0, self.mover_normal, visitor)?;
        for (i, u) in self.mover_edges.into_iter().enumerate() {
            for (j, v) in self.other_edges.into_iter().enumerate() {
                self.visit(Rank::EdgePair, 3 * i + j, u.cross(v), visitor)?;
            }
        }
        let degenerate = self.mover_normal == DVec3::ZERO || self.other_normal == DVec3::ZERO;
        let [mover_side, other_side] = if degenerate {
            let instead = [self.mover_normal, self.other_normal, self.across()];
            let first = instead.into_iter().find(|n| *n != DVec3::ZERO).unwrap_or(DVec3::ZERO);
            let own = |normal: DVec3| if normal == DVec3::ZERO { first } else { normal };
            [own(self.mover_normal), own(self.other_normal)]
        } else {
            [self.mover_normal, self.other_normal]
        };
        for i in 0..3 {
            self.visit(Rank::EdgePair, 9 + i, mover_side.cross(self.mover_edges[i]), visitor)?;
            self.visit(Rank::EdgePair, 12 + i, other_side.cross(self.other_edges[i]), visitor)?;
        }
        if mover_side == DVec3::ZERO {
            // Points and parallel segments: what is perpendicular to the edge and the way, or leads from one
            // to the other.
            let offset = self.other[0] - self.mover[0];
            let longest = self.mover_edges.into_iter().chain(self.other_edges);
            let edge = longest
                .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
                .unwrap_or(DVec3::ZERO);
            let to = |v: DVec3| if edge == DVec3::ZERO { v } else { edge.cross(v) };
            let more = [
                edge,
                to(self.velocity),
                to(offset),
                edge.cross(to(self.velocity)),
                edge.cross(to(offset)),
                self.velocity.cross(offset),
                self.velocity.cross(self.velocity.cross(offset)),
            ];
            for (i, direction) in more.into_iter().enumerate() {
                self.visit(Rank::EdgePair, 15 + i, direction, visitor)?;
            }
        }
        Some(())
    }

    fn ends(&self, along: impl Fn(DVec3) -> f64) -> (f64, f64) {
        let [a, b, c] = self.other.map(along);
        (a.min(b).min(c), a.max(b).max(c))
    }
}
