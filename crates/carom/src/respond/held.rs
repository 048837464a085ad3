//! The planes in play, and which of them hold the nearest motion.
//!
//! Source: the Karush–Kuhn–Tucker conditions (Boyd & Vandenberghe, *Convex Optimization*, 5.5.3). The nearest
//! motion lies on at most three planes such that no other is violated and each of the three is needed:
//! without it, the nearest point on the rest would violate it. That is the sign of its multiplier, found by a
//! distance and not by a quotient. Error: that of the crossings, 2 ulp. Cost: at most 14 crossings. Gives up
//! (`None`) if no set passes.

use glam::DVec3;

use super::constraint::Constraint;
use super::crossing::nearest_shared_point;
use crate::num::ops;
use crate::num::residual::residual;

/// At most four constraints in order of value.
#[derive(Clone, Copy, Default)]
pub(super) struct Held {
    constraints: [Constraint; 4],
    count: usize,
}

/// A set of held constraints: one bit for each.
pub(super) type Set = u8;

impl Held {
    pub(super) fn constraints(&self) -> &[Constraint] {
        &self.constraints[..self.count]
    }

    /// All held constraints.
    pub(super) fn everything(&self) -> Set {
        (1 << self.count) - 1
    }

    /// Inserts a constraint in the order of values; there is room for it while at most three are held.
    /// Returns the set of it alone.
    pub(super) fn insert(&mut self, constraint: Constraint) -> Set {
        let place = self.constraints().iter().take_while(|other| other.by_value(&constraint).is_lt()).count();
        self.constraints.copy_within(place..self.count, place + 1);
        self.constraints[place] = constraint;
        self.count += 1;
        1 << place
    }

    /// The constraints of a set.
    pub(super) fn only(&self, set: Set) -> Self {
        let mut kept = Self::default();
        for (i, constraint) in self.constraints().iter().enumerate() {
            if set & (1 << i) != 0 {
                kept.constraints[kept.count] = *constraint;
                kept.count += 1;
            }
        }
        kept
    }
}

/// The nearest point on each set of the held planes, each found once.
pub(super) struct Crossings<'a> {
    held: &'a Held,
    wanted: DVec3,
    slack: Slack,
    points: [Option<DVec3>; 16],
    known: u16,
}

impl<'a> Crossings<'a> {
    /// The crossings of `held`.
    pub(super) fn new(held: &'a Held, wanted: DVec3, slack: Slack) -> Self {
        let mut points = [None; 16];
        points[0] = Some(wanted);
        Self { held, wanted, slack, points, known: 1 }
    }

    /// The same, with the crossing of one set known.
    pub(super) fn knowing(mut self, set: Set, point: DVec3) -> Self {
        if set != 0 {
            self.points[usize::from(set)] = Some(point);
        }
        self.known |= 1 << set;
        self
    }

    /// The motion nearest to the wanted one that satisfies all constraints of `all`, and the planes it lies
    /// on. These include those of `needed`.
    pub(super) fn nearest(&mut self, all: Set, needed: Set) -> Option<(Set, DVec3)> {
        // The smallest set first: planes it does not need cannot pull at it with their rounding.
        for size in needed.count_ones()..=all.count_ones().min(3) {
            for set in 0..=all {
                let fits = set & !all == 0 && needed & !set == 0 && set.count_ones() == size;
                if fits && let Some(point) = self.holds(set, all) {
                    return Some((set, point));
                }
            }
        }
        None
    }

    /// The smallest subset of `all` that no motion satisfies; none satisfies `all`.
    pub(super) fn contradiction(&mut self, all: Set) -> Set {
        let mut kept = all;
        for i in 0..self.held.count {
            let without = kept & !(1 << i);
            if self.nearest(without, 0).is_none() {
                kept = without;
            }
        }
        kept
    }

    /// The point of `set`, if it is the nearest that satisfies all constraints of `all`.
    fn holds(&mut self, set: Set, all: Set) -> Option<DVec3> {
        let point = self.point(set)?;
        let held = self.held;
        for (i, constraint) in held.constraints().iter().enumerate() {
            let bit = 1 << i;
            if set & bit != 0 {
                // Needed: the others alone fall short of it.
                let rest = self.point(set & !bit)?;
                if residual(constraint.bound, constraint.normal, rest)
                    < -self.slack.allowed(rest, self.wanted)
                {
                    return None;
                }
            } else if all & bit != 0
                && residual(constraint.bound, constraint.normal, point)
                    > self.slack.allowed(point, self.wanted)
            {
                let excused = (0..held.count)
                    .any(|k| set & (1 << k) != 0 && held.constraints[k].stands_for(constraint));
                if !excused {
                    return None;
                }
            }
        }
        Some(point)
    }

    fn point(&mut self, set: Set) -> Option<DVec3> {
        let place = usize::from(set);
        if self.known & (1 << place) == 0 {
            self.known |= 1 << place;
            self.points[place] = nearest_shared_point(self.held.only(set).constraints(), self.wanted);
        }
        self.points[place]
    }
}

/// The violation of planes that still counts as satisfied.
#[derive(Clone, Copy)]
pub(super) struct Slack {
    /// As a share of the length of the point or of the desired motion, whichever is longer.
    pub(super) share: f64,
    /// Subtracted from every bound beforehand, so that the point is the nearest one for bounds lowered by
    /// this.
    pub(super) relief: f64,
}

impl Slack {
    pub(super) fn allowed(&self, point: DVec3, wanted: DVec3) -> f64 {
        self.share * ops::sqrt(point.length_squared().max(wanted.length_squared()))
    }
}
