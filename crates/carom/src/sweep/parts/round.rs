//! A sphere, an ellipsoid or a point swept against flat shapes: set up once for many tests.
//!
//! Source: `docs/sphere-triangle.md`, `docs/ellipsoid.md`: all three are a ball in a space of their own.
//! Error, cost: as `ball`. The common part with capsules is in `flat`.

use glam::DVec3;

use crate::num::bound::reach;
use crate::shape::Plane;
use crate::sweep::parts::ball::{Ball, BallHit, Limits};
use crate::sweep::parts::flat::{Offsets, RoundMover};
use crate::sweep::parts::form::Form;
use crate::sweep::parts::nearest::closest;
use crate::sweep::parts::space::Space;
use crate::sweep::patch::{PatchFoot, Probe};
use crate::sweep::{Contact, Feature, Hit, Path};

/// A moving round mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundSweep<S> {
    space: S,
    path: Path,
    ball: Ball,
}

impl<S: Space> RoundSweep<S> {
    /// `rounding` is the error of the path's coordinates, in meters.
    #[inline]
    pub(crate) fn new(space: S, path: &Path, rounding: f64) -> Self {
        Self { space, path: *path, ball: space.ball(path.from(), path.translation(), rounding) }
    }
}

impl<S: Space> RoundMover for RoundSweep<S> {
    const FORM: Form = S::FORM;

    #[inline(always)]
    fn path(&self) -> &Path {
        &self.path
    }

    fn plane(&self, plane: &Plane) -> Option<Hit> {
        let from = self.path.from();
        // The nearest point of the plane stands for a polygon without an outline.
        let height = plane.normal().dot(from) - plane.distance();
        let offset = plane.normal() * -height;
        let extent = reach(offset) + reach(from);
        let limits = self.ball.limits(extent * self.space.stretch());
        let hit =
            self.ball.plane(self.space.to_ball(offset), self.space.normal_to_ball(plane.normal()), limits)?;
        Some(self.in_world(&hit, Feature::Face))
    }

    #[inline(always)]
    fn limits(&self, offsets: &impl Offsets) -> Limits {
        self.ball.limits(offsets.extent() * self.space.stretch())
    }

    /// Two rounding bounds cover the ball's space and the world.
    #[inline(always)]
    fn clearance(&self, normal: DVec3, limits: Limits) -> f64 {
        (limits.touch + 2.0 * limits.rounding) * self.space.support_per_radius(normal)
    }

    #[inline(always)]
    fn outline(
        &self,
        offsets: &impl Offsets,
        normal: Option<DVec3>,
        flat: u32,
        limits: Limits,
    ) -> Option<BallHit> {
        let normal = normal.map(|n| self.space.normal_to_ball(n));
        self.ball.polygon(&offsets.seen_in(&self.space), normal, flat, limits)
    }

    #[inline(always)]
    fn outline_contact(&self, offsets: &impl Offsets, normal: Option<DVec3>, flat: u32) -> Contact {
        let normal = normal.map(|n| self.space.normal_to_ball(n));
        let closest = closest(&offsets.seen_in(&self.space), normal);
        let normal = closest.contact_normal(normal, flat);
        Contact {
            gap: self.space.gap_to_world(normal, closest.distance - self.ball.radius),
            normal: self.space.normal_to_world(normal),
            point: self.path.from() + self.space.to_world(closest.foot),
            feature: closest.feature,
            rounding: self.space.gap_to_world(normal, self.limits(offsets).rounding),
        }
    }

    #[inline(always)]
    fn in_world(&self, hit: &BallHit, feature: Feature) -> Hit {
        Hit {
            fraction: hit.fraction,
            point: self.path.from() + self.space.to_world(hit.foot),
            normal: self.space.normal_to_world(hit.normal),
            feature,
            start_overlap: hit.start_overlap,
        }
    }

    fn probe(&self, reach: f64) -> Probe {
        let reach = 2.0 * reach * self.space.stretch();
        Probe { ball: self.ball, half_axis: DVec3::ZERO, rounding: self.ball.limits(reach).rounding }
    }

    fn to_probe(&self, offset: DVec3) -> DVec3 {
        self.space.to_ball(offset)
    }

    fn least_length(&self, length: f64) -> f64 {
        self.space.least_length(length)
    }

    fn probe_contact(&self, gap: f64, foot: &PatchFoot, feature: Feature, rounding: f64) -> Contact {
        Contact {
            gap: self.space.gap_to_world(foot.normal, gap),
            normal: self.space.normal_to_world(foot.normal),
            point: self.path.from() + self.space.to_world(foot.foot),
            feature,
            rounding: self.space.gap_to_world(foot.normal, rounding),
        }
    }
}
