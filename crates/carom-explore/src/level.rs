//! What is explored: triangles at rest, and the points in it that have a name.

use carom::mesh::{Mesh, MeshData};
use carom::{Body, World};
use glam::DVec3;

use crate::error::ExploreError;

/// A named point of a level, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmark {
    /// Its name, as in the file.
    pub name: String,
    /// Where it is.
    pub position: DVec3,
}

/// A level: its triangles, in a world of one fixed body. y up, metres.
#[derive(Debug)]
pub struct Level {
    /// What it is called in reports.
    pub name: String,
    /// Named points: spawns are looked for among them.
    pub landmarks: Vec<Landmark>,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    world: World,
    bounds: (DVec3, DVec3),
}

impl Level {
    /// A level of these triangles.
    ///
    /// # Errors
    /// No triangles, vertices that are not finite, indices out of range.
    pub fn new(name: impl Into<String>, data: MeshData) -> Result<Self, ExploreError> {
        if data.triangles.is_empty() {
            return Err(ExploreError::NoTriangles);
        }
        let (vertices, triangles) = (data.vertices.clone(), data.triangles.clone());
        let mesh = Mesh::new(data)?;
        let corners = triangles.iter().flatten().map(|i| point(vertices[*i as usize]));
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let bounds = corners.fold(none, |(low, high), p| (low.min(p), high.max(p)));
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        Ok(Self { name: name.into(), landmarks: Vec::new(), vertices, triangles, world, bounds })
    }

    /// The same with named points.
    #[must_use]
    pub fn with_landmarks(self, landmarks: Vec<Landmark>) -> Self {
        Self { landmarks, ..self }
    }

    /// The world that the character moves in.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The corners, in metres.
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    /// Three indices into [`Self::vertices`] each.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The least and the greatest coordinates of the triangles.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        self.bounds
    }

    /// Below this a centre has left the world.
    pub fn abyss(&self) -> f64 {
        self.bounds.0.y - 10.0
    }

    /// Below this nothing can hold a body any more that reaches so far down and up from its centre: all that it does is fall.
    pub(crate) fn beneath(&self, half_height: f64) -> f64 {
        (self.bounds.0.y - 1.01 * half_height).max(self.abyss())
    }

    pub(crate) fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|i| point(self.vertices[i as usize]))
    }

    /// FNV-1a, 64 bits, over the bytes of vertices and triangles: a checkpoint of another level is not resumed.
    pub(crate) fn checksum(&self) -> u64 {
        let vertices = self.vertices.as_flattened().iter().map(|x| x.to_le_bytes());
        let indices = self.triangles.as_flattened().iter().map(|i| i.to_le_bytes());
        vertices.chain(indices).flatten().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }
}

fn point(vertex: [f32; 3]) -> DVec3 {
    DVec3::from_array(vertex.map(f64::from))
}
