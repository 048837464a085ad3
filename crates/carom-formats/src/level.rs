//! What comes out of a file.

use glam::DVec3;

use crate::format::Format;

/// The triangles of a file as they are, in metres and with y up. Nothing is welded, nothing is refused: corners may coincide,
/// vertices may be unused, NaN or infinite. Every triangle's corners are indices within `vertices`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLevel {
    /// What the file turned out to be.
    pub format: Format,
    /// Positions. A glTF vertex is here once for every node that shows it; an STL vertex once for every triangle.
    pub vertices: Vec<[f32; 3]>,
    /// Corners, counterclockwise seen from outside, in the file's order; polygons are fanned from their first corner.
    pub triangles: Vec<[u32; 3]>,
    /// Names of the surfaces that have triangles, in order of first use: `object/group/material` (OBJ), `node/material`
    /// (glTF; the mesh's name where the node has none), the solid's name (STL), each left out where there is none.
    /// `default` where there is nothing to name it by.
    pub surfaces: Vec<String>,
    /// The surface of every triangle; empty when all are of one surface.
    pub surface_ids: Vec<u16>,
    /// Named points for spawns, goals and the like.
    pub places: Vec<Place>,
    /// What the file holds and the level does not.
    pub skipped: Skipped,
}

/// A named point of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The name of the glTF node, OBJ object (group, in a file without objects) or STL solid.
    pub name: String,
    /// The node's origin, or the centre of the box around the object's vertices, in metres and with y up.
    pub position: DVec3,
}

/// What was read and left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Points drawn as such.
    pub points: u64,
    /// Segments of lines.
    pub lines: u64,
    /// Faces of fewer than three corners, and corners at the end of a glTF primitive too few for one more triangle.
    pub incomplete_faces: u64,
    /// Free-form curves and surfaces of an OBJ.
    pub free_form: u64,
    /// Statements that OBJ does not know.
    pub statements: u64,
    /// glTF primitives without positions.
    pub primitives: u64,
    /// Surfaces beyond the 65,536th, now one with it.
    pub surfaces: u64,
    /// Bytes after the end of a binary file.
    pub bytes: u64,
}

impl Skipped {
    /// Whether all that the file holds is in the level.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
