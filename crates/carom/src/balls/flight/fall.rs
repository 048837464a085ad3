//! When a polynomial of time first is at most 0 and falling: the contact root of curved flight.
//!
//! Source: derived in `docs/balls.md`. A gap (or the square of a distance less that of a radius) of bodies
//! that fly along parabolas is a polynomial of degree 2 (planes) or 4 (points and lines). Contact is where it
//! falls through 0, *or already is below and begins to fall*: a ball that rests at a gap of −1e-17 and hops
//! is caught on its return. The quartic is cut at its turning points, each found between those of the next
//! derivative, and every falling piece is searched by Newton's steps within a bracket. Error: the root of the
//! computed polynomial to four parts in 2⁵² of the horizon, on the side before contact. Cost: one root
//! (degree 2); up to four searches of some eight steps each, at most 128. It never gives up: a NaN falls at
//! once.

use crate::num::ops::sqrt;

/// c₀ + c₁t + c₂t²: the first time from 0 on when it is at most 0 and falls.
#[inline]
pub(crate) fn quadratic_fall(c: [f64; 3]) -> Option<f64> {
    let [c0, c1, c2] = c;
    if c1 < 0.0 || (c1 == 0.0 && c2 < 0.0) {
        if c0 <= 0.0 {
            return Some(0.0);
        }
        if c2 == 0.0 {
            return Some(c0 / -c1);
        }
        let discriminant = c1 * c1 - 4.0 * c2 * c0;
        if discriminant < 0.0 {
            return None;
        }
        // Both terms of the sum are positive: nothing cancels.
        return Some(2.0 * c0 / (sqrt(discriminant) - c1));
    }
    if c2 < 0.0 {
        let top = c1 / (-2.0 * c2);
        let discriminant = c1 * c1 - 4.0 * c2 * c0;
        // Never above 0, by rounding: the contact is where it begins to fall.
        let root = if discriminant > 0.0 { (c1 + sqrt(discriminant)) / (-2.0 * c2) } else { top };
        return Some(if root > top { root } else { top });
    }
    // Rises or stands for good; a NaN is contact.
    if c0.is_nan() || c1.is_nan() || c2.is_nan() { Some(0.0) } else { None }
}

/// Σ cᵢtⁱ, degree 4.
pub(crate) type Quartic = [f64; 5];

/// The times in [0, horizon] when the polynomial is at most 0 and falls, at most one for each falling piece,
/// offered in order until `accept` takes one.
pub(crate) fn quartic_fall(c: &Quartic, horizon: f64, mut accept: impl FnMut(f64) -> bool) -> Option<f64> {
    if c.iter().any(|c| c.is_nan()) || !horizon.is_finite() {
        return Some(0.0);
    }
    let value = |t: f64| (((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0];
    let slope = |t: f64| ((4.0 * c[4] * t + 3.0 * c[3]) * t + 2.0 * c[2]) * t + c[1];
    let bend = |t: f64| (12.0 * c[4] * t + 6.0 * c[3]) * t + 2.0 * c[2];
    // The turning points of the slope cut [0, horizon] into at most three pieces, on each of which the slope
    // is monotone.
    let mut cuts = [0.0, horizon, horizon, horizon];
    let bends = bends(12.0 * c[4], 6.0 * c[3], 2.0 * c[2]);
    let mut count = 1;
    for bend in bends {
        if bend > cuts[count - 1] && bend < horizon {
            cuts[count] = bend;
            count += 1;
        }
    }
    // The turning points of the value: where the slope changes sign.
    let mut turns = [0.0, horizon, horizon, horizon, horizon];
    let mut turn_count = 1;
    for piece in 0..count {
        let (low, high) = (cuts[piece], cuts[piece + 1]);
        let (at_low, at_high) = (slope(low), slope(high));
        if (at_low < 0.0) != (at_high < 0.0) {
            // A turning point is where the value is flat: half of its digits do.
            let side = if at_low < 0.0 { -1.0 } else { 1.0 };
            turns[turn_count] = search(|t| [side * slope(t), side * bend(t)], low, high);
            turn_count += 1;
        }
    }
    for piece in 0..turn_count {
        let (low, high) = (turns[piece], turns[piece + 1]);
        let (at_low, at_high) = (value(low), value(high));
        // Falling at the very start counts even where the piece is all rounding.
        let falls = at_high < at_low || (piece == 0 && c[1] < 0.0);
        if !falls {
            continue;
        }
        if at_low <= 0.0 {
            if accept(low) {
                return Some(low);
            }
        } else if at_high <= 0.0 {
            let root = search(|t| [value(t), slope(t)], low, high);
            if accept(root) {
                return Some(root);
            }
        }
    }
    None
}

/// The real roots of at² + bt + c in order; infinities in place of missing ones.
fn bends(a: f64, b: f64, c: f64) -> [f64; 2] {
    const NONE: f64 = f64::INFINITY;
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return [NONE, NONE];
    }
    let q = if b < 0.0 { -0.5 * (b - sqrt(discriminant)) } else { -0.5 * (b + sqrt(discriminant)) };
    let (x, y) = (if a == 0.0 { NONE } else { q / a }, if q == 0.0 { NONE } else { c / q });
    if x < y { [x, y] } else { [y, x] }
}

/// The last place, to four parts in 2⁵² of `high`, where a falling function is still above 0; it is at `low`
/// and is not at `high`. The function gives its value and its slope.
fn search(at: impl Fn(f64) -> [f64; 2], mut low: f64, mut high: f64) -> f64 {
    let fine = f64::EPSILON * high;
    let mut place = low + 0.5 * (high - low);
    for _ in 0..128 {
        if high - low <= 4.0 * fine || place <= low || place >= high {
            break;
        }
        let [value, slope] = at(place);
        let is_before = value > 0.0;
        if is_before {
            low = place;
        } else {
            high = place;
        }
        let next = place - value / slope;
        let near = (next - place).abs() <= fine;
        place = if near {
            // There, but for what holds the bracket open on the other side.
            if is_before { place + 2.0 * fine } else { place - 2.0 * fine }
        } else if next > low && next < high {
            next
        } else {
            low + 0.5 * (high - low)
        };
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(c: Quartic, horizon: f64) -> Option<f64> {
        quartic_fall(&c, horizon, |_| true)
    }

    #[test]
    fn a_throw_comes_down_again() {
        // Up at 3, pulled by 2: back after 3.
        assert_eq!(quadratic_fall([0.0, 3.0, -1.0]), Some(3.0));
        assert_eq!(first([0.0, 3.0, -1.0, 0.0, 0.0], 10.0).map(|t| (t - 3.0).abs() < 1e-14), Some(true));
    }

    #[test]
    fn what_rests_a_rounding_too_deep_is_caught_on_its_return() {
        let t = quadratic_fall([-1e-17, 1.0, -5.0]).unwrap();
        assert!((t - 0.2).abs() < 1e-15);
        // Too deep for its hop to show: contact where it begins to fall.
        assert_eq!(quadratic_fall([-1.0, 1.0, -5.0]), Some(0.1));
        let t = first([-1.0, 1.0, -5.0, 0.0, 0.0], 9.0).unwrap();
        assert!((t - 0.1).abs() < 1e-14);
    }

    #[test]
    fn touching_falls_at_once_only_if_it_falls() {
        assert_eq!(quadratic_fall([0.0, -1.0, 0.0]), Some(0.0));
        assert_eq!(quadratic_fall([0.0, 1.0, 0.0]), None);
        assert_eq!(quadratic_fall([0.0, 0.0, 0.0]), None);
        assert_eq!(first([0.0, -1.0, 0.0, 0.0, 0.0], 9.0), Some(0.0));
        assert_eq!(first([0.0, 1.0, 0.0, 0.0, 0.0], 9.0), None);
    }

    #[test]
    fn every_fall_of_a_quartic_is_offered_in_order() {
        // (t−1)(t−2)(t−3)(t−4): falls through 0 at 1 and at 3.
        let c = [24.0, -50.0, 35.0, -10.0, 1.0];
        let mut seen = [0.0; 2];
        let mut count = 0;
        let none = quartic_fall(&c, 10.0, |t| {
            seen[count] = t;
            count += 1;
            false
        });
        assert_eq!((none, count), (None, 2));
        assert!((seen[0] - 1.0).abs() < 1e-13 && (seen[1] - 3.0).abs() < 1e-13, "{seen:?}");
        assert!((first(c, 1.5).unwrap() - 1.0).abs() < 1e-13);
        assert_eq!(first(c, 0.5), None);
    }

    #[test]
    fn a_lost_number_is_contact() {
        assert_eq!(first([f64::NAN, 0.0, 0.0, 0.0, 0.0], 1.0), Some(0.0));
        assert_eq!(quadratic_fall([f64::NAN, 0.0, 0.0]), Some(0.0));
    }

    #[test]
    fn scales_by_powers_of_two_bit_for_bit() {
        let c = [0.7, 0.3, -1.9, 0.1, 0.05];
        let k = 1024.0;
        assert_eq!(first(c, 5.0), first(c.map(|c| c * k), 5.0));
    }
}
