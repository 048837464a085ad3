//! Moving cuboids: separating axes with velocity.

pub(in crate::sweep) mod cuboid_batch;
pub(crate) mod cuboid_cuboid;
pub(in crate::sweep) mod cuboid_outline;
pub(in crate::sweep) mod cuboid_plane;
pub(in crate::sweep) mod cuboid_polygon;
pub(in crate::sweep) mod cuboid_sweep;
pub(in crate::sweep) mod moving_cuboid;
pub(in crate::sweep) mod separating_axis;
