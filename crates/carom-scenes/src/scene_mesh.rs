//! Triangles, ready to be used.

use core::ops::Range;

use carom::mesh::{Mesh, MeshData, MeshError, Surface};
use glam::DVec3;

/// A stretch of a mesh's triangles that has a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshSection {
    /// The name of the stretch, in lower case: `terrace`, `crate`.
    pub name: &'static str,
    /// Which triangles, by index.
    pub triangles: Range<usize>,
}

/// Plain triangles: y up, meters, counter-clockwise as seen from the front.
///
/// Geometry is worked out and posed in f64 (see [`MeshBuilder`](crate::MeshBuilder)) and rounded to the
/// nearest f32 once, here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneMesh {
    /// The corners, in meters.
    pub vertices: Vec<[f32; 3]>,
    /// Three indices into `vertices` each.
    pub triangles: Vec<[u32; 3]>,
    /// Names for stretches of `triangles`, in order; empty where there is nothing to distinguish.
    pub sections: Vec<MeshSection>,
}

impl SceneMesh {
    /// No triangles yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the triangles of `other`, with its sections. Vertices are not shared between the two.
    ///
    /// # Panics
    /// More than 2³² vertices in all.
    pub fn append(&mut self, other: &Self) {
        let (vertices, triangles) = (self.vertices.len(), self.triangles.len());
        assert!(vertices + other.vertices.len() <= u32::MAX as usize, "indices are 32 bits");
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|i| i + vertices as u32)));
        self.sections.extend(other.sections.iter().map(|part| MeshSection {
            name: part.name,
            triangles: part.triangles.start + triangles..part.triangles.end + triangles,
        }));
    }

    /// Takes in the triangles of `other` as one part of this name.
    pub fn append_part(&mut self, name: &'static str, other: &Self) {
        let start = self.triangles.len();
        self.append(&Self { sections: Vec::new(), ..other.clone() });
        self.sections.push(MeshSection { name, triangles: start..self.triangles.len() });
    }

    /// The triangles of the sections whose names `wanted` accepts, with the vertices that they use.
    pub fn only(&self, wanted: impl Fn(&'static str) -> bool) -> Self {
        let mut kept = Self::new();
        let mut places = vec![None; self.vertices.len()];
        for part in self.sections.iter().filter(|part| wanted(part.name)) {
            let start = kept.triangles.len();
            for triangle in &self.triangles[part.triangles.clone()] {
                let triangle = triangle.map(|i| {
                    *places[i as usize].get_or_insert_with(|| {
                        kept.vertices.push(self.vertices[i as usize]);
                        kept.vertices.len() as u32 - 1
                    })
                });
                kept.triangles.push(triangle);
            }
            kept.sections.push(MeshSection { name: part.name, triangles: start..kept.triangles.len() });
        }
        kept
    }

    /// The three corners of a triangle, in meters, exactly as stored.
    ///
    /// # Panics
    /// No such triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|i| point(self.vertices[i as usize]))
    }

    /// The corners of all triangles, in order.
    pub fn iter_corners(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + '_ {
        (0..self.triangles.len()).map(|triangle| self.corners(triangle))
    }

    /// The least and the greatest coordinates of the vertices, in meters; `None` without vertices.
    pub fn extents(&self) -> Option<(DVec3, DVec3)> {
        let mut points = self.vertices.iter().copied().map(point);
        let first = points.next()?;
        Some(points.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
    }

    /// The same surface with the triangles, and the corners in each of them, in an order drawn from `seed`.
    /// Answers must not depend on it. Parts no longer mean anything and are dropped.
    pub fn shuffled(&self, seed: u64) -> Self {
        let mut random = crate::Random::scattered(seed);
        let mut triangles = self.triangles.clone();
        for last in (1..triangles.len()).rev() {
            triangles.swap(last, random.below(last + 1));
        }
        for triangle in &mut triangles {
            triangle.rotate_left(random.below(3));
        }
        Self { vertices: self.vertices.clone(), triangles, sections: Vec::new() }
    }

    /// A mesh to be asked. Its triangles keep their numbers; each part is a surface whose tag is the part's
    /// index and one, and triangles of no part (or beyond the 65,535th) have the tag 0.
    ///
    /// # Errors
    /// Vertices that are not finite, or indices out of range: what this crate makes has neither.
    pub fn into_mesh(self) -> Result<Mesh, MeshError> {
        let tags = 0..=self.sections.len() as u32;
        let mut surface_ids = vec![0; if self.sections.is_empty() { 0 } else { self.triangles.len() }];
        for (index, part) in self.sections.iter().enumerate() {
            surface_ids[part.triangles.clone()].fill(u16::try_from(index + 1).unwrap_or(0));
        }
        Mesh::new(MeshData {
            vertices: self.vertices,
            triangles: self.triangles,
            surfaces: tags.map(|tag| Surface { tag, ..Surface::default() }).collect(),
            surface_ids,
            ..MeshData::default()
        })
    }

    /// FNV-1a, 64 bits, over the bytes of the vertices (x, y, z as little-endian f32) and then of the
    /// triangles (three little-endian u32 each). Two meshes with the same checksum are the same to the bit,
    /// for all purposes here.
    pub fn checksum(&self) -> u64 {
        let vertices = self.vertices.as_flattened().iter().map(|x| x.to_le_bytes());
        let indices = self.triangles.as_flattened().iter().map(|i| i.to_le_bytes());
        vertices.chain(indices).flatten().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }
}

/// A vertex in f64, which is exact.
pub(crate) fn point(vertex: [f32; 3]) -> DVec3 {
    DVec3::from_array(vertex.map(f64::from))
}

/// The nearest f32s, with +0 for −0: the two would otherwise differ to the bit and weld to one.
pub(crate) fn rounded(point: DVec3) -> [f32; 3] {
    point.to_array().map(|x| x as f32 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshBuilder;

    #[test]
    fn an_empty_mesh_has_the_offset_basis_for_a_checksum() {
        assert_eq!(SceneMesh::new().checksum(), 0xCBF2_9CE4_8422_2325);
    }

    #[test]
    fn appending_keeps_corners_and_names() {
        let cube = MeshBuilder::cuboid(DVec3::ONE).rounded();
        let mut scene = SceneMesh::new();
        scene.append_part("first", &cube);
        scene.append_part("second", &cube);
        assert_eq!(scene.corners(3), scene.corners(12 + 3));
        assert_eq!(scene.sections[1], MeshSection { name: "second", triangles: 12..24 });

        let mut twice = scene.clone();
        twice.append(&scene);
        assert_eq!(twice.sections[3], MeshSection { name: "second", triangles: 36..48 });
        assert_eq!(twice.corners(40), scene.corners(16));
    }

    #[test]
    fn a_part_alone_keeps_its_triangles_and_needs_no_more_vertices() {
        let mut scene = SceneMesh::new();
        for name in ["crate", "wall", "crate"] {
            scene.append_part(name, &MeshBuilder::cuboid(DVec3::ONE).rounded());
        }
        let crates = scene.only(|name| name == "crate");
        assert_eq!((crates.triangles.len(), crates.vertices.len(), crates.sections.len()), (24, 16, 2));
        assert_eq!(crates.corners(13), scene.corners(24 + 1));
        assert_eq!(
            scene.only(|_| true).iter_corners().collect::<Vec<_>>(),
            scene.iter_corners().collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_mesh_keeps_the_numbers_of_triangles_and_tells_parts_by_tag() {
        let cube = MeshBuilder::cuboid(DVec3::ONE).rounded();
        let mut scene = cube.clone();
        scene.append_part("lid", &cube);
        let mesh = scene.clone().into_mesh().unwrap();
        assert_eq!(mesh.triangle_count(), 24);
        assert!((0..24).all(|i| mesh.corners(i) == scene.corners(i as usize)));
        assert_eq!([0, 11, 12, 23].map(|i| mesh.surface(i).tag), [0, 0, 1, 1]);
        assert_eq!(cube.into_mesh().unwrap().surface(5).tag, 0);
    }

    #[test]
    fn shuffling_keeps_every_triangle_and_its_winding() {
        let cube = MeshBuilder::cuboid(DVec3::ONE).rounded();
        let shuffled = cube.shuffled(5);
        assert_ne!(shuffled.triangles, cube.triangles);
        let canonical = |mesh: &SceneMesh| {
            let mut triangles: Vec<[u32; 3]> = mesh.triangles.clone();
            for triangle in &mut triangles {
                let least = (0..3).min_by_key(|&i| triangle[i]).unwrap();
                triangle.rotate_left(least);
            }
            triangles.sort_unstable();
            triangles
        };
        assert_eq!(canonical(&shuffled), canonical(&cube));
    }

    #[test]
    fn extents_hold_every_vertex() {
        let cube = MeshBuilder::cuboid(DVec3::new(1.0, 2.0, 3.0)).rounded();
        assert_eq!(cube.extents(), Some((DVec3::new(-1.0, -2.0, -3.0), DVec3::new(1.0, 2.0, 3.0))));
        assert_eq!(SceneMesh::new().extents(), None);
    }

    #[test]
    fn minus_zero_is_stored_as_zero() {
        assert_eq!(rounded(DVec3::new(-0.0, 1.0, -1e-60)).map(f32::to_bits), [0, 1f32.to_bits(), 0]);
    }
}
