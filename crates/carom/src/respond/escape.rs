//! The nearest place where a mover fits, along some directions: for a mover that the planes of its overlaps
//! do not free, or only by a long distance.
//!
//! Source: `docs/movers.md`, deep starts. The distance of a mover from a convex part is a convex function of
//! its path. Past the point where the tangent says that it leaves the part, it has left the part. So each
//! part is stepped over at once, and the rest is bisected. Error: the shortest distance along a direction to
//! 2⁻²⁴ of it, if the free space is not split in two. Cost: about thirty gathers for each direction. Gives up
//! if nothing fits within reach.

use glam::DVec3;

use super::obstacles::Obstacles;
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// The most steps along one direction, and then as many halvings.
const LOOKS: usize = 32;
const HALVINGS: usize = 24;

/// The distance along a unit direction to a place where the mover overlaps nothing, up to `most` meters.
/// `stride` is the step where an overlap has no computed end. `None` if there is no such place.
pub(crate) fn way_along<O: Obstacles>(
    obstacles: &O,
    from: DVec3,
    direction: DVec3,
    most: f64,
    stride: f64,
) -> Option<f64> {
    let (mut before, mut here) = (0.0, 0.0);
    for _ in 0..LOOKS {
        let Some(step) = step_on(obstacles, from + direction * here, direction, stride) else {
            return Some(halve(obstacles, from, direction, [before, here]));
        };
        before = here;
        here += step;
        // A NaN ends the search.
        if !(here > before && here <= most) {
            return None;
        }
    }
    None
}

/// Bisects between a distance that does not fit and one that does.
fn halve<O: Obstacles>(obstacles: &O, from: DVec3, direction: DVec3, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if step_on(obstacles, from + direction * middle, direction, 1.0).is_some() {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The step out of the overlaps at a place; `None` if there are none.
fn step_on<O: Obstacles>(obstacles: &O, at: DVec3, direction: DVec3, stride: f64) -> Option<f64> {
    let mut farthest: Option<f64> = None;
    obstacles.contacts(at, 0.0, 0.0, &mut |touch| {
        let contact = touch.contact;
        let rounding = 64.0 * UNIT_ROUNDOFF * (reach(at) + reach(contact.point) + contact.gap.abs());
        if -contact.gap <= rounding {
            return;
        }
        let along = contact.normal.dot(direction);
        // A little more than the tangent gives: rounding must not leave it inside.
        let step = if along > 0.0 { (2.0 * rounding - contact.gap) / along } else { stride };
        farthest = Some(farthest.map_or(step.min(stride), |most| most.max(step.min(stride))));
    });
    farthest
}
