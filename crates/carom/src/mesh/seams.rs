//! Cracks: open edges that run along each other and do not meet. The rule is at [`Defects::seams`](super::Defects::seams).
//!
//! The ends of open edges go into a k-d tree (Bentley 1975, split at the median of the widest side); each edge asks it
//! for the ends nearer than the width. A tree of edges would do worse: boxes of long edges overlap, points do not.
//!
//! Cost: O(n log n) to build; an edge visits the nodes along it, few in a level and at worst about √n where the ends fill
//! a plane; then the pairs themselves, which are many only where edges crowd within one width of each other. Distances
//! are in f64 and off by a few ulp of the edge's length. Never gives up but at the number of seams to count.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::exact::is_on_segment;
use super::position;

/// Below this many points a node is not split.
const LEAF: usize = 8;

/// Pairs of open edges, named by their lower and higher vertex, that run along each other nearer than `width` and do not
/// meet; at most `most`.
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
    let mut points: Vec<Point> = (0..positions.len() as u32)
        .filter(|&vertex| !at_vertex.get(vertex).is_empty())
        .map(|vertex| Point { place: position(positions[vertex as usize]), vertex })
        .collect();
    let mut nodes = Vec::new();
    build(&mut nodes, &mut points, 0);

    let mut count = 0;
    let mut stack = Vec::new();
    for (f, edge) in edges.iter().enumerate() {
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node: &Node = &nodes[index];
            if node.is_beyond(edge, width) {
                continue;
            }
            if let Some(right) = node.right {
                stack.extend([right as usize, index + 1]);
                continue;
            }
            for point in &points[node.first..node.first + node.count] {
                if edge.vertices.contains(&point.vertex) || !edge.is_near(point.place, width) {
                    continue;
                }
                for &e in at_vertex.get(point.vertex) {
                    let e = e as usize;
                    let [first, second] = [&edges[e.min(f)], &edges[e.max(f)]];
                    if is_seam(first, second, width) && is_first_sign(first, second, point.vertex, width) {
                        count += 1;
                        if count == most {
                            return count;
                        }
                    }
                }
            }
        }
    }
    count
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
            // As a product, not by the foot of the perpendicular, which would round by an ulp of the coordinates.
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

/// Whether of all ends that are near the other edge the one at `vertex` is the first: so each pair is counted once.
/// The ends of the second edge come first, because they are found first, when the first edge asks.
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

struct Point {
    place: DVec3,
    vertex: u32,
}

/// The points from `first` on lie between `min` and `max`. The left child of an inner node comes next.
struct Node {
    min: DVec3,
    max: DVec3,
    first: usize,
    count: usize,
    right: Option<u32>,
}

impl Node {
    /// Whether an axis of the box, or one across it and the edge, keeps all points of the box farther from the edge than
    /// `width`. By rounding it may take some for nearer, but none for farther.
    fn is_beyond(&self, edge: &OpenEdge, width: f64) -> bool {
        // Everything below is off by less than 16 ulp of the largest coordinate in it.
        let [a, b] = edge.ends;
        let size = self.min.abs().max(self.max.abs()).max(a.abs()).max(b.abs()).max_element();
        let half_box =
            (self.max - self.min) * 0.5 + DVec3::splat(width + 16.0 * f64::EPSILON * (size + width));
        let half_edge = edge.along() * 0.5;
        let apart = (a + b) * 0.5 - (self.min + self.max) * 0.5;
        let reach = half_edge.abs();
        if apart.abs().cmpgt(half_box + reach).any() {
            return true;
        }
        // By component: across the edge and one axis, what keeps them apart and how far the box reaches.
        let gap = half_edge.cross(apart).abs();
        let extent = DVec3::new(
            half_box.y * reach.z + half_box.z * reach.y,
            half_box.z * reach.x + half_box.x * reach.z,
            half_box.x * reach.y + half_box.y * reach.x,
        );
        gap.cmpgt(extent).any()
    }
}

/// Sorts the points into a tree; `first` is the place of the first of them in the whole list. As deep as log₂ n.
fn build(nodes: &mut Vec<Node>, points: &mut [Point], first: usize) {
    let (min, max) = points
        .iter()
        .fold((points[0].place, points[0].place), |(min, max), p| (min.min(p.place), max.max(p.place)));
    let node = nodes.len();
    nodes.push(Node { min, max, first, count: points.len(), right: None });
    if points.len() <= LEAF {
        return;
    }
    let sides = max - min;
    let axis = (0..3).fold(0, |widest, axis| if sides[axis] > sides[widest] { axis } else { widest });
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |p, q| {
        p.place[axis].total_cmp(&q.place[axis]).then(p.vertex.cmp(&q.vertex))
    });
    let (left, right) = points.split_at_mut(middle);
    build(nodes, left, first);
    nodes[node].right = Some(nodes.len() as u32);
    build(nodes, right, first + middle);
}

#[cfg(test)]
mod tests {
    use super::super::inspect;

    /// Two unit squares in one plane, with the second moved by this from where it would continue the first along x.
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
