//! A sphere, an ellipsoid or a point swept against flat things, once set up and then asked many times.
//!
//! Source: `docs/sphere-triangle.md`, `docs/ellipsoid.md`. Cost: a triangle out of reach of its plane is dismissed by two
//! products, before any root.

use glam::{DMat3, DVec3};

use super::ball::{Ball, BallHit, Closest, Limits, closest};
use super::outline::{Outline, Ring, is_odd, sort_corners, triangle_normal, unsort};
use super::space::Space;
use super::{Contact, Feature, Hit, Path};
use crate::num::bound::reach;
use crate::shape::{ConvexPolygon, Plane};

/// A triangle as a mesh knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// The corners, in the frame of the path.
    pub(crate) corners: [DVec3; 3],
    /// A bit for every edge that a coplanar neighbour continues.
    pub(crate) flat: u32,
    /// Whether a mover whose centre starts behind it passes.
    pub(crate) one_sided: bool,
}

impl Facet {
    /// A triangle on its own: no neighbours, two sides.
    pub(crate) fn alone(corners: [DVec3; 3]) -> Self {
        Self { corners, flat: 0, one_sided: false }
    }

    /// Whether this is the back of a one-sided triangle. `normal` is that of the sorted corners, `offset` one of them.
    #[inline(always)]
    pub(crate) fn is_behind(&self, normal: Option<DVec3>, offset: DVec3, order: [u8; 3]) -> bool {
        self.one_sided
            && normal.is_some_and(|normal| {
                let height = -normal.dot(offset);
                height != 0.0 && (height < 0.0) != is_odd(order)
            })
    }

    /// The flat bits for the corners in another order.
    #[inline(always)]
    pub(crate) fn sorted_flat(&self, order: [u8; 3]) -> u32 {
        if self.flat == 0 {
            return 0;
        }
        let mut flat = 0;
        for k in 0..3 {
            if let Feature::Edge(i) = unsort(Feature::Edge(k), order) {
                flat |= (self.flat >> i & 1) << k;
            }
        }
        flat
    }
}

/// A round mover on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundSweep<S> {
    space: S,
    path: Path,
    ball: Ball,
}

impl<S: Space> RoundSweep<S> {
    /// `rounding` is what the path's coordinates are off by already, in metres.
    #[inline(always)]
    pub(crate) fn new(space: S, path: &Path, rounding: f64) -> Self {
        Self { space, path: *path, ball: space.ball(path.from(), path.translation(), rounding) }
    }

    /// The first contact with a triangle.
    #[inline(always)]
    pub(crate) fn triangle(&self, facet: &Facet) -> Option<Hit> {
        let (corners, order) = sort_corners(facet.corners);
        let offsets = corners.map(|v| v - self.path.from());
        let limits = self.ball.limits(offsets.extent() * self.space.stretch());
        let normal = triangle_normal(corners[1] - corners[0], corners[2] - corners[0]);
        if facet.is_behind(normal, offsets[0], order)
            || normal.is_some_and(|normal| self.out_of_reach(normal, -normal.dot(offsets[0]), limits))
        {
            return None;
        }
        let outline = offsets.map(|v| self.space.to_ball(v));
        let normal = normal.map(|n| self.space.normal_to_ball(n));
        let hit = self.ball.polygon(&outline, normal, facet.sorted_flat(order), limits)?;
        let feature = unsort(hit.feature, order);
        Some(match feature {
            Feature::Vertex(i) => Hit { point: facet.corners[i as usize], ..self.in_world(&hit, feature) },
            _ => self.in_world(&hit, feature),
        })
    }

    /// How the mover stands to a triangle at the start of its way; none behind a one-sided one.
    #[inline(always)]
    pub(crate) fn triangle_contact(&self, facet: &Facet) -> Option<Contact> {
        let (corners, order) = sort_corners(facet.corners);
        let offsets = corners.map(|v| v - self.path.from());
        let normal = triangle_normal(corners[1] - corners[0], corners[2] - corners[0]);
        if facet.is_behind(normal, offsets[0], order) {
            return None;
        }
        let outline = offsets.map(|v| self.space.to_ball(v));
        let normal = normal.map(|n| self.space.normal_to_ball(n));
        let extent = offsets.extent();
        Some(self.contact(closest(&outline, normal), normal, facet.sorted_flat(order), extent, |f| {
            unsort(f, order)
        }))
    }

    /// How the mover stands to a convex polygon at the start of its way.
    pub(crate) fn polygon_contact(&self, polygon: &ConvexPolygon) -> Option<Contact> {
        let outline = Ring::new(polygon.vertices(), self.path.from(), self.space.matrix());
        let normal = if outline.is_reversed() { -polygon.normal() } else { polygon.normal() };
        let normal = Some(self.space.normal_to_ball(normal));
        let extent = Ring::new(polygon.vertices(), self.path.from(), DMat3::IDENTITY).extent();
        Some(self.contact(closest(&outline, normal), normal, 0, extent, |feature| outline.original(feature)))
    }

    fn contact(
        &self,
        closest: Closest,
        normal: Option<DVec3>,
        flat: u32,
        extent: f64,
        original: impl Fn(Feature) -> Feature,
    ) -> Contact {
        let normal = closest.contact_normal(normal, flat);
        Contact {
            gap: self.space.gap_to_world(normal, closest.distance - self.ball.radius),
            normal: self.space.normal_to_world(normal),
            point: self.path.from() + self.space.to_world(closest.foot),
            feature: original(closest.feature),
            rounding: self
                .space
                .gap_to_world(normal, self.ball.limits(extent * self.space.stretch()).rounding),
        }
    }

    /// The first contact with a convex polygon.
    pub(crate) fn polygon(&self, polygon: &ConvexPolygon) -> Option<Hit> {
        let offsets = Ring::new(polygon.vertices(), self.path.from(), DMat3::IDENTITY);
        let limits = self.ball.limits(offsets.extent() * self.space.stretch());
        let normal = if offsets.is_reversed() { -polygon.normal() } else { polygon.normal() };
        if self.out_of_reach(normal, -normal.dot(offsets.at(0)), limits) {
            return None;
        }
        let outline = Ring::new(polygon.vertices(), self.path.from(), self.space.matrix());
        let hit = self.ball.polygon(&outline, Some(self.space.normal_to_ball(normal)), 0, limits)?;
        Some(self.in_world(&hit, outline.original(hit.feature)))
    }

    /// The first contact with a plane, from whichever side the centre is on.
    pub(crate) fn plane(&self, plane: &Plane) -> Option<Hit> {
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

    /// Whether the way stays clear of the plane. Two rounding bounds cover the ball's space and this one, so that nothing is
    /// dismissed here that a root would reach.
    #[inline(always)]
    fn out_of_reach(&self, normal: DVec3, height: f64, limits: Limits) -> bool {
        let travelled = normal.dot(self.path.translation());
        let nearest = height.abs() + (if height < 0.0 { -travelled } else { travelled }).min(0.0);
        nearest > (limits.touch + 2.0 * limits.rounding) * self.space.support_per_radius(normal)
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
}
