//! Ellipsoids against solid ellipsoids, spheres, capsules and points, and those against ellipsoids.
//!
//! Source: `docs/ellipsoid.md`. The signed distance of a point to an ellipsoid is convex, and so is its least
//! value along a segment; on a straight path it falls until the contact. Newton's method from the start
//! therefore never oversteps it. Two ellipsoids: the mover's own space makes it a ball and the other one
//! another ellipsoid. If a capsule's axis or another ellipsoid overlaps it at the start, the least way out
//! decides: inside, the distance along a segment has no simple minimum, and the nearest point in the mover's
//! own space is not the nearest in the world. For two similar ellipsoids it has a closed form: their
//! Minkowski sum is an ellipsoid, and the way out leads to its nearest surface point. Error: as
//! `sphere_triangle`, with the rounding bound of the distance (`Ellipsoid::signed_distance`). Cost: about 5
//! distances, of which a capsule's needs about 50 evaluations. Gives up after [`STEPS`]: the mover is stopped
//! at its last position, short of contact.

use glam::{DMat3, DQuat, DVec3};

use crate::num::bound::{UNIT_ROUNDOFF, position_rounding, reach};
use crate::num::orthogonal::half_axes;
use crate::shape::{Capsule, Convex, Ellipsoid, Sphere};
use crate::sweep::parts::ball::{Ball, Limits};
use crate::sweep::parts::scaled::in_range;
use crate::sweep::parts::skeleton::ThickSegment;
use crate::sweep::parts::space::{BallSpace, Space};
use crate::sweep::parts::way_out::{WayOut, by_ball, least_way_out};
use crate::sweep::{Contact, Feature, Hit, Path};

/// The distance to an ellipsoid is accurate to 128 unit roundoffs of the lengths in it, where the ball's
/// roots are to 8.
const DISTANCE: f64 = 16.0;

/// The relative difference of radii that rounding alone makes where one ellipsoid is scaled to the other.
const SIMILAR: f64 = 4.0 * UNIT_ROUNDOFF;

/// Newton's method converges quadratically, except on ways that graze; there each step halves the error.
const STEPS: usize = 64;

/// The first contact of a moving point with a solid ellipsoid.
pub fn point_ellipsoid(path: &Path, other: &Ellipsoid, other_center: DVec3) -> Option<Hit> {
    in_range(&(), path, &(*other, other_center), |(), path, (other, center)| {
        Rounded { ellipsoid: *other, half_axis: DVec3::ZERO, radius: 0.0 }.met_by(path, *center)
    })
}

/// The first contact of a moving sphere with a solid ellipsoid.
pub fn sphere_ellipsoid(sphere: &Sphere, path: &Path, other: &Ellipsoid, other_center: DVec3) -> Option<Hit> {
    in_range(sphere, path, &(*other, other_center), |sphere, path, (other, center)| {
        Rounded { ellipsoid: *other, half_axis: DVec3::ZERO, radius: sphere.radius() }.met_by(path, *center)
    })
}

/// The first contact of a moving capsule with a solid ellipsoid.
pub fn capsule_ellipsoid(
    capsule: &Capsule,
    path: &Path,
    other: &Ellipsoid,
    other_center: DVec3,
) -> Option<Hit> {
    in_range(capsule, path, &(*other, other_center), |capsule, path, (other, center)| {
        Rounded { ellipsoid: *other, half_axis: capsule.half_axis(), radius: capsule.radius() }
            .met_by(path, *center)
    })
}

/// The first contact of a moving ellipsoid with a solid sphere.
pub fn ellipsoid_sphere(
    ellipsoid: &Ellipsoid,
    path: &Path,
    other: &Sphere,
    other_center: DVec3,
) -> Option<Hit> {
    in_range(ellipsoid, path, &(*other, other_center), |ellipsoid, path, (other, center)| {
        Rounded { ellipsoid: *ellipsoid, half_axis: DVec3::ZERO, radius: other.radius() }.meets(path, *center)
    })
}

/// The first contact of a moving ellipsoid with a solid capsule.
pub fn ellipsoid_capsule(
    ellipsoid: &Ellipsoid,
    path: &Path,
    other: &Capsule,
    other_center: DVec3,
) -> Option<Hit> {
    in_range(ellipsoid, path, &(*other, other_center), |ellipsoid, path, (other, center)| {
        Rounded { ellipsoid: *ellipsoid, half_axis: other.half_axis(), radius: other.radius() }
            .meets(path, *center)
    })
}

/// The first contact of a moving ellipsoid with a solid ellipsoid.
pub fn ellipsoid_ellipsoid(
    ellipsoid: &Ellipsoid,
    path: &Path,
    other: &Ellipsoid,
    other_center: DVec3,
) -> Option<Hit> {
    in_range(ellipsoid, path, &(*other, other_center), |ellipsoid, path, (other, center)| {
        let space = BallSpace::from(ellipsoid);
        let offset = path.from() - *center;
        let rounded = Rounded { ellipsoid: seen_in(&space, other), half_axis: DVec3::ZERO, radius: 1.0 };
        let ball = space.ball(path.from(), path.translation(), other_rounding(other, *center));
        let limits = ball.limits(DISTANCE * (reach(offset) + reach(other.radii())) * space.stretch());
        let start = rounded.near(space.to_ball(offset));
        if start.distance < ball.radius - limits.rounding {
            let out = way_out(ellipsoid, other, offset, space.normal_to_world(start.normal));
            return out.is_opposed_by(path.translation()).then(|| Hit {
                fraction: 0.0,
                point: *center + other.support_point(out.normal),
                normal: out.normal,
                feature: Feature::Face,
                start_overlap: true,
            });
        }
        let Approach { fraction, near, start_overlap } =
            rounded.sweep(start, space.to_ball(offset), &ball, limits)?;
        Some(Hit {
            fraction,
            point: *center + space.to_world(near.point),
            normal: space.normal_to_world(near.normal),
            feature: Feature::Face,
            start_overlap,
        })
    })
}

/// The contact of a sphere, a capsule or a point about `at` with a solid ellipsoid.
pub(crate) fn round_ellipsoid_contact(
    ThickSegment { half_axis, radius }: ThickSegment,
    at: DVec3,
    other: &Ellipsoid,
    other_center: DVec3,
) -> Contact {
    let near = Rounded { ellipsoid: *other, half_axis, radius }.near(at - other_center);
    Contact {
        gap: near.distance - radius,
        normal: near.normal,
        point: other_center + near.point,
        feature: Feature::Face,
        rounding: contact_rounding(at, reach(half_axis) + radius, other, other_center),
    }
}

/// The contact of an ellipsoid about `at` with a solid sphere or capsule.
pub(crate) fn ellipsoid_round_contact(
    ellipsoid: &Ellipsoid,
    at: DVec3,
    ThickSegment { half_axis, radius }: ThickSegment,
    other_center: DVec3,
) -> Contact {
    let near = Rounded { ellipsoid: *ellipsoid, half_axis, radius }.near(other_center - at);
    Contact {
        gap: near.distance - radius,
        normal: -near.normal,
        point: at + near.point + near.normal * (near.distance - radius),
        feature: Feature::Face,
        rounding: contact_rounding(at, reach(half_axis) + radius, ellipsoid, other_center),
    }
}

/// The contact of an ellipsoid about `at` with a solid ellipsoid.
pub(crate) fn ellipsoids_contact(
    ellipsoid: &Ellipsoid,
    at: DVec3,
    other: &Ellipsoid,
    other_center: DVec3,
) -> Contact {
    let space = BallSpace::from(ellipsoid);
    let rounded = Rounded { ellipsoid: seen_in(&space, other), half_axis: DVec3::ZERO, radius: 1.0 };
    let near = rounded.near(space.to_ball(at - other_center));
    let rounding = contact_rounding(at, reach(ellipsoid.radii()), other, other_center);
    let near = Contact {
        gap: space.gap_to_world(near.normal, near.distance - 1.0),
        normal: space.normal_to_world(near.normal),
        point: other_center + space.to_world(near.point),
        feature: Feature::Face,
        rounding: rounding * space.gap_to_world(near.normal, space.stretch()),
    };
    if near.gap >= -near.rounding {
        return near;
    }
    let out = way_out(ellipsoid, other, at - other_center, near.normal);
    let point = other_center + other.support_point(out.normal);
    Contact { gap: -out.depth, normal: out.normal, point, feature: Feature::Face, rounding }
}

/// The error of a gap between a mover of this size and an ellipsoid: the rounding of the distance itself.
fn contact_rounding(at: DVec3, size: f64, other: &Ellipsoid, other_center: DVec3) -> f64 {
    8.0 * DISTANCE * UNIT_ROUNDOFF * (reach(at) + reach(other_center) + reach(other.radii()) + size)
}

/// The least way out of `other` for an ellipsoid that overlaps it and lies at `offset` from it.
fn way_out(ellipsoid: &Ellipsoid, other: &Ellipsoid, offset: DVec3, guess: DVec3) -> WayOut {
    match sum_of_similar(ellipsoid, other) {
        Some(ellipsoid) => {
            let sum = Rounded { ellipsoid, half_axis: DVec3::ZERO, radius: 0.0 };
            let near = sum.near_point(offset);
            WayOut { depth: -near.distance, normal: near.normal }
        }
        None => {
            let proof = by_ball(ellipsoid, ellipsoid.rolling_radius(), offset, |p| other.signed_distance(p));
            least_way_out(ellipsoid, other, offset, guess, &[], &proof)
        }
    }
}

/// The Minkowski sum of two ellipsoids of one rotation and of proportional radii, as two characters with the
/// same body have them: an ellipsoid. `None` for others, whose sum is none.
fn sum_of_similar(a: &Ellipsoid, b: &Ellipsoid) -> Option<Ellipsoid> {
    if a.rotation() != b.rotation() {
        return None;
    }
    let (a_radii, b_radii) = (a.radii(), b.radii());
    // Scaled, so that no product leaves the range of f64.
    let (p, q) = (a_radii / a_radii.max_element(), b_radii / b_radii.max_element());
    if (p - q).abs().cmpgt(p * SIMILAR).any() {
        return None;
    }
    Ellipsoid::new(a_radii + b_radii).and_then(|sum| sum.with_rotation(a.rotation())).ok()
}

/// The image of an ellipsoid in the space of another.
fn seen_in(space: &BallSpace, other: &Ellipsoid) -> Ellipsoid {
    let (axes, radii) = (other.axes(), other.radii());
    let image = half_axes(DMat3::from_cols(
        space.to_ball(axes.x_axis * radii.x),
        space.to_ball(axes.y_axis * radii.y),
        space.to_ball(axes.z_axis * radii.z),
    ));
    let lengths = DVec3::new(image.x_axis.length(), image.y_axis.length(), image.z_axis.length());
    let mut turned =
        DMat3::from_cols(image.x_axis / lengths.x, image.y_axis / lengths.y, image.z_axis / lengths.z);
    if turned.determinant() < 0.0 {
        turned.z_axis = -turned.z_axis;
    }
    Ellipsoid::new(lengths)
        .and_then(|ellipsoid| ellipsoid.with_rotation(DQuat::from_mat3(&turned)))
        .unwrap_or(*other)
}

/// The error of the turned axes and the place of an ellipsoid.
fn other_rounding(other: &Ellipsoid, center: DVec3) -> f64 {
    UNIT_ROUNDOFF * (16.0 * reach(other.radii()) + reach(center))
}

/// A segment about the origin, half of which is given.
struct Axis(DVec3);

impl Convex for Axis {
    fn support(&self, direction: DVec3) -> DVec3 {
        if direction.dot(self.0) < 0.0 { -self.0 } else { self.0 }
    }

    fn reach(&self) -> f64 {
        reach(self.0)
    }
}

/// An ellipsoid about the origin, thickened along a segment and all round.
struct Rounded {
    ellipsoid: Ellipsoid,
    half_axis: DVec3,
    radius: f64,
}

/// The nearest point of the ellipsoid itself.
#[derive(Clone, Copy)]
struct NearPoint {
    /// Signed, to the ellipsoid thickened along the segment only.
    distance: f64,
    normal: DVec3,
    point: DVec3,
}

/// The contact at the end of an approach.
struct Approach {
    fraction: f64,
    near: NearPoint,
    start_overlap: bool,
}

impl Rounded {
    /// A sphere or a capsule comes along the path to the ellipsoid about `center`.
    fn met_by(&self, path: &Path, center: DVec3) -> Option<Hit> {
        let offset = path.from() - center;
        let Approach { fraction, near, start_overlap } = self.swept(path, center, offset)?;
        Some(Hit {
            fraction,
            point: center + near.point,
            normal: near.normal,
            feature: Feature::Face,
            start_overlap,
        })
    }

    /// The ellipsoid goes along the path to a sphere or a capsule about `center`. It is symmetric, so the
    /// opposite offset gives the same.
    fn meets(&self, path: &Path, center: DVec3) -> Option<Hit> {
        let offset = path.from() - center;
        let Approach { fraction, near, start_overlap } = self.swept(path, center, offset)?;
        // Seen from the other side: the nearest point mirrored through the mover's center, then out to the
        // other's surface.
        let point = path.at(fraction) - near.point - near.normal * (near.distance - self.radius);
        Some(Hit { fraction, point, normal: near.normal, feature: Feature::Face, start_overlap })
    }

    fn swept(&self, path: &Path, center: DVec3, offset: DVec3) -> Option<Approach> {
        let rounding =
            position_rounding(path.from(), path.translation()) + other_rounding(&self.ellipsoid, center);
        let ball = Ball::new(path.translation(), self.radius, rounding);
        let extent = reach(offset) + reach(self.ellipsoid.radii()) + reach(self.half_axis);
        self.sweep(self.near(offset), offset, &ball, ball.limits(DISTANCE * extent))
    }

    /// The fraction at which the ball's center, which starts at `offset`, comes within the touching radius.
    /// `near` is the nearest point at the start.
    fn sweep(&self, mut near: NearPoint, offset: DVec3, ball: &Ball, limits: Limits) -> Option<Approach> {
        let mut fraction = 0.0;
        let start_overlap = near.distance < ball.radius - limits.rounding;
        for _ in 0..STEPS {
            let speed = -near.normal.dot(ball.translation);
            if speed <= ball.threshold {
                return None;
            }
            let ahead = near.distance - limits.touch;
            // No step leads closer than the rounding of the distance.
            if ahead <= limits.rounding {
                break;
            }
            fraction += ahead / speed;
            if fraction > 1.0 {
                return None;
            }
            near = self.near(offset + ball.translation * fraction);
        }
        Some(Approach { fraction, near, start_overlap })
    }

    /// The nearest point of the ellipsoid to any point of the segment at `offset`; if the segment enters it,
    /// the point of the shortest way out.
    fn near(&self, offset: DVec3) -> NearPoint {
        if self.half_axis == DVec3::ZERO {
            return self.near_point(offset);
        }
        let near = self.near_segment(offset);
        if near.distance >= 0.0 {
            return near;
        }
        let axis = Axis(self.half_axis);
        let proof = by_ball(&axis, 0.0, offset, |p| self.ellipsoid.signed_distance(p));
        let out = least_way_out(&axis, &self.ellipsoid, offset, near.normal, &[], &proof);
        let point = self.ellipsoid.support_point(out.normal);
        NearPoint { distance: -out.depth, normal: out.normal, point }
    }

    fn near_segment(&self, offset: DVec3) -> NearPoint {
        // The distance is convex along the segment: bisect on the sign of its slope.
        let (mut low, mut high) = (-1.0f64, 1.0f64);
        let at = |share: f64| self.near_point(offset + self.half_axis * share);
        let (first, last) = (at(low), at(high));
        if first.normal.dot(self.half_axis) >= 0.0 {
            return first;
        }
        if last.normal.dot(self.half_axis) <= 0.0 {
            return last;
        }
        let mut near = first;
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return near;
            }
            near = at(middle);
            let slope = near.normal.dot(self.half_axis);
            if slope == 0.0 {
                return near;
            }
            if slope < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    fn near_point(&self, offset: DVec3) -> NearPoint {
        let point = self.ellipsoid.closest_surface_point(offset);
        let distance = self.ellipsoid.signed_distance(offset);
        let normal = self.ellipsoid.normal_at(point).unwrap_or(DVec3::Y);
        NearPoint { distance, normal, point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;

    #[test]
    fn the_way_out_of_a_similar_ellipsoid_is_the_least_of_all() {
        let mut random = Random(11);
        for _ in 0..300 {
            let size = |random: &mut Random| random.size(8.0);
            let radii = DVec3::new(size(&mut random), size(&mut random), size(&mut random));
            let rotation = rotation_about(random.vector(), 3.0 * random.number());
            let egg = |radii| Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap();
            let (a, b) = (egg(radii), egg(radii * random.size(4.0)));
            let sum = sum_of_similar(&a, &b).unwrap();
            let offset = sum.support_point(random.vector()) * random.number();
            let out = way_out(&a, &b, offset, DVec3::Y);
            // Along its normal the way is just long enough.
            let along = |n: DVec3| a.support_point(n).dot(n) + b.support_point(n).dot(n) - offset.dot(n);
            let size = sum.radii().max_element();
            assert!((out.depth - along(out.normal)).abs() < 1e-14 * size, "{out:?}");
            let searched = least_way_out(&a, &b, offset, DVec3::Y, &[], &|_| f64::NEG_INFINITY);
            assert!(out.depth <= searched.depth + 1e-14 * size, "{out:?} {searched:?}");
        }
        let (flat, tall) = (DVec3::new(2.0, 1.0, 2.0), DVec3::new(1.0, 2.0, 1.0));
        let [flat, tall] = [flat, tall].map(|radii| Ellipsoid::new(radii).unwrap());
        assert!(sum_of_similar(&flat, &tall).is_none());
    }
}
