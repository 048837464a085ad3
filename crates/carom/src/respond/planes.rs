//! The feasible motion nearest to the desired one: slide, corner, push, lift and crush in one.
//!
//! Source: projection onto a polyhedron by its Karush–Kuhn–Tucker conditions, plane by plane as a problem of
//! linear programming type (Sharir & Welzl 1992). Idea: the answer lies on at most three planes. Hold those,
//! add the most violated other one, test the at most seven sets of it with up to two of the held, and repeat
//! until none is violated. Error: no plane is violated by more than 2 ulp of the longer of desired and found
//! motion (30 ulp for a plane that equals another, or depends on others, to within rounding). The distance of
//! the motion from the desired one exceeds the exact distance by at most 4 ulp. Cost: about 0.2 µs on one
//! plane, 1 µs in a corner; linear in the number of planes, which is not limited. Gives up: this never
//! happened on a feasible set; see [`Crush`]. `docs/planes.md` has the derivation and the measurements.

use glam::DVec3;
use thiserror::Error;

use super::constraint::Constraint;
use super::crossing::nearest_shared_point;
use super::held::{Crossings, Held, Slack};
use super::not_faster;
use crate::num::bound::rescale;
use crate::num::ops;
use crate::num::residual::residual;

/// The bound for every answer: 2 ulp, the error of a crossing, and more than that of a plain dot product (1.5
/// ulp).
const STRICT: f64 = 2.0 * f64::EPSILON;

/// A wider bound, for when nothing satisfies all planes to 2 ulp; together with 2 ulp it stays below
/// [`APPROACH`] too.
///
/// Three normals that are in one plane but for their rounding have no crossing of their own, and two of them
/// violate the third by that rounding, 16 ulp at most: hence 18. Planes that meet in one point from all
/// constraints, as in a cabin that carries a mover it fits, miss that point by the rounding of their bounds:
/// lowered by 12 ulp they meet again.
const EASED: f64 = 18.0 * f64::EPSILON;
const RELIEF: f64 = 12.0 * f64::EPSILON;

/// A found motion further than this many times the largest speed in the problem from the wanted one is a
/// fling.
pub(crate) const FLING: f64 = 4.0;

/// The demand of one contact on a motion v: `normal` · v ≥ `bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPlane {
    /// The unit normal, towards the mover.
    pub normal: DVec3,
    /// The least motion along the normal, in the unit of the desired motion: 0 for a touched wall at rest,
    /// more if the wall moves towards the mover, less if there is a gap or the wall recedes.
    pub bound: f64,
}

/// Up to four of the caller's planes, by index. They are in the order of their normals and bounds, not of the
/// caller's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaneIndices {
    indices: [usize; 4],
    count: usize,
}

impl PlaneIndices {
    fn of(held: &Held) -> Self {
        let mut list = Self::default();
        for constraint in held.constraints() {
            list.indices[list.count] = constraint.index;
            list.count += 1;
        }
        list
    }

    /// The indices.
    pub fn as_slice(&self) -> &[usize] {
        &self.indices[..self.count]
    }
}

/// Why there is no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crush {
    /// No motion satisfies all planes. The named ones alone contradict each other.
    Infeasible,
    /// The named planes would press the mover out sideways, to a motion that differs from the desired one by
    /// more than four times the largest speed.
    Fling,
    /// Rounding kept the search from settling. The named planes are those of its last state.
    Unsettled,
}

/// The result of [`nearest_feasible`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NearestMotion {
    /// The feasible motion nearest to the desired one.
    Feasible {
        /// The motion, in the unit of the wanted one.
        velocity: DVec3,
        /// The planes that hold it, at most three; `None` if the desired motion itself is feasible.
        planes: PlaneIndices,
    },
    /// The mover is caught between planes of which at least one moves.
    Crushed {
        /// In what way.
        cause: Crush,
        /// The planes that show it, at most four.
        planes: PlaneIndices,
    },
}

/// Why [`nearest_feasible`] refuses its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanesError {
    /// The desired motion has a NaN or an infinity.
    #[error("the desired motion must be finite")]
    WantedNotFinite,
    /// A bound is NaN or infinite.
    #[error("the bound of plane {0} must be finite")]
    BoundNotFinite(usize),
    /// A normal does not have length 1 to within 2⁻²¹.
    #[error("the normal of plane {0} must have length 1")]
    NotUnit(usize),
}

/// The motion nearest to `wanted` that satisfies all `planes`, in the unit of `wanted` (a velocity, or a
/// displacement).
///
/// Use it if you gather contacts yourself; [`collide_and_slide`](fn@crate::respond::collide_and_slide) does
/// the whole loop. The answer is unique, so the order of the planes does not change one bit. If no bound is
/// greater than 0, there is always an answer, and it is never longer than `wanted`. If `wanted` and bounds
/// are 2ᵏ times as large, so is the answer.
///
/// ```
/// use carom::respond::{ContactPlane, NearestMotion, nearest_feasible};
/// use glam::dvec3;
///
/// let floor = ContactPlane { normal: dvec3(0.0, 1.0, 0.0), bound: 0.0 };
/// let motion = nearest_feasible(dvec3(3.0, -1.0, 0.0), &[floor])?;
/// assert!(matches!(motion, NearestMotion::Feasible { velocity, .. } if velocity == dvec3(3.0, 0.0, 0.0)));
/// # Ok::<(), carom::respond::PlanesError>(())
/// ```
///
/// # Errors
/// Numbers are not finite, or normals do not have length 1.
pub fn nearest_feasible(wanted: DVec3, planes: &[ContactPlane]) -> Result<NearestMotion, PlanesError> {
    nearest_feasible_up_to(wanted, planes, FLING)
}

/// Like [`nearest_feasible`], with another limit for a fling: this many times the largest speed from the
/// desired motion.
pub(super) fn nearest_feasible_up_to(
    wanted: DVec3,
    planes: &[ContactPlane],
    fling: f64,
) -> Result<NearestMotion, PlanesError> {
    if !wanted.is_finite() {
        return Err(PlanesError::WantedNotFinite);
    }
    let mut highest = 0.0_f64;
    for (index, plane) in planes.iter().enumerate() {
        if !plane.bound.is_finite() {
            return Err(PlanesError::BoundNotFinite(index));
        }
        // Written so that a NaN is refused.
        let unit = (plane.normal.length_squared() - 1.0).abs() <= 1.0 / (1u64 << 20) as f64;
        if !unit {
            return Err(PlanesError::NotUnit(index));
        }
        highest = highest.max(plane.bound);
    }
    // Bounds below 0 do not count: however far below, they only allow more.
    let largest = highest.max(wanted.abs().max_element());
    if largest == 0.0 {
        return Ok(NearestMotion::Feasible { velocity: DVec3::ZERO, planes: PlaneIndices::default() });
    }
    // A power of two: nothing is rounded, and nothing over- or underflows afterwards.
    let unit = rescale(largest);
    let problem = Problem { wanted: wanted * unit, planes, unit, highest: highest * unit, fling };
    Ok(match problem.solve() {
        // Beyond the largest number there is: flung.
        NearestMotion::Feasible { velocity, planes } if !(velocity / unit).is_finite() => {
            NearestMotion::Crushed { cause: Crush::Fling, planes }
        }
        // −0 + 0 is 0: equal motions have equal bits.
        NearestMotion::Feasible { velocity, planes } => {
            NearestMotion::Feasible { velocity: velocity / unit + DVec3::ZERO, planes }
        }
        crushed @ NearestMotion::Crushed { .. } => crushed,
    })
}

/// The problem, scaled to its own unit.
struct Problem<'a> {
    wanted: DVec3,
    planes: &'a [ContactPlane],
    /// Brings the planes' bounds into the unit.
    unit: f64,
    /// The largest bound, or 0.
    highest: f64,
    fling: f64,
}

impl Problem<'_> {
    fn solve(&self) -> NearestMotion {
        let strict = Slack { share: STRICT, relief: 0.0 };
        let motion = match self.settle(strict) {
            NearestMotion::Crushed { .. } => {
                self.settle(Slack { share: EASED, relief: RELIEF * self.fastest() })
            }
            motion => motion,
        };
        let (velocity, planes) = match motion {
            NearestMotion::Feasible { velocity, planes } => (velocity, planes),
            // Standing still satisfies bounds of 0 and below.
            NearestMotion::Crushed { planes, .. } if self.highest == 0.0 => (DVec3::ZERO, planes),
            crushed @ NearestMotion::Crushed { .. } => return crushed,
        };
        if planes.as_slice().is_empty() {
            return motion;
        }
        let limit = self.fling * self.fastest();
        if (velocity - self.wanted).length_squared() > limit * limit {
            return NearestMotion::Crushed { cause: Crush::Fling, planes };
        }
        if self.highest > 0.0 {
            return NearestMotion::Feasible { velocity, planes };
        }
        // Standing still is feasible. A motion that differs from rest by at most the error of the answer is
        // at rest, exactly.
        let still = ops::sqrt(velocity.length_squared()) <= strict.allowed(self.wanted, self.wanted);
        let velocity = if still { DVec3::ZERO } else { not_faster(velocity, self.wanted) };
        NearestMotion::Feasible { velocity, planes }
    }

    /// The largest speed: that of the desired motion, or of a plane towards the mover.
    fn fastest(&self) -> f64 {
        ops::sqrt(self.wanted.length_squared()).max(self.highest)
    }

    /// Adds the most violated plane until none is.
    fn settle(&self, slack: Slack) -> NearestMotion {
        let mut held = Held::default();
        let mut point = self.wanted;
        // The distance to the desired motion grows with every exchange, so no set comes back; this many were
        // never seen.
        for _ in 0..16 + 4 * self.planes.len() {
            let Some(added) = self.most_violated(point, &held, slack) else {
                return NearestMotion::Feasible { velocity: point, planes: PlaneIndices::of(&held) };
            };
            let new = held.insert(added);
            // A single plane that the desired motion violates is needed, and nothing else must be satisfied.
            if let [only] = held.constraints()
                && let Some(nearest) = nearest_shared_point(&[*only], self.wanted)
            {
                point = nearest;
                continue;
            }
            let all = held.everything();
            let mut crossings = Crossings::new(&held, self.wanted, slack).knowing(all & !new, point);
            let Some((set, nearest)) = crossings.nearest(all, new) else {
                let planes = PlaneIndices::of(&held.only(crossings.contradiction(all)));
                return NearestMotion::Crushed { cause: Crush::Infeasible, planes };
            };
            point = nearest;
            held = held.only(set);
        }
        NearestMotion::Crushed { cause: Crush::Unsettled, planes: PlaneIndices::of(&held) }
    }

    /// The constraint that `point` violates most; of equal ones the first by value, so the caller's order
    /// does not matter.
    fn most_violated(&self, point: DVec3, held: &Held, slack: Slack) -> Option<Constraint> {
        let allowed = slack.allowed(point, self.wanted);
        let mut worst: Option<(f64, Constraint)> = None;
        for (index, plane) in self.planes.iter().enumerate() {
            let constraint =
                Constraint { normal: plane.normal, bound: plane.bound * self.unit - slack.relief, index };
            // The error of the plain dot product is less than the tolerance: for most planes it is enough.
            if constraint.bound - constraint.normal.dot(point) <= 0.0 {
                continue;
            }
            let short = residual(constraint.bound, constraint.normal, point);
            let worse = match &worst {
                _ if short <= allowed => false,
                None => true,
                Some((most, other)) => {
                    short > *most || (short == *most && constraint.by_value(other).is_lt())
                }
            };
            if worse && !held.constraints().iter().any(|holder| holder.stands_for(&constraint)) {
                worst = Some((short, constraint));
            }
        }
        worst.map(|(_, constraint)| constraint)
    }
}
