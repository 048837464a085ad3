//! Pair kernels: one moving shape against one other, in closed form, one file per pair. They are pure
//! functions and do not allocate, except for a cuboid against a polygon of more than 16 corners, and for
//! deforming parts that touch to within roundings.
//!
//! A kernel takes the mover, its [`Path`] and the other shape, and returns the first [`Hit`] on the path, or
//! `None`. All of them follow the same rules:
//!
//! - **Touching is legal.** A mover that touches at the start is stopped (at fraction 0) only if it goes
//!   deeper. Leaving, resting and sliding along are not hits.
//! - **Never past contact.** The fraction is at most a derived rounding bound early, and never late.
//! - **Degenerate is legal.** A triangle without area is the segment or the point that it is.
//! - **A numerical failure stops the mover**; it never reports a free path.

pub(crate) mod cuboid;
pub mod deforming;
mod hit;
pub(crate) mod mover;
pub(crate) mod pairs;
pub(crate) mod parts;
pub(crate) mod patch;

pub use cuboid::cuboid_batch::{cuboid_cuboids, cuboids_overlapped};
pub use cuboid::cuboid_cuboid::cuboid_cuboid;
pub use cuboid::cuboid_plane::cuboid_plane;
pub use cuboid::cuboid_polygon::{cuboid_polygon, cuboid_triangle};
pub(crate) use hit::Placed;
pub use hit::{Contact, Feature, Hit, Path};
pub use pairs::capsule_capsule::{capsule_capsule, capsule_sphere, point_capsule, sphere_capsule};
pub use pairs::capsule_triangle::{capsule_plane, capsule_polygon, capsule_triangle};
pub use pairs::ellipsoid_ellipsoid::{
    capsule_ellipsoid, ellipsoid_capsule, ellipsoid_ellipsoid, ellipsoid_sphere, point_ellipsoid,
    sphere_ellipsoid,
};
pub use pairs::ellipsoid_triangle::{ellipsoid_plane, ellipsoid_polygon, ellipsoid_triangle};
pub use pairs::mover_frustum::{mover_cone, mover_cylinder};
pub use pairs::mover_patch::{capsule_patch, cuboid_patch, ellipsoid_patch, point_patch, sphere_patch};
pub use pairs::sphere_cuboid::{
    capsule_cuboid, cuboid_capsule, cuboid_ellipsoid, cuboid_sphere, ellipsoid_cuboid, point_cuboid,
    sphere_cuboid,
};
pub use pairs::sphere_plane::{point_plane, sphere_plane};
pub use pairs::sphere_polygon::{point_polygon, sphere_polygon};
pub use pairs::sphere_sphere::{point_sphere, sphere_sphere};
pub use pairs::sphere_triangle::{point_triangle, sphere_triangle};
pub use pairs::triangle_triangle::triangle_triangle;
pub use patch::TOLERANCE;
