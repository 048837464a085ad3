//! Oriented box as a bounding volume.
//!
//! Source: Gottschalk, Lin, Manocha, *OBB trees* (1996). It is fitted along directions of spread (`frames`),
//! then tightened to exactly the extent of its contents along each axis. Error: axes and center are rounded
//! to f32 first, and the extents are measured along the rounded axes. These are perpendicular to within 2⁻²¹.
//! So a point with measured coordinates s lies within s ± 2⁻²¹·√3·|s| in the skew box that the axes span. The
//! extents are grown by 2⁻¹⁹ of the size of the box and rounded up, so the box contains everything in exact
//! arithmetic.

use alloc::vec::Vec;

use glam::{DMat3, DVec3, Vec3};

use super::frames;
use super::{PackedAabb, Volume};
use crate::num::ops::sqrt;

/// A box of any orientation in 48 bytes, faces included: the volume for surfaces compared with surfaces.
///
/// A half extent beyond the range of f32 is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Obb {
    center: Vec3,
    half_extents: Vec3,
    /// The third is their cross product.
    x: Vec3,
    y: Vec3,
}

/// The directions that an [`Obb`] is fitted along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObbFit {
    /// The principal axes of the surface.
    Surface,
    /// The principal axes of the surface of the convex hull of its farthest points.
    Hull,
    /// Of both, of the axes of the coordinates, of the frames of normal and edge of the largest triangle, and
    /// of normal and longest edge of every triangle of up to eight, those in which the box is smallest. The
    /// covariance of a cube says nothing, and a box along it may be 3.7 times too large.
    #[default]
    Smallest,
}

/// Below this the hull is not worth its time.
const HULL_FROM: usize = 64;

/// Up to this the frame of every triangle is tried.
const FRAMES_TO: usize = 8;

impl Obb {
    /// The box around some triangles; `None` if there are none. A corner that is not finite makes it
    /// unbounded.
    pub fn around_triangles(triangles: &[[Vec3; 3]], fit: ObbFit) -> Option<Self> {
        let corners = || triangles.iter().map(|triangle| triangle.map(Vec3::as_dvec3));
        let points = || corners().flatten();
        let first = points().next()?;
        // In the middle, where squares lose least.
        let (lower, upper) = points().fold((first, first), |(lower, upper), p| (lower.min(p), upper.max(p)));
        let middle = 0.5 * lower + 0.5 * upper;
        let about = || corners().map(|triangle| triangle.map(|corner| corner - middle));
        let surface = || frames::of_surface(about());
        let mut candidates: Vec<DMat3> = Vec::new();
        match fit {
            ObbFit::Surface => candidates.push(surface()),
            ObbFit::Hull => candidates.push(frames::of_hull(about().flatten()).unwrap_or_else(surface)),
            ObbFit::Smallest => {
                candidates.push(DMat3::IDENTITY);
                if triangles.len() > 1 {
                    candidates.push(surface());
                }
                if triangles.len() >= HULL_FROM {
                    candidates.extend(frames::of_hull(about().flatten()));
                }
                if (2..=FRAMES_TO).contains(&triangles.len()) {
                    candidates.extend(about().filter_map(frames::of_triangle));
                }
                let area = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).length_squared();
                if let Some(largest) = about().max_by(|one, other| area(one).total_cmp(&area(other))) {
                    candidates.extend((0..3).filter_map(|edge| frames::along_edge(largest, edge)));
                }
            }
        }
        candidates
            .into_iter()
            .map(|frame| Self::along(&frame, points))
            .min_by(|a, b| a.measure().total_cmp(&b.measure()))
    }

    /// The smallest box along these axes around some points, of which there is at least one.
    fn along<I: Iterator<Item = DVec3>>(frame: &DMat3, points: impl Fn() -> I) -> Self {
        let own = |p: DVec3| DVec3::new(frame.x_axis.dot(p), frame.y_axis.dot(p), frame.z_axis.dot(p));
        let (mut lower, mut upper) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in points() {
            let p = own(p);
            lower = lower.min(p);
            upper = upper.max(p);
        }
        let center = (*frame * (0.5 * lower + 0.5 * upper)).as_vec3();
        let mut obb =
            Self { center, half_extents: Vec3::ZERO, x: frame.x_axis.as_vec3(), y: frame.y_axis.as_vec3() };
        let axes = obb.axes().as_dmat3();
        let middle = center.as_dvec3();
        let (mut half, mut largest) = (DVec3::ZERO, 0f64);
        for p in points() {
            let from = p - middle;
            let s = DVec3::new(axes.x_axis.dot(from), axes.y_axis.dot(from), axes.z_axis.dot(from)).abs();
            half = half.max(s);
            largest = largest.max(s.max_element());
        }
        let half = half + DVec3::splat(largest * SKEW);
        obb.half_extents = Vec3::new(round_up(half.x), round_up(half.y), round_up(half.z));
        if !obb.is_sound() {
            return Self::unbounded();
        }
        obb
    }

    fn is_sound(&self) -> bool {
        self.center.is_finite() && self.x.is_finite() && self.y.is_finite() && !self.half_extents.is_nan()
    }

    /// A volume that cannot be measured has no bound.
    fn unbounded() -> Self {
        Self { center: Vec3::ZERO, half_extents: Vec3::INFINITY, x: Vec3::X, y: Vec3::Y }
    }

    /// Its size, for comparisons: the volume, but flat boxes count as if they were 2⁻¹⁰ of their length
    /// thick.
    fn measure(&self) -> f64 {
        let half = self.half_extents.as_dvec3();
        let half = half + DVec3::splat(half.max_element() / 1024.0);
        half.x * half.y * half.z
    }

    /// The middle.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Its half extents along its axes.
    pub fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// Its axes as columns, of length one and perpendicular to each other to within 2⁻²¹.
    #[inline(always)]
    pub fn axes(&self) -> glam::Mat3 {
        glam::Mat3::from_cols(self.x, self.y, self.x.cross(self.y))
    }

    /// The eight corners. Bit 0 of the index is set for the upper side of the box's own first axis, bit 1 for
    /// the second, bit 2 for the third.
    pub fn corners(&self) -> [DVec3; 8] {
        let (axes, half) = (self.axes().as_dmat3(), self.half_extents.as_dvec3());
        core::array::from_fn(|i| {
            let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            self.center.as_dvec3() + axes * (half * DVec3::new(side(0), side(1), side(2)))
        })
    }

    /// Its half extents along the axes of its coordinates.
    fn reach(&self) -> DVec3 {
        let (axes, half) = (self.axes().as_dmat3(), self.half_extents.as_dvec3());
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        // 0 times an infinite extent is NaN.
        DVec3::select(reach.is_nan_mask(), DVec3::INFINITY, reach * (1.0 + 8.0 * f64::EPSILON))
    }
}

/// 2⁻¹⁹.
const SKEW: f64 = 1.0 / (1u64 << 19) as f64;

/// The next f32 that is not below.
fn round_up(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) < x { nearest.next_up() } else { nearest }
}

impl From<PackedAabb> for Obb {
    fn from(aabb: PackedAabb) -> Self {
        let corners = [aabb.min().as_dvec3(), aabb.max().as_dvec3()];
        Self::along(&DMat3::IDENTITY, || corners.into_iter())
    }
}

impl Volume for Obb {
    /// The smaller of the boxes around both along the axes of either.
    fn around(&self, other: &Self) -> Self {
        let corners = [self.corners(), other.corners()];
        let points = || corners.iter().flatten().copied();
        let [first, second] = [self, other].map(|obb| Self::along(&obb.axes().as_dmat3(), points));
        if second.measure() < first.measure() { second } else { first }
    }

    fn lower(&self) -> DVec3 {
        (self.center.as_dvec3() - self.reach()).map(f64::next_down)
    }

    fn upper(&self) -> DVec3 {
        (self.center.as_dvec3() + self.reach()).map(f64::next_up)
    }

    fn volume(&self) -> f64 {
        let half = self.half_extents.as_dvec3();
        8.0 * half.x * half.y * half.z
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.half_extents.length_squared()
    }

    fn distance_squared(&self, point: DVec3) -> f64 {
        let (axes, half) = (self.axes().as_dmat3(), self.half_extents.as_dvec3());
        let from = point - self.center.as_dvec3();
        let s = DVec3::new(axes.x_axis.dot(from), axes.y_axis.dot(from), axes.z_axis.dot(from)).abs();
        let rounding = SKEW * (s.max_element() + half.max_element());
        let gap = s - half - DVec3::splat(rounding);
        // Comparisons, not `max`: a NaN gives 0, which skips nothing.
        let gap = gap.map(|gap| if gap > 0.0 { gap } else { 0.0 });
        super::volume::round_down_square(gap.length_squared())
    }
}

/// The length of half the diagonal, in meters.
impl Obb {
    /// The distance from the middle to a corner.
    pub fn radius(&self) -> f64 {
        sqrt(self.half_extents.as_dvec3().length_squared()) * (1.0 + SKEW)
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;
    use glam::vec3;
    use proptest::prelude::*;

    use super::*;

    fn exact(v: DVec3) -> [RBig; 3] {
        v.to_array().map(|x| RBig::try_from(x).unwrap())
    }

    fn cross(a: &[RBig; 3], b: &[RBig; 3]) -> [RBig; 3] {
        core::array::from_fn(|i| &a[(i + 1) % 3] * &b[(i + 2) % 3] - &a[(i + 2) % 3] * &b[(i + 1) % 3])
    }

    fn dot(a: &[RBig; 3], b: &[RBig; 3]) -> RBig {
        &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
    }

    fn magnitude(x: RBig) -> RBig {
        if x < RBig::ZERO { -x } else { x }
    }

    /// In exact arithmetic, by Cramer's rule: the point is center + axes · s with |s| ≤ half extents.
    fn holds(obb: &Obb, p: DVec3) -> bool {
        let axes = obb.axes().as_dmat3();
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(exact);
        let [c, p] = [obb.center.as_dvec3(), p].map(exact);
        let v: [RBig; 3] = core::array::from_fn(|i| &p[i] - &c[i]);
        let whole = magnitude(dot(&x, &cross(&y, &z)));
        let half = exact(obb.half_extents.as_dvec3());
        [cross(&y, &z), cross(&z, &x), cross(&x, &y)]
            .iter()
            .zip(half)
            .all(|(n, half)| magnitude(dot(&v, n)) <= half * &whole)
    }

    fn triangles() -> impl Strategy<Value = Vec<[Vec3; 3]>> {
        let number = prop_oneof![-1.0..1.0f32, prop::sample::select(vec![0.0, 0.5, -0.5])];
        let triangle = prop::array::uniform9(number)
            .prop_map(|n| [vec3(n[0], n[1], n[2]), vec3(n[3], n[4], n[5]), vec3(n[6], n[7], n[8])]);
        let size = prop::sample::select(vec![1e-30f32, 1e-3, 1.0, 1e6, 1e30]);
        (prop::collection::vec(triangle, 1..80), size, prop::sample::select(vec![0.0f32, 1.0, 1e4])).prop_map(
            |(triangles, size, far)| {
                let place = |p: Vec3| (p + vec3(far, 0.0, -far)) * size;
                triangles.into_iter().map(|triangle| triangle.map(place)).collect()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn holds_every_corner_whatever_it_is_fitted_to(triangles in triangles()) {
            for fit in [ObbFit::Surface, ObbFit::Hull, ObbFit::Smallest] {
                let obb = Obb::around_triangles(&triangles, fit).unwrap();
                for corner in triangles.iter().flatten() {
                    let p = corner.as_dvec3();
                    prop_assert!(holds(&obb, p), "{obb:?} {p:?}");
                    prop_assert!(obb.lower().cmple(p).all() && obb.upper().cmpge(p).all());
                    prop_assert_eq!(obb.distance_squared(p), 0.0);
                }
            }
        }

        #[test]
        fn around_two_holds_the_corners_of_both(a in triangles(), b in triangles()) {
            let [a, b] = [a, b].map(|t| Obb::around_triangles(&t, ObbFit::Smallest).unwrap());
            let around = a.around(&b);
            for corner in [a, b].iter().flat_map(Obb::corners) {
                prop_assert!(holds(&around, corner), "{around:?} {corner:?}");
            }
        }
    }

    #[test]
    fn a_turned_plank_and_a_cube_are_held_tightly() {
        let faces =
            crate::shape::convex_hull(&crate::shape::Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap().corners())
                .unwrap();
        for (half, angle) in [(DVec3::new(4.0, 1.0, 0.1), 0.7), (DVec3::ONE, 0.4)] {
            let turn = crate::num::ops::rotation_about(DVec3::new(1.0, 2.0, 3.0), angle);
            let corners =
                crate::shape::Aabb::new(-half, half).unwrap().corners().map(|p| (turn * p).as_vec3());
            let triangles: Vec<[Vec3; 3]> =
                faces.iter().map(|face| face.map(|i| corners[i as usize])).collect();
            let obb = Obb::around_triangles(&triangles, ObbFit::Smallest).unwrap();
            let volume = 8.0 * half.x * half.y * half.z;
            assert!(obb.volume() >= volume * (1.0 - 1e-6) && obb.volume() < volume * 1.001, "{obb:?}");
        }
    }

    #[test]
    fn has_no_bounds_where_f32_ends() {
        let huge = [[vec3(f32::MAX, f32::MAX, f32::MAX), vec3(-f32::MAX, -f32::MAX, -f32::MAX), Vec3::ZERO]];
        for fit in [ObbFit::Surface, ObbFit::Hull, ObbFit::Smallest] {
            let obb = Obb::around_triangles(&huge, fit).unwrap();
            assert!(obb.upper().x >= f64::from(f32::MAX));
        }
        assert_eq!(Obb::around_triangles(&[], ObbFit::Smallest), None);
        assert_eq!(size_of::<Obb>(), 48);
    }
}
