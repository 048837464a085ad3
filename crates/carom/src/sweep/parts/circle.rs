//! Functions of a direction in a plane: a root, and the least of how far a solid reaches.
//!
//! Roots are found by false position (the Illinois rule); it gives up after [`STEPS`]. The least is found
//! by bounds: along d a solid reaches c + p · d, with the farthest of its points (c, p). On an arc, every
//! point of the solid, and so every mixture of the farthest points of its ends, bounds the reach from
//! below. Arcs are halved until none can hold less than the least that was found, by more than
//! [`TOLERANCE`] of it; it gives up after [`MOST`]. [`way_out`](super::way_out) does the same with cones
//! of directions in space.

use arrayvec::ArrayVec;
use glam::DVec2;

use crate::num::ops::sqrt;
use crate::sweep::parts::way_out::TOLERANCE;

/// The tangent of the angle between two tries for a bracket of the root.
const STRIDE: f64 = 0.5;
/// Tries for a bracket: once around.
const TRIES: u32 = 14;
/// Steps of false position.
const STEPS: u32 = 64;
/// A bracket as wide as this is narrow enough, in radians.
const NARROW: f64 = 1.0 / (1u64 << 50) as f64;
/// The most arcs.
const MOST: u32 = 512;
/// Arcs that wait: each halving leaves one.
const WAITING: usize = 64;

/// How far a solid reaches along a unit vector d: `constant + along · d`.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Reach {
    pub(in crate::sweep) constant: f64,
    pub(in crate::sweep) along: DVec2,
}

impl Reach {
    fn at(&self, direction: DVec2) -> f64 {
        self.constant + self.along.dot(direction)
    }
}

/// The end of an arc.
#[derive(Clone, Copy)]
struct End {
    direction: DVec2,
    reach: Reach,
}

/// Searches all directions for the least reach. `reach` is that of the farthest point along a direction. Each
/// direction that may be the least is offered to `offer`, which returns the least of all so far. Differences
/// of `rounding` are not searched.
pub(in crate::sweep) fn least(
    reach: impl Fn(DVec2) -> Reach,
    mut offer: impl FnMut(DVec2) -> f64,
    rounding: f64,
) {
    let end = |direction: DVec2| End { direction, reach: reach(direction) };
    let corners = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y].map(end);
    let mut waiting = ArrayVec::<[End; 2], WAITING>::new();
    let mut lowest = corners[0];
    for side in 0..4 {
        waiting.push([corners[side], corners[(side + 1) % 4]]);
        if corners[side].reach.at(corners[side].direction) < lowest.reach.at(lowest.direction) {
            lowest = corners[side];
        }
    }
    // A good bound first: the reach falls towards where its farthest point lies straight ahead.
    let mut beaten = offer(lowest.direction);
    let falls = |d: DVec2| -reach(d).along.dot(d.perp());
    for direction in root(lowest.direction, falls).into_iter().flatten() {
        beaten = offer(direction);
    }
    let mut left = MOST;
    while let Some([first, last]) = waiting.pop() {
        // Written so that a NaN ends the search.
        let may_hold_less = bound(&first, &last) < beaten - TOLERANCE * beaten.abs() - rounding;
        if !may_hold_less {
            continue;
        }
        let Some(middle) = unit(first.direction + last.direction) else { return };
        if left == 0 || waiting.len() + 2 > WAITING {
            return;
        }
        left -= 1;
        let middle = end(middle);
        if middle.reach.at(middle.direction) < beaten {
            beaten = offer(middle.direction);
            for direction in root(middle.direction, falls).into_iter().flatten() {
                beaten = offer(direction);
            }
        }
        waiting.push([first, middle]);
        waiting.push([middle, last]);
    }
}

/// A lower bound of the reach between two directions that are at most a right angle apart.
fn bound(first: &End, last: &End) -> f64 {
    let ends = [first, last].map(|end| [first, last].map(|at| end.reach.at(at.direction)));
    let mixture = |share: f64| Reach {
        constant: first.reach.constant * (1.0 - share) + last.reach.constant * share,
        along: first.reach.along * (1.0 - share) + last.reach.along * share,
    };
    // So that it reaches equally far at both ends, or the one that is better by itself.
    let [first_falls, last_rises] = [ends[0][0] - ends[0][1], ends[1][1] - ends[1][0]];
    let share = first_falls / (first_falls + last_rises);
    let share = if first_falls <= 0.0 {
        0.0
    } else if last_rises <= 0.0 {
        1.0
    } else {
        share
    };
    let reach = mixture(share);
    let lowest = reach.at(first.direction).min(reach.at(last.direction));
    // Between the ends it is not less where it lies ahead of both.
    let is_ahead = reach.along.dot(first.direction) >= 0.0 && reach.along.dot(last.direction) >= 0.0;
    if is_ahead { lowest } else { reach.constant - sqrt(reach.along.length_squared()) }
}

/// A narrow bracket of the angle, as unit vectors, at which a function of it is 0. It is positive where the
/// root lies towards the second axis, and the root is sought on that side of the start.
pub(in crate::sweep) fn root(start: DVec2, value: impl Fn(DVec2) -> f64) -> Option<[DVec2; 2]> {
    let mut from = unit(start).unwrap_or(DVec2::X);
    let mut here = value(from);
    let mut bracket = None;
    for _ in 0..TRIES {
        let next = unit(from + from.perp() * STRIDE.copysign(here))?;
        let there = value(next);
        if there * here <= 0.0 {
            bracket = Some((next, there));
            break;
        }
        (from, here) = (next, there);
    }
    let (mut to, mut there) = bracket?;
    let mut has_stayed = None;
    for _ in 0..STEPS {
        if here == 0.0 {
            return Some([from; 2]);
        }
        if there == 0.0 {
            return Some([to; 2]);
        }
        if (to - from).length_squared() <= NARROW * NARROW {
            break;
        }
        let middle = unit(from * there.abs() + to * here.abs())?;
        let value = value(middle);
        if middle == from || middle == to {
            break;
        }
        let replaces_from = value * here > 0.0;
        let (moved, stays) = if replaces_from { (&mut from, &mut there) } else { (&mut to, &mut here) };
        *moved = middle;
        // An end that stays twice counts half.
        if has_stayed == Some(replaces_from) {
            *stays *= 0.5;
        }
        if replaces_from {
            here = value;
        } else {
            there = value;
        }
        has_stayed = Some(replaces_from);
    }
    Some([from, to])
}

fn unit(v: DVec2) -> Option<DVec2> {
    let length = sqrt(v.length_squared());
    (length > 0.0).then(|| v / length)
}
