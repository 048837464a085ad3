//! Axis-aligned box in f32.

use glam::{DVec3, Vec3};

use super::Volume;
use crate::shape::{Aabb, ShapeError};

/// A box along the axes in 24 bytes, faces included: the volume for trees over many items.
///
/// A side beyond the range of f32 is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PackedAabb {
    min: Vec3,
    max: Vec3,
}

impl PackedAabb {
    /// The box between two corners, exactly, in metres.
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
        Self { min: round_down(aabb.min()), max: -round_down(-aabb.max()) }
    }
}

/// Each component to the next f32 that is not above it.
fn round_down(v: DVec3) -> Vec3 {
    let component = |x: f64| {
        let nearest = x as f32;
        if f64::from(nearest) > x { nearest.next_down() } else { nearest }
    };
    Vec3::new(component(v.x), component(v.y), component(v.z))
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
