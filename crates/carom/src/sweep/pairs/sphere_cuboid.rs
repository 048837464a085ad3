//! Points, spheres, ellipsoids and capsules against a solid cuboid, and a cuboid against those that are
//! solid.
//!
//! Source: `docs/sphere-triangle.md`, solids: a ball against the block that the cuboid is in the mover's
//! space, thickened along the axis of a capsule. The nearest point in the space of an ellipsoid is not the
//! nearest in the world: for an ellipsoid that overlaps, the least way out decides. Error: as
//! `sphere_triangle`. Cost: 6 faces with their edges and corners; 24 for a capsule; a way out for an
//! ellipsoid that overlaps.
//!
//! The parts of a cuboid have the numbers of `cuboid_cuboid`.

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, position_rounding, reach};
use crate::shape::{Capsule, Cuboid, Ellipsoid, Sphere};
use crate::sweep::parts::ball::{Ball, Limits};
use crate::sweep::parts::scaled::{in_range, in_range_within};
use crate::sweep::parts::skeleton::ThickSegment;
use crate::sweep::parts::space::{BallSpace, Space, WorldSpace};
use crate::sweep::parts::way_out::{WayOut, by_ball, least_way_out_of};
use crate::sweep::parts::zonotope::{BlockContact, Zonotope};
use crate::sweep::{Contact, Feature, Hit, Path, Placed};

/// The first contact of a moving point with a solid cuboid.
pub fn point_cuboid(path: &Path, other: &Cuboid, other_center: DVec3) -> Option<Hit> {
    point_cuboid_within(path, other, other_center, f64::INFINITY)
}

/// The same; one that comes after the fraction `within` may be left out.
pub(crate) fn point_cuboid_within(
    path: &Path,
    other: &Cuboid,
    other_center: DVec3,
    within: f64,
) -> Option<Hit> {
    in_range_within(&(), path, &(*other, other_center), within, |(), path, (other, center), within| {
        ball_hit(&WorldSpace { radius: 0.0 }, path, other, *center, within)
    })
}

/// The first contact of a moving sphere with a solid cuboid.
pub fn sphere_cuboid(sphere: &Sphere, path: &Path, other: &Cuboid, other_center: DVec3) -> Option<Hit> {
    sphere_cuboid_within(sphere, path, other, other_center, f64::INFINITY)
}

/// The same; one that comes after the fraction `within` may be left out.
pub(crate) fn sphere_cuboid_within(
    sphere: &Sphere,
    path: &Path,
    other: &Cuboid,
    other_center: DVec3,
    within: f64,
) -> Option<Hit> {
    in_range_within(sphere, path, &(*other, other_center), within, |sphere, path, (other, center), within| {
        ball_hit(&WorldSpace::from(sphere), path, other, *center, within)
    })
}

/// The first contact of a moving ellipsoid with a solid cuboid.
pub fn ellipsoid_cuboid(
    ellipsoid: &Ellipsoid,
    path: &Path,
    other: &Cuboid,
    other_center: DVec3,
) -> Option<Hit> {
    in_range(ellipsoid, path, &(*other, other_center), |ellipsoid, path, (other, center)| {
        let space = BallSpace::from(ellipsoid);
        let block = Block::new(&space, path, other, *center);
        let hit = block.hit();
        // A hit on the path means no overlap at the start.
        if hit.is_some_and(|hit| hit.fraction > 0.0) || !block.is_overlapped() {
            return hit;
        }
        let guess = block.zonotope().contact(1.0).normal;
        let out = way_out(ellipsoid, path.from(), other, *center, space.normal_to_world(guess));
        out.is_opposed_by(path.translation()).then(|| Hit {
            fraction: 0.0,
            point: touched(ellipsoid, path.from(), &out, Placed { shape: other, center: *center }),
            normal: out.normal,
            feature: Feature::Face,
            start_overlap: true,
        })
    })
}

/// The first contact of a moving capsule with a solid cuboid.
pub fn capsule_cuboid(capsule: &Capsule, path: &Path, other: &Cuboid, other_center: DVec3) -> Option<Hit> {
    capsule_cuboid_within(capsule, path, other, other_center, f64::INFINITY)
}

/// The same; one that comes after the fraction `within` may be left out.
pub(crate) fn capsule_cuboid_within(
    capsule: &Capsule,
    path: &Path,
    other: &Cuboid,
    other_center: DVec3,
    within: f64,
) -> Option<Hit> {
    let solid = (*other, other_center);
    in_range_within(capsule, path, &solid, within, |capsule, path, (other, center), within| {
        let half_axis = capsule.half_axis();
        if half_axis == DVec3::ZERO {
            return ball_hit(&WorldSpace { radius: capsule.radius() }, path, other, *center, within);
        }
        let [x, y, z] = half_axes(other);
        let generators = [x, y, z, half_axis];
        let zonotope = Zonotope { center: *center - path.from(), generators: &generators };
        let rounding = position_rounding(path.from(), path.translation()) + frame_rounding(other, *center);
        let ball = Ball::new(path.translation(), capsule.radius(), rounding);
        let limits = Limits { within, ..ball.limits(zonotope.extent()) };
        if (Sight { center: zonotope.center, half_axis, ball: &ball, limits }).is_out_of_reach(other) {
            return None;
        }
        let hit = zonotope.sweep(&ball, limits)?;
        Some(Hit {
            fraction: hit.fraction,
            point: path.from() + hit.foot,
            normal: hit.normal,
            feature: hit.feature,
            start_overlap: hit.start_overlap,
        })
    })
}

/// The first contact of a moving ball; one that comes after the fraction `within` may be left out.
#[inline(always)]
fn ball_hit(space: &WorldSpace, path: &Path, other: &Cuboid, center: DVec3, within: f64) -> Option<Hit> {
    let block = Block::new(space, path, other, center).within(within);
    let (ball, limits) = (&block.ball, block.limits);
    if (Sight { center: block.center, half_axis: DVec3::ZERO, ball, limits }).is_out_of_reach(other) {
        return None;
    }
    block.hit()
}

/// A moving ball, or a capsule by its half axis, and a cuboid that it may reach.
struct Sight<'a> {
    /// The center of the cuboid, relative to the start.
    center: DVec3,
    half_axis: DVec3,
    ball: &'a Ball,
    limits: Limits,
}

impl Sight<'_> {
    /// Whether the mover surely misses the cuboid: by the slabs of the cuboid (Kay and Kajiya, 1986), grown
    /// by rounding. Its axes are off by 64 unit roundoffs, an eighth of the allowance.
    #[inline]
    fn is_out_of_reach(&self, cuboid: &Cuboid) -> bool {
        let Self { center, half_axis, ball, limits } = *self;
        let to_own = cuboid.axes().transpose();
        let beyond = DVec3::splat(limits.touch + 64.0 * limits.rounding);
        let reach = cuboid.half_extents() + (to_own * half_axis).abs() + beyond;
        let (center, way) = (to_own * center, to_own * ball.translation);
        // For a path along a slab these are infinite, or NaN on its boundary: then nothing is sure.
        let (low, high) = ((center - reach) / way, (center + reach) / way);
        let entry = low.min(high).max_element();
        let exit = low.max(high).min_element().min(limits.within.min(1.0));
        entry > 0.0 && entry * (1.0 - 16.0 * UNIT_ROUNDOFF) > exit * (1.0 + 16.0 * UNIT_ROUNDOFF)
            || exit < 0.0 && limits.within >= 0.0
    }
}

/// The first contact of a moving cuboid with a solid sphere.
pub fn cuboid_sphere(cuboid: &Cuboid, path: &Path, other: &Sphere, other_center: DVec3) -> Option<Hit> {
    let deepest = |_, normal: DVec3| other_center + other.support_point(normal);
    seen_from_the_other(path, other_center, deepest, |path, center| {
        sphere_cuboid(other, path, cuboid, center)
    })
}

/// The first contact of a moving cuboid with a solid ellipsoid.
pub fn cuboid_ellipsoid(cuboid: &Cuboid, path: &Path, other: &Ellipsoid, other_center: DVec3) -> Option<Hit> {
    let deepest = |_, normal: DVec3| other_center + other.support_point(normal);
    seen_from_the_other(path, other_center, deepest, |path, center| {
        ellipsoid_cuboid(other, path, cuboid, center)
    })
}

/// The first contact of a moving cuboid with a solid capsule.
pub fn cuboid_capsule(cuboid: &Cuboid, path: &Path, other: &Capsule, other_center: DVec3) -> Option<Hit> {
    // Of a capsule that lies along a face the point in front of that of the cuboid.
    let deepest = |point: DVec3, normal: DVec3| {
        point + normal * (other_center + other.support_point(normal) - point).dot(normal)
    };
    seen_from_the_other(path, other_center, deepest, |path, center| {
        capsule_cuboid(other, path, cuboid, center)
    })
}

/// The roles exchanged: the other shape moves along the opposite path. In an overlap the touched point is the
/// cuboid's, and `deepest` leads from there along the normal to the other's.
fn seen_from_the_other(
    path: &Path,
    other_center: DVec3,
    deepest: impl Fn(DVec3, DVec3) -> DVec3,
    sweep: impl Fn(&Path, DVec3) -> Option<Hit>,
) -> Option<Hit> {
    let reversed = Path::new(other_center, -path.translation()).ok()?;
    let hit = sweep(&reversed, path.from())?;
    let normal = -hit.normal;
    let point = if hit.start_overlap {
        deepest(hit.point, normal)
    } else {
        // The touched point moves with the mover until the contact.
        hit.point + path.translation() * hit.fraction
    };
    Some(Hit { point, normal, feature: Feature::Face, ..hit })
}

/// The contact of a sphere, a capsule or a point about `at` with a solid cuboid.
pub(crate) fn round_cuboid_contact(
    ThickSegment { half_axis, radius }: ThickSegment,
    at: DVec3,
    other: &Cuboid,
    other_center: DVec3,
) -> Contact {
    let [x, y, z] = half_axes(other);
    let generators = [x, y, z, half_axis];
    let count = if half_axis == DVec3::ZERO { 3 } else { 4 };
    let zonotope = Zonotope { center: other_center - at, generators: &generators[..count] };
    let BlockContact { gap, normal, point: foot, feature } = zonotope.contact(radius);
    let rounding = contact_rounding(at, half_axis.length() + radius, other, other_center);
    Contact { gap, normal, point: at + foot, feature, rounding }
}

/// The same for a sphere, or a capsule along an axis of the world, in front of a face of an unrotated cuboid
/// across that axis. `None` if it is not well inside the edges.
pub(crate) fn round_cuboid_contact_above(
    axis: usize,
    ThickSegment { half_axis, radius }: ThickSegment,
    at: DVec3,
    other: &Cuboid,
    other_center: DVec3,
) -> Option<Contact> {
    let [x, y, z] = half_axes(other);
    let generators = [x, y, z, half_axis];
    let count = if half_axis == DVec3::ZERO { 3 } else { 4 };
    let zonotope = Zonotope { center: other_center - at, generators: &generators[..count] };
    let spanned = [[1, 2], [0, 2], [0, 1]][axis];
    let BlockContact { gap, normal, point: foot, feature } = zonotope.contact_above(spanned, radius)?;
    let rounding = contact_rounding(at, half_axis.length() + radius, other, other_center);
    Some(Contact { gap, normal, point: at + foot, feature, rounding })
}

/// Whether a sphere, a capsule or a point about `at` is surely farther than a distance from a solid cuboid,
/// by the box of its axis in the frame of the cuboid.
#[inline]
pub(crate) fn is_round_apart(
    ThickSegment { half_axis, radius }: ThickSegment,
    at: DVec3,
    distance: f64,
    other: &Cuboid,
    other_center: DVec3,
) -> bool {
    let to_own = other.axes().transpose();
    let reach = other.half_extents() + (to_own * half_axis).abs();
    let apart = ((to_own * (other_center - at)).abs() - reach).max(DVec3::ZERO);
    let rounding = 4.0 * contact_rounding(at, half_axis.length() + radius, other, other_center);
    let most = radius + distance + rounding;
    apart.length_squared() > most * most * (1.0 + 8.0 * f64::EPSILON)
}

/// The contact of an ellipsoid about `at` with a solid cuboid.
pub(crate) fn ellipsoid_cuboid_contact(
    ellipsoid: &Ellipsoid,
    at: DVec3,
    other: &Cuboid,
    other_center: DVec3,
) -> Contact {
    let space = BallSpace::from(ellipsoid);
    let generators = half_axes(other).map(|g| space.to_ball(g));
    let zonotope = Zonotope { center: space.to_ball(other_center - at), generators: &generators };
    let BlockContact { gap, normal, point: foot, feature } = zonotope.contact(1.0);
    let rounding = contact_rounding(at, reach(ellipsoid.radii()), other, other_center);
    let near = Contact {
        gap: space.gap_to_world(normal, gap),
        normal: space.normal_to_world(normal),
        point: at + space.to_world(foot),
        feature,
        rounding: rounding * space.gap_to_world(normal, space.stretch()),
    };
    if near.gap >= -near.rounding {
        return near;
    }
    let out = way_out(ellipsoid, at, other, other_center, near.normal);
    Contact {
        gap: -out.depth,
        normal: out.normal,
        point: touched(ellipsoid, at, &out, Placed { shape: other, center: other_center }),
        feature: Feature::Face,
        rounding,
    }
}

/// The error of a gap between a mover of this size and a cuboid.
fn contact_rounding(at: DVec3, size: f64, other: &Cuboid, other_center: DVec3) -> f64 {
    16.0 * UNIT_ROUNDOFF * (reach(at) + reach(other_center) + reach(other.half_extents()) + size)
}

/// A contact seen from the other shape: its nearest point is the mover's, a gap away.
pub(crate) fn turned_round(contact: &Contact) -> Contact {
    Contact {
        normal: -contact.normal,
        point: contact.point + contact.normal * contact.gap,
        feature: Feature::Face,
        ..*contact
    }
}

fn half_axes(cuboid: &Cuboid) -> [DVec3; 3] {
    let (axes, half) = (cuboid.axes(), cuboid.half_extents());
    [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z]
}

/// The error of the turned axes and the place of a cuboid.
fn frame_rounding(cuboid: &Cuboid, center: DVec3) -> f64 {
    UNIT_ROUNDOFF * (8.0 * reach(cuboid.half_extents()) + reach(center))
}

/// The block that a cuboid is in the space where the mover is a ball.
struct Block<'a, S> {
    space: &'a S,
    path: &'a Path,
    center: DVec3,
    generators: [DVec3; 3],
    ball: Ball,
    limits: Limits,
}

impl<'a, S: Space> Block<'a, S> {
    #[inline(always)]
    fn new(space: &'a S, path: &'a Path, cuboid: &Cuboid, center: DVec3) -> Self {
        let offset = center - path.from();
        let world = half_axes(cuboid);
        let generators = world.map(|g| space.to_ball(g));
        let ball = space.ball(path.from(), path.translation(), frame_rounding(cuboid, center));
        let extent = Zonotope { center: offset, generators: &world }.extent() * space.stretch();
        Self { space, path, center: space.to_ball(offset), generators, ball, limits: ball.limits(extent) }
    }

    /// The same, without contacts after a fraction.
    #[inline(always)]
    fn within(self, within: f64) -> Self {
        Self { limits: Limits { within, ..self.limits }, ..self }
    }

    fn zonotope(&self) -> Zonotope<'_> {
        Zonotope { center: self.center, generators: &self.generators }
    }

    fn is_overlapped(&self) -> bool {
        self.zonotope().is_overlapped(&self.ball, self.limits)
    }

    #[inline(always)]
    fn hit(&self) -> Option<Hit> {
        let hit = self.zonotope().sweep(&self.ball, self.limits)?;
        Some(Hit {
            fraction: hit.fraction,
            point: self.path.from() + self.space.to_world(hit.foot),
            normal: self.space.normal_to_world(hit.normal),
            feature: hit.feature,
            start_overlap: hit.start_overlap,
        })
    }
}

/// The least way out of a cuboid for an ellipsoid about `at`.
fn way_out(ellipsoid: &Ellipsoid, at: DVec3, cuboid: &Cuboid, center: DVec3, guess: DVec3) -> WayOut {
    let axes = cuboid.axes();
    let seeds = [axes.x_axis, axes.y_axis, axes.z_axis, -axes.x_axis, -axes.y_axis, -axes.z_axis];
    let proof = by_ball(ellipsoid, ellipsoid.rolling_radius(), at - center, |p| cuboid.signed_distance(p));
    least_way_out_of(ellipsoid, cuboid, at - center, guess, &seeds, proof)
}

/// The point of the cuboid that an ellipsoid about `at` touches after the way out. That is the least to
/// within its tolerance only: then the ellipsoid touches a plane along the cuboid, beside it.
fn touched(ellipsoid: &Ellipsoid, at: DVec3, out: &WayOut, other: Placed<'_, Cuboid>) -> DVec3 {
    let Placed { shape, center } = other;
    let lowest = at + ellipsoid.support_point(-out.normal) + out.normal * out.depth;
    center + shape.closest_surface_point(lowest - center)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use glam::dvec3;

    fn crate_box() -> Cuboid {
        Cuboid::new(dvec3(1.0, 2.0, 3.0)).unwrap()
    }

    #[test]
    fn faces_edges_and_corners_by_their_numbers() {
        let ball = Sphere::new(0.5).unwrap();
        let cast = |from, translation| {
            sphere_cuboid(&ball, &Path::new(from, translation).unwrap(), &crate_box(), DVec3::ZERO).unwrap()
        };
        let hit = cast(dvec3(5.0, 0.3, 0.2), dvec3(-8.0, 0.0, 0.0));
        assert!((hit.fraction - 3.5 / 8.0).abs() < 1e-13);
        assert_eq!((hit.feature, hit.normal), (Feature::Face, DVec3::X));
        let hit = cast(dvec3(5.0, 2.3, 0.2), dvec3(-8.0, 0.0, 0.0));
        assert_eq!(hit.feature, Feature::Edge(4 * 2 + 3));
        assert!((hit.fraction - 3.6 / 8.0).abs() < 1e-13);
        let hit = cast(dvec3(5.0, 2.3, -3.0), dvec3(-8.0, 0.0, -0.0));
        assert!((hit.fraction - 3.6 / 8.0).abs() < 1e-13);
        let hit = cast(dvec3(5.0, 2.3, -3.1), dvec3(-8.0, 0.0, 0.0));
        assert_eq!(hit.feature, Feature::Vertex(0b011));
    }

    #[test]
    fn a_start_inside_stops_only_what_goes_deeper() {
        let ball = Sphere::new(0.25).unwrap();
        let cast = |translation| {
            sphere_cuboid(
                &ball,
                &Path::new(dvec3(0.5, 0.0, 0.0), translation).unwrap(),
                &crate_box(),
                DVec3::ZERO,
            )
        };
        assert_eq!(cast(DVec3::X), None);
        assert_eq!(cast(DVec3::Z), None);
        let hit = cast(-DVec3::X).unwrap();
        assert_eq!((hit.fraction, hit.normal, hit.start_overlap), (0.0, DVec3::X, true));
        assert_eq!(hit.point, DVec3::X);
    }

    #[test]
    fn a_capsule_meets_it_with_its_side_and_with_its_cap() {
        let capsule = Capsule::new(0.25, 1.0).unwrap();
        let hit = |from, translation| {
            let path = Path::new(from, translation).unwrap();
            capsule_cuboid(&capsule, &path, &crate_box(), DVec3::ZERO).unwrap()
        };
        let top = hit(dvec3(0.3, 8.0, 0.1), dvec3(0.0, -8.0, 0.0));
        assert!((top.fraction - 4.75 / 8.0).abs() < 1e-13);
        assert!((top.point - dvec3(0.3, 2.0, 0.1)).length() < 1e-12);
        let side = hit(dvec3(5.0, 2.5, 0.1), dvec3(-8.0, 0.0, 0.0));
        assert!((side.fraction - 3.75 / 8.0).abs() < 1e-13);
        assert_eq!(side.normal, DVec3::X);
        assert!(side.point.x == 1.0 && side.point.y <= 2.0);
    }

    #[test]
    fn a_turned_cuboid_and_a_ball_see_the_same_contact_from_both_sides() {
        let cuboid = crate_box().with_rotation(rotation_about(dvec3(1.0, 2.0, -0.5), 0.7)).unwrap();
        let ball = Sphere::new(0.75).unwrap();
        let (a, b) = (dvec3(-7.0, 1.0, 2.0), dvec3(0.5, -0.25, 1.0));
        let one = sphere_cuboid(&ball, &Path::new(a, dvec3(9.0, -1.0, 0.5)).unwrap(), &cuboid, b).unwrap();
        let two = cuboid_sphere(&cuboid, &Path::new(b, -dvec3(9.0, -1.0, 0.5)).unwrap(), &ball, a).unwrap();
        assert!((one.fraction - two.fraction).abs() < 1e-13);
        assert!((one.normal + two.normal).length() < 1e-12);
        let shift = -dvec3(9.0, -1.0, 0.5) * two.fraction;
        assert!((one.point + shift - two.point).length() < 1e-11);
    }
}
