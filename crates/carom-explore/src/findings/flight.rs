//! Flights of steps, down from floor that was not reached to floor that was.
//!
//! Where the treads of a stair are deep, each is floor of its own. Most treads are shallower than the body,
//! which fits on none of them: there is no floor between the two ends. So the outline of the ground is
//! followed outwards from the upper end, by rays from above.

use carom::num::ops;
use glam::DVec3;

use crate::findings::evidence::Evidence;

/// A person climbs rises up to this, in meters, whatever the body does: higher ones are no stair.
pub(crate) const CLIMB: f64 = 1.6;
/// This many rises make a stair.
pub(crate) const RISES: usize = 3;
/// Rises of one stair differ by no more than this share.
pub(crate) const ALIKE: f64 = 0.2;
/// Two points of the outline are so far apart, in meters.
const SPACING: f64 = 0.05;
/// Heights that differ by less than this, in meters, are one tread.
const FLAT: f64 = 0.1;
/// A shallower ledge, in meters, is part of the rise that it is in.
const SHALLOW: f64 = 0.15;
/// Ground that goes on as high for so much, in meters, is no tread.
const DEEP: f64 = 1.25;
/// Rays start so much above the last point: below what hangs over a stair.
const ABOVE: f64 = 0.3;
/// Directions in which a flight may lead down.
const WAYS: u32 = 16;

/// Whether three or more rises that are alike lead down from a piece of floor to reached floor, side by side
/// as wide as the body.
pub(crate) fn leads_down(evidence: &Evidence<'_>, part: &[u32]) -> bool {
    let (floor, rules) = (evidence.floor, evidence.walker.rules);
    let height = |at: u32| floor.samples[at as usize].height;
    let is_edge = |at: &&u32| {
        let mut beside = 0;
        floor.around(**at, |other| beside += u32::from((height(other) - height(**at)).abs() <= FLAT));
        beside < 4
    };
    let edge: Vec<DVec3> =
        part.iter().filter(is_edge).map(|at| floor.point(&floor.samples[*at as usize])).collect();
    let wide = (2.0 * rules.radii.x / floor.cell()).ceil() as usize;
    (0..WAYS).any(|way| {
        let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * f64::from(way) / f64::from(WAYS));
        let way = DVec3::new(cos, 0.0, sin);
        let mut flights =
            edge.iter().filter(|from| !evidence.stop.is_set() && is_flight(evidence, **from, way));
        flights.nth(wide.saturating_sub(1)).is_some()
    })
}

/// Whether the outline of the ground in this direction is that of a flight, with reached floor at its foot.
fn is_flight(evidence: &Evidence<'_>, from: DVec3, way: DVec3) -> bool {
    let mut rises: Vec<f64> = Vec::new();
    // Of the tread that the outline is on.
    let (mut at, mut deep) = (from, 0.0);
    loop {
        let next = at + way * SPACING;
        let reach = ABOVE + CLIMB + FLAT;
        let met = evidence.walker.level.ray(next + DVec3::Y * ABOVE, DVec3::NEG_Y * reach);
        let Some(met) = met else { return false };
        let drop = met.hit.fraction * reach - ABOVE;
        at = next.with_y(at.y - drop);
        match rises.last_mut() {
            _ if drop < -FLAT => return false,
            _ if drop < FLAT => deep += SPACING,
            Some(last) if deep < SHALLOW => (*last, deep) = (*last + drop, 0.0),
            _ => {
                rises.push(drop);
                deep = 0.0;
            }
        }
        if rises.last().is_some_and(|last| *last > CLIMB) {
            return false;
        }
        if deep > DEEP {
            break;
        }
    }
    let Some(first) = rises.first() else { return false };
    let alike = rises.iter().filter(|rise| (**rise - first).abs() <= ALIKE * first).count();
    alike >= RISES && alike + 1 >= rises.len() && evidence.floor.is_reached_at(at)
}
