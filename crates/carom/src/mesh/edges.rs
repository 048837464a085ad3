//! Which triangles share which edge.
//!
//! Every half-edge, a side of one triangle, is filed under the lower of its two vertices, and each file is
//! sorted by the higher one. O(n log n) for any input, O(n) for common ones; edges and their half-edges come
//! in ascending order whatever the machine.

use alloc::vec;
use alloc::vec::Vec;

/// A half-edge, the side of one triangle: edge `i` runs from corner `i` to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HalfEdge {
    /// The higher vertex and then three times the triangle plus the edge: one number to sort by.
    bits: u64,
}

impl HalfEdge {
    fn new(high: u32, triangle: u32, edge: u32) -> Self {
        Self { bits: u64::from(high) << 32 | u64::from(3 * triangle + edge) }
    }

    fn high(self) -> u32 {
        (self.bits >> 32) as u32
    }

    pub(super) fn triangle(self) -> u32 {
        self.bits as u32 / 3
    }

    pub(super) fn edge(self) -> u32 {
        self.bits as u32 % 3
    }
}

/// Two vertices and all half-edges between them.
pub(super) struct Edge<'a> {
    pub(super) low: u32,
    pub(super) high: u32,
    /// Ascending by triangle.
    pub(super) half_edges: &'a [HalfEdge],
}

/// The vertices of edge `edge` of a triangle, the way that it runs.
#[inline]
pub(super) fn ends(corners: [u32; 3], edge: u32) -> [u32; 2] {
    match edge {
        0 => [corners[0], corners[1]],
        1 => [corners[1], corners[2]],
        _ => [corners[2], corners[0]],
    }
}

/// All edges of the triangles that take part, sorted.
pub(super) struct Edges {
    /// For each vertex, where the half-edges begin of which it is the lower one; and the end of all.
    starts: Vec<u32>,
    half_edges: Vec<HalfEdge>,
}

impl Edges {
    /// Triangles that take part have three different corners below `vertices`.
    pub(super) fn new(vertices: usize, triangles: &[[u32; 3]], takes_part: impl Fn(u32) -> bool) -> Self {
        let all = || {
            (0u32..).zip(triangles).filter(|(triangle, _)| takes_part(*triangle)).flat_map(
                |(triangle, &corners)| {
                    (0..3).map(move |edge| {
                        let [from, to] = ends(corners, edge);
                        (from.min(to), HalfEdge::new(from.max(to), triangle, edge))
                    })
                },
            )
        };
        let mut starts = vec![0u32; vertices + 1];
        for (low, _) in all() {
            starts[low as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut half_edges = vec![HalfEdge { bits: 0 }; starts[vertices] as usize];
        let mut next = starts.clone();
        for (low, half_edge) in all() {
            let next = &mut next[low as usize];
            half_edges[*next as usize] = half_edge;
            *next += 1;
        }
        for range in starts.windows(2) {
            half_edges[range[0] as usize..range[1] as usize].sort_unstable();
        }
        Self { starts, half_edges }
    }

    /// The edges, ascending by their lower and then their higher vertex.
    pub(super) fn iter(&self) -> impl Iterator<Item = Edge<'_>> {
        (0u32..).zip(self.starts.windows(2)).flat_map(|(low, range)| {
            self.half_edges[range[0] as usize..range[1] as usize]
                .chunk_by(|a, b| a.high() == b.high())
                .map(move |half_edges| Edge { low, high: half_edges[0].high(), half_edges })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_edge_has_the_sides_of_all_its_triangles() {
        let triangles = [[0, 1, 2], [2, 1, 3], [7, 7, 7], [4, 2, 1]];
        let edges = Edges::new(8, &triangles, |triangle| triangle != 2);
        let found: Vec<_> = edges
            .iter()
            .map(|edge| {
                let half_edges = edge
                    .half_edges
                    .iter()
                    .map(|half_edge| (half_edge.triangle(), half_edge.edge()))
                    .collect::<Vec<_>>();
                (edge.low, edge.high, half_edges)
            })
            .collect();
        assert_eq!(
            found,
            [
                (0, 1, vec![(0, 0)]),
                (0, 2, vec![(0, 2)]),
                (1, 2, vec![(0, 1), (1, 0), (3, 1)]),
                (1, 3, vec![(1, 1)]),
                (1, 4, vec![(3, 2)]),
                (2, 3, vec![(1, 2)]),
                (2, 4, vec![(3, 0)]),
            ]
        );
    }
}
