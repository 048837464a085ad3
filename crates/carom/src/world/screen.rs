//! Which of four triangles a mover may meet: what is left is for the kernel to decide.
//!
//! Source: separating directions (Ericson, *Real-Time Collision Detection*, 5.2.1). If along some direction `m` the mover, on all
//! of its way so far as it matters, stays clear of all three corners, it does not meet the triangle. That holds for any `m`
//! whatever, so a normal that rounding has spoiled, or that of a sliver, costs a question to the kernel, never an answer.
//! Besides, the box around the triangle must be met in time.
//!
//! Error, in units of 2⁻²⁴ · size · |m| (see `tree::wide::course`): a corner relative to the start is off by 3 along each axis, its
//! product with m by 16, that of the way by 9, their difference by 9, and the mover's own reach along m by 40 at most, all together
//! less than 80. The mover is grown by 128. Where a square overflows or numbers cancel to no number the triangle is kept.
//! Cost: some 120 operations on four lanes.

use glam::{DVec3, Vec3};
use wide::f32x4;

use crate::shape::Mover;
use crate::tree::{Course, WIDTH};

/// Three components, for four triangles.
type Lanes = [f32x4; 3];

/// A mover on its course, asked about triangles.
pub(crate) struct Screen<'a> {
    course: &'a Course,
    /// By how much everything is grown, besides the mover's own extent.
    margin: f32,
    extent: Extent,
}

/// How far a mover stands out along a direction.
enum Extent {
    Round {
        radius: f32,
    },
    Capsule {
        radius: f32,
        axis: Vec3,
    },
    /// Half the edges.
    Cuboid {
        edges: [Vec3; 3],
    },
    /// Half the axes.
    Ellipsoid {
        axes: [Vec3; 3],
    },
}

impl<'a> Screen<'a> {
    /// For a mover that may report contacts as far as `margin` away.
    pub(crate) fn new(course: &'a Course, mover: &Mover, margin: f64) -> Self {
        let up = |x: f64| (x as f32).next_up();
        let extent = match mover {
            Mover::Point => Extent::Round { radius: 0.0 },
            Mover::Sphere(sphere) => Extent::Round { radius: up(sphere.radius()) },
            Mover::Capsule(capsule) => {
                Extent::Capsule { radius: up(capsule.radius()), axis: capsule.half_axis().as_vec3() }
            }
            Mover::Cuboid(cuboid) => {
                Extent::Cuboid { edges: scaled(cuboid.axes().to_cols_array_2d(), cuboid.half_extents()) }
            }
            Mover::Ellipsoid(ellipsoid) => {
                Extent::Ellipsoid { axes: scaled(ellipsoid.axes().to_cols_array_2d(), ellipsoid.radii()) }
            }
        };
        Self { course, margin: up(margin + 2.0 * course.growth), extent }
    }

    /// A fraction of the whole way as one of the course: see [`Course::limit`].
    #[inline(always)]
    pub(crate) fn limit(&self, fraction: f64) -> f32 {
        self.course.limit(fraction)
    }

    /// Fractions of the course before which the triangles are not met, as far as their boxes and planes tell; above the limit
    /// those that are not met by then.
    #[inline(always)]
    pub(crate) fn entries(&self, triangles: [&[[f32; 3]; 3]; WIDTH], limit: f32) -> [f32; WIDTH] {
        let lanes = |corner: usize, axis: usize| {
            let [a, b, c, d] = triangles;
            f32x4::new([a[corner][axis], b[corner][axis], c[corner][axis], d[corner][axis]])
                - f32x4::splat(self.course.from[axis])
        };
        let corner = |corner: usize| [lanes(corner, 0), lanes(corner, 1), lanes(corner, 2)];
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let corners = [a, b, c];
        let (zero, never) = (f32x4::splat(0.0), f32x4::splat(f32::INFINITY));
        let mut entry = zero;
        let mut exit = f32x4::splat(limit);
        for axis in 0..3 {
            let reach = f32x4::splat(self.course.reach[axis]);
            let inverse = f32x4::splat(self.course.inverse[axis]);
            let lower = (a[axis].fast_min(b[axis]).fast_min(c[axis]) - reach) * inverse;
            let upper = (a[axis].fast_max(b[axis]).fast_max(c[axis]) + reach) * inverse;
            entry = entry.fast_max(lower.fast_min(upper));
            exit = exit.fast_min(lower.fast_max(upper));
        }
        let met = entry.simd_le(exit);
        if !met.any() {
            return [f32::INFINITY; WIDTH];
        }
        let way = self.course.translation.to_array().map(f32x4::splat);
        let [ab, bc, ca] = [minus(b, a), minus(c, b), minus(a, c)];

        let normal = cross(ab, ca);
        let entry = self.later(entry, normal, &corners, way);
        let met = met & !entry.simd_gt(f32x4::splat(limit));
        if !met.any() {
            return [f32::INFINITY; WIDTH];
        }
        // Beside the way: along a direction across it and an edge.
        let mut beside = zero;
        for edge in [ab, bc, ca] {
            let (gap, speed) = self.gap(cross(way, edge), &corners, way);
            beside |= gap.simd_gt(speed.fast_max(zero));
        }
        let met = met & !beside;
        if !self.is_thick() || !met.any() {
            return met.select(entry, never).to_array();
        }
        // And from the nearest place of the outline to where the mover is by then.
        let center = times(way, entry);
        let mut apart = [zero; 3];
        let mut nearest = never;
        for (corner, edge) in [(a, ab), (b, bc), (c, ca)] {
            let from_corner = minus(center, corner);
            let along = dot(from_corner, edge) / dot(edge, edge);
            let along = along.fast_max(zero).fast_min(f32x4::splat(1.0));
            let from_edge = minus(from_corner, times(edge, along));
            let squared = dot(from_edge, from_edge);
            let nearer = squared.simd_lt(nearest);
            nearest = nearer.select(squared, nearest);
            apart = select(nearer, from_edge, apart);
        }
        met.select(self.later(entry, apart, &corners, way), never).to_array()
    }

    /// The entries, put off to where the mover has come as near along a direction as it must.
    #[inline(always)]
    fn later(&self, entry: f32x4, m: Lanes, corners: &[Lanes; 3], way: Lanes) -> f32x4 {
        let (gap, speed) = self.gap(m, corners, way);
        let reached =
            gap / speed.fast_max(f32x4::splat(f32::MIN_POSITIVE)) * f32x4::splat(1.0 - 4.0 * f32::EPSILON);
        // Not the larger of the two: what is no number puts nothing off.
        reached.simd_gt(entry).select(reached, entry)
    }

    /// How far the mover at its start stays clear of a triangle along ±m, and how fast that shrinks; times the length of m. No more
    /// than it is where it is above 0.
    #[inline(always)]
    fn gap(&self, m: Lanes, corners: &[Lanes; 3], way: Lanes) -> (f32x4, f32x4) {
        let [a, b, c] = corners.map(|corner| dot(m, corner));
        let (lower, upper) = (a.fast_min(b).fast_min(c), a.fast_max(b).fast_max(c));
        let speed = dot(m, way);
        let ahead = lower.simd_gt(f32x4::splat(0.0));
        (ahead.select(lower, -upper) - self.along(m), ahead.select(speed, -speed))
    }

    /// Whether there is more to the mover than its centre.
    fn is_thick(&self) -> bool {
        !matches!(self.extent, Extent::Round { radius } if radius <= self.margin)
    }

    /// How far the grown mover stands out along a direction, times its length; rounded up.
    #[inline(always)]
    fn along(&self, m: Lanes) -> f32x4 {
        let length = root(dot(m, m));
        let margin = f32x4::splat(self.margin);
        match &self.extent {
            Extent::Round { radius } => (margin + f32x4::splat(*radius)) * length,
            Extent::Capsule { radius, axis } => {
                (margin + f32x4::splat(*radius)) * length + dot(m, axis.to_array().map(f32x4::splat)).abs()
            }
            Extent::Cuboid { edges } => edges
                .iter()
                .fold(margin * length, |sum, edge| sum + dot(m, edge.to_array().map(f32x4::splat)).abs()),
            Extent::Ellipsoid { axes } => {
                let shares = axes.map(|axis| dot(m, axis.to_array().map(f32x4::splat)));
                margin * length + root(dot(shares, shares))
            }
        }
    }
}

fn scaled(axes: [[f64; 3]; 3], lengths: DVec3) -> [Vec3; 3] {
    [0, 1, 2].map(|i| (DVec3::from(axes[i]) * lengths[i]).as_vec3())
}

/// The root of a sum of three squares, no lower for those that underflow.
#[inline(always)]
fn root(squared: f32x4) -> f32x4 {
    (squared + f32x4::splat(4.0 * f32::MIN_POSITIVE)).sqrt()
}

#[inline(always)]
fn minus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: Lanes, b: Lanes) -> f32x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: Lanes, b: Lanes) -> Lanes {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn times(a: Lanes, b: f32x4) -> Lanes {
    [a[0] * b, a[1] * b, a[2] * b]
}

#[inline(always)]
fn select(mask: f32x4, a: Lanes, b: Lanes) -> Lanes {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, dvec3};

    use super::*;
    use crate::mesh::Mesh;
    use crate::num::ops::rotation_about;
    use crate::shape::{Capsule, Cuboid, Ellipsoid, Sphere};
    use crate::sweep::mover::margin;
    use crate::sweep::{
        Path, capsule_triangle, cuboid_triangle, ellipsoid_triangle, point_triangle, sphere_triangle,
    };
    use crate::tree::{PackedAabb, Plan, WideTree};

    /// xorshift64*, from −1 to 1.
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self) -> DVec3 {
            dvec3(self.number(), self.number(), self.number())
        }

        /// From one over it to it.
        fn size(&mut self, most: f64) -> f64 {
            let larger = 1.0 + self.number().abs() * (most - 1.0);
            if self.number() < 0.0 { larger } else { 1.0 / larger }
        }
    }

    fn mover(random: &mut Random, kind: usize, size: f64) -> Mover {
        let mut length = || size * (0.2 + 0.8 * random.number().abs());
        let [a, b, c] = [length(), length(), length()];
        let turn = |random: &mut Random| match random.number() {
            x if x < 0.0 => DQuat::IDENTITY,
            angle => rotation_about(random.vector() + DVec3::Z * 3.0, angle * 6.0),
        };
        match kind {
            0 => Mover::Point,
            1 => Sphere::new(a).unwrap().into(),
            2 => Capsule::new(a, b).unwrap().with_rotation(turn(random)).unwrap().into(),
            3 => Ellipsoid::new(dvec3(a, b, c)).unwrap().with_rotation(turn(random)).unwrap().into(),
            _ => Cuboid::new(dvec3(a, b, c)).unwrap().with_rotation(turn(random)).unwrap().into(),
        }
    }

    /// Slivers, needles, specks and decent triangles, near the origin and far from it; ways that hit, graze and miss.
    #[test]
    fn what_a_kernel_hits_is_kept_up_to_that_very_fraction() {
        let mut random = Random(0x5C2EE);
        let (mut hits, mut dismissed, mut asked) = (0, 0, 0);
        for round in 0..150_000 {
            let place = random.vector() * [0.0, 1.0, 300.0, 3e5][round / 5 % 4];
            let flat = [1.0, 1.0, 1e-3, 1e-7, 0.0][round / 7 % 5];
            let long = random.size(100.0);
            let (ab, along) = (random.vector() * long, random.number());
            let corners =
                [place, place + ab, place + ab * along + random.vector() * long * flat].map(DVec3::as_vec3);
            let triangle = {
                let [a, b, c] = corners.map(Vec3::as_dvec3);
                crate::shape::Triangle::new(a, b, c).unwrap()
            };
            let size = random.size(100.0);
            let mover = mover(&mut random, round % 5, size);
            let (u, v) = (random.number().abs(), random.number().abs());
            let [a, b, c] = triangle.corners();
            // Past a place of the triangle, as near as the mover is large.
            let target = a + (b - a) * u + (c - a) * (v * (1.0 - u)) + random.vector() * size * 1.2;
            let from = target - random.vector() * (size + long) * random.size(10.0);
            let path = Path::new(from, (target - from) * (1.0 + random.number())).unwrap();
            let hit = match &mover {
                Mover::Point => point_triangle(&path, &triangle),
                Mover::Sphere(sphere) => sphere_triangle(sphere, &path, &triangle),
                Mover::Capsule(capsule) => capsule_triangle(capsule, &path, &triangle),
                Mover::Ellipsoid(ellipsoid) => ellipsoid_triangle(ellipsoid, &path, &triangle),
                Mover::Cuboid(cuboid) => cuboid_triangle(cuboid, &path, &triangle),
            };
            let volume = |_| {
                let [a, b, c] = corners;
                PackedAabb::new(a.min(b).min(c), a.max(b).max(c)).unwrap()
            };
            let (tree, _) = WideTree::build(1, volume);
            let mesh = Mesh::from_triangles(corners.map(Into::into).to_vec(), vec![[0, 1, 2]]).unwrap();
            let margin = margin(&mover, &path, mesh.largest_coordinate(), 0.0);
            let half_extents = mover.half_extents() + margin;
            let fraction = hit.as_ref().map_or(1.0, |hit| hit.fraction);
            asked += 1;
            hits += u32::from(hit.is_some());
            match tree.plan(path.from(), path.translation(), half_extents, fraction) {
                Plan::Exact => {}
                Plan::Nothing => {
                    assert!(hit.is_none(), "{mover:?} {path:?} {corners:?}");
                    dismissed += 1;
                }
                Plan::Course(course) => {
                    let limit = course.limit(fraction);
                    let corners = corners.map(Into::into);
                    let screen = Screen::new(&course, &mover, margin);
                    let entries = screen.entries([&corners; WIDTH], limit);
                    assert!(entries.iter().all(|entry| entry.to_bits() == entries[0].to_bits()));
                    assert!(hit.is_none() || entries[0] <= limit, "{mover:?} {path:?} {corners:?} {hit:?}");
                    dismissed += u32::from(entries[0] > limit);
                }
            }
        }
        println!("{asked} asked, {hits} hit, {dismissed} dismissed");
        // It must be of use as well.
        assert!(hits > asked / 8 && dismissed > (asked - hits) / 2, "{asked} {hits} {dismissed}");
    }
}
