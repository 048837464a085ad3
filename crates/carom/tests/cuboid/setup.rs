//! Short words for what every law of cuboids is set up with.

use carom::shape::{Cuboid, Triangle};
use carom::sweep::{Hit, Path, cuboid_triangle};
use glam::{DQuat, DVec3, dvec3};

pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// 64u of a scene in which nothing is farther than 32 from the start.
pub(crate) const NEAR: f64 = 64.0 * U * 64.0;

pub(crate) const FLOOR: [DVec3; 3] = [dvec3(-9.0, 0.0, -9.0), dvec3(0.0, 0.0, 18.0), dvec3(9.0, 0.0, -9.0)];

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Cuboid {
    Cuboid::new(dvec3(x, y, z)).unwrap()
}

pub(crate) fn turned(cuboid: Cuboid, rotation: DQuat) -> Cuboid {
    cuboid.with_rotation(rotation).unwrap()
}

pub(crate) fn path(from: DVec3, translation: DVec3) -> Path {
    Path::new(from, translation).unwrap()
}

fn triangle(corners: [DVec3; 3]) -> Triangle {
    Triangle::new(corners[0], corners[1], corners[2]).unwrap()
}

pub(crate) fn sweep(cuboid: &Cuboid, path: &Path, corners: [DVec3; 3]) -> Option<Hit> {
    cuboid_triangle(cuboid, path, &triangle(corners))
}

/// Whether two answers to the same question in different frames agree: both hit after the same way, or the
/// gap is rounding.
pub(crate) fn agree(hit: Option<Hit>, again: Option<Hit>, way: DVec3, again_way: DVec3, bound: f64) -> bool {
    match (hit, again) {
        (Some(hit), Some(again)) => {
            let speed = hit.normal.dot(way).abs().min(again.normal.dot(again_way).abs());
            (hit.fraction - again.fraction).abs() * speed <= bound
        }
        (None, None) => true,
        _ => false,
    }
}
