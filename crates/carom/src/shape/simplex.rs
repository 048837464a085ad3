//! The point of a simplex nearest to the origin.
//!
//! Source: the minimum over its corners, edges and faces, as for triangles: no walk over regions, which picks
//! a wrong one when the simplex is a sliver. Every candidate is a weighted mean of corners, so the least of
//! them is never too near. Error: 16 unit roundoffs of the corners' size; the weights on a face are corrected
//! once by what they leave in its plane. Cost: 4 corners, 6 edges and 4 faces at most. It never gives up: a
//! face without area is left to its edges.

use glam::DVec3;

use super::Triangle;
use super::rounding::{UNIT_ROUNDOFF, reach, unit};
use super::segment::{self, SegmentRegion};
use crate::num::ops::sqrt;

/// The part of a simplex that is nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// How many corners carry it: 1, 2 or 3.
    pub(super) count: usize,
    /// Which.
    pub(super) corners: [usize; 3],
    /// With which weights; all positive, their sum is 1.
    pub(super) weights: [f64; 3],
    /// The nearest point.
    pub(super) point: DVec3,
    pub(super) squared: f64,
}

/// The part of 1 to 4 points that is nearest to the origin.
///
/// Of parts that rounding of coordinates of this size cannot distinguish, one that has the last point wins:
/// it was added for being nearer. Then the one with most corners: its direction is perpendicular to all of
/// them.
pub(super) fn nearest(points: &[DVec3], size: f64) -> Nearest {
    let last = points.len() - 1;
    let mut best = Nearest {
        count: 1,
        corners: [last; 3],
        weights: [1.0, 0.0, 0.0],
        point: points[last],
        squared: points[last].length_squared(),
    };
    let noise = 4.0 * UNIT_ROUNDOFF * size;
    let mut offer = |corners: &[usize], weights: &[f64]| {
        let point =
            corners.iter().zip(weights).fold(DVec3::ZERO, |sum, (&i, &weight)| sum + points[i] * weight);
        let squared = point.length_squared();
        let allowed = noise * (2.0 * sqrt(best.squared) + noise);
        let wins = if corners.contains(&last) {
            squared < best.squared || (corners.len() > best.count && squared <= best.squared + allowed)
        } else {
            squared + allowed < best.squared
        };
        if wins {
            best = Nearest { count: corners.len(), corners: [0; 3], weights: [0.0; 3], point, squared };
            best.corners[..corners.len()].copy_from_slice(corners);
            best.weights[..weights.len()].copy_from_slice(weights);
        }
    };
    let edge = |i: usize, j: usize| match segment::closest(points[i], points[j], DVec3::ZERO) {
        (on_edge, SegmentRegion::Inside) => Some([1.0 - on_edge.along, on_edge.along]),
        _ => None,
    };
    let face = |i: usize, j: usize, k: usize| foot_weights([points[i], points[j], points[k]]);
    // Those with the last point first.
    for i in 0..last {
        if let Some(weights) = edge(i, last) {
            offer(&[i, last], &weights);
        }
    }
    for i in 0..last {
        for j in i + 1..last {
            if let Some(weights) = face(i, j, last) {
                offer(&[i, j, last], &weights);
            }
        }
    }
    for i in 0..last {
        offer(&[i], &[1.0]);
        for j in i + 1..last {
            if let Some(weights) = edge(i, j) {
                offer(&[i, j], &weights);
            }
        }
    }
    if last == 3
        && let Some(weights) = face(0, 1, 2)
    {
        offer(&[0, 1, 2], &weights);
    }
    best
}

/// The weights of the foot of the origin on a face; `None` if it is not inside, or the face has no area.
fn foot_weights([a, b, c]: [DVec3; 3]) -> Option<[f64; 3]> {
    let normal = Triangle::of([a, b, c]).area_vector()?;
    let area_squared = normal.length_squared();
    let weights =
        [b.cross(c), c.cross(a), a.cross(b)].map(|double_area| normal.dot(double_area) / area_squared);
    if !weights.iter().all(|&weight| weight > 0.0) {
        return None;
    }
    // The foot has no part in the plane. The rest that rounded weights leave there is taken back, once.
    let sum = weights[0] + weights[1] + weights[2];
    let [u, v, w] = weights.map(|weight| weight / sum);
    let foot = a * u + b * v + c * w;
    let astray = foot - normal * (normal.dot(foot) / area_squared);
    let (ab, ac) = (b - a, c - a);
    let (dv, dw) = (normal.dot(astray.cross(ac)) / area_squared, normal.dot(ab.cross(astray)) / area_squared);
    let corrected = [u + (dv + dw), v - dv, w - dw];
    Some(if corrected.iter().all(|&weight| weight > 0.0) { corrected } else { [u, v, w] })
}

/// The direction from the origin towards a nearest part, as exactly as rounding allows.
///
/// The nearest point itself says it well only while it is farther away than the part is large: points are off
/// by rounding of their own coordinates. Otherwise it is freed of what lies along the longest edge, and if
/// the whole face is larger than far away its normal says it best.
pub(super) fn direction(points: &[DVec3], nearest: &Nearest) -> Option<DVec3> {
    let point = nearest.point;
    let corner = |i: usize| points[nearest.corners[i]];
    let square_to = |edge: DVec3| {
        let squared = edge.length_squared();
        if squared > nearest.squared { unit(point - edge * (point.dot(edge) / squared)) } else { unit(point) }
    };
    match nearest.count {
        2 => square_to(corner(1) - corner(0)),
        3 => {
            let edges = [corner(1) - corner(0), corner(2) - corner(1), corner(0) - corner(2)];
            let longest = edges.into_iter().fold(DVec3::ZERO, |longest, edge| {
                if edge.length_squared() > longest.length_squared() { edge } else { longest }
            });
            match Triangle::of([corner(0), corner(1), corner(2)]).area_vector() {
                // Its least height squared is the area vector's square over the longest edge's.
                Some(normal) if normal.length_squared() > longest.length_squared() * nearest.squared => {
                    unit(if normal.dot(point) < 0.0 { -normal } else { normal })
                }
                _ => square_to(longest),
            }
        }
        _ => unit(point),
    }
}

/// The weights with which four points make the origin, if it is inside of them by more than the rounding of
/// coordinates of this size.
pub(super) fn weights_around_origin(points: &[DVec3; 4], size: f64) -> Option<[f64; 4]> {
    let mut weights = [0.0; 4];
    for (opposite, face) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
        let corners = face.map(|i| points[i]);
        let normal = Triangle::of(corners).area_vector()?;
        // From the corner nearest to the origin: its height is the least rounded.
        let near = corners.into_iter().min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
        let rounding = 16.0 * UNIT_ROUNDOFF * size * reach(normal);
        let (of_origin, of_corner) = (-normal.dot(near), normal.dot(points[opposite] - near));
        let same_side = (of_origin > rounding && of_corner > rounding)
            || (of_origin < -rounding && of_corner < -rounding);
        if !same_side {
            return None;
        }
        weights[opposite] = of_origin / of_corner;
    }
    let sum: f64 = weights.iter().sum();
    Some(weights.map(|weight| weight / sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn the_nearest_part_is_found_among_corners_edges_and_faces() {
        let (a, b, c, d) = (DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE);
        let face = nearest(&[a, b, c, d], 3.0);
        assert_eq!((face.count, face.corners), (3, [0, 1, 2]));
        assert!(face.weights.iter().all(|w| (w - 1.0 / 3.0).abs() < 1e-15));
        let edge = nearest(&[a, b, d], 3.0);
        assert_eq!((edge.count, edge.point), (2, dvec3(0.5, 0.5, 0.0)));
        assert_eq!(nearest(&[d, a], 3.0).corners[0], 1);
        assert_eq!(nearest(&[a, a, a, a], 3.0).count, 1);
        assert_eq!(nearest(&[a, d, d], 3.0).corners[0], 0);
    }

    #[test]
    fn a_tetrahedron_knows_whether_the_origin_is_inside() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::ONE];
        let weights = weights_around_origin(&points, 3.0).unwrap();
        let back = points.iter().zip(weights).fold(DVec3::ZERO, |sum, (&p, w)| sum + p * w);
        assert!(back.length_squared() < 1e-30);
        assert_eq!(weights_around_origin(&points.map(|p| p + DVec3::X), 6.0), None);
        let flat = [DVec3::X, DVec3::Y, -DVec3::ONE + DVec3::Z, dvec3(0.2, -0.1, 0.0)];
        assert_eq!(weights_around_origin(&flat, 3.0), None);
    }

    #[test]
    fn a_face_that_passes_next_to_the_origin_still_says_which_way_it_faces() {
        let gap = 1e-14;
        let points = [dvec3(3.1, 0.7, gap), dvec3(-2.3, 1.9, gap), dvec3(0.3, -2.9, gap)];
        let part = nearest(&points, 4.0);
        assert_eq!(part.count, 3);
        assert_eq!(direction(&points, &part), Some(DVec3::Z));
    }
}
