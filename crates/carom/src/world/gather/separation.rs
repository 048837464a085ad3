//! Proves that a triangle is out of reach of a mover: by a direction along which the two are apart.
//!
//! Boxes do not tell: that of a large triangle that lies aslant covers much that the triangle does not. The
//! directions tried are the triangle's normal and those across its edges in its plane; along each the mover
//! reaches as far as its shape does. Any direction proves it, so its own rounding does not matter; that of
//! the distances along it is bounded. Cost: four directions, about 40 operations each and a support point.
//! Gives up: other directions, for example those across two edges.

use glam::DVec3;

use crate::num::bound::UNIT_ROUNDOFF;
use crate::shape::{Aabb, Mover};

/// All that a mover can reach while its center stays in a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<'a> {
    /// The middle of a box around it, and half of the box's sides.
    center: DVec3,
    half: DVec3,
    /// The mover, if its axes are those of the box.
    mover: Option<&'a Mover>,
}

impl<'a> Reach<'a> {
    /// Within a box that holds the mover wherever its center may be. The mover has the axes of the box.
    pub(super) fn new(area: &Aabb, mover: Option<&'a Mover>) -> Self {
        Self { center: area.center(), half: area.half_extents(), mover }
    }

    /// Whether it shares no point with a triangle, for sure.
    pub(super) fn is_apart_from(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let corners = [DVec3::ZERO, b - a, c - a];
        let center = self.center - a;
        let normal = corners[1].cross(corners[2]);
        let across = [corners[1], c - b, corners[2]].map(|edge| edge.cross(normal));
        let [first, second, third] = across;
        [normal, first, second, third].into_iter().any(|axis| self.is_apart_along(axis, center, corners))
    }

    /// Whether the two are apart along a direction.
    fn is_apart_along(&self, axis: DVec3, center: DVec3, corners: [DVec3; 3]) -> bool {
        let sum = |v: DVec3| v.abs().element_sum();
        let [a, b, c] = corners.map(|corner| axis.dot(corner - center));
        let gap = a.min(b).min(c).max(-a.max(b).max(c));
        let sizes = sum(center) + sum(corners[1]) + sum(corners[2]) + sum(self.half);
        let rounding = 32.0 * UNIT_ROUNDOFF * sum(axis) * sizes;
        let reach = axis.abs().dot(self.half) + rounding;
        // Seldom is the box enough and the mover needed.
        gap > reach || gap > 0.0 && gap > reach - self.spare(axis)
    }

    /// How much less far the mover reaches along a direction than the box around it.
    fn spare(&self, axis: DVec3) -> f64 {
        self.mover.map_or(0.0, |mover| {
            let box_reach = axis.abs().dot(mover.half_extents());
            (box_reach - mover.support_point(axis).dot(axis)).max(0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;

    use super::*;
    use crate::num::random::Random;
    use crate::shape::{Capsule, Cuboid, Ellipsoid, Sphere};

    #[test]
    fn no_mover_touches_a_triangle_that_it_is_apart_from() {
        let mut random = Random(0x5E9A);
        let (mut apart, mut boxes) = (0, 0);
        for _ in 0..20_000 {
            let mover: Mover = random.pick(&[
                Sphere::new(0.4).unwrap().into(),
                Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
                Capsule::new(0.3, 0.6).unwrap().into(),
                Cuboid::new(dvec3(0.3, 0.9, 0.5)).unwrap().into(),
            ]);
            let mut point = |size: f64| dvec3(random.number(), random.number(), random.number()) * size;
            let size = 1.5;
            let triangle = [point(size), point(size), point(size)];
            let (at, way) = (point(size), point(0.1).abs());
            let centers = Aabb::new(at - way, at + way).unwrap();
            let half = mover.half_extents();
            let area = Aabb::new(centers.min() - half, centers.max() + half).unwrap();
            if !Reach::new(&area, Some(&mover)).is_apart_from(triangle) {
                continue;
            }
            apart += 1;
            let [a, b, c] = triangle;
            boxes += u32::from(area.overlaps_aabb(&Aabb::enclosing(triangle).unwrap()));
            for _ in 0..40 {
                let (u, v) = (random.number().abs(), random.number().abs());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let on = a + (b - a) * u + (c - a) * v;
                let center = centers.closest_point(on);
                assert!(!mover.contains(on - center), "{mover:?} at {center}, {triangle:?}");
            }
        }
        assert!(apart > 3000 && boxes > 1000, "{apart} {boxes}");
    }

    #[test]
    fn a_mover_that_hugs_a_wall_aslant_is_apart_from_it_though_its_box_is_not() {
        let mover: Mover = Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into();
        // A wall across (1, 0, 1), 0.41 m away.
        let (along, off) = (dvec3(1.0, 0.0, -1.0), dvec3(1.0, 0.0, 1.0).normalize() * 0.41);
        let triangle = [off + along * 9.0 - DVec3::Y * 9.0, off - along * 9.0, off + DVec3::Y * 9.0];
        let half = mover.half_extents();
        let area = Aabb::new(-half, half).unwrap();
        assert!(Reach::new(&area, Some(&mover)).is_apart_from(triangle));
        assert!(!Reach::new(&area, None).is_apart_from(triangle));
        let nearer = triangle.map(|corner| corner - off * 0.03);
        assert!(!Reach::new(&area, Some(&mover)).is_apart_from(nearer));
    }
}
