//! Directions in which triangles spread: the axes for fitting oriented boxes.
//!
//! Source: Gottschalk, Lin, Manocha, *OBB trees* (1996), section 4: the eigenvectors of the covariance of the
//! surface (every point counts alike, however finely the surface is triangulated), or of the surface of the
//! convex hull. Cost: one pass, and a Jacobi iteration of a 3 × 3 matrix. Never fails: a set without spread
//! gets the axes of the world.

use alloc::vec::Vec;

use glam::{DMat3, DVec3};

use crate::num::ops::sqrt;
use crate::shape::convex_hull;

/// The principal axes of the surface of some triangles. Without any area: of their corners.
pub(super) fn of_surface(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> DMat3 {
    let (mut area, mut mean) = (0.0, DVec3::ZERO);
    for [a, b, c] in triangles.clone() {
        let share = sqrt((b - a).cross(c - a).length_squared());
        area += share;
        mean += (a + b + c) * (share / 3.0);
    }
    let by_area = area > 0.0;
    if by_area {
        mean /= area;
    } else {
        let mut count = 0.0;
        for [a, b, c] in triangles.clone() {
            mean += a + b + c;
            count += 3.0;
        }
        mean /= count;
    }
    let mut covariance = DMat3::ZERO;
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| corner - mean);
        let share = if by_area { sqrt((b - a).cross(c - a).length_squared()) } else { 1.0 };
        let middle = (a + b + c) / 3.0;
        covariance += (outer(middle) * 9.0 + outer(a) + outer(b) + outer(c)) * share;
    }
    principal_axes(covariance)
}

/// The principal axes of the surface of the convex hull of the points that are farthest in 26 directions;
/// `None` if these are in one plane. Triangles inside have no share in it.
pub(super) fn of_hull(points: impl Iterator<Item = DVec3>) -> Option<DMat3> {
    let mut farthest: [(f64, f64, DVec3, DVec3); 13] =
        [(f64::INFINITY, f64::NEG_INFINITY, DVec3::ZERO, DVec3::ZERO); 13];
    for p in points {
        for (direction, (low, high, lowest, highest)) in DIRECTIONS.iter().zip(&mut farthest) {
            let along = p.dot(DVec3::from_array(*direction));
            if along < *low {
                (*low, *lowest) = (along, p);
            }
            if along > *high {
                (*high, *highest) = (along, p);
            }
        }
    }
    let mut extreme: Vec<DVec3> = Vec::with_capacity(26);
    for (_, _, lowest, highest) in farthest {
        for p in [lowest, highest] {
            if !extreme.contains(&p) {
                extreme.push(p);
            }
        }
    }
    let hull = convex_hull(&extreme)?;
    Some(of_surface(hull.iter().map(|face| face.map(|corner| extreme[corner as usize]))))
}

/// To the faces, edges and corners of a cube; the other half are their opposites.
#[rustfmt::skip]
const DIRECTIONS: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [0.0, 1.0, 1.0], [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0],
];

/// The frame of a triangle: its normal and its longest edge. None without area.
pub(super) fn of_triangle(triangle: [DVec3; 3]) -> Option<DMat3> {
    let [a, b, c] = triangle;
    let edges = [b - a, c - b, a - c].map(DVec3::length_squared);
    let longest = (0..3).max_by(|&i, &j| edges[i].total_cmp(&edges[j]))?;
    along_edge(triangle, longest)
}

/// The frame of a triangle's normal and one of its edges: that of half a rectangle is along the shorter ones.
/// None without area.
pub(super) fn along_edge([a, b, c]: [DVec3; 3], edge: usize) -> Option<DMat3> {
    let edges = [b - a, c - b, a - c];
    let normal = edges[0].cross(edges[1]);
    let [x, z] = [edges[edge % 3], normal].map(|v| v / sqrt(v.length_squared()));
    (x.is_finite() && z.is_finite()).then(|| DMat3::from_cols(x, z.cross(x), z))
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The eigenvectors of a symmetric matrix as columns, right-handed, by Jacobi's rotations.
fn principal_axes(mut m: DMat3) -> DMat3 {
    let largest = m.x_axis.abs().max(m.y_axis.abs()).max(m.z_axis.abs()).max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return DMat3::IDENTITY;
    }
    m *= 1.0 / largest;
    let mut axes = DMat3::IDENTITY;
    // Converges quadratically: six sweeps are more than doubles can tell.
    for _ in 0..6 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(q)[p];
            if off.abs() < f64::MIN_POSITIVE {
                continue;
            }
            let theta = (m.col(q)[q] - m.col(p)[p]) / (2.0 * off);
            let t = 1f64.copysign(theta) / (theta.abs() + sqrt(theta * theta + 1.0));
            let cos = 1.0 / sqrt(t * t + 1.0);
            let sin = t * cos;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    let unit = |v: DVec3| v / sqrt(v.length_squared());
    let x = unit(axes.x_axis);
    let y = unit(axes.y_axis - x * x.dot(axes.y_axis));
    if x.is_finite() && y.is_finite() { DMat3::from_cols(x, y, x.cross(y)) } else { DMat3::IDENTITY }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;

    use super::*;
    use crate::num::ops::rotation_about;

    #[test]
    fn a_turned_plank_has_the_axes_it_was_turned_to() {
        let turn = DMat3::from_quat(rotation_about(dvec3(1.0, -2.0, 0.5), 0.8));
        let corners = crate::shape::Aabb::new(dvec3(-4.0, -1.0, -0.2), dvec3(4.0, 1.0, 0.2))
            .unwrap()
            .corners()
            .map(|corner| turn * corner + dvec3(5.0, 6.0, 7.0));
        let axes = of_hull(corners.into_iter()).unwrap();
        for own in [turn.x_axis, turn.y_axis, turn.z_axis] {
            let best = [axes.x_axis, axes.y_axis, axes.z_axis]
                .into_iter()
                .map(|axis| axis.dot(own).abs())
                .fold(0.0, f64::max);
            assert!(best > 1.0 - 1e-12, "{axes:?}");
        }
    }

    #[test]
    fn what_has_no_spread_has_axes_all_the_same() {
        let point = [DVec3::ONE; 3];
        assert_eq!(of_surface([point].into_iter()), DMat3::IDENTITY);
        assert_eq!(of_triangle(point), None);
        assert_eq!(of_hull(point.into_iter()), None);
        let line = of_surface([[DVec3::ZERO, DVec3::Y, DVec3::Y * 3.0]].into_iter());
        assert!((line.determinant() - 1.0).abs() < 1e-12);
    }
}
