//! The least and the greatest coordinates of points, which may be none.

use glam::DVec3;

/// The box around some points, in meters. Unlike an [`Aabb`](carom::shape::Aabb) it may hold nothing:
/// [`Extents::NONE`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extents {
    /// The least coordinates.
    pub low: DVec3,
    /// The greatest coordinates.
    pub high: DVec3,
}

impl Extents {
    /// Of no points.
    pub const NONE: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Of these points.
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::NONE, |all, low| all.around(Self { low, high: low }))
    }

    /// Around both.
    #[must_use]
    pub fn around(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Extends them to a point, if it is finite.
    pub fn include(&mut self, point: DVec3) {
        if point.is_finite() {
            *self = self.around(Self { low: point, high: point });
        }
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        !self.low.cmple(self.high).all()
    }

    /// The size, in meters.
    pub fn size(self) -> DVec3 {
        self.high - self.low
    }

    /// The middle; `None` if there are no points.
    pub fn center(&self) -> Option<DVec3> {
        (!self.is_empty()).then(|| self.low * 0.5 + self.high * 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_not_finite_are_not_included() {
        let mut extents = Extents::NONE;
        extents.include(DVec3::new(f64::NAN, 0.0, 0.0));
        assert_eq!(extents.center(), None);
        extents.include(DVec3::new(1.0, 2.0, 3.0));
        extents.include(DVec3::new(-f64::INFINITY, 0.0, 0.0));
        extents.include(DVec3::new(3.0, 2.0, 1.0));
        assert_eq!(extents.center(), Some(DVec3::splat(2.0)));
    }
}
