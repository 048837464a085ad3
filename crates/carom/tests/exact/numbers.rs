//! Exact numbers: every f64 is an integer times a power of two, and stays one under + − ×.
//!
//! [`Dyadic`] holds such numbers of any size; [`Vector`] holds three integers in a unit that all of one
//! problem share, where the geometry is done; [`Ratio`] is the one quotient that a squared distance needs,
//! compared by cross-multiplying.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Neg, Sub};

use carom::num::ops;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign};
use glam::DVec3;

/// `mantissa × 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    mantissa: IBig,
    exponent: i64,
}

impl Dyadic {
    pub(crate) fn new(x: f64) -> Self {
        assert!(x.is_finite(), "only finite numbers are exact");
        let bits = x.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        let trailing = if magnitude == 0 { 0 } else { magnitude.trailing_zeros() };
        let mantissa = IBig::from(magnitude >> trailing);
        Self {
            mantissa: if x < 0.0 { -mantissa } else { mantissa },
            exponent: if magnitude == 0 { 0 } else { exponent + i64::from(trailing) },
        }
    }

    fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// The exponent, or none for zero, which is a multiple of every power.
    pub(crate) fn exponent(&self) -> Option<i64> {
        (!self.is_zero()).then_some(self.exponent)
    }

    /// The integer that this number is in units of `2^exponent`, which must divide it.
    pub(crate) fn in_units_of(&self, exponent: i64) -> IBig {
        if self.is_zero() {
            return IBig::ZERO;
        }
        let shift = usize::try_from(self.exponent - exponent).expect("the unit divides the number");
        self.mantissa.clone() << shift
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: Self) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Dyadic { mantissa: self.in_units_of(exponent) + other.in_units_of(exponent), exponent }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: Self) -> Dyadic {
        Dyadic { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }
}

/// Three exact coordinates.
pub(crate) type ExactPoint = [Dyadic; 3];

pub(crate) fn place(v: DVec3) -> ExactPoint {
    v.to_array().map(Dyadic::new)
}

pub(crate) fn sum(a: &ExactPoint, b: &ExactPoint) -> ExactPoint {
    core::array::from_fn(|i| &a[i] + &b[i])
}

/// Three integers in a unit that the whole problem shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vector(pub(crate) [IBig; 3]);

impl Vector {
    pub(crate) fn dot(&self, other: &Self) -> IBig {
        let (a, b) = (&self.0, &other.0);
        &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
    }

    pub(crate) fn cross(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self([&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]])
    }

    pub(crate) fn length_squared(&self) -> IBig {
        self.dot(self)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(IBig::is_zero)
    }

    pub(crate) fn times(&self, by: &IBig) -> Self {
        let a = &self.0;
        Self([&a[0] * by, &a[1] * by, &a[2] * by])
    }

    /// The unit vector of this direction to within a few ulp; zero for zero.
    pub(crate) fn direction(&self) -> DVec3 {
        let bits = self.0.iter().map(BitTest::bit_len).max().expect("three coordinates");
        let v = DVec3::from_array(core::array::from_fn(|i| scaled(&self.0[i], 64 - bits as i64)));
        let largest = v.abs().max_element();
        if largest == 0.0 {
            return DVec3::ZERO;
        }
        let v = v / largest;
        v / ops::sqrt(v.length_squared())
    }
}

impl Sub for &Vector {
    type Output = Vector;
    fn sub(self, other: Self) -> Vector {
        let (a, b) = (&self.0, &other.0);
        Vector([&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]])
    }
}

impl Add for &Vector {
    type Output = Vector;
    fn add(self, other: Self) -> Vector {
        let (a, b) = (&self.0, &other.0);
        Vector([&a[0] + &b[0], &a[1] + &b[1], &a[2] + &b[2]])
    }
}

impl Neg for &Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        let a = &self.0;
        Vector([-&a[0], -&a[1], -&a[2]])
    }
}

pub(crate) fn is_negative(x: &IBig) -> bool {
    x.sign() == Sign::Negative
}

/// The nearest f64 to `x × 2^shift`, to within an ulp.
fn scaled(x: &IBig, shift: i64) -> f64 {
    // 80 bits are more than an f64 shows; what is shifted out is below half an ulp of them.
    let keep = 80;
    let excess = (x.bit_len() as i64 - keep).max(0);
    let head = x >> usize::try_from(excess).expect("not negative");
    times_power(head.to_f64().value(), excess + shift)
}

/// `x × 2^exponent`, also where the power alone would overflow.
pub(crate) fn times_power(mut x: f64, mut exponent: i64) -> f64 {
    while exponent != 0 && x != 0.0 && x.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    x
}

/// A quotient that is not negative.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    pub(crate) numerator: IBig,
    pub(crate) denominator: IBig,
}

impl Ratio {
    pub(crate) fn new(numerator: IBig, denominator: IBig) -> Self {
        assert!(!is_negative(&numerator) && denominator > IBig::ZERO, "a squared length");
        Self { numerator, denominator }
    }

    pub(crate) fn whole(numerator: IBig) -> Self {
        Self::new(numerator, IBig::ONE)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The quotient times `2^exponent` as an f64, to within a few ulp.
    pub(crate) fn to_f64(&self, exponent: i64) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        signed_quotient(&self.numerator, &self.denominator, exponent)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Ratio {}
impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

/// `numerator / denominator × 2^exponent` to within a few ulp, either sign.
fn signed_quotient(numerator: &IBig, denominator: &IBig, exponent: i64) -> f64 {
    if numerator.is_zero() {
        return 0.0;
    }
    // Enough bits in front of the point that the rounding of the integer quotient is below an ulp.
    let shift = 80 - (numerator.bit_len() as i64 - denominator.bit_len() as i64);
    let quotient = if shift >= 0 {
        (numerator << usize::try_from(shift).expect("not negative")) / denominator
    } else {
        numerator / (denominator << usize::try_from(-shift).expect("not negative"))
    };
    scaled(&quotient, exponent - shift)
}

/// How much longer the length whose square is `a` is than the one whose square is `b`, in units of
/// `2^exponent`: √a − √b without cancellation, to within a few ulp of itself.
pub(crate) fn length_difference(a: &Ratio, b: &Ratio, exponent: i64) -> f64 {
    let difference = &a.numerator * &b.denominator - &b.numerator * &a.denominator;
    let denominator = &a.denominator * &b.denominator;
    // Scaled so that neither the squares nor their difference leave the range of f64.
    let size = |r: &Ratio| r.numerator.bit_len() as i64 - r.denominator.bit_len() as i64;
    let half = if a.is_zero() && b.is_zero() { 0 } else { size(a).max(size(b)) / 2 };
    let sum = ops::sqrt(a.to_f64(-2 * half)) + ops::sqrt(b.to_f64(-2 * half));
    if sum == 0.0 {
        0.0
    } else {
        times_power(signed_quotient(&difference, &denominator, -2 * half) / sum, half + exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_ratio::RBig;

    #[test]
    fn every_float_is_taken_exactly() {
        for x in [0.0, -0.0, 1.0, -0.1, 0.1, 5e-324, f64::MAX, -f64::MIN_POSITIVE, 3.0e-310, 1e300] {
            let exact = Dyadic::new(x);
            let other = RBig::try_from(x).unwrap();
            let power = RBig::from(IBig::ONE << usize::try_from(exact.exponent.unsigned_abs()).unwrap());
            let value = RBig::from(exact.mantissa.clone());
            let value = if exact.exponent < 0 { value / power } else { value * power };
            assert_eq!(value, other, "{x}");
        }
    }

    #[test]
    fn differences_of_lengths_survive_cancellation() {
        // √(10^40 + 1) − 10^20 = 5e-21 to many digits; as f64 both lengths are the same number.
        let big = IBig::from(10u64).pow(40);
        let a = Ratio::whole(&big + IBig::ONE);
        let b = Ratio::whole(big);
        let difference = length_difference(&a, &b, 0);
        assert!((difference / 5e-21 - 1.0).abs() < 1e-15, "{difference}");
        assert_eq!(length_difference(&b, &a, 0), -difference);
        assert_eq!(length_difference(&a, &a, 0), 0.0);
        assert_eq!(length_difference(&Ratio::whole(IBig::from(9)), &Ratio::whole(IBig::ZERO), -1), 1.5);
    }

    #[test]
    fn quotients_of_any_size_come_back_as_floats() {
        let third = Ratio::new(IBig::ONE, IBig::from(3));
        assert_eq!(third.to_f64(0), 1.0 / 3.0);
        let tiny = Ratio::new(IBig::from(7), IBig::ONE << 2000);
        assert_eq!(tiny.to_f64(2000), 7.0);
        let huge = Ratio::new(IBig::from(5) << 3000, IBig::from(8));
        assert_eq!(huge.to_f64(-3000), 0.625);
    }
}
