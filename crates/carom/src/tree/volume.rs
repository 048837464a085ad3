//! The interface of bounding volumes.

use glam::DVec3;

use super::SweptBox;
use crate::shape::Aabb;

/// A closed region of space around something, of a kind that two of make a third.
///
/// A tree may skip whatever these answers allow it to skip, so each must err on the side of keeping: the
/// bounds outward, the fractions and distances downward.
pub trait Volume: Copy + Send + Sync {
    /// A volume that holds all of both.
    fn around(&self, other: &Self) -> Self;

    /// The lower corner of an axis-aligned box that holds the volume, in meters. −∞ where it has no bound.
    fn lower(&self) -> DVec3;

    /// The upper corner of an axis-aligned box that holds the volume, in meters. ∞ where it has no bound.
    fn upper(&self) -> DVec3;

    /// How many cubic meters it takes in. For comparing trees; nothing is decided by it.
    fn volume(&self) -> f64 {
        let size = self.upper() - self.lower();
        size.x * size.y * size.z
    }

    /// A number that grows with the extent, in square meters: of two volumes that overlap, a walk opens the
    /// larger one.
    #[inline(always)]
    fn size(&self) -> f32 {
        (self.upper() - self.lower()).length_squared() as f32 * 0.25
    }

    /// Whether any point of the volume lies in the box, faces included.
    fn overlaps(&self, aabb: &Aabb) -> bool {
        self.lower().cmple(aabb.max()).all() && self.upper().cmpge(aabb.min()).all()
    }

    /// The fraction of its translation, at least 0, before which the moving box does not touch the volume;
    /// infinite if it never does.
    #[inline(always)]
    fn entry(&self, swept: &SweptBox) -> f64 {
        swept.entry(self.lower(), self.upper())
    }

    /// A number of square meters that the squared distance to the point is not below. 0 inside.
    #[inline(always)]
    fn distance_squared(&self, point: DVec3) -> f64 {
        let below = self.lower() - point;
        let above = point - self.upper();
        // Comparisons, not `max`: a NaN in the point gives 0, which skips nothing.
        let gap = |below: f64, above: f64| {
            let gap = if below > above { below } else { above };
            if gap > 0.0 { gap } else { 0.0 }
        };
        let gap = DVec3::new(gap(below.x, above.x), gap(below.y, above.y), gap(below.z, above.z));
        round_down_square(gap.length_squared())
    }
}

/// A number not above the sum of three squared differences of which `computed` is the floating-point result.
///
/// Each difference is off by a factor within 1 ± 2⁻⁵³, its square by the same twice and once more, the two
/// sums by one each: together within 1 ± 6 · 2⁻⁵³, less than 2⁻⁴⁹. Squares that underflow are off by 3 ·
/// 2⁻¹⁰⁷⁵ besides, less than the smallest normal number; one that overflows stands for a sum of at least the
/// largest number less its rounding.
#[inline(always)]
pub(super) fn round_down_square(computed: f64) -> f64 {
    let finite = if computed < f64::MAX { computed } else { f64::MAX };
    let below = finite * (1.0 - ROUNDING) - f64::MIN_POSITIVE;
    if below > 0.0 { below } else { 0.0 }
}

/// 2⁻⁴⁹: sixteen times the largest relative error of one operation in f64.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Volume for Aabb {
    fn around(&self, other: &Self) -> Self {
        self.union(other)
    }

    #[inline(always)]
    fn lower(&self) -> DVec3 {
        self.min()
    }

    #[inline(always)]
    fn upper(&self) -> DVec3 {
        self.max()
    }
}
