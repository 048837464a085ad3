//! A ball on its parabola, and when it first touches a plane, a point, a line or the inside of a circle.
//!
//! Source: derived in `docs/balls.md`. Each is the root of a polynomial of time, found by
//! [`fall`](crate::balls::flight::fall); without acceleration a point is met by the contact root. Times count
//! from the start of the flight. Error: that of the roots. Never gives up.

pub(in crate::balls) mod cloth;
pub(in crate::balls) mod fall;
pub(in crate::balls) mod moving;
pub(in crate::balls) mod obstacle;
pub(in crate::balls) mod wall;

use glam::DVec3;

use crate::balls::flight::fall::{quadratic_fall, quartic_fall};
use crate::num::bound::reach;
use crate::num::contact::{ContactRoot, contact_root};
use crate::num::ops::sqrt;

/// The present position, velocity and acceleration of a center.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) acceleration: DVec3,
}

impl Flight {
    #[inline]
    pub(crate) fn at(&self, time: f64) -> DVec3 {
        self.position + (self.velocity + self.acceleration * (0.5 * time)) * time
    }

    /// The same flight relative to a fixed point.
    pub(crate) fn from(&self, origin: DVec3) -> Self {
        Self { position: self.position - origin, ..*self }
    }

    /// The same without the third axis.
    pub(crate) fn flat(&self) -> Self {
        let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
        Self {
            position: flat(self.position),
            velocity: flat(self.velocity),
            acceleration: flat(self.acceleration),
        }
    }

    /// The part across a unit direction.
    pub(crate) fn across(&self, along: DVec3) -> Self {
        let across = |v: DVec3| v - along * v.dot(along);
        Self {
            position: across(self.position),
            velocity: across(self.velocity),
            acceleration: across(self.acceleration),
        }
    }

    /// When it comes within `radius` of the plane through the origin across `normal`, on the side that the
    /// normal points to.
    #[inline]
    pub(crate) fn meets_plane(&self, normal: DVec3, radius: f64) -> Option<f64> {
        let (height, speed) = (self.position.dot(normal) - radius, self.velocity.dot(normal));
        quadratic_fall([height, speed, 0.5 * self.acceleration.dot(normal)])
    }

    /// The times when it comes within `radius` of the origin, until `accept` takes one.
    pub(crate) fn meets_origin(
        &self,
        radius: f64,
        horizon: f64,
        mut accept: impl FnMut(f64) -> bool,
    ) -> Option<f64> {
        if self.acceleration == DVec3::ZERO {
            return straight_meeting(self.position, self.velocity, radius, horizon)
                .filter(|&time| time <= horizon && accept(time));
        }
        if self.stays_off(radius, horizon) {
            return None;
        }
        quartic_fall(&self.quartic(radius), self.bounded(horizon, radius), accept)
    }

    /// Whether it stays farther than `radius` from the origin along the line to where it is now, until the
    /// horizon: then no root is looked for.
    #[inline]
    fn stays_off(&self, radius: f64, horizon: f64) -> bool {
        let squared = self.position.length_squared();
        let (nearing, bend) = (self.position.dot(self.velocity), 0.5 * self.position.dot(self.acceleration));
        let end = squared + (nearing + bend * horizon) * horizon;
        let mut least = if squared < end { squared } else { end };
        if bend > 0.0 && nearing < 0.0 && nearing > -2.0 * bend * horizon {
            least = squared - 0.25 * nearing * nearing / bend;
        }
        // A NaN is not off.
        least > 0.0 && least * least > radius * radius * squared * (1.0 + 1e-9)
    }

    /// The times when it comes out of the circle or ball of `radius` about the origin, until `accept` takes
    /// one.
    pub(crate) fn leaves_origin(
        &self,
        radius: f64,
        horizon: f64,
        mut accept: impl FnMut(f64) -> bool,
    ) -> Option<f64> {
        let quartic = self.quartic(radius).map(|c| -c);
        if self.acceleration == DVec3::ZERO {
            return quadratic_fall([quartic[0], quartic[1], quartic[2]])
                .filter(|&time| time <= horizon && accept(time));
        }
        quartic_fall(&quartic, self.bounded(horizon, radius), accept)
    }

    /// |position(t)|² − radius².
    fn quartic(&self, radius: f64) -> [f64; 5] {
        let Self { position: s, velocity: v, acceleration: a } = *self;
        let distance = sqrt(s.length_squared());
        [
            (distance - radius) * (distance + radius),
            2.0 * s.dot(v),
            v.length_squared() + s.dot(a),
            v.dot(a),
            0.25 * a.length_squared(),
        ]
    }

    /// The horizon, or the time from which on the acceleration has carried it away for good.
    fn bounded(&self, horizon: f64, radius: f64) -> f64 {
        let (v, a) = (sqrt(self.velocity.length_squared()), sqrt(self.acceleration.length_squared()));
        let away = reach(self.position) + radius;
        let gone = (v + sqrt(v * v + 2.0 * a * away)) / a * (1.0 + 1e-9);
        if horizon < gone { horizon } else { gone }
    }
}

/// A share of many roundings.
pub(crate) const SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// When a point that moves straight on comes within `radius` of the origin. Cheap queries first. A time
/// surely after the horizon is not worked out; a reported time may still lie a little after it.
#[inline(always)]
pub(crate) fn straight_meeting(offset: DVec3, velocity: DVec3, radius: f64, horizon: f64) -> Option<f64> {
    let nearing = offset.dot(velocity);
    if nearing >= 0.0 {
        return None;
    }
    let (squared, speed) = (offset.length_squared(), velocity.length_squared());
    let beyond = squared - radius * radius;
    // Passes by: what is dismissed here by a margin of many roundings would be dismissed by the root.
    let surely_beyond = beyond - squared * SLACK;
    if nearing * nearing < speed * surely_beyond {
        return None;
    }
    // Too late: at twice the speed with which it comes nearer now it would not be there.
    if surely_beyond > -2.0 * nearing * horizon * (1.0 + SLACK) {
        return None;
    }
    // The contact comes before the closest approach: so far the contact root is asked.
    let closest = -nearing / speed;
    match contact_root(offset, velocity * closest, radius, 0.0) {
        ContactRoot::None => None,
        ContactRoot::Touching => Some(0.0),
        ContactRoot::At { fraction, .. } => Some(fraction * closest),
    }
}

/// A first contact with an obstacle at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) time: f64,
    /// Unit, towards the ball.
    pub(crate) normal: DVec3,
}

/// The earliest offered contact.
#[derive(Debug)]
pub(crate) struct Earliest {
    pub(crate) horizon: f64,
    pub(crate) found: Option<Meeting>,
}

impl Earliest {
    pub(crate) fn before(horizon: f64) -> Self {
        Self { horizon, found: None }
    }

    pub(crate) fn offer(&mut self, time: f64, normal: DVec3) {
        if time < self.horizon {
            self.horizon = time;
            self.found = Some(Meeting { time, normal });
        }
    }
}

/// The unit vector, or `otherwise` for one of no length.
pub(crate) fn direction_or(v: DVec3, otherwise: DVec3) -> DVec3 {
    let (length, direction) = crate::num::bound::length_and_direction(v);
    if length > 0.0 { direction } else { otherwise }
}
