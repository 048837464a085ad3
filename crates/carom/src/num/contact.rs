//! The contact root: when a point on a straight path first comes within a radius of the origin.
//!
//! Source: derived in `docs/contact-root.md`. The quadratic |s + t·d|² = r² is solved through the closest
//! approach as a *vector*. So nothing of nearly equal size is subtracted, and grazing paths keep their
//! digits. Error: the root is exact for a radius that is off by at most 8 unit roundoffs of |s| + |d| + r.
//! Cost: 3 dot products, 2 divisions, 3 roots. It never gives up: a number that overflowed stops the mover at
//! 0.

use glam::DVec3;

use super::ops::sqrt;

/// A little more than 1: the factor by which rounding may make two equal lengths differ, many times over.
const NEARLY: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;
/// The rounding of a sum of products, as a share of the largest of them, many times over.
const SLACK: f64 = 1.0 / (1u64 << 46) as f64;

/// The result of the contact root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactRoot {
    /// Nowhere on the path within the radius, or only moving away.
    None,
    /// Within the radius at the start already.
    Touching,
    /// First within the radius at `fraction` of the way.
    At {
        /// The share of the way before the contact, 0 … 1.
        fraction: f64,
        /// How near to the origin the whole straight line comes.
        closest: f64,
    },
}

/// First contact of a point that moves from `offset` by `translation` with the ball of `radius` about the
/// origin.
///
/// Nearing the origin more slowly than `threshold` (a speed, as a length per whole path) does not count as an
/// approach: give 0 for exact inputs, [`super::bound::APPROACH`] times the length of the whole motion for
/// computed ones.
///
/// ```
/// use carom::num::contact::{ContactRoot, contact_root};
/// use glam::dvec3;
/// let contact = contact_root(dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0), 1.0, 0.0);
/// assert_eq!(contact, ContactRoot::At { fraction: 0.5, closest: 0.0 });
/// ```
#[inline(always)]
pub fn contact_root(offset: DVec3, translation: DVec3, radius: f64, threshold: f64) -> ContactRoot {
    let (squared, b, a) = (offset.length_squared(), offset.dot(translation), translation.length_squared());
    let radius_squared = radius * radius;
    // Most queries end here, without a root or a division. The margin covers the few roundings of these
    // products, so every path rejected here would be rejected below.
    if squared > radius_squared * NEARLY {
        let end = squared + 2.0 * b + a;
        let noise = (squared + a) * SLACK;
        let passes_by = squared * a - b * b > radius_squared * a * NEARLY + squared * a * SLACK;
        let ends_short = b + a <= 0.0 && end > radius_squared * NEARLY + noise;
        if b >= 0.0 || passes_by || ends_short {
            return ContactRoot::None;
        }
    }
    let length = sqrt(squared);
    if length <= radius {
        return ContactRoot::Touching;
    }
    if b >= -threshold * length {
        return ContactRoot::None;
    }
    let closest = sqrt((offset - translation * (b / a)).length_squared());
    let height = (radius - closest) * (radius + closest);
    if height < 0.0 {
        return ContactRoot::None;
    }
    let fraction = (length - radius) * (length + radius) / (sqrt(a * height) - b);
    if fraction > 1.0 {
        return ContactRoot::None;
    }
    // A NaN arrives here and stops the mover.
    ContactRoot::At { fraction: if fraction > 0.0 { fraction } else { 0.0 }, closest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn touching_at_the_start_is_said_even_when_leaving() {
        assert_eq!(contact_root(DVec3::X, DVec3::X, 1.0, 0.0), ContactRoot::Touching);
    }

    #[test]
    fn a_way_that_leads_away_or_ends_short_has_no_contact() {
        assert_eq!(contact_root(DVec3::X * 2.0, DVec3::X, 1.0, 0.0), ContactRoot::None);
        assert_eq!(contact_root(DVec3::X * 2.0, DVec3::X * -0.5, 1.0, 0.0), ContactRoot::None);
    }

    #[test]
    fn the_very_end_of_the_way_counts() {
        let contact = contact_root(DVec3::X * 2.0, -DVec3::X, 1.0, 0.0);
        assert_eq!(contact, ContactRoot::At { fraction: 1.0, closest: 0.0 });
    }

    #[test]
    fn keeps_its_digits_far_from_the_ball() {
        // A ball of 1 seen from 10⁹ away, grazed at 0.8: the textbook discriminant has lost the 0.6 by then.
        let contact = contact_root(dvec3(-1e9, 0.8, 0.0), dvec3(2e9, 0.0, 0.0), 1.0, 0.0);
        let ContactRoot::At { fraction, closest } = contact else { panic!("{contact:?}") };
        assert!((closest - 0.8).abs() < 1e-15);
        assert!((-1e9 + 2e9 * fraction + 0.6).abs() < 1e-6);
    }

    #[test]
    fn scales_with_the_scene_bit_for_bit() {
        let (s, d, r) = (dvec3(1.7, -2.3, 0.9), dvec3(-1.9, 2.2, -1.3), 0.75);
        let one = contact_root(s, d, r, 0.0);
        let k = 2f64.to_bits();
        let k = f64::from_bits(k + (19 << 52));
        match (one, contact_root(s * k, d * k, r * k, 0.0)) {
            (ContactRoot::At { fraction: f, closest: c }, ContactRoot::At { fraction: g, closest: e }) => {
                assert_eq!(f, g);
                assert_eq!(c * k, e);
            }
            other => panic!("{other:?}"),
        }
    }
}
