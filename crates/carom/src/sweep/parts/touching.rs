//! The touching rule: a ball that touches at the start is stopped only if it goes deeper.
//!
//! Source: `docs/sphere-triangle.md`, touching. By convexity a path that does not approach at the start never
//! hits. Where rounding could decide, the whole path is compared with the distance at the start. Error: a
//! contact within the rounding bound of the start may count either way. Cost: a nearest point, and where it
//! is in doubt the distance of each edge from the path.

use glam::DVec3;

use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::sweep::parts::ball::{Ball, BallHit, Limits};
use crate::sweep::parts::nearest::{closest, inside, segments_distance_squared};
use crate::sweep::parts::outline::Outline;

/// A radius is huge if its rounding is more than this share of the path.
const HUGE: f64 = 1.0 / 64.0;

impl Ball {
    /// The start touches: it is a contact now if the path goes deeper, and by convexity never if it does not.
    #[cold]
    #[inline(never)]
    pub(super) fn touching(
        &self,
        outline: &impl Outline,
        normal: Option<DVec3>,
        flat: u32,
        limits: Limits,
    ) -> Option<BallHit> {
        let closest = closest(outline, normal);
        let contact = closest.contact_normal(normal, flat);
        // On the polygon itself every path leads out.
        let grazes = |nearer| self.only_grazes(outline, normal, nearer);
        if closest.distance == 0.0 || !self.goes_deeper(contact, closest.distance, limits, grazes) {
            return None;
        }
        Some(BallHit {
            fraction: 0.0,
            foot: closest.foot,
            normal: self.opposing(contact),
            feature: closest.feature,
            start_overlap: closest.distance < self.radius - limits.rounding,
        })
    }

    /// Whether a mover so large that its radius alone sets the rounding bound is on one side all the same: by
    /// its way, which is beside that radius as nothing, the distance is many roundings.
    fn is_beyond_rounding(&self, distance: f64, limits: Limits) -> bool {
        let way = reach(self.translation);
        let is_huge = self.radius * UNIT_ROUNDOFF > way * HUGE;
        is_huge && distance > 64.0 * UNIT_ROUNDOFF * way && distance < self.radius - limits.rounding
    }

    /// Whether a path too short for its end to be nearer than its start by more than rounding goes deeper all
    /// the same: from an overlap, straight enough that no error of the normal matters.
    fn surely_deeper(&self, speed: f64, distance: f64, limits: Limits) -> bool {
        let way = reach(self.translation);
        let is_short = way <= 8.0 * limits.rounding;
        let overlaps = distance < self.radius - limits.rounding;
        // A normal is good to the root of twice the rounding over the distance.
        is_short && overlaps && speed * speed * distance > 16.0 * limits.rounding * way * way
    }

    /// Whether the path goes deeper from a start that touches, `distance` away along `contact`. `only_grazes`
    /// is asked with the distance to beat.
    ///
    /// The normal decides, but a foot so near gives it only to the rounding over the distance. So by
    /// convexity: a path that comes nowhere nearer than its start does not approach, whatever the normal
    /// says. And from a start that overlaps, where that much of doubt is left, one that comes nearer by more
    /// than the threshold allows (64u of the path are less than 8 bounds) does.
    pub(crate) fn goes_deeper(
        &self,
        contact: DVec3,
        distance: f64,
        limits: Limits,
        only_grazes: impl Fn(Limits) -> bool,
    ) -> bool {
        let speed = contact.dot(self.translation);
        if speed < -self.threshold {
            let graze = limits.graze.min(distance - limits.rounding);
            return if graze <= 0.0 {
                self.is_point(limits) || self.is_beyond_rounding(distance, limits)
            } else {
                !only_grazes(Limits { graze, ..limits }) || self.surely_deeper(speed, distance, limits)
            };
        }
        let doubt = 8.0 * limits.rounding;
        let overlaps = distance < self.radius - limits.rounding;
        overlaps
            && distance > doubt
            && speed * APPROACH * distance <= doubt * self.threshold
            && !only_grazes(Limits { graze: distance - doubt, ..limits })
    }

    /// Whether the whole path stays as far away as touching: resting on a floor and sliding towards the next
    /// tile's edge comes as near to that edge as to the floor, and no nearer.
    #[cold]
    #[inline(never)]
    pub(crate) fn only_grazes(&self, outline: &impl Outline, normal: Option<DVec3>, limits: Limits) -> bool {
        if self.is_point(limits) {
            return false;
        }
        let graze_squared = limits.graze * limits.graze;
        if let Some(normal) = normal {
            let start = -normal.dot(outline.at(0));
            let end = start + normal.dot(self.translation);
            // Through the plane inside the polygon; beside it the edges give the distance.
            if (start < 0.0) != (end < 0.0)
                && inside(outline, normal, self.translation * (start / (start - end)))
            {
                return false;
            }
            let foot = self.translation - normal * end;
            if end.abs() < limits.graze && inside(outline, normal, foot) {
                return false;
            }
        }
        let far_enough = |p: DVec3, q: DVec3| {
            segments_distance_squared(DVec3::ZERO, self.translation, p, q) >= graze_squared
        };
        if outline.len() == 1 {
            return far_enough(outline.at(0), outline.at(0));
        }
        (0..outline.edges()).all(|i| far_enough(outline.at(i), outline.at(outline.next(i))))
    }
}
