//! Where a straight line enters and leaves a ball, a box and a flat outline.
//!
//! Source: the ball by its closest approach as a *vector*, never by b² − 4ac: nothing of nearly equal size is
//! subtracted, and a grazing line keeps its digits. The outline by the signs of three volumes (Plücker): two
//! triangles that share an edge compute the same number for it, so no ray slips between them. Error: a ball
//! of a radius off by 8 unit roundoffs of the start's distance has the exact root. Cost: 3 dot products, 3
//! roots.

use glam::DVec3;

use crate::num::ops::sqrt;

/// The fractions of `d` at which the whole line s + t·d enters and leaves the ball of radius r about the
/// origin.
pub(super) fn ball_fractions(s: DVec3, d: DVec3, r: f64) -> Option<[f64; 2]> {
    let a = d.length_squared();
    if a == 0.0 {
        return None;
    }
    let b = s.dot(d);
    let distance = sqrt(s.length_squared());
    let closest = sqrt((s - d * (b / a)).length_squared());
    let height = (r - closest) * (r + closest);
    if height < 0.0 {
        return None;
    }
    // Both fractions share one sum without cancellation, and their product is c / a (Vieta).
    let root = sqrt(a * height);
    let c = (distance - r) * (distance + r);
    let (near, far) = if b < 0.0 {
        let sum = root - b;
        (c / sum, sum / a)
    } else {
        let sum = -(b + root);
        (sum / a, if sum < 0.0 { c / sum } else { 0.0 })
    };
    // A tangent has both in one place, which rounding may swap.
    Some([near.min(far), near.max(far)])
}

/// The first fraction, 0 … 1, at which s + t·d is in the ball: 0 if it starts there.
pub(super) fn ball(s: DVec3, d: DVec3, r: f64) -> Option<f64> {
    if s.length_squared() <= r * r {
        return Some(0.0);
    }
    // Outside and not nearing: never. This also keeps a rounded root from hitting what lies behind.
    if s.dot(d) >= 0.0 {
        return None;
    }
    let [enter, _] = ball_fractions(s, d, r)?;
    (enter <= 1.0).then_some(enter.max(0.0))
}

/// The first fraction, 0 … 1, at which t·d lies between the corners.
pub(super) fn slabs(min: DVec3, max: DVec3, d: DVec3) -> Option<f64> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for axis in 0..3 {
        if d[axis] == 0.0 {
            if min[axis] > 0.0 || max[axis] < 0.0 {
                return None;
            }
            continue;
        }
        let (low, high) = (min[axis] / d[axis], max[axis] / d[axis]);
        enter = enter.max(low.min(high));
        leave = leave.min(low.max(high));
    }
    (enter <= leave).then_some(enter)
}

/// The fraction, 0 … 1, at which a point from `from` along `d` passes through a flat convex outline, from
/// either side. `normal` is that of the outline, of any length. A line in the plane of the outline passes
/// through nothing.
pub(super) fn outline(corners: &[DVec3], normal: DVec3, from: DVec3, d: DVec3) -> Option<f64> {
    let speed = normal.dot(d);
    if speed == 0.0 {
        return None;
    }
    let (mut some_left, mut some_right) = (false, false);
    let mut previous = corners[corners.len() - 1] - from;
    for &corner in corners {
        let corner = corner - from;
        let side = previous.cross(corner).dot(d);
        some_left |= side > 0.0;
        some_right |= side < 0.0;
        previous = corner;
    }
    if some_left && some_right {
        return None;
    }
    // The corner nearest to the start says best how far away the plane is.
    let nearest =
        corners.iter().map(|&c| c - from).min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let fraction = normal.dot(nearest) / speed;
    (0.0..=1.0).contains(&fraction).then_some(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn a_line_through_the_middle_enters_and_leaves_at_the_radius() {
        assert_eq!(ball_fractions(dvec3(-2.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0), 1.0), Some([0.25, 0.75]));
        assert_eq!(ball_fractions(dvec3(2.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0), 1.0), Some([-0.75, -0.25]));
        assert_eq!(ball_fractions(DVec3::ZERO, dvec3(4.0, 0.0, 0.0), 1.0), Some([-0.25, 0.25]));
    }

    #[test]
    fn a_tangent_touches_once() {
        let [enter, leave] = ball_fractions(dvec3(-3.0, 1.0, 0.0), dvec3(4.0, 0.0, 0.0), 1.0).unwrap();
        assert!(enter <= leave && (enter - 0.75).abs() < 2e-16 && (leave - 0.75).abs() < 2e-16);
        assert_eq!(ball_fractions(dvec3(0.0, 1.0, 0.0), DVec3::X, 1.0), Some([0.0, 0.0]));
        assert_eq!(ball_fractions(dvec3(0.0, 1.0 + 1e-15, 0.0), DVec3::X, 1.0), None);
    }

    #[test]
    fn keeps_its_digits_far_from_the_ball() {
        // 10⁸ away the textbook discriminant has lost the 0.6 of the half chord at height 0.8.
        let [enter, leave] = ball_fractions(dvec3(-1e8, 0.8, 0.0), dvec3(2e8, 0.0, 0.0), 1.0).unwrap();
        assert!((-1e8 + 2e8 * enter + 0.6).abs() < 4e-8 && (-1e8 + 2e8 * leave - 0.6).abs() < 4e-8);
    }

    #[test]
    fn a_line_of_no_length_enters_nothing() {
        assert_eq!(ball_fractions(DVec3::X * 2.0, DVec3::ZERO, 1.0), None);
        assert_eq!(ball(DVec3::X * 0.5, DVec3::ZERO, 1.0), Some(0.0));
    }
}
