//! The intersection of one, two or three planes: its point nearest to a given one.
//!
//! Source: Gram–Schmidt, each vector orthogonalized twice (Giraud et al. 2005: twice is enough), then
//! iterative refinement with residuals of twice the digits (Wilkinson; Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 12.1). Error: 2 ulp of the point or of `wanted`, whichever is longer, however flat
//! the planes meet, down to the rank bound below. Cost: about 150 flops for one plane, 600 for three. Gives
//! up (`None`) if the normals are dependent.

use glam::DVec3;

use super::constraint::Constraint;
use crate::num::ops;
use crate::num::residual::residual;

/// Unit normals that leave no more than this of themselves outside the span of the others are dependent.
///
/// It is 16 ulp of their length 1. A normal that was computed from corners and turned by a pose is off by up
/// to about 15 ulp, so a smaller remainder says nothing about where the planes meet. A larger one differs
/// from 0 for certain: the error of the arithmetic here is 3 ulp. It is less than
/// [`COINCIDENT`](super::constraint::COINCIDENT): two normals that are too similar to be crossed count as
/// one.
const RANK: f64 = 16.0 * f64::EPSILON;

/// The refinement gains at least one digit per round at the rank bound and all of them in one round
/// elsewhere.
const ROUNDS: usize = 24;

/// The point of all `constraints`' planes nearest to `wanted`. Takes one to three constraints, in an order
/// fixed by the caller: it decides the last bits.
pub(super) fn nearest_shared_point(constraints: &[Constraint], wanted: DVec3) -> Option<DVec3> {
    let ordered;
    let constraints = match constraints {
        [a, b, c] => {
            ordered = closest_pair_first([*a, *b, *c]);
            &ordered[..]
        }
        _ => constraints,
    };
    let frame = SpanBasis::new(constraints)?;
    // Three planes through the origin share the origin alone: exactly.
    if constraints.len() == 3 && constraints.iter().all(|constraint| constraint.bound == 0.0) {
        return Some(DVec3::ZERO);
    }
    let mut point = wanted;
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (step, length) = frame.step(constraints, point);
        // No longer shrinking: the rest is the rounding of `point` itself.
        if length >= last {
            break;
        }
        point += step;
        last = length;
        if length <= f64::EPSILON * ops::sqrt(point.length_squared().max(wanted.length_squared())) {
            break;
        }
    }
    Some(point)
}

/// An orthonormal frame of the normals' span, and the normals in it (a lower triangle).
struct SpanBasis {
    axes: [DVec3; 3],
    along: [[f64; 3]; 3],
}

impl SpanBasis {
    fn new(constraints: &[Constraint]) -> Option<Self> {
        let mut axes = [DVec3::ZERO; 3];
        let mut along = [[0.0; 3]; 3];
        for (i, constraint) in constraints.iter().enumerate() {
            let mut rest = least_of_span(constraint.normal, &constraints[..i]);
            for _ in 0..2 {
                for axis in &axes[..i] {
                    rest -= *axis * axis.dot(rest);
                }
            }
            let length = ops::sqrt(rest.length_squared());
            if length <= RANK {
                return None;
            }
            axes[i] = rest / length;
            for (j, axis) in axes[..=i].iter().enumerate() {
                along[i][j] = axis.dot(constraint.normal);
            }
        }
        Some(Self { axes, along })
    }

    /// The offset from `point` to the planes, and its largest component.
    fn step(&self, constraints: &[Constraint], point: DVec3) -> (DVec3, f64) {
        let mut step = DVec3::ZERO;
        let mut length = 0.0_f64;
        let mut parts = [0.0; 3];
        for (i, constraint) in constraints.iter().enumerate() {
            let mut short = residual(constraint.bound, constraint.normal, point);
            for (part, along) in parts[..i].iter().zip(&self.along[i]) {
                short -= part * along;
            }
            parts[i] = short / self.along[i][i];
            step += self.axes[i] * parts[i];
            length = length.max(parts[i].abs());
        }
        (step, length)
    }
}

/// Three constraints, the two first whose normals are nearest to each other or to each other's opposite.
///
/// The rank test then asks how far the third is from a span that the first two define as well as they do. In
/// another order it would ask how far one of that pair is from the span of the other and the third, which is
/// that distance times the sine of the pair's angle, and would refuse crossings that are well known. And
/// where it refuses, each pair leaves the third violated by no more than the rank bound: dropping one is
/// safe.
fn closest_pair_first([a, b, c]: [Constraint; 3]) -> [Constraint; 3] {
    let apart = |a: &Constraint, b: &Constraint| least_of_span(a.normal, &[*b]).length_squared();
    let (ab, ac, bc) = (apart(&a, &b), apart(&a, &c), apart(&b, &c));
    if ab <= ac && ab <= bc {
        [a, b, c]
    } else if ac <= bc {
        [a, c, b]
    } else {
        [b, c, a]
    }
}

/// The normal, or its difference to one of the others or to one's opposite, whichever is shortest: outside
/// the span of the others they are all the same. The difference of nearly equal normals is exact to the last
/// bit, so the direction in which they differ is as well known at 1e-12 rad as at a right angle; without
/// this, cleaning would leave only its rounding.
fn least_of_span(normal: DVec3, others: &[Constraint]) -> DVec3 {
    let mut least = normal;
    for other in others {
        for difference in [normal - other.normal, normal + other.normal] {
            if difference.length_squared() < least.length_squared() {
                least = difference;
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn constraint(normal: DVec3, bound: f64) -> Constraint {
        Constraint { normal, bound, index: 0 }
    }

    #[test]
    fn dependent_normals_have_no_crossing() {
        let n = dvec3(2.0, 3.0, -6.0) / 7.0;
        let ulp = f64::EPSILON;
        for other in [n, -n, n + dvec3(10.0 * ulp, 0.0, 0.0)] {
            assert_eq!(
                nearest_shared_point(&[constraint(n, 1.0), constraint(other, 1.0)], DVec3::ZERO),
                None
            );
        }
        let flat = [dvec3(1.0, 0.0, 0.0), dvec3(0.6, 0.8, 0.0), dvec3(-0.8, 0.6, 1e-15)];
        assert_eq!(nearest_shared_point(&flat.map(|n| constraint(n, 1.0)), DVec3::ZERO), None);
    }

    #[test]
    fn three_planes_through_the_origin_share_it_exactly() {
        let normals = [dvec3(2.0, 3.0, -6.0) / 7.0, dvec3(1.0, 2.0, 2.0) / 3.0, dvec3(0.6, 0.8, 0.0)];
        assert_eq!(
            nearest_shared_point(&normals.map(|n| constraint(n, 0.0)), dvec3(0.1, 0.2, 0.3)),
            Some(DVec3::ZERO)
        );
    }

    #[test]
    fn keeps_the_direction_in_which_nearly_equal_normals_differ() {
        // The crease of y = 0 and y = 1e-13 x lies along z however small the angle; the desired motion keeps
        // its part along it.
        let constraints = [constraint(DVec3::Y, 0.0), constraint(dvec3(-1e-13, 1.0, 0.0), 0.0)];
        let point = nearest_shared_point(&constraints, dvec3(1.0, -2.0, 3.0));
        assert_eq!(point, Some(dvec3(0.0, 0.0, 3.0)));
    }
}
