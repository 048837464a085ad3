//! Triangles as lists, and casts against them.

use carom::world::CastHit;
use glam::DVec3;

/// Triangles as lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Of each triangle; empty if all are of one surface.
    pub(crate) surface_ids: Vec<u16>,
}

impl Soup {
    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|i| point(self.vertices[i as usize]))
    }

    /// The triangle in this place, which has this number in the level.
    pub(crate) fn facet(&self, triangle: usize, number: u32) -> Facet {
        Facet { number, corners: self.corners(triangle), surface_id: self.surface_id(triangle) }
    }

    pub(crate) fn surface_id(&self, triangle: usize) -> u16 {
        self.surface_ids.get(triangle).copied().unwrap_or(0)
    }
}

pub(crate) fn point(vertex: [f32; 3]) -> DVec3 {
    DVec3::from_array(vertex.map(f64::from))
}

/// A triangle of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// In the level.
    pub(crate) number: u32,
    pub(crate) corners: [DVec3; 3],
    pub(crate) surface_id: u16,
}

/// The first hit of a cast.
pub(crate) struct Met {
    /// Its part is the number of the triangle in the level.
    pub(crate) hit: CastHit,
    pub(crate) corners: [DVec3; 3],
    pub(crate) surface_id: u16,
}

/// Which sides show where a ray hits several surfaces at once: those of a sheet with two sides, or of solids
/// that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) front: bool,
    pub(crate) back: bool,
    /// Whether one triangle is another one from behind.
    pub(crate) is_sheet: bool,
}

impl Sides {
    pub(crate) fn are_both(self) -> bool {
        self.front && self.back
    }
}

impl Met {
    /// Whether it is seen from the front along a way.
    pub(crate) fn is_front(&self, way: DVec3) -> bool {
        self.normal().dot(way) < 0.0
    }

    /// Across the front, of any length.
    pub(crate) fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }
}
