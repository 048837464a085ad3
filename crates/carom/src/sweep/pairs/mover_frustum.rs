//! Any mover against a solid cylinder or cone.
//!
//! Idea: a separating direction n bounds the gap from below by s(n), the difference of two support heights,
//! and so it does all along the path, on which s(n) is linear. The mover advances until the bound is 0, finds
//! a better direction there, and repeats: Newton's method on a convex function, from the left, which never
//! passes the root. A direction against which the mover does not move ends the sweep without a hit.
//!
//! The directions are those of the nearest points: in closed form for points and spheres; for a capsule those
//! of its axis, and for all others those of the shape or, where that touches, of one a little smaller, by
//! [`convex_distance`](crate::shape::convex_distance); and the directions of flat faces, which are exact.
//! Error: never late; early by less than STANDOFF bounds of 24 unit roundoffs of all lengths, and by what the
//! smaller shape bends the direction, 2⁻⁵² of the largest radius of curvature. Overlaps are as deep as the
//! least way out. Cost: 3 to 10 steps, of one closest point for what is round, of one convex distance (5 to
//! 80 support points) for others; a way out where they overlap. Gives up after 128 steps, with a hit.

use glam::DVec3;

use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::shape::{Cone, Convex, Cylinder, DEFAULT_TOLERANCE, Frustum, Mover, convex_distance_within};
use crate::sweep::parts::scaled::{Scalable, in_range};
use crate::sweep::parts::way_out::{by_ball, least_way_out};
use crate::sweep::{Contact, Feature, Hit, Path};

/// The first contact of any mover with a solid cylinder that stands with its center at `other_center`.
pub fn mover_cylinder(mover: &Mover, path: &Path, other: &Cylinder, other_center: DVec3) -> Option<Hit> {
    in_range(mover, path, &(other.frustum(), other_center), |mover, path, (other, center)| {
        sweep(mover, path, other, *center, 0.0)
    })
}

/// The first contact of any mover with a solid cone that stands with its center at `other_center`.
pub fn mover_cone(mover: &Mover, path: &Path, other: &Cone, other_center: DVec3) -> Option<Hit> {
    in_range(mover, path, &(other.frustum(), other_center), |mover, path, (other, center)| {
        sweep(mover, path, other, *center, 0.0)
    })
}

/// The most steps of a sweep; one that grazes halves its gap in each.
const STEPS: u32 = 128;

/// How close the bounds of a distance must be while the mover is far away.
const COARSE: f64 = 0.0078125;

/// 2⁻²⁶: the share by which a touching mover is shrunk, to find the direction of the contact. The error from
/// the bent direction is of second order.
const LESS: f64 = 1.0 / (1u64 << 26) as f64;

/// 2⁻³²: how far off a mover is moved to find the point that it touches, as a share of all sizes. The point
/// is off by at most the root of twice that way times the rounding.
const AWAY: f64 = 1.0 / (1u64 << 32) as f64;

/// Sizes of the mover that are tried one after the other until one is apart.
const SHARES: [f64; 6] = [1.0 - LESS, 1.0 - 1.0 / 4096.0, 1.0 - 1.0 / 32.0, 0.75, 0.5, 0.25];

impl Scalable for Mover {
    fn largest(&self) -> f64 {
        self.half_extents().max_element()
    }

    fn scaled(&self, factor: f64) -> Self {
        // Negligible in f64 beside the others: a point.
        Mover::scaled(self, factor).unwrap_or(Self::Point)
    }
}

impl Scalable for Frustum {
    fn largest(&self) -> f64 {
        Frustum::largest(self)
    }

    fn scaled(&self, factor: f64) -> Self {
        self.scaled_by(factor)
    }
}

/// The error bound of lengths, where coordinates are off by `rounding` already.
fn bound(mover: &Mover, path: &Path, other: &Frustum, center: DVec3, rounding: f64) -> f64 {
    let lengths =
        reach(path.from()) + reach(path.translation()) + reach(center) + reach(mover.half_extents());
    24.0 * UNIT_ROUNDOFF * (lengths + other.reach()) + rounding
}

/// The first contact of a moving mover, whose coordinates are off by `rounding` already.
pub(crate) fn sweep(
    mover: &Mover,
    path: &Path,
    other: &Frustum,
    center: DVec3,
    rounding: f64,
) -> Option<Hit> {
    let rounding = bound(mover, path, other, center, rounding);
    let standoff = STANDOFF * rounding;
    let way = path.translation();
    let pair = Pair { mover, other, rounding };
    let mut fraction = 0.0;
    for step in 0..=STEPS {
        let place = path.from() - center + way * fraction;
        let mut apart = pair.apart(place, COARSE);
        if apart.gap <= 0.0625 * other.largest() {
            apart = pair.apart(place, DEFAULT_TOLERANCE);
        }
        let approach = -apart.normal.dot(way);
        // Written so that a NaN stops the mover.
        if approach <= APPROACH * reach(way) {
            return None;
        }
        let is_apart = apart.gap > standoff;
        if !is_apart || step == STEPS {
            return Some(Hit {
                fraction,
                point: pair.touched(place, &apart) + center,
                normal: apart.normal,
                feature: Feature::Face,
                start_overlap: fraction == 0.0 && apart.gap < -rounding,
            });
        }
        // Half of the standoff is left: the next gap is within it.
        fraction += (apart.gap - 0.5 * standoff) / approach;
        if fraction > 1.0 {
            return None;
        }
    }
    None
}

/// The contact of a mover at the start of the path, whose coordinates have the error `rounding`.
pub(crate) fn contact(mover: &Mover, path: &Path, other: &Frustum, rounding: f64) -> Contact {
    let rounding = bound(mover, path, other, DVec3::ZERO, rounding);
    let pair = Pair { mover, other, rounding };
    let apart = pair.apart(path.from(), DEFAULT_TOLERANCE);
    let point = pair.touched(path.from(), &apart);
    Contact { gap: apart.gap, normal: apart.normal, point, feature: Feature::Face, rounding }
}

/// The gap of the two along a direction.
#[derive(Clone, Copy)]
struct Apart {
    gap: f64,
    normal: DVec3,
    /// A point of the other that is farthest along the normal.
    point: DVec3,
}

/// The direction between the nearest points.
#[derive(Clone, Copy)]
struct Nearest {
    normal: DVec3,
    /// A point of the other.
    point: DVec3,
    /// Whether the gap along the normal is that of the two, whether they overlap or not.
    is_exact: bool,
}

struct Pair<'a> {
    mover: &'a Mover,
    other: &'a Frustum,
    rounding: f64,
}

impl Pair<'_> {
    /// The gap of a mover with its center at `place`, to a tolerance of the distance.
    fn apart(&self, place: DVec3, tolerance: f64) -> Apart {
        let round = match self.mover {
            Mover::Point => Some(0.0),
            Mover::Sphere(sphere) => Some(sphere.radius()),
            _ => None,
        };
        let center = self.other.standing(place);
        if let Some(radius) = round {
            return Apart { gap: center.distance - radius, normal: center.normal, point: center.point };
        }
        let mut best: Option<Apart> = None;
        let mut offer = |normal: DVec3, point: DVec3, lead: f64| {
            let gap = self.along(place, normal);
            if best.is_none_or(|best| gap > best.gap + lead) {
                best = Some(Apart { gap, normal, point });
            }
        };
        // Flat faces first: they are exact, and win against equally good directions.
        let axis = self.other.axis();
        for normal in [axis, -axis] {
            let lowest = place + self.mover.support_point(-normal);
            let onto = lowest - normal * self.along(place, normal);
            offer(normal, self.other.standing(onto).point, 0.0);
        }
        if let Mover::Cuboid(cuboid) = self.mover {
            let axes = cuboid.axes();
            for face in [axes.x_axis, axes.y_axis, axes.z_axis] {
                for normal in [face, -face] {
                    offer(normal, self.other.farthest(normal), 0.0);
                }
            }
        }
        let lead = 2.0 * self.rounding;
        if center.distance < 0.0 {
            offer(center.normal, center.point, lead);
        }
        let nearest = self.nearest(place, tolerance);
        if let Some(Nearest { normal, point, .. }) = nearest {
            offer(normal, point, lead);
        }
        // There is an axis.
        let best = best.unwrap_or(Apart { gap: center.distance, normal: center.normal, point: center.point });
        if best.gap >= -self.rounding || nearest.is_some_and(|nearest| nearest.is_exact) {
            return best;
        }
        let seeds = [axis, -axis];
        let proof = |normal: DVec3| self.least_way_at(place, normal);
        let out = least_way_out(self.mover, self.other, place, best.normal, &seeds, &proof);
        if out.normal == best.normal {
            return best;
        }
        let lowest = place + self.mover.support_point(-out.normal);
        let point = self.other.standing(lowest + out.normal * out.depth).point;
        Apart { gap: -out.depth, normal: out.normal, point }
    }

    /// A lower bound of all ways out, which is the way along the normal for most overlaps that are not deep.
    fn least_way_at(&self, place: DVec3, normal: DVec3) -> f64 {
        let distance = |p: DVec3| self.other.standing(p).distance;
        let by_ball = by_ball(self.mover, self.mover.rolling_radius(), place, distance)(normal);
        let gap = self.along(place, normal);
        let touched = self.touched(place, &Apart { gap, normal, point: self.other.farthest(normal) });
        // On a face of the mover, and on its edges and corners.
        [touched, touched + normal * (2.0 * gap)].into_iter().fold(by_ball, |bound, point| {
            bound.max(-(self.mover.signed_distance(point - place) + distance(point)))
        })
    }

    /// The direction between the nearest points of the two, or of the other and a smaller mover that is
    /// apart from it; and the nearest point.
    fn nearest(&self, place: DVec3, tolerance: f64) -> Option<Nearest> {
        let near = |is_exact: bool, core: &dyn Fn() -> crate::shape::ConvexDistance| {
            let found = core();
            (found.distance > 0.0 && found.normal != DVec3::ZERO).then(|| {
                let (normal, point) = (found.normal, found.other_point + place);
                (found.distance, Nearest { normal, point, is_exact })
            })
        };
        if let Mover::Capsule(capsule) = self.mover {
            let axis = capsule.axis();
            let found = near(true, &|| convex_distance_within(&axis, self.other, -place, tolerance));
            if let Some((_, found)) = found {
                return Some(found);
            }
        } else {
            let found = near(true, &|| convex_distance_within(self.mover, self.other, -place, tolerance));
            if let Some((distance, found)) = found
                && distance > LESS * self.other.largest()
            {
                return Some(found);
            }
        }
        SHARES.iter().find_map(|share| {
            let smaller = self.mover.scaled(*share).ok()?;
            let distance = || convex_distance_within(&smaller, self.other, -place, DEFAULT_TOLERANCE);
            near(false, &distance).map(|(_, found)| found)
        })
    }

    /// The point of the other that the mover touches once it has gone the gap along the normal. Where a face
    /// or an edge of the mover lies flat on the other, any point of that may be farthest along the normal,
    /// and it need not be one of the mover. Then it is the nearest point to the mover from a little way off.
    fn touched(&self, place: DVec3, apart: &Apart) -> DVec3 {
        let at = place - apart.normal * apart.gap;
        let is_flat = matches!(self.mover, Mover::Capsule(_) | Mover::Cuboid(_));
        if !is_flat || self.mover.signed_distance(apart.point - at) <= self.rounding {
            return apart.point;
        }
        let off = at + apart.normal * (AWAY * (self.other.largest() + reach(self.mover.half_extents())));
        let found = convex_distance_within(self.mover, self.other, -off, DEFAULT_TOLERANCE);
        self.other.standing(off + found.other_point).point
    }

    /// The gap along a direction of length 1: the difference of two heights of support.
    fn along(&self, place: DVec3, normal: DVec3) -> f64 {
        let lowest = self.mover.support(-normal).dot(normal) - self.mover.margin();
        normal.dot(place) + lowest - self.other.farthest(normal).dot(normal)
    }
}
