//! What is explored: triangles at rest, and the points in it that have a name.

use carom::mesh::{Mesh, MeshData};
use carom::shape::Mover;
use carom::{Body, Cast, World};
use carom_formats::checksum;
use glam::DVec3;

use crate::error::ExploreError;
use crate::movers::{Movers, Moving};
use crate::volumes::Volumes;

/// A named point of a level, in meters.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmark {
    /// Its name, as in the file.
    pub name: String,
    /// Where it is.
    pub position: DVec3,
}

/// How a file's own coordinates become those of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Whether z is up in the file: (x, y, z) is (x, z, −y) in the level.
    pub is_z_up: bool,
    /// Meters per unit of the file.
    pub scale: f64,
}

impl Default for Frame {
    fn default() -> Self {
        Self { is_z_up: false, scale: 1.0 }
    }
}

impl Frame {
    /// A point of the level as the file has it.
    pub fn to_file(&self, p: DVec3) -> DVec3 {
        let turned = if self.is_z_up { DVec3::new(p.x, -p.z, p.y) } else { p };
        turned / self.scale + DVec3::ZERO
    }
}

/// A level: its triangles, in a world of one fixed body. y up, meters.
#[derive(Debug)]
pub struct Level {
    /// What it is called in reports.
    pub name: String,
    /// Named points: spawns are looked for among them.
    pub landmarks: Vec<Landmark>,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// What is where a body does more than walk and fall.
    pub volumes: Volumes,
    /// The frame of the file that it was read from.
    pub frame: Frame,
    /// Names of objects and materials, for reports.
    surfaces: Vec<String>,
    /// Of each surface, linear red, green and blue; empty if none is known.
    colors: Vec<Option<[f32; 3]>>,
    /// Of each triangle; empty if all are of one surface.
    surface_ids: Vec<u16>,
    world: World,
    movers: Movers,
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
        let surface_ids = data.surface_ids.clone();
        let mesh = Mesh::new(data)?;
        let corners = triangles.iter().flatten().map(|i| point(vertices[*i as usize]));
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let bounds = corners.fold(none, |(low, high), p| (low.min(p), high.max(p)));
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        Ok(Self {
            name: name.into(),
            landmarks: Vec::new(),
            vertices,
            triangles,
            volumes: Volumes::default(),
            frame: Frame::default(),
            surfaces: Vec::new(),
            colors: Vec::new(),
            surface_ids,
            world,
            movers: Movers::default(),
            bounds,
        })
    }

    /// The same with named points.
    #[must_use]
    pub fn with_landmarks(self, landmarks: Vec<Landmark>) -> Self {
        Self { landmarks, ..self }
    }

    /// The same with the names of the surfaces that triangles have the numbers of.
    #[must_use]
    pub fn with_surfaces(self, surfaces: Vec<String>) -> Self {
        Self { surfaces, ..self }
    }

    /// The same with the colors of those surfaces, for the page: linear red, green and blue from 0 to 1,
    /// `None` where the color is not known.
    #[must_use]
    pub fn with_colors(self, colors: Vec<Option<[f32; 3]>>) -> Self {
        Self { colors, ..self }
    }

    /// The same with bodies that move, or whose surfaces do.
    #[must_use]
    pub fn with_moving(self, list: Vec<Moving>) -> Self {
        let movers = if list.is_empty() { Movers::default() } else { Movers::new(&self.world, list) };
        Self { movers, ..self }
    }

    /// The bodies that move, or whose surfaces do.
    pub fn moving(&self) -> &[Moving] {
        &self.movers.list
    }

    pub(crate) fn movers(&self) -> &Movers {
        &self.movers
    }

    /// The world with everything that moves where it is at first.
    pub(crate) fn first_world(&self) -> &World {
        if self.movers.is_empty() { &self.world } else { self.movers.world() }
    }

    /// The name of the surface of a triangle, if it has one.
    pub fn surface(&self, triangle: u32) -> Option<&str> {
        let id = self.surface_ids.get(triangle as usize).copied().unwrap_or(0);
        self.surfaces.get(usize::from(id)).map(String::as_str)
    }

    /// The color of the surface of a triangle, if it is known.
    pub(crate) fn color(&self, triangle: u32) -> Option<[f32; 3]> {
        let id = self.surface_ids.get(triangle as usize).copied().unwrap_or(0);
        self.colors.get(usize::from(id)).copied().flatten()
    }

    /// The name of what is at most so far below a point.
    pub fn object_below(&self, point: DVec3, depth: f64) -> Option<&str> {
        let cast = Cast::new(Mover::Point, point, DVec3::NEG_Y * depth).ok()?;
        self.surface(self.world.cast(&cast)?.part)
    }

    /// The world of all that is at rest.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The corners, in meters.
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

    fn lowest(&self) -> f64 {
        self.bounds.0.y.min(self.movers.lowest())
    }

    /// Below this a center has left the world.
    pub fn abyss(&self) -> f64 {
        self.lowest() - 10.0
    }

    /// Below this nothing can hold a body any more that reaches so far down and up from its center: all that
    /// it does is fall.
    pub(crate) fn beneath(&self, half_height: f64) -> f64 {
        (self.lowest() - 1.01 * half_height).max(self.abyss())
    }

    pub(crate) fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|i| point(self.vertices[i as usize]))
    }

    /// FNV-1a, 64 bits, over the bytes of vertices and triangles: a checkpoint of another level is not
    /// resumed.
    pub fn checksum(&self) -> u64 {
        checksum(&self.vertices, &self.triangles)
    }
}

fn point(vertex: [f32; 3]) -> DVec3 {
    DVec3::from_array(vertex.map(f64::from))
}
