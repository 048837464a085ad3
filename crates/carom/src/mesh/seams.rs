//! Cracks: open edges that run along each other and do not meet. The rule is at
//! [`Defects::seams`](super::Defects::seams).
//!
//! The ends of open edges go into a tree of points; each edge asks it for the ends that are nearer than the
//! width. A tree of edges would do worse: boxes of long edges overlap, points do not.
//!
//! Cost: that of the queries (see the tree), and then of the pairs themselves, which are many only where
//! edges crowd within one width of each other. Distances are in f64 and off by a few ulp of the edge's
//! length. Gives up at `most`.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::data::position;
use super::points::Points;
use crate::num::orientation::is_on_segment;

/// Pairs of open edges, named by their lower and higher vertex, that run along each other nearer than `width`
/// and do not meet; at most `most`.
pub(super) fn count(positions: &[[f32; 3]], open: &[[u32; 2]], width: f64, most: usize) -> usize {
    // The shadow of a seam is longer than the width, so its edges are.
    let edges: Vec<OpenEdge> = open
        .iter()
        .map(|&vertices| OpenEdge { vertices, ends: vertices.map(|v| position(positions[v as usize])) })
        .filter(|edge| edge.along().length_squared() > width * width)
        .collect();
    if edges.is_empty() || width == 0.0 {
        return 0;
    }
    let at_vertex = EdgesAt::new(positions.len(), &edges);
    let ends = (0..positions.len() as u32).filter(|&vertex| !at_vertex.get(vertex).is_empty());
    let points = Points::new(ends.map(|vertex| (positions[vertex as usize], vertex)).collect());
    let search = Search { edges: &edges, at_vertex: &at_vertex, points: &points, width };
    sum_up_to(most, edges.len(), |f| search.seams_found_from(f))
}

/// The sum for all indices below `count`, or `most` if it is more.
#[cfg(not(feature = "parallel"))]
fn sum_up_to(most: usize, count: usize, of: impl Fn(usize) -> usize) -> usize {
    let mut sum = 0;
    for index in 0..count {
        sum += of(index);
        if sum >= most {
            return most;
        }
    }
    sum
}

/// The sum for all indices below `count`, or `most` if it is more: whichever indices come first.
#[cfg(feature = "parallel")]
fn sum_up_to(most: usize, count: usize, of: impl Fn(usize) -> usize + Sync) -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

    let sum = AtomicUsize::new(0);
    (0..count).into_par_iter().for_each(|index| {
        if sum.load(Relaxed) < most {
            sum.fetch_add(of(index), Relaxed);
        }
    });
    sum.into_inner().min(most)
}

struct Search<'a> {
    edges: &'a [OpenEdge],
    at_vertex: &'a EdgesAt,
    points: &'a Points,
    width: f64,
}

impl Search<'_> {
    /// The seams of edge `f` with others of which an end near `f` is the first sign.
    fn seams_found_from(&self, f: usize) -> usize {
        let edge = &self.edges[f];
        let mut seams = 0;
        self.points.for_each_along(edge.ends, self.width, |place, vertex| {
            if edge.vertices.contains(&vertex) || !edge.is_near(place, self.width) {
                return;
            }
            for &e in self.at_vertex.get(vertex) {
                let e = e as usize;
                let [first, second] = [&self.edges[e.min(f)], &self.edges[e.max(f)]];
                let counts =
                    is_seam(first, second, self.width) && is_first_sign(first, second, vertex, self.width);
                seams += usize::from(counts);
            }
        });
        seams
    }
}

struct OpenEdge {
    vertices: [u32; 2],
    ends: [DVec3; 2],
}

impl OpenEdge {
    fn along(&self) -> DVec3 {
        self.ends[1] - self.ends[0]
    }

    /// Whether a point is nearer than `width`. The edge has a length.
    fn is_near(&self, point: DVec3, width: f64) -> bool {
        let [a, b] = self.ends;
        let along = b - a;
        let reach = (point - a).dot(along);
        let length_squared = along.length_squared();
        if reach <= 0.0 {
            (point - a).length_squared() < width * width
        } else if reach >= length_squared {
            (point - b).length_squared() < width * width
        } else {
            // As a product, not by the foot of the perpendicular, which would round by an ulp of the
            // coordinates.
            (point - a).cross(along).length_squared() < width * width * length_squared
        }
    }

    fn shares_a_vertex(&self, other: &Self) -> bool {
        self.vertices.iter().any(|vertex| other.vertices.contains(vertex))
    }

    fn is_met_by_an_end(&self, other: &Self) -> bool {
        other.ends.iter().any(|&end| is_on_segment(end, self.ends[0], self.ends[1]))
    }
}

/// Whether of all ends that are near the other edge the one at `vertex` is the first: so each pair is counted
/// once. The ends of the second edge come first, because they are found first, when the first edge asks.
fn is_first_sign(first: &OpenEdge, second: &OpenEdge, vertex: u32, width: f64) -> bool {
    let near = |of: &OpenEdge, other: &OpenEdge| {
        (0..2).find(|&i| other.is_near(of.ends[i], width)).map(|i| of.vertices[i])
    };
    near(second, first).or_else(|| near(first, second)) == Some(vertex)
}

/// The rule, for two edges that are near each other, in their order.
fn is_seam(first: &OpenEdge, second: &OpenEdge, width: f64) -> bool {
    if first.shares_a_vertex(second) {
        return false;
    }
    let (u, v) = (first.along(), second.along());
    let sizes = (u.length_squared(), v.length_squared());
    if 16.0 * u.cross(v).length_squared() > sizes.0 * sizes.1 {
        return false;
    }
    let (longer, shorter) = if sizes.0 >= sizes.1 { (first, second) } else { (second, first) };
    let along = longer.along();
    let length_squared = along.length_squared();
    let [p, q] = shorter.ends.map(|end| (end - longer.ends[0]).dot(along).clamp(0.0, length_squared));
    let shadow = (p - q).abs();
    shadow * shadow > width * width * length_squared
        && !first.is_met_by_an_end(second)
        && !second.is_met_by_an_end(first)
}

/// For each vertex the edges that end there.
struct EdgesAt {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl EdgesAt {
    fn new(vertices: usize, edges: &[OpenEdge]) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for vertex in edges.iter().flat_map(|edge| edge.vertices) {
            starts[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[vertices] as usize];
        for (edge, index) in edges.iter().zip(0u32..) {
            for vertex in edge.vertices {
                let next = &mut next[vertex as usize];
                list[*next as usize] = index;
                *next += 1;
            }
        }
        Self { starts, edges: list }
    }

    fn get(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.edges[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::inspect;

    /// Two unit squares in one plane, with the second moved by this from where it would continue the first
    /// along x.
    fn squares(by: [f32; 3], width: f64) -> usize {
        let corner = |x: f32, y: f32| [x, y, 0.0];
        let moved = |x: f32, y: f32| [1.0 + x + by[0], y + by[1], by[2]];
        let vertices = [
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
            moved(0.0, 0.0),
            moved(1.0, 0.0),
            moved(1.0, 1.0),
            moved(0.0, 1.0),
        ];
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        inspect(&vertices, &triangles, Some(width)).unwrap().defects.seams
    }

    const GAP: f32 = 1.0 / (1 << 10) as f32;
    const WIDER: f64 = 1.5 / (1 << 10) as f64;

    #[test]
    fn a_crack_between_two_squares_is_one_seam() {
        for by in [[GAP, 0.0, 0.0], [-GAP, 0.0, 0.0], [0.0, 0.0, GAP], [GAP, 0.5, 0.0], [0.0, -0.5, -GAP]] {
            assert_eq!(squares(by, WIDER), 1, "{by:?}");
            assert_eq!(squares(by, f64::from(GAP)), 0, "{by:?}: as wide as the width is not nearer");
        }
    }

    #[test]
    fn edges_that_meet_are_no_seam() {
        assert_eq!(squares([0.0; 3], WIDER), 0);
        assert_eq!(squares([0.0, 0.5, 0.0], WIDER), 0, "a corner on the edge of the other");
    }

    #[test]
    fn ends_that_stop_short_of_each_other_are_no_seam() {
        assert_eq!(squares([GAP, 1.0 - GAP, 0.0], WIDER), 0, "the shadows are no longer than the width");
        assert_eq!(squares([GAP, 1.0 - 4.0 * GAP, 0.0], WIDER), 1);
        assert_eq!(squares([GAP, 1.0 + GAP, 0.0], WIDER), 0, "corner to corner");
    }

    #[test]
    fn a_corner_beside_a_long_edge_makes_a_seam_with_each_edge_along_it() {
        let vertices = [
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [2.0, 4.0, 0.0],
            [0.5, -GAP, 0.0],
            [2.0, -GAP, 0.0],
            [3.5, -GAP, 0.0],
            [2.0, -3.0, 0.0],
        ];
        let seams = |width| {
            inspect(&vertices, &[[0, 1, 2], [6, 4, 3], [6, 5, 4]], Some(width)).unwrap().defects.seams
        };
        assert_eq!([seams(WIDER), seams(0.5 * WIDER), seams(0.0)], [2, 0, 0]);
    }

    #[test]
    fn the_default_width_is_a_millionth_of_the_largest_side() {
        let seams = |gap: f32| {
            let vertices = [
                [0.0, 0.0, 0.0],
                [1000.0, 0.0, 0.0],
                [500.0, 300.0, 0.0],
                [0.0, -gap, 0.0],
                [1000.0, -gap, 0.0],
                [500.0, -300.0, 0.0],
            ];
            inspect(&vertices, &[[0, 1, 2], [3, 5, 4]], None).unwrap().defects.seams
        };
        assert_eq!([seams(0.9e-3), seams(1.1e-3)], [1, 0]);
    }

    #[test]
    fn crowds_stay_cheap() {
        // A far vertex makes the default width larger than the rest of the level.
        let mut vertices: Vec<[f32; 3]> = vec![[f32::MAX, -f32::MAX, f32::MAX]];
        let mut triangles = vec![];
        // Spikes around a common tip, open on both sides; and the same around tips that all but coincide.
        for i in 0..20_000u16 {
            let [x, y] = [f32::from(i % 141), f32::from(i / 141)];
            let tip = vertices.len() as u32;
            vertices.extend([[0.0; 3], [x - 70.0, y - 70.0, 1e3], [x - 70.3, y - 70.0, 1e3]]);
            triangles.push([tip, tip + 1, tip + 2]);
        }
        triangles.push([0, 1, 2]);
        assert_eq!(inspect(&vertices, &triangles, None).unwrap().defects.seams, 0);
        assert_eq!(inspect(&vertices, &triangles, Some(1e-3)).unwrap().defects.seams, 0);
        for (i, vertex) in vertices.iter_mut().enumerate().filter(|(i, _)| i % 3 == 1) {
            *vertex = [i as f32 * 1e-9, 0.0, 0.0];
        }
        assert_eq!(
            inspect(&vertices, &triangles, Some(1e-3)).unwrap().defects.seams,
            super::super::Defects::MOST_SEAMS
        );
    }
}
