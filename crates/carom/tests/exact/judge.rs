//! The verdict on one answer of a kernel.
//!
//! The distance from a convex surface to a mover on a straight path is convex in the fraction. So a place on
//! the path that is at least a radius away, with the surface still ahead, is before the first contact; and
//! one comparison of exact lengths decides each of the promises in `carom::sweep`.

use core::fmt;

use carom::num::ops;
use carom::shape::Mover;
use carom::sweep::{Feature, Hit};
use glam::DVec3;

use super::case::Case;
use super::numbers::{is_negative, length_difference};
use super::problem::Problem;

/// The promises as multiples of the rounding bound that `carom::num::bound` derives.
pub(crate) mod promise {
    /// A hit leaves at most this gap: the standoff, the kernel's own rounding and the caller's.
    pub(crate) const GAP: f64 = 6.0;
    /// A way reported free comes at most this much nearer than touching.
    pub(crate) const GRAZE: f64 = 2.0;
    /// A mover that starts within the gap may creep this much nearer: the approach threshold of 64 roundoffs
    /// of the way, which the bound holds 10 times.
    pub(crate) const CREEP: f64 = 8.0;
    /// The touched point is this near to the surface, and as far from the mover as the mover from the
    /// surface.
    pub(crate) const POINT: f64 = 6.0;
    /// The normal is the direction from the touched point to the mover, this exact over the distance between
    /// them.
    pub(crate) const NORMAL: f64 = 12.0;
    /// No unit vector is longer or shorter by more (absolute).
    pub(crate) const UNIT: f64 = 8.0 * f64::EPSILON;
}

/// A fault of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The fraction is not a number from 0 to 1.
    Fraction(f64),
    /// The place of the hit is nearer than the radius, by this many rounding bounds.
    PastContact(f64),
    /// The place of the hit is farther away than the standoff allows, in rounding bounds.
    Phantom(f64),
    /// Reported free, but comes nearer than touching, in rounding bounds.
    Missed(f64),
    /// A point is on the other side of the surface than where it started.
    Passed,
    /// Stopped at the start although nothing on the path is nearer than the start.
    StoppedWithoutApproach,
    /// Pierced at the start and goes deeper, yet reported free.
    EnteredDeeper,
    /// Pierced at the start and goes out, yet stopped.
    StoppedOnTheWayOut,
    /// The flag does not tell whether the start overlaps; the signed gap in rounding bounds.
    OverlapFlag(f64),
    /// The normal's length differs from 1.
    NormalLength(f64),
    /// The normal points elsewhere, in rounding bounds over the distance or radians, whichever is more.
    NormalDirection(f64),
    /// The touched point is off the surface, in rounding bounds.
    PointOffSurface(f64),
    /// The touched point is not at the distance of the surface, in rounding bounds.
    PointOffMover(f64),
    /// The touched point is not on the named part, in rounding bounds; or there is no such part.
    WrongFeature(f64),
}

/// One answer, measured. Lengths in rounding bounds, NaN where there was nothing to measure.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) faults: Vec<Fault>,
    pub(crate) gap: f64,
    pub(crate) graze: f64,
    pub(crate) creep: f64,
    pub(crate) point: f64,
    pub(crate) normal: f64,
    /// The angle to the direction of the one true nearest point, in radians.
    pub(crate) turn: f64,
}

impl Verdict {
    fn new() -> Self {
        Self {
            faults: Vec::new(),
            gap: f64::NAN,
            graze: f64::NAN,
            creep: f64::NAN,
            point: f64::NAN,
            normal: f64::NAN,
            turn: f64::NAN,
        }
    }

    fn demand(&mut self, kept: bool, fault: Fault) {
        if !kept {
            self.faults.push(fault);
        }
    }
}

/// Judges a round mover (sphere, ellipsoid, capsule) against a triangle or polygon.
pub(crate) fn judge(case: &Case, answer: Option<&Hit>) -> Verdict {
    match answer {
        None => judge_free(case),
        Some(hit) => judge_hit(case, hit),
    }
}

fn judge_free(case: &Case) -> Verdict {
    let mut verdict = Verdict::new();
    let problem = Problem::new(case, &[]);
    let bound = problem.rounding;
    let start = problem.nearest_at(&problem.from);
    if start.squared.is_zero() {
        let depths = problem.depths();
        let Some(least) = depths.first() else { return verdict };
        // Deeper is what every face that could be the nearest agrees on, by more than the threshold and what
        // the normal of a needle may be rolled about its longest side.
        let slow = 128.0 * f64::EPSILON * (1.0 + problem.thinness());
        let translation = problem.translation();
        let deeper = depths
            .iter()
            .filter(|d| {
                length_difference(&d.squared, &least.squared, problem.exponent) <= promise::GAP * bound
            })
            .all(|d| {
                let inward = d.outward.direction().dot(translation.direction());
                inward < -slow
            });
        verdict.demand(!deeper, Fault::EnteredDeeper);
        return verdict;
    }
    let least = problem.nearest_on_way().squared;
    let gap = length_difference(&start.squared, &problem.radius_squared, problem.exponent) / bound;
    if case.mover == Mover::Point {
        // A ray is let through only by a surface it does not meet, or one that it starts at and hardly
        // leaves.
        let through = problem.passes(&problem.to);
        let beyond = problem.length(&problem.plane_distance(&problem.to)) / bound;
        let met =
            least.is_zero() && (gap > promise::GAP || (gap > 1.0 && through && beyond > promise::CREEP));
        verdict.demand(!met, Fault::Missed(beyond));
        return verdict;
    }
    let floor = if gap < 0.0 { &start.squared } else { &problem.radius_squared };
    let shortfall = length_difference(floor, &least, problem.exponent) / bound;
    if gap > promise::GAP {
        verdict.graze = shortfall.max(0.0);
        verdict.demand(shortfall <= promise::GRAZE, Fault::Missed(shortfall));
    } else {
        verdict.creep = shortfall.max(0.0);
        verdict.demand(shortfall <= promise::CREEP, Fault::Missed(shortfall));
    }
    verdict
}

fn judge_hit(case: &Case, hit: &Hit) -> Verdict {
    let mut verdict = Verdict::new();
    if !(0.0..=1.0).contains(&hit.fraction) {
        verdict.faults.push(Fault::Fraction(hit.fraction));
        return verdict;
    }
    if !(hit.point.is_finite() && hit.normal.is_finite()) {
        verdict.faults.push(Fault::NormalLength(hit.normal.length()));
        return verdict;
    }
    let position = case.at(hit.fraction);
    let problem = Problem::new(case, &[position, hit.point]);
    let [position, point] = [&problem.asked[0], &problem.asked[1]];
    let bound = problem.rounding;
    let measure = |a, b| length_difference(a, b, problem.exponent) / bound;
    let nearest = problem.nearest_at(position);
    let gap = measure(&nearest.squared, &problem.radius_squared);
    verdict.gap = gap;
    verdict.demand(gap <= promise::GAP, Fault::Phantom(gap));

    if case.mover == Mover::Point {
        verdict.demand(!problem.passes(position), Fault::Passed);
    }
    let depths = if hit.fraction == 0.0 && nearest.squared.is_zero() { problem.depths() } else { Vec::new() };
    if hit.fraction > 0.0 {
        verdict.demand(gap >= 0.0, Fault::PastContact(-gap));
        verdict.demand(!hit.start_overlap, Fault::OverlapFlag(gap));
    } else {
        verdict.demand(
            if hit.start_overlap { gap < 0.0 } else { gap >= -promise::GAP },
            Fault::OverlapFlag(gap),
        );
        if let Some(least) = depths.first() {
            let translation = problem.translation();
            let out = depths
                .iter()
                .filter(|d| measure(&d.squared, &least.squared) <= promise::GAP)
                .all(|d| !is_negative(&d.outward.dot(&translation)));
            verdict.demand(!out, Fault::StoppedOnTheWayOut);
        } else {
            let comes_nearer = !problem.is_still() && problem.nearest_on_way().squared < nearest.squared;
            // A point that starts on the surface to within rounding is on neither side of it, and a capsule
            // whose axis starts at the surface to within rounding neither in nor out of their sum.
            let on_it = match case.mover {
                Mover::Point => gap <= 1.0,
                Mover::Capsule(_) => problem.has_volume() && problem.length(&nearest.squared) <= bound,
                _ => false,
            };
            verdict.demand(comes_nearer || on_it, Fault::StoppedWithoutApproach);
        }
    }
    match case.mover {
        // A point has no side of its own: its normal is only one that the way goes against.
        Mover::Point => {
            let length = ops::sqrt(hit.normal.length_squared());
            verdict.demand((length - 1.0).abs() <= promise::UNIT, Fault::NormalLength(length));
            let against = hit.normal.dot(case.translation) < 0.0;
            verdict.demand(against, Fault::NormalDirection(f64::INFINITY));
        }
        _ => judge_normal(case, hit, &problem, &nearest, &depths, &mut verdict),
    }

    let off_surface = problem.length(&problem.surface_to_point(point)) / bound;
    verdict.demand(off_surface <= promise::POINT, Fault::PointOffSurface(off_surface));
    verdict.point = off_surface;
    if depths.is_empty() {
        let off_mover = measure(&problem.core_to_point(position, point).squared, &nearest.squared).abs();
        verdict.demand(off_mover <= promise::POINT, Fault::PointOffMover(off_mover));
        verdict.point = verdict.point.max(off_mover);
    }
    judge_feature(hit, &problem, &mut verdict);
    verdict
}

fn judge_normal(
    case: &Case,
    hit: &Hit,
    problem: &Problem,
    nearest: &super::distance::Nearest,
    depths: &[super::distance::Depth],
    verdict: &mut Verdict,
) {
    let length = ops::sqrt(hit.normal.length_squared());
    verdict.demand((length - 1.0).abs() <= promise::UNIT, Fault::NormalLength(length));
    let bound = problem.rounding;
    let [position, point] = [&problem.asked[0], &problem.asked[1]];
    // How much a turn in the mover's space may grow on the way to the world's.
    let stretch = match &case.mover {
        Mover::Ellipsoid(e) => e.radii().max_element() / e.radii().min_element(),
        _ => 1.0,
    };
    let off = |expected: DVec3| {
        let aligned = hit.normal.dot(expected) > 0.0;
        if aligned { ops::sqrt(hit.normal.cross(expected).length_squared()) } else { 2.0 }
    };
    if let Some(least) = depths.first() {
        // Inside a prism: any of the faces that are the nearest to within rounding.
        verdict.normal = depths
            .iter()
            .filter(|d| {
                length_difference(&d.squared, &least.squared, problem.exponent) <= promise::GAP * bound
            })
            .map(|d| off(problem.world_direction(&d.outward)) / (8.0 * f64::EPSILON))
            .fold(f64::INFINITY, f64::min);
        // The product of two sides is off by 3 roundoffs of the product of their lengths, and so is what the
        // sides lose as differences of corners. Over the area that is 6 roundoffs times the thinness: by so
        // much the plane of a needle is rolled about its longest side, where all corners stay in it.
        let rolled = 3.0 * problem.thinness() / 8.0;
        let kept = verdict.normal <= promise::NORMAL.max(rolled);
        verdict.demand(kept, Fault::NormalDirection(verdict.normal));
        return;
    }
    let distance = problem.length(&nearest.squared);
    if distance > 0.0 {
        // Places of the surface that are as near to within rounding lie apart by its root, seen from the
        // mover at this angle at most: the chord of a circle of this radius that is so high.
        verdict.turn = off(problem.world_direction(&nearest.direction));
        let rooted = stretch * ops::sqrt(2.0 * promise::GAP * bound / distance);
        let mut kept = verdict.turn <= rooted.max(promise::NORMAL * stretch * bound / distance);
        if !matches!(case.mover, Mover::Capsule(_)) {
            // And one of them is named, to which the normal belongs. (A capsule may touch in a whole line.)
            let apart = problem.core_to_point(position, point).direction;
            let allowed = stretch * bound / distance + 2.0 * f64::EPSILON;
            verdict.normal = off(problem.world_direction(&-&apart)) / allowed;
            kept &= verdict.normal <= promise::NORMAL;
        }
        verdict.demand(kept, Fault::NormalDirection(verdict.normal.max(verdict.turn)));
    }
}

fn judge_feature(hit: &Hit, problem: &Problem, verdict: &mut Verdict) {
    let point = &problem.asked[1];
    let corners = &problem.corners;
    let off = match hit.feature {
        Feature::Face => return,
        Feature::Edge(i) if (i as usize) < corners.len() => {
            let (a, b) = (&corners[i as usize], &corners[(i as usize + 1) % corners.len()]);
            problem.length(&super::distance::point_segment(point, a, b).squared) / problem.rounding
        }
        Feature::Vertex(i) if (i as usize) < corners.len() => {
            problem.length(&super::distance::point_point(point, &corners[i as usize]).squared)
                / problem.rounding
        }
        _ => f64::INFINITY,
    };
    verdict.demand(off <= promise::POINT, Fault::WrongFeature(off));
}

/// The worst of many verdicts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worst {
    pub(crate) cases: usize,
    pub(crate) hits: usize,
    pub(crate) gap: f64,
    pub(crate) least_gap: f64,
    pub(crate) graze: f64,
    pub(crate) creep: f64,
    pub(crate) point: f64,
    pub(crate) normal: f64,
    pub(crate) turn: f64,
}

impl Worst {
    pub(crate) fn add(&mut self, verdict: &Verdict, hit: Option<&Hit>) {
        self.cases += 1;
        // `max` and `min` pass over NaN.
        if let Some(hit) = hit {
            self.hits += 1;
            if hit.fraction > 0.0 {
                self.least_gap =
                    if self.least_gap == 0.0 { verdict.gap } else { self.least_gap.min(verdict.gap) };
            }
        }
        self.gap = self.gap.max(verdict.gap);
        self.graze = self.graze.max(verdict.graze);
        self.creep = self.creep.max(verdict.creep);
        self.point = self.point.max(verdict.point);
        self.normal = self.normal.max(verdict.normal);
        self.turn = self.turn.max(verdict.turn);
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:7} cases {:7} hits  gap {:6.2} … {:5.2}  graze {:5.2}  creep {:5.2}  point {:5.2}  normal {:5.2}  turn {:.0e}",
            self.cases,
            self.hits,
            self.least_gap,
            self.gap,
            self.graze,
            self.creep,
            self.point,
            self.normal,
            self.turn
        )
    }
}
