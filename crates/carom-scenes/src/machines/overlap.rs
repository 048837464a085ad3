//! Whether a character's shape is inside a box, a ball or a capsule: in closed form or by plain minimization,
//! with nothing of what is tested.
//!
//! Every answer is a depth in meters, 0 where the two are apart or touch. Error: that of a few dozen sums,
//! and 1e-9 of the size for the minima that are searched.

use carom::num::ops;
use carom::{Cuboid, Mover};
use glam::{DMat3, DQuat, DVec3};

/// A solid with its center at `position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// Half its sides, in meters.
    Box(DVec3),
    /// Its radius, in meters.
    Ball(f64),
    /// Along y: its radius, and half the length of its axis, in meters.
    Capsule(f64, f64),
}

/// How deep a shape about `center` is in a solid at a pose, in meters; 0 where it is not.
pub fn depth(shape: &Mover, center: DVec3, solid: Solid, position: DVec3, rotation: DQuat) -> f64 {
    if let Solid::Capsule(radius, half) = solid {
        // A capsule is the balls along its axis, and the distance to a convex set is convex along that.
        let axis = rotation * DVec3::Y * half;
        let apart = least(|t| outside(shape, center, position + axis * t));
        return (radius - apart).max(0.0);
    }
    // In the solid's own frame.
    let at = rotation.conjugate() * (center - position);
    let own = |v: DVec3| rotation.conjugate() * v;
    let distance = |p: DVec3| match solid {
        Solid::Box(half) => (p.abs() - half).max(DVec3::ZERO).length(),
        Solid::Ball(radius) | Solid::Capsule(radius, _) => (p.length() - radius).max(0.0),
    };
    match shape {
        Mover::Point => 0.0,
        Mover::Sphere(sphere) => (sphere.radius() - distance(at)).max(0.0),
        Mover::Capsule(capsule) => {
            let axis = own(capsule.half_axis());
            // The distance to a convex set is convex along the axis.
            (capsule.radius() - least(|t| distance(at + axis * t))).max(0.0)
        }
        Mover::Cuboid(cuboid) => match solid {
            Solid::Box(half) => boxes(at, cuboid, own, half),
            Solid::Ball(radius) | Solid::Capsule(radius, _) => {
                let there = cuboid.rotation().conjugate() * (position - center);
                let apart = (there.abs() - cuboid.half_extents()).max(DVec3::ZERO).length();
                (radius - apart).max(0.0)
            }
        },
        Mover::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            let to_own = |v: DVec3| ellipsoid.rotation().conjugate() * v;
            match solid {
                Solid::Box(half) => {
                    let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| to_own(rotation * axis) / radii);
                    let start = to_own(center - position) / radii;
                    (1.0 - nearest_in_box(columns, start, half)).max(0.0) * radii.min_element()
                }
                Solid::Ball(radius) | Solid::Capsule(radius, _) => {
                    let there = to_own(position - center);
                    let outside = (there / radii).length_squared() > 1.0;
                    if outside { (radius - from_ellipsoid(there.abs(), radii)).max(0.0) } else { radius }
                }
            }
        }
    }
}

/// How far a point is from a shape about `center`, in meters; 0 inside.
fn outside(shape: &Mover, center: DVec3, point: DVec3) -> f64 {
    let there = point - center;
    match shape {
        Mover::Point => there.length(),
        Mover::Sphere(sphere) => (there.length() - sphere.radius()).max(0.0),
        Mover::Capsule(capsule) => {
            let axis = capsule.half_axis();
            (least(|t| (there - axis * t).length()) - capsule.radius()).max(0.0)
        }
        Mover::Cuboid(cuboid) => {
            let own = cuboid.rotation().conjugate() * there;
            (own.abs() - cuboid.half_extents()).max(DVec3::ZERO).length()
        }
        Mover::Ellipsoid(ellipsoid) => {
            let own = ellipsoid.rotation().conjugate() * there;
            let is_out = (own / ellipsoid.radii()).length_squared() > 1.0;
            if is_out { from_ellipsoid(own.abs(), ellipsoid.radii()) } else { 0.0 }
        }
    }
}

/// The least value of a convex function over −1 … 1.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if f(a) < f(b) { high = b } else { low = a }
    }
    f(low).min(f(-1.0)).min(f(1.0))
}

/// The overlap of two boxes on the axis on which it is least.
fn boxes(at: DVec3, cuboid: &Cuboid, own: impl Fn(DVec3) -> DVec3, half: DVec3) -> f64 {
    let mine = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| own(cuboid.rotation() * axis));
    let size = cuboid.half_extents();
    let others = [DVec3::X, DVec3::Y, DVec3::Z];
    let crossed = mine.iter().flat_map(|a| others.iter().map(|b| a.cross(*b)));
    let mut deepest = f64::INFINITY;
    for axis in mine.iter().chain(&others).copied().chain(crossed) {
        let length = axis.length();
        // Faces separate parallel edges.
        if length < 1e-9 {
            continue;
        }
        let axis = axis / length;
        let reach = mine.iter().zip(size.to_array()).map(|(m, s)| m.dot(axis).abs() * s).sum::<f64>()
            + half.dot(axis.abs());
        deepest = deepest.min(reach - at.dot(axis).abs());
    }
    deepest.max(0.0)
}

/// The least length of `Σ columns·x − start` over a box of x: coordinate by coordinate, which for a convex
/// square ends at the least.
fn nearest_in_box(columns: [DVec3; 3], start: DVec3, half: DVec3) -> f64 {
    let matrix = DMat3::from_cols(columns[0], columns[1], columns[2]);
    let mut x = (matrix.inverse() * start).clamp(-half, half);
    for _ in 0..400 {
        let before = x;
        for i in 0..3 {
            let rest = matrix * x - start - columns[i] * x[i];
            x[i] = (-rest.dot(columns[i]) / columns[i].length_squared()).clamp(-half[i], half[i]);
        }
        if (x - before).length() <= 1e-15 * (1.0 + x.length()) {
            break;
        }
    }
    (matrix * x - start).length()
}

/// How far a point with coordinates of at least 0, outside, is from an ellipsoid: the root of a falling
/// function, halved down to.
fn from_ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let squares = radii * radii;
    let value = |t: f64| {
        let scaled = p * radii / (squares + DVec3::splat(t));
        scaled.length_squared() - 1.0
    };
    let (mut low, mut high) = (0.0, radii.max_element() * p.length());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    let foot = squares * p / (squares + DVec3::splat(low));
    ops::sqrt((p - foot).length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Capsule, Ellipsoid, Sphere};
    use glam::dvec3;

    #[test]
    fn depths_that_can_be_read_off() {
        let solid = Solid::Box(dvec3(1.0, 2.0, 3.0));
        let turn = ops::rotation_about(DVec3::Y, 0.5 * core::f64::consts::PI);
        let shapes: [(Mover, f64); 4] = [
            (Sphere::new(0.5).unwrap().into(), 0.5),
            (Capsule::new(0.5, 1.0).unwrap().into(), 1.5),
            (Ellipsoid::new(dvec3(0.5, 1.5, 0.5)).unwrap().into(), 1.5),
            (Cuboid::new(dvec3(0.5, 1.5, 0.5)).unwrap().into(), 1.5),
        ];
        for (shape, below) in shapes {
            let at = |x: f64, y: f64| depth(&shape, dvec3(x, y, 0.0), solid, DVec3::ZERO, turn);
            assert_eq!(at(0.0, 2.001 + below), 0.0);
            assert!(at(0.0, 1.99 + below) > 0.003, "{shape:?}");
            // Turned by a quarter, it is 3 m long along x.
            assert_eq!(at(3.501, 0.0), 0.0);
            assert!(at(3.49, 0.0) > 0.009, "{shape:?}");
            let ball = depth(&shape, dvec3(0.0, 0.99 + below, 0.0), Solid::Ball(1.0), DVec3::ZERO, turn);
            assert!((ball - 0.01).abs() < 1e-9, "{shape:?}: {ball}");
            // Lying along x, whose ends reach 1.6 m.
            let capsule = Solid::Capsule(0.6, 1.0);
            let lies = ops::rotation_about(DVec3::Z, 0.5 * core::f64::consts::PI);
            let at = |x: f64, y: f64| depth(&shape, dvec3(x, y, 0.0), capsule, DVec3::ZERO, lies);
            assert!((at(0.3, 0.59 + below) - 0.01).abs() < 1e-9, "{shape:?}");
            assert_eq!(at(0.3, 0.601 + below), 0.0, "{shape:?}");
            assert!((at(2.09, 0.0) - 0.01).abs() < 1e-9, "{shape:?}");
            assert_eq!(at(2.101, 0.0), 0.0, "{shape:?}");
        }
    }
}
