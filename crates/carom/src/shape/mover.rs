//! Any shape that can be moved through the world.

use glam::DVec3;

use super::{Aabb, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Plane, Sphere, Triangle, convex_overlap};

/// A shape that can be cast: centered at the origin, turned by its own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mover {
    /// A ray, when cast.
    Point,
    /// A ball.
    Sphere(Sphere),
    /// A stretched ball of any orientation.
    Ellipsoid(Ellipsoid),
    /// A cylinder with round caps.
    Capsule(Capsule),
    /// A box of any orientation.
    Cuboid(Cuboid),
}

/// Calls a method of the mover's shape. A point has none of these methods, so its answer is given apart.
macro_rules! ask {
    ($mover:expr, $shape:ident => $ask:expr, $point:expr) => {
        match $mover {
            Mover::Point => $point,
            Mover::Sphere($shape) => $ask,
            Mover::Ellipsoid($shape) => $ask,
            Mover::Capsule($shape) => $ask,
            Mover::Cuboid($shape) => $ask,
        }
    };
}

impl Mover {
    /// The box around the shape, relative to its center; it covers the exact shape.
    pub fn bounds(&self) -> Aabb {
        ask!(self, shape => shape.bounds(), Aabb::symmetric(DVec3::ZERO))
    }

    /// How far the shape stands out from its center along each axis, as its bounds have it.
    pub(crate) fn half_extents(&self) -> DVec3 {
        // The bounds are symmetric about the center.
        self.bounds().max()
    }

    /// Whether the point lies in the shape, surface included.
    pub fn contains(&self, p: DVec3) -> bool {
        ask!(self, shape => shape.contains(p), p == DVec3::ZERO)
    }

    /// The point of the shape nearest to `p`: `p` itself if it is inside.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        ask!(self, shape => shape.closest_point(p), DVec3::ZERO)
    }

    /// The point of the surface nearest to `p`, from outside or inside.
    pub(crate) fn closest_surface_point(&self, p: DVec3) -> DVec3 {
        ask!(self, shape => shape.closest_surface_point(p), DVec3::ZERO)
    }

    /// The distance of `p` from the surface, in meters; negative inside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        // A point is a sphere of no radius.
        ask!(self, shape => shape.signed_distance(p), crate::num::ops::sqrt(p.length_squared()))
    }

    /// The point that is farthest along `direction`.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        ask!(self, shape => shape.support_point(direction), DVec3::ZERO)
    }

    /// The volume, in cubic meters.
    pub fn volume(&self) -> f64 {
        ask!(self, shape => shape.volume(), 0.0)
    }

    /// The fraction of `translation` after which a point from `from` is first in the shape: 0 if it starts
    /// there.
    pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        ask!(self, shape => shape.ray(from, translation), super::ray::ball(from, translation, 0.0))
    }

    /// Whether two shapes share a point. `offset` leads from this center to the other.
    pub fn overlaps(&self, other: &Self, offset: DVec3) -> bool {
        use Mover::{Capsule, Cuboid, Ellipsoid, Point, Sphere};
        match (self, other) {
            (Point, other) => other.contains(-offset),
            (shape, Point) => shape.contains(offset),
            (Sphere(a), Sphere(b)) => a.overlaps_sphere(b, offset),
            (Capsule(a), Sphere(b)) => a.overlaps_sphere(b, offset),
            (Sphere(a), Capsule(b)) => b.overlaps_sphere(a, -offset),
            (Cuboid(a), Sphere(b)) => a.overlaps_sphere(b, offset),
            (Sphere(a), Cuboid(b)) => b.overlaps_sphere(a, -offset),
            (Ellipsoid(a), Sphere(b)) => a.overlaps_sphere(b, offset),
            (Sphere(a), Ellipsoid(b)) => b.overlaps_sphere(a, -offset),
            (Capsule(a), Capsule(b)) => a.overlaps_capsule(b, offset),
            (Cuboid(a), Cuboid(b)) => a.overlaps_cuboid(b, offset),
            _ => convex_overlap(self, other, offset),
        }
    }

    /// Whether the plane touches or cuts the shape. `offset` leads from the center to the origin of the
    /// plane's coordinates.
    pub fn overlaps_plane(&self, plane: &Plane, offset: DVec3) -> bool {
        ask!(self, shape => shape.overlaps_plane(plane, offset), plane.cuts(offset, 0.0))
    }

    /// Whether the shape and the triangle share a point. `offset` leads from the center to the origin of its
    /// coordinates.
    pub fn overlaps_triangle(&self, triangle: &Triangle, offset: DVec3) -> bool {
        ask!(self, shape => shape.overlaps_triangle(triangle, offset),
            Sphere::of(0.0).overlaps_triangle(triangle, offset))
    }

    /// Whether the shape and the polygon share a point. `offset` leads from the center to the origin of its
    /// coordinates.
    pub fn overlaps_polygon(&self, polygon: &ConvexPolygon, offset: DVec3) -> bool {
        ask!(self, shape => shape.overlaps_polygon(polygon, offset), Sphere::of(0.0).overlaps_polygon(polygon, offset))
    }

    /// Whether the shape and the box share a point. `offset` leads from the center to the origin of the box's
    /// coordinates.
    pub fn overlaps_aabb(&self, aabb: &Aabb, offset: DVec3) -> bool {
        ask!(self, shape => shape.overlaps_aabb(aabb, offset), aabb.contains(-offset))
    }

    /// The radius of the largest ball that rolls everywhere inside of the core, the shape without its margin.
    pub(crate) fn rolling_radius(&self) -> f64 {
        if let Self::Ellipsoid(ellipsoid) = self { ellipsoid.rolling_radius() } else { 0.0 }
    }

    /// Whether it is a point or a segment with a radius around it: the gap between two such shapes is their
    /// distance.
    pub(crate) fn is_thick_segment(&self) -> bool {
        matches!(self, Self::Point | Self::Sphere(_) | Self::Capsule(_))
    }
}

macro_rules! mover_from {
    ($($shape:ident),*) => {$(
        impl From<$shape> for Mover {
            fn from(shape: $shape) -> Self {
                Self::$shape(shape)
            }
        }
        impl From<&$shape> for Mover {
            fn from(shape: &$shape) -> Self {
                Self::$shape(*shape)
            }
        }
    )*};
}
mover_from!(Sphere, Ellipsoid, Capsule, Cuboid);

impl From<&Mover> for Mover {
    fn from(mover: &Mover) -> Self {
        *mover
    }
}
