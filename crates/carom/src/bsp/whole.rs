//! Planes as integers of any length: where they meet, and how far in front of one a point lies.
//!
//! Source, error: as `plane`. Numbers that are small enough are computed in 128 bits. Cost: a product of
//! integers for each coordinate, some microseconds for three planes of any length.

use alloc::vec::Vec;

use dashu_int::IBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use glam::DVec3;

/// The grain of a number that is rounded.
pub(super) const ROUNDED: u32 = u32::MAX;
/// Positions are tried for being multiples of 2^−FINEST.
pub(super) const FINEST: u32 = 20;
/// Normals of integers below this, with distances below the square of it, keep all products within 128
/// bits.
const SMALL_NORMAL: u64 = 1 << 21;
const SMALL_DISTANCE: u64 = 1 << 42;

/// normal · x = distance, in integers without a common divisor. The first component of the normal that
/// is not 0 is greater than 0.
#[derive(Clone, Debug)]
pub(super) struct WholePlane {
    pub(super) whole: [IBig; 4],
    /// The same, if the numbers are small.
    pub(super) small: Option<[i64; 4]>,
    /// The same times a power of two, each rounded: the largest component of the normal is from 1/2 to 1.
    pub(super) near: [f64; 4],
}

/// The least power of two in the coordinates of points, at most 0.
pub(super) fn lowest_exponent<const N: usize>(points: [DVec3; N]) -> i32 {
    let numbers = points.into_iter().flat_map(|point| point.to_array().map(parts));
    numbers.filter(|(m, _)| *m != 0).map(|(_, e)| e.min(0)).min().unwrap_or(0)
}

impl WholePlane {
    /// How far a point lies in front, times the length of the normal, in units of 2^lowest.
    pub(super) fn height(&self, point: DVec3, lowest: i32) -> IBig {
        let mut value = -(&self.whole[3] << (-lowest) as usize);
        for ((m, e), n) in point.to_array().map(parts).into_iter().zip(&self.whole) {
            if m != 0 {
                value += n * (IBig::from(m) << (e - lowest) as usize);
            }
        }
        value
    }

    pub(super) fn new(whole: [IBig; 4]) -> Self {
        let small = whole
            .each_ref()
            .map(|x| i64::try_from(x).ok())
            .iter()
            .copied()
            .collect::<Option<Vec<i64>>>()
            .filter(|n| {
                n[..3].iter().all(|x| x.unsigned_abs() < SMALL_NORMAL) && n[3].unsigned_abs() < SMALL_DISTANCE
            })
            .map(|n| [n[0], n[1], n[2], n[3]]);
        let bits = whole[..3].iter().map(|x| x.clone().unsigned_abs().bit_len()).max().unwrap_or(0);
        let divisor = IBig::ONE << bits;
        let near = whole.each_ref().map(|x| ratio(x, &divisor).0);
        Self { whole, small, near }
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

pub(super) fn meet_whole([a, b, c]: [&[IBig; 4]; 3]) -> Option<[IBig; 4]> {
    let cross = |u: &[IBig; 4], v: &[IBig; 4]| {
        [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]]
    };
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
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
