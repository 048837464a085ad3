//! Planes as integers of any length: where they meet, and how far in front of one a point lies.
//!
//! Source, error: as `plane`. Numbers that are small enough are computed in 128 bits, others in 512, and
//! only those beyond in integers of any length. Cost: a product of integers for each coordinate; in integers
//! of any length some microseconds for three planes.

use alloc::boxed::Box;
use core::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use glam::DVec3;

use super::wide::Wide;
use crate::num::exact_pair::{two_product, two_sum};

/// The grain of a number that is rounded.
pub(super) const ROUNDED: u32 = u32::MAX;
/// Positions are tried for being multiples of 2^−FINEST.
pub(super) const FINEST: u32 = 20;
/// Normals of integers below this, with distances below the square of it, keep all products within 128
/// bits.
const SMALL_NORMAL: u128 = 1 << 21;
const SMALL_DISTANCE: u128 = 1 << 42;

/// The same for [`Wide`] numbers: corners are below 2^350, and determinants below 2^464.
const MEDIUM_NORMAL: u128 = 1 << 110;
const MEDIUM_DISTANCE: u128 = 1 << 126;

/// Four integers without a common divisor, in the first of these that holds them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Whole {
    /// Below [`SMALL_NORMAL`] and [`SMALL_DISTANCE`].
    Small([i64; 4]),
    /// Below [`MEDIUM_NORMAL`] and [`MEDIUM_DISTANCE`].
    Medium([Wide<2>; 4]),
    /// All others.
    Large(Box<[IBig; 4]>),
}

impl Whole {
    fn integers(&self) -> [IBig; 4] {
        match self {
            Self::Small(numbers) => numbers.map(IBig::from),
            Self::Medium(numbers) => numbers.map(|x| IBig::from(i128::from(x))),
            Self::Large(numbers) => (**numbers).clone(),
        }
    }

    /// The numbers, if they are small or medium.
    #[inline(always)]
    pub(super) fn wide(&self) -> Option<[Wide<2>; 4]> {
        match self {
            Self::Small(numbers) => Some(numbers.map(|x| Wide::from(i128::from(x)))),
            Self::Medium(numbers) => Some(*numbers),
            Self::Large(_) => None,
        }
    }

    /// The numbers, if they are small.
    pub(super) fn small(&self) -> Option<[i128; 4]> {
        match self {
            Self::Small(numbers) => Some(numbers.map(i128::from)),
            Self::Medium(_) | Self::Large(_) => None,
        }
    }
}

impl From<[i128; 4]> for Whole {
    fn from(whole: [i128; 4]) -> Self {
        let normal = whole[..3].iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
        let distance = whole[3].unsigned_abs();
        if normal < SMALL_NORMAL && distance < SMALL_DISTANCE {
            Self::Small(whole.map(|x| x as i64))
        } else if normal < MEDIUM_NORMAL && distance < MEDIUM_DISTANCE {
            Self::Medium(whole.map(Wide::from))
        } else {
            Self::Large(Box::new(whole.map(IBig::from)))
        }
    }
}

impl From<[IBig; 4]> for Whole {
    fn from(whole: [IBig; 4]) -> Self {
        let words = whole.each_ref().map(|x| i128::try_from(x).ok());
        match words {
            [Some(x), Some(y), Some(z), Some(d)] => [x, y, z, d].into(),
            _ => Self::Large(Box::new(whole)),
        }
    }
}

/// normal · x = distance, in integers without a common divisor. The first component of the normal that
/// is not 0 is greater than 0.
#[derive(Clone, Debug)]
pub(super) struct WholePlane {
    pub(super) whole: Whole,
    /// The same times a power of two, each rounded: the largest component of the normal is from 1/2 to 1.
    pub(super) near: [f64; 4],
}

/// The least power of two in the coordinates of points, at most 0.
pub(super) fn lowest_exponent<const N: usize>(points: [DVec3; N]) -> i32 {
    let numbers = points.into_iter().flat_map(|point| point.to_array().map(parts));
    numbers.filter(|(m, _)| *m != 0).map(|(_, e)| e.min(0)).min().unwrap_or(0)
}

impl WholePlane {
    /// The numbers.
    pub(super) fn integers(&self) -> [IBig; 4] {
        self.whole.integers()
    }

    /// How far a point lies in front, times the length of the normal, in units of 2^lowest.
    pub(super) fn height(&self, point: DVec3, lowest: i32) -> IBig {
        let whole = self.integers();
        let mut value = -(&whole[3] << (-lowest) as usize);
        for ((m, e), n) in point.to_array().map(parts).into_iter().zip(&whole) {
            if m != 0 {
                value += n * (IBig::from(m) << (e - lowest) as usize);
            }
        }
        value
    }

    /// Whether a point lies behind (less), in the plane, or in front.
    pub(super) fn side_of(&self, point: DVec3) -> Ordering {
        let parts = point.to_array().map(parts);
        let lowest = parts.iter().fold(0, |least, (m, e)| if *m == 0 { least } else { least.min(*e) });
        let near = self.near_side_of(parts, lowest);
        near.unwrap_or_else(|| self.height(point, lowest).cmp(&IBig::ZERO))
    }

    /// The same for planes that are not large and points below 2^127 units of 2^lowest, which is at least
    /// 2^−120: then heights are below 2^249.
    #[inline(always)]
    fn near_side_of(&self, parts: [(i64, i32); 3], lowest: i32) -> Option<Ordering> {
        let [x, y, z, distance] = self.whole.wide()?;
        if lowest < -120 {
            return None;
        }
        if let Some(order) = Self::short_side_of([x, y, z, distance].map(i128::from), parts, lowest) {
            return Some(order);
        }
        let mut value = Wide::<4>::default() - distance.widened().shifted((-lowest) as usize);
        for ((m, e), n) in parts.into_iter().zip([x, y, z]) {
            if m == 0 {
                continue;
            }
            let shift = e - lowest;
            if shift > 73 {
                return None;
            }
            value = value + n.times(&Wide::from(i128::from(m) << shift));
        }
        Some(value.sign())
    }

    /// The same where all terms are below 2^125, as of most meshes.
    #[inline(always)]
    fn short_side_of(
        [x, y, z, distance]: [i128; 4],
        parts: [(i64, i32); 3],
        lowest: i32,
    ) -> Option<Ordering> {
        let bits = |x: i128| 128 - x.unsigned_abs().leading_zeros() as i32;
        if bits(distance) - lowest > 125 {
            return None;
        }
        let mut value = -(distance << -lowest);
        for ((m, e), n) in parts.into_iter().zip([x, y, z]) {
            let shift = if m == 0 { 0 } else { e - lowest };
            if bits(n) + bits(m.into()) + shift > 125 {
                return None;
            }
            value += n * (i128::from(m) << shift);
        }
        Some(value.cmp(&0))
    }

    /// The axis that it is across, and where it crosses it, if that is a number of f64.
    pub(super) fn crossing(&self) -> Option<(usize, f64)> {
        let [x, y, z, _] = self.near;
        let axis = match [x == 0.0, y == 0.0, z == 0.0] {
            [false, true, true] => 0,
            [true, false, true] => 1,
            [true, true, false] => 2,
            _ => return None,
        };
        let whole = match &self.whole {
            Whole::Small(whole) => whole.map(i128::from),
            Whole::Medium(whole) => whole.map(i128::from),
            Whole::Large(_) => return None,
        };
        // A component of the normal that is not 0 may still be rounded to 0.
        let (normal, distance) = (whole[axis], whole[3]);
        let is_axial = (0..3).all(|i| i == axis || whole[i] == 0);
        let has_few_digits = distance == 0
            || 128 - distance.unsigned_abs().leading_zeros() - distance.trailing_zeros()
                <= f64::MANTISSA_DIGITS;
        let is_exact = is_axial && has_few_digits && normal.count_ones() == 1;
        is_exact.then(|| (axis, distance as f64 * power(-(normal.trailing_zeros() as i32))))
    }

    pub(super) fn new(whole: Whole) -> Self {
        let near = match whole.wide() {
            Some(whole) => {
                let whole = whole.map(i128::from);
                let bits = whole[..3].iter().map(|x| 128 - x.unsigned_abs().leading_zeros()).max();
                whole.map(|x| x as f64 * power(-(bits.unwrap_or(0) as i32)))
            }
            None => {
                let whole = whole.integers();
                let bits = whole[..3].iter().map(|x| x.clone().unsigned_abs().bit_len()).max().unwrap_or(0);
                let divisor = IBig::ONE << bits;
                whole.each_ref().map(|x| ratio(x, &divisor).0)
            }
        };
        Self { whole, near }
    }
}

/// Finite numbers in units of 2^−shift, and the shift.
pub(super) fn whole_numbers<const N: usize>(numbers: [f64; N]) -> ([IBig; N], usize) {
    let parts = numbers.map(parts);
    let lowest = parts.iter().filter(|(m, _)| *m != 0).map(|(_, e)| (*e).min(0)).min().unwrap_or(0);
    let whole = parts.map(|(m, e)| if m == 0 { IBig::ZERO } else { IBig::from(m) << (e - lowest) as usize });
    (whole, lowest.unsigned_abs() as usize)
}

/// A finite number as m × 2^e with m odd, or 0.
pub(super) fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (m, e) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if m == 0 {
        return (0, 0);
    }
    let zeros = m.trailing_zeros();
    let m = m >> zeros;
    (if x < 0.0 { -m } else { m }, e + zeros as i32)
}

/// The numbers times the power of two that makes them whole. `None` if all are 0.
pub(super) fn common(numbers: &[(i64, i32); 4]) -> Option<[IBig; 4]> {
    let lowest = numbers.iter().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min()?;
    Some(numbers.map(|(m, e)| if m == 0 { IBig::ZERO } else { IBig::from(m) << (e - lowest) as usize }))
}

/// Where three planes meet, in homogeneous coordinates.
pub(super) fn meet([a, b, c]: [[i128; 4]; 3]) -> Option<[i128; 4]> {
    let cross = |u: [i128; 4], v: [i128; 4]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    let w = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    let [x, y, z] = [0, 1, 2].map(|i| a[3] * bc[i] + b[3] * ca[i] + c[3] * ab[i]);
    (w != 0).then_some([x, y, z, w])
}

/// The same for planes that are not large.
pub(super) fn meet_wide([a, b, c]: [[Wide<2>; 4]; 3]) -> Option<[Wide<6>; 4]> {
    let short = [a, b, c].map(|plane| [0, 1, 2].map(|i| plane[i].short()));
    if let [[Some(a0), Some(a1), Some(a2)], [Some(b0), Some(b1), Some(b2)], [Some(c0), Some(c1), Some(c2)]] =
        short
    {
        let distances = [a[3], b[3], c[3]];
        return meet_short([[a0, a1, a2], [b0, b1, b2], [c0, c1, c2]], distances);
    }
    let cross = |u: &[Wide<2>; 4], v: &[Wide<2>; 4]| -> [Wide<4>; 3] {
        let minor = |i: usize, j: usize| u[i].times(&v[j]) - u[j].times(&v[i]);
        [minor(1, 2), minor(2, 0), minor(0, 1)]
    };
    let (bc, ca, ab) = (cross(&b, &c), cross(&c, &a), cross(&a, &b));
    let w = a[0].times(&bc[0]) + a[1].times(&bc[1]) + a[2].times(&bc[2]);
    let [x, y, z] = [0, 1, 2].map(|i| a[3].times(&bc[i]) + b[3].times(&ca[i]) + c[3].times(&ab[i]));
    (w.sign() != Ordering::Equal).then_some([x, y, z, w])
}

/// The same for normals below 2^62, as of most meshes: their products are below 2^125.
fn meet_short([a, b, c]: [[i64; 3]; 3], [of_a, of_b, of_c]: [Wide<2>; 3]) -> Option<[Wide<6>; 4]> {
    let cross = |u: [i64; 3], v: [i64; 3]| {
        let product = |i: usize, j: usize| i128::from(u[i]) * i128::from(v[j]);
        let minor = |i: usize, j: usize| Wide::from(product(i, j) - product(j, i));
        [minor(1, 2), minor(2, 0), minor(0, 1)]
    };
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    let w: Wide<3> =
        bc[0].times(&Wide::from(a[0])) + bc[1].times(&Wide::from(a[1])) + bc[2].times(&Wide::from(a[2]));
    if w.sign() == Ordering::Equal {
        return None;
    }
    // Below 2^253.
    let along = |i: usize| -> Wide<4> { of_a.times(&bc[i]) + of_b.times(&ca[i]) + of_c.times(&ab[i]) };
    Some([along(0).widened(), along(1).widened(), along(2).widened(), w.widened()])
}

/// The same for all planes.
pub(super) fn meet_whole([a, b, c]: [[IBig; 4]; 3]) -> Option<[IBig; 4]> {
    let cross = |u: &[IBig; 4], v: &[IBig; 4]| {
        [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]]
    };
    let (bc, ca, ab) = (cross(&b, &c), cross(&c, &a), cross(&a, &b));
    let w = &a[0] * &bc[0] + &a[1] * &bc[1] + &a[2] * &bc[2];
    let [x, y, z] = [0, 1, 2].map(|i| &a[3] * &bc[i] + &b[3] * &ca[i] + &c[3] * &ab[i]);
    (!w.is_zero()).then_some([x, y, z, w])
}

/// The nearest f64 to a ratio, and its grain.
pub(super) fn small_ratio(over: i128, under: i128) -> (f64, u32) {
    let (over, under) = if under < 0 { (-over, -under) } else { (over, under) };
    if over % under == 0 && (over / under).unsigned_abs() < 1 << 53 {
        return ((over / under) as f64, 0);
    }
    // Both have room: the numerator is below 2^87, see the sizes above.
    let fine = over << FINEST;
    if fine % under == 0 && (fine / under).unsigned_abs() < 1 << 53 {
        let unit = f64::from(1u32 << FINEST);
        return ((fine / under) as f64 / unit, FINEST);
    }
    let size = over.unsigned_abs();
    let shift = size.leading_zeros().saturating_sub(1);
    let (quotient, rest) = ((size << shift) / under.unsigned_abs(), (size << shift) % under.unsigned_abs());
    // The last bit says that there is a rest: then rounding to nearest is right. There are at least 60 bits
    // before it.
    let near = (quotient | u128::from(rest != 0)) as f64 * power(-(shift as i32));
    (if over < 0 { -near } else { near }, ROUNDED)
}

/// The same for numbers below 2^350, without a division of integers. `None` if rounding leaves the answer
/// open.
pub(super) fn wide_ratio(over: &Wide<6>, under: &Wide<6>) -> Option<(f64, u32)> {
    // Rounding is below 2^−100.
    const BOUND: f64 = f64::EPSILON / (1u64 << 46) as f64;
    if over.sign() == Ordering::Equal {
        return Some((0.0, 0));
    }
    let ((x, x_low, x_exponent), (y, y_low, y_exponent)) = (over.rounded(), under.rounded());
    let first = x / y;
    let (product, rest) = two_product(first, y);
    let second = (((x - product) - rest) + x_low - first * y_low) / y;
    let (near, low) = two_sum(first, second);
    let size = near * power(x_exponent - y_exponent);
    let value = if over.is_negative() == under.is_negative() { size } else { -size };
    if low.abs() > BOUND {
        let is_nearest = near + (low + BOUND) == near && near + (low - BOUND) == near;
        return is_nearest.then_some((value, ROUNDED));
    }
    let (m, e) = parts(value);
    let product: Wide<8> = Wide::<2>::from(i128::from(m)).times(under);
    let is_equal = match e {
        0..100 => product.shifted(e as usize) == over.widened(),
        -150..0 => product == over.widened::<8>().shifted(-e as usize),
        _ => false,
    };
    is_equal.then(|| (value, fraction_bits(value)))
}

/// How many digits a number has after the point, in binary.
pub(super) fn fraction_bits(x: f64) -> u32 {
    let (_, exponent) = parts(x);
    if exponent < 0 { exponent.unsigned_abs() } else { 0 }
}

/// The same for integers of any length.
pub(super) fn ratio(over: &IBig, under: &IBig) -> (f64, u32) {
    if over.is_zero() {
        return (0.0, 0);
    }
    let negative = (over < &IBig::ZERO) != (under < &IBig::ZERO);
    let (over, under) = (over.clone().unsigned_abs(), under.clone().unsigned_abs());
    let shift = 70 + under.bit_len() as i64 - over.bit_len() as i64;
    let (over, under) =
        if shift >= 0 { (over << shift as usize, under) } else { (over, under << (-shift) as usize) };
    let (quotient, rest) = (&over / &under, &over % &under);
    let quotient = u128::try_from(&quotient).unwrap_or(u128::MAX);
    let near = scaled((quotient | u128::from(!rest.is_zero())) as f64, -shift);
    let grain = if !rest.is_zero() || quotient as f64 as u128 != quotient {
        ROUNDED
    } else {
        let lowest = i64::from(quotient.trailing_zeros()) - shift;
        if lowest >= 0 { 0 } else { u32::try_from(-lowest).unwrap_or(ROUNDED) }
    };
    (if negative { -near } else { near }, grain)
}

/// 2^e for exponents of normal numbers.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// A number times 2^e, over several steps where one would not do.
fn scaled(mut x: f64, mut e: i64) -> f64 {
    while e > 1000 && x.is_finite() {
        x *= power(1000);
        e -= 1000;
    }
    while e < -1000 && x != 0.0 {
        x *= power(-1000);
        e += 1000;
    }
    if (-1000..=1000).contains(&e) { x * power(e as i32) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In 128 bits, in words and in integers of any length.
    #[test]
    fn sides_and_corners_are_the_same_in_numbers_of_any_size() {
        let mut state = 3u64;
        let mut number = |bits: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = i128::from(state as i64) << 63 ^ i128::from(state >> 5);
            number >> (128 - bits)
        };
        let (mut short, mut on) = (0, 0);
        for round in 0..6000u32 {
            // Below 2^62 and beyond.
            let bits = [20, 50, 62, 63, 64, 100][round as usize % 6];
            let planes = [(); 3].map(|()| [number(bits), number(bits), number(bits), number(bits + 20)]);
            let wide = planes.map(|plane| plane.map(Wide::from));
            short += u32::from(wide.iter().all(|plane| plane[..3].iter().all(|x| x.short().is_some())));
            let whole = meet_whole(planes.map(|plane| plane.map(IBig::from)));
            let same = |x: &Wide<6>, y: &IBig| {
                // Compared by the nearest f64 to both, and by their signs.
                x.sign() == y.cmp(&IBig::ZERO)
                    && wide_ratio(x, &Wide::from(1i128).widened())
                        .is_none_or(|(x, _)| x == ratio(y, &IBig::ONE).0)
            };
            match (meet_wide(wide), whole) {
                (Some(found), Some(expected)) => {
                    assert!(found.iter().zip(&expected).all(|(x, y)| same(x, y)), "{planes:?}");
                }
                (found, expected) => assert_eq!(found.is_none(), expected.is_none()),
            }
            let point =
                DVec3::from_array([(); 3].map(|()| number(30) as f64 / f64::from(1u32 << (round % 32))));
            // Some in the plane.
            let mut plane = planes[0];
            if round % 5 == 0 && bits < 64 {
                let scaled = (point * f64::from(1u32 << (round % 32))).to_array().map(|x| x as i128);
                plane[3] = plane[0] * scaled[0] + plane[1] * scaled[1] + plane[2] * scaled[2];
                for x in &mut plane[..3] {
                    *x <<= round % 32;
                }
            }
            let plane = WholePlane::new(plane.into());
            let side = plane.height(point, lowest_exponent([point])).cmp(&IBig::ZERO);
            assert_eq!(plane.side_of(point), side, "{plane:?} {point}");
            on += u32::from(side.is_eq());
        }
        assert!(short > 1000 && on > 100, "{short}, {on}");
    }

    #[test]
    fn ratios_without_a_division_are_those_with_one() {
        let mut state = 2u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bits = i128::from(state as i64) << 63 ^ i128::from(state >> 7);
            bits >> ((state >> 40) % 126)
        };
        let (mut exact, mut open) = (0, 0);
        for round in 0..6000 {
            let (mut a, b, c) = (number(), number(), number());
            if b == 0 {
                continue;
            }
            let factor = match round % 3 {
                // A number of f64, or one between two.
                0 => {
                    a >>= 72;
                    1
                }
                1 => 1 << 20,
                _ => c,
            };
            let product: Wide<4> = Wide::from(a).times(&Wide::from(if round % 3 == 2 { c } else { b }));
            let over: Wide<6> = Wide::<2>::from(factor).times(&product);
            let under: Wide<6> = Wide::from(if round % 3 == 1 { 1 << 90 } else { b }).widened();
            let [a, b, c, factor] = [a, b, c, factor].map(IBig::from);
            let whole = if round % 3 == 2 { &a * &c * &factor } else { &a * &b * &factor };
            let expected = ratio(&whole, &if round % 3 == 1 { IBig::ONE << 90 } else { b });
            match wide_ratio(&over, &under) {
                Some(found) => {
                    assert_eq!(found, expected);
                    exact += i32::from(found.1 != ROUNDED);
                }
                None => open += 1,
            }
        }
        assert!(exact > 1000 && open < 1000, "{exact}, {open}");
    }
}
