//! The input of a mesh.

use alloc::vec::Vec;

use glam::DVec3;

/// The input of a [`Mesh`](super::Mesh): lists as in a file. Nothing is checked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// The point from which the vertices are measured, in meters.
    /// Use it far from the world's origin, where f32 is too coarse.
    pub origin: DVec3,
    /// Positions about the origin, in meters.
    pub vertices: Vec<[f32; 3]>,
    /// Three indices into `vertices` each, counterclockwise as seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// The materials of triangles. Empty: one [`Surface::default`].
    pub surfaces: Vec<Surface>,
    /// One index into `surfaces` for each triangle. Empty: all are 0.
    pub surface_ids: Vec<u16>,
    /// Which vertices are merged.
    pub weld: Weld,
}

/// Which vertices are merged. Only vertices that a triangle uses take part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Those at equal positions (−0 equals 0).
    #[default]
    Exact,
    /// Also those up to this many meters apart.
    ///
    /// Positions are visited from the lowest (by x, then y, then z). An unmerged position stays in place, and
    /// all unmerged positions within the tolerance of it move to it. So no position moves farther than the
    /// tolerance, those that stay are farther apart than that, and the order of the vertices does not matter.
    ///
    /// Too small: cracks between parts of a level stay open. Too large: thin details collapse.
    Tolerance(f64),
}

/// The material of a triangle or a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface {
    /// The coefficient of friction, at least 0. `None`: the default of the mover's rule.
    pub friction: Option<f64>,
    /// The share of the speed into the surface that returns, at least 0.
    pub restitution: f64,
    /// Whether movers pass through from the back.
    pub one_sided: bool,
    /// A number of the caller's, returned unchanged in hits.
    pub tag: u32,
}

/// A vertex in the numbers that decide. Exact.
#[inline]
pub(super) fn position(vertex: [f32; 3]) -> DVec3 {
    let [x, y, z] = vertex.map(f64::from);
    DVec3::new(x, y, z)
}
