//! Shapes: one file per noun. Closest points, distances, support points, bounds and overlaps; nothing here moves.
//!
//! Solids ([`Sphere`], [`Ellipsoid`], [`Capsule`], [`Cuboid`]) are centred at the origin and turned by their own rotation;
//! where they stand is said apart, as a centre. Surfaces ([`Plane`], [`Triangle`], [`ConvexPolygon`], [`Segment`]) and
//! boxes ([`Aabb`]) hold their own coordinates. Lengths are metres.

mod aabb;
mod capsule;
mod cuboid;
mod ellipsoid;
mod error;
mod mover;
mod plane;
mod polygon;
mod segment;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use cuboid::Cuboid;
pub use ellipsoid::Ellipsoid;
pub use error::ShapeError;
pub use mover::Mover;
pub use plane::Plane;
pub use polygon::ConvexPolygon;
pub use segment::{Segment, SegmentPoint};
pub use sphere::Sphere;
pub use triangle::Triangle;

pub(crate) use error::{finite, positive, unit_rotation};
