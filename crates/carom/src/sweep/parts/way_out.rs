//! The least way out of a convex solid for another that overlaps it, for any two solids with support points.
//!
//! Idea: let K be the Minkowski difference of the other solid and the mover, relative to the mover. Going d
//! along a unit direction n parts the two where d is how far K reaches along n, h(n), and the least way out
//! is the least h of all n. In a cone of directions every point p of K bounds it from below: h(n) ≥ p·n, and
//! in a cone of three corners p·n is least at one of them, as long as it is not negative there. So cones are
//! halved, until none can hold less than the least that was found, by more than [`TOLERANCE`] of that. Then
//! the same again close to the best direction, and Newton's method on the sphere, as long as it finds less.
//!
//! The bound of a cone is the best that any mixture of its three farthest points gives: the value of a 3 × 3
//! matrix game. It falls short by the square of the width of the cone. The direction of the nearest point of
//! their triangle is tried, too: where that is a face of K it is the normal to the last digit.
//!
//! A guess needs no search where a point proves it. Around any point each solid holds a ball, as large as
//! the point is deep in it. The solids have no shorter way out than the two balls: the sum of the two depths,
//! where a point outside counts with its distance, less than 0. For most overlaps that are not deep a point
//! on the line through the contact gives just the length of the guess. Callers know which: the center of a
//! ball that touches the mover's lowest point and lies in the mover ([`by_ball`]), or a point of the other
//! solid. Inside of an ellipsoid with least and largest radii a and c rolls a ball of radius a²/c (Blaschke's
//! theorem).
//!
//! Error: the depth is that along the normal, to rounding: the way always leads out. It is the least to
//! within [`TOLERANCE`], or 2⁻⁴⁰ of the size of the two where that is more; in nearly all cases to
//! rounding. Cost: about 500 to 1,500 farthest points, 0.1 ms; 2 to 50 points where one point proves the
//! guess. Gives up after [`MOST`] cones with the least that was found.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::num::bound::{APPROACH, reach};
use crate::num::ops::sqrt;
use crate::shape::{Convex, DEFAULT_TOLERANCE};
use crate::sweep::parts::nearest::closest;
use crate::sweep::parts::outline::triangle_normal;

/// The share of the depth by which another direction may be better: 2⁻¹⁴.
pub(in crate::sweep) const TOLERANCE: f64 = 1.0 / (1u64 << 14) as f64;

/// The share of the size of the two by which a way may be longer than what proves it, 2⁻⁴⁰: that of
/// distances. Solids that overlap by no more than rounding are never searched.
const NEAR: f64 = DEFAULT_TOLERANCE;

/// Of the first pass, which is for a good bound only.
const COARSE: f64 = 1.0 / 16.0;

/// Of the last pass, 2⁻³⁶, in the directions closer than 2⁻⁵ to what was found.
const FINE: f64 = 1.0 / (1u64 << 36) as f64;
const CLOSE: f64 = 1.0 / 32.0;

/// The most cones of the first passes, and of the last.
const MOST: u32 = 4096;
const MOST_CLOSE: u32 = 256;

/// Steps of Newton's method; the angle over which its second derivatives are taken, 2⁻¹⁷; and the one over
/// which an edge shows, 2⁻¹².
const STEPS: u32 = 8;
const ANGLE: f64 = 1.0 / (1u64 << 17) as f64;
const LEAP: f64 = 1.0 / (1u64 << 12) as f64;

/// Cones that wait. Each halving leaves one, and halves an edge: no more than this without loss of all
/// digits.
const WAITING: usize = 192;

/// The most seeds.
const SEEDS: usize = 8;

/// The way that separates two solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayOut {
    pub(crate) depth: f64,
    /// Unit, from the other towards the mover.
    pub(crate) normal: DVec3,
}

impl WayOut {
    /// Whether a mover with this translation goes deeper.
    pub(crate) fn is_opposed_by(&self, translation: DVec3) -> bool {
        -self.normal.dot(translation) > APPROACH * sqrt(translation.length_squared())
    }
}

/// All places of the middle of a ball that rolls inside of a solid. The solid is this with the radius of the
/// ball around it: they have the same ways out.
pub(crate) struct RollingCore<'a, S> {
    pub(crate) solid: &'a S,
    /// At most the least radius of curvature of the solid.
    pub(crate) rolling: f64,
}

impl<S: Convex> Convex for RollingCore<'_, S> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.solid.support(direction) - direction * (self.rolling / sqrt(direction.length_squared()))
    }

    fn margin(&self) -> f64 {
        self.solid.margin()
    }

    fn reach(&self) -> f64 {
        self.solid.reach()
    }
}

/// The proof by a ball in a mover about `place`. The core of the mover holds a ball of `rolling` that rolls
/// everywhere inside; `distance` is that of a point from the other solid, negative inside.
pub(crate) fn by_ball(
    mover: &(impl Convex + ?Sized),
    rolling: f64,
    place: DVec3,
    distance: impl Fn(DVec3) -> f64,
) -> impl Fn(DVec3) -> f64 {
    let radius = rolling + mover.margin();
    move |normal| radius - distance(place + mover.support(-normal) + normal * rolling)
}

/// The least way out of `other` about the origin for a mover about `place` that overlaps it; `guess` itself
/// where that is the least to within [`TOLERANCE`]. It takes less time where `seeds` are normals of faces, or
/// good guesses as well. All have length 1. `proof` gives a lower bound of all ways from the direction of a
/// short one ([`by_ball`]): where that confirms the direction nothing is searched.
pub(crate) fn least_way_out(
    mover: &dyn Convex,
    other: &dyn Convex,
    place: DVec3,
    guess: DVec3,
    seeds: &[DVec3],
    proof: &dyn Fn(DVec3) -> f64,
) -> WayOut {
    least_way_out_of(mover, other, place, guess, seeds, proof)
}

/// The same, compiled for a pair of shapes: faster, and larger.
#[cold]
#[inline(never)]
pub(crate) fn least_way_out_of(
    mover: &(impl Convex + ?Sized),
    other: &(impl Convex + ?Sized),
    place: DVec3,
    guess: DVec3,
    seeds: &[DVec3],
    proof: impl Fn(DVec3) -> f64,
) -> WayOut {
    let margin = mover.margin() + other.margin();
    let farthest = |n: DVec3| other.support(n) - mover.support(-n) - place + n * margin;
    let unknown = WayOut { depth: f64::INFINITY, normal: guess };
    let mut search = Search { farthest, guessed: unknown, least: unknown };
    let guess = search.corner(guess);
    search.guessed = search.least;
    let size = mover.reach() + other.reach() + margin + reach(place);
    let is_least = |out: &WayOut| less(out.depth, TOLERANCE) - NEAR * size <= proof(out.normal);
    if is_least(&search.guessed) {
        return search.guessed;
    }
    for seed in seeds {
        search.corner(*seed);
    }
    search.polish();
    if is_least(&search.least) {
        return search.result();
    }
    let cones = search.first_cones(guess, seeds);
    search.narrow(&cones, COARSE, MOST);
    search.narrow(&cones, TOLERANCE, MOST);
    if search.is_less_than_guessed(TOLERANCE) {
        let close = search.close_cones();
        search.narrow(&close, FINE, MOST_CLOSE);
        search.polish();
    }
    search.result()
}

/// A direction of length 1, and the farthest point along it.
#[derive(Clone, Copy)]
struct Corner {
    direction: DVec3,
    point: DVec3,
}

type Cone = [Corner; 3];

/// Enough for the eight octants and two more for each seed in each that it may touch.
type Cones = ArrayVec<Cone, WAITING>;

struct Search<F> {
    farthest: F,
    guessed: WayOut,
    least: WayOut,
}

impl<F: Fn(DVec3) -> DVec3> Search<F> {
    fn corner(&mut self, direction: DVec3) -> Corner {
        let point = (self.farthest)(direction);
        let depth = point.dot(direction);
        if depth < self.least.depth {
            self.least = WayOut { depth, normal: direction };
        }
        Corner { direction, point }
    }

    /// All directions, the guess and the seeds among the corners.
    fn first_cones(&mut self, guess: Corner, seeds: &[DVec3]) -> Cones {
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [self.corner(axis), self.corner(-axis)]);
        let mut cones = Cones::new();
        for octant in 0..8 {
            cones.push([x[octant & 1], y[octant >> 1 & 1], z[octant >> 2 & 1]]);
        }
        let seeds: ArrayVec<Corner, SEEDS> = seeds.iter().take(SEEDS).map(|n| self.corner(*n)).collect();
        for seed in core::iter::once(guess).chain(seeds) {
            for i in (0..cones.len()).rev() {
                if cones.len() + 3 > WAITING || !holds(&cones[i], seed.direction) {
                    continue;
                }
                let cone = cones.swap_remove(i);
                for side in 0..3 {
                    let mut part = cone;
                    part[side] = seed;
                    if volume(&part).abs() > f64::EPSILON {
                        cones.push(part);
                    }
                }
            }
        }
        cones
    }

    /// The guess, or what is better by more than [`TOLERANCE`].
    fn result(&self) -> WayOut {
        if self.is_less_than_guessed(TOLERANCE) { self.least } else { self.guessed }
    }

    /// Whether the least is better than the guess by more than a tolerance. False with a NaN.
    fn is_less_than_guessed(&self, tolerance: f64) -> bool {
        self.least.depth < less(self.guessed.depth, tolerance)
    }

    /// The cones around the best direction, which is a corner of each.
    fn close_cones(&mut self) -> Cones {
        let normal = self.least.normal;
        let (u, v) = normal.any_orthonormal_pair();
        let middle = self.corner(normal);
        let around = [[1.0, 0.0], [-0.5, 0.75], [-0.5, -0.75]]
            .map(|[along, across]| self.turned(normal + (u * along + v * across) * CLOSE));
        (0..3).map(|i| [middle, around[i], around[(i + 1) % 3]]).collect()
    }

    /// Searches all cones that may be better, but no more than `left`.
    fn narrow(&mut self, cones: &Cones, tolerance: f64, mut left: u32) {
        let mut waiting = cones.clone();
        while let Some(cone) = waiting.pop() {
            let is_less = self.is_less_than_guessed(tolerance);
            let beaten = if is_less { self.least } else { self.guessed };
            // Written so that a NaN ends the search.
            let may_hold_less = bound(&cone) < less(beaten.depth, tolerance);
            if !may_hold_less {
                continue;
            }
            if left == 0 || waiting.len() + 2 > WAITING {
                return;
            }
            left -= 1;
            let points = cone.map(|corner| corner.point);
            let face = triangle_normal(points[1] - points[0], points[2] - points[0]);
            let nearest = closest(&points, face);
            if nearest.distance > 0.0 {
                self.corner(-nearest.normal);
            }
            let side = widest(&cone);
            let [a, b] = [cone[side], cone[(side + 1) % 3]];
            let middle = self.turned(a.direction + b.direction);
            for end in [side, (side + 1) % 3] {
                let mut half = cone;
                half[end] = middle;
                waiting.push(half);
            }
        }
    }

    /// Newton's method from the least that was found, as long as it finds less.
    fn polish(&mut self) {
        for _ in 0..STEPS {
            let before = self.least.depth;
            self.step_all_round();
            if self.least.depth >= before {
                self.step_along_edge();
            }
            if self.least.depth >= before {
                return;
            }
        }
    }

    /// One step where the farthest point is a smooth function of the direction.
    fn step_all_round(&mut self) {
        let normal = self.least.normal;
        let (u, v) = normal.any_orthonormal_pair();
        let mut slope = |turned: DVec3| {
            let slope = self.slope(turned);
            [slope.dot(u), slope.dot(v)]
        };
        let here = slope(normal);
        let along_u = slope(normal + u * ANGLE);
        let along_v = slope(normal + v * ANGLE);
        let bend = |there: [f64; 2], k: usize| (there[k] - here[k]) / ANGLE;
        let (uu, vv) = (bend(along_u, 0), bend(along_v, 1));
        let uv = 0.5 * (bend(along_u, 1) + bend(along_v, 0));
        let area = uu * vv - uv * uv;
        if uu > 0.0 && area > 0.0 {
            let step = [(uv * here[1] - vv * here[0]) / area, (uv * here[0] - uu * here[1]) / area];
            self.turned(normal + u * step[0] + v * step[1]);
        }
    }

    /// One step among the directions that are perpendicular to an edge of K, from one end of which to the
    /// other the farthest point leaps here.
    fn step_along_edge(&mut self) {
        let normal = self.least.normal;
        let (u, v) = normal.any_orthonormal_pair();
        let mut leap = |across: DVec3| {
            self.turned(normal + across * LEAP).point - self.turned(normal - across * LEAP).point
        };
        let (by_u, by_v) = (leap(u), leap(v));
        let mut edge = if by_u.length_squared() > by_v.length_squared() { by_u } else { by_v };
        for _ in 0..2 {
            let across = edge - normal * normal.dot(edge);
            edge = leap(across / sqrt(across.length_squared()));
        }
        let squared = edge.length_squared();
        let square = self.turned(normal - edge * (normal.dot(edge) / squared)).direction;
        let along = square.cross(edge) / sqrt(squared);
        let here = self.slope(square).dot(along);
        let there = self.slope(square + along * ANGLE).dot(along);
        if there > here {
            self.turned(square - along * (here * ANGLE / (there - here)));
        }
    }

    /// The corner in a direction that may have any length.
    fn turned(&mut self, turned: DVec3) -> Corner {
        self.corner(turned / sqrt(turned.length_squared()))
    }

    /// The derivative of h as the direction turns.
    fn slope(&mut self, turned: DVec3) -> DVec3 {
        let Corner { direction, point } = self.turned(turned);
        (point - direction * point.dot(direction)) / sqrt(turned.length_squared())
    }
}

fn less(depth: f64, tolerance: f64) -> f64 {
    depth - tolerance * depth.abs()
}

/// A lower bound of h in a cone.
fn bound(cone: &Cone) -> f64 {
    // The heights of each support point along the three corners.
    let reach = [0, 1, 2].map(|j| {
        let point = cone[j].point;
        DVec3::new(cone[0].direction.dot(point), cone[1].direction.dot(point), cone[2].direction.dot(point))
    });
    let mut most = reach[0].min_element().max(reach[1].min_element()).max(reach[2].min_element());
    for (p, q) in [(0, 1), (1, 2), (2, 0)] {
        let (p, q) = (reach[p], reach[q]);
        for (i, k) in [(0, 1), (1, 2), (2, 0)] {
            let share = (q[k] - q[i]) / ((p[i] - q[i]) - (p[k] - q[k]));
            if share > 0.0 && share < 1.0 {
                most = most.max((p * share + q * (1.0 - share)).min_element());
            }
        }
    }
    // All three, so that the mixture is equally high along each corner.
    let row = |i: usize| DVec3::new(reach[0][i], reach[1][i], reach[2][i]);
    let shares = (row(0) - row(1)).cross(row(1) - row(2));
    let shares = shares / (shares.x + shares.y + shares.z);
    if shares.min_element() >= 0.0 {
        most = most.max((reach[0] * shares.x + reach[1] * shares.y + reach[2] * shares.z).min_element());
    }
    most
}

/// The side of a cone, from that corner to the next, along which the farthest points differ most.
fn widest(cone: &Cone) -> usize {
    let width = |i: usize| {
        let [a, b] = [cone[i], cone[(i + 1) % 3]];
        (b.point - a.point).dot(b.direction - a.direction)
    };
    let (mut side, mut most) = (0, width(0));
    for i in 1..3 {
        if width(i) > most {
            (side, most) = (i, width(i));
        }
    }
    side
}

fn volume(cone: &Cone) -> f64 {
    cone[0].direction.cross(cone[1].direction).dot(cone[2].direction)
}

/// Whether a direction is in a cone, or on a side of it.
fn holds(cone: &Cone, direction: DVec3) -> bool {
    let turn = volume(cone);
    (0..3).all(|i| {
        let side = cone[i].direction.cross(cone[(i + 1) % 3].direction);
        side.dot(direction) * turn >= -f64::EPSILON * turn.abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;
    use crate::shape::{Cuboid, Ellipsoid};
    use glam::{DQuat, dvec3};

    #[test]
    fn out_of_a_large_box_a_leaf_goes_along_its_own_short_axis() {
        // Sideways it is 5 to the face and 5 more; along its own axis that leans by 0.3 it is less.
        let turn = rotation_about(DVec3::Z, 0.3);
        let leaf = Ellipsoid::new(dvec3(0.1, 5.0, 5.0)).unwrap().with_rotation(turn).unwrap();
        let crate_ = Cuboid::new(dvec3(0.5, 0.5, 0.5)).unwrap();
        let out = least_way_out(&leaf, &crate_, DVec3::ZERO, DVec3::Y, &[], &|_| f64::NEG_INFINITY);
        assert!((out.normal.abs() - (turn * DVec3::X).abs()).length() < 0.02, "{out:?}");
        let along = |n: DVec3| crate_.support_point(n).dot(n) + leaf.support_point(n).dot(n);
        assert!((out.depth - along(out.normal)).abs() < 1e-15);
        for i in 0..1000 {
            let angle = f64::from(i) * 0.001 * core::f64::consts::TAU;
            let n = rotation_about(DVec3::Z, angle) * DVec3::X;
            assert!(along(n) >= out.depth * (1.0 - 1e-12));
        }
    }

    #[test]
    fn a_ball_proves_the_ways_that_the_search_finds() {
        let mut random = Random(0xBA11);
        let mut proved = 0;
        for i in 0..2000 {
            let mut between = |low: f64, high: f64| low + (high - low) * random.number().abs();
            let mut three =
                |low: f64, high: f64| dvec3(between(low, high), between(low, high), between(low, high));
            let (axis, angle) = (three(-1.0, 1.0), three(0.0, 3.0).x);
            let turn = if i % 2 == 0 { DQuat::IDENTITY } else { rotation_about(axis.normalize(), angle) };
            let egg = Ellipsoid::new(three(0.2, 1.0)).unwrap().with_rotation(turn).unwrap();
            let crate_ = Cuboid::new(three(0.3, 1.5)).unwrap();
            let (normal, into) = (three(-1.0, 1.0).normalize(), three(0.0, 0.3).x);
            let reach = |n: DVec3| crate_.support_point(n).dot(n) - egg.support_point(-n).dot(n);
            let place = normal * (reach(normal) - into);
            let searched = least_way_out(&egg, &crate_, place, normal, &[], &|_| f64::NEG_INFINITY);
            let proof = by_ball(&egg, egg.rolling_radius(), place, |p| crate_.signed_distance(p));
            // No bound is above the least, whatever the direction.
            for n in [normal, searched.normal, three(-1.0, 1.0).normalize()] {
                assert!(less(proof(n), TOLERANCE) <= searched.depth + 1e-14, "{i}: {n} {searched:?}");
            }
            let out = least_way_out(&egg, &crate_, place, normal, &[], &proof);
            let difference = (out.depth - searched.depth).abs();
            assert!(difference <= searched.depth.abs() * TOLERANCE + 1e-14, "{i}: {out:?} {searched:?}");
            proved += usize::from(proof(searched.normal) >= less(searched.depth, TOLERANCE));
        }
        assert!(proved > 1900, "{proved}");
    }

    #[test]
    fn a_guess_that_is_as_good_as_any_is_kept() {
        let (small, large) = (Cuboid::new(DVec3::ONE * 0.5).unwrap(), Cuboid::new(DVec3::ONE).unwrap());
        for guess in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z] {
            let out = least_way_out(&small, &large, DVec3::ZERO, guess, &[], &|_| f64::NEG_INFINITY);
            assert_eq!((out.depth, out.normal), (1.5, guess));
        }
    }

    #[test]
    fn scales_with_the_scene_bit_for_bit() {
        let turn = rotation_about(dvec3(1.0, 2.0, -0.5), 0.7);
        let egg = Ellipsoid::new(dvec3(0.3, 0.7, 1.9)).unwrap().with_rotation(turn).unwrap();
        let (crate_, place) = (Cuboid::new(dvec3(0.9, 0.4, 1.1)).unwrap(), dvec3(0.2, -0.1, 0.5));
        let out = least_way_out(&egg, &crate_, place, DVec3::X, &[], &|_| f64::NEG_INFINITY);
        for k in [(1u64 << 40) as f64, 1.0 / (1u64 << 40) as f64] {
            let scaled = Cuboid::new(crate_.half_extents() * k).unwrap();
            let other =
                least_way_out(&egg.scaled_by(k), &scaled, place * k, DVec3::X, &[], &|_| f64::NEG_INFINITY);
            assert_eq!((other.depth, other.normal), (out.depth * k, out.normal));
        }
    }
}
