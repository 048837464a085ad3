//! Which part of a flat shape a point belongs to.

use glam::DVec3;

/// A part of a triangle or polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Region {
    /// The inside of the face.
    Face,
    /// The inside of edge `i`: from corner `i` to the next.
    Edge(u32),
    /// Corner `i`.
    Vertex(u32),
}

/// A point of a triangle or polygon and the part it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfacePoint {
    /// The point, in meters.
    pub point: DVec3,
    /// The part of the shape that it lies on.
    pub region: Region,
}
