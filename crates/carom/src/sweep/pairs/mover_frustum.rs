//! Any mover against a solid cylinder or cone.
//!
//! Idea: a separating direction n bounds the gap from below by s(n), the difference of two support heights,
//! and so it does all along the path, on which s(n) is linear. The mover advances until the bound is 0, finds
//! a better direction there, and repeats: Newton's method on a convex function, from the left, which never
//! passes the root. A direction against which the mover does not move ends the sweep without a hit.
//!
//! The directions are those of the nearest points: in closed form for points and spheres; those of flat
//! faces, which are exact; and those from the slope and the rims, each a root of a function of one angle. A
//! point proves that none is better, as in `way_out`. Where it does not, they are found by
//! [`convex_distance`](crate::shape::convex_distance): of the axis of a capsule, and for all others of the
//! shape or, where that touches, of one a little smaller.
//! Error: never late; early by less than STANDOFF bounds of 24 unit roundoffs of all lengths, and by what the
//! smaller shape bends the direction, 2⁻⁵² of the largest radius of curvature. Overlaps are as deep as the
//! least way out. Cost: 3 to 10 steps, of one closest point for spheres, of 10 to 50 support points or
//! distances for others, a few times as many where nothing is proven. Gives up after 128 steps, with a hit.

use glam::DVec3;

use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::shape::{Cone, Convex, Cylinder, DEFAULT_TOLERANCE, Frustum, Mover, convex_distance_within};
use crate::sweep::parts::revolved::{Facing, Rim, least_across_edges, rim_normal, slope_normal};
use crate::sweep::parts::scaled::{Scalable, in_range};
use crate::sweep::parts::way_out::{WayOut, by_ball, least_way_out};
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
    let translation = path.translation();
    let pair = Pair { mover, other, rounding };
    let mut fraction = 0.0;
    for step in 0..=STEPS {
        let place = path.from() - center + translation * fraction;
        let apart = pair.proven(place).unwrap_or_else(|| {
            let coarse = pair.apart(place, COARSE);
            let is_near = coarse.gap <= 0.0625 * other.largest();
            if is_near { pair.apart(place, DEFAULT_TOLERANCE) } else { coarse }
        });
        let approach = -apart.normal.dot(translation);
        // Written so that a NaN stops the mover.
        if approach <= APPROACH * reach(translation) {
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
    let from = path.from();
    let apart = pair.proven(from).unwrap_or_else(|| pair.apart(from, DEFAULT_TOLERANCE));
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
    /// The gap of a mover with its center at `place`, where it is known by closed forms or a point proves it.
    fn proven(&self, place: DVec3) -> Option<Apart> {
        let center = self.other.standing(place);
        let radius = match self.mover {
            Mover::Point => Some(0.0),
            Mover::Sphere(sphere) => Some(sphere.radius()),
            _ => None,
        };
        if let Some(radius) = radius {
            let (gap, normal) = (center.distance - radius, center.normal);
            return Some(Apart { gap, normal, point: center.point });
        }
        let mut best = self.facing(place);
        if self.is_proven(place, center.point, &best) {
            return Some(best);
        }
        let along_slope = || {
            let Facing { normal, point } = slope_normal(self.mover, self.other, place)?;
            let gap = self.along(place, normal);
            let touched = point - normal * (self.mover.margin() + gap);
            Some(Apart { gap, normal, point: self.other.standing(touched).point })
        };
        let from_rim = |rim| {
            let Facing { normal, point } = rim_normal(self.mover, rim, self.other, place)?;
            Some(Apart { gap: self.along(place, normal), normal, point })
        };
        let Frustum { bottom, top, half_height, .. } = *self.other;
        let rims = [Rim { radius: bottom, height: -half_height }, Rim { radius: top, height: half_height }];
        let nearer = usize::from(self.other.axis().dot(place) > 0.0);
        let candidates: [&dyn Fn() -> Option<Apart>; 3] =
            [&along_slope, &|| from_rim(rims[nearer]), &|| from_rim(rims[1 - nearer])];
        for candidate in candidates {
            let Some(apart) = candidate() else { continue };
            if apart.gap > best.gap + 2.0 * self.rounding {
                best = apart;
                if self.is_proven(place, center.point, &best) {
                    return Some(best);
                }
            }
        }
        None
    }

    /// Whether no other direction gives more, but for rounding.
    fn is_proven(&self, place: DVec3, middle: DVec3, best: &Apart) -> bool {
        let error = 2.0 * self.rounding + DEFAULT_TOLERANCE * best.gap.abs();
        -best.gap - self.least_way_out_at(place, middle, best) <= error
    }

    /// The best of the directions of flat faces. They are exact, and win against equally good ones.
    fn facing(&self, place: DVec3) -> Apart {
        let of_end = |normal: DVec3| {
            let gap = self.along(place, normal);
            let lowest = place + self.mover.support_point(-normal);
            Apart { gap, normal, point: self.other.standing(lowest - normal * gap).point }
        };
        let axis = self.other.axis();
        let mut best = of_end(axis);
        let mut offer = |apart: Apart| {
            if apart.gap > best.gap {
                best = apart;
            }
        };
        offer(of_end(-axis));
        if let Mover::Cuboid(cuboid) = self.mover {
            let axes = cuboid.axes();
            for face in [axes.x_axis, axes.y_axis, axes.z_axis] {
                for normal in [face, -face] {
                    let (gap, point) = (self.along(place, normal), self.farthest(normal, place));
                    offer(Apart { gap, normal, point });
                }
            }
        }
        best
    }

    /// The gap of a mover that is no sphere, to a tolerance of the distance.
    fn apart(&self, place: DVec3, tolerance: f64) -> Apart {
        let mut best = self.facing(place);
        let mut offer = |normal: DVec3, point: DVec3| {
            let gap = self.along(place, normal);
            if gap > best.gap + 2.0 * self.rounding {
                best = Apart { gap, normal, point };
            }
        };
        let center = self.other.standing(place);
        if center.distance < 0.0 {
            offer(center.normal, center.point);
        }
        let nearest = self.nearest(place, tolerance);
        if let Some(Nearest { normal, point, .. }) = nearest {
            offer(normal, point);
        }
        if best.gap >= -self.rounding || nearest.is_some_and(|nearest| nearest.is_exact) {
            return best;
        }
        let out = self.least_way_out(place, &best, center.point);
        if out.normal == best.normal {
            return best;
        }
        let lowest = place + self.mover.support_point(-out.normal);
        let point = self.other.standing(lowest + out.normal * out.depth).point;
        Apart { gap: -out.depth, normal: out.normal, point }
    }

    /// The least way out of a mover that overlaps, if `best` is the best of the directions tried. `middle` is
    /// the point of the other nearest to the middle of the mover.
    fn least_way_out(&self, place: DVec3, best: &Apart, middle: DVec3) -> WayOut {
        let across = |axes: &[DVec3]| {
            let best = WayOut { depth: -best.gap, normal: best.normal };
            least_across_edges(self.mover, self.other, place, axes, 2.0 * self.rounding, best)
        };
        match self.mover {
            Mover::Cuboid(cuboid) => across(&cuboid.axes().to_cols_array_2d().map(DVec3::from)),
            Mover::Capsule(capsule) => across(&[capsule.axis().b() - capsule.axis().a()]),
            _ => {
                let axis = self.other.axis();
                let proof = |normal: DVec3| {
                    let (gap, point) = (self.along(place, normal), self.farthest(normal, place));
                    self.least_way_out_at(place, middle, &Apart { gap, normal, point })
                };
                least_way_out(self.mover, self.other, place, best.normal, &[axis, -axis], &proof)
            }
        }
    }

    /// A lower bound of all ways out, which is the way along the normal unless the overlap is deep. `middle`
    /// is the point of the other nearest to the middle of the mover.
    fn least_way_out_at(&self, place: DVec3, middle: DVec3, apart: &Apart) -> f64 {
        let Apart { gap, normal, point } = *apart;
        let distance = |p: DVec3| self.other.standing(p).distance;
        let by_ball = by_ball(self.mover, self.mover.rolling_radius(), place, distance)(normal);
        // On faces of the mover, and below its edges and corners.
        let into = normal * (2.0 * gap);
        [point, point + into, middle, middle + into].into_iter().fold(by_ball, |bound, point| {
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
            return found.map(|(_, found)| found);
        }
        let found = near(true, &|| convex_distance_within(self.mover, self.other, -place, tolerance));
        match (found, self.mover) {
            (Some((distance, found)), _) if distance > LESS * self.other.largest() => return Some(found),
            // It overlaps: the least way out is known without a guess.
            (None, Mover::Cuboid(_)) => return None,
            _ => {}
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

    /// The point of the other that is farthest along a direction; where all of a line of the slope is, the
    /// one beside a place.
    fn farthest(&self, normal: DVec3, place: DVec3) -> DVec3 {
        let axis = self.other.axis();
        let far = self.other.farthest(normal);
        let Frustum { bottom, top, half_height, .. } = *self.other;
        let is_top = axis.dot(far) > 0.0;
        // The other end of the line through that point.
        let outward = far - axis * axis.dot(far);
        let (radius, height, width) =
            if is_top { (bottom, -half_height, top) } else { (top, half_height, bottom) };
        let end = axis * height + outward * if width > 0.0 { radius / width } else { 0.0 };
        let line = end - far;
        if line.dot(normal).abs() > self.rounding {
            return far;
        }
        far + line * ((place - far).dot(line) / line.length_squared()).clamp(0.0, 1.0)
    }

    /// The gap along a direction of length 1: the difference of two heights of support.
    fn along(&self, place: DVec3, normal: DVec3) -> f64 {
        let lowest = self.mover.support(-normal).dot(normal) - self.mover.margin();
        normal.dot(place) + lowest - self.other.farthest(normal).dot(normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;
    use crate::shape::{Capsule, Cuboid, Ellipsoid};
    use glam::{DQuat, dvec3};

    #[test]
    fn what_is_proven_is_what_the_search_finds() {
        let mut random = Random(0xC0E);
        let mut proven = [0; 3];
        for i in 0..3000 {
            let mut size = |low: f64, high: f64| low + (high - low) * random.number().abs();
            let [a, b, c] = [size(0.2, 1.0), size(0.2, 1.0), size(0.2, 1.0)];
            let (bottom, half_height, gap) = (size(0.2, 1.0), size(0.2, 1.0), size(0.0, 0.5) - 0.02);
            let top = if i % 2 == 0 { bottom } else { 0.0 };
            let (mut turn, mut rotation) = (DQuat::IDENTITY, DQuat::IDENTITY);
            if i % 4 > 1 {
                turn = rotation_about(random.vector().normalize(), random.number() * 3.0);
                rotation = rotation_about(random.vector().normalize(), random.number() * 3.0);
            }
            let mover: Mover = match i % 3 {
                0 => Ellipsoid::new(dvec3(a, b, c)).unwrap().with_rotation(turn).unwrap().into(),
                1 => Capsule::new(a, b).unwrap().with_rotation(turn).unwrap().into(),
                _ => Cuboid::new(dvec3(a, b, c)).unwrap().with_rotation(turn).unwrap().into(),
            };
            let other = Frustum { bottom, top, half_height, rotation };
            let pair = Pair { mover: &mover, other: &other, rounding: 1e-14 };
            let n = random.vector().normalize();
            let place = n * (other.farthest(n).dot(n) + mover.support_point(-n).dot(-n) + gap);
            let Some(found) = pair.proven(place) else { continue };
            proven[i % 3] += 1;
            let searched = pair.apart(place, DEFAULT_TOLERANCE);
            let tolerance = 4e-12 + if searched.gap < 0.0 { -searched.gap / 8192.0 } else { 0.0 };
            assert!((found.gap - searched.gap).abs() < tolerance, "{i}: {} {}", found.gap, searched.gap);
        }
        assert!(proven.iter().all(|count| *count > 900), "{proven:?}");
    }

    #[test]
    fn the_least_way_out_for_flat_faces_is_that_of_the_search() {
        let mut random = Random(0xF1A7);
        let mut compared = 0;
        for i in 0..4000 {
            let mut size = |low: f64, high: f64| low + (high - low) * random.number().abs();
            let [a, b, c] = [size(0.2, 1.0), size(0.2, 1.0), size(0.2, 1.0)];
            let (bottom, half_height, depth) = (size(0.2, 1.0), size(0.2, 1.0), size(0.0, 1.0));
            let depth = depth * [1e-6, 0.01, 0.5][i % 3];
            let top = [bottom, 0.0, 0.5 * bottom][i / 3 % 3];
            let turn = rotation_about(random.vector().normalize(), random.number() * 3.0);
            let rotation = rotation_about(random.vector().normalize(), random.number() * 3.0);
            let mover: Mover = if i % 2 == 0 {
                Cuboid::new(dvec3(a, b, c)).unwrap().with_rotation(turn).unwrap().into()
            } else {
                Capsule::new(0.01 * a, b).unwrap().with_rotation(turn).unwrap().into()
            };
            let other = Frustum { bottom, top, half_height, rotation };
            let pair = Pair { mover: &mover, other: &other, rounding: 1e-14 };
            let n = random.vector().normalize();
            let place = n * (-pair.along(DVec3::ZERO, n) - depth);
            let flat = matches!(mover, Mover::Cuboid(_));
            // A capsule that overlaps with its axis has flat faces only.
            let axis = Capsule::new(1e-9, b).unwrap().with_rotation(turn).unwrap();
            let is_deep = flat || convex_distance_within(&axis, &other, -place, 1e-9).distance == 0.0;
            let none = |_| f64::NEG_INFINITY;
            let searched = least_way_out(&mover, &other, place, DVec3::Y, &[], &none).depth;
            if searched <= 1e-9 || !is_deep {
                continue;
            }
            let facing = pair.facing(place);
            let found = pair.least_way_out(place, &facing, DVec3::ZERO);
            assert!((-pair.along(place, found.normal) - found.depth).abs() < 1e-13, "{i}: {found:?}");
            let tolerance = 1e-12 + searched / 8192.0;
            assert!((found.depth - searched).abs() < tolerance, "{i}: {found:?} {searched} {mover:?}");
            compared += 1;
        }
        assert!(compared > 600, "{compared}");
    }
}
