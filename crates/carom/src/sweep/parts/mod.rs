//! The parts of kernels: a ball against a polygon, a thickened polygon or a block; canonical corners; nearest
//! points; the space in which an ellipsoid is a ball; scales near 1.

pub(in crate::sweep) mod ball;
pub(in crate::sweep) mod circle;
pub(crate) mod flat;
pub(crate) mod form;
pub(crate) mod hull_edges;
pub(in crate::sweep) mod nearest;
pub(crate) mod outline;
pub(in crate::sweep) mod prism;
pub(in crate::sweep) mod revolved;
pub(in crate::sweep) mod round;
pub(crate) mod scaled;
pub(crate) mod skeleton;
pub(in crate::sweep) mod space;
mod touching;
pub(crate) mod way_out;
pub(in crate::sweep) mod zonotope;
