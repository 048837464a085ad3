//! Convex hull of points.
//!
//! Source: Clarkson and Shor (1989), without its randomness: points are added one by one; the faces that a
//! new point sees are replaced by the cone from it to their outline. Error: none. Every decision is an exact
//! sign (`num::orientation`), so the faces are those of the hull of these very points; coplanar ones are
//! several triangles. Exact for coordinates of 10⁻⁹⁰ to 10⁹⁰ and 0. Cost: points times faces; meant for about
//! hundred points.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::orientation::{has_area, side_of_plane};

/// The triangles of the hull, as indices of points, counter-clockwise as seen from outside. `None` if all
/// points are in one plane.
///
/// ```
/// use carom::shape::{Aabb, convex_hull};
/// use glam::DVec3;
/// let mut points = Aabb::new(-DVec3::ONE, DVec3::ONE)?.corners().to_vec();
/// points.push(DVec3::ZERO);
/// let hull = convex_hull(&points).expect("a box has room in it");
/// assert_eq!(hull.len(), 12);
/// assert!(hull.iter().flatten().all(|&corner| corner != 8));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn convex_hull(points: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    let first = *points.first()?;
    let second = (1..points.len()).find(|&i| points[i] != first)?;
    let third = (second + 1..points.len()).find(|&i| has_area([first, points[second], points[i]]))?;
    let side = |i: usize| side_of_plane(first, points[second], points[third], points[i]);
    let fourth = (third + 1..points.len()).find(|&i| side(i) != 0.0)?;
    let [a, mut b, mut c, d] = [0, second as u32, third as u32, fourth as u32];
    if side(fourth) > 0.0 {
        core::mem::swap(&mut b, &mut c);
    }
    let mut faces = alloc::vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    let mut outline = Vec::new();
    for i in 1..points.len() {
        let is_seen = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|corner| points[corner as usize]);
            side_of_plane(a, b, c, points[i]) > 0.0
        };
        outline.clear();
        faces.retain(|face| {
            let seen = is_seen(face);
            if seen {
                outline.extend([[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]]);
            }
            !seen
        });
        // An edge that two faces share runs once in each direction: what has no counterpart is the outline.
        for &[from, to] in &outline {
            if !outline.contains(&[to, from]) {
                faces.push([from, to, i as u32]);
            }
        }
    }
    Some(faces)
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// On a coarse grid, where many are coplanar, collinear or the same.
        #[test]
        fn holds_every_point_and_is_closed(grid in prop::collection::vec(prop::array::uniform3(-3..4i8), 1..40)) {
            let points: Vec<DVec3> =
                grid.iter().map(|p| dvec3(p[0].into(), p[1].into(), p[2].into()) * 0.1).collect();
            let Some(faces) = convex_hull(&points) else {
                let flat = points.iter().all(|&d| points.iter().all(|&c| points.iter().take(6).all(|&b| {
                    side_of_plane(points[0], b, c, d) == 0.0
                })));
                prop_assert!(flat);
                return Ok(());
            };
            for &face in &faces {
                let [a, b, c] = face.map(|i| points[i as usize]);
                prop_assert!(has_area([a, b, c]));
                for &p in &points {
                    prop_assert!(side_of_plane(a, b, c, p) <= 0.0);
                }
                for k in 0..3 {
                    let (from, to) = (face[k], face[(k + 1) % 3]);
                    let back = |other: &&[u32; 3]| (0..3).any(|k| (other[k], other[(k + 1) % 3]) == (to, from));
                    prop_assert_eq!(faces.iter().filter(back).count(), 1);
                }
            }
        }
    }

    #[test]
    fn what_is_flat_has_none() {
        assert_eq!(convex_hull(&[]), None);
        assert_eq!(convex_hull(&[DVec3::ONE; 5]), None);
        assert_eq!(convex_hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y]), None);
    }
}
