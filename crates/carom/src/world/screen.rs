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
//! What lies wholly behind the middle of a mover that goes on is not met either, however deep the mover is in it: a contact at the start
//! counts only where the mover goes deeper, and the normal there leads from a place of the triangle to one of the mover's middle.
//!
//! Boxes of the tree that are not much larger than the mover is thick are looked at in the same way, along the direction from their
//! nearest place to the mover where it would meet them: a ball is half as wide again along the diagonal of the box around it.
//! Cost: some 120 operations on four lanes, 100 for four boxes.

use core::cell::OnceCell;

use glam::{DVec3, Vec3};
use wide::f32x4;

use super::leaves::Fetched;
use super::rival::{Bar, Rival};
use crate::shape::Mover;
use crate::tree::{Closer, Course, WIDTH};

/// Three components, for four triangles or boxes.
pub(crate) type Lanes = [f32x4; 3];

/// One to four triangles.
pub(crate) trait Four {
    /// How many.
    fn count(&self) -> usize;
    /// One of them.
    fn fetch(&self, lane: usize) -> Fetched;
    /// Their three corners, the last triangle again for those that are missing.
    fn corners(&self) -> [Lanes; 3];
}

/// In smallest radii of the mover. The corners of the box around a mover are as far from it as it is thick: that says nothing of boxes
/// that are larger than it.
const LARGE: f64 = 1.0;
/// Each look begins where the one before has put the entry off to.
const LOOKS: usize = 2;

/// A mover on its course, asked about triangles.
pub(crate) struct Screen<'a> {
    course: &'a Course,
    /// By how much everything is grown, besides the mover's own extent.
    margin: f32,
    extent: Extent,
    /// Boxes longer than 255 times that are hardly met later than the box around the mover meets them.
    large: f32,
    /// What lies wholly behind the mover along that is left behind: a ball's way, and what it is where an ellipsoid is a ball. Zero if
    /// there is no telling.
    forward: Vec3,
    /// How far the places of the mover that it is round about stand out along that, and what is to spare.
    back: f32,
    /// What is met at the start has to be preferred to that; how it looks from where the course begins is worked out when it is needed.
    rival: Option<Rival<'a>>,
    bar: OnceCell<Bar<'a>>,
    /// The largest coordinate of the triangles, beyond that of the course.
    largest: f64,
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
    /// Half the axes, and what is as long as one over them.
    Ellipsoid {
        axes: [Vec3; 3],
        inverse: [Vec3; 3],
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
                let (axes, radii) = (ellipsoid.axes().to_cols_array_2d(), ellipsoid.radii());
                Extent::Ellipsoid { axes: scaled(axes, radii), inverse: scaled(axes, radii.recip()) }
            }
        };
        let large = (LARGE / 255.0 * mover.smallest_radius()) as f32;
        let margin = up(margin + 2.0 * course.growth);
        let way = course.translation;
        let (forward, length) = match &extent {
            Extent::Round { .. } => (way, 0.0),
            Extent::Capsule { axis, .. } => (way, way.dot(*axis).abs()),
            Extent::Ellipsoid { inverse, .. } => {
                (inverse.iter().fold(Vec3::ZERO, |sum, axis| sum + *axis * axis.dot(way)), 0.0)
            }
            Extent::Cuboid { .. } => (Vec3::ZERO, 0.0),
        };
        let spare = margin * crate::num::ops::sqrt(f64::from(forward.length_squared())) as f32;
        let (rival, bar) = (None, OnceCell::new());
        Self { course, margin, extent, large, forward, back: length + spare, rival, bar, largest: 0.0 }
    }

    /// The same where of what is met at the start only that counts which is preferred to a rival. No coordinate of the triangles is larger
    /// than `largest`.
    pub(crate) fn before(self, rival: Option<Rival<'a>>, largest: f64) -> Self {
        Self { rival, largest, ..self }
    }

    /// The rival as seen from where the course begins.
    fn bar(&self) -> Option<&Bar<'a>> {
        let rival = self.rival.as_ref()?;
        Some(self.bar.get_or_init(|| {
            let from = self.course.from.as_dvec3();
            rival.seen_from(from, 2.0 * self.course.growth, self.largest + from.abs().max_element())
        }))
    }

    /// Whether a triangle is met too late in the order of what is met at the start.
    #[inline(always)]
    pub(crate) fn is_behind(&self, fetched: &Fetched, limit: f32) -> bool {
        self.is_picky(limit)
            && self.bar().is_some_and(|bar| {
                let from = self.course.from.as_dvec3();
                let height = bar.height();
                fetched.corners().iter().all(|corner| bar.along.dot(corner.as_dvec3() - from) > height)
            })
    }

    /// A fraction of the whole way as one of the course: see [`Course::limit`].
    #[inline(always)]
    pub(crate) fn limit(&self, fraction: f64) -> f32 {
        self.course.limit(fraction)
    }

    /// Fractions of the course before which the triangles are not met, as far as their boxes and planes tell; above the limit
    /// those that are not met by then.
    #[inline(always)]
    pub(crate) fn entries(&self, four: &impl Four, limit: f32) -> [f32; WIDTH] {
        let from = self.course.from.to_array().map(f32x4::splat);
        let [a, b, c] = four.corners();
        let (a, b, c) = (minus(a, from), minus(b, from), minus(c, from));
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
        let met = met & !self.is_left_behind(corners.map(|corner| dot(corner, self.forward())));
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
        // Beside the way: along a direction across it and an edge. What stays has none, and a short one hardly any.
        let mut met = met;
        if !self.course.is_near {
            let beside = |edge: Lanes| self.is_beside(edge, &corners, way);
            met &= !(beside(ab) | beside(bc) | beside(ca));
        }
        if !self.is_thick() || !met.any() {
            return met.select(entry, never).to_array();
        }
        // And from the nearest place of the outline to where the mover is by then.
        let center = times(way, entry);
        let place = match &self.extent {
            // The place of its axis that is nearest to the nearest corner.
            Extent::Capsule { axis, .. } => {
                let lanes = axis.to_array().map(f32x4::splat);
                let length_squared = axis.length_squared().max(f32::MIN_POSITIVE);
                let share = dot(to_nearest(center, &corners), lanes) / f32x4::splat(length_squared);
                let share = share.fast_max(f32x4::splat(-1.0)).fast_min(f32x4::splat(1.0));
                plus(center, times(lanes, share))
            }
            _ => center,
        };
        let apart = from_outline(place, [(a, ab), (b, bc), (c, ca)]);
        met.select(self.later(entry, apart, &corners, way), never).to_array()
    }

    /// Whether a triangle is beside the way, along the direction across that and an edge.
    #[inline(always)]
    fn is_beside(&self, edge: Lanes, corners: &[Lanes; 3], way: Lanes) -> f32x4 {
        let (gap, speed) = self.gap(cross(way, edge), corners, way);
        gap.simd_gt(speed.fast_max(f32x4::splat(0.0)))
    }

    fn forward(&self) -> Lanes {
        self.forward.to_array().map(f32x4::splat)
    }

    /// Whether the way leads away from all that lies between places so far ahead of the start: who touches nothing that is ahead of its
    /// middle leaves what it touches, however deep it is in it.
    #[inline(always)]
    fn is_left_behind<const N: usize>(&self, ahead: [f32x4; N]) -> f32x4 {
        let farthest = ahead.into_iter().fold(f32x4::splat(f32::NEG_INFINITY), f32x4::fast_max);
        farthest.simd_lt(f32x4::splat(-self.back))
    }

    /// The entries, put off to where the mover has come as near along a direction as it must.
    #[inline(always)]
    fn later(&self, entry: f32x4, m: Lanes, corners: &[Lanes; 3], way: Lanes) -> f32x4 {
        put_off(entry, self.gap(m, corners, way))
    }

    /// How far the mover at its start stays clear of a triangle along ±m, and how fast that shrinks; times the length of m. No more
    /// than it is where it is above 0.
    #[inline(always)]
    fn gap(&self, m: Lanes, corners: &[Lanes; 3], way: Lanes) -> (f32x4, f32x4) {
        let [a, b, c] = corners.map(|corner| dot(m, corner));
        self.gap_between(m, a.fast_min(b).fast_min(c), a.fast_max(b).fast_max(c), way)
    }

    /// The same for whatever lies between two bounds along m.
    #[inline(always)]
    fn gap_between(&self, m: Lanes, lower: f32x4, upper: f32x4, way: Lanes) -> (f32x4, f32x4) {
        let speed = dot(m, way);
        let ahead = lower.simd_gt(f32x4::splat(0.0));
        (ahead.select(lower, -upper) - self.along(m), ahead.select(speed, -speed))
    }

    /// A direction along which the mover with its centre at `center` is well apart from a box, if it is apart at all.
    #[inline(always)]
    fn apart(&self, center: Lanes, [lower, upper]: [Lanes; 2]) -> Lanes {
        let half = f32x4::splat(0.5);
        // The place in the mover that is nearest to the middle of the box.
        let nearest = |axes: &[Vec3]| {
            let middle = times(plus(lower, upper), half);
            axes.iter().fold(center, |place, axis| {
                let lanes = axis.to_array().map(f32x4::splat);
                let share = dot(minus(middle, center), lanes) / f32x4::splat(axis.length_squared());
                plus(place, times(lanes, share.fast_max(f32x4::splat(-1.0)).fast_min(f32x4::splat(1.0))))
            })
        };
        let place = match &self.extent {
            Extent::Round { .. } | Extent::Ellipsoid { .. } => center,
            Extent::Capsule { axis, .. } => nearest(core::slice::from_ref(axis)),
            Extent::Cuboid { edges } => nearest(edges),
        };
        let off: Lanes = core::array::from_fn(|axis| {
            place[axis] - place[axis].fast_max(lower[axis]).fast_min(upper[axis])
        });
        let Extent::Ellipsoid { inverse, .. } = &self.extent else { return off };
        // Where the ellipsoid is a ball, seen from outside.
        inverse.iter().fold([f32x4::splat(0.0); 3], |sum, axis| {
            let lanes = axis.to_array().map(f32x4::splat);
            plus(sum, times(lanes, dot(off, lanes)))
        })
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
            Extent::Ellipsoid { axes, .. } => {
                let shares = axes.map(|axis| dot(m, axis.to_array().map(f32x4::splat)));
                margin * length + root(dot(shares, shares))
            }
        }
    }
}

impl Closer for Screen<'_> {
    #[inline(always)]
    fn largest_step(&self) -> f32 {
        self.large
    }

    #[inline(always)]
    fn is_picky(&self, limit: f32) -> bool {
        // The least limit that is not below the start: that of the fraction 0.
        limit <= f32::MIN_POSITIVE && self.rival.is_some()
    }

    #[inline(always)]
    fn may_count(&self, [lower, upper]: [Lanes; 2]) -> f32x4 {
        let height = self.bar().map_or(f64::INFINITY, Bar::height);
        let along = self.bar().map_or(DVec3::ZERO, |bar| bar.along).as_vec3();
        let mut least = f32x4::splat(0.0);
        for axis in 0..3 {
            let along = f32x4::splat(along[axis]);
            least += (along * lower[axis]).fast_min(along * upper[axis]);
        }
        // What cannot be compared may.
        !least.simd_gt(f32x4::splat((height as f32).next_up()))
    }

    #[inline(always)]
    fn look(&self, corners: [Lanes; 2], entry: f32x4) -> f32x4 {
        let [lower, upper] = corners;
        let forward = self.forward();
        let ahead = (0..3).fold(f32x4::splat(0.0), |sum, axis| {
            sum + (forward[axis] * lower[axis]).fast_max(forward[axis] * upper[axis])
        });
        let mut entry = self.is_left_behind([ahead]).select(f32x4::splat(f32::INFINITY), entry);
        let way = self.course.translation.to_array().map(f32x4::splat);
        for _ in 0..LOOKS {
            let m = self.apart(times(way, entry), corners);
            let zero = f32x4::splat(0.0);
            let (mut lower, mut upper) = (zero, zero);
            for axis in 0..3 {
                let (a, b) = (m[axis] * corners[0][axis], m[axis] * corners[1][axis]);
                lower += a.fast_min(b);
                upper += a.fast_max(b);
            }
            entry = put_off(entry, self.gap_between(m, lower, upper, way));
        }
        entry
    }
}

/// The entries, put off to where a gap that shrinks at a speed is gone.
#[inline(always)]
fn put_off(entry: f32x4, (gap, speed): (f32x4, f32x4)) -> f32x4 {
    let reached =
        gap / speed.fast_max(f32x4::splat(f32::MIN_POSITIVE)) * f32x4::splat(1.0 - 4.0 * f32::EPSILON);
    // Not the larger of the two: what is no number puts nothing off.
    reached.simd_gt(entry).select(reached, entry)
}

/// From a place to the nearest of the corners.
#[inline(always)]
fn to_nearest(place: Lanes, corners: &[Lanes; 3]) -> Lanes {
    let [a, b, c] = corners.map(|corner| minus(corner, place));
    let [p, q, r] = [a, b, c].map(|v| dot(v, v));
    let ab = select(p.simd_lt(q), a, b);
    select(p.fast_min(q).simd_lt(r), ab, c)
}

/// From the nearest place of an outline, corners and edges, to a place.
#[inline(always)]
fn from_outline(place: Lanes, outline: [(Lanes, Lanes); 3]) -> Lanes {
    let zero = f32x4::splat(0.0);
    let (mut apart, mut nearest) = ([zero; 3], f32x4::splat(f32::INFINITY));
    for (corner, edge) in outline {
        let from_corner = minus(place, corner);
        let along = dot(from_corner, edge) / dot(edge, edge);
        let along = along.fast_max(zero).fast_min(f32x4::splat(1.0));
        let from_edge = minus(from_corner, times(edge, along));
        let squared = dot(from_edge, from_edge);
        let nearer = squared.simd_lt(nearest);
        nearest = nearer.select(squared, nearest);
        apart = select(nearer, from_edge, apart);
    }
    apart
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
fn plus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
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
mod tests;
