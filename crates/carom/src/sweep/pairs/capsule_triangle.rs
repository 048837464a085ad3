//! Capsule against triangle, convex polygon and plane.
//!
//! Source: `docs/sphere-triangle.md`, the capsule: a ball against the prism triangle ⊕ axis.
//! A start where the axis pierces the face is an overlap of the depth of the least way out.
//! Error: as `sphere_triangle`. Cost: 5 faces, 9 edges and 6 corners for a triangle within reach of its
//! plane; two products for one that is not.

use glam::DVec3;

use crate::num::bound::{position_rounding, reach};
use crate::shape::{Capsule, ConvexPolygon, Plane, Triangle};
use crate::sweep::parts::ball::{Ball, BallHit, Limits};
use crate::sweep::parts::flat::{Facet, Offsets, RoundMover};
use crate::sweep::parts::form::Form;
use crate::sweep::parts::nearest::closest;
use crate::sweep::parts::prism::Prism;
use crate::sweep::parts::scaled::in_range;
use crate::sweep::patch::{PatchFoot, Probe};
use crate::sweep::{Contact, Feature, Hit, Path};

/// The first contact of a moving capsule with a triangle, which has two sides.
pub fn capsule_triangle(capsule: &Capsule, path: &Path, triangle: &Triangle) -> Option<Hit> {
    in_range(capsule, path, triangle, |capsule, path, triangle| {
        CapsuleSweep::new(capsule, path, 0.0).triangle(&Facet::alone(triangle.corners()), f64::INFINITY)
    })
}

/// The first contact of a moving capsule with a convex polygon, which has two sides.
pub fn capsule_polygon(capsule: &Capsule, path: &Path, polygon: &ConvexPolygon) -> Option<Hit> {
    in_range(capsule, path, polygon, |capsule, path, polygon| {
        CapsuleSweep::new(capsule, path, 0.0).polygon(polygon)
    })
}

/// The first contact of a moving capsule with a plane, from the side where its center is.
pub fn capsule_plane(capsule: &Capsule, path: &Path, plane: &Plane) -> Option<Hit> {
    in_range(capsule, path, plane, |capsule, path, plane| CapsuleSweep::new(capsule, path, 0.0).plane(plane))
}

/// A moving capsule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapsuleSweep {
    half_axis: DVec3,
    path: Path,
    ball: Ball,
}

impl CapsuleSweep {
    /// `rounding` is the error of the path's coordinates, in meters.
    pub(crate) fn new(capsule: &Capsule, path: &Path, rounding: f64) -> Self {
        let rounding = rounding + position_rounding(path.from(), path.translation());
        Self {
            half_axis: capsule.half_axis(),
            path: *path,
            ball: Ball::new(path.translation(), capsule.radius(), rounding),
        }
    }
}

impl RoundMover for CapsuleSweep {
    const FORM: Form = Form::Capsule;

    #[inline(always)]
    fn path(&self) -> &Path {
        &self.path
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        let from = self.path.from();
        let height = plane.normal().dot(from) - plane.distance();
        let limits = self.ball.limits(height.abs() + 2.0 * reach(from) + reach(self.half_axis));
        let tilt = plane.normal().dot(self.half_axis);
        // On the plane itself both sides are equally near, and every path along one leads deeper into the
        // other: no hit.
        if height == 0.0 {
            return None;
        }
        let normal = if height < 0.0 { -plane.normal() } else { plane.normal() };
        let hit = self.ball.half_space(height.abs() - tilt.abs(), normal, limits)?;
        let lower = if normal.dot(self.half_axis) > 0.0 { -self.half_axis } else { self.half_axis };
        Some(self.in_world(&BallHit { foot: hit.foot + lower, ..hit }, Feature::Face))
    }

    #[inline(always)]
    fn limits(&self, offsets: &impl Offsets) -> Limits {
        self.ball.limits(offsets.extent() + reach(self.half_axis))
    }

    #[inline(always)]
    fn clearance(&self, normal: DVec3, limits: Limits) -> f64 {
        limits.touch + 2.0 * limits.rounding + normal.dot(self.half_axis).abs()
    }

    #[inline(always)]
    fn outline(
        &self,
        offsets: &impl Offsets,
        normal: Option<DVec3>,
        flat: u32,
        limits: Limits,
    ) -> Option<BallHit> {
        if self.half_axis == DVec3::ZERO {
            return self.ball.polygon(offsets, normal, flat, limits);
        }
        Prism { outline: offsets, normal, half_axis: self.half_axis, flat }.sweep(&self.ball, limits)
    }

    #[inline(always)]
    fn outline_contact(&self, offsets: &impl Offsets, normal: Option<DVec3>, flat: u32) -> Contact {
        let (closest, foot) = if self.half_axis == DVec3::ZERO {
            let closest = closest(offsets, normal);
            (closest, closest.foot)
        } else {
            let nearest = Prism { outline: offsets, normal, half_axis: self.half_axis, flat }.nearest();
            (nearest.closest, nearest.on_polygon)
        };
        Contact {
            gap: closest.distance - self.ball.radius,
            normal: closest.contact_normal(normal, flat),
            point: self.path.from() + foot,
            feature: closest.feature,
            rounding: self.limits(offsets).rounding,
        }
    }

    #[inline(always)]
    fn in_world(&self, hit: &BallHit, feature: Feature) -> Hit {
        Hit {
            fraction: hit.fraction,
            point: self.path.from() + hit.foot,
            normal: hit.normal,
            feature,
            start_overlap: hit.start_overlap,
        }
    }

    fn probe(&self, far: f64) -> Probe {
        let rounding = self.ball.limits(2.0 * far + reach(self.half_axis)).rounding;
        Probe { ball: self.ball, half_axis: self.half_axis, rounding }
    }

    fn to_probe(&self, offset: DVec3) -> DVec3 {
        offset
    }

    fn least_length(&self, length: f64) -> f64 {
        length
    }

    fn probe_contact(&self, gap: f64, foot: &PatchFoot, feature: Feature, rounding: f64) -> Contact {
        Contact { gap, normal: foot.normal, point: self.path.from() + foot.foot, feature, rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use glam::dvec3;

    fn floor() -> Triangle {
        Triangle::new(dvec3(-4.0, 0.0, -4.0), dvec3(0.0, 0.0, 4.0), dvec3(4.0, 0.0, -4.0)).unwrap()
    }

    fn cast(capsule: Capsule, from: DVec3, translation: DVec3) -> Option<Hit> {
        capsule_triangle(&capsule, &Path::new(from, translation).unwrap(), &floor())
    }

    fn upright() -> Capsule {
        Capsule::new(0.3, 0.6).unwrap()
    }

    fn lying() -> Capsule {
        upright().with_rotation(rotation_about(DVec3::Z, core::f64::consts::FRAC_PI_2)).unwrap()
    }

    #[test]
    fn lands_upright_and_lying() {
        let hit = cast(upright(), dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0)).unwrap();
        assert!((hit.fraction - 2.1 / 4.0).abs() < 1e-13 && hit.fraction <= 2.1 / 4.0);
        assert_eq!((hit.normal, hit.feature), (DVec3::Y, Feature::Face));
        assert!(hit.point.length() < 1e-12);
        let hit = cast(lying(), dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0)).unwrap();
        assert!((hit.fraction - 2.7 / 4.0).abs() < 1e-13);
        assert!((hit.normal - DVec3::Y).length() < 1e-12 && hit.point.y.abs() < 1e-12);
    }

    #[test]
    fn its_side_meets_an_edge() {
        let hit = cast(upright(), dvec3(1.0, 0.2, -9.0), dvec3(0.0, 0.0, 8.0)).unwrap();
        assert!((hit.fraction - 4.7 / 8.0).abs() < 1e-13);
        assert_eq!((hit.normal, hit.feature), (-DVec3::Z, Feature::Edge(2)));
        assert!((hit.point - dvec3(1.0, 0.0, -4.0)).length() < 1e-12);
    }

    #[test]
    fn the_lying_axis_meets_a_corner_between_its_caps() {
        let hit = cast(lying(), dvec3(0.2, 0.1, 8.0), dvec3(0.0, 0.0, -8.0)).unwrap();
        assert_eq!((hit.point, hit.feature), (dvec3(0.0, 0.0, 4.0), Feature::Vertex(1)));
        let along = 4.0 - crate::num::ops::sqrt(0.09 - 0.01);
        assert!((hit.fraction - along / 8.0).abs() < 1e-13);
    }

    #[test]
    fn an_axis_through_the_face_leaves_upwards_or_by_the_nearer_side() {
        let start = dvec3(0.0, 0.1, 0.0);
        let hit = cast(upright(), start, dvec3(0.0, -1.0, 0.0)).unwrap();
        assert!(hit.start_overlap && hit.fraction == 0.0 && hit.normal == DVec3::Y);
        assert!(cast(upright(), start, dvec3(1.0, 1.0, 0.0)).is_none());
        // By the rim the least way out is sideways.
        let hit = cast(upright(), dvec3(0.0, 0.1, -3.9), dvec3(0.0, 0.0, 1.0)).unwrap();
        assert_eq!((hit.normal, hit.feature, hit.start_overlap), (-DVec3::Z, Feature::Edge(2), true));
        assert!(cast(upright(), dvec3(0.0, 0.1, -3.9), dvec3(0.0, -1.0, -1.0)).is_none());
    }

    #[test]
    fn a_plane_is_met_by_the_lower_cap() {
        let plane = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
        let tilted = upright().with_rotation(rotation_about(DVec3::Z, 0.5)).unwrap();
        let path = Path::new(dvec3(1.0, 3.0, 2.0), dvec3(0.0, -4.0, 0.0)).unwrap();
        let hit = capsule_plane(&tilted, &path, &plane).unwrap();
        let lowest = tilted.half_axis().y + 0.3;
        assert!((hit.fraction - (3.0 - lowest) / 4.0).abs() < 1e-13);
        assert!((hit.point - dvec3(1.0 - tilted.half_axis().x, 0.0, 2.0)).length() < 1e-12);
        let path = Path::new(dvec3(1.0, 0.1, 2.0), DVec3::Y).unwrap();
        assert_eq!(capsule_plane(&tilted, &path, &plane), None);
    }
}
