//! The input and the output of a sweep.

use glam::DVec3;

use crate::shape::{ShapeError, finite};

/// The straight path of a mover's center: its start and its translation, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    from: DVec3,
    translation: DVec3,
}

impl Path {
    /// The path from `from` to `from + translation`. A zero translation is legal.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn new(from: DVec3, translation: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { from: finite(from, "from")?, translation: finite(translation, "translation")? })
    }

    /// The path of one mover as seen by another that moves in the same time. The fraction of a hit then holds
    /// for both paths.
    ///
    /// # Errors
    /// The paths are so far apart that their difference overflows.
    pub fn relative(of: &Self, seen_from: &Self) -> Result<Self, ShapeError> {
        Self::new(of.from - seen_from.from, of.translation - seen_from.translation)
    }

    /// The same path in a scene `factor` times as large, and `way` times as long.
    pub(crate) fn scaled_apart(&self, factor: f64, way: f64) -> Self {
        Self { from: self.from * factor, translation: self.translation * way }
    }

    /// The start of the center.
    #[inline]
    pub fn from(&self) -> DVec3 {
        self.from
    }

    /// The whole displacement of the center.
    #[inline]
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The position of the center after a share of the path; exactly the start at 0.
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.from + self.translation * fraction
    }
}

/// The touched part of the other shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// The inside of a face, or the surface of a smooth shape.
    Face,
    /// Edge `i`: from corner `i` to the next.
    Edge(u32),
    /// Corner `i`.
    Vertex(u32),
}

/// The first contact on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// The share of the translation that is free, 0 … 1.
    pub fraction: f64,
    /// The touched point, on the other shape, in meters.
    pub point: DVec3,
    /// The unit normal of the contact, towards the mover.
    pub normal: DVec3,
    /// The part of the other shape that is touched.
    pub feature: Feature,
    /// Whether the mover was already inside the other shape, by more than rounding, and moves deeper.
    pub start_overlap: bool,
}

/// Another shape, with its center somewhere.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a, S> {
    pub(crate) shape: &'a S,
    pub(crate) center: DVec3,
}

/// How a mover at rest relates to another shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The distance along `normal`, in meters; negative in an overlap.
    pub gap: f64,
    /// The unit normal, towards the mover.
    pub normal: DVec3,
    /// The nearest point of the other shape, in meters. For an ellipsoid it is nearest where the ellipsoid is
    /// a unit sphere; for a cuboid up to √3 times as far as the gap.
    pub point: DVec3,
    /// The part of the other shape that is nearest.
    pub feature: Feature,
    /// A bound of the error of the gap, in meters: at most the bound by which sweeps of the same pair stop
    /// early.
    pub rounding: f64,
}

impl Hit {
    /// The same, or a contact at the start against the path if one of its numbers is not finite: a failure
    /// stops the mover.
    ///
    /// The square of a length about 10¹⁵⁰ times smaller than the path, or than another radius, underflows
    /// once the largest is brought near 1.
    #[inline(always)]
    pub(crate) fn or_stop(self, path: &Path) -> Self {
        // A unit normal has length 1 to a few roundings; one from subnormal squares only to their few digits.
        let unit = (self.normal.length_squared() - 1.0).abs() < 1.0 / (1u64 << 40) as f64;
        if self.fraction >= 0.0 && self.point.is_finite() && unit {
            return self;
        }
        self.stop(path)
    }

    #[cold]
    fn stop(self, path: &Path) -> Self {
        let way = path.translation();
        let largest = way.abs().max_element();
        let way = if largest > 0.0 { way / largest } else { DVec3::NEG_Y };
        Self {
            fraction: 0.0,
            point: path.from(),
            normal: -way / crate::num::ops::sqrt(way.length_squared()),
            start_overlap: false,
            ..self
        }
    }
}
