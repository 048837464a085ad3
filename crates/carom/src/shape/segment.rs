//! Closest point on a segment.

use glam::DVec3;

use super::{ShapeError, finite};

/// The straight line between two points, ends included. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    a: DVec3,
    b: DVec3,
}

/// A point of a segment and how far along it lies: 0 at `a`, 1 at `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentPoint {
    /// The point, in metres.
    pub point: DVec3,
    /// 0 at the first end, 1 at the second.
    pub along: f64,
}

impl Segment {
    /// The segment between two points. One of no length is legal: it is its point.
    ///
    /// # Errors
    /// An end that is not finite.
    pub fn new(a: DVec3, b: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { a: finite(a, "a")?, b: finite(b, "b")? })
    }

    /// The first end.
    pub fn a(&self) -> DVec3 {
        self.a
    }

    /// The second end.
    pub fn b(&self) -> DVec3 {
        self.b
    }
}
