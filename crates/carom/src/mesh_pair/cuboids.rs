//! When two boxes that slide and turn first come together, by conservative advancement.
//!
//! Source, bound and error: those of `advance`; boxes are convex, so a single pair is enough, and its
//! distance is that of any two convex shapes, with proven bounds. Cost: a distance for each step. After
//! [`MOST_STEPS`] the place reached is the answer, marked as such.

use glam::DVec3;

use super::PoseMotion;
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::shape::{Cuboid, convex_distance};

/// The most steps.
const MOST_STEPS: u32 = 10_000;

/// The first contact of two boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CuboidsAdvanced {
    /// The share of both motions until then, 0 … 1.
    pub fraction: f64,
    /// Their distance there is at most this, in meters: 0 only if they touch at the very start.
    pub gap: f64,
    /// The nearest point of the first there, in the world.
    pub point: DVec3,
    /// The unit direction from the second towards the first; zero if they overlap.
    pub normal: DVec3,
    /// Whether the gap is within the tolerance; if not, the search was given up here.
    pub converged: bool,
}

/// The first contact of two boxes, each of which is moved (and turned further) by a motion; `None` if the
/// path is free. Boxes nearer than `tolerance`, in meters, are in contact. They are never in contact earlier
/// than the answer, and never farther apart than the tolerance there. A motion's scale does not count.
///
/// ```
/// use carom::mesh_pair::{PoseMotion, advance_cuboids};
/// use carom::num::ops::rotation_about;
/// use carom::{Cuboid, Pose, glam::{DVec3, dvec3}};
/// let bar = Cuboid::new(dvec3(3.0, 0.1, 0.1))?;
/// let post = Cuboid::new(dvec3(0.1, 0.1, 0.1))?;
/// // A bar that turns by 90 degrees meets a post beside it.
/// let turned = Pose::IDENTITY.with_rotation(rotation_about(DVec3::Z, 1.570796))?;
/// let sweep = PoseMotion::new(Pose::IDENTITY, turned)?;
/// let rest = PoseMotion::rest(Pose::at(dvec3(1.5, 1.5, 0.0))?);
/// let hit = advance_cuboids([&bar, &post], [&sweep, &rest], 1e-6).unwrap();
/// assert!(hit.converged && hit.fraction > 0.4 && hit.fraction < 0.5);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn advance_cuboids(
    cuboids: [&Cuboid; 2],
    motions: [&PoseMotion; 2],
    tolerance: f64,
) -> Option<CuboidsAdvanced> {
    let radii =
        cuboids.map(|cuboid| sqrt(cuboid.half_extents().length_squared()) * (1.0 + 8.0 * UNIT_ROUNDOFF));
    let velocity = motions[1].translation() - motions[0].translation();
    let far =
        [0.0, 1.0].map(|end| reach(motions[0].at(end).position()) + reach(motions[1].at(end).position()));
    let tolerance = tolerance.max(512.0 * UNIT_ROUNDOFF * (far[0].max(far[1]) + radii[0] + radii[1]));
    let spins = motions.map(|motion| motion.axis() * motion.angle());
    let (mut fraction, mut last) = (0.0, false);
    for step in 0..=MOST_STEPS {
        let poses = motions.map(|motion| motion.at(fraction));
        let turned = |i: usize| {
            let rotation = poses[i].rotation() * cuboids[i].rotation();
            // The product of two rotations is one.
            cuboids[i].with_rotation(rotation).unwrap_or(*cuboids[i])
        };
        let found = convex_distance(&turned(0), &turned(1), poses[1].position() - poses[0].position());
        if found.upper <= tolerance || step == MOST_STEPS || last {
            return Some(CuboidsAdvanced {
                fraction,
                gap: found.upper,
                point: poses[0].position() + found.point,
                normal: found.normal,
                converged: found.upper <= tolerance,
            });
        }
        let turning = |i: usize| sqrt(found.normal.cross(spins[i]).length_squared()) * radii[i];
        let most =
            sqrt(velocity.length_squared()) + motions[0].angle() * radii[0] + motions[1].angle() * radii[1];
        let approach = turning(0) + turning(1) + found.normal.dot(velocity) + 64.0 * UNIT_ROUNDOFF * most;
        if approach <= 0.0 {
            return None;
        }
        // Below this resolution it gives up: no step could be proved.
        last = found.lower <= 0.0 || found.lower.is_nan();
        if !last {
            fraction += found.lower / approach * (1.0 - 8.0 * UNIT_ROUNDOFF);
        }
        if fraction >= 1.0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;
    use crate::num::ops::rotation_about;
    use crate::world::Pose;

    fn pose(n: &[f64], far: f64) -> Pose {
        Pose::at(dvec3(n[0], n[1], n[2]) * far)
            .and_then(|pose| pose.with_rotation(rotation_about(dvec3(n[3], n[4], n[5] + 1e-3), 3.0 * n[6])))
            .unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn boxes_that_turn_stop_within_the_tolerance_and_never_past(
            a in prop::array::uniform7(-1.0..1.0f64), b in prop::array::uniform7(-1.0..1.0f64),
            c in prop::array::uniform7(-1.0..1.0f64), d in prop::array::uniform7(-1.0..1.0f64),
        ) {
            let boxes = [dvec3(1.0, 0.3, 0.1), dvec3(0.5, 0.5, 0.7)].map(|half| Cuboid::new(half).unwrap());
            let motions =
                [PoseMotion::new(pose(&a, 1.0), pose(&b, 1.0)).unwrap(), PoseMotion::new(pose(&c, 4.0), pose(&d, 2.0)).unwrap()];
            let gap = |t: f64| {
                let poses = [motions[0].at(t), motions[1].at(t)];
                let turned = [0, 1].map(|i| boxes[i].with_rotation(poses[i].rotation()).unwrap());
                convex_distance(&turned[0], &turned[1], poses[1].position() - poses[0].position()).upper
            };
            let found = advance_cuboids([&boxes[0], &boxes[1]], [&motions[0], &motions[1]], 1e-7);
            let end = found.map_or(1.0, |found| found.fraction);
            if let Some(found) = found {
                prop_assert!(found.converged && found.gap <= 1e-7 && (gap(end) - found.gap).abs() < 1e-9);
            }
            // Where they overlap at the start there is no way before the contact.
            for step in (0..100).filter(|_| end > 0.0) {
                prop_assert!(gap(end * f64::from(step) / 100.0) > 0.0);
            }
        }
    }
}
