//! Restitution and friction at a contact, without masses.
//!
//! Source: Newton's law of restitution and Coulomb's law of friction, both as the change of velocity at a
//! contact. Error: 4 ulp of the longest velocity. Cost: about 50 flops. Never fails: all finite input has an
//! answer.
//!
//! Velocities are relative to the surface. For a surface that moves with w, use `bounce(v - w, n, e) + w`.

use glam::DVec3;

use super::not_faster;
use crate::num::bound::rescale;
use crate::num::ops;

/// The velocity after hitting a surface with this unit `normal` (towards the mover). The part towards the
/// surface returns times `restitution`: 0 loses it, 1 mirrors it, and more is a bumper that adds speed. Below
/// 0 counts as 0. A velocity along the surface or away from it stays as it is, to the bit.
pub fn bounce(velocity: DVec3, normal: DVec3, restitution: f64) -> DVec3 {
    let unit = rescale(velocity.abs().max_element());
    let v = velocity * unit;
    let approach = normal.dot(v);
    if approach >= 0.0 {
        return velocity;
    }
    let squared = normal.length_squared();
    let along = v - normal * (approach / squared);
    // Once more, to remove the rest of the approach that rounding left.
    let along = along - normal * (normal.dot(along) / squared);
    let restitution = restitution.max(0.0);
    let after = along - normal * (restitution * approach / squared);
    // Rounding must not make a ball faster, bounce by bounce.
    let after = if restitution <= 1.0 { not_faster(after, v) } else { after };
    after / unit + DVec3::ZERO
}

/// The velocity `after` a contact, slowed by friction. The part along the surface, perpendicular to the
/// absorbed velocity (`after − before`), gets shorter by `coefficient` times the length of the absorbed
/// velocity, but not below zero. A negative coefficient counts as 0.
///
/// On planes at rest, and on one that moves, a feasible motion stays feasible. After several moving planes,
/// compute the nearest feasible motion again.
pub fn friction(before: DVec3, after: DVec3, coefficient: f64) -> DVec3 {
    let unit = rescale(before.abs().max(after.abs()).max_element());
    let (before, slowed) = (before * unit, after * unit);
    let absorbed = slowed - before;
    let Some(direction) = direction_of(absorbed) else { return after };
    let coefficient = coefficient.max(0.0);
    let kept = direction.dot(slowed);
    let slide = slowed - direction * kept;
    let length = ops::sqrt(slide.length_squared());
    let loss = coefficient * ops::sqrt(absorbed.length_squared());
    if loss < length {
        return (slowed - slide * (loss / length)) / unit + DVec3::ZERO;
    }
    // The whole slide is gone. The motion that the planes demand stays. A rest within rounding does not: the
    // mover is at rest. (The direction errs by an ulp of the velocities for each unit of the absorbed
    // velocity, which is at least slide / coefficient.)
    let longest = ops::sqrt(before.length_squared().max(slowed.length_squared()));
    if kept.abs() <= 8.0 * f64::EPSILON * longest * coefficient.max(1.0) {
        return DVec3::ZERO;
    }
    direction * (kept / unit) + DVec3::ZERO
}

/// The unit vector along `v`; `None` along 0.
fn direction_of(v: DVec3) -> Option<DVec3> {
    let v = v * rescale(v.abs().max_element());
    let length = ops::sqrt(v.length_squared());
    (length > 0.0).then(|| v / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    const FLOOR: DVec3 = DVec3::Y;

    /// A unit normal and velocities that are not parallel to any axis.
    fn tilted() -> (DVec3, DVec3) {
        let normal = dvec3(2.0, 3.0, -6.0) / 7.0;
        (normal, dvec3(-0.7, -2.0, 1.3))
    }

    #[test]
    fn mirrors_at_restitution_one_and_slides_at_zero() {
        let v = dvec3(3.0, -4.0, 1.0);
        assert_eq!(bounce(v, FLOOR, 1.0), dvec3(3.0, 4.0, 1.0));
        assert_eq!(bounce(v, FLOOR, 0.5), dvec3(3.0, 2.0, 1.0));
        assert_eq!(bounce(v, FLOOR, 0.0), dvec3(3.0, 0.0, 1.0));
        assert_eq!(bounce(v, FLOOR, -1.0), dvec3(3.0, 0.0, 1.0));
    }

    #[test]
    fn leaves_what_leaves_alone() {
        for v in [dvec3(1.0, 0.0, 2.0), dvec3(-0.1, 0.3, 0.7), DVec3::ZERO] {
            assert_eq!(bounce(v, FLOOR, 0.7), v);
        }
    }

    #[test]
    fn returns_the_normal_part_times_restitution_and_keeps_the_rest() {
        let (normal, v) = tilted();
        for restitution in [0.0, 0.3, 1.0, 2.0] {
            let after = bounce(v, normal, restitution);
            let error = normal.dot(after) + restitution * normal.dot(v);
            assert!(
                error.abs() <= 4.0 * f64::EPSILON * after.length().max(v.length()),
                "{restitution}: {error:e}"
            );
            let across = normal.cross(after) - normal.cross(v);
            assert!(across.length() <= 4.0 * f64::EPSILON * v.length(), "{restitution}: {across}");
        }
    }

    #[test]
    fn never_gains_speed_over_a_million_bounces() {
        let (mut normal, mut v) = tilted();
        let start = v.length_squared();
        for _ in 0..1_000_000 {
            let after = bounce(v, normal, 1.0);
            assert!(after.length_squared() <= v.length_squared());
            v = after;
            // Another wall each time, always facing the ball.
            normal = dvec3(normal.y, normal.z, normal.x);
            if normal.dot(v) > 0.0 {
                normal = -normal;
            }
        }
        assert!(v.length_squared() > 0.999_999 * start, "{}", v.length_squared() / start);
    }

    #[test]
    fn scales_with_the_scene_bit_for_bit() {
        let (normal, v) = tilted();
        let slid = bounce(v, normal, 0.0);
        for factor in [1.0 / (1u64 << 40) as f64, 4.0, (1u64 << 60) as f64, 1.0 / rescale(1e300)] {
            assert_eq!(bounce(v * factor, normal, 0.4), bounce(v, normal, 0.4) * factor);
            assert_eq!(friction(v * factor, slid * factor, 0.3), friction(v, slid, 0.3) * factor);
        }
    }

    #[test]
    fn friction_takes_its_share_of_what_was_absorbed() {
        let (before, after) = (dvec3(3.0, -2.0, 0.0), dvec3(3.0, 0.0, 0.0));
        assert_eq!(friction(before, after, 0.5), dvec3(2.0, 0.0, 0.0));
        assert_eq!(friction(before, after, 0.0), after);
        assert_eq!(friction(before, after, -1.0), after);
        assert_eq!(friction(before, after, 1.5), DVec3::ZERO);
        assert_eq!(friction(before, after, f64::INFINITY), DVec3::ZERO);
    }

    #[test]
    fn no_contact_has_no_friction() {
        let v = dvec3(3.0, -2.0, 0.1);
        assert_eq!(friction(v, v, 10.0), v);
        assert_eq!(friction(DVec3::ZERO, DVec3::ZERO, 10.0), DVec3::ZERO);
    }

    #[test]
    fn a_mover_held_by_a_slope_is_at_rest_exactly() {
        let (normal, v) = tilted();
        let slid = bounce(v, normal, 0.0);
        assert!(slid.length() > 0.1);
        for coefficient in [2.0, 100.0] {
            assert_eq!(friction(v, slid, coefficient), DVec3::ZERO);
        }
    }

    #[test]
    fn friction_keeps_up_with_the_plane_that_lifts() {
        // A lift of 1 m/s under a mover that walks: the walk is slowed, the lift is not.
        let (before, after) = (dvec3(2.0, -1.0, 0.0), dvec3(2.0, 1.0, 0.0));
        assert_eq!(friction(before, after, 0.25), dvec3(1.5, 1.0, 0.0));
        assert_eq!(friction(before, after, 5.0), dvec3(0.0, 1.0, 0.0));
    }

    #[test]
    fn extremes_neither_overflow_nor_vanish() {
        let most = f64::MAX;
        assert_eq!(bounce(dvec3(most, -most, most), FLOOR, 1.0), dvec3(most, most, most));
        let least = f64::MIN_POSITIVE;
        assert_eq!(bounce(dvec3(least, -least, 0.0), FLOOR, 1.0), dvec3(least, least, 0.0));
        assert_eq!(
            friction(dvec3(most, -most, 0.0), dvec3(most, 0.0, 0.0), 0.5),
            dvec3(0.5 * most, 0.0, 0.0)
        );
    }
}
