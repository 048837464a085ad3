//! Counts the defects of a triangle list.
//!
//! Everything is counted on distinct positions sorted by value, so neither the order of triangles and
//! vertices nor the scale of the scene changes a count. O(n log n), except for seams (see there).

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::check::{check_count, used_vertices};
use super::data::position;
use super::edges::{Edges, HalfEdge, ends};
use super::guess::{Guess, Unit, UpAxis};
use super::weld::{Sorted, canonical};
use super::{MeshError, bounds, seams};
use crate::num::orientation::has_area;
use crate::shape::Aabb;

/// The result of [`inspect`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The number of triangles, in any state.
    pub triangles: usize,
    /// The number of different positions that triangles use, without triangles that have a corner that is not
    /// finite.
    pub vertices: usize,
    /// The box of these positions; `None` if there are none.
    pub bounds: Option<Aabb>,
    /// The axis that is probably up.
    pub up: UpAxis,
    /// The unit that the coordinates are probably in.
    pub unit: Unit,
    /// Whether the triangles enclose a volume: there is at least one, and each edge has exactly two
    /// triangles, which run along it in opposite directions. Triangles without area or with a corner that is
    /// not finite do not count.
    pub watertight: bool,
    /// The defects.
    pub defects: Defects,
}

/// Defects, counted after welding equal positions (−0 is 0).
///
/// Triangles with a corner that is not finite count only in the first number. Triangles without area do not
/// count in the numbers about edges. Duplicates do: an edge of a duplicate triangle is used twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Defects {
    /// Vertices, used or not, with a coordinate that is NaN or infinite.
    pub non_finite: usize,
    /// Triangles without area: two corners equal, or all on one line. Decided exactly.
    pub degenerate: usize,
    /// Triangles with the same three corners as an earlier one, in any order.
    pub duplicate: usize,
    /// Triangles with area whose height over their longest edge is below 0.1 % of it.
    pub sliver: usize,
    /// Edges of more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges of only one triangle.
    pub open_edges: usize,
    /// Pairs of open edges that run along each other, nearer than the given width, and do not meet.
    ///
    /// - *Nearer*: an end of one is less than the width away from the other.
    /// - *Along*: the angle between them is at most 14.5° (its sine at most ¼), and the shadow of the shorter
    ///   on the longer is longer than the width. So edges that cross, or that stop short of each other end to
    ///   end, are none.
    /// - *Meet*: they share a vertex, or an end of one is a point of the other, exactly.
    ///
    /// Counting stops at [`Defects::MOST_SEAMS`].
    pub seams: usize,
}

impl Defects {
    /// The most seams that are counted: edges that crowd within one width of each other make quadratically
    /// many.
    pub const MOST_SEAMS: usize = 1_000_000;
}

/// Counts the defects of a triangle list as in a file. Only an index out of range is an error.
///
/// `seam` is the width below which a gap between open edges is a defect, in the unit of the vertices. The
/// default is a millionth of the largest side of the bounds.
///
/// # Errors
/// A triangle names a missing vertex, a seam width is negative or not finite, or there are more triangles
/// than a mesh can hold.
pub fn inspect(
    vertices: &[[f32; 3]],
    triangles: &[[u32; 3]],
    seam: Option<f64>,
) -> Result<Report, MeshError> {
    check_count(triangles.len())?;
    if let Some(width) = seam.filter(|width| !(*width >= 0.0 && width.is_finite())) {
        return Err(MeshError::SeamWidth(width));
    }
    used_vertices(vertices.len(), triangles)?;
    let mut defects = Defects {
        non_finite: vertices.iter().filter(|&&vertex| !is_finite(vertex)).count(),
        ..Defects::default()
    };

    let (positions, faces) = number_by_value(vertices, triangles);
    let place = |vertex: u32| position(positions[vertex as usize]);
    let bounds = bounds(&positions);
    let mut guess = Guess::default();
    for group in sorted_corners(&faces).chunk_by(|a, b| a == b) {
        defects.duplicate += group.len() - 1;
        let corners = group[0].map(place);
        if !has_area(corners) {
            defects.degenerate += group.len();
            continue;
        }
        let (area, sliver) = measure(corners);
        defects.sliver += if sliver { group.len() } else { 0 };
        guess.add(area * group.len() as f64);
    }
    let up = guess.up(bounds);
    let unit = guess.unit(&positions, bounds, up);

    let takes_part: Vec<bool> = faces.iter().map(|corners| has_area(corners.map(place))).collect();
    let edges = Edges::new(positions.len(), &faces, |face| takes_part[face as usize]);
    let mut open = Vec::new();
    let mut closed = true;
    let mut any = false;
    for edge in edges.iter() {
        any = true;
        match *edge.half_edges {
            [_] => open.push([edge.low, edge.high]),
            [a, b] => {
                let starts_low = |half_edge: HalfEdge| {
                    ends(faces[half_edge.triangle() as usize], half_edge.edge())[0] == edge.low
                };
                closed &= starts_low(a) != starts_low(b);
            }
            _ => defects.non_manifold_edges += 1,
        }
    }
    defects.open_edges = open.len();
    let largest_side = bounds.map_or(0.0, |bounds| (bounds.max() - bounds.min()).max_element());
    defects.seams = seams::count(&positions, &open, seam.unwrap_or(largest_side * 1e-6), Defects::MOST_SEAMS);

    let watertight = any && closed && defects.open_edges == 0 && defects.non_manifold_edges == 0;
    Ok(Report {
        triangles: triangles.len(),
        vertices: positions.len(),
        bounds,
        up,
        unit,
        watertight,
        defects,
    })
}

fn is_finite(vertex: [f32; 3]) -> bool {
    vertex.iter().all(|x| x.is_finite())
}

/// The different positions of finite triangles, ascending, and these triangles in terms of them.
fn number_by_value(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let finite: Vec<[u32; 3]> = triangles
        .iter()
        .copied()
        .filter(|corners| corners.iter().all(|&vertex| is_finite(vertices[vertex as usize])))
        .collect();
    let mut used = vec![false; vertices.len()];
    for &vertex in finite.as_flattened() {
        used[vertex as usize] = true;
    }
    let mut number = vec![0; vertices.len()];
    let mut positions = Vec::new();
    for mut run in Sorted::new(vertices, &used).runs() {
        let Some(first) = run.next() else { continue };
        let next = positions.len() as u32;
        positions.push(canonical(vertices[first as usize]));
        number[first as usize] = next;
        run.for_each(|vertex| number[vertex as usize] = next);
    }
    let faces = finite.iter().map(|corners| corners.map(|vertex| number[vertex as usize])).collect();
    (positions, faces)
}

/// The corners of each face in ascending order, and the faces too: the same for all orders of both.
fn sorted_corners(faces: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut sorted: Vec<[u32; 3]> = faces.to_vec();
    for corners in &mut sorted {
        corners.sort_unstable();
    }
    #[cfg(feature = "parallel")]
    rayon::slice::ParallelSliceMut::par_sort_unstable(sorted.as_mut_slice());
    #[cfg(not(feature = "parallel"))]
    sorted.sort_unstable();
    sorted
}

/// Twice the area seen along each axis, and whether the height is below 0.1 % of the longest edge.
fn measure([a, b, c]: [DVec3; 3]) -> (DVec3, bool) {
    let normal = (b - a).cross(c - a);
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    // height = |normal| / longest edge, both sides squared: integers give exact answers.
    (normal.abs(), normal.length_squared() * 1e6 < longest * longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defects(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Defects {
        inspect(vertices, triangles, None).unwrap().defects
    }

    const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    #[test]
    fn a_tetrahedron_is_watertight_until_one_face_is_missing_or_turned() {
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let report = inspect(&vertices, &faces, None).unwrap();
        assert_eq!((report.triangles, report.vertices, report.watertight), (4, 4, true));
        assert_eq!(report.defects, Defects::default());
        assert_eq!(report.bounds, Aabb::new(DVec3::ZERO, DVec3::ONE).ok());

        let missing = inspect(&vertices, &faces[1..], None).unwrap();
        assert_eq!((missing.watertight, missing.defects.open_edges), (false, 3));
        let mut turned = faces;
        turned[0].reverse();
        let turned = inspect(&vertices, &turned, None).unwrap();
        assert_eq!((turned.watertight, turned.defects), (false, Defects::default()));
        assert!(!inspect(&vertices, &[], None).unwrap().watertight);
        assert!(!inspect(&vertices, &[[0, 0, 1]], None).unwrap().watertight);
    }

    #[test]
    fn a_soup_is_welded_before_it_is_counted() {
        let vertices = [SQUARE[0], SQUARE[1], SQUARE[2], [-0.0; 3], SQUARE[2], SQUARE[3], [5.0; 3]];
        let report = inspect(&vertices, &[[0, 1, 2], [3, 4, 5]], None).unwrap();
        assert_eq!((report.vertices, report.defects.open_edges), (4, 4));
        assert_eq!(report.bounds.unwrap().max(), DVec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn no_area_is_decided_exactly() {
        let on_a_line = [[0.1, 0.2, 0.3], [0.2, 0.4, 0.6], [0.4, 0.8, 1.2], [0.4, 0.8f32.next_up(), 1.2]];
        assert_eq!(defects(&on_a_line, &[[0, 1, 2], [0, 0, 3], [3, 3, 3]]).degenerate, 3);
        let nearly = defects(&on_a_line, &[[0, 1, 3]]);
        assert_eq!((nearly.degenerate, nearly.sliver, nearly.open_edges), (0, 1, 3));
    }

    #[test]
    fn triangles_without_area_have_no_edges() {
        let found = defects(&SQUARE, &[[0, 1, 2], [0, 2, 3], [0, 2, 2], [1, 0, 1]]);
        assert_eq!((found.degenerate, found.open_edges, found.non_manifold_edges), (2, 4, 0));
    }

    #[test]
    fn the_second_and_later_of_the_same_corners_are_duplicates_in_any_order() {
        let found =
            defects(&SQUARE, &[[0, 1, 2], [2, 1, 0], [0, 2, 3], [1, 2, 0], [3, 3, 0], [0, 3, 3], [0, 0, 3]]);
        assert_eq!((found.duplicate, found.degenerate), (3, 3));
        assert_eq!((found.open_edges, found.non_manifold_edges), (2, 3));
    }

    #[test]
    fn a_sliver_is_lower_than_a_thousandth_of_its_longest_edge() {
        let sliver =
            |height: f32| defects(&[[0.0; 3], [1000.0, 0.0, 0.0], [400.0, 0.0, height]], &[[1, 2, 0]]).sliver;
        assert_eq!([sliver(1.0f32.next_down()), sliver(1.0), sliver(1e-30)], [1, 0, 1]);
    }

    #[test]
    fn what_is_not_finite_is_counted_and_left_out() {
        let vertices = [
            SQUARE[0],
            SQUARE[1],
            SQUARE[2],
            [f32::NAN, 0.0, 0.0],
            [0.0, f32::INFINITY, 0.0],
            [9.0, f32::NEG_INFINITY, f32::NAN],
        ];
        let report = inspect(&vertices, &[[0, 1, 2], [0, 1, 3], [4, 4, 4], [3, 1, 0]], None).unwrap();
        assert_eq!((report.triangles, report.vertices), (4, 3));
        assert_eq!(report.defects, Defects { non_finite: 3, open_edges: 3, ..Defects::default() });
        assert_eq!(report.bounds.unwrap().max(), DVec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn only_what_cannot_be_read_is_an_error() {
        assert_eq!(
            inspect(&SQUARE, &[[0, 1, 2], [0, 4, 1]], None),
            Err(MeshError::IndexOutOfRange { triangle: 1, index: 4, vertices: 4 })
        );
        assert_eq!(inspect(&SQUARE, &[], Some(-1.0)), Err(MeshError::SeamWidth(-1.0)));
        assert!(inspect(&SQUARE, &[], Some(f64::NAN)).is_err());
    }
}
