//! Shapes: one file per noun. Closest points, distances, support points, bounds and overlaps; nothing here
//! moves.
//!
//! Solids ([`Sphere`], [`Ellipsoid`], [`Capsule`], [`Cuboid`], [`Cylinder`], [`Cone`]) are centered at the
//! origin and turned by their own rotation; their position is given separately, as a center. Surfaces
//! ([`Plane`], [`Triangle`], [`ConvexPolygon`], [`Segment`], curved [`BezierPatch`]es) and boxes ([`Aabb`])
//! hold their own coordinates. Lengths are meters.
//!
//! All of them follow these rules:
//!
//! - A question about one shape takes points in its own coordinates: for a solid, relative to its center. A
//!   question about two takes an `offset`: where the origin of the other's coordinates (its center, for a
//!   solid) lies, seen from this one's.
//! - **Touching counts as overlapping.** `overlaps_…` answers no only where rounding cannot have made the
//!   shapes part.
//! - **No epsilon.** Every tolerance is a stated multiple of the unit roundoff times the lengths given. If a
//!   scene is scaled by a power of two, its answers are scaled by it, to the bit.
//! - **No panic for finite numbers.** Squares and cross products of lengths must stay in the range of f64 for
//!   an answer to mean something: lengths between 10⁻⁷⁰ and 10⁷⁰ are safe everywhere.
//!
//! The overlap tests (each pair is a method of the more complicated shape; [`Mover`] has them all):
//!
//! | | plane | triangle | polygon | aabb | sphere | capsule | cuboid | ellipsoid |
//! |---|---|---|---|---|---|---|---|---|
//! | [`Segment`], [`Triangle`], [`ConvexPolygon`] | ✓ | | | | | | | |
//! | [`Aabb`] | ✓ | ✓ | ✓ | ✓ | | | | |
//! | [`Sphere`] | ✓ | ✓ | ✓ | ✓ | ✓ | | | |
//! | [`Capsule`] | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | |
//! | [`Cuboid`] | ✓ | ✓ | ✓ | ✓ | ✓ | | ✓ | |
//! | [`Ellipsoid`] | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ |
//!
//! [`Cylinder`]s and [`Cone`]s overlap what [`convex_overlap`] says.
//!
//! The distance of any two of them, and the points where they are nearest, is [`convex_distance`]'s.

mod aabb;
mod capsule;
mod cone;
mod convex;
mod convex_distance;
mod convex_hull;
mod convex_shapes;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod ellipsoid_distance;
mod error;
mod frustum;
mod hull;
mod mover;
mod outline;
pub(crate) mod patch;
mod placed;
mod plane;
mod polygon;
mod ray;
mod region;
mod rounding;
mod segment;
mod separating_axis;
mod simplex;
mod sphere;
mod triangle;
mod triangle_distance;
mod triangle_triangle;
#[cfg(feature = "serde")]
mod wire;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use cone::Cone;
pub use convex::Convex;
pub use convex_distance::{
    ConvexDistance, DEFAULT_TOLERANCE, convex_distance, convex_distance_within, convex_overlap,
};
pub use convex_hull::convex_hull;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::{Ellipsoid, ExtremePoints};
pub use error::ShapeError;
pub use hull::ConvexHull;
pub use mover::Mover;
pub use patch::{BezierPatch, PatchNet, Tessellation};
pub use plane::Plane;
pub use polygon::ConvexPolygon;
pub use region::{Region, SurfacePoint};
pub use segment::{Segment, SegmentPoint};
pub use sphere::Sphere;
pub use triangle::Triangle;
pub use triangle_distance::TriangleDistance;

pub(crate) use cuboid::TurnedCuboid;
pub(crate) use error::{finite, positive, unit_rotation};
pub(crate) use frustum::Frustum;
pub(crate) use triangle_triangle::triangles_meet;
