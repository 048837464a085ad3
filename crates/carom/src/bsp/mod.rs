//! Polygons as planes, with exact signs.

mod plane;
mod polygon;

pub use plane::{Corner, PlaneId, PlaneSet, Side};
pub use polygon::{Cut, Polygon};
