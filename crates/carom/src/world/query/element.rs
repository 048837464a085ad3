//! The elements of bodies that cannot be swept: triangles, hulls, frustums and half-spaces, and the relation
//! of two of them.
//!
//! Source: conservative advancement, Mirtich (1996), with the bounds of `convex_distance`; separating axes
//! with velocity for two triangles. Error: solids are shrunk by 2⁻³⁰ of their size, so that touching is not
//! overlapping; a first touch is late by at most that. Curved patches are triangles, to 2⁻¹⁰ of their size.
//! Two triangles overlap if an edge of one passes through the inside of the other, decided without error for
//! the corners at their pose. Cost: a few convex distances, or one search for an axis. Gives up: after 64
//! steps, as a touch.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::orientation::side_of_plane;
use crate::shape::{Aabb, Convex, ConvexDistance, Frustum, convex_distance};
use crate::sweep::pairs::triangle_triangle::off_by;
use crate::world::Pose;
use crate::world::body::collider::Collider;
use crate::world::body::extent::origin_of;
use crate::world::body::pose::Frame;

/// 2⁻³⁰: the share of its size by which a solid is shrunk.
const DRAWN_IN: f64 = 1.0 / (1u64 << 30) as f64;

/// Within this share of that shrinking, the two touch.
const TOUCH: f64 = 1.0 / 64.0;

/// 2⁻¹⁰: how far a curved patch may be from its triangles, as a share of its size.
const CURVED: f64 = 1.0 / 1024.0;

/// After this many steps of advancement the answer is a touch.
const STEPS: u32 = 64;

/// A convex part of a body, in the world.
#[derive(Clone, Debug)]
pub(super) enum Element {
    Triangle([DVec3; 3]),
    /// The corners of a hull, shrunk.
    Hull(Vec<DVec3>),
    /// Shrunk, and its center.
    Frustum(Frustum, DVec3),
    /// Everything behind the plane at a distance along a normal.
    HalfSpace(DVec3, f64),
}

/// The shape of a bounded element.
enum Shape<'a> {
    /// The hull of a few points.
    Points(&'a [DVec3]),
    Frustum(&'a Frustum),
}

impl Shape<'_> {
    /// The largest distance of its points from one of them, or from its center.
    fn extent(&self) -> f64 {
        match self {
            Self::Points([first, rest @ ..]) => {
                rest.iter().map(|point| reach(*point - *first)).fold(0.0, f64::max)
            }
            Self::Points(_) => 0.0,
            Self::Frustum(frustum) => frustum.reach(),
        }
    }
}

impl Convex for Shape<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let along = |point: &DVec3| point.dot(direction);
        match self {
            Self::Points(points) => {
                let farther = |best, next| if along(next) > along(best) { next } else { best };
                points.iter().reduce(farther).copied().unwrap_or_default()
            }
            Self::Frustum(frustum) => frustum.support(direction),
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Points(points) => points.iter().map(|point| reach(*point)).fold(0.0, f64::max),
            Self::Frustum(frustum) => frustum.reach(),
        }
    }
}

impl Element {
    /// Appends the elements of a collider within an area of the world. Shapes that can be movers have none.
    pub(super) fn gather(collider: &Collider, pose: &Pose, area: &Aabb, elements: &mut Vec<Self>) {
        let frame = Frame::new(pose, origin_of(collider));
        let mut add_triangle = |corners: [DVec3; 3]| {
            let corners = corners.map(|corner| frame.point_to_world(corner));
            let bounds = Aabb::enclosing(corners);
            if bounds.is_none_or(|bounds| bounds.overlaps_aabb(area)) {
                elements.push(Self::Triangle(corners));
            }
        };
        match collider {
            Collider::Mesh(tree) => {
                let mesh = tree.mesh();
                (0..mesh.triangle_count()).for_each(|triangle| add_triangle(mesh.corners(triangle)));
            }
            Collider::Polygons(set) => {
                for polygon in set.polygons() {
                    if let [first, rest @ ..] = polygon.vertices() {
                        rest.windows(2).for_each(|pair| add_triangle([*first, pair[0], pair[1]]));
                    }
                }
            }
            Collider::HeightField(field) => {
                let Some(own) = frame.area_to_local(area) else { return };
                field.cells_in(&own, |column, row| {
                    let first = 2 * (row * (field.size()[0] - 1) + column);
                    [first, first + 1].into_iter().for_each(|part| add_triangle(field.corners(part)));
                });
            }
            Collider::Hull(hull) => {
                let place = |vertex: &DVec3| frame.point_to_world(*vertex);
                let corners: Vec<DVec3> = hull.hull().vertices().iter().map(place).collect();
                let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
                let drawn_in = |corner: &DVec3| *corner + (middle - *corner) * DRAWN_IN;
                elements.push(Self::Hull(corners.iter().map(drawn_in).collect()));
            }
            Collider::Cylinder(it) => elements.push(Self::frustum(&it.frustum(), pose)),
            Collider::Cone(it) => elements.push(Self::frustum(&it.frustum(), pose)),
            Collider::HalfSpace(half) => {
                let normal = frame.normal_to_world(half.plane().normal());
                let distance = half.plane().distance() * pose.scale() + normal.dot(pose.position());
                elements.push(Self::HalfSpace(normal, distance));
            }
            Collider::Patches(set) => {
                for patch in set.patches() {
                    let corners = patch.control_points().into_iter().map(|point| frame.point_to_world(point));
                    let is_near = Aabb::enclosing(corners).is_none_or(|bounds| bounds.overlaps_aabb(area));
                    // A patch without a size has no triangles.
                    if is_near && let Ok(sheet) = patch.tessellate(CURVED * patch.size()) {
                        let corners = |triangle: [u32; 3]| triangle.map(|i| sheet.vertices[i as usize]);
                        sheet.triangles.iter().for_each(|triangle| add_triangle(corners(*triangle)));
                    }
                }
            }
            Collider::Sphere(_)
            | Collider::Ellipsoid(_)
            | Collider::Capsule(_)
            | Collider::Cuboid(_)
            | Collider::Compound(_) => {}
        }
    }

    fn frustum(own: &Frustum, pose: &Pose) -> Self {
        let own = own.scaled_by(pose.scale() * (1.0 - DRAWN_IN));
        Self::Frustum(Frustum { rotation: pose.rotation() * own.rotation, ..own }, pose.position())
    }

    /// A point of it.
    pub(super) fn middle(&self) -> DVec3 {
        match self {
            Self::Triangle(corners) => (corners[0] + corners[1] + corners[2]) / 3.0,
            Self::Hull(corners) => corners.first().copied().unwrap_or_default(),
            Self::Frustum(_, center) => *center,
            Self::HalfSpace(normal, distance) => *normal * *distance,
        }
    }

    /// Whether two overlap. Touching is not overlapping.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Triangle(a), Self::Triangle(b)) => crosses(a, b) || crosses(b, a),
            (Self::HalfSpace(..), _) | (_, Self::HalfSpace(..)) => {
                self.depth(other).is_some_and(|(depth, ..)| depth > 0.0)
            }
            _ => self.distance(other, DVec3::ZERO).is_some_and(|(found, _)| found.distance == 0.0),
        }
    }

    /// The share of its path that it goes before it touches another one and goes deeper.
    pub(super) fn first_touch(&self, way: DVec3, other: &Self) -> Option<f64> {
        match (self, other) {
            (Self::Triangle(a), Self::Triangle(b)) => {
                let size = a.iter().chain(b).map(|corner| reach(*corner)).fold(reach(way), f64::max);
                off_by(a, way, b, 16.0 * UNIT_ROUNDOFF * size).map(|hit| hit.fraction)
            }
            (Self::HalfSpace(..), _) | (_, Self::HalfSpace(..)) => {
                let (depth, normal) = self.depth(other)?;
                let closing = -normal.dot(way);
                let fraction = -depth / closing;
                (closing > 0.0 && fraction <= 1.0).then_some(fraction.max(0.0))
            }
            _ => self.advance(way, other),
        }
    }

    /// Conservative advancement along a straight path.
    fn advance(&self, way: DVec3, other: &Self) -> Option<f64> {
        let mut fraction = 0.0;
        for _ in 0..STEPS {
            // The nearest points and the plane between them are valid for the whole path.
            let (found, near) = self.distance(other, way * fraction)?;
            if found.lower <= near {
                return Some(fraction);
            }
            let closing = -found.normal.dot(way);
            if closing <= 0.0 {
                return None;
            }
            fraction += found.lower / closing;
            if fraction > 1.0 {
                return None;
            }
        }
        Some(fraction)
    }

    /// The distance to another, if this one is moved by `offset`, and the distance that counts as touching;
    /// `None` for half-spaces, which are unbounded.
    fn distance(&self, other: &Self, offset: DVec3) -> Option<(ConvexDistance, f64)> {
        let (own, center) = self.shape()?;
        let (other, other_center) = other.shape()?;
        let near = DRAWN_IN * TOUCH * (own.extent() + other.extent());
        Some((convex_distance(&own, &other, other_center - center - offset), near))
    }

    /// The shape, and the origin of its coordinates.
    fn shape(&self) -> Option<(Shape<'_>, DVec3)> {
        match self {
            Self::Triangle(corners) => Some((Shape::Points(corners), DVec3::ZERO)),
            Self::Hull(corners) => Some((Shape::Points(corners), DVec3::ZERO)),
            Self::Frustum(frustum, center) => Some((Shape::Frustum(frustum), *center)),
            Self::HalfSpace(..) => None,
        }
    }

    /// The depth of the overlap, less the allowance for touching, if one of the two is a half-space; and the
    /// normal along which this one would move out.
    fn depth(&self, other: &Self) -> Option<(f64, DVec3)> {
        let (normal, distance, solid, sign) = match (self, other) {
            (Self::HalfSpace(normal, distance), solid) => (*normal, *distance, solid, -1.0),
            (solid, Self::HalfSpace(normal, distance)) => (*normal, *distance, solid, 1.0),
            _ => return None,
        };
        let (shape, center) = solid.shape()?;
        let lowest = center + shape.support(-normal);
        let rounding = 16.0 * UNIT_ROUNDOFF * (shape.reach() + reach(center) + distance.abs());
        let touching = DRAWN_IN * shape.extent() + rounding;
        Some((distance - normal.dot(lowest) - touching, normal * sign))
    }
}

/// Whether an edge of a triangle passes through the inside of another.
fn crosses(edges: &[DVec3; 3], face: &[DVec3; 3]) -> bool {
    let [a, b, c] = *face;
    (0..3).any(|i| {
        let (from, to) = (edges[i], edges[(i + 1) % 3]);
        let ends = [from, to].map(|end| side_of_plane(a, b, c, end));
        let is_through = (ends[0] > 0.0 && ends[1] < 0.0) || (ends[0] < 0.0 && ends[1] > 0.0);
        let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| side_of_plane(from, to, p, q));
        is_through && (sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0))
    })
}
