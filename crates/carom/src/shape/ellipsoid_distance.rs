//! The point of an ellipsoid nearest to any point.
//!
//! Source: Eberly, *Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid*. With z = p/e and
//! r = (e/least e)² the nearest point is e·q, q = r·z / (t + r − 1), axis by axis, where t makes |q| = 1. His
//! variable is s = t − 1; in t no term is a difference, so points near the middle plane, where s → −1, keep
//! their digits. Instead of halving a bracket about sixty times: 1/|q| is concave in t, so Newton's method
//! from the left of the root never passes it (Reinsch), and the start, where the largest q is 1, is at most a
//! factor √3 away from it. Error: each q to about ten unit roundoffs at the t found; scaled to |q| = 1 at the
//! end, so that the point is on the surface. An error in t slides the point along the surface, where the
//! distance is least and does not feel it in first order. Cost: 4 to 8 steps of 3 divisions and a root. Gives
//! up: after 64 steps, which convexity rules out; the point is then on the surface still.

use glam::DVec3;

use crate::num::ops::sqrt;

/// The point of the ellipsoid with these radii along the axes nearest to `p`. For equals, the one at the
/// upper side.
pub(super) fn closest_on_ellipsoid(radii: DVec3, p: DVec3) -> DVec3 {
    let least = radii.min_element();
    let shortest = if radii.x == least {
        0
    } else if radii.y == least {
        1
    } else {
        2
    };
    // r − 1, without the cancellation.
    let beyond = (radii - least) * (radii + least) / (least * least);
    let pull = (beyond + 1.0) * (p.abs() / radii);
    let mut t = (pull - beyond).max_element();
    if t <= 0.0 {
        // On the plane across the shortest axis, and not beyond it along the others: two points, above and
        // below, may be nearest.
        let mut on_ball = DVec3::select(beyond.cmpgt(DVec3::ZERO), pull / beyond, DVec3::ZERO);
        let rest = 1.0 - on_ball.length_squared();
        if rest >= 0.0 {
            on_ball[shortest] = sqrt(rest);
            return towards(p, on_ball * radii);
        }
        t = 0.0;
    }
    let scaled = |t: f64| {
        let below = beyond + t;
        let on_ball = DVec3::select(below.cmpgt(DVec3::ZERO), pull / below, DVec3::ZERO);
        (on_ball, on_ball / below.max(DVec3::splat(f64::MIN_POSITIVE)))
    };
    for _ in 0..64 {
        let (on_ball, slope) = scaled(t);
        let squared = on_ball.length_squared();
        let length = sqrt(squared);
        let next = t + (length - 1.0) * squared / on_ball.dot(slope);
        if next > t {
            t = next;
        } else {
            break;
        }
    }
    let (on_ball, _) = scaled(t);
    towards(p, on_ball / sqrt(on_ball.length_squared()) * radii)
}

/// The mirror image in the octant of `p`; a coordinate of 0 or −0 counts as upper.
fn towards(p: DVec3, nearest: DVec3) -> DVec3 {
    DVec3::select(p.cmplt(DVec3::ZERO), -nearest, nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    /// Eberly's own method, to the last bit.
    fn by_halving(radii: DVec3, p: DVec3) -> DVec3 {
        let least = radii.min_element();
        let beyond = (radii - least) * (radii + least) / (least * least);
        let pull = (beyond + 1.0) * (p.abs() / radii);
        let (mut low, mut high) = (0.0, pull.length());
        loop {
            let t = 0.5 * (low + high);
            if t <= low || t >= high {
                return (pull / (beyond + high)).copysign(p) * radii;
            }
            if (pull / (beyond + t)).length_squared() > 1.0 { low = t } else { high = t }
        }
    }

    #[test]
    fn agrees_with_halving() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let radii = dvec3(random() + 0.05, random() + 0.05, random() + 0.05);
            let p = dvec3(random() - 0.5, random() - 0.5, random() - 0.5) * 4.0 * random();
            let (a, b) = (closest_on_ellipsoid(radii, p), by_halving(radii, p));
            let (near, far) = (sqrt((a - p).length_squared()), sqrt((b - p).length_squared()));
            assert!((near - far).abs() < 1e-14, "{radii} {p}: {near} {far}");
            assert!(((a / radii).length_squared() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn from_the_middle_the_shortest_axis_is_nearest() {
        assert_eq!(closest_on_ellipsoid(dvec3(3.0, 2.0, 1.0), DVec3::ZERO), DVec3::Z);
        assert_eq!(closest_on_ellipsoid(dvec3(1.0, 2.0, 1.0), DVec3::ZERO), DVec3::X);
        assert_eq!(closest_on_ellipsoid(DVec3::splat(2.0), DVec3::ZERO), DVec3::X * 2.0);
    }

    #[test]
    fn on_the_middle_plane_the_nearest_point_lies_above_it_until_the_focal_curve() {
        // An ellipse of 2 by 1: centers of curvature begin at x = (4 − 1) / 2.
        let radii = dvec3(2.0, 1.0, 1.0);
        let inside = closest_on_ellipsoid(radii, dvec3(1.2, 0.0, 0.0));
        assert!((inside - dvec3(1.6, 0.6, 0.0)).length_squared() < 1e-30, "{inside}");
        assert_eq!(closest_on_ellipsoid(radii, dvec3(1.5, 0.0, 0.0)), dvec3(2.0, 0.0, 0.0));
        assert_eq!(closest_on_ellipsoid(radii, dvec3(-1.9, 0.0, 0.0)), dvec3(-2.0, 0.0, 0.0));
        // As near as can be to the plane, the answer is as near as can be to that on it.
        let close = closest_on_ellipsoid(radii, dvec3(1.2, -1e-300, 0.0));
        assert!((close - dvec3(1.6, -0.6, 0.0)).length_squared() < 1e-30, "{close}");
    }

    #[test]
    fn a_ball_is_an_ellipsoid() {
        let p = dvec3(3.0, -4.0, 12.0);
        let nearest = closest_on_ellipsoid(DVec3::splat(6.5), p);
        assert!((nearest - p * 0.5).length_squared() < 1e-29);
    }

    #[test]
    fn scales_with_the_scene_bit_for_bit() {
        let (radii, p) = (dvec3(0.3, 0.7, 1.9), dvec3(0.2, -0.1, 2.5));
        let k = (1u64 << 40) as f64;
        assert_eq!(closest_on_ellipsoid(radii * k, p * k), closest_on_ellipsoid(radii, p) * k);
        assert_eq!(closest_on_ellipsoid(radii / k, p / k), closest_on_ellipsoid(radii, p) / k);
    }
}
