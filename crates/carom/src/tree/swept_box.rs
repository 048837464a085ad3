//! The fraction at which a moving box enters a resting one.
//!
//! Source: the slabs of Kay and Kajiya, *Ray tracing complex scenes* (1986). On each axis the moving box
//! touches the slab of the other from `(lower − upper′)/d` to `(upper − lower′)/d`. It touches the other box
//! where all three overlap. Error: never late, and early by at most 2⁻⁴⁷ of the translation and an ulp of the
//! corners. The box is grown once by the possible rounding, so the test itself can ignore it. Cost: 6
//! subtractions, 6 multiplications. Never fails.

use glam::DVec3;

use crate::shape::{Aabb, ShapeError, finite};
use crate::sweep::Path;

/// An axis-aligned box on a straight path, prepared for tests against many others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptBox {
    /// The corners at the start.
    lower: DVec3,
    upper: DVec3,
    translation: DVec3,
    /// 1 / translation, finite and not 0.
    inverse: DVec3,
}

/// 2⁻⁴⁸ of the translation. The fraction on one axis is a difference times a reciprocal: a factor within 1 ±
/// 2⁻⁵³ for the difference and for the product, 1 ± 2⁻⁵¹ for the reciprocal, which may be subnormal, and
/// 2⁻¹⁰⁷⁵ if the product is: together less than 2⁻⁴⁹ up to the fraction 1, where the way ends, and half as
/// much again up to 2.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl SweptBox {
    /// The box that stands out `half_extents` on each side of a center that goes along `path`: the bounds of
    /// a mover.
    ///
    /// # Errors
    /// A half extent that is negative or not finite.
    pub fn new(path: &Path, half_extents: DVec3) -> Result<Self, ShapeError> {
        finite(half_extents, "half extents")?;
        if !half_extents.cmpge(DVec3::ZERO).all() {
            return Err(ShapeError::Negative("half extents"));
        }
        let lower = (path.from() - half_extents).map(f64::next_down);
        let upper = (path.from() + half_extents).map(f64::next_up);
        Ok(Self::between(lower, upper, path.translation()))
    }

    /// A moving box.
    ///
    /// # Errors
    /// A translation that is not finite.
    pub fn moving(start: &Aabb, translation: DVec3) -> Result<Self, ShapeError> {
        Ok(Self::between(start.min(), start.max(), finite(translation, "translation")?))
    }

    fn between(lower: DVec3, upper: DVec3, translation: DVec3) -> Self {
        let moves = translation.abs().cmpge(DVec3::splat(f64::MIN_POSITIVE));
        // On an axis on which the box as good as rests it touches always or never. There it grows by more
        // than it moves and enough that whatever it touches is at least the smallest normal number deep in
        // it. Times the largest number that is beyond −1 and 1, and no product is NaN, as 0 · ∞ would be.
        let growth =
            DVec3::select(moves, translation.abs() * ROUNDING, DVec3::splat(2.0 * f64::MIN_POSITIVE));
        Self {
            lower: (lower - growth).map(f64::next_down),
            upper: (upper + growth).map(f64::next_up),
            translation,
            inverse: DVec3::select(moves, translation.recip(), DVec3::MAX),
        }
    }

    /// The fraction of the translation, at least 0, before which the moving box does not touch the resting
    /// box between two corners, which may be infinite. Above 1 or infinite if it never does.
    #[inline(always)]
    pub fn entry(&self, lower: DVec3, upper: DVec3) -> f64 {
        let a = (lower - self.upper) * self.inverse;
        let b = (upper - self.lower) * self.inverse;
        let entry = larger(larger(smaller(a.x, b.x), smaller(a.y, b.y)), larger(smaller(a.z, b.z), 0.0));
        let exit = smaller(smaller(larger(a.x, b.x), larger(a.y, b.y)), larger(a.z, b.z));
        if entry <= exit { entry } else { f64::INFINITY }
    }

    /// The middle of the box at the start, off by a rounding.
    pub(super) fn center(&self) -> DVec3 {
        self.lower * 0.5 + self.upper * 0.5
    }

    /// How far the box stands out from that middle, at most.
    pub(super) fn half_extents(&self) -> DVec3 {
        let center = self.center();
        (self.upper - center).max(center - self.lower).map(f64::next_up)
    }

    /// How far it moves.
    pub(super) fn translation(&self) -> DVec3 {
        self.translation
    }
}

// One instruction each, unlike `f64::min` and `f64::max`, which look for NaN.

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;

    use super::*;

    fn swept(from: DVec3, translation: DVec3, half: f64) -> SweptBox {
        SweptBox::new(&Path::new(from, translation).unwrap(), DVec3::splat(half)).unwrap()
    }

    #[test]
    fn enters_where_the_faces_meet() {
        let towards = swept(dvec3(-10.0, 0.0, 0.0), dvec3(20.0, 0.0, 0.0), 1.0);
        let entry = towards.entry(DVec3::splat(-3.0), DVec3::splat(3.0));
        assert!(entry <= 0.3 && entry > 0.3 - 1e-14);
        let away = swept(dvec3(-10.0, 0.0, 0.0), dvec3(-20.0, 0.0, 0.0), 1.0);
        assert!(away.entry(DVec3::splat(-3.0), DVec3::splat(3.0)) > 1.0);
        let too_short = swept(dvec3(-10.0, 0.0, 0.0), dvec3(5.9, 0.0, 0.0), 1.0);
        assert!(too_short.entry(DVec3::splat(-3.0), DVec3::splat(3.0)) > 1.0);
    }

    #[test]
    fn is_in_from_the_start_where_it_overlaps() {
        for translation in [DVec3::ZERO, DVec3::X, dvec3(1e300, -1e-300, 5e-324)] {
            assert_eq!(swept(DVec3::ZERO, translation, 1.0).entry(DVec3::splat(0.5), DVec3::splat(3.0)), 0.0);
            assert_eq!(swept(DVec3::ZERO, translation, 1.0).entry(DVec3::NEG_INFINITY, DVec3::INFINITY), 0.0);
        }
    }

    #[test]
    fn touches_at_rest_what_its_faces_touch_and_nothing_farther() {
        let at_rest = swept(DVec3::ZERO, DVec3::ZERO, 1.0);
        assert_eq!(at_rest.entry(DVec3::ONE, DVec3::splat(2.0)), 0.0);
        assert!(at_rest.entry(DVec3::splat(1.0 + 1e-15), DVec3::splat(2.0)) > 1.0);
        let along = swept(DVec3::ZERO, DVec3::X, 1.0);
        assert_eq!(along.entry(dvec3(-1.0, 1.0, 1.0), DVec3::splat(2.0)), 0.0);
        assert!(along.entry(dvec3(-1.0, 1.0 + 1e-15, 1.0), DVec3::splat(2.0)) > 1.0);
    }

    #[test]
    fn refuses_what_is_no_box_or_no_way() {
        let path = Path::new(DVec3::ZERO, DVec3::X).unwrap();
        assert_eq!(SweptBox::new(&path, dvec3(1.0, -1.0, 1.0)), Err(ShapeError::Negative("half extents")));
        assert_eq!(SweptBox::new(&path, DVec3::NAN), Err(ShapeError::NotFinite("half extents")));
        let unit = Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap();
        assert_eq!(SweptBox::moving(&unit, DVec3::INFINITY), Err(ShapeError::NotFinite("translation")));
    }
}
