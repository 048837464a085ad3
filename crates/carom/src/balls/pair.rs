//! Two balls: overlap, moving against resting, moving against moving, and collision.
//!
//! Source: "Pool hall lessons: fast, accurate collision detection between circles or spheres" (2000), solved
//! by the contact root of `docs/contact-root.md`. Cheap tests come first: no motion, too far, moving apart,
//! passing by. Only if all of them fail, a root is taken. Error: a fraction is that of radii off by at most 8
//! unit roundoffs of the lengths given; momentum is conserved to rounding. Cost: a few products for most
//! pairs, three roots for a hit. It never gives up: a number that overflowed stops both at once.
//!
//! A circle is a sphere with z = 0: the same functions serve both.

use glam::DVec3;

use crate::num::contact::{ContactRoot, contact_root};
use crate::shape::{ShapeError, finite, positive};
use crate::sweep::Path;

/// A ball: a sphere, or a circle if z is 0 throughout. Meters and kilograms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The center.
    pub position: DVec3,
    /// The velocity, in m/s.
    pub velocity: DVec3,
    /// Greater than 0.
    pub radius: f64,
    /// Greater than 0.
    pub mass: f64,
}

impl Ball {
    /// A ball, checked.
    ///
    /// # Errors
    /// A number is not finite, or a radius or a mass is not greater than 0.
    pub fn new(position: DVec3, velocity: DVec3, radius: f64, mass: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            position: finite(position, "position")?,
            velocity: finite(velocity, "velocity")?,
            radius: positive(radius, "radius")?,
            mass: positive(mass, "mass")?,
        })
    }
}

/// Whether two balls at rest overlap, without a square root. Touching is not overlapping.
///
/// ```
/// use carom::balls::overlap;
/// use glam::dvec3;
/// // Two circles of 5 and 3 whose centers are 3 across and 4 up from each other: 5 apart, and 8 is more.
/// assert!(overlap(dvec3(0.0, 0.0, 0.0), 5.0, dvec3(3.0, 4.0, 0.0), 3.0));
/// assert!(!overlap(dvec3(0.0, 0.0, 0.0), 2.0, dvec3(3.0, 4.0, 0.0), 3.0));
/// ```
#[inline]
pub fn overlap(center: DVec3, radius: f64, other_center: DVec3, other_radius: f64) -> bool {
    let reach = radius + other_radius;
    (other_center - center).length_squared() < reach * reach
}

/// The share of its path that a moving ball makes before it touches a resting one; `None` if it does not
/// reach it.
///
/// A ball that touches already stops at 0 if it approaches, and otherwise not at all.
///
/// ```
/// use carom::{balls::moving_resting, sweep::Path};
/// use glam::dvec3;
/// // A circle of 1 goes 10 to the right; one of 1 rests 6 ahead of it. They touch when the centers are 2 apart: after 4.
/// let path = Path::new(dvec3(0.0, 0.0, 0.0), dvec3(10.0, 0.0, 0.0))?;
/// assert_eq!(moving_resting(&path, 1.0, dvec3(6.0, 0.0, 0.0), 1.0), Some(0.4));
/// // One that rests 2 to the side is passed by.
/// assert_eq!(moving_resting(&path, 1.0, dvec3(6.0, 2.5, 0.0), 1.0), None);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[inline]
pub fn moving_resting(path: &Path, radius: f64, other_center: DVec3, other_radius: f64) -> Option<f64> {
    first_touch(path.from() - other_center, path.translation(), radius + other_radius)
}

/// The share of their paths that two moving balls make before they touch, which is the same for both; `None`
/// if they do not meet.
///
/// ```
/// use carom::{balls::moving_moving, sweep::Path};
/// use glam::dvec3;
/// // Two circles of 1, 10 apart, come towards each other by 8 and by 8: they touch when each has gone 4.
/// let left = Path::new(dvec3(0.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0))?;
/// let right = Path::new(dvec3(10.0, 0.0, 0.0), dvec3(-8.0, 0.0, 0.0))?;
/// let share = moving_moving(&left, 1.0, &right, 1.0).unwrap();
/// assert_eq!(share, 0.5);
/// // Both paths, shortened.
/// assert_eq!((left.at(share).x, right.at(share).x), (4.0, 6.0));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[inline]
pub fn moving_moving(path: &Path, radius: f64, other_path: &Path, other_radius: f64) -> Option<f64> {
    let offset = path.from() - other_path.from();
    first_touch(offset, path.translation() - other_path.translation(), radius + other_radius)
}

/// Relative motion, solved.
#[inline]
fn first_touch(offset: DVec3, translation: DVec3, reach: f64) -> Option<f64> {
    match contact_root(offset, translation, reach, 0.0) {
        ContactRoot::None => None,
        ContactRoot::Touching => (offset.dot(translation) < 0.0).then_some(0.0),
        ContactRoot::At { fraction, .. } => Some(fraction),
    }
}

/// The velocities of two touching balls after they have pushed each other along the line of their centers.
/// `restitution` is the share of the speed of approach that returns: 1 conserves the energy, and with 0 they
/// move on together along that line. Balls that do not approach keep their velocities.
///
/// ```
/// use carom::balls::{Ball, respond};
/// use glam::{DVec3, dvec3};
/// // Equal balls, head on: they change velocities.
/// let moving = Ball::new(dvec3(0.0, 0.0, 0.0), dvec3(3.0, 0.0, 0.0), 1.0, 0.17)?;
/// let resting = Ball::new(dvec3(2.0, 0.0, 0.0), DVec3::ZERO, 1.0, 0.17)?;
/// assert_eq!(respond(&moving, &resting, 1.0), [DVec3::ZERO, dvec3(3.0, 0.0, 0.0)]);
/// // A heavy one hardly notices.
/// let heavy = Ball::new(dvec3(2.0, 0.0, 0.0), DVec3::ZERO, 1.0, 0.17 * 3.0)?;
/// let [light, heavy] = respond(&moving, &heavy, 1.0);
/// assert!((light.x + 1.5).abs() < 1e-15 && (heavy.x - 1.5).abs() < 1e-15);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[inline]
pub fn respond(a: &Ball, b: &Ball, restitution: f64) -> [DVec3; 2] {
    let offset = a.position - b.position;
    let squared = offset.length_squared();
    let approach = -(a.velocity - b.velocity).dot(offset);
    if approach <= 0.0 || squared <= 0.0 {
        return [a.velocity, b.velocity];
    }
    // Along the offset as it is, over its square: no unit normal whose length is off by a rounding, so energy
    // does not drift.
    let push = offset * ((1.0 + restitution) * approach / squared / (a.mass + b.mass));
    [a.velocity + push * b.mass, b.velocity - push * a.mass]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn ball(position: DVec3, velocity: DVec3, mass: f64) -> Ball {
        Ball::new(position, velocity, 0.5, mass).unwrap()
    }

    #[test]
    fn a_glancing_hit_sends_equal_balls_off_at_a_right_angle() {
        let a = ball(DVec3::ZERO, dvec3(2.0, 0.0, 0.0), 1.0);
        let b = ball(dvec3(0.6, 0.8, 0.0), DVec3::ZERO, 1.0);
        let [va, vb] = respond(&a, &b, 1.0);
        // The line of centers is (0.6, 0.8): of 2 across, 1.2 go along it.
        assert!((vb - dvec3(0.72, 0.96, 0.0)).length() < 1e-15, "{vb}");
        assert!((va - dvec3(1.28, -0.96, 0.0)).length() < 1e-15, "{va}");
        assert!(va.dot(vb).abs() < 1e-15);
    }

    #[test]
    fn restitution_is_the_share_of_the_approach_that_comes_back() {
        for restitution in [0.0, 0.25, 0.5, 1.0] {
            let a = ball(DVec3::ZERO, dvec3(3.0, 1.0, 0.0), 2.0);
            let b = ball(dvec3(1.0, 0.0, 0.0), dvec3(-1.0, 0.0, 4.0), 5.0);
            let [va, vb] = respond(&a, &b, restitution);
            assert!((vb.x - va.x - 4.0 * restitution).abs() < 1e-15);
            assert!((va * 2.0 + vb * 5.0 - dvec3(1.0, 2.0, 20.0)).length() < 1e-14);
            assert_eq!((va.y, vb.z), (1.0, 4.0));
        }
    }

    #[test]
    fn what_recedes_is_left_alone() {
        let a = ball(DVec3::ZERO, dvec3(-1.0, 0.0, 0.0), 1.0);
        let b = ball(dvec3(0.9, 0.0, 0.0), DVec3::ZERO, 1.0);
        assert_eq!(respond(&a, &b, 1.0), [a.velocity, b.velocity]);
    }

    #[test]
    fn touching_stops_only_what_comes_nearer() {
        let path = |d| Path::new(DVec3::ZERO, d).unwrap();
        let other = dvec3(2.0, 0.0, 0.0);
        assert_eq!(moving_resting(&path(DVec3::X), 1.0, other, 1.0), Some(0.0));
        assert_eq!(moving_resting(&path(DVec3::Y), 1.0, other, 1.0), None);
        assert_eq!(moving_resting(&path(-DVec3::X), 1.0, other, 1.0), None);
        assert!(!overlap(DVec3::ZERO, 1.0, other, 1.0));
    }

    #[test]
    fn a_ball_that_is_no_ball_is_refused() {
        for (radius, mass) in [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert!(Ball::new(DVec3::ZERO, DVec3::ZERO, radius, mass).is_err());
        }
        assert!(Ball::new(dvec3(0.0, f64::NAN, 0.0), DVec3::ZERO, 1.0, 1.0).is_err());
    }
}
