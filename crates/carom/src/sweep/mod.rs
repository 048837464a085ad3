//! Pair kernels: one moving shape against one other, in closed form, one file per pair. Pure functions; no
//! allocation, but for a cuboid against a polygon of more than 16 corners.
//!
//! A kernel takes the mover, its [`Path`] and the other shape, and gives the first [`Hit`] on the way, or
//! none. What all of them agree on:
//!
//! - **Touching is legal.** A mover that touches at the start is stopped (at fraction 0) only if it moves
//!   deeper: leaving, resting and sliding along are no hits.
//! - **Never past contact.** The fraction is at most a derived rounding bound early and never late.
//! - **Degenerate is legal.** A triangle without area is the segment or the point that it is.
//! - **A numerical failure stops the mover**; it never reports a free way.

mod ball;
mod capsule_capsule;
mod capsule_triangle;
mod cuboid_batch;
pub(crate) mod cuboid_cuboid;
mod cuboid_outline;
mod cuboid_plane;
mod cuboid_polygon;
mod cuboid_sweep;
pub mod deforming;
pub(crate) mod ellipsoid_ellipsoid;
mod ellipsoid_triangle;
pub(crate) mod flat;
pub(crate) mod form;
mod hit;
pub(crate) mod mover;
mod moving_cuboid;
mod nearest;
pub(crate) mod outline;
pub(crate) mod patch;
mod prism;
mod round;
pub(crate) mod scaled;
mod separating_axis;
pub(crate) mod skeleton;
mod space;
pub(crate) mod sphere_cuboid;
mod sphere_plane;
mod sphere_polygon;
mod sphere_sphere;
mod sphere_triangle;
pub(crate) mod triangle_triangle;
mod zonotope;

pub use capsule_capsule::{capsule_capsule, capsule_sphere, point_capsule, sphere_capsule};
pub use capsule_triangle::{capsule_plane, capsule_polygon, capsule_triangle};
pub use cuboid_batch::{cuboid_cuboids, cuboids_overlapped};
pub use cuboid_cuboid::cuboid_cuboid;
pub use cuboid_plane::cuboid_plane;
pub use cuboid_polygon::{cuboid_polygon, cuboid_triangle};
pub use ellipsoid_ellipsoid::{
    capsule_ellipsoid, ellipsoid_capsule, ellipsoid_ellipsoid, ellipsoid_sphere, point_ellipsoid,
    sphere_ellipsoid,
};
pub use ellipsoid_triangle::{ellipsoid_plane, ellipsoid_polygon, ellipsoid_triangle};
pub use hit::{Contact, Feature, Hit, Path};
pub use patch::{TOLERANCE, capsule_patch, cuboid_patch, ellipsoid_patch, point_patch, sphere_patch};
pub use sphere_cuboid::{
    capsule_cuboid, cuboid_capsule, cuboid_ellipsoid, cuboid_sphere, ellipsoid_cuboid, point_cuboid,
    sphere_cuboid,
};
pub use sphere_plane::{point_plane, sphere_plane};
pub use sphere_polygon::{point_polygon, sphere_polygon};
pub use sphere_sphere::{point_sphere, sphere_sphere};
pub use sphere_triangle::{point_triangle, sphere_triangle};
pub use triangle_triangle::triangle_triangle;
