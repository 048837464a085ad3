//! Scenes too small or too large for squares of squares, brought near 1 and back, without rounding.

use glam::DVec3;

use super::{Hit, Path};
use crate::num::bound::rescale;
use crate::shape::{Capsule, ConvexPolygon, Cuboid, Ellipsoid, Plane, Sphere, Triangle};

/// What can be scaled about the origin by a power of two.
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
        Self::scaled_by(self, factor)
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

/// Runs `kernel` on the three as they are, or brought near 1 where their squares of squares would leave the range of f64. An answer
/// whose numbers are lost all the same is a stop.
#[inline(always)]
pub(crate) fn in_range<M: Scalable, O: Scalable>(
    mover: &M,
    path: &Path,
    other: &O,
    kernel: impl Fn(&M, &Path, &O) -> Option<Hit>,
) -> Option<Hit> {
    let factor = rescale(mover.largest().max(path.largest()).max(other.largest()));
    if factor == 1.0 {
        return kernel(mover, path, other).map(|hit| hit.or_stop(path));
    }
    let hit = kernel(&mover.scaled(factor), &path.scaled(factor), &other.scaled(factor))?;
    // Down by the factor in two steps: its reciprocal is in range, for it is a power of two between 2⁻¹⁰⁰⁰ and 2¹⁰⁰⁰.
    Some(Hit { point: hit.point / factor, ..hit }.or_stop(path))
}
