//! Scaling of scenes too small or too large for squares of squares to sizes near 1 and back, without
//! rounding.

use glam::DVec3;

use crate::num::bound::rescale;
use crate::shape::{Capsule, ConvexPolygon, Cuboid, Ellipsoid, Plane, Sphere, Triangle};
use crate::sweep::{Hit, Path};

/// Values that can be scaled about the origin by a power of two.
pub(crate) trait Scalable: Sized {
    /// The largest absolute coordinate or length.
    fn largest(&self) -> f64;
    /// The same, `factor` times as large.
    fn scaled(&self, factor: f64) -> Self;
}

impl Scalable for DVec3 {
    fn largest(&self) -> f64 {
        self.abs().max_element()
    }

    fn scaled(&self, factor: f64) -> Self {
        *self * factor
    }
}

impl Scalable for Path {
    #[inline(always)]
    fn largest(&self) -> f64 {
        self.from().largest().max(self.translation().largest())
    }

    fn scaled(&self, factor: f64) -> Self {
        self.scaled_apart(factor, factor)
    }
}

impl Scalable for () {
    fn largest(&self) -> f64 {
        0.0
    }

    fn scaled(&self, _factor: f64) -> Self {}
}

impl<A: Scalable, B: Scalable> Scalable for (A, B) {
    fn largest(&self) -> f64 {
        self.0.largest().max(self.1.largest())
    }

    fn scaled(&self, factor: f64) -> Self {
        (self.0.scaled(factor), self.1.scaled(factor))
    }
}

impl Scalable for Triangle {
    #[inline(always)]
    fn largest(&self) -> f64 {
        let [a, b, c] = self.corners();
        a.largest().max(b.largest()).max(c.largest())
    }

    fn scaled(&self, factor: f64) -> Self {
        self.scaled_by(factor)
    }
}

impl Scalable for ConvexPolygon {
    fn largest(&self) -> f64 {
        self.vertices().iter().fold(0.0, |largest, v| largest.max(v.largest()))
    }

    fn scaled(&self, factor: f64) -> Self {
        self.scaled_by(factor)
    }
}

macro_rules! scalable {
    ($($shape:ty: $largest:expr),* $(,)?) => {$(
        impl Scalable for $shape {
            #[inline(always)]
            fn largest(&self) -> f64 {
                let largest: fn(&$shape) -> f64 = $largest;
                largest(self)
            }

            fn scaled(&self, factor: f64) -> Self {
                self.scaled_by(factor)
            }
        }
    )*};
}
scalable! {
    Sphere: Sphere::radius,
    Ellipsoid: |ellipsoid| ellipsoid.radii().max_element(),
    Capsule: |capsule| capsule.radius().max(capsule.half_height()),
    Cuboid: |cuboid| cuboid.half_extents().max_element(),
    Plane: |plane| plane.distance().abs(),
}

/// The powers of two that bring a problem into the range where kernels keep their digits; nearly always 1 and
/// 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// The factor for all lengths: squares of squares of the largest would leave the range of f64.
    factor: f64,
    /// For the way, which is no less than 2⁻²⁶⁰ of the largest length after it: the squares of a shorter one
    /// are zero.
    ///
    /// A way of 2⁻²⁰⁰ of the largest length is still far below a rounding of any position on it. So it hits
    /// nothing that it does not touch at the start, like the short one; and for parts that it touches, its
    /// direction decides.
    way: f64,
}

impl Range {
    /// `largest` is the largest coordinate or length of all.
    #[inline(always)]
    pub(crate) fn of(path: &Path, largest: f64) -> Self {
        let (factor, way) = (rescale(largest), path.translation().largest());
        if way >= largest * SHORT || way == 0.0 {
            return Self { factor, way: factor };
        }
        Self { factor, way: lengthened(way, largest * factor) }
    }

    /// Whether no scaling is needed.
    #[inline(always)]
    pub(crate) fn is_kept(&self) -> bool {
        self.factor == 1.0 && self.way == 1.0
    }

    /// The factor for all lengths but the way.
    #[inline(always)]
    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// The path in the lengths of the kernels.
    pub(crate) fn path(&self, path: &Path) -> Path {
        path.scaled_apart(self.factor, self.way)
    }

    /// The answer of a kernel, in the caller's lengths.
    #[inline(always)]
    pub(crate) fn hit(&self, hit: Hit) -> Hit {
        let point = hit.point / self.factor;
        if self.way == self.factor {
            return Hit { point, ..hit };
        }
        // A lengthened path: parts that it does not touch at the start are beyond the end of the true path,
        // up to rounding.
        let fraction = hit.fraction * self.way / self.factor;
        Hit { fraction: if fraction > 1.0 { 1.0 } else { fraction }, point, ..hit }
    }
}

/// 2⁻²⁰⁰
const SHORT: f64 = {
    let step = 1.0 / (1u128 << 100) as f64;
    step * step
};

/// The power of two that brings `way` to about 2⁻²⁰⁰ of `largest`, which is from 2⁻¹⁰⁰ to 2¹⁰⁰ or so.
#[cold]
fn lengthened(way: f64, largest: f64) -> f64 {
    let exponent = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i64;
    f64::from_bits(((1023 + exponent(largest * SHORT) - exponent(way)) as u64) << 52)
}

/// Runs `kernel` on the three as they are, or brought into range where their squares of squares would leave
/// that of f64. An answer whose numbers are still out of range is a stop.
#[inline(always)]
pub(crate) fn in_range<M: Scalable, O: Scalable>(
    mover: &M,
    path: &Path,
    other: &O,
    kernel: impl Fn(&M, &Path, &O) -> Option<Hit>,
) -> Option<Hit> {
    in_range_within(mover, path, other, f64::INFINITY, |mover, path, other, _| kernel(mover, path, other))
}

/// The same, without hits beyond the fraction `within` of the path.
#[inline(always)]
pub(crate) fn in_range_within<M: Scalable, O: Scalable>(
    mover: &M,
    path: &Path,
    other: &O,
    within: f64,
    kernel: impl Fn(&M, &Path, &O, f64) -> Option<Hit>,
) -> Option<Hit> {
    let range = Range::of(path, mover.largest().max(path.largest()).max(other.largest()));
    if range.is_kept() {
        return kernel(mover, path, other, within).map(|hit| hit.or_stop(path));
    }
    // A lengthened path has other fractions.
    let (mover, path_in_range, other) =
        (mover.scaled(range.factor), range.path(path), other.scaled(range.factor));
    let hit = kernel(&mover, &path_in_range, &other, f64::INFINITY)?;
    Some(range.hit(hit).or_stop(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_has_digits_beside_any_scene() {
        for largest in [1e-290, 1e-100, 1e-29, 1.0, 1e29, 1e141, f64::MAX] {
            for way in [5e-324, 1e-310, 1e-180, 1e-60, 1.0, 1e100] {
                let way = f64::min(way, largest);
                let path = Path::new(DVec3::X * largest, DVec3::Y * way).expect("finite");
                let range = Range::of(&path, largest);
                let seen = range.path(&path);
                let (from, to) = (seen.from().x, seen.translation().y);
                assert!(from > 1e-31 && from < 1e31, "{largest} {way}: {seen:?}");
                assert!(to >= from * 1e-79 && to * to > f64::MIN_POSITIVE, "{largest} {way}: {seen:?}");
                assert!(range.is_kept() || (range.way / range.factor == 1.0) == (way >= largest * SHORT));
                let touch = Hit {
                    fraction: 0.0,
                    point: DVec3::ZERO,
                    normal: DVec3::Y,
                    feature: crate::sweep::Feature::Face,
                    start_overlap: false,
                };
                assert_eq!(range.hit(touch), touch);
                assert!(range.hit(Hit { fraction: 1.0, ..touch }).fraction <= 1.0);
            }
        }
    }
}
