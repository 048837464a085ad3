//! Flights of steps, down from floor that was not reached to floor that was.
//!
//! Where the treads of a stair are deep, each is floor of its own. Most treads are shallower than the body,
//! which fits on none of them: there is no floor between the two ends. So the outline of the ground is
//! followed outwards from the upper end, by rays from above.
//!
//! A flight may also be broken: treads are missing below its upper end, or in its middle. Then its lower part
//! ends in the air, and its line leads up to the edge of what was not reached. So it is with a ramp.

use carom::num::ops;
use glam::DVec3;

use crate::findings::evidence::Evidence;

/// A person climbs rises up to this, in meters, whatever the body does: higher ones are no stair.
pub(crate) const CLIMB: f64 = 1.6;
/// This many rises make a stair.
pub(crate) const RISES: usize = 3;
/// Rises of one stair differ by no more than this share.
pub(crate) const ALIKE: f64 = 0.2;
/// The distance of two points of the outline, in meters.
const SPACING: f64 = 0.05;
/// Heights that differ by less than this, in meters, are one tread.
const FLAT: f64 = 0.1;
/// A shallower ledge, in meters, is part of the rise that it is in.
const SHALLOW: f64 = 0.15;
/// Ground that stays level for this long, in meters, is no tread.
const DEEP: f64 = 1.25;
/// Rays start this far above the last point: below what hangs over a stair.
const ABOVE: f64 = 0.3;
/// No more than this is missing of a broken flight, in meters seen from above,
const MISSING: f64 = 6.0;
/// which is sampled in points this far apart, in meters.
const POINTS: f64 = 0.25;
/// Below the upper end of its lower part is this much air, in meters.
const CLEAR: f64 = 0.5;
/// Its rises are at most this times as high as its treads are deep.
const STEEP: f64 = 1.2;
/// A ramp rises at least this much for each meter, like one for wheelchairs,
const GENTLE: f64 = 0.08;
/// and is straight over this length, in meters,
const STRAIGHT: f64 = 2.0;
/// to this height, in meters.
const BENT: f64 = 0.03;
/// Directions in which a flight may lead down.
const HEADINGS: u32 = 16;

/// Whether three or more rises that are alike lead down from a piece of floor to reached floor, side by side
/// as wide as the body, or did before some were broken off.
pub(crate) fn leads_down(evidence: &Evidence<'_>, part: &[u32]) -> bool {
    let (floor, rules) = (evidence.floor, evidence.walker.rules);
    let height = |at: u32| floor.samples.get(at).height;
    let is_edge = |at: &&u32| {
        let mut beside = 0;
        floor.around(**at, |other| beside += u32::from((height(other) - height(**at)).abs() <= FLAT));
        beside < 4
    };
    let edge: Vec<DVec3> =
        part.iter().filter(is_edge).map(|at| floor.point(&floor.samples.get(*at))).collect();
    let wide = (2.0 * rules.radii.x / floor.cell()).ceil() as usize;
    (0..HEADINGS).any(|number| {
        let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * f64::from(number) / f64::from(HEADINGS));
        let heading = DVec3::new(cos, 0.0, sin);
        let mut flights =
            edge.iter().filter(|from| !evidence.stop.is_set() && is_flight(evidence, **from, heading));
        flights.nth(wide.saturating_sub(1)).is_some()
    })
}

/// Whether the outline of the ground in this direction is that of a flight, with reached floor at its foot.
fn is_flight(evidence: &Evidence<'_>, from: DVec3, heading: DVec3) -> bool {
    match follow(evidence, from, heading) {
        Some(Outline { rises, end: End::Foot(foot), .. }) => {
            are_alike(&rises, RISES) && evidence.floor.is_reached_at(foot)
        }
        Some(Outline { rises, end: End::Edge(edge), .. }) => {
            are_alike(&rises, 0) && is_broken(evidence, edge, heading, rises.first().copied())
        }
        None => false,
    }
}

/// The outline of the ground from a point downwards.
struct Outline {
    /// How high each rise is.
    rises: Vec<f64>,
    /// How far the last rise is from the first, in meters.
    run: f64,
    end: End,
}

enum End {
    /// On ground that continues as high.
    Foot(DVec3),
    /// Before a drop higher than any rise.
    Edge(DVec3),
}

/// Follows the outline of the ground; `None` where it rises again.
fn follow(evidence: &Evidence<'_>, from: DVec3, heading: DVec3) -> Option<Outline> {
    let mut rises: Vec<f64> = Vec::new();
    // Of the tread that the outline is on.
    let (mut at, mut deep) = (from, 0.0);
    let (mut far, mut first, mut last_rise) = (0.0, 0.0, 0.0);
    let end = loop {
        let next = at + heading * SPACING;
        let reach = ABOVE + CLIMB + FLAT;
        let met = evidence.walker.level.ray(next + DVec3::Y * ABOVE, DVec3::NEG_Y * reach);
        let Some(met) = met else { break End::Edge(at) };
        let drop = met.hit.fraction * reach - ABOVE;
        let on = next.with_y(at.y - drop);
        far += SPACING;
        match rises.last_mut() {
            _ if drop < -FLAT => return None,
            _ if drop < FLAT => deep += SPACING,
            _ if drop > CLIMB => break End::Edge(at),
            Some(last) if deep < SHALLOW => {
                (*last, deep) = (*last + drop, 0.0);
                if *last > CLIMB {
                    break End::Edge(at);
                }
            }
            _ => {
                first = if rises.is_empty() { far } else { first };
                last_rise = far;
                rises.push(drop);
                deep = 0.0;
            }
        }
        at = on;
        if deep > DEEP {
            break End::Foot(at);
        }
    };
    Some(Outline { rises, run: last_rise - first, end })
}

/// Whether at least this number of rises, and all but one, are like the first.
fn are_alike(rises: &[f64], least: usize) -> bool {
    let Some(first) = rises.first() else { return least == 0 };
    let alike = rises.iter().filter(|rise| (**rise - first).abs() <= ALIKE * first).count();
    alike >= least && alike + 1 >= rises.len()
}

/// Whether a flight that the body climbs, or a ramp, ends in the air beyond an edge, and its line leads up to
/// that edge. The part between is missing. `like` is a rise of the upper part of the flight, if there is one.
fn is_broken(evidence: &Evidence<'_>, edge: DVec3, heading: DVec3, like: Option<f64>) -> bool {
    let (level, step) = (evidence.walker.level, evidence.walker.rules.settings.step_height);
    let reach = STEEP * MISSING + CLIMB;
    let points = (MISSING / POINTS) as u32;
    // The least depth so far.
    let mut least = f64::NEG_INFINITY;
    for far in (1..=points).map(|i| POINTS * f64::from(i)) {
        let above = edge + heading * far;
        let met = level.ray(above, DVec3::NEG_Y * reach);
        let down = met.as_ref().map_or(reach, |met| met.hit.fraction * reach);
        // The lower part stands clear of the ground before it.
        if down + CLEAR > least {
            least = if least.is_finite() { least.min(down) } else { down };
            continue;
        }
        if !met.is_some_and(|met| met.is_front(DVec3::NEG_Y)) {
            return false;
        }
        let top = above - DVec3::Y * down;
        if like.is_none()
            && ramp(evidence, top, heading).is_some_and(|slope| (down - slope * far).abs() <= step)
        {
            return true;
        }
        let Some(Outline { rises, run, end: End::Foot(foot) }) = follow(evidence, top, heading) else {
            return false;
        };
        let count = rises.len() as f64;
        let rise = rises.iter().sum::<f64>() / count;
        let tread = run / (count - 1.0);
        let is_on_line = (down - rise * far / tread).abs() <= 1.5 * rise;
        return are_alike(&rises, RISES)
            && rise <= step
            && rise <= STEEP * tread
            && like.is_none_or(|like| (like - rise).abs() <= ALIKE * rise)
            && is_on_line
            && evidence.floor.is_reached_at(foot);
    }
    false
}

/// How much a ramp that was walked falls for each meter from this point on; `None` where there is no ramp.
fn ramp(evidence: &Evidence<'_>, top: DVec3, heading: DVec3) -> Option<f64> {
    let (sin, cos) = ops::sin_cos(evidence.walker.rules.settings.max_slope);
    let reach = ABOVE + 2.0 * STRAIGHT;
    let height = |far: f64| {
        let above = top + heading * far + DVec3::Y * ABOVE;
        let met = evidence.walker.level.ray(above, DVec3::NEG_Y * reach)?;
        Some(above.y - met.hit.fraction * reach)
    };
    let count = (STRAIGHT / POINTS) as u32;
    let heights: Option<Vec<f64>> = (0..=count).map(|i| height(POINTS * f64::from(i))).collect();
    let heights = heights?;
    let (first, last) = (heights.first()?, heights.last()?);
    let slope = (first - last) / STRAIGHT;
    let is_straight = (0..=count)
        .zip(&heights)
        .all(|(i, height)| (first - slope * POINTS * f64::from(i) - height).abs() <= BENT);
    let middle = (top + heading * (0.5 * STRAIGHT)).with_y(0.5 * (first + last));
    let is_ramp = slope >= GENTLE && slope * cos <= sin && is_straight;
    (is_ramp && evidence.floor.is_reached_at(middle)).then_some(slope)
}
