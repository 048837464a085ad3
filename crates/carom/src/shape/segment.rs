//! Closest points on segments.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 5.1.2 and 5.1.9. The foot of the perpendicular, clamped
//! to the ends; of two segments, the best of the four ends and of the common perpendicular. Error: distances
//! are the least to within 4 unit roundoffs of the coordinates and the distance, of two segments too and
//! whatever the angle between them. A foot is measured from the nearer end. Cost: 3 dot products and a
//! division; for two segments five times that. Never fails: a segment of no length is its point.

use glam::DVec3;

use super::rounding::{UNIT_ROUNDOFF, direction_or_up};
use super::{Aabb, Plane, ShapeError, finite};
use crate::num::ops;
use crate::num::point_order::lower;

/// The straight line between two points, ends included. Lengths in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::wire::Segment", into = "super::wire::Segment"))]
pub struct Segment {
    a: DVec3,
    b: DVec3,
}

/// A point of a segment and how far along it lies: 0 at `a`, 1 at `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SegmentPoint {
    /// The point, in meters.
    pub point: DVec3,
    /// 0 at the first end, 1 at the second.
    pub along: f64,
}

/// Where on a segment the nearest point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentRegion {
    First,
    Inside,
    Second,
}

impl Segment {
    /// The segment between two points. One of no length is legal: it is its point.
    ///
    /// # Errors
    /// An end that is not finite.
    pub fn new(a: DVec3, b: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { a: finite(a, "a")?, b: finite(b, "b")? })
    }

    /// A segment whose ends are known to be finite.
    pub(super) fn between(a: DVec3, b: DVec3) -> Self {
        Self { a, b }
    }

    /// The first end.
    pub fn a(&self) -> DVec3 {
        self.a
    }

    /// The second end.
    pub fn b(&self) -> DVec3 {
        self.b
    }

    /// The length, in meters.
    pub fn length(&self) -> f64 {
        ops::sqrt((self.b - self.a).length_squared())
    }

    /// The smallest box around the segment.
    pub fn bounds(&self) -> Aabb {
        Aabb::spanning(self.a.min(self.b), self.a.max(self.b))
    }

    /// The end that is farthest along `direction`; of two equally far, the higher in lexicographic order.
    pub fn support_point(&self, direction: DVec3) -> DVec3 {
        let direction = direction_or_up(direction);
        let ahead = (self.b - self.a).dot(direction);
        if ahead > 0.0 || (ahead == 0.0 && lower(self.a, self.b)) { self.b } else { self.a }
    }

    /// The point of the segment nearest to `p`. The order of the ends changes no bit of it.
    ///
    /// ```
    /// use carom::shape::Segment;
    /// use glam::dvec3;
    /// let rail = Segment::new(dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0))?;
    /// let foot = rail.closest_point(dvec3(1.0, 2.0, 0.0));
    /// assert_eq!(foot.point, dvec3(1.0, 0.0, 0.0));
    /// assert_eq!(foot.along, 0.25);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_point(&self, p: DVec3) -> SegmentPoint {
        closest(self.a, self.b, p).0
    }

    /// The distance of `p` from the segment, in meters.
    pub fn distance(&self, p: DVec3) -> f64 {
        ops::sqrt((self.closest_point(p).point - p).length_squared())
    }

    /// Whether the plane touches or cuts the segment, to within rounding.
    pub fn overlaps_plane(&self, plane: &Plane) -> bool {
        plane.cuts_hull_of(&[self.a, self.b])
    }

    /// The points in which two segments come nearest to each other, this one's first.
    ///
    /// Where several pairs are equally near (parallel segments), one of them. The order of the ends changes
    /// nothing.
    ///
    /// ```
    /// use carom::shape::Segment;
    /// use glam::dvec3;
    /// let rail = Segment::new(dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0))?;
    /// let beam = Segment::new(dvec3(1.0, 2.0, -1.0), dvec3(1.0, 2.0, 1.0))?;
    /// let (on_rail, on_beam) = rail.closest_points(&beam);
    /// assert_eq!((on_rail.point, on_beam.point), (dvec3(1.0, 0.0, 0.0), dvec3(1.0, 2.0, 0.0)));
    /// assert_eq!((on_rail.along, on_beam.along), (0.25, 0.5));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn closest_points(&self, other: &Self) -> (SegmentPoint, SegmentPoint) {
        // The roles and the ends in order of value, so that neither changes a bit.
        let (mut first, first_turned) = self.ordered();
        let (mut second, second_turned) = other.ordered();
        let swap = lower(second.a, first.a) || (second.a == first.a && lower(second.b, first.b));
        if swap {
            core::mem::swap(&mut first, &mut second);
        }
        let (mut on_self, mut on_other) = closest_ordered(&first, &second);
        if swap {
            core::mem::swap(&mut on_self, &mut on_other);
        }
        let turn = |p: SegmentPoint, turned: bool| {
            if turned { SegmentPoint { along: 1.0 - p.along, ..p } } else { p }
        };
        (turn(on_self, first_turned), turn(on_other, second_turned))
    }

    fn ordered(&self) -> (Self, bool) {
        if lower(self.b, self.a) { (Self { a: self.b, b: self.a }, true) } else { (*self, false) }
    }
}

/// The point of the segment from `a` to `b` nearest to `p`.
#[inline]
pub(super) fn closest(a: DVec3, b: DVec3, p: DVec3) -> (SegmentPoint, SegmentRegion) {
    let edge = b - a;
    // Compared before dividing: exact at both ends, and a segment of no length never divides by zero.
    let from_a = (p - a).dot(edge);
    if from_a <= 0.0 {
        return (SegmentPoint { point: a, along: 0.0 }, SegmentRegion::First);
    }
    let from_b = (b - p).dot(edge);
    if from_b <= 0.0 {
        return (SegmentPoint { point: b, along: 1.0 }, SegmentRegion::Second);
    }
    let length_squared = edge.length_squared();
    // From the nearer end: a foot next to an end keeps the digits of that end.
    if from_a < from_b || (from_a == from_b && lower(a, b)) {
        let along = from_a / length_squared;
        (SegmentPoint { point: a + edge * along, along }, SegmentRegion::Inside)
    } else {
        let back = from_b / length_squared;
        (SegmentPoint { point: b - edge * back, along: 1.0 - back }, SegmentRegion::Inside)
    }
}

/// The best of five candidates. All are pairs of points on the segments, so the least of them is never too
/// small; that it is not too large where the common perpendicular is badly conditioned follows from the ends
/// being as good there.
fn closest_ordered(first: &Segment, second: &Segment) -> (SegmentPoint, SegmentPoint) {
    let end = |point: DVec3, along: f64| SegmentPoint { point, along };
    let mut best = (end(first.a, 0.0), second.closest_point(first.a));
    let mut least = (best.0.point - best.1.point).length_squared();
    let mut offer = |pair: (SegmentPoint, SegmentPoint)| {
        let squared = (pair.0.point - pair.1.point).length_squared();
        if squared < least {
            (least, best) = (squared, pair);
        }
    };
    offer((end(first.b, 1.0), second.closest_point(first.b)));
    offer((first.closest_point(second.a), end(second.a, 0.0)));
    offer((first.closest_point(second.b), end(second.b, 1.0)));

    let (d1, d2) = (first.b - first.a, second.b - second.a);
    let across = d1.cross(d2);
    let across_squared = across.length_squared();
    // Below this the direction of the cross product is rounding; the segments are parallel and the ends say
    // all.
    let parallel = 4.0 * UNIT_ROUNDOFF;
    if across_squared > parallel * parallel * d1.length_squared() * d2.length_squared() {
        let apart = second.a - first.a;
        let along = apart.cross(d2).dot(across) / across_squared;
        if along > 0.0 && along < 1.0 {
            let on_second = second.closest_point(first.a + d1 * along);
            // Back and forth once: what rounding left in `along` shrinks by the squared cosine of the angle.
            let on_first = first.closest_point(on_second.point);
            offer((on_first, on_second));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn segment(a: DVec3, b: DVec3) -> Segment {
        Segment::new(a, b).unwrap()
    }

    #[test]
    fn is_the_end_when_behind_it() {
        let s = segment(dvec3(1.0, 1.0, 1.0), dvec3(2.0, 3.0, 4.0));
        assert_eq!(s.closest_point(dvec3(-5.0, 0.0, 0.0)), SegmentPoint { point: s.a(), along: 0.0 });
        assert_eq!(s.closest_point(dvec3(9.0, 9.0, 9.0)), SegmentPoint { point: s.b(), along: 1.0 });
    }

    #[test]
    fn a_segment_of_no_length_is_its_point() {
        let s = segment(DVec3::ONE, DVec3::ONE);
        assert_eq!(s.closest_point(DVec3::ZERO), SegmentPoint { point: DVec3::ONE, along: 0.0 });
        let (p, q) = s.closest_points(&segment(DVec3::ZERO, DVec3::X * 3.0));
        assert_eq!((p.point, q.point), (DVec3::ONE, DVec3::X));
        let (p, q) = s.closest_points(&s);
        assert_eq!((p.point, q.point), (DVec3::ONE, DVec3::ONE));
    }

    #[test]
    fn a_foot_near_the_second_end_keeps_that_ends_digits() {
        let s = segment(dvec3(-1e8, 0.0, 0.0), dvec3(1e-9, 0.0, 0.0));
        let foot = s.closest_point(dvec3(-3e-9, 1.0, 0.0)).point;
        assert!((foot.x + 3e-9).abs() < 1e-22, "{foot}");
    }

    #[test]
    fn crossing_segments_meet() {
        let (p, q) = segment(dvec3(-1.0, 0.0, 0.0), DVec3::X)
            .closest_points(&segment(dvec3(0.0, -2.0, 0.0), DVec3::Y));
        assert_eq!((p.point, q.point), (DVec3::ZERO, DVec3::ZERO));
        assert_eq!(p.along, 0.5);
        assert!((q.along - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn parallel_segments_are_as_near_as_they_lie() {
        let s = segment(DVec3::ZERO, DVec3::X);
        for (shift, expected) in
            [(dvec3(0.5, 2.0, 0.0), 2.0), (dvec3(4.0, 4.0, 0.0), 5.0), (dvec3(1.0, 0.0, 0.0), 0.0)]
        {
            let (p, q) = s.closest_points(&segment(shift, shift + DVec3::X));
            assert_eq!((p.point - q.point).length_squared(), expected * expected);
        }
    }
}
