//! What comes out of a file.

use carom::mesh::{Mesh, MeshData, MeshError, Surface};
use carom::shape::BezierPatch;
use glam::DVec3;

use crate::format::Format;
use crate::volume::Volume;

/// The triangles of a file as they are, in meters and with y up. Nothing is welded, nothing is refused:
/// corners may coincide, vertices may be unused, NaN or infinite. Every triangle's corners are indices within
/// `vertices`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLevel {
    /// What the file turned out to be.
    pub format: Format,
    /// Positions. A glTF vertex is here once for every node that shows it; an STL vertex once for every
    /// triangle.
    pub vertices: Vec<[f32; 3]>,
    /// Corners, counterclockwise seen from outside, in the file's order; polygons are fanned from their first
    /// corner.
    pub triangles: Vec<[u32; 3]>,
    /// Names of the surfaces that have triangles, in order of first use: `object/group/material` (OBJ),
    /// `node/material` (glTF; the mesh's name where the node has none), the solid's name (STL), each left out
    /// where there is none. `texture` or `entity/texture` (BSP, MAP). `default` where there is nothing to
    /// name it by.
    pub surfaces: Vec<String>,
    /// The surface of every triangle; empty when all are of one surface.
    pub surface_ids: Vec<u16>,
    /// Curved patches of .bsp and .map files, in meters and with y up; empty unless
    /// [`Patches::Curved`](crate::Patches) asks for them. They are no part of the mesh.
    pub patches: Vec<BezierPatch>,
    /// Named points for spawns, goals and the like.
    pub places: Vec<Place>,
    /// Parts of space that mean something: of glTF nodes whose names begin with `carom_`, and of entities.
    pub volumes: Vec<Volume>,
    /// What the file holds and the level does not.
    pub skipped: Skipped,
}

impl RawLevel {
    /// The level as a mesh: checked, welded where positions are equal, and with neighbors. The triangles keep
    /// their numbers; the `tag` of a surface is its index in [`Self::surfaces`], and the rest of it is
    /// default.
    ///
    /// # Errors
    /// A vertex that is not finite, used or not; more triangles than a mesh can hold.
    pub fn into_mesh(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.into_mesh_data())
    }

    /// What [`Self::into_mesh`] makes the mesh from, for those who set surfaces or welding first.
    pub fn into_mesh_data(self) -> MeshData {
        MeshData {
            vertices: self.vertices,
            triangles: self.triangles,
            surfaces: (0..)
                .zip(&self.surfaces)
                .map(|(tag, _)| Surface { tag, ..Surface::default() })
                .collect(),
            surface_ids: self.surface_ids,
            ..MeshData::default()
        }
    }
}

/// A named point of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The name of the glTF node, OBJ object (group, in a file without objects) or STL solid.
    pub name: String,
    /// The node's origin, or the center of the box around the object's vertices, in meters and with y up.
    pub position: DVec3,
}

/// What was read and left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Points drawn as such.
    pub points: u64,
    /// Segments of lines.
    pub lines: u64,
    /// Faces of fewer than three corners, and corners at the end of a glTF primitive too few for one more
    /// triangle.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, parse};

    fn read(text: &str) -> RawLevel {
        parse(text.as_bytes(), Format::Obj, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn a_mesh_keeps_triangles_and_surfaces_in_their_order() {
        let level = read(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 1 0\nusemtl ice\nf 1 2 3\nusemtl tar\nf 2 1 4\nusemtl ice\nf 3 2 1",
        );
        let mesh = level.into_mesh().unwrap();
        // The fourth vertex is the third.
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 0, 2], [2, 1, 0]]);
        let tags: Vec<u32> = (0..3).map(|triangle| mesh.surface(triangle).tag).collect();
        assert_eq!(tags, [0, 1, 0]);
    }

    #[test]
    fn an_empty_level_is_an_empty_mesh() {
        assert!(read("# nothing").into_mesh().unwrap().triangles().is_empty());
    }

    #[test]
    fn a_mesh_refuses_what_is_not_finite() {
        let refused = read("v 0 0 0\nv 1 nan 0\nf 1 1 2").into_mesh().unwrap_err();
        assert_eq!(refused, MeshError::VertexNotFinite { vertex: 1 });
    }

    #[test]
    fn every_number_of_surfaces_is_a_mesh() {
        let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned();
        for number in 0..65_540 {
            text += &format!("usemtl {number}\nf 1 2 3\n");
        }
        let mesh = read(&text).into_mesh().unwrap();
        assert_eq!(mesh.surface(65_539).tag, 65_535);
    }
}
