//! Round solids with a straight skeleton against each other: a sphere is a thick point, a capsule a thick
//! segment.
//!
//! Source: `docs/sphere-triangle.md`, solids. The thicknesses add and the skeletons' difference is a point, a
//! segment or a parallelogram, which the ball kernel takes as it takes any polygon. Error, cost: as `ball`.

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, length_and_direction, position_rounding, reach};
use crate::sweep::parts::ball::{Ball, BallHit, Limits};
use crate::sweep::parts::nearest::{closest_of_segments, upwards};
use crate::sweep::parts::outline::{Outline, triangle_normal};
use crate::sweep::{Contact, Feature, Hit, Path};

/// A thick skeleton that moves towards another.
pub(crate) struct Skeleton<'a> {
    pub(crate) path: &'a Path,
    pub(crate) radius: f64,
    pub(crate) other_radius: f64,
}

impl Skeleton<'_> {
    fn ball(&self, extent: f64, rounding: f64) -> (Ball, Limits) {
        let rounding = rounding + position_rounding(self.path.from(), self.path.translation());
        let ball = Ball::new(self.path.translation(), self.radius + self.other_radius, rounding);
        (ball, ball.limits(extent))
    }

    /// A point against a point.
    pub(crate) fn point(&self, center: DVec3, rounding: f64) -> Option<Hit> {
        let outline = [center - self.path.from()];
        let (ball, limits) = self.ball(outline.extent(), rounding);
        let hit = ball.polygon(&outline, None, 0, limits)?;
        Some(self.hit(&hit, center))
    }

    /// A segment ±`half_axis` against a segment ±`other_half_axis` about `center`; either may have no length.
    pub(crate) fn segment(
        &self,
        half_axis: DVec3,
        center: DVec3,
        other_half_axis: DVec3,
        rounding: f64,
    ) -> Option<Hit> {
        let offset = center - self.path.from();
        let (a, b) = (half_axis, other_half_axis);
        let hit = if a == DVec3::ZERO || b == DVec3::ZERO {
            let outline = [offset - a - b, offset + a + b];
            let (ball, limits) = self.ball(outline.extent(), rounding);
            ball.polygon(&outline, None, 0, limits)?
        } else {
            let outline = [offset - a - b, offset + a - b, offset + a + b, offset - a + b];
            let (ball, limits) = self.ball(outline.extent(), rounding);
            ball.polygon(&outline, triangle_normal(a, b), 0, limits)?
        };
        let at = self.path.at(hit.fraction);
        let (_, on_axis) = closest_of_segments(at - a, at + a, center - b, center + b);
        Some(self.hit(&hit, on_axis))
    }

    fn hit(&self, hit: &BallHit, on_axis: DVec3) -> Hit {
        Hit {
            fraction: hit.fraction,
            point: on_axis + hit.normal * self.other_radius,
            normal: hit.normal,
            feature: Feature::Face,
            start_overlap: hit.start_overlap,
        }
    }
}

/// A sphere, a capsule or a point about its center: a segment, which may have no length, thickened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThickSegment {
    /// From the center to one end of the segment.
    pub(crate) half_axis: DVec3,
    /// 0 or more.
    pub(crate) radius: f64,
}

/// The contact of a thick segment about `at` with another about `center`.
pub(crate) fn contact(segment: ThickSegment, at: DVec3, other: ThickSegment, center: DVec3) -> Contact {
    let (a, b) = (segment.half_axis, other.half_axis);
    let (radius, other_radius) = (segment.radius, other.radius);
    let (p, q) = closest_of_segments(at - a, at + a, center - b, center + b);
    let (distance, direction) = length_and_direction(p - q);
    // Crossing axes part along their common perpendicular, coinciding centers upwards.
    let normal = if distance > 0.0 { direction } else { triangle_normal(a, b).map_or(DVec3::Y, upwards) };
    Contact {
        gap: distance - radius - other_radius,
        normal,
        point: q + normal * other_radius,
        feature: Feature::Face,
        rounding: 16.0
            * UNIT_ROUNDOFF
            * (reach(at) + reach(center) + reach(a) + reach(b) + radius + other_radius),
    }
}
