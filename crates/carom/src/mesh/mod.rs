//! Triangle meshes: validated, welded, with neighbours, surfaces and a report of their defects.
//!
//! A [`Mesh`] keeps f32 vertices about an f64 origin. Everything it answers is exact for those vertices: its f64 corners
//! are relative to the origin, which is never added in here. Triangle `i` stays triangle `i`: nothing is dropped or
//! reordered, and triangles without area are legal.

mod data;
mod error;
mod weld;

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::Aabb;

pub use data::{MeshData, Surface, Weld};
pub use error::MeshError;

/// As many triangles as leave room to number all of their corners.
const MOST_TRIANGLES: usize = (u32::MAX / 3) as usize;

/// A triangle mesh, ready to be asked.
#[derive(Clone, Debug)]
pub struct Mesh {
    origin: DVec3,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<Surface>,
    /// Empty if all are 0.
    surface_ids: Vec<u16>,
    bounds: Option<Aabb>,
}

impl Mesh {
    /// Checks, welds and connects.
    ///
    /// Vertices that no triangle uses are checked and dropped; of those that become one, the first gives the place in
    /// the list. So a list without either stays as it is, but for −0, which becomes 0.
    ///
    /// # Errors
    /// Numbers that are not finite, indices out of range, a list of the wrong length: by name and index.
    pub fn new(data: MeshData) -> Result<Self, MeshError> {
        let MeshData { origin, vertices, mut triangles, mut surfaces, mut surface_ids, weld } = data;
        if surfaces.is_empty() {
            surfaces.push(Surface::default());
        }
        check_count(triangles.len())?;
        if !origin.is_finite() {
            return Err(MeshError::OriginNotFinite);
        }
        if let Some(vertex) = vertices.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
            return Err(MeshError::VertexNotFinite { vertex });
        }
        let used = used_vertices(vertices.len(), &triangles)?;
        check_surfaces(&surfaces)?;
        check_surface_ids(&surface_ids, surfaces.len(), triangles.len())?;

        let leader = match weld {
            Weld::Exact => weld::exact(&vertices, &used),
            Weld::Tolerance(metres) if metres >= 0.0 && metres.is_finite() => {
                weld::within(&vertices, &used, metres)
            }
            Weld::Tolerance(metres) => return Err(MeshError::Tolerance(metres)),
        };
        let vertices = renumber(&vertices, &used, &leader, &mut triangles);
        if surface_ids.iter().all(|&id| id == 0) {
            surface_ids = Vec::new();
        }
        let bounds = bounds(&vertices);
        Ok(Self { origin, vertices, triangles, surfaces, surface_ids, bounds })
    }

    /// The mesh of these lists: origin 0, one default surface, equal positions welded.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn from_triangles(vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        Self::new(MeshData { vertices, triangles, ..MeshData::default() })
    }

    /// Where the vertices are measured from, in metres.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The welded positions about the origin, in metres.
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    /// Three indices into [`Mesh::vertices`] for each triangle, in the caller's order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> u32 {
        self.triangles.len() as u32
    }

    /// The corners of a triangle about the origin (the origin is not added), in metres; exactly the vertices.
    ///
    /// # Panics
    /// No such triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| position(self.vertices[vertex as usize]))
    }

    /// The box of all vertices about the origin; none if there are no triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// The largest absolute coordinate about the origin, in metres; 0 if there are no triangles.
    pub fn largest_coordinate(&self) -> f64 {
        self.bounds.map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element())
    }

    /// What a triangle is made of.
    ///
    /// # Panics
    /// No such triangle.
    pub fn surface(&self, triangle: u32) -> &Surface {
        assert!(triangle < self.triangle_count(), "no triangle {triangle}");
        &self.surfaces[self.surface_ids.get(triangle as usize).map_or(0, |&id| id as usize)]
    }

    /// All surfaces; at least one.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }
}

/// A vertex in the numbers that decide. Exact.
#[inline]
fn position(vertex: [f32; 3]) -> DVec3 {
    let [x, y, z] = vertex.map(f64::from);
    DVec3::new(x, y, z)
}

fn check_count(triangles: usize) -> Result<(), MeshError> {
    if triangles > MOST_TRIANGLES {
        return Err(MeshError::TooManyTriangles { triangles, most: MOST_TRIANGLES });
    }
    Ok(())
}

/// Which vertices the triangles name.
fn used_vertices(vertices: usize, triangles: &[[u32; 3]]) -> Result<Vec<bool>, MeshError> {
    let mut used = vec![false; vertices];
    for (triangle, corners) in triangles.iter().enumerate() {
        for &index in corners {
            let Some(mark) = used.get_mut(index as usize) else {
                return Err(MeshError::IndexOutOfRange { triangle, index, vertices });
            };
            *mark = true;
        }
    }
    Ok(used)
}

fn check_surfaces(surfaces: &[Surface]) -> Result<(), MeshError> {
    let wrong = |x: f64| !(x >= 0.0 && x.is_finite());
    for (surface, numbers) in surfaces.iter().enumerate() {
        if numbers.friction.is_some_and(wrong) {
            return Err(MeshError::SurfaceNumber { surface, what: "friction" });
        }
        if wrong(numbers.restitution) {
            return Err(MeshError::SurfaceNumber { surface, what: "restitution" });
        }
    }
    Ok(())
}

fn check_surface_ids(ids: &[u16], surfaces: usize, triangles: usize) -> Result<(), MeshError> {
    if !ids.is_empty() && ids.len() != triangles {
        return Err(MeshError::SurfaceIdCount { ids: ids.len(), triangles });
    }
    match ids.iter().position(|&id| usize::from(id) >= surfaces) {
        Some(triangle) => Err(MeshError::SurfaceOutOfRange { triangle, surface: ids[triangle], surfaces }),
        None => Ok(()),
    }
}

/// Drops what is unused or merged, in the order of the first vertex of each place, and points the triangles to the rest.
fn renumber(
    vertices: &[[f32; 3]],
    used: &[bool],
    leader: &[u32],
    triangles: &mut [[u32; 3]],
) -> Vec<[f32; 3]> {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; vertices.len()];
    let mut kept = Vec::new();
    for (_, &leader) in used.iter().zip(leader).filter(|(used, _)| **used) {
        let number = &mut number[leader as usize];
        if *number == UNSEEN {
            *number = kept.len() as u32;
            kept.push(weld::canonical(vertices[leader as usize]));
        }
    }
    for vertex in triangles.as_flattened_mut() {
        *vertex = number[leader[*vertex as usize] as usize];
    }
    kept
}

fn bounds(vertices: &[[f32; 3]]) -> Option<Aabb> {
    let mut positions = vertices.iter().map(|&vertex| position(vertex));
    let first = positions.next()?;
    let (min, max) = positions.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
    Aabb::new(min, max).ok()
}
