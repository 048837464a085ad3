//! What a mesh is made from.

use alloc::vec::Vec;

use glam::DVec3;

/// The raw material of a [`Mesh`](super::Mesh): lists as a file gives them. Nothing is checked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Where the vertices are measured from, in meters.
    pub origin: DVec3,
    /// Positions about the origin, in meters.
    pub vertices: Vec<[f32; 3]>,
    /// Three indices into `vertices` each, counter-clockwise as seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// What triangles are made of. Empty: one [`Surface::default`].
    pub surfaces: Vec<Surface>,
    /// One index into `surfaces` for each triangle. Empty: all are 0.
    pub surface_ids: Vec<u16>,
    /// Which vertices become one.
    pub weld: Weld,
}

/// Which vertices become one. Only vertices that a triangle uses take part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Those of equal position (−0 equals 0).
    #[default]
    Exact,
    /// Those up to this many meters apart, as well.
    ///
    /// Positions are visited from the lowest (by x, then y, then z); one that is not yet merged stays where
    /// it is, and all within the tolerance of it that are not yet merged move to it. So nothing moves farther
    /// than the tolerance, those that stay are farther apart than that, and the order of the vertices does
    /// not matter.
    Tolerance(f64),
}

/// What a triangle is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface {
    /// The coefficient of friction, at least 0. None: whatever is the default of the rule that moves.
    pub friction: Option<f64>,
    /// The share of the speed into the surface that comes back, at least 0.
    pub restitution: f64,
    /// Whether movers pass through from the back.
    pub one_sided: bool,
    /// A number of the caller's, reported back unread.
    pub tag: u32,
}

/// A vertex in the numbers that decide. Exact.
#[inline]
pub(super) fn position(vertex: [f32; 3]) -> DVec3 {
    let [x, y, z] = vertex.map(f64::from);
    DVec3::new(x, y, z)
}
