//! BSP trees of exact planes: solids, cells and portals, leaks.
//!
//! Polygons are planes and are cut without rounding. [`Bsp`] is a solid as a tree, [`Cells`] is the empty
//! space around it, and [`leaks`] finds where that is open to the outside. The pages are `docs/bsp.md` and
//! `docs/portals.md`.

mod build;
mod cells;
mod error;
mod faces;
mod leaks;
mod mesh;
mod node;
mod normal_form;
mod plane;
mod plane_index;
mod polygon;
mod rest;
mod segment;
mod tree;
mod whole;
mod wide;

pub use cells::{Cells, Flood, NearestWall, Piece};
pub use error::BspError;
pub(crate) use faces::Faces;
pub use leaks::{Leak, Leaks, leaks};
pub use node::{Child, Node};
pub use plane::{Corner, PlaneId, PlaneSet, Side};
pub use polygon::{Cut, Polygon, PolygonSides};
pub use tree::Bsp;
