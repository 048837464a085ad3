//! Why a mesh is refused, and which of its vertices are dropped.

use alloc::vec;
use alloc::vec::Vec;

use super::data::Surface;
use super::error::MeshError;
use super::weld;

/// The most triangles whose corners can be numbered.
pub(super) const MOST_TRIANGLES: usize = (u32::MAX / 3) as usize;

/// A corner or an edge of a triangle.
#[inline]
pub(super) fn check_corner(number: u32) -> u32 {
    assert!(number < 3, "a triangle has no corner or edge {number}");
    number
}

pub(super) fn check_count(triangles: usize) -> Result<(), MeshError> {
    if triangles > MOST_TRIANGLES {
        return Err(MeshError::TooManyTriangles { triangles, most: MOST_TRIANGLES });
    }
    Ok(())
}

/// Which vertices the triangles name.
pub(super) fn used_vertices(vertices: usize, triangles: &[[u32; 3]]) -> Result<Vec<bool>, MeshError> {
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

pub(crate) fn check_surfaces(surfaces: &[Surface]) -> Result<(), MeshError> {
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

pub(super) fn check_surface_ids(ids: &[u16], surfaces: usize, triangles: usize) -> Result<(), MeshError> {
    if !ids.is_empty() && ids.len() != triangles {
        return Err(MeshError::SurfaceIdCount { ids: ids.len(), triangles });
    }
    match ids.iter().position(|&id| usize::from(id) >= surfaces) {
        Some(triangle) => Err(MeshError::SurfaceOutOfRange { triangle, surface: ids[triangle], surfaces }),
        None => Ok(()),
    }
}

/// Drops unused and merged vertices, in the order of the first vertex of each place, and renumbers the
/// corners of the triangles.
pub(super) fn renumber(
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
    kept.shrink_to_fit();
    kept
}
