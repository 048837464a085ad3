//! The speed after a contact.
//!
//! A bounce lower than a share of the radius is raised to that height, so there are finitely many in any
//! time; the motion across the normal pays for it, as far as there is any.

use glam::DVec3;

use crate::balls::table::Table;
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;

/// A bounce that was raised comes down as fast as it went up but for rounding, and must be recognized: half
/// as fast again still counts.
const RAISED: f64 = 1.5;
/// Where nothing is lost, a bounce is raised only if it is this share of the lowest one: or its
/// events would pile up.
pub(crate) const TINY: f64 = 1.0 / 1024.0;

/// The quantities that decide how a contact bounces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact {
    /// The speed along the normal, into it.
    pub(crate) approach: f64,
    /// The acceleration along the normal, into it.
    pub(crate) pull: f64,
    /// The time without one.
    pub(crate) since: f64,
    pub(crate) radius: f64,
    /// The speed of the one seen from the other.
    pub(crate) speed: f64,
    /// The speeds of both: what they differ by is accurate to a few roundings of that.
    pub(crate) scale: f64,
}

/// How a contact ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rebound {
    pub(crate) speed: f64,
    pub(crate) slow: bool,
    /// It would have been slower, and too slow to count.
    pub(crate) raised: bool,
}

impl Table {
    /// The speed at which a ball of this radius reaches the height of the lowest bounce, against this
    /// acceleration.
    pub(crate) fn rest_speed(&self, radius: f64, acceleration: f64) -> f64 {
        if acceleration > 0.0 { sqrt(2.0 * acceleration * self.rules.rest_share * radius) } else { 0.0 }
    }

    /// The speed after a contact.
    pub(crate) fn rebound(&self, restitution: f64, impact: Impact) -> Rebound {
        let Impact { approach, pull, radius, since, scale, .. } = impact;
        let rest_speed = self.rest_speed(radius, pull);
        let lossy = restitution < 1.0;
        let slow = approach < rest_speed * if lossy { RAISED } else { TINY };
        let heavy = self.rules.gravity != DVec3::ZERO;
        let back = if slow {
            rest_speed
        } else if !lossy {
            approach
        } else {
            (restitution * approach).max(rest_speed)
        };
        let raised = lossy && pull > 0.0 && restitution * approach < rest_speed;
        let soon = lossy && heavy && approach * since < self.rules.rest_share * radius;
        // Never so slow that it looks like sliding along: or rounding would have it meet the same thing
        // again at once.
        Rebound { speed: back.max(APPROACH * scale), slow: slow || soon, raised }
    }
}

/// The share of a motion aside that pays for a bounce which is faster than the approach: all of it, if that
/// is too little.
pub(crate) fn share_paid(aside: DVec3, approach: f64, back: f64) -> f64 {
    let (own, gained) = (aside.length_squared(), back * back - approach * approach);
    if gained <= 0.0 {
        0.0
    } else if own <= gained {
        1.0
    } else {
        // 1 − √(1 − x), without the difference of what is nearly equal.
        let share = gained / own;
        share / (1.0 + sqrt(1.0 - share))
    }
}

/// Whether a ball that came straight down, to rounding, is on a surface that is level.
pub(crate) fn comes_to_a_stand(velocity: DVec3, approach: f64, acceleration: DVec3, normal: DVec3) -> bool {
    reach(velocity + normal * approach) <= 16.0 * UNIT_ROUNDOFF * approach && is_level(acceleration, normal)
}

pub(crate) fn is_level(acceleration: DVec3, normal: DVec3) -> bool {
    let down = -acceleration.dot(normal);
    let aside = acceleration + normal * down;
    down > 0.0 && reach(aside) <= 16.0 * UNIT_ROUNDOFF * reach(acceleration)
}
