//! Which triangles are adjacent, and how.
//!
//! It is small: one byte for each triangle, and for each vertex the list of its triangles (about 14 bytes per
//! triangle). The triangle across an edge is not stored, but looked up in the shorter list of its two ends.
//! Triangles without area are in no list and across no edge.
//!
//! Cost: O(n log n) to build, for any input; a query takes time in proportion to the triangles at a vertex.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::data::position;
use super::edges::{Edge, Edges, HalfEdge, ends};
use super::fold::{Fold, fold};
use crate::num::orientation::has_area;

/// How a triangle's edge appears from its front, from where its corners are seen counter-clockwise.
///
/// It is a property of the triangle, not of the edge alone: neighbors with opposite windings are still
/// neighbors, but look at their edge from opposite sides, so that what is convex for one is concave for the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeClass {
    /// No other triangle has this edge. So it is where triangles without area are between two others, and for
    /// all edges of such triangles themselves: they have no neighbors.
    Open,
    /// Two or more other triangles have this edge, and none continues this one in its plane.
    NonManifold,
    /// A triangle across the edge continues this one in the same plane, up to the rounding of f64: nothing
    /// can touch the edge before a face. Even where further triangles have the edge.
    Flat,
    /// The one neighbor lies behind, or in the plane but folded back. Also where movers in front of this
    /// triangle pass through the neighbor, because it is one-sided and wound the other way; and where the
    /// neighbor continues this one, but is one-sided and this one is not.
    Convex,
    /// The one neighbor rises in front.
    Concave,
}

/// An edge of more triangles than this counts as sharp for all of them: this limits the work to a multiple of
/// the triangles.
const MOST_PAGES: usize = 16;

// Two bits for each edge, from the lowest: edge 0, 1, 2.
const FLAT: u8 = 0;
const CONVEX: u8 = 1;
const CONCAVE: u8 = 2;
/// Open or non-manifold: a search distinguishes them.
const BORDER: u8 = 3;
/// All three edges are open. No code for edges, because it has bits above them.
const NO_AREA: u8 = 0b111_1111;

#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    /// For each triangle the codes of its edges.
    codes: Vec<u8>,
    /// For each vertex, the start of its triangles in `ring`; and the end of all.
    ring_starts: Vec<u32>,
    ring: Vec<u32>,
}

impl Adjacency {
    pub(super) fn new(
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
        one_sided: impl Fn(u32) -> bool,
    ) -> Self {
        let place = |vertex: u32| position(vertices[vertex as usize]);
        let mut codes: Vec<u8> = triangles
            .iter()
            .map(
                |corners| {
                    if has_area(corners.map(place)) { BORDER | BORDER << 2 | BORDER << 4 } else { NO_AREA }
                },
            )
            .collect();
        let edges = Edges::new(vertices.len(), triangles, |triangle| codes[triangle as usize] != NO_AREA);
        let meeting = Meeting { triangles, place: &place, one_sided: &one_sided };
        for edge in edges.iter() {
            for (i, &half_edge) in edge.half_edges.iter().enumerate() {
                let code = meeting.code(&edge, i);
                let shift = 2 * half_edge.edge();
                codes[half_edge.triangle() as usize] &= !((BORDER ^ code) << shift);
            }
        }
        let (ring_starts, ring) = rings(vertices.len(), triangles, &codes);
        Self { codes, ring_starts, ring }
    }

    pub(super) fn has_area(&self, triangle: u32) -> bool {
        self.codes[triangle as usize] != NO_AREA
    }

    /// The bytes that it uses on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.codes.capacity() + 4 * (self.ring_starts.capacity() + self.ring.capacity())
    }

    /// Bit `i`: edge `i` is not flat.
    pub(super) fn active_edges(&self, triangle: u32) -> u8 {
        let codes = self.codes[triangle as usize];
        let any = codes | codes >> 1;
        any & 1 | any >> 1 & 2 | any >> 2 & 4
    }

    pub(super) fn class(&self, triangles: &[[u32; 3]], triangle: u32, edge: u32) -> EdgeClass {
        match self.codes[triangle as usize] >> (2 * edge) & BORDER {
            FLAT => EdgeClass::Flat,
            CONVEX => EdgeClass::Convex,
            CONCAVE => EdgeClass::Concave,
            _ => match self.others(triangles, triangle, edge).next() {
                Some(_) => EdgeClass::NonManifold,
                None => EdgeClass::Open,
            },
        }
    }

    /// The one other triangle that has this edge.
    pub(super) fn neighbor(&self, triangles: &[[u32; 3]], triangle: u32, edge: u32) -> Option<u32> {
        let mut others = self.others(triangles, triangle, edge);
        others.next().filter(|_| others.next().is_none())
    }

    /// The other triangles that have this edge, ascending; `None` for a triangle without area.
    fn others<'a>(
        &'a self,
        triangles: &'a [[u32; 3]],
        triangle: u32,
        edge: u32,
    ) -> impl Iterator<Item = u32> + 'a {
        let [a, b] = ends(triangles[triangle as usize], edge);
        let has_area = self.has_area(triangle);
        self.with_both(triangles, a, b).filter(move |&other| has_area && other != triangle)
    }

    /// The triangles with area at a vertex, ascending.
    pub(super) fn at_vertex(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.ring[self.ring_starts[vertex] as usize..self.ring_starts[vertex + 1] as usize]
    }

    /// The triangles with area that have both vertices, ascending.
    pub(super) fn with_both<'a>(
        &'a self,
        triangles: &'a [[u32; 3]],
        a: u32,
        b: u32,
    ) -> impl Iterator<Item = u32> + Clone + 'a {
        let [ring_a, ring_b] = [self.at_vertex(a), self.at_vertex(b)];
        let (shorter, other_end) = if ring_a.len() <= ring_b.len() { (ring_a, b) } else { (ring_b, a) };
        shorter.iter().copied().filter(move |&triangle| triangles[triangle as usize].contains(&other_end))
    }
}

/// For each vertex the triangles with area that have it: the starts of the lists, and the lists.
fn rings(vertices: usize, triangles: &[[u32; 3]], codes: &[u8]) -> (Vec<u32>, Vec<u32>) {
    let corners = || {
        (0u32..)
            .zip(triangles)
            .filter(|(triangle, _)| codes[*triangle as usize] != NO_AREA)
            .flat_map(|(triangle, corners)| corners.iter().map(move |&vertex| (triangle, vertex)))
    };
    let mut starts = vec![0u32; vertices + 1];
    for (_, vertex) in corners() {
        starts[vertex as usize] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    // Filled from behind, each start moves down to its place.
    let mut ring = vec![0; end as usize];
    for (triangle, corners) in (0..triangles.len() as u32).zip(triangles).rev() {
        if codes[triangle as usize] != NO_AREA {
            for &vertex in corners {
                let start = &mut starts[vertex as usize];
                *start -= 1;
                ring[*start as usize] = triangle;
            }
        }
    }
    (starts, ring)
}

/// The triangles at an edge, seen from one of them.
struct Meeting<'a, Place, OneSided> {
    triangles: &'a [[u32; 3]],
    place: &'a Place,
    one_sided: &'a OneSided,
}

impl<Place: Fn(u32) -> DVec3, OneSided: Fn(u32) -> bool> Meeting<'_, Place, OneSided> {
    /// The code of the edge for the `i`th triangle that has it.
    fn code(&self, edge: &Edge<'_>, i: usize) -> u8 {
        let half_edge = edge.half_edges[i];
        let mut others = edge.half_edges.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| *other);
        match edge.half_edges.len() {
            2 => others.next().map_or(BORDER, |other| self.pair(edge, half_edge, other)),
            3..=MOST_PAGES if others.any(|other| self.pair(edge, half_edge, other) == FLAT) => FLAT,
            _ => BORDER,
        }
    }

    /// The code of the edge for the triangle of `half_edge`, as if only the one of `other` were there too.
    fn pair(&self, edge: &Edge<'_>, half_edge: HalfEdge, other: HalfEdge) -> u8 {
        let runs_upward = |half_edge: HalfEdge| self.ends(half_edge)[0] == edge.low;
        let consistent = runs_upward(half_edge) != runs_upward(other);
        let [here, there] = [half_edge, other].map(|half_edge| (self.one_sided)(half_edge.triangle()));
        if there && !consistent {
            return CONVEX;
        }
        let far = |half_edge: HalfEdge| (self.place)(self.far_corner(half_edge));
        let seen = fold((self.place)(edge.low), (self.place)(edge.high), far(half_edge), far(other));
        match if runs_upward(half_edge) { seen } else { seen.reversed() } {
            Fold::Flat if !there || here => FLAT,
            Fold::Front => CONCAVE,
            _ => CONVEX,
        }
    }

    fn ends(&self, half_edge: HalfEdge) -> [u32; 2] {
        ends(self.triangles[half_edge.triangle() as usize], half_edge.edge())
    }

    fn far_corner(&self, half_edge: HalfEdge) -> u32 {
        self.triangles[half_edge.triangle() as usize][(half_edge.edge() as usize + 2) % 3]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Mesh, MeshData, Surface};
    use super::EdgeClass::{Concave, Convex, Flat, NonManifold, Open};
    use super::*;
    use crate::sweep::Feature;

    /// The unit square at height 0, front up, in two triangles with their diagonal as edge 0 of both, and
    /// what is added.
    fn floor(more: &[[f32; 3]], triangles: &[[u32; 3]]) -> Mesh {
        let mut vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        vertices.extend_from_slice(more);
        let triangles = [&[[2, 0, 1], [0, 2, 3]], triangles].concat();
        Mesh::from_triangles(vertices, triangles).unwrap()
    }

    #[test]
    fn a_square_has_a_flat_diagonal_and_four_open_sides() {
        let mesh = floor(&[], &[]);
        for triangle in [0, 1] {
            assert_eq!([0, 1, 2].map(|edge| mesh.edge_class(triangle, edge)), [Flat, Open, Open]);
            assert_eq!([0, 1, 2].map(|edge| mesh.neighbor(triangle, edge)), [Some(1 - triangle), None, None]);
            assert_eq!(mesh.active_edges(triangle), 0b110);
        }
    }

    #[test]
    fn a_wall_is_concave_and_a_drop_convex_from_the_front_of_each() {
        // A wall that rises from the side y = 0 … and one that falls from x = 1, both wound like the floor.
        let mesh = floor(&[[0.0, 0.0, 1.0], [1.0, 1.0, -1.0]], &[[1, 0, 4], [2, 1, 5]]);
        assert_eq!(mesh.edge_class(0, 1), Concave);
        assert_eq!(mesh.edge_class(2, 0), Concave);
        assert_eq!(mesh.edge_class(0, 2), Convex);
        assert_eq!(mesh.edge_class(3, 0), Convex);
        assert_eq!(mesh.neighbor(0, 1), Some(2));
        assert_eq!(mesh.neighbor(3, 0), Some(0));
    }

    #[test]
    fn a_neighbor_wound_the_other_way_is_still_a_neighbor() {
        let mesh = floor(&[[0.0, 0.0, 1.0], [1.0, -1.0, 0.0]], &[[0, 1, 4]]);
        assert_eq!(mesh.edge_class(0, 1), Concave);
        // The wall's front looks away from the floor.
        assert_eq!(mesh.edge_class(2, 0), Convex);
        assert_eq!(mesh.neighbor(2, 0), Some(0));

        let level = floor(&[[1.0, -1.0, 0.0]], &[[0, 1, 4]]);
        assert_eq!([level.edge_class(0, 1), level.edge_class(2, 0)], [Flat, Flat]);
    }

    #[test]
    fn a_fold_by_half_a_turn_is_not_flat() {
        let mesh = floor(&[[0.5, 0.5, 0.0]], &[[0, 1, 4]]);
        assert_eq!([mesh.edge_class(0, 1), mesh.edge_class(2, 0)], [Convex, Convex]);
        let doubled = Mesh::from_triangles(
            vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            vec![[0, 1, 2], [1, 2, 0]],
        );
        assert_eq!(doubled.unwrap().edge_class(0, 0), Convex);
    }

    #[test]
    fn a_wall_on_an_inner_edge_leaves_the_floor_flat() {
        let mesh = floor(&[[0.0, 0.0, 1.0]], &[[0, 2, 4]]);
        assert_eq!([mesh.edge_class(0, 0), mesh.edge_class(1, 0)], [Flat, Flat]);
        assert_eq!(mesh.edge_class(2, 0), NonManifold);
        assert_eq!([0, 1, 2].map(|triangle| mesh.neighbor(triangle, 0)), [None; 3]);
        assert_eq!([0, 1, 2].map(|triangle| mesh.active_edges(triangle)), [0b110, 0b110, 0b111]);
    }

    #[test]
    fn a_doubled_floor_is_flat_inside_and_sharp_at_its_border() {
        let mesh = floor(&[], &[[1, 0, 2], [2, 0, 3]]);
        for triangle in 0..4 {
            let classes = [0, 1, 2].map(|edge| mesh.edge_class(triangle, edge));
            assert_eq!(classes.iter().filter(|&&class| class == Flat).count(), 1, "{classes:?}");
            assert_eq!(classes.iter().filter(|&&class| class == Convex).count(), 2, "{classes:?}");
        }
    }

    #[test]
    fn a_thick_book_has_no_flat_page() {
        let pages = |count: u32| {
            let mut vertices = vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
            let mut triangles = vec![[0, 1, 2], [0, 1, 3]];
            for i in 2..count {
                vertices.push([i as f32, 1.0, 0.0]);
                triangles.push([0, 1, i + 2]);
            }
            Mesh::from_triangles(vertices, triangles).unwrap()
        };
        assert_eq!(pages(16).edge_class(0, 0), Flat);
        assert_eq!(pages(16).edge_class(2, 0), NonManifold);
        assert_eq!(pages(17).edge_class(0, 0), NonManifold);
    }

    #[test]
    fn triangles_without_area_are_nobodys_neighbors() {
        // A sliver without area fills the seam between two triangles: to the naked eye one square.
        let mesh = Mesh::from_triangles(
            vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0], [1.0, 1.0, 0.0]],
            vec![[0, 1, 2], [1, 3, 2], [1, 4, 2], [0, 0, 1], [4, 4, 4]],
        )
        .unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|i| mesh.has_area(i)), [true, false, true, false, false]);
        assert_eq!(mesh.edge_class(0, 1), Flat);
        assert_eq!(mesh.neighbor(0, 1), Some(2));
        for triangle in [1, 3, 4] {
            assert_eq!([0, 1, 2].map(|edge| mesh.edge_class(triangle, edge)), [Open; 3]);
            assert_eq!([0, 1, 2].map(|edge| mesh.neighbor(triangle, edge)), [None; 3]);
            assert_eq!(mesh.active_edges(triangle), 0b111);
        }
    }

    #[test]
    fn faces_that_cannot_be_felt_leave_edges_sharp() {
        let square = |sided: [bool; 2], triangles: [[u32; 3]; 2]| {
            let surface = |one_sided| Surface { one_sided, ..Surface::default() };
            let mesh = Mesh::new(MeshData {
                vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
                triangles: triangles.to_vec(),
                surfaces: sided.map(surface).to_vec(),
                surface_ids: vec![0, 1],
                ..MeshData::default()
            })
            .unwrap();
            [0, 1].map(|triangle| mesh.edge_class(triangle, 0))
        };
        let [same, opposite] = [[[2, 0, 1], [0, 2, 3]], [[2, 0, 1], [2, 0, 3]]];
        assert_eq!(square([true, true], same), [Flat, Flat]);
        assert_eq!(square([true, true], opposite), [Convex, Convex]);
        assert_eq!(square([false, false], opposite), [Flat, Flat]);
        // From below the two-sided one ends in the air; from above nothing changes.
        assert_eq!(square([false, true], same), [Convex, Flat]);
        assert_eq!(square([false, true], opposite), [Convex, Flat]);
    }

    #[test]
    fn all_surfaces_at_a_feature_are_found_whatever_joins_them() {
        // Two triangles of different planes that touch in one corner only.
        let mesh = floor(&[[0.0, -1.0, 0.0], [0.0, 0.0, -1.0]], &[[0, 4, 5]]);
        let at = |triangle, feature| mesh.triangles_at(triangle, feature).collect::<Vec<_>>();
        assert_eq!(at(2, Feature::Vertex(0)), [0, 1, 2]);
        assert_eq!(at(1, Feature::Edge(0)), [0, 1]);
        assert_eq!(at(2, Feature::Edge(0)), [2]);
        assert_eq!(at(1, Feature::Face), [1]);
        assert_eq!(*mesh.feature_normals(2, Feature::Vertex(0)), [DVec3::Z, DVec3::X]);
        assert_eq!(*mesh.feature_normals(0, Feature::Edge(0)), [DVec3::Z]);
    }

    #[test]
    fn a_triangle_without_area_rests_on_the_surfaces_at_its_corners() {
        let mesh = floor(&[], &[[0, 0, 2], [3, 3, 3]]);
        assert_eq!(mesh.feature_normals(2, Feature::Face).len(), 0);
        assert_eq!(mesh.triangles_at(2, Feature::Edge(1)).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(mesh.triangles_at(2, Feature::Edge(0)).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(mesh.triangles_at(3, Feature::Vertex(2)).collect::<Vec<_>>(), [1]);
    }
}
