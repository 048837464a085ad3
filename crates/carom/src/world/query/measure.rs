//! The distance of a mover from one part of a body.
//!
//! Source: the convex distance of `shape`. Error: that of the convex distance.

use glam::{DVec3, Vec3};

use crate::mesh::HeightField;
use crate::num::ops::sqrt;
use crate::shape::{Aabb, Frustum, Mover, Triangle, TurnedCuboid};
use crate::sweep::Path;
use crate::tree::Volume;
use crate::world::MeshTree;
use crate::world::body::Body;
use crate::world::body::collider::Collider;
use crate::world::body::pose::Frame;
use crate::world::body::solid::placed;
use crate::world::query::nearest::nearest;
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;
use crate::world::surface::part_set::PartSet;

impl Body {
    /// The distance of a part, and its nearest point.
    pub(in crate::world) fn measure(
        &self,
        mover: &Mover,
        at: DVec3,
        part: u32,
        found: impl FnOnce(f64, DVec3),
    ) {
        let (piece, own) = self.piece_of(part, 1.0);
        piece.measure_one(mover, at, own, found);
    }

    /// The same of one that is no compound.
    fn measure_one(&self, mover: &Mover, at: DVec3, part: u32, found: impl FnOnce(f64, DVec3)) {
        match &self.collider {
            Collider::Mesh(mesh) => self.measure_surface(&**mesh, mover, at, part, found),
            Collider::Polygons(set) => self.measure_surface(&set.as_parts(), mover, at, part, found),
            Collider::Patches(set) => self.measure_surface(&set.as_parts(), mover, at, part, found),
            Collider::Hull(hull) if hull.holds(self.frame().point_to_local(at)) => {
                if part == 0 {
                    found(0.0, at);
                }
            }
            Collider::Hull(hull) => self.measure_surface(hull.boundary(), mover, at, part, found),
            Collider::HeightField(field) => {
                let frame = &self.frame();
                let Some(local) = seen_from(frame, mover, at, &**field) else { return };
                let center = local.path().from();
                if field.has_triangle(part)
                    && let Some((distance, point)) = nearest_in_field(field, part, local.mover(), center)
                {
                    found(distance * frame.scale(), frame.point_to_world(center + point));
                }
            }
            Collider::HalfSpace(half) => {
                let frame = &self.frame();
                let Some(local) = seen_from(frame, mover, at, half) else { return };
                let contact = half.stands(&local);
                found(contact.gap.max(0.0) * frame.scale(), frame.point_to_world(contact.point));
            }
            Collider::Cylinder(it) => self.measure_frustum(&it.frustum(), mover, at, found),
            Collider::Cone(it) => self.measure_frustum(&it.frustum(), mover, at, found),
            solid => {
                let Some(other) = placed(solid, self.pose()) else { return };
                let offset = self.pose().position() - at;
                let (distance, point) = match &other {
                    Mover::Cuboid(cuboid) => nearest(mover, &TurnedCuboid::from(cuboid), offset),
                    other => nearest(mover, other, offset),
                };
                found(distance, at + point);
            }
        }
    }

    fn measure_frustum(&self, frustum: &Frustum, mover: &Mover, at: DVec3, found: impl FnOnce(f64, DVec3)) {
        let frame = &self.frame();
        let Some(local) = seen_from(frame, mover, at, frustum) else { return };
        let center = local.path().from();
        let (distance, point) = nearest(local.mover(), frustum, -center);
        found(distance * frame.scale(), frame.point_to_world(center + point));
    }

    fn measure_surface<S: ClosestSurfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: DVec3,
        part: u32,
        found: impl FnOnce(f64, DVec3),
    ) {
        let frame = &self.frame();
        let Some(local) = seen_from(frame, mover, at, surfaces) else { return };
        let center = local.path().from();
        if let Some((distance, point)) = surfaces.nearest(part, local.mover(), center) {
            found(distance * frame.scale(), frame.point_to_world(center + point));
        }
    }
}

/// The distance of a part of a height field from a mover with its center at `center`, and the nearest point
/// of the part relative to that.
pub(super) fn nearest_in_field(
    field: &HeightField,
    part: u32,
    mover: &Mover,
    center: DVec3,
) -> Option<(f64, DVec3)> {
    let [a, b, c] = field.corners(part);
    Triangle::new(a, b, c).ok().map(|triangle| nearest(mover, &triangle, -center))
}

/// The mover in a body's frame; `None` if that leaves the range of f64.
pub(super) fn seen_from<'a>(
    frame: &'a Frame,
    mover: &'a Mover,
    at: DVec3,
    surfaces: &impl Surfaces,
) -> Option<Local<'a>> {
    let path = Path::new(at, DVec3::ZERO).ok()?;
    Local::new(frame, mover, &path, surfaces.largest())
}

/// Surfaces that can be measured.
pub(super) trait ClosestSurfaces: Surfaces {
    /// Visits the parts that may be within a distance of a place, mostly nearer ones first. `visit` gets the
    /// part, bounds of its distance from the place to within rounding, and the best distance so far, and
    /// returns the new one.
    fn near(&self, place: DVec3, distance: f64, visit: impl FnMut(u32, [f64; 2], f64) -> f64);

    /// A lower bound of the distance of a part from a box, to within rounding.
    fn apart(&self, part: u32, area: &Aabb) -> f64;

    /// The distance of a part from a mover with its center at `center`, and the nearest point of the part
    /// relative to that.
    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)>;
}

/// The distance of two boxes, to within rounding.
pub(super) fn boxes_apart(low: DVec3, high: DVec3, area: &Aabb) -> f64 {
    sqrt((low - area.max()).max(area.min() - high).max(DVec3::ZERO).length_squared())
}

impl ClosestSurfaces for MeshTree {
    fn near(&self, place: DVec3, distance: f64, mut visit: impl FnMut(u32, [f64; 2], f64) -> f64) {
        self.near(place, distance, |packed, limit| {
            let [a, b, c] = packed.corners().map(Vec3::as_dvec3);
            let apart = Triangle::new(a, b, c).map_or([0.0, f64::INFINITY], |triangle| {
                let apart = triangle.distance(place);
                [apart, apart]
            });
            visit(packed.triangle(), apart, limit)
        });
    }

    fn apart(&self, part: u32, area: &Aabb) -> f64 {
        let [a, b, c] = self.mesh().corners(part);
        boxes_apart(a.min(b).min(c), a.max(b).max(c), area)
    }

    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        let [a, b, c] = self.mesh().corners(part);
        // Finite, because the vertices of a mesh are.
        Triangle::new(a, b, c).ok().map(|triangle| nearest(mover, &triangle, -center))
    }
}

impl ClosestSurfaces for &dyn PartSet {
    /// By the boxes around the parts.
    fn near(&self, place: DVec3, distance: f64, mut visit: impl FnMut(u32, [f64; 2], f64) -> f64) {
        let bound =
            |volume: &Aabb| sqrt(Volume::distance_squared(volume, place)) * (1.0 - 4.0 * f64::EPSILON);
        self.boxes().in_order(bound, distance, |part, limit| {
            visit(part, [bound(&self.box_of(part)), f64::INFINITY], limit)
        });
    }

    fn apart(&self, part: u32, area: &Aabb) -> f64 {
        let own = self.box_of(part);
        boxes_apart(own.min(), own.max(), area)
    }

    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        self.nearest_to(part, mover, center)
    }
}
