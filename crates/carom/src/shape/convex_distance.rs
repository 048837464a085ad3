//! Distance of two convex shapes that are known by their farthest points only, with proven bounds.
//!
//! Source: Gilbert, Johnson, Keerthi (1988): walk to the point of the difference of the shapes that is
//! nearest to the origin, keeping a simplex of at most 4 of its corners. The nearest point of the simplex
//! bounds the distance from above; the plane through the farthest corner towards the origin bounds it from
//! below, whatever direction it has. Error: both bounds hold for the exact shapes, the rounding of 32 unit
//! roundoffs of their size and offset included. They are as close as was asked, or `converged` says that they
//! are not. Cost: a step is two support points and the nearest point of a simplex. Polytopes take 3 to 12;
//! curved shapes 10 to 80, about four for a digit of the distance. Gives up: after 256 steps, or when two
//! different directions bring nothing new. The bounds hold even then.

use glam::DVec3;

use super::Convex;
use super::rounding::{UNIT_ROUNDOFF, reach, unit, unit_scale};
use super::simplex::{self, Nearest};
use crate::num::ops::sqrt;

/// How close the bounds of [`convex_distance`] are to each other, relative to the distance: 2⁻⁴⁰, a picometer
/// in a meter.
pub const DEFAULT_TOLERANCE: f64 = 1.0 / (1u64 << 40) as f64;

/// The most steps: after them the bounds stay as they are.
const STEPS: u32 = 256;

/// Steps without a nearer point before it is called the nearest. One may come from rounding alone.
const STALLS: u32 = 3;

/// The distance of two convex shapes, and where it occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ConvexDistance {
    /// The distance of the two points below, in meters; 0 if the shapes overlap or touch.
    pub distance: f64,
    /// The shapes are no nearer than this, in meters.
    pub lower: f64,
    /// The shapes are no farther than this, in meters.
    pub upper: f64,
    /// The point of the first shape nearest to the other, relative to the first shape's center; if they
    /// overlap, a point that both share.
    pub point: DVec3,
    /// The point of the other shape nearest to the first, relative to the first shape's center.
    pub other_point: DVec3,
    /// The unit direction from the other shape towards the first, along which the lower bound holds; zero if
    /// the shapes overlap.
    pub normal: DVec3,
    /// Whether the bounds are as close as requested.
    pub converged: bool,
    /// The number of pairs of support points.
    pub steps: u32,
}

/// The distance of two convex shapes to [`DEFAULT_TOLERANCE`]. `offset` leads from the first shape's center
/// to the other's, or to the origin of the other's coordinates.
///
/// ```
/// use carom::shape::{Cuboid, Ellipsoid, convex_distance};
/// use glam::{DVec3, dvec3};
/// let egg = Ellipsoid::new(dvec3(1.0, 2.0, 1.0))?;
/// let crate_ = Cuboid::new(DVec3::ONE)?;
/// let gap = convex_distance(&egg, &crate_, dvec3(0.0, 4.0, 0.0));
/// assert!(gap.lower <= 1.0 && 1.0 <= gap.upper && gap.upper - gap.lower < 1e-11);
/// assert!(convex_distance(&egg, &crate_, dvec3(0.0, 2.5, 0.0)).distance == 0.0);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn convex_distance(first: &impl Convex, other: &impl Convex, offset: DVec3) -> ConvexDistance {
    convex_distance_within(first, other, offset, DEFAULT_TOLERANCE)
}

/// The distance of two convex shapes, so that `upper − lower` is at most `tolerance` of `upper`, and 128 unit
/// roundoffs of the size of the shapes and the offset.
pub fn convex_distance_within(
    first: &impl Convex,
    other: &impl Convex,
    offset: DVec3,
    tolerance: f64,
) -> ConvexDistance {
    let mut walk = Walk::new(first, other, offset);
    let margin = walk.first_margin + walk.other_margin;
    let end = walk.run(|walk| {
        let apart = (walk.upper - margin).max(0.0);
        walk.upper + walk.rounding <= margin || walk.upper - walk.lower <= tolerance * apart + walk.rounding
    });
    walk.answer(end)
}

/// Whether two convex shapes share a point, decided as soon as it is certain. If rounding prevents certainty,
/// they count as overlapping. `offset` leads from the first shape's center to the other's, or to the origin
/// of the other's coordinates.
pub fn convex_overlap(first: &impl Convex, other: &impl Convex, offset: DVec3) -> bool {
    let mut walk = Walk::new(first, other, offset);
    let margin = walk.first_margin + walk.other_margin;
    let end = walk.run(|walk| {
        walk.lower - walk.rounding > margin || walk.upper + walk.rounding <= margin || {
            walk.upper - walk.lower <= walk.rounding
        }
    });
    let apart = walk.lower - walk.rounding > margin;
    end == End::Inside || !apart
}

/// A corner of the difference of the cores, and the two points that made it.
#[derive(Clone, Copy)]
struct Corner {
    point: DVec3,
    of_first: DVec3,
    of_other: DVec3,
}

/// A point of each core.
#[derive(Clone, Copy)]
struct PointPair {
    of_first: DVec3,
    of_other: DVec3,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The bounds are what was asked for.
    Reached,
    /// The cores overlap, or are apart by no more than rounding.
    Inside,
    /// No direction brings anything new.
    Stuck,
}

/// Everything at a size near 1, by a power of two: products of four lengths stay in range.
struct Walk<'a, A, B> {
    first: &'a A,
    other: &'a B,
    offset: DVec3,
    scale: f64,
    first_margin: f64,
    other_margin: f64,
    /// The error of the distance of the cores.
    rounding: f64,
    size: f64,
    lower: f64,
    upper: f64,
    nearest: PointPair,
    normal: DVec3,
    steps: u32,
}

impl<'a, A: Convex, B: Convex> Walk<'a, A, B> {
    fn new(first: &'a A, other: &'a B, offset: DVec3) -> Self {
        let size = first.reach() + other.reach() + reach(offset);
        let scale = unit_scale(size + first.margin() + other.margin());
        let size = size * scale;
        Self {
            first,
            other,
            offset: offset * scale,
            scale,
            first_margin: first.margin() * scale,
            other_margin: other.margin() * scale,
            rounding: 32.0 * UNIT_ROUNDOFF * size,
            size,
            lower: 0.0,
            upper: f64::INFINITY,
            nearest: PointPair { of_first: DVec3::ZERO, of_other: DVec3::ZERO },
            normal: DVec3::ZERO,
            steps: 0,
        }
    }

    /// The corner of the difference that lies farthest back along a direction.
    fn corner(&mut self, direction: DVec3) -> Corner {
        self.steps += 1;
        let of_first = self.first.support(-direction) * self.scale;
        let of_other = self.other.support(direction) * self.scale + self.offset;
        Corner { point: of_first - of_other, of_first, of_other }
    }

    fn run(&mut self, reached: impl Fn(&Self) -> bool) -> End {
        // The centers' offset points about the right way.
        let start = unit(-self.offset).unwrap_or(DVec3::X);
        let mut simplex = [self.corner(start); 4];
        let mut count = 1;
        let mut stalls = 0;
        loop {
            let points = simplex.map(|corner| corner.point);
            if count == 4
                && let Some(weights) = simplex::weights_around_origin(&points, self.size)
            {
                let shared =
                    simplex.iter().zip(weights).fold(DVec3::ZERO, |sum, (c, w)| sum + c.of_first * w);
                self.upper = 0.0;
                self.nearest = PointPair { of_first: shared, of_other: shared };
                return End::Inside;
            }
            let part = simplex::nearest(&points[..count], self.size);
            let distance = sqrt(part.squared);
            stalls += 1;
            if distance < self.upper {
                self.upper = distance;
                self.nearest = mean(&simplex, &part);
                stalls = 0;
            }
            if self.upper <= self.rounding {
                return End::Inside;
            }
            if reached(self) {
                return End::Reached;
            }
            let directions = [simplex::direction(&points, &part), unit(part.point)];
            simplex = core::array::from_fn(|i| simplex[part.corners[i.min(part.count - 1)]]);
            count = part.count;

            let mut fresh = None;
            for direction in directions.into_iter().flatten() {
                let corner = self.corner(direction);
                let height = direction.dot(corner.point);
                if height > self.lower {
                    self.lower = height;
                    self.normal = direction;
                    stalls = 0;
                }
                if reached(self) {
                    return End::Reached;
                }
                if !simplex[..count].iter().any(|known| known.point == corner.point) {
                    fresh = Some(corner);
                    break;
                }
            }
            match fresh {
                Some(corner) if stalls < STALLS && self.steps < STEPS => {
                    simplex[count] = corner;
                    count += 1;
                }
                _ => return End::Stuck,
            }
        }
    }

    fn answer(&self, end: End) -> ConvexDistance {
        let (first_margin, other_margin) = (self.first_margin, self.other_margin);
        let margin = first_margin + other_margin;
        let rounding = self.rounding + 4.0 * UNIT_ROUNDOFF * margin;
        let back = 1.0 / self.scale;
        let PointPair { of_first: mut point, of_other: mut other_point } = self.nearest;
        let distance = if end == End::Inside { 0.0 } else { (self.upper - margin).max(0.0) };
        let mut normal = self.normal;
        if distance > 0.0 {
            let towards = (point - other_point) / self.upper;
            point -= towards * first_margin;
            other_point += towards * other_margin;
        } else {
            // Within both margins, shared in proportion to them.
            let share = if margin > 0.0 { first_margin / margin } else { 0.5 };
            point += (other_point - point) * share;
            other_point = point;
            normal = DVec3::ZERO;
        }
        ConvexDistance {
            distance: distance * back,
            lower: if end == End::Inside { 0.0 } else { (self.lower - rounding - margin).max(0.0) } * back,
            upper: if end == End::Inside && self.upper == 0.0 {
                0.0
            } else {
                (self.upper + rounding - margin).max(0.0)
            } * back,
            point: point * back,
            other_point: other_point * back,
            normal,
            converged: end != End::Stuck,
            steps: self.steps,
        }
    }
}

fn mean(simplex: &[Corner; 4], part: &Nearest) -> PointPair {
    let none = PointPair { of_first: DVec3::ZERO, of_other: DVec3::ZERO };
    (0..part.count).fold(none, |sum, i| {
        let (corner, weight) = (&simplex[part.corners[i]], part.weights[i]);
        PointPair {
            of_first: sum.of_first + corner.of_first * weight,
            of_other: sum.of_other + corner.of_other * weight,
        }
    })
}
