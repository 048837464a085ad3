//! One kernel for each pair of shapes, except for moving cuboids.

pub(in crate::sweep) mod capsule_capsule;
pub(in crate::sweep) mod capsule_triangle;
pub(crate) mod ellipsoid_ellipsoid;
pub(in crate::sweep) mod ellipsoid_triangle;
pub(crate) mod mover_frustum;
pub(in crate::sweep) mod mover_patch;
pub(crate) mod sphere_cuboid;
pub(in crate::sweep) mod sphere_plane;
pub(in crate::sweep) mod sphere_polygon;
pub(in crate::sweep) mod sphere_sphere;
pub(in crate::sweep) mod sphere_triangle;
pub(crate) mod triangle_triangle;
