//! Sphere against triangle, and a point (a ray) against triangle.
//!
//! Source: `docs/sphere-triangle.md`. The triangle grown by the radius is convex: a way from outside enters
//! it once, at the earliest valid root over its face, three edges and three corners. Error: never past
//! contact, and at most 8 rounding bounds early (`docs/numbers.md`). Cost: two products for a plane out of
//! reach; else one face and up to six contact roots. It never gives up.

use crate::shape::{Sphere, Triangle};
use crate::sweep::parts::flat::{Facet, RoundMover};
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::space::WorldSpace;
use crate::sweep::{Hit, Path};

/// The first contact of a moving sphere with a triangle, which has two sides.
///
/// ```
/// use carom::{shape::{Sphere, Triangle}, sweep::{Feature, Path, sphere_triangle}};
/// use glam::dvec3;
/// let floor = Triangle::new(dvec3(-4.0, 0.0, -4.0), dvec3(0.0, 0.0, 4.0), dvec3(4.0, 0.0, -4.0))?;
/// let path = Path::new(dvec3(0.0, 2.0, 0.0), dvec3(0.0, -4.0, 0.0))?;
/// let hit = sphere_triangle(&Sphere::new(0.5)?, &path, &floor).unwrap();
/// assert!((hit.fraction - 0.375).abs() < 1e-13);
/// assert_eq!(hit.feature, Feature::Face);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn sphere_triangle(sphere: &Sphere, path: &Path, triangle: &Triangle) -> Option<Hit> {
    in_range(sphere, path, triangle, |sphere, path, triangle| {
        RoundSweep::new(WorldSpace::from(sphere), path, 0.0)
            .triangle(&Facet::alone(triangle.corners()), f64::INFINITY)
    })
}

/// The first contact of a moving point with a triangle: a ray cast that no seam between two triangles lets
/// through.
pub fn point_triangle(path: &Path, triangle: &Triangle) -> Option<Hit> {
    in_range(&(), path, triangle, |(), path, triangle| {
        RoundSweep::new(WorldSpace { radius: 0.0 }, path, 0.0)
            .triangle(&Facet::alone(triangle.corners()), f64::INFINITY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Feature;
    use glam::{DVec3, dvec3};

    fn floor() -> Triangle {
        Triangle::new(dvec3(-4.0, 0.0, -4.0), dvec3(0.0, 0.0, 4.0), dvec3(4.0, 0.0, -4.0)).unwrap()
    }

    fn cast(radius: f64, from: DVec3, translation: DVec3) -> Option<Hit> {
        sphere_triangle(&Sphere::new(radius).unwrap(), &Path::new(from, translation).unwrap(), &floor())
    }

    #[test]
    fn lands_on_the_face_from_both_sides() {
        for side in [1.0, -1.0] {
            let hit = cast(0.5, dvec3(0.25, 2.0 * side, 0.5), dvec3(0.0, -4.0 * side, 0.0)).unwrap();
            assert!(hit.fraction <= 0.375 && hit.fraction > 0.375 - 1e-13);
            assert_eq!(hit.normal, DVec3::Y * side);
            assert_eq!(hit.feature, Feature::Face);
            assert!((hit.point - dvec3(0.25, 0.0, 0.5)).length() < 1e-13);
        }
    }

    #[test]
    fn meets_an_edge_and_a_corner() {
        let hit = cast(0.5, dvec3(1.0, 0.3, -8.0), dvec3(0.0, 0.0, 8.0)).unwrap();
        assert_eq!(hit.feature, Feature::Edge(2));
        assert!((hit.fraction - 3.6 / 8.0).abs() < 1e-13);
        let hit = cast(0.5, dvec3(0.0, 0.3, 8.0), dvec3(0.0, 0.0, -8.0)).unwrap();
        assert_eq!(hit.feature, Feature::Vertex(1));
        assert_eq!(hit.point, dvec3(0.0, 0.0, 4.0));
        assert!((hit.fraction - 3.6 / 8.0).abs() < 1e-13);
    }

    #[test]
    fn touching_stops_only_what_goes_deeper() {
        let start = dvec3(0.0, 0.5, 0.0);
        assert!(cast(0.5, start, DVec3::X * 9.0).is_none());
        assert!(cast(0.5, start, DVec3::Y).is_none());
        assert!(cast(0.5, start, DVec3::ZERO).is_none());
        let hit = cast(0.5, start, dvec3(1.0, -1e-9, 0.0)).unwrap();
        assert_eq!((hit.fraction, hit.start_overlap), (0.0, false));
        let hit = cast(0.5, dvec3(0.0, 0.25, 0.0), -DVec3::Y).unwrap();
        assert_eq!((hit.fraction, hit.start_overlap), (0.0, true));
        assert!(cast(0.5, dvec3(0.0, 0.25, 0.0), DVec3::Y).is_none());
        assert!(cast(0.5, dvec3(0.0, 0.25, 0.0), DVec3::X).is_none());
    }

    #[test]
    fn resting_on_one_tile_the_next_tiles_edge_is_no_obstacle() {
        // The edge at x = 4 − z/2 … lies ahead at exactly the height of the floor that the ball slides on.
        for height in [0.5, 0.5 + 1e-16, 0.5 + 3e-15] {
            assert_eq!(cast(0.5, dvec3(-9.0, height, -1.0), DVec3::X * 9.0), None);
        }
        assert!(cast(0.5, dvec3(-9.0, 0.5 - 1e-12, -1.0), DVec3::X * 9.0).is_some());
    }

    #[test]
    fn a_point_is_stopped_by_the_face_and_by_its_rim() {
        let cast = |from, translation| point_triangle(&Path::new(from, translation).unwrap(), &floor());
        let hit = cast(dvec3(0.5, 1.0, 0.0), dvec3(0.0, -2.0, 0.0)).unwrap();
        assert!((hit.fraction - 0.5).abs() < 1e-13 && hit.normal == DVec3::Y);
        let hit = cast(dvec3(1.0, 1.0, -4.0), dvec3(0.0, -2.0, 0.0)).unwrap();
        assert!((hit.fraction - 0.5).abs() < 1e-13 && hit.normal == DVec3::Y);
        assert!(cast(dvec3(1.0, 1.0, -4.0 - 1e-9), dvec3(0.0, -2.0, 0.0)).is_none());
    }

    #[test]
    fn a_triangle_without_area_is_its_segment_or_point() {
        let sphere = Sphere::new(0.5).unwrap();
        let path = Path::new(dvec3(0.0, 2.0, 0.0), dvec3(0.0, -4.0, 0.0)).unwrap();
        for corners in [
            [dvec3(-1.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0), dvec3(0.5, 0.0, 0.0)],
            [dvec3(-1.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0)],
            [DVec3::ZERO; 3],
        ] {
            let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
            let hit = sphere_triangle(&sphere, &path, &triangle).unwrap();
            assert!((hit.fraction - 0.375).abs() < 1e-13);
            assert_eq!(hit.normal, DVec3::Y);
        }
    }

    #[test]
    fn a_triangle_lost_in_the_distance_is_a_point() {
        // Found by fuzzing: 10¹⁶ radii away and more its corners round to one, of which every place was
        // inside.
        let triangle = Triangle::new(DVec3::ZERO, dvec3(0.0, 0.0, -1e-60), DVec3::X).unwrap();
        let path = Path::new(dvec3(0.0, 0.0, -1e20), dvec3(1e20, 1e20, 1e20)).unwrap();
        let hit = sphere_triangle(&Sphere::new(0.9999e20).unwrap(), &path, &triangle).unwrap();
        assert!((hit.normal + DVec3::Z).length() < 0.1, "{hit:?}");
    }

    #[test]
    fn the_scale_of_the_scene_changes_no_bit() {
        let corners = [dvec3(0.3, 0.1, -4.0), dvec3(0.7, 0.9, 4.0), dvec3(4.1, -0.3, -4.0)];
        let (from, translation) = (dvec3(1.1, 2.3, -0.7), dvec3(0.4, -3.1, 0.2));
        let mut fractions = [-600i32, -200, -20, 0, 20, 200, 600].map(|k| {
            let factor = f64::from_bits(((1023 + k) as u64) << 52);
            let triangle =
                Triangle::new(corners[0] * factor, corners[1] * factor, corners[2] * factor).unwrap();
            let path = Path::new(from * factor, translation * factor).unwrap();
            let hit = sphere_triangle(&Sphere::new(0.5 * factor).unwrap(), &path, &triangle).unwrap();
            (hit.fraction, hit.normal, hit.point / factor)
        });
        let first = fractions[0];
        fractions.iter_mut().for_each(|other| assert_eq!(*other, first));
    }
}
