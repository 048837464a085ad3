//! Axis-aligned box in f32.

use glam::{DVec3, Vec3};

use super::Volume;
use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, ShapeError};

/// An axis-aligned box in 24 bytes, faces included: the volume for trees over many items.
///
/// A side beyond the range of f32 is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PackedAabb {
    min: Vec3,
    max: Vec3,
}

impl PackedAabb {
    /// The box between two corners, exactly, in meters.
    ///
    /// # Errors
    /// A corner that is not finite, or a `min` above `max` on any axis.
    pub fn new(min: Vec3, max: Vec3) -> Result<Self, ShapeError> {
        if !min.is_finite() {
            Err(ShapeError::NotFinite("min"))
        } else if !max.is_finite() {
            Err(ShapeError::NotFinite("max"))
        } else if min.cmple(max).all() {
            Ok(Self { min, max })
        } else {
            Err(ShapeError::MinAboveMax)
        }
    }

    /// The box between two corners in order, none of which is NaN.
    pub(crate) fn between([min, max]: [Vec3; 2]) -> Self {
        Self { min, max }
    }

    /// The lower corner.
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// The upper corner.
    pub fn max(&self) -> Vec3 {
        self.max
    }
}

impl From<&Aabb> for PackedAabb {
    /// The smallest box in f32 around one in f64.
    fn from(aabb: &Aabb) -> Self {
        Self { min: f32_below(aabb.min()), max: f32_above(aabb.max()) }
    }
}

impl Volume for PackedAabb {
    fn around(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline(always)]
    fn lower(&self) -> DVec3 {
        self.min.as_dvec3()
    }

    #[inline(always)]
    fn upper(&self) -> DVec3 {
        self.max.as_dvec3()
    }
}

#[cfg(test)]
mod tests {
    use glam::{dvec3, vec3};

    use super::*;

    #[test]
    fn holds_the_box_it_was_made_of_as_tightly_as_f32_can() {
        let big = f64::from(f32::MAX);
        let numbers = [0.0, -0.0, 1.0, 0.1, -0.1, 1e-60, -1e-60, 5e-324, 1e30 + 1.0, -1e7 - 0.3, big, -big];
        for a in numbers {
            for b in numbers {
                let aabb = Aabb::new(DVec3::splat(a.min(b)), DVec3::splat(a.max(b))).unwrap();
                let packed = PackedAabb::from(&aabb);
                assert!(packed.lower().x <= a.min(b) && a.max(b) <= packed.upper().x);
                assert!(
                    f64::from(packed.min.x.next_up()) > a.min(b)
                        && f64::from(packed.max.x.next_down()) < a.max(b)
                );
            }
        }
    }

    #[test]
    fn has_no_side_where_f32_ends() {
        let far = PackedAabb::from(&Aabb::new(DVec3::splat(-1e300), DVec3::splat(1e300)).unwrap());
        assert_eq!((far.lower(), far.upper()), (DVec3::NEG_INFINITY, DVec3::INFINITY));
        let beyond = PackedAabb::from(&Aabb::new(DVec3::splat(1e300), DVec3::splat(2e300)).unwrap());
        assert_eq!((beyond.min(), beyond.max()), (Vec3::MAX, Vec3::INFINITY));
    }

    #[test]
    fn refuses_what_is_no_box() {
        let (nan, infinite) = (vec3(0.0, f32::NAN, 0.0), vec3(f32::INFINITY, 0.0, 0.0));
        assert_eq!(PackedAabb::new(nan, Vec3::ONE), Err(ShapeError::NotFinite("min")));
        assert_eq!(PackedAabb::new(Vec3::ZERO, nan), Err(ShapeError::NotFinite("max")));
        assert_eq!(PackedAabb::new(Vec3::ZERO, infinite), Err(ShapeError::NotFinite("max")));
        assert_eq!(PackedAabb::new(Vec3::ONE, vec3(2.0, 0.0, 2.0)), Err(ShapeError::MinAboveMax));
    }

    #[test]
    fn is_24_bytes_and_exact_in_f32() {
        assert_eq!(size_of::<PackedAabb>(), 24);
        let packed = PackedAabb::new(vec3(0.1, -0.2, 0.3), vec3(0.4, 0.5, 0.6)).unwrap();
        assert_eq!(packed.upper(), dvec3(0.4_f32.into(), 0.5_f32.into(), 0.6_f32.into()));
    }
}
