//! From closed meshes to trees, and from trees back to triangles.
//!
//! A triangle is the plane through its corners and three planes along an axis through its edges: exact for
//! corners in f32. Shells of a mesh are built separately. A place is solid if more outward shells than inward
//! shells enclose it. So solids may overlap or touch, have cavities, and pillars in those. Cost: a tree for
//! each shell, and its polygons cut by the trees of the others. Gives up: at edges that do not have the same
//! number of triangles in both directions.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use super::build::build;
use super::cells::pieces;
use super::error::BspError;
use super::node::{Child, Node};
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::Polygon;
use super::tree::{Bsp, power_above};
use crate::mesh::Mesh;

impl Bsp {
    /// The tree of a mesh that need not enclose anything: no leaf is solid, and none is cut. For casts
    /// ([`crate::world::MeshTree::with_bsp`]), which cut it as far as its triangles are worth.
    pub fn of_surface(mesh: &Mesh) -> Self {
        let reach = power_above(mesh.largest_coordinate().max(1.0));
        Self::of_parts(&PlaneSet::new(), Vec::new(), vec![false], Child::Leaf(0), reach)
    }

    /// The tree of what a closed mesh encloses, in lengths about the mesh's origin: all of its shells
    /// together, which may overlap. A shell must not pass through itself.
    ///
    /// # Errors
    /// Edges that are not shared by as many triangles one way as the other; polygons that cut each other into
    /// too many pieces.
    pub fn of_mesh(mesh: &Mesh) -> Result<Self, BspError> {
        let triangles: Vec<u32> = (0..mesh.triangle_count()).filter(|t| mesh.has_area(*t)).collect();
        let shells = shells(mesh, &triangles)?;
        let mut planes = PlaneSet::new();
        let mut polygons = |triangles: &[u32]| -> Vec<Polygon> {
            triangles.iter().filter_map(|triangle| polygon(&mut planes, mesh.corners(*triangle))).collect()
        };
        let shells = shells
            .iter()
            .map(|shell| Shell { polygons: polygons(shell), is_cavity: volume(mesh, shell) < 0.0 })
            .collect();
        let polygons = united(&mut planes, shells)?;
        Self::build(planes, polygons).map(Self::pruned)
    }
}

/// The triangles of a mesh that hang together by edges.
fn shells(mesh: &Mesh, triangles: &[u32]) -> Result<Vec<Vec<u32>>, BspError> {
    let around = |triangle: u32| {
        let [a, b, c] = mesh.triangles()[triangle as usize];
        [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)]
    };
    let mut edges: Vec<(Edge, u32)> = Vec::with_capacity(3 * triangles.len());
    for &triangle in triangles {
        edges.extend(around(triangle).map(|edge| (edge, triangle)));
    }
    edges.sort_unstable();
    let mut open = Vec::new();
    for both in edges.chunk_by(|(one, _), (other, _)| one.ends == other.ends) {
        let [low, high] = both[0].0.ends;
        let forward = both.partition_point(|(edge, _)| !edge.is_backward);
        match (2 * forward).cmp(&both.len()) {
            Ordering::Equal => {}
            Ordering::Less => open.push([high, low]),
            Ordering::Greater => open.push([low, high]),
        }
    }
    if let Some(first) = open.first() {
        let place =
            |vertex: u32| DVec3::from_array(mesh.vertices()[vertex as usize].map(f64::from)) + mesh.origin();
        return Err(BspError::NotClosed { edges: open.len(), first: first.map(place) });
    }
    let mut seen = vec![false; mesh.triangle_count() as usize];
    let mut shells = Vec::new();
    for &first in triangles {
        if core::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let mut shell = vec![first];
        let mut next = 0;
        while let Some(&triangle) = shell.get(next) {
            next += 1;
            for edge in around(triangle) {
                let back = edge.reversed();
                let start = edges.partition_point(|(other, _)| *other < back);
                for &(_, other) in edges[start..].iter().take_while(|(other, _)| *other == back) {
                    if !core::mem::replace(&mut seen[other as usize], true) {
                        shell.push(other);
                    }
                }
            }
        }
        shells.push(shell);
    }
    Ok(shells)
}

/// An edge in one direction, ordered by its vertices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    /// The lower number first.
    ends: [u32; 2],
    /// Whether it goes from the higher number to the lower.
    is_backward: bool,
}

impl Edge {
    fn new(from: u32, to: u32) -> Self {
        Self { ends: [from.min(to), from.max(to)], is_backward: from > to }
    }

    fn reversed(self) -> Self {
        Self { is_backward: !self.is_backward, ..self }
    }
}

/// Six times the volume that a shell encloses; negative if it faces in.
fn volume(mesh: &Mesh, shell: &[u32]) -> f64 {
    let Some(first) = shell.first() else { return 0.0 };
    let [origin, ..] = mesh.corners(*first);
    let tetrahedron = |triangle: &u32| {
        let [a, b, c] = mesh.corners(*triangle).map(|corner| corner - origin);
        a.dot(b.cross(c))
    };
    shell.iter().map(tetrahedron).sum()
}

/// A triangle; `None` if it has no area.
pub(super) fn polygon(planes: &mut PlaneSet, corners: [DVec3; 3]) -> Option<Polygon> {
    let plane = planes.insert_through(corners)?;
    let (normal, _) = planes.rounded(plane);
    let size = normal.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let mut edges = [plane; 3];
    for i in 0..3 {
        let (a, b, c) = (corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]);
        // Any other place on the line through b along the axis.
        let mut other = b;
        other[axis] = if b[axis] == 0.0 { 1.0 } else { 0.0 };
        let edge = planes.insert_through([a, b, other])?;
        edges[i] = if planes.side_of_point(c, edge) == Side::Front { edge.opposite() } else { edge };
    }
    Some(Polygon::triangle(plane, edges, [corners[1], corners[2], corners[0]]))
}

/// A closed surface.
struct Shell {
    polygons: Vec<Polygon>,
    /// Whether it faces in.
    is_cavity: bool,
}

/// The space inside one of the shells, as a tree by the planes of all of them.
struct Solid {
    nodes: Vec<Node>,
    /// Whether each leaf is solid.
    solid: Vec<bool>,
    is_cavity: bool,
    bounds: [DVec3; 2],
}

impl Solid {
    fn of(planes: &mut PlaneSet, shell: &Shell) -> Result<Self, BspError> {
        let facing_out =
            |polygon: &Polygon| if shell.is_cavity { polygon.flipped() } else { polygon.clone() };
        let (nodes, solid) = build(planes, shell.polygons.iter().map(facing_out).collect())?;
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let bounds = shell.polygons.iter().map(Polygon::bounds);
        let bounds = bounds.fold(none, |[low, high], [least, most]| [low.min(least), high.max(most)]);
        Ok(Self { nodes, solid, is_cavity: shell.is_cavity, bounds })
    }

    /// The pieces of a polygon on the side that `facing` faces, and whether each is in the solid.
    fn pieces(&self, planes: &PlaneSet, polygon: Polygon, facing: PlaneId) -> Vec<(Polygon, bool)> {
        let root = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        let pieces = pieces(planes, &self.nodes, polygon, root, facing);
        pieces.into_iter().map(|(polygon, leaf)| (polygon, self.solid[leaf as usize])).collect()
    }

    /// Whether a polygon lies outside by its bounds. Corners of a shell are exact, and rounding to the
    /// nearest keeps the order of others beside them.
    fn is_apart(&self, polygon: &Polygon) -> bool {
        let ([low, high], [least, most]) = (polygon.bounds(), self.bounds);
        low.cmpgt(most).any() || high.cmplt(least).any()
    }
}

/// A piece of a shell, with how many shells more face out than in around what is in front of it and behind.
struct Wound {
    polygon: Polygon,
    front: i32,
    back: i32,
}

/// The surface of what more shells enclose that face out than shells that face in.
fn united(planes: &mut PlaneSet, shells: Vec<Shell>) -> Result<Vec<Polygon>, BspError> {
    if let [Shell { is_cavity: false, .. }] = &shells[..] {
        return Ok(shells.into_iter().flat_map(|shell| shell.polygons).collect());
    }
    let solids: Vec<Solid> = shells.iter().map(|shell| Solid::of(planes, shell)).collect::<Result<_, _>>()?;
    let mut all = Vec::new();
    for (number, shell) in shells.into_iter().enumerate() {
        let (front, back) = if shell.is_cavity { (-1, 0) } else { (0, 1) };
        let mut left: Vec<Wound> =
            shell.polygons.into_iter().map(|polygon| Wound { polygon, front, back }).collect();
        for (other, solid) in solids.iter().enumerate().filter(|(other, _)| *other != number) {
            left = wound(planes, solid, left, number < other);
        }
        all.extend(left.into_iter().filter(|part| part.front <= 0 && part.back > 0).map(|part| part.polygon));
    }
    Ok(all)
}

/// The pieces by another shell. A face that both shells have, with the same orientation, is left out unless
/// it stays by rank.
fn wound(planes: &PlaneSet, solid: &Solid, parts: Vec<Wound>, keeps_shared: bool) -> Vec<Wound> {
    let mut found = Vec::new();
    let turn = if solid.is_cavity { -1 } else { 1 };
    for Wound { polygon, front, back } in parts {
        if solid.is_apart(&polygon) {
            found.push(Wound { polygon, front, back });
            continue;
        }
        let facing = polygon.plane();
        for (piece, outer) in solid.pieces(planes, polygon, facing) {
            for (polygon, inner) in solid.pieces(planes, piece, facing.opposite()) {
                let is_shared = if solid.is_cavity { outer && !inner } else { inner && !outer };
                if keeps_shared || !is_shared {
                    let (outer, inner) = (turn * i32::from(outer), turn * i32::from(inner));
                    found.push(Wound { polygon, front: front + outer, back: back + inner });
                }
            }
        }
    }
    found
}
