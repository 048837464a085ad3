//! Bodies that move while balls fly: lifts, doors, turntables.
//!
//! Source: `docs/balls.md`, "Bodies that move". A body that only goes straight on is one at rest for a ball
//! that flies another parabola: the same roots, no error of their own. One that turns has no closed form:
//! conservative advancement (Mirtich 1996) with two bounds on how long a gap lasts, by speed, and by
//! convexity of the distance; never past contact, and early by at most 2⁻³⁰ of a radius. Cost: all facets of
//! a body whose surroundings the flight enters; a turning body's up to 64 steps each, then it is asked again
//! later. It never gives up.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};

use crate::balls::error::TableError;
use crate::balls::flight::obstacle::{Facet, Seat, facets_of};
use crate::balls::flight::{Flight, Meeting, direction_or};
use crate::num::bound::{length_and_direction, reach};
use crate::num::ops::{rotation_about, sqrt};
use crate::shape::Triangle;
use crate::world::{BodyId, Collider, World};

/// A gap of this share of a radius, to a body that turns, is contact: 2⁻³⁰.
const TOUCHING: f64 = 1.0 / (1u64 << 30) as f64;
/// The share by which a flight to a body that turns is stopped before it: of the way, and of the distance.
const SHELL: f64 = 1.0 / (1u64 << 20) as f64;
/// Steps that are tried before a ball is asked again.
const STEPS: u32 = 64;

/// A body, as it moved at `since`, and continues.
#[derive(Clone, Debug)]
pub(crate) struct MovingBody {
    pub(crate) id: BodyId,
    /// Whether it is convex and about its position: then the inside is solid too.
    is_convex: bool,
    /// About its position, not turned.
    facets: Vec<Facet>,
    /// Balls around them: the middles and the radii.
    around: Vec<(DVec3, f64)>,
    /// The largest distance of a facet from its position.
    arm: f64,
    position: DVec3,
    rotation: DQuat,
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
    since: f64,
}

/// All bodies that may move.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovingBodies(pub(crate) Vec<MovingBody>);

/// The next event of a ball with a moving body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextContact {
    Contact {
        facet: u32,
        meeting: Meeting,
    },
    /// No contact until this time: search again then.
    Look(f64),
}

impl MovingBodies {
    pub(crate) fn of(world: &World) -> Result<Self, TableError> {
        let mut all = Vec::new();
        for (id, body) in world.bodies().filter(|(_, body)| body.can_move() && !body.is_sensor()) {
            let facets = facets_of(id, body, Seat::Body)?;
            let most = |arm: f64, facet: &Facet| {
                let (corners, grown) = facet.shape();
                corners.iter().fold(arm, |arm, corner| arm.max(sqrt(corner.length_squared()) + grown))
            };
            let arm = facets.iter().fold(0.0, most) * (1.0 + 1e-12);
            all.push(MovingBody {
                id,
                is_convex: matches!(body.collider(), Collider::Cuboid(_)),
                around: facets.iter().map(Facet::around).collect(),
                facets,
                arm,
                position: body.pose().position(),
                rotation: body.pose().rotation(),
                linear: DVec3::ZERO,
                angular: DVec3::ZERO,
                since: 0.0,
            });
        }
        Ok(Self(all))
    }

    /// The body is here at a time, and rests. False if there is no such body.
    pub(crate) fn place(&mut self, id: BodyId, position: DVec3, rotation: DQuat, now: f64) -> bool {
        let Some(body) = self.0.iter_mut().find(|body| id.is(body.id)) else { return false };
        (body.position, body.rotation, body.since) = (position, rotation, now);
        (body.linear, body.angular) = (DVec3::ZERO, DVec3::ZERO);
        true
    }

    /// The body moves like this from a time on. False if there is no such body.
    pub(crate) fn drive(&mut self, id: BodyId, linear: DVec3, angular: DVec3, now: f64) -> bool {
        let Some(body) = self.0.iter_mut().find(|body| id.is(body.id)) else { return false };
        (body.position, body.rotation) = body.pose(now);
        (body.linear, body.angular, body.since) = (linear, angular, now);
        true
    }
}

impl MovingBodies {
    /// Reverses all motions.
    pub(crate) fn reverse(&mut self, now: f64) {
        for body in &mut self.0 {
            (body.position, body.rotation) = body.pose(now);
            (body.linear, body.angular, body.since) = (-body.linear, -body.angular, now);
        }
    }
}

impl MovingBody {
    /// Its position and rotation.
    pub(crate) fn pose(&self, now: f64) -> (DVec3, DQuat) {
        let passed = now - self.since;
        let position = self.position + self.linear * passed;
        let (rate, axis) = length_and_direction(self.angular);
        if rate <= 0.0 {
            return (position, self.rotation);
        }
        (position, (rotation_about(axis, rate * passed) * self.rotation).normalize())
    }

    pub(crate) fn moves(&self) -> bool {
        self.linear != DVec3::ZERO || self.angular != DVec3::ZERO
    }

    pub(crate) fn part(&self, facet: u32) -> u32 {
        self.facets[facet as usize].part
    }

    /// The velocity of the body where a ball of this radius touches it.
    pub(crate) fn velocity_at(&self, now: f64, center: DVec3, normal: DVec3, radius: f64) -> DVec3 {
        let arm = center - normal * radius - (self.position + self.linear * (now - self.since));
        self.linear + self.angular.cross(arm)
    }

    /// The acceleration at which the gap to a touching ball closes, in m/s²: the larger of that of a face and
    /// of a corner.
    pub(crate) fn pull(&self, now: f64, flight: &Flight, normal: DVec3, radius: f64) -> f64 {
        let arm = flight.position - (self.position + self.linear * (now - self.since));
        let turning = self.angular.cross(normal);
        let velocity = flight.velocity - self.linear;
        let falls = flight.acceleration.dot(normal);
        // The height above a plane that turns.
        let face = self.angular.cross(turning).dot(arm) + 2.0 * turning.dot(velocity) + falls;
        let corner = arm - normal * radius;
        let passing = velocity - self.angular.cross(corner);
        let passing = passing - normal * passing.dot(normal);
        let swing = self.angular.cross(self.angular.cross(corner));
        // The distance from a point that goes in a circle.
        let corner = falls - swing.dot(normal) + passing.length_squared() / radius;
        if face < corner { -face } else { -corner }
    }

    /// No point of it near this place is faster.
    pub(crate) fn speed_at(&self, now: f64, center: DVec3) -> f64 {
        let arm = center - (self.position + self.linear * (now - self.since));
        reach(self.linear) + reach(self.angular) * (reach(arm) + self.arm)
    }

    /// The facets that a ball is nearer to than this, with the gap and the normal in the world.
    pub(crate) fn gaps(
        &self,
        center: DVec3,
        radius: f64,
        near: f64,
        now: f64,
        mut visit: impl FnMut(f64, DVec3),
    ) {
        let (position, rotation) = self.pose(now);
        let own = rotation.conjugate() * (center - position);
        let most = self.arm + radius + near;
        if own.length_squared() > most * most {
            return;
        }
        for facet in &self.facets {
            let (gap, normal) = facet.gap(own, radius);
            if gap <= near {
                visit(gap, rotation * normal);
            }
        }
    }

    /// Whether a ball overlaps it by more than rounding.
    pub(crate) fn overlaps(&self, now: f64, center: DVec3, radius: f64) -> bool {
        let mut overlaps = false;
        self.gaps(center, radius, 0.0, now, |gap, _| overlaps |= gap < -TOUCHING * radius);
        if self.is_convex && !overlaps {
            let (position, rotation) = self.pose(now);
            let own = rotation.conjugate() * (center - position);
            overlaps = self.facets.iter().all(|facet| facet.outside(own) < 0.0);
        }
        overlaps
    }

    /// The next event of a ball that flies like this from `now` on, within the horizon, which is finite.
    pub(crate) fn ahead(&self, flight: &Flight, now: f64, radius: f64, horizon: f64) -> Option<NextContact> {
        let (position, rotation) = self.pose(now);
        let seen = Flight {
            position: flight.position - position,
            velocity: flight.velocity - self.linear,
            acceleration: flight.acceleration,
        };
        let around = self.arm + radius;
        let far = around + (reach(seen.velocity) + 0.5 * reach(seen.acceleration) * horizon) * horizon;
        if seen.position.length_squared() > far * far * (1.0 + 1e-12) {
            return None;
        }
        let shell = around * (1.0 + SHELL);
        let entry = shell * (1.0 + SHELL);
        if self.angular != DVec3::ZERO && seen.position.length_squared() > entry * entry {
            // Outside of the ball that the body sweeps: nothing is met before the flight enters it, however
            // fast the body turns. A little earlier, as the roots of long flights are rounded.
            let enters = seen.meets_origin(shell, horizon, |_| true)?;
            return Some(NextContact::Look(enters * (1.0 - SHELL)));
        }
        // Into the body's own axes. One that never turned is not turned by rounding either.
        let turned = rotation != DQuat::IDENTITY;
        let back = |v: DVec3| if turned { rotation.conjugate() * v } else { v };
        let forth = |v: DVec3| if turned { rotation * v } else { v };
        let own = Flight {
            position: back(seen.position),
            velocity: back(seen.velocity),
            acceleration: back(seen.acceleration),
        };
        let turn = back(self.angular);
        let mut best: Option<NextContact> = None;
        let mut horizon = horizon;
        let rate = reach(turn);
        if rate > 0.0 {
            // Until it has gone a radius: few facets are within reach then, and the search is repeated.
            let speed = reach(own.velocity) + rate * reach(own.position);
            let soon = radius / (speed + sqrt(reach(own.acceleration) * radius));
            if soon < horizon {
                horizon = soon;
                best = Some(NextContact::Look(soon));
            }
        }
        let gains = reach(own.acceleration) * horizon;
        let speed = reach(own.velocity) + gains;
        let speed = speed + rate * (reach(own.position) + speed * horizon);
        let within = radius + speed * horizon * (1.0 + 1e-9);
        for (number, facet) in self.facets.iter().enumerate() {
            let (middle, extent) = self.around[number];
            let most = within + extent;
            if (own.position - middle).length_squared() > most * most * (1.0 + 1e-9) {
                continue;
            }
            let facet_number = number as u32;
            if turn == DVec3::ZERO {
                if let Some(meeting) = facet.meets(&own, radius, horizon) {
                    horizon = meeting.time;
                    let meeting = Meeting { normal: forth(meeting.normal), ..meeting };
                    best = Some(NextContact::Contact { facet: facet_number, meeting });
                }
                continue;
            }
            match turning(facet, &own, turn, radius, horizon) {
                Some(NextContact::Contact { meeting, .. }) => {
                    horizon = meeting.time;
                    let meeting = Meeting { normal: forth(meeting.normal), ..meeting };
                    best = Some(NextContact::Contact { facet: facet_number, meeting });
                }
                Some(NextContact::Look(time)) => {
                    horizon = time;
                    best = Some(NextContact::Look(time));
                }
                None => {}
            }
        }
        best
    }
}

/// When a ball first meets a facet of a body that turns: in the axes that the body has now, the normal too.
fn turning(facet: &Facet, flight: &Flight, turn: DVec3, radius: f64, horizon: f64) -> Option<NextContact> {
    let ([a, b, c], grown) = facet.shape();
    let radius = radius + grown;
    let triangle = Triangle::new(a, b, c).ok()?;
    let (rate, axis) = length_and_direction(turn);
    let acceleration = sqrt(flight.acceleration.length_squared());
    let mut time = 0.0;
    for _ in 0..STEPS {
        let turned = rotation_about(axis, rate * time);
        let position = turned.conjugate() * flight.at(time);
        let going = flight.velocity + flight.acceleration * time;
        let velocity = turned.conjugate() * going - turn.cross(position);
        let nearest = triangle.closest_point(position).point;
        let (distance, normal) = length_and_direction(position - nearest);
        let gap = distance - radius;
        let nearing = velocity.dot(normal);
        let touching = TOUCHING * radius.max(distance * 1e-6);
        if gap <= 0.5 * touching && nearing < 0.0 {
            let normal = turned * direction_or(normal, DVec3::Y);
            return Some(NextContact::Contact { facet: 0, meeting: Meeting { time, normal } });
        }
        // By speed: a way of this length is the shortest to contact.
        let (speed, arm) = (sqrt(going.length_squared()), sqrt(position.length_squared()));
        let most = speed + rate * arm;
        let room = if gap > 0.5 * touching { gap } else { touching };
        let by_speed = 2.0 * room / (most + sqrt(most * most + 2.0 * acceleration * room));
        // By convexity: the distance lies above its tangent, and the path departs from that by at most this
        // acceleration.
        let bend = acceleration * 2.25 + rate * speed * 2.5 + rate * rate * arm;
        let by_tangent = (nearing + sqrt(nearing * nearing + 2.0 * bend * room)) / bend;
        let by_tangent = if by_tangent < 0.5 / rate { by_tangent } else { 0.5 / rate };
        let step = if by_tangent > by_speed { by_tangent } else { by_speed };
        // Numbers that have overflowed meet nothing: there is no place to meet at.
        if step.is_nan() || step <= 0.0 {
            return None;
        }
        time += step;
        if time > horizon {
            return None;
        }
    }
    Some(NextContact::Look(time))
}
