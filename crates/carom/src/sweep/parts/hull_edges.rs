//! The directions in which an edge of a convex hull and one of another solid keep the two apart.
//!
//! Source: Gottschalk, Lin, Manocha, `OBBTree` (1996), for the axes; the Gauss map for those that count.
//! Idea: the least way between two solids with flat faces goes along a normal of their Minkowski difference.
//! That is one of a face of either, or is perpendicular to an edge of each. On the unit sphere an edge is the
//! arc between the normals of its two faces, and two edges make a face of the difference where their arcs
//! cross. The four edges along an axis of a cuboid make a whole circle, and so does a segment: an edge of the
//! hull counts where that circle runs between its two normals, and is farthest there. Cost: two products an
//! edge, and a root for those that count.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::ops::sqrt;
use crate::shape::ConvexHull;

/// The edges of a convex hull with the normals beside them.
#[derive(Clone, Debug)]
pub(crate) struct HullEdges {
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    corner: DVec3,
    along: DVec3,
    /// Of its two faces.
    normals: [DVec3; 2],
}

impl HullEdges {
    /// The edges between faces of different normals.
    pub(crate) fn new(hull: &ConvexHull, normal: impl Fn(usize) -> DVec3) -> Self {
        let mut sides: Vec<([u32; 2], usize)> = Vec::with_capacity(3 * hull.faces().len());
        for (face, corners) in hull.faces().iter().enumerate() {
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                sides.push(([a.min(b), a.max(b)], face));
            }
        }
        sides.sort_unstable();
        let edges = sides.chunk_by(|a, b| a.0 == b.0).filter_map(|sides| {
            let [(ends, first), (_, second)] = sides else { return None };
            let [corner, end] = ends.map(|vertex| hull.vertices()[vertex as usize]);
            let normals = [normal(*first), normal(*second)];
            (normals[0] != normals[1]).then_some(Edge { corner, along: end - corner, normals })
        });
        Self { edges: edges.collect() }
    }

    /// The normals, outward and of length 1, that are perpendicular to an edge and to a direction of another
    /// solid's edges all around; each with a corner of the hull that is farthest along it.
    pub(crate) fn normals_across(&self, direction: DVec3) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.edges.iter().filter_map(move |edge| {
            let [first, second] = edge.normals.map(|normal| normal.dot(direction));
            if first * second > 0.0 {
                return None;
            }
            let across = edge.along.cross(direction);
            let length = sqrt(across.length_squared());
            let outward = across.dot(edge.normals[0] + edge.normals[1]);
            let normal = across / if outward < 0.0 { -length } else { length };
            normal.is_finite().then_some((normal, edge.corner))
        })
    }
}
