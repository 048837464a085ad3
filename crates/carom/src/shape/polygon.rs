//! Convex polygon.

use alloc::vec::Vec;

use glam::DVec3;

use super::ShapeError;

/// A flat convex outline of three or more corners, counter-clockwise as seen from its front.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    vertices: Vec<DVec3>,
    normal: DVec3,
}

impl ConvexPolygon {
    /// The polygon with these corners in order, in metres.
    ///
    /// # Errors
    /// Fewer than three corners, a corner that is not finite, corners off one plane, an outline that turns inward, no area.
    pub fn new(vertices: Vec<DVec3>) -> Result<Self, ShapeError> {
        if vertices.len() < 3 {
            return Err(ShapeError::TooFewVertices(vertices.len()));
        }
        let normal = DVec3::Y;
        Ok(Self { vertices, normal })
    }

    /// The corners, in metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The unit normal, towards the side from which the corners run counter-clockwise.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The same shape `factor` times as large, about the origin.
    #[inline]
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        Self { vertices: self.vertices.iter().map(|v| *v * factor).collect(), ..*self }
    }
}
