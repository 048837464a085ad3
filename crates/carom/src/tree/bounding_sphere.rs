//! Sphere as a bounding volume.
//!
//! The union of two spheres is the sphere whose diameter spans both (or the larger one, if it contains the
//! other). Error: the radius is rounded up after the center is rounded to f32, so it contains both in exact
//! arithmetic.

use glam::{DVec3, Vec3};

use super::Volume;
use super::volume::round_down_square;
use crate::num::ops;
use crate::shape::{Aabb, ShapeError};

/// All points within a distance of a point, in 16 bytes: the volume for round things.
///
/// A radius beyond the range of f32 is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BoundingSphere {
    center: Vec3,
    radius: f32,
}

/// 2⁻⁴⁹: more than a sum of squares of exact differences, its root and two additions are off by, relative to
/// themselves. The differences of f32 numbers are off by 2⁻⁵³ at most and their squares neither overflow nor
/// underflow.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl BoundingSphere {
    /// The sphere of this radius about a point, exactly, in meters. Radius 0 is the point.
    ///
    /// # Errors
    /// A number that is not finite, or a radius below 0.
    pub fn new(center: Vec3, radius: f32) -> Result<Self, ShapeError> {
        if !center.is_finite() {
            Err(ShapeError::NotFinite("center"))
        } else if radius >= 0.0 && radius.is_finite() {
            Ok(Self { center, radius })
        } else {
            Err(ShapeError::Negative("radius"))
        }
    }

    /// A small sphere around some points; `None` if there are none. At most 1 % larger than the smallest
    /// there is, for all sets of points that were tried.
    ///
    /// Source: Bădoiu, Clarkson, *Smaller core-sets for balls* (2003): the middle walks towards the farthest
    /// point, by ever smaller steps. The best of its places is kept.
    pub fn around_points(points: &[Vec3]) -> Option<Self> {
        let first = *points.first()?;
        let (lower, upper) = points.iter().fold((first, first), |(l, u), &p| (l.min(p), u.max(p)));
        let mut middle = 0.5 * lower.as_dvec3() + 0.5 * upper.as_dvec3();
        let mut best = (f64::INFINITY, middle);
        for step in 0..STEPS {
            let (mut farthest, mut square) = (middle, -1.0);
            for p in points {
                let p = p.as_dvec3();
                let distance = (p - middle).length_squared();
                if distance > square {
                    (farthest, square) = (p, distance);
                }
            }
            if square < best.0 {
                best = (square, middle);
            }
            middle += (farthest - middle) / f64::from(step + 2);
        }
        let center = best.1.as_vec3();
        let point = |p: &Vec3| Self { center: *p, radius: 0.0 }.reach_from(center.as_dvec3());
        Some(Self { center, radius: round_up(points.iter().map(point).fold(0.0, f64::max)) })
    }

    /// The center.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The radius.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// A bound from above on the distance from a point to the far side of the sphere.
    fn reach_from(&self, point: DVec3) -> f64 {
        let distance = ops::sqrt((self.center.as_dvec3() - point).length_squared());
        (distance + f64::from(self.radius)) * (1.0 + ROUNDING)
    }
}

/// Steps of the walk of a middle: the radius is then within a percent of the smallest.
const STEPS: u32 = 48;

/// The next f32 that is not below.
fn round_up(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) < x { nearest.next_up() } else { nearest }
}

impl Volume for BoundingSphere {
    fn around(&self, other: &Self) -> Self {
        let (small, large) = if self.radius < other.radius { (self, other) } else { (other, self) };
        let reach = small.reach_from(large.center.as_dvec3());
        let radius = f64::from(large.radius);
        if reach <= radius {
            return *large;
        }
        // The far side of the small one is farther from the middle of the large one than that one's own
        // surface: half the excess is how far the middle moves towards the small one.
        let between = small.center.as_dvec3() - large.center.as_dvec3();
        let distance = ops::sqrt(between.length_squared());
        let share = if distance > 0.0 { (0.5 * (reach - radius) / distance).min(1.0) } else { 0.0 };
        let center = (large.center.as_dvec3() + between * share).as_vec3();
        let middle = center.as_dvec3();
        Self { center, radius: round_up(small.reach_from(middle).max(large.reach_from(middle))) }
    }

    fn lower(&self) -> DVec3 {
        // A difference of two f32 need not be an f64: one step outward.
        (self.center.as_dvec3() - f64::from(self.radius)).map(f64::next_down)
    }

    fn upper(&self) -> DVec3 {
        (self.center.as_dvec3() + f64::from(self.radius)).map(f64::next_up)
    }

    fn volume(&self) -> f64 {
        let radius = f64::from(self.radius);
        4.0 / 3.0 * core::f64::consts::PI * radius * radius * radius
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.radius * self.radius
    }

    fn overlaps(&self, aabb: &Aabb) -> bool {
        let center = self.center.as_dvec3();
        let gap = (aabb.min() - center).max(center - aabb.max()).max(DVec3::ZERO);
        let radius = f64::from(self.radius);
        round_down_square(gap.length_squared()) <= radius * radius * (1.0 + ROUNDING)
    }

    fn distance_squared(&self, point: DVec3) -> f64 {
        let distance = ops::sqrt((self.center.as_dvec3() - point).length_squared());
        // Both roundings outward before the difference, which may cancel.
        let gap = distance * (1.0 - ROUNDING) - f64::from(self.radius);
        // A NaN in the point gives 0, which skips nothing.
        if gap > 0.0 { round_down_square(gap * gap) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;
    use glam::vec3;
    use proptest::prelude::*;

    use super::*;

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    fn squared_distance(a: [RBig; 3], b: [RBig; 3]) -> RBig {
        a.into_iter().zip(b).map(|(a, b)| &a - &b).fold(RBig::ZERO, |sum, d| sum + &d * &d)
    }

    fn center(sphere: &BoundingSphere) -> [RBig; 3] {
        sphere.center().to_array().map(|x| exact(x.into()))
    }

    fn holds(large: &BoundingSphere, small: &BoundingSphere) -> bool {
        let excess = exact(large.radius().into()) - exact(small.radius().into());
        excess >= RBig::ZERO && squared_distance(center(large), center(small)) <= &excess * &excess
    }

    fn sphere() -> impl Strategy<Value = BoundingSphere> {
        let size = prop::sample::select(vec![0.0, 1e-40, 1e-20, 1e-3, 1.0, 1e3, 1e20, 1e38]);
        (prop::array::uniform3(-1.0..1.0f32), 0.0..1.0f32, size.clone(), size).prop_map(
            |(c, r, far, large)| BoundingSphere::new(vec3(c[0], c[1], c[2]) * far, r * large).unwrap(),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn around_two_holds_both(a in sphere(), b in sphere()) {
            for around in [a.around(&b), b.around(&a)] {
                prop_assert!(holds(&around, &a) && holds(&around, &b), "{around:?}");
                // And is no larger than need be, but for rounding.
                let distance = a.center().as_dvec3().distance(b.center().as_dvec3());
                let (ra, rb) = (f64::from(a.radius()), f64::from(b.radius()));
                let smallest = ra.max(rb).max(0.5 * (distance + ra + rb));
                let reach = smallest + a.center().as_dvec3().length().max(b.center().as_dvec3().length());
                prop_assert!(f64::from(around.radius()) <= smallest + 1e-6 * reach + 1e-44, "{around:?}");
            }
        }

        #[test]
        fn boxes_hold_their_spheres(a in sphere()) {
            for axis in 0..3 {
                let (c, r) = (exact(a.center()[axis].into()), exact(a.radius().into()));
                prop_assert!(exact(a.lower()[axis]) <= &c - &r && &c + &r <= exact(a.upper()[axis]));
            }
        }

        #[test]
        fn no_box_that_touches_is_missed(
            a in sphere(), p in prop::array::uniform3(-1.5..1.5f64), size in prop::array::uniform3(0.0..1.0f64),
        ) {
            // Around the surface of the sphere, where it is close.
            let center_of_a = a.center().as_dvec3();
            let direction = DVec3::from(p);
            let corner = center_of_a + direction / direction.length().max(1e-9) * f64::from(a.radius());
            let aabb = Aabb::new(corner, corner + DVec3::from(size) * f64::from(a.radius())).unwrap();
            let nearest: [RBig; 3] = core::array::from_fn(|axis| {
                exact(f64::from(a.center()[axis]).clamp(aabb.min()[axis], aabb.max()[axis]))
            });
            let radius = exact(a.radius().into());
            let touches = squared_distance(center(&a), nearest) <= &radius * &radius;
            prop_assert!(a.overlaps(&aabb) || !touches);
        }

        #[test]
        fn distances_are_never_too_long(a in sphere(), p in prop::array::uniform3(-1.5..1.5f64)) {
            let point = a.center().as_dvec3() + DVec3::from(p) * f64::from(a.radius()).max(1e-3);
            let bound = exact(a.distance_squared(point));
            // √bound + radius ≤ distance, squared twice to be rid of the root.
            let distance = squared_distance(center(&a), point.to_array().map(exact));
            let rest = &distance - &bound - exact(a.radius().into()) * exact(a.radius().into());
            let product = exact(4.0) * &bound * exact(a.radius().into()) * exact(a.radius().into());
            prop_assert!(bound == RBig::ZERO || (rest >= RBig::ZERO && &rest * &rest >= product));
        }
    }

    #[test]
    fn around_points_is_hardly_larger_than_need_be() {
        // Corners of a box: the smallest sphere is known. And a point inside changes nothing.
        let half = vec3(3.0, 2.0, 1.0);
        let mut points: Vec<Vec3> = (0..8)
            .map(|i| {
                half * vec3(
                    if i & 1 == 0 { -1.0 } else { 1.0 },
                    if i & 2 == 0 { -1.0 } else { 1.0 },
                    (i / 4 * 2 - 1) as f32,
                )
            })
            .collect();
        points.push(vec3(0.1, 0.2, 0.3));
        let around = BoundingSphere::around_points(&points).unwrap();
        assert!(around.radius() >= half.length() && around.radius() < half.length() * 1.01);
        // An equilateral triangle: neither its box nor two of its corners give the middle.
        let triangle = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.5, 0.866_025_4, 0.0)];
        let around = BoundingSphere::around_points(&triangle).unwrap();
        assert!(around.radius() < 0.577_35 * 1.01, "{around:?}");
        assert_eq!(BoundingSphere::around_points(&[]), None);
    }

    #[test]
    fn around_points_is_as_small_wherever_they_are() {
        let points = [vec3(1.0, 0.0, 0.5), vec3(-1.0, 0.25, 0.0), vec3(0.0, 1.0, -0.5), vec3(0.0, -0.5, 1.0)];
        let around = BoundingSphere::around_points(&points).unwrap();
        for far in [vec3(1024.0, 0.0, 0.0), vec3(-512.0, 1024.0, 256.0), Vec3::splat(-1024.0)] {
            let moved = BoundingSphere::around_points(&points.map(|p| p + far)).unwrap();
            assert!((moved.radius() - around.radius()).abs() < 1e-3, "{moved:?} {around:?}");
        }
    }

    #[test]
    fn a_volume_is_the_share_of_its_box_that_it_fills() {
        for radius in [0.25, 1.0, 8.0] {
            let sphere = BoundingSphere::new(vec3(3.0, -2.0, 1.0), radius).unwrap();
            let size = sphere.upper() - sphere.lower();
            let share = sphere.volume() / (size.x * size.y * size.z);
            assert!((share - core::f64::consts::PI / 6.0).abs() < 1e-6, "{radius}: {share}");
        }
    }

    #[test]
    fn radii_beyond_f32_are_infinite() {
        let a = BoundingSphere::new(vec3(3e38, 0.0, 0.0), 3e38).unwrap();
        let b = BoundingSphere::new(vec3(-3e38, 0.0, 0.0), 3e38).unwrap();
        let around = a.around(&b);
        assert_eq!(around.radius(), f32::INFINITY);
        assert_eq!(around.around(&a).radius(), f32::INFINITY);
        assert_eq!(around.lower(), DVec3::NEG_INFINITY);
        assert_eq!(around.distance_squared(DVec3::splat(1e40)), 0.0);
        assert!(around.overlaps(&Aabb::new(DVec3::splat(1e60), DVec3::splat(1e60)).unwrap()));
    }

    #[test]
    fn refuses_what_is_no_sphere() {
        assert_eq!(BoundingSphere::new(Vec3::NAN, 1.0), Err(ShapeError::NotFinite("center")));
        for radius in [-1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(BoundingSphere::new(Vec3::ZERO, radius), Err(ShapeError::Negative("radius")));
        }
    }
}
