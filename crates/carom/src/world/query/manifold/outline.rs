//! The part of a shape that looks along a normal: a flat face, an edge or a point, seen from above; and the
//! overlap of two such parts.
//!
//! Source: Sutherland and Hodgman (1974), a convex polygon clipped edge by edge. Error: a few roundings of
//! the coordinates. Cost: the product of the numbers of corners.

use alloc::vec::Vec;

use glam::{DVec2, DVec3, dvec2};

use crate::num::bound::length_and_direction;
use crate::num::ops::sqrt;
use crate::shape::{Cuboid, Frustum, Mover};
use crate::world::Body;
use crate::world::body::collider::Collider;
use crate::world::body::solid::placed;

/// A face that leans by more than this from the normal counts as its highest edge: the cosine of 60°. The
/// nearest face of a box leans by less than 55°.
const FACING: f64 = 0.5;

/// A normal and two directions across.
pub(super) struct Basis {
    pub(super) normal: DVec3,
    right: DVec3,
    up: DVec3,
}

impl Basis {
    /// The directions across come from the axis in which the normal is least.
    pub(super) fn along(normal: DVec3) -> Self {
        let least = normal.abs();
        let axis = if least.x <= least.y && least.x <= least.z {
            DVec3::X
        } else if least.y <= least.z {
            DVec3::Y
        } else {
            DVec3::Z
        };
        let right = axis.cross(normal);
        let right = right / sqrt(right.length_squared());
        Self { normal, right, up: normal.cross(right) }
    }

    /// The position of a place across the normal.
    pub(super) fn across(&self, place: DVec3) -> DVec2 {
        dvec2(self.right.dot(place), self.up.dot(place))
    }

    /// The inverse.
    pub(super) fn point(&self, across: DVec2, height: f64) -> DVec3 {
        self.right * across.x + self.up * across.y + self.normal * height
    }

    fn seen(&self, place: DVec3) -> Corner {
        Corner { across: self.across(place), height: self.normal.dot(place) }
    }
}

#[derive(Clone, Copy)]
struct Corner {
    across: DVec2,
    height: f64,
}

/// A convex outline over the plane of a basis: corners, and the heights between them.
pub(super) struct Outline {
    corners: Vec<Corner>,
    /// How much the height grows for each meter across.
    slope: DVec2,
    has_end: bool,
    is_flat: bool,
}

impl Outline {
    /// The part of a mover that looks along a direction, seen from its center; `None` for a round mover.
    pub(super) fn of_mover(mover: &Mover, direction: DVec3, basis: &Basis) -> Option<Self> {
        Some(match mover {
            Mover::Cuboid(cuboid) => {
                let (corners, normal) = face(cuboid, direction);
                Self::of_face(&corners, normal, basis)
            }
            Mover::Capsule(capsule) => {
                let half = capsule.half_axis();
                let lowest = direction * capsule.radius();
                Self { is_flat: false, ..Self::of_edge(&[lowest - half, lowest + half], basis) }
            }
            Mover::Point | Mover::Sphere(_) | Mover::Ellipsoid(_) => return None,
        })
    }

    /// The region of a part of a body that looks along the normal, seen from `at`, with its number: none for
    /// a round part, every face in the same plane for a hull.
    pub(super) fn of_part(body: &Body, part: u32, at: DVec3, basis: &Basis) -> Vec<(u32, Self)> {
        let frame = body.frame();
        let seen = |corners: &[DVec3]| -> Vec<DVec3> {
            corners.iter().map(|corner| frame.point_to_world(*corner) - at).collect()
        };
        let one = |outline: Self| alloc::vec![(part, outline)];
        match &body.collider {
            Collider::Hull(hull) => {
                let mesh = hull.boundary().mesh();
                let normal = |part: u32| mesh.normal(part).map(|normal| frame.normal_to_world(normal));
                let own = normal(part);
                let is_coplanar = |other: &u32| {
                    *other == part || matches!((own, normal(*other)), (Some(a), Some(b)) if a.dot(b) >= FLAT)
                };
                (0..mesh.triangle_count())
                    .filter(is_coplanar)
                    .map(|part| (part, Self::of_corners(&seen(&mesh.corners(part)), basis)))
                    .collect()
            }
            Collider::HalfSpace(half_space) => {
                let plane = half_space.plane();
                let normal = frame.normal_to_world(plane.normal());
                let foot = frame.point_to_world(plane.normal() * plane.distance()) - at;
                let outline = Self::of_face(&[foot], normal, basis);
                one(Self { has_end: false, ..outline })
            }
            Collider::Cuboid(_) | Collider::Capsule(_) => match placed(&body.collider, body.pose()) {
                Some(Mover::Cuboid(cuboid)) => {
                    let center = body.pose().position() - at;
                    let (corners, normal) = face(&cuboid, basis.normal);
                    one(Self::of_face(&corners.map(|corner| corner + center), normal, basis))
                }
                Some(Mover::Capsule(capsule)) => {
                    let top = body.pose().position() - at + basis.normal * capsule.radius();
                    let half = capsule.half_axis();
                    one(Self { is_flat: false, ..Self::of_edge(&[top - half, top + half], basis) })
                }
                _ => Vec::new(),
            },
            Collider::Cylinder(it) => one(Self::of_revolved(&it.frustum(), body, seen, basis)),
            Collider::Cone(it) => one(Self::of_revolved(&it.frustum(), body, seen, basis)),
            _ => match &Self::own_corners(body, part)[..] {
                [] => Vec::new(),
                corners => one(Self::of_corners(&seen(corners), basis)),
            },
        }
    }

    /// A cylinder or a cone: eight corners of the end that looks along the normal, or else the line of its
    /// slope that is nearest to it.
    fn of_revolved(
        frustum: &Frustum,
        body: &Body,
        seen: impl Fn(&[DVec3]) -> Vec<DVec3>,
        basis: &Basis,
    ) -> Self {
        let normal = body.pose().rotation().conjugate() * basis.normal;
        let axis = frustum.axis();
        let along = normal.dot(axis);
        let (end, radius) = if along > 0.0 {
            (axis * frustum.half_height, frustum.top)
        } else {
            (-axis * frustum.half_height, frustum.bottom)
        };
        if along.abs() > FACING && radius > 0.0 {
            let rim = Basis::along(axis);
            let slant = sqrt(0.5);
            let ring = [(1.0, 0.0), (slant, slant), (0.0, 1.0), (-slant, slant)];
            let half = ring.map(|(x, y)| rim.point(dvec2(x, y) * radius, 0.0));
            let corners: Vec<DVec3> = half.iter().map(|p| end + *p).chain(half.map(|p| end - p)).collect();
            return Self::of_corners(&seen(&corners), basis);
        }
        let (_, outward) = length_and_direction(normal - axis * along);
        let ends = [(-1.0, frustum.bottom), (1.0, frustum.top)];
        let line = ends.map(|(side, radius)| axis * (side * frustum.half_height) + outward * radius);
        match seen(&line)[..] {
            [a, b] => Self::of_edge(&[a, b], basis),
            _ => Self::of_edge(&[DVec3::ZERO; 2], basis),
        }
    }

    /// The corners of a flat part, in the frame of its body; none for others.
    fn own_corners(body: &Body, part: u32) -> Vec<DVec3> {
        match &body.collider {
            Collider::Mesh(mesh) => mesh.mesh().corners(part).to_vec(),
            Collider::Hull(hull) => hull.boundary().mesh().corners(part).to_vec(),
            Collider::HeightField(field) => field.corners(part).to_vec(),
            Collider::Polygons(set) => set.polygons()[part as usize].vertices().to_vec(),
            _ => Vec::new(),
        }
    }

    /// The corners of a flat part, in the world; none for others.
    pub(super) fn corners(body: &Body, part: u32) -> Vec<DVec3> {
        let frame = body.frame();
        Self::own_corners(body, part).iter().map(|corner| frame.point_to_world(*corner)).collect()
    }

    /// The distance of a place from the surface of a body that is one solid.
    pub(super) fn distance_of(body: &Body, place: DVec3) -> f64 {
        placed(&body.collider, body.pose())
            .map_or(0.0, |solid| solid.signed_distance(place - body.pose().position()).abs())
    }

    /// A flat part: its face, if that looks along the normal, or else its highest edge.
    fn of_corners(corners: &[DVec3], basis: &Basis) -> Self {
        // Newell's sum: the normal of a ring that is flat to within rounding.
        let area = |i: usize| (corners[i] - corners[0]).cross(corners[(i + 1) % corners.len()] - corners[0]);
        let normal = (0..corners.len()).map(area).sum::<DVec3>();
        let along = normal.dot(basis.normal).abs();
        if along > FACING * sqrt(normal.length_squared()) {
            return Self::of_face(corners, normal, basis);
        }
        let height = |corner: DVec3| basis.normal.dot(corner);
        let ends = (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
        let highest = ends.reduce(|a, b| {
            let [p, q] = [a, b].map(|[p, q]| (height(p).max(height(q)), height(p).min(height(q))));
            if q > p { b } else { a }
        });
        Self::of_edge(&highest.unwrap_or_default(), basis)
    }

    /// A flat face that looks along the normal, or against it.
    fn of_face(corners: &[DVec3], normal: DVec3, basis: &Basis) -> Self {
        let along = normal.dot(basis.normal);
        let slope = -basis.across(normal) / along;
        let mut corners: Vec<Corner> = corners.iter().map(|corner| basis.seen(*corner)).collect();
        if along < 0.0 {
            corners.reverse();
        }
        Self { corners, slope, has_end: true, is_flat: true }
    }

    fn of_edge(ends: &[DVec3; 2], basis: &Basis) -> Self {
        let [a, b] = ends.map(|end| basis.seen(end));
        let along = b.across - a.across;
        let squared = along.length_squared();
        // An edge seen from its end is its upper end.
        if squared <= f64::MIN_POSITIVE {
            let top = if a.height >= b.height { a } else { b };
            return Self { corners: alloc::vec![top], slope: DVec2::ZERO, has_end: true, is_flat: true };
        }
        let slope = along * ((b.height - a.height) / squared);
        Self { corners: alloc::vec![a, b], slope, has_end: true, is_flat: true }
    }

    /// Its height over a place.
    pub(super) fn height(&self, across: DVec2) -> f64 {
        let nearest = self.corners.iter().min_by(|a, b| {
            let apart = |corner: &Corner| (corner.across - across).length_squared();
            apart(a).total_cmp(&apart(b))
        });
        nearest.map_or(f64::NAN, |corner| corner.height + self.slope.dot(across - corner.across))
    }

    /// The distance of a place to the side of an edge or a point, in meters; 0 over a face.
    pub(super) fn aside(&self, across: DVec2) -> f64 {
        let apart = match &self.corners[..] {
            [point] if self.has_end => across - point.across,
            [a, b] => {
                let edge = b.across - a.across;
                let share = (across - a.across).dot(edge) / edge.length_squared();
                across - (a.across + edge * share.clamp(0.0, 1.0))
            }
            _ => DVec2::ZERO,
        };
        sqrt(apart.length_squared())
    }

    /// Whether it is exactly on the surface of its shape.
    pub(super) fn is_flat(&self) -> bool {
        self.is_flat
    }

    fn ring(&self) -> Vec<DVec2> {
        self.corners.iter().map(|corner| corner.across).collect()
    }
}

/// Faces of a hull are in one plane to this cosine, because corners are rounded to f32.
const FLAT: f64 = 1.0 - 1.0 / (1u64 << 40) as f64;

/// The corners of the face of a box that looks most along a direction, counter-clockwise from outside, and
/// its normal.
fn face(cuboid: &Cuboid, direction: DVec3) -> ([DVec3; 4], DVec3) {
    let axes = cuboid.axes();
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
    let half = cuboid.half_extents().to_array();
    let along = axes.map(|axis| axis.dot(direction));
    let most = (0..3).fold(0, |best, i| if along[i].abs() > along[best].abs() { i } else { best });
    let sign = if along[most] < 0.0 { -1.0 } else { 1.0 };
    let normal = axes[most] * sign;
    let (right, up) =
        (axes[(most + 1) % 3] * half[(most + 1) % 3], axes[(most + 2) % 3] * half[(most + 2) % 3]);
    let (middle, up) = (normal * half[most], up * sign);
    ([middle + right + up, middle - right + up, middle - right - up, middle + right - up], normal)
}

/// The corners of the overlap of two outlines.
pub(super) fn shared(one: &Outline, other: &Outline) -> Vec<DVec2> {
    if !other.has_end {
        return one.ring();
    }
    let (one, other) = (one.ring(), other.ring());
    match (one.len(), other.len()) {
        (_, 3..) => clipped(one, &other),
        (3.., _) => clipped(other, &one),
        // Beside each other.
        (_, 2) => between(&one, other[0], other[1]),
        (2, _) => between(&other, one[0], one[1]),
        _ => other,
    }
}

/// The part of a ring that is inside a convex polygon that turns to the left.
fn clipped(mut ring: Vec<DVec2>, polygon: &[DVec2]) -> Vec<DVec2> {
    for i in 0..polygon.len() {
        let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        ring = cut(&ring, |p| (b - a).perp_dot(p - a));
    }
    ring
}

/// The part of a ring that is between the ends of an edge.
fn between(ring: &[DVec2], a: DVec2, b: DVec2) -> Vec<DVec2> {
    let ring = cut(ring, |p| (b - a).dot(p - a));
    cut(&ring, |p| (a - b).dot(p - b))
}

/// The part of a ring, an edge or a point where `side` is not negative.
fn cut(ring: &[DVec2], side: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(ring.len() + 1);
    for (i, &p) in ring.iter().enumerate() {
        let at_p = side(p);
        if at_p >= 0.0 {
            kept.push(p);
        }
        // An edge has no closing side.
        let Some(&q) = ring.get(i + 1).or(if ring.len() > 2 { ring.first() } else { None }) else { continue };
        let at_q = side(q);
        if (at_p < 0.0) != (at_q < 0.0) {
            kept.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    kept
}
