//! Frustum of a cone: the common part of cylinders and cones.
//!
//! Idea: everything is decided in the half-plane of the axis and the point, where the solid is a
//! quadrilateral: half the bottom, the slope, half the top. Error: a few unit roundoffs of the lengths given,
//! and of the coordinates of the point. Cost: three closest points of segments in the plane.

use core::f64::consts::PI;

use glam::{DQuat, DVec2, DVec3, dvec2, dvec3};

use super::rounding::{TURN, reach, sum_down_each, sum_up_each};
use super::{Aabb, Convex};
use crate::num::ops::sqrt;

/// A solid that is round about its own y, with flat ends at ±`half_height`, of radii that may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frustum {
    pub(crate) bottom: f64,
    pub(crate) top: f64,
    pub(crate) half_height: f64,
    pub(crate) rotation: DQuat,
}

/// How a point stands to the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// Negative inside, in meters.
    pub(crate) distance: f64,
    /// The nearest point of the surface.
    pub(crate) point: DVec3,
    /// Unit, outward, from the nearest point to the point.
    pub(crate) normal: DVec3,
}

impl Frustum {
    /// The same, `factor` times as large.
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        let Self { bottom, top, half_height, rotation } = *self;
        Self { bottom: bottom * factor, top: top * factor, half_height: half_height * factor, rotation }
    }

    /// The largest of its lengths.
    pub(crate) fn largest(&self) -> f64 {
        self.bottom.max(self.top).max(self.half_height)
    }

    /// From its middle to the middle of the top, at length one.
    pub(crate) fn axis(&self) -> DVec3 {
        if self.rotation == DQuat::IDENTITY { DVec3::Y } else { self.rotation * DVec3::Y }
    }

    pub(crate) fn to_own(self, v: DVec3) -> DVec3 {
        if self.rotation == DQuat::IDENTITY { v } else { self.rotation.conjugate() * v }
    }

    pub(crate) fn to_world(self, v: DVec3) -> DVec3 {
        if self.rotation == DQuat::IDENTITY { v } else { self.rotation * v }
    }

    /// The corners of half its section: distance from the axis, and height.
    fn section(&self) -> [DVec2; 4] {
        let half = self.half_height;
        [dvec2(0.0, -half), dvec2(self.bottom, -half), dvec2(self.top, half), dvec2(0.0, half)]
    }

    /// How a point stands to the surface. Of places inside that are equally far from two of its sides the
    /// slope is preferred, then the bottom.
    pub(crate) fn standing(&self, p: DVec3) -> Standing {
        let own = self.to_own(p);
        let radius = sqrt(own.x * own.x + own.z * own.z);
        let outward = if radius > 0.0 { dvec3(own.x / radius, 0.0, own.z / radius) } else { DVec3::X };
        let seen = dvec2(radius, own.y);
        let corners = self.section();
        let back = |flat: DVec2| self.to_world(outward * flat.x + DVec3::Y * flat.y);
        // Along each side, from the bottom up; the end of a cone has no width, and no side.
        let sides = [0, 1, 2].map(|i| unit_flat(corners[i + 1] - corners[i]));
        let outside = |along: DVec2| dvec2(along.y, -along.x);
        let mut best: Option<(f64, DVec2, DVec2)> = None;
        let mut is_inside = true;
        for i in [1, 0, 2] {
            let Some((along, length)) = sides[i] else { continue };
            let (a, b) = (corners[i], corners[i + 1]);
            is_inside &= outside(along).dot(seen - a) <= 0.0;
            let share = (seen - a).dot(along) / length;
            // The middle of an end is no corner.
            let (is_before, is_beyond) = (share <= 0.0 && i != 0, share >= 1.0 && i != 2);
            let nearest = match (is_before, is_beyond) {
                (true, _) => a,
                (_, true) => b,
                _ if share <= 0.5 => a + along * (share * length),
                _ => b - along * ((1.0 - share) * length),
            };
            let off = seen - nearest;
            let apart = off.length_squared();
            if best.is_some_and(|(least, ..)| apart >= least) {
                continue;
            }
            // On a side it is that of the side, whatever rounding makes of a small distance; at a corner it
            // is between those of both sides.
            let normal = if is_before || is_beyond {
                let before = if is_before { i.checked_sub(1).and_then(|i| sides[i]) } else { sides[i] };
                let after = if is_before { sides[i] } else { sides.get(i + 1).copied().flatten() };
                match (before, after) {
                    (Some((before, _)), _) if off.dot(before) <= 0.0 => outside(before),
                    (_, Some((after, _))) if off.dot(after) >= 0.0 => outside(after),
                    _ => off / sqrt(apart),
                }
            } else {
                outside(along)
            };
            best = Some((apart, nearest, normal));
        }
        let (squared, nearest, normal) = best.unwrap_or((0.0, corners[0], -DVec2::Y));
        let distance = if is_inside { -sqrt(squared) } else { sqrt(squared) };
        Standing { distance, point: back(nearest), normal: back(normal) }
    }

    /// Visits the outward unit normals of the sides that a point of the surface lies on, to within `off`:
    /// both on a rim. At an apex, where the slope faces all ways, it is seen from the side of `toward`.
    pub(crate) fn sides_at(&self, p: DVec3, (toward, off): (DVec3, f64), visit: &mut dyn FnMut(DVec3)) {
        let own = self.to_own(p);
        let radius = sqrt(own.x * own.x + own.z * own.z);
        let lean = if radius > off { own } else { self.to_own(toward) };
        let across = sqrt(lean.x * lean.x + lean.z * lean.z);
        let outward = if across > 0.0 { dvec3(lean.x / across, 0.0, lean.z / across) } else { DVec3::X };
        let corners = self.section();
        for [from, to] in [[0, 1], [1, 2], [2, 3]].map(|side| side.map(|corner| corners[corner])) {
            let Some((along, length)) = unit_flat(to - from) else { continue };
            let outside = dvec2(along.y, -along.x);
            let seen = dvec2(radius, own.y) - from;
            let is_beside = (-off..=length + off).contains(&seen.dot(along));
            if is_beside && seen.dot(outside) >= -off {
                visit(self.to_world(outward * outside.x + DVec3::Y * outside.y));
            }
        }
    }

    /// The point that is farthest along a direction of any length; of those of a flat end the middle.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        let own = self.to_own(direction);
        let across = sqrt(own.x * own.x + own.z * own.z);
        let outward = if across > 0.0 { dvec3(own.x / across, 0.0, own.z / across) } else { DVec3::ZERO };
        let half = self.half_height;
        let is_up = self.top * across + half * own.y > self.bottom * across - half * own.y;
        let (radius, height) = if is_up { (self.top, half) } else { (self.bottom, -half) };
        self.to_world(outward * radius + DVec3::Y * height)
    }

    /// The box around it; it covers the exact solid, and is larger by at most about hundred unit roundoffs of
    /// its lengths if it is turned.
    pub(crate) fn bounds(&self) -> Aabb {
        let along = |axis: DVec3| self.farthest(axis).dot(axis);
        let max = dvec3(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        let min = -dvec3(along(-DVec3::X), along(-DVec3::Y), along(-DVec3::Z));
        if self.rotation == DQuat::IDENTITY {
            return Aabb::spanning(min, max);
        }
        let outward = DVec3::splat(2.0 * TURN * (self.half_height + self.bottom.max(self.top)));
        Aabb::spanning(sum_down_each(min, -outward), sum_up_each(max, outward))
    }

    pub(crate) fn volume(&self) -> f64 {
        let Self { bottom, top, half_height, .. } = *self;
        PI * 2.0 * half_height * (bottom * bottom + bottom * top + top * top) / 3.0
    }

    /// The fraction of `translation` after which a point from `from` is first inside.
    pub(crate) fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
        if self.standing(from).distance <= 0.0 {
            return Some(0.0);
        }
        let (from, way) = (self.to_own(from), self.to_own(translation));
        let half = self.half_height;
        let mut first = f64::INFINITY;
        for (height, radius) in [(-half, self.bottom), (half, self.top)] {
            let t = (height - from.y) / way.y;
            let at = from + way * t;
            if way.y != 0.0 && t >= 0.0 && at.x * at.x + at.z * at.z <= radius * radius {
                first = first.min(t);
            }
        }
        // The slope: x² + z² = (radius at the height)².
        let slope = (self.top - self.bottom) / (2.0 * half);
        let wide = self.bottom + slope * (from.y + half);
        let grows = slope * way.y;
        let a = way.x * way.x + way.z * way.z - grows * grows;
        let b = from.x * way.x + from.z * way.z - wide * grows;
        let c = from.x * from.x + from.z * from.z - wide * wide;
        let root = b * b - a * c;
        if root >= 0.0 {
            let q = -(b + if b < 0.0 { -sqrt(root) } else { sqrt(root) });
            for t in [q / a, c / q] {
                let height = from.y + way.y * t;
                // A double cone: the other half of it is not there.
                if t >= 0.0 && height.abs() <= half && wide + grows * t >= 0.0 {
                    first = first.min(t);
                }
            }
        }
        (first <= 1.0).then_some(first)
    }
}

/// The direction of a side and its length; none of a side of no length.
fn unit_flat(side: DVec2) -> Option<(DVec2, f64)> {
    let length = sqrt(side.length_squared());
    (length > 0.0).then(|| (side / length, length))
}

impl Convex for Frustum {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.farthest(direction)
    }

    fn reach(&self) -> f64 {
        reach(dvec3(self.bottom.max(self.top), self.half_height, 0.0)) * (1.0 + TURN)
    }
}

/// The queries of cylinders and cones, each through its frustum.
macro_rules! solid_of_revolution {
    ($shape:ident) => {
        impl $shape {
            /// The same turned to `rotation`, which is scaled to length one.
            ///
            /// # Errors
            /// A quaternion that is not finite, or zero.
            pub fn with_rotation(self, rotation: DQuat) -> Result<Self, ShapeError> {
                Ok(Self { rotation: unit_rotation(rotation)?, ..self })
            }

            /// The radius, in meters.
            pub fn radius(&self) -> f64 {
                self.radius
            }

            /// Half the height, in meters.
            pub fn half_height(&self) -> f64 {
                self.half_height
            }

            /// From its own axes to the world's.
            pub fn rotation(&self) -> DQuat {
                self.rotation
            }

            /// The volume, in cubic meters.
            pub fn volume(&self) -> f64 {
                self.frustum().volume()
            }

            /// The box around it, relative to its center; it covers the exact shape.
            pub fn bounds(&self) -> Aabb {
                self.frustum().bounds()
            }

            /// Whether the point lies in it, surface included.
            pub fn contains(&self, p: DVec3) -> bool {
                self.frustum().standing(p).distance <= 0.0
            }

            /// Its point nearest to `p`: `p` itself if it is inside.
            pub fn closest_point(&self, p: DVec3) -> DVec3 {
                let standing = self.frustum().standing(p);
                if standing.distance <= 0.0 { p } else { standing.point }
            }

            /// The point of its surface nearest to `p`.
            pub fn closest_surface_point(&self, p: DVec3) -> DVec3 {
                self.frustum().standing(p).point
            }

            /// The distance of `p` from the surface, in meters; negative inside.
            pub fn signed_distance(&self, p: DVec3) -> f64 {
                self.frustum().standing(p).distance
            }

            /// The point that is farthest along `direction`; of those of a flat end its middle.
            pub fn support_point(&self, direction: DVec3) -> DVec3 {
                self.frustum().farthest(direction_or_up(direction))
            }

            /// The fraction of `translation` after which a point from `from` is first in it: 0 if it starts
            /// there.
            pub fn ray(&self, from: DVec3, translation: DVec3) -> Option<f64> {
                self.frustum().ray(from, translation)
            }
        }

        impl Convex for $shape {
            fn support(&self, direction: DVec3) -> DVec3 {
                self.frustum().support(direction)
            }

            fn reach(&self) -> f64 {
                self.frustum().reach()
            }
        }
    };
}
pub(super) use solid_of_revolution;
