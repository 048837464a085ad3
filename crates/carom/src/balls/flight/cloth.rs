//! Balls on cloth: sliding, rolling, resting.
//!
//! Source: Leckie, Greenspan, "An event-based pool physics simulator" (2005), after Coriolis (1835). A ball
//! is held by the cloth against its slip, the velocity of the point where it touches; the direction of the
//! slip does not change while it slides, so it moves along a parabola until it rolls, and then straight on,
//! slower and slower, until it rests. Turning is kept as `roll`: the velocity with which the ball would roll
//! as it turns now. Turning about the upright axis is left out, and so is what the impact of two balls does
//! to it. Error: rounding. Cost: a root or two a phase. It never gives up.

use glam::DVec3;

use crate::balls::rules::{BallMotion, Cloth};
use crate::num::bound::length_and_direction;

/// A slip below this share of the velocity counts as 0: the ball rolls. 2⁻⁴⁰, far above rounding and far
/// below what can be seen.
const NO_SLIP: f64 = 1.0 / (1u64 << 40) as f64;

/// The effect of the cloth on a ball, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Phase {
    pub(crate) motion: BallMotion,
    pub(crate) acceleration: DVec3,
    /// In seconds; infinite if nothing will change by itself.
    pub(crate) lasts: f64,
}

/// How a ball of this velocity that turns like this continues.
pub(crate) fn phase(cloth: &Cloth, velocity: DVec3, roll: DVec3) -> Phase {
    let (slip, direction) = length_and_direction(velocity - roll);
    let (speed, ahead) = length_and_direction(velocity);
    if slip > NO_SLIP * speed {
        let held = cloth.sliding * cloth.weight;
        if held > 0.0 {
            // The slip dies at 7/2 of what holds the ball: 1 from the ball, 5/2 from its turning (2/5 m r² is
            // a solid ball's inertia).
            return Phase {
                motion: BallMotion::Sliding,
                acceleration: direction * -held,
                lasts: slip / (3.5 * held),
            };
        }
        return Phase { motion: BallMotion::Sliding, acceleration: DVec3::ZERO, lasts: f64::INFINITY };
    }
    if speed <= 0.0 {
        return Phase { motion: BallMotion::Resting, acceleration: DVec3::ZERO, lasts: f64::INFINITY };
    }
    let held = cloth.rolling * cloth.weight;
    let lasts = if held > 0.0 { speed / held } else { f64::INFINITY };
    Phase { motion: BallMotion::Rolling, acceleration: ahead * -held, lasts }
}

/// The change of `roll` in a time.
pub(crate) fn rolled(motion: BallMotion, acceleration: DVec3, time: f64) -> DVec3 {
    match motion {
        BallMotion::Sliding => acceleration * (-2.5 * time),
        BallMotion::Rolling => acceleration * time,
        _ => DVec3::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    const POOL: Cloth = Cloth { sliding: 0.2, rolling: 0.01, weight: 10.0 };

    #[test]
    fn a_sliding_ball_rolls_on_with_five_sevenths() {
        let start = dvec3(7.0, 0.0, 0.0);
        let sliding = phase(&POOL, start, DVec3::ZERO);
        assert_eq!((sliding.motion, sliding.lasts), (BallMotion::Sliding, 1.0));
        let velocity = start + sliding.acceleration * sliding.lasts;
        let roll = rolled(BallMotion::Sliding, sliding.acceleration, sliding.lasts);
        assert!((velocity - dvec3(5.0, 0.0, 0.0)).length() < 1e-14);
        assert!((roll - velocity).length() < 1e-14);
        let rolling = phase(&POOL, velocity, velocity);
        assert_eq!(rolling.motion, BallMotion::Rolling);
        assert!((rolling.lasts - 50.0).abs() < 1e-12);
    }

    #[test]
    fn one_that_neither_moves_nor_turns_rests() {
        assert_eq!(phase(&POOL, DVec3::ZERO, DVec3::ZERO).motion, BallMotion::Resting);
        // Stopped dead by another ball, but still turning: it sets off again.
        let follow = phase(&POOL, DVec3::ZERO, DVec3::X);
        assert!(follow.motion == BallMotion::Sliding && follow.acceleration.x > 0.0);
    }
}
